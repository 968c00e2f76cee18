package action

import (
	"bytes"
	"errors"

	"github.com/hashicorp/go-multierror"
	"github.com/sethvargo/go-githubactions"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/view"
)

// annotateError annotates an error, or each of several.
func (s *step) annotateError(err error) {
	var several *multierror.Error
	if !errors.As(err, &several) {
		s.annotate(checks.Error, err.Error())
		return
	}
	for _, one := range several.Errors {
		s.annotateError(one)
	}
}

// annotate says something about the run itself. The library escapes what the
// runner would take for another command, and panics when a write fails: it writes
// to memory. A log that takes nothing has no reader for an error either.
func (s *step) annotate(severity checks.Severity, message string) {
	s.annotated[severity]++
	message = view.NewText(message).String()
	var command bytes.Buffer
	action := githubactions.New(githubactions.WithWriter(&command)).WithFieldsMap(map[string]string{"title": "mcplumb"})
	if severity == checks.Error {
		action.Errorf("%s", message)
	} else {
		action.Warningf("%s", message)
	}
	// The library ends a command as the system ends lines, all else in a log ends
	// with a line feed. A carriage return in a message is escaped.
	_, _ = s.Log.Write(bytes.ReplaceAll(command.Bytes(), []byte("\r\n"), []byte("\n")))
}
