// Package action is mcplumb as a step of a GitHub workflow, as action.yml runs
// it: the inputs are in the environment, findings become annotations, alerts and
// a job summary, numbers become outputs.
//
// It knows what GitHub's runner wants. The machine it runs on, git and the linter
// are handed in.
package action

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// Env is everything that a step takes from the outside.
type Env struct {
	// Getenv returns a variable: an input, or what the runner says of the job.
	Getenv func(name string) string
	// Dir is the current directory, absolute.
	Dir string
	// Log is what the workflow shows of the step.
	Log  io.Writer
	Disk Disk
	Git  Git
	// Check lints, prints what it could not check, and returns the rest.
	Check func(context.Context, Request) (*Result, error)
	// ExitCode is the exit code for an error that ends the run.
	ExitCode func(error) int
	// Wait waits, or returns the error of the context.
	Wait func(context.Context, time.Duration) error
}

// Disk is the runner's. All paths are absolute and as the system writes them.
type Disk interface {
	IsDir(path string) bool
	// Resolve returns where a path really is, whether or not its last element is
	// there already; "" for a link that leads nowhere.
	Resolve(path string) string
	Read(path string) ([]byte, error)
	// Write replaces a file in one step. Its error names the file.
	Write(path string, content []byte) error
	Append(path string, content []byte) error
}

// Git is what a step asks of git about the work tree in root.
type Git interface {
	// Head returns the commit that is checked out, in hexadecimal.
	Head(ctx context.Context, root string) (string, error)
	// Changed returns the paths that this commit changes against its first parent.
	Changed(ctx context.Context, root string) ([]string, error)
}

// Request says what to check, as the flags of the command check do.
type Request struct {
	Dir              string // where relative paths start, absolute
	Paths            []string
	Config, Baseline string
	FailOn           string
}

// Result is what a check found.
type Result struct {
	Root     string // of the repository, absolute
	View     *view.View
	ExitCode int // that of the command check
}

// step is one run.
type step struct {
	Env
	// annotated counts what the step said of itself, by severity.
	annotated [checks.Error + 1]int
}

// Run runs the step and returns its exit code. Its error has been said to the
// workflow already.
func Run(ctx context.Context, env Env) (code int, err error) {
	s := &step{Env: env}
	code, err = s.run(ctx)
	if err != nil {
		code = s.ExitCode(err)
		s.annotateError(err)
		s.setOutputs([]output{{"exit-code", strconv.Itoa(code)}})
	}
	return code, err
}

// run checks the repository and reports to the workflow.
func (s *step) run(ctx context.Context) (code int, err error) {
	in, err := s.inputs()
	if err != nil {
		return 0, err
	}
	result, err := s.Check(ctx, Request{Dir: in.dir, Paths: in.paths, Config: in.config, Baseline: in.baseline, FailOn: in.failOn})
	if err != nil {
		return 0, err
	}
	v := result.View
	content, sarif, err := s.writeSARIF(in, v)
	if err != nil {
		return 0, err
	}
	uploaded := in.upload && s.upload(ctx, result, content)
	code = result.ExitCode
	if n := len(v.Problems()); n > 0 {
		code = s.incomplete(in.failOn, n, code)
	}
	o := report.Options{Severity: in.severity, Lower: "the input severity:"}
	if in.annotations == "true" || in.annotations == auto && !uploaded {
		// What the step says itself is in the way of findings.
		err = report.WriteGitHub(s.Log, v, o, report.Annotations{First: s.changed(ctx, result.Root), Taken: s.annotated})
	} else {
		err = report.WriteText(s.Log, v, o)
	}
	if err != nil {
		return 0, err
	}
	if in.summary {
		s.writeSummary(v, o)
	}
	s.setOutputs([]output{
		{"findings", strconv.Itoa(v.Summary.Findings())},
		{"errors", strconv.Itoa(v.Summary.Errors)},
		{"warnings", strconv.Itoa(v.Summary.Warnings)},
		{"notes", strconv.Itoa(v.Summary.Notes)},
		{"sarif-file", sarif},
		{"exit-code", strconv.Itoa(result.ExitCode)},
	})
	return code, nil
}

// incomplete says that n things were not checked, and returns the exit code. That
// fails the step, because a change could hide in it; who wants no finding to fail
// it is only warned.
func (s *step) incomplete(failOn string, n, code int) int {
	message := fmt.Sprintf("%d files or rules could not be checked: the log and the summary name them", n)
	if failOn == never {
		s.annotate(checks.Warning, message)
		return 0
	}
	s.annotate(checks.Error, message)
	return code
}
