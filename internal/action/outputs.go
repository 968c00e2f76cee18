package action

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// freeName returns the path of the SARIF file in the runner's temporary directory
// when the workflow gives none: one for each step of a job, which later steps may
// upload. The runner empties that directory before a job.
func (s *step) freeName(temporary string) string {
	target := filepath.Join(temporary, "mcplumb.sarif")
	for n := 2; s.Disk.Exists(target); n++ {
		target = filepath.Join(temporary, fmt.Sprintf("mcplumb-%d.sarif", n))
	}
	return target
}

// sarifReport is the SARIF report, and what code scanning would not show of it, a
// sentence each.
type sarifReport struct {
	content []byte
	limits  []string
}

// renderSARIF returns the SARIF report.
func renderSARIF(in *inputs, v *view.View) (sarifReport, error) {
	var out bytes.Buffer
	omitted, err := report.WriteSARIF(&out, v, in.sarifSeverity, in.category)
	if err != nil {
		return sarifReport{}, err
	}
	rendered := sarifReport{content: out.Bytes()}
	if omitted > 0 {
		rendered.limits = append(rendered.limits, fmt.Sprintf("the SARIF report leaves out the %d least severe findings: code scanning refuses more", omitted))
	}
	if results := len(v.Findings(in.sarifSeverity)) - omitted; results > report.MaxShownResults {
		rendered.limits = append(rendered.limits, fmt.Sprintf(
			"code scanning shows only the most severe %d of the %d results in the SARIF report: fix or ignore what they have in common, or split the work", report.MaxShownResults, results))
	}
	return rendered, nil
}

// storeSARIF writes the SARIF file, and returns its path. The step does not fail if the
// runner's directory is not writable, but it does if the file's path is an input.
func (s *step) storeSARIF(in *inputs, content []byte) (target string, err error) {
	target = in.sarif
	if temporary := s.Getenv("RUNNER_TEMP"); target == "" && temporary != "" {
		target = s.freeName(temporary)
	}
	if target == "" {
		return "", nil
	}
	if in.sarif != "" {
		err = s.Disk.MakeDir(filepath.Dir(target))
	}
	if err == nil {
		err = s.Disk.Write(target, content)
	}
	if err != nil && in.sarif == "" {
		s.annotate(rule.Warning, err.Error())
		return "", nil
	}
	return target, err
}

// writeSummary appends the job summary, and what code scanning would not show.
func (s *step) writeSummary(v *view.View, o report.Options, limits []string) {
	var page bytes.Buffer
	if err := report.WriteSummary(&page, v, o); err != nil {
		s.annotate(rule.Warning, err.Error())
		return
	}
	for _, limit := range limits {
		fmt.Fprintf(&page, "\n%s.\n", limit)
	}
	s.appendTo("GITHUB_STEP_SUMMARY", page.Bytes())
}

// output is an output of the step. Its value is a number, or a path that the
// workflow gave: nothing of the repository gets into the runner's file.
type output struct{ name, value string }

// countOutputs are the outputs that say what was found.
func countOutputs(found view.Summary) []output {
	return []output{
		{"findings", strconv.Itoa(found.Findings())},
		{"errors", strconv.Itoa(found.Errors)},
		{"warnings", strconv.Itoa(found.Warnings)},
		{"notes", strconv.Itoa(found.Notes)},
		{"fixable", strconv.Itoa(found.Fixable)},
	}
}

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
	s.annotate(rule.Warning, fmt.Sprintf("cannot write %s: %v", variable, err))
}
