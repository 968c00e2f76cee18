package action

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hashicorp/go-multierror"
	"github.com/sethvargo/go-githubactions"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// annotateError annotates an error, or each of several: mistakes that are collected for a
// person are a *multierror.Error.
func (s *step) annotateError(err error) {
	var several *multierror.Error
	if !errors.As(err, &several) {
		s.annotate(rule.Error, err.Error())
		return
	}
	for _, one := range several.Errors {
		s.annotateError(one)
	}
}

// annotateOnce says what is the same for every step of a job: steps after the first say
// it in the log alone. What was said is noted where the runner has what lasts as long as a
// job.
func (s *step) annotateOnce(severity rule.Severity, what, message string) {
	temporary := s.Getenv("RUNNER_TEMP")
	note := filepath.Join(temporary, "mcplumb-said-"+what)
	if temporary != "" && s.Disk.Exists(note) {
		_, _ = fmt.Fprintf(s.Log, "%s\n", message)
		return
	}
	s.annotate(severity, message)
	if temporary != "" {
		_ = s.Disk.Write(note, nil) // without it the next step says it once more
	}
}

// annotate says something about the run itself. The library escapes what the
// runner would take for another command, and panics when a write fails: it writes
// to memory. A log that takes nothing has no reader for an error either.
func (s *step) annotate(severity rule.Severity, message string) {
	s.annotated[severity]++
	message = view.NewText(message).String()
	var command bytes.Buffer
	action := githubactions.New(githubactions.WithWriter(&command)).WithFieldsMap(map[string]string{"title": "mcplumb"})
	switch severity {
	case rule.Error:
		action.Errorf("%s", message)
	case rule.Note:
		action.Noticef("%s", message)
	default:
		action.Warningf("%s", message)
	}
	// The library ends a command as the system ends lines, all else in a log ends
	// with a line feed. A carriage return in a message is escaped.
	_, _ = s.Log.Write(bytes.ReplaceAll(command.Bytes(), []byte("\r\n"), []byte("\n")))
}
