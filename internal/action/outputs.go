package action

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// sarifName is the SARIF file's name in the runner's temporary directory when
// the workflow gives none.
const sarifName = "mcplumb.sarif"

// writeSARIF writes the SARIF file, and returns what is in it and its path. A
// directory of the runner's that takes no file is no reason to fail; one that was
// asked for is.
func (s *step) writeSARIF(in *inputs, v *view.View) (content []byte, target string, err error) {
	var out bytes.Buffer
	if err := report.WriteSARIF(&out, v, in.category); err != nil {
		return nil, "", err
	}
	target = in.sarif
	if temporary := s.Getenv("RUNNER_TEMP"); target == "" && temporary != "" {
		target = filepath.Join(temporary, sarifName)
	}
	if target == "" {
		return out.Bytes(), "", nil
	}
	err = s.Disk.Write(target, out.Bytes())
	if err != nil && in.sarif == "" {
		s.annotate(checks.Warning, err.Error())
		return out.Bytes(), "", nil
	}
	return out.Bytes(), target, err
}

// writeSummary appends the job summary.
func (s *step) writeSummary(v *view.View, o report.Options) {
	var page bytes.Buffer
	if err := report.WriteSummary(&page, v, o); err != nil {
		s.annotate(checks.Warning, err.Error())
		return
	}
	s.appendTo("GITHUB_STEP_SUMMARY", page.Bytes())
}

// output is an output of the step. Its value is a number, or a path that the
// workflow gave: nothing of the repository gets into the runner's file.
type output struct{ name, value string }

// setOutputs sets the outputs. A line break would begin the next one.
func (s *step) setOutputs(outputs []output) {
	var content bytes.Buffer
	for _, o := range outputs {
		if !strings.ContainsAny(o.value, "\r\n") {
			fmt.Fprintf(&content, "%s=%s\n", o.name, o.value)
		}
	}
	s.appendTo("GITHUB_OUTPUT", content.Bytes())
}

// appendTo appends to a file that the runner gave the step. Without it the
// results are the same, so that is only worth a warning.
func (s *step) appendTo(variable string, content []byte) {
	name := s.Getenv(variable)
	if name == "" {
		return
	}
	err := s.Disk.Append(name, content)
	if err == nil {
		return
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err // the path is the runner's, the variable says which
	}
	s.annotate(checks.Warning, fmt.Sprintf("cannot write %s: %v", variable, err))
}
