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

	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/rule"
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
	// FixPullRequest keeps a pull request with fixes, and prints what it did.
	FixPullRequest func(context.Context, FixRequest) ([]pullrequest.Result, error)
	// Suggest works out what can be suggested of the files that a pull request changes.
	Suggest func(context.Context, FixRequest, []github.ChangedFile) (*pullrequest.Suggestions, error)
	// CheckLock prints what is out of sync with mcplumb.lock, and returns the exit code.
	CheckLock func(context.Context, Request) (code int, err error)
	// ExitCode is the exit code for an error that ends the run.
	ExitCode func(error) int
	// Wait waits, or returns the error of the context.
	Wait func(context.Context, time.Duration) error
}

// Disk is the runner's. All paths are absolute and as the system writes them.
type Disk interface {
	IsDir(path string) bool
	// Exists reports whether anything has this name, a link that leads nowhere too.
	Exists(path string) bool
	// MakeDir makes a directory with those above it; it may be there already.
	MakeDir(path string) error
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
	// Parents returns the parents of this commit, those of a shallow clone, too.
	Parents(ctx context.Context, root string) ([]string, error)
	// Changed returns the paths that this commit changes against its first parent.
	Changed(ctx context.Context, root string) ([]string, error)
	// Missing returns the paths that are tracked, keep wants and the work tree does
	// not have.
	Missing(ctx context.Context, root string, keep func(path string) bool) ([]string, error)
}

// Request says what to check, as the flags of the command check do.
type Request struct {
	Dir              string // where relative paths start, absolute
	Workspace        string // where the repository begins if git does not say, absolute
	Paths            []string
	Config, Baseline string
	Base             Base
	FailOn           string
	Online           bool // registries are asked
	Compares         bool // the client files of each project are compared, for the summary
}

// FixRequest says what to fix, and where.
type FixRequest struct {
	Request
	github.Access
	Safety, Group string
	Labels        []string
	// SignOff has the author of the commits sign them off, Workflows fixes files of
	// workflows, too.
	SignOff, Workflows bool
	// Branch is the branch to fix, "" for the one that is checked out.
	Branch string
}

// Result is what a check found.
type Result struct {
	Root string // of the repository, absolute
	Git  bool   // Root is the top of a git work tree
	View *view.View
	// Whole has what the base has, too: code scanning compares by itself, and closes
	// the alerts that a report does not have.
	Whole    *view.View
	ExitCode int // that of the command check
	// Compared says what the findings were compared with, "" for nothing, and BaseCommit which
	// commit that is.
	Compared, BaseCommit string
	// Reads reports whether a file of the repository with this path is read.
	Reads func(path string) bool
}

// step is one run.
type step struct {
	Env
	// annotated counts what the step said of itself, by severity.
	annotated [rule.Error + 1]int
	// counts are the outputs that say what was found, once that is known.
	counts []output
}

// Run runs the step and returns its exit code. Its error is already reported to the workflow.
func Run(ctx context.Context, env Env) (code int, err error) {
	s := &step{Env: env}
	code, err = s.run(ctx)
	if err != nil {
		code = s.ExitCode(err)
		s.annotateError(err)
		s.setOutputs(append(s.counts, output{"exit-code", strconv.Itoa(code)}))
	}
	return code, err
}

// run checks the repository and reports to the workflow. Findings are printed before anything
// is sent, because a slow network may hold the step until it is cancelled.
func (s *step) run(ctx context.Context) (code int, err error) {
	in, err := s.inputs()
	if err != nil {
		return 0, err
	}
	request := in.request()
	request.Base = s.base(ctx, in)
	result, err := s.Check(ctx, request)
	if err != nil {
		return 0, err
	}
	s.sayCompared(result.Compared)
	v := result.View
	s.counts = countOutputs(v.Summary)
	place := s.misplaced(in, result)
	code, failed := s.judge(in, result, place)
	if in.lock {
		locked, err := s.CheckLock(ctx, request)
		if err != nil {
			return 0, err
		}
		code = max(code, s.judgeLock(in, locked))
		failed = failed || code > result.ExitCode
	}
	sarif, err := renderSARIF(in, result.Whole)
	if err != nil {
		return 0, err
	}
	for _, limit := range sarif.limits {
		s.annotate(rule.Warning, limit)
	}
	o := report.Options{Severity: in.severity, Lower: "the input severity:"}
	o.Sources = s.sources(ctx, in, result, place)
	annotate := place == "" && (in.annotations == "true" || in.annotations == auto && !in.upload)
	if err := s.writeFindings(ctx, result, o, annotate); err != nil {
		return 0, err
	}
	if in.summary {
		s.writeSummary(v, o, sarif.limits)
	}
	file, err := s.storeSARIF(in, sarif.content)
	if err != nil {
		return 0, err
	}
	s.comment(ctx, in, result, o)
	s.counts = append(s.counts, s.fix(ctx, in, request)...)
	s.setOutputs(append(s.counts, output{"sarif-file", file}, output{"exit-code", strconv.Itoa(max(result.ExitCode, code))}))
	if !in.upload {
		return code, nil
	}
	if s.upload(ctx, in, result, place, sarif.content) {
		if in.failOn == auto && !failed {
			return 0, nil // the check of code scanning fails instead
		}
		return code, nil
	}
	if in.annotations == auto && place == "" {
		err = report.WriteGitHub(s.Log, v, o, s.annotations(ctx, result, true))
	}
	return code, err
}

// request returns what the inputs ask to check.
func (in *inputs) request() Request {
	r := Request{
		Dir: in.dir, Workspace: in.workspace, Paths: in.paths,
		Config: in.config, Baseline: in.baseline, FailOn: in.failOn, Online: in.online, Compares: in.summary,
	}
	if r.FailOn == auto {
		r.FailOn = rule.Warning.String()
	}
	return r
}

// judge says what is wrong with the run as a whole, and returns the exit code, and
// whether it is one that no upload makes good.
func (s *step) judge(in *inputs, result *Result, place string) (code int, failed bool) {
	problems := len(result.View.Problems())
	if place != "" {
		s.annotate(rule.Warning, "no finding is annotated: "+place)
	}
	for _, notice := range result.View.Notices() {
		s.annotate(rule.Warning, notice.Plain())
	}
	switch {
	case problems > 0:
		return s.incomplete(in.failOn, problems, result.ExitCode), false
	case result.View.Summary.Files == 0 && place == "":
		return s.nothing(in, result)
	}
	return result.ExitCode, false
}

// nothing says that there was nothing to check, and returns the exit code, and
// whether that fails the step.
func (s *step) nothing(in *inputs, result *Result) (code int, failed bool) {
	if in.noFiles == never {
		return result.ExitCode, false
	}
	severity := rule.Warning
	if in.noFiles == fail {
		severity = rule.Error
		result.ExitCode = max(result.ExitCode, 1) // as check --fail-on-no-files has it
	}
	s.annotate(severity, "no MCP configuration was found, so nothing was checked: if one exists, review the checkout and the inputs working-directory and paths")
	return result.ExitCode, severity == rule.Error
}

// writeFindings writes the findings to the log.
func (s *step) writeFindings(ctx context.Context, result *Result, o report.Options, annotate bool) error {
	if annotate {
		return report.WriteGitHub(s.Log, result.View, o, s.annotations(ctx, result, false))
	}
	return report.WriteText(s.Log, result.View, o)
}

// annotations says which annotations there is room for: what the step says itself
// is in the way of findings.
func (s *step) annotations(ctx context.Context, result *Result, only bool) report.Annotations {
	return report.Annotations{First: s.changed(ctx, result.Root), Taken: s.annotated, Only: only}
}

// incomplete says that n things were not checked, and returns the exit code. That
// fails the step, because a change could hide in it; who wants no finding to fail
// it is only warned.
func (s *step) incomplete(failOn string, n, code int) int {
	message := fmt.Sprintf("%d files or rules could not be checked: see the log and the summary", n)
	if n == 1 {
		message = "1 file or rule could not be checked: see the log and the summary"
	}
	if failOn == never {
		s.annotate(rule.Warning, message)
		return 0
	}
	s.annotate(rule.Error, message)
	return code
}
