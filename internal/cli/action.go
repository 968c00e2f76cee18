package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-multierror"
	"github.com/sethvargo/go-githubactions"
	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/report"
)

// sarifName is the SARIF file's name in the runner's temporary directory when
// the workflow gives none.
const sarifName = "mcplumb.sarif"

// uploadTime is how long an upload may take, all attempts together.
const uploadTime = 2 * time.Minute

// auto is the word for annotations unless there are alerts.
const auto = "auto"

// actionInputs are the inputs of action.yml.
type actionInputs struct {
	dir              string // the working directory, absolute
	paths            []string
	severity         checks.Severity
	failOn           string
	config, baseline string
	sarif            string // absolute, "" for the runner's temporary directory
	annotations      string // true, false, or auto: unless the report was uploaded
	summary          bool
	upload           bool
	category         string // of the analysis, "" for none
}

func (a *app) actionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "action",
		Short: "Run as a step of a GitHub workflow",
		Long: `Run as action.yml does: the inputs are in the environment (INPUT_FAIL_ON for
fail-on), findings become annotations and a job summary, numbers go to
GITHUB_OUTPUT. Exit codes are those of check.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := a.action(cmd.Context())
			if err != nil {
				a.annotateError(err)
				a.actionOutputs([]actionOutput{{"exit-code", strconv.Itoa(errorCode(err))}})
			}
			return err
		},
	}
}

// action checks the repository and reports to the workflow.
func (a *app) action(ctx context.Context) error {
	in, err := a.actionInputs()
	if err != nil {
		return err
	}
	a.env.Dir = in.dir
	options := a.lintOptions(in.config, in.paths)
	options.Baseline = in.baseline
	result, err := lint.Run(ctx, options)
	if err != nil {
		return err
	}
	a.printFileErrors(result.Errors, func(p string) string { return p })
	r := a.newReport(result)
	content, sarif, err := a.actionSARIF(in, r)
	if err != nil {
		return err
	}
	uploaded := in.upload && a.upload(ctx, result, options.Git, content)
	a.code = exitCode(result, in.failOn)
	outcome := a.code
	if a.code == exitIncomplete {
		a.incomplete(in.failOn, len(result.Errors))
	}
	// What the action says itself is in the way of findings, so it comes first.
	o := report.Options{
		Severity: in.severity, Lower: "the input severity:",
		First: a.changed(ctx, options.Git, result.Root), Annotated: a.annotated,
	}
	if err := a.actionLog(in.annotations == "true" || in.annotations == auto && !uploaded, r, o); err != nil {
		return err
	}
	if in.summary {
		a.actionSummary(r, result.Repo, o)
	}
	a.actionOutputs([]actionOutput{
		{"findings", strconv.Itoa(len(r.Findings))},
		{"errors", strconv.Itoa(r.Summary.Errors)},
		{"warnings", strconv.Itoa(r.Summary.Warnings)},
		{"notes", strconv.Itoa(r.Summary.Notes)},
		{"sarif-file", sarif},
		{"exit-code", strconv.Itoa(outcome)},
	})
	return nil
}

// upload sends the report to code scanning, and reports whether GitHub took it.
// That it does not is no reason to fail: the findings are in the log.
func (a *app) upload(ctx context.Context, result *lint.Result, git lint.Git, sarif []byte) bool {
	commit, ref, err := a.analysed(ctx, git, result.Root)
	switch {
	case err != nil:
	case len(result.Errors) > 0:
		err = errors.New("something could not be checked, and code scanning would close its alerts")
	default:
		limited, cancel := context.WithTimeout(ctx, uploadTime)
		defer cancel()
		analysis := &github.Analysis{
			API: a.env.Getenv("GITHUB_API_URL"), Token: a.env.Getenv("INPUT_TOKEN"), Repository: a.env.Getenv("GITHUB_REPOSITORY"),
			Commit: commit, Ref: ref, SARIF: sarif, Wait: wait,
		}
		err = analysis.Upload(limited)
	}
	if err != nil {
		a.annotate(checks.Warning, "not uploaded to code scanning: "+err.Error())
		return false
	}
	return true
}

// analysed returns the commit and the ref that the report is of: those of the
// event, or the head of its pull request, if that is what is checked out. What
// belongs to another commit would close alerts that are still right.
func (a *app) analysed(ctx context.Context, git lint.Git, root string) (commit, ref string, err error) {
	commit, ref = a.env.Getenv("GITHUB_SHA"), a.env.Getenv("GITHUB_REF")
	head, err := git.Head(ctx, root)
	if err != nil || head == commit {
		return commit, ref, nil // without git nobody knows better
	}
	pull := a.event().PullRequest
	if pull.Head.SHA == head {
		return head, fmt.Sprintf("refs/pull/%d/head", pull.Number), nil
	}
	return "", "", errors.New("what is checked out is not the commit of the event")
}

// wait waits, or returns the error of the context.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// incomplete says that something was not checked. That fails the step, because
// a change could hide in it; who wants no finding to fail it is only warned.
func (a *app) incomplete(failOn string, n int) {
	message := fmt.Sprintf("%d files or rules could not be checked: the log and the summary name them", n)
	if failOn == never {
		a.annotate(checks.Warning, message)
		a.code = exitOK
		return
	}
	a.annotate(checks.Error, message)
}

// actionInputs reads the inputs and says everything that is wrong with them.
func (a *app) actionInputs() (*actionInputs, error) {
	r := inputReader{getenv: a.env.Getenv}
	in := &actionInputs{
		failOn: r.word("fail-on", "warning", "note", "warning", "error", never),
		config: r.text("config"), baseline: r.text("baseline"),
		annotations: r.word("annotations", auto, auto, "true", "false"),
		summary:     r.word("summary", "true", "true", "false") == "true",
		upload:      r.word("upload-sarif", "false", "true", "false") == "true",
		category:    r.text("category"),
	}
	if in.upload && in.category == "" {
		in.category = path.Join("mcplumb", filepath.ToSlash(r.text("working-directory")))
	}
	severity := r.word("severity", "warning", "note", "warning", "error")
	for _, line := range strings.Split(r.text("paths"), "\n") {
		if path := strings.TrimSpace(line); path != "" {
			in.paths = append(in.paths, path)
		}
	}
	workspace := a.env.Getenv("GITHUB_WORKSPACE")
	if workspace == "" {
		workspace = a.env.Dir
	}
	in.dir = r.directory("working-directory", workspace)
	in.sarif = r.file("sarif-file", in.dir, workspace)
	if err := r.wrong.ErrorOrNil(); err != nil {
		return nil, err
	}
	var err error
	in.severity, err = checks.ParseSeverity(severity)
	return in, err
}

// inputReader reads inputs, and collects what is wrong with them. An empty
// input is one that was not given.
type inputReader struct {
	getenv func(string) string
	wrong  *multierror.Error
}

func (r *inputReader) text(name string) string {
	return strings.TrimSpace(r.getenv("INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))))
}

// fail remembers what is wrong with an input.
func (r *inputReader) fail(name, value string, err error) {
	r.wrong = multierror.Append(r.wrong, fmt.Errorf("input %s: %q: %w", name, value, err))
}

// word returns an input that is one of a few words.
func (r *inputReader) word(name, standard string, words ...string) string {
	value := r.text(name)
	if value == "" {
		return standard
	}
	if err := oneOf(value, words); err != nil {
		r.fail(name, value, err)
	}
	return value
}

// directory returns an input that names a directory below base, absolute.
func (r *inputReader) directory(name, base string) string {
	value := r.text(name)
	dir := absolute(base, value)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		r.fail(name, value, errors.New("there is no such directory"))
	}
	return dir
}

// file returns an input that names a file to write, absolute, "" if there is
// none. A link of the repository must not lead the file out of the workspace:
// there is the runner's own, GITHUB_ENV for one.
func (r *inputReader) file(name, base, workspace string) string {
	value := r.text(name)
	if value == "" {
		return ""
	}
	target := absolute(base, value)
	if strings.ContainsAny(value, "\r\n") {
		r.fail(name, value, errors.New("a file name has one line"))
	} else if isBelow(workspace, target) && !isBelow(resolved(workspace), resolved(target)) {
		r.fail(name, value, errors.New("a link leads out of the workspace"))
	}
	return target
}

// absolute returns a path that may start at base.
func absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// resolved returns where a path really is, whether or not its last element is
// there already.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if _, err := os.Lstat(path); err == nil {
		return "" // a link that leads nowhere: whoever writes makes its target
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(resolved(dir), filepath.Base(path))
}

// isBelow reports whether a path is in a directory.
func isBelow(dir, path string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative)
}

// actionSARIF writes the SARIF file, and returns what is in it and its path. A
// directory of the runner's that takes no file is no reason to fail; one that was
// asked for is.
func (a *app) actionSARIF(in *actionInputs, r *report.Report) (content []byte, target string, err error) {
	var out bytes.Buffer
	if err := formatNamed("sarif").Write(&out, r, report.Options{Category: in.category}); err != nil {
		return nil, "", err
	}
	target = in.sarif
	if temporary := a.env.Getenv("RUNNER_TEMP"); target == "" && temporary != "" {
		target = filepath.Join(temporary, sarifName)
	}
	if target == "" {
		return out.Bytes(), "", nil
	}
	err = a.write(target, func(w io.Writer) error {
		_, err := w.Write(out.Bytes())
		return err
	})
	if err != nil && in.sarif == "" {
		a.annotate(checks.Warning, err.Error())
		return out.Bytes(), "", nil
	}
	return out.Bytes(), target, err
}

// actionLog writes the findings into the log, with annotations or as text.
func (a *app) actionLog(annotations bool, r *report.Report, o report.Options) error {
	format := "text"
	if annotations {
		format = "github"
	}
	return a.write("", func(w io.Writer) error { return formatNamed(format).Write(w, r, o) })
}

// actionSummary appends the job summary.
func (a *app) actionSummary(r *report.Report, repo *mcp.Repo, o report.Options) {
	var page bytes.Buffer
	if err := report.WriteSummary(&page, r, repo, o); err != nil {
		a.annotate(checks.Warning, err.Error())
		return
	}
	a.appendTo("GITHUB_STEP_SUMMARY", page.Bytes())
}

// actionOutput is an output of the step. Its value is a number, or a path that
// the workflow gave: nothing of the repository gets into the runner's file.
type actionOutput struct{ name, value string }

// actionOutputs sets the outputs. A line break would begin the next one.
func (a *app) actionOutputs(outputs []actionOutput) {
	var content bytes.Buffer
	for _, o := range outputs {
		if !strings.ContainsAny(o.value, "\r\n") {
			fmt.Fprintf(&content, "%s=%s\n", o.name, o.value)
		}
	}
	a.appendTo("GITHUB_OUTPUT", content.Bytes())
}

// appendTo appends to a file that the runner gave the step. Without it the
// results are the same, so that is only worth a warning.
func (a *app) appendTo(variable string, content []byte) {
	name := a.env.Getenv(variable)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.Write(content)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		a.annotate(checks.Warning, outputFailed(variable, err).Error())
	}
}

// annotateError annotates an error, or each of several.
func (a *app) annotateError(err error) {
	var several *multierror.Error
	if !errors.As(err, &several) {
		a.annotate(checks.Error, err.Error())
		return
	}
	for _, one := range several.Errors {
		a.annotateError(one)
	}
}

// annotate says something about the run itself. The library escapes what the
// runner would take for another command.
func (a *app) annotate(severity checks.Severity, message string) {
	a.annotated[severity]++
	message = report.Escape(secret.Mask(message))
	action := githubactions.New(githubactions.WithWriter(a.env.Stdout)).WithFieldsMap(map[string]string{"title": "mcplumb"})
	if severity == checks.Error {
		action.Errorf("%s", message)
		return
	}
	action.Warningf("%s", message)
}

// changed returns which files the event changes, for the order of annotations:
// GitHub shows few. A push lists its files. A pull request does not, but git
// knows them if the checkout is deep enough. nil means nobody knows.
func (a *app) changed(ctx context.Context, git lint.Git, root string) func(string) bool {
	var paths []string
	if strings.HasPrefix(a.env.Getenv("GITHUB_EVENT_NAME"), "pull_request") {
		paths, _ = git.Changed(ctx, root) // a shallow clone does not have the other side
	} else {
		for _, c := range a.event().Commits {
			paths = append(append(paths, c.Added...), c.Modified...)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	return func(path string) bool {
		_, found := slices.BinarySearch(paths, path)
		return found
	}
}

// event is what is looked at of the event that started the workflow.
type event struct {
	Commits     []struct{ Added, Modified []string }
	PullRequest struct {
		Number int
		Head   struct{ SHA string }
	} `json:"pull_request"`
}

// event reads the event, which is empty where it says something else.
func (a *app) event() event {
	var e event
	content, err := os.ReadFile(a.env.Getenv("GITHUB_EVENT_PATH"))
	if err != nil || json.Unmarshal(content, &e) != nil {
		return event{}
	}
	return e
}
