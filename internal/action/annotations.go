package action

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/hashicorp/go-multierror"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
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

// annotateOnce annotates what is the same for every step of a job: later steps print it only
// in the log. It remembers what it annotated in the runner's directory that lasts as long as a
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

// annotate says something about the run itself. A log that takes nothing has no reader for an
// error either.
func (s *step) annotate(severity rule.Severity, message string) {
	s.annotated[severity]++
	title := map[string]string{"title": "mcplumb"}
	_, _ = io.WriteString(s.Log, report.WorkflowCommand(severity, title, view.NewText(message).String()))
}
