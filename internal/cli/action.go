package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/go-multierror"
	"github.com/sethvargo/go-githubactions"
	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/report"
)

// sarifName is the SARIF file's name in the runner's temporary directory when
// the workflow gives none.
const sarifName = "mcplumb.sarif"

// actionInputs are the inputs of action.yml.
type actionInputs struct {
	dir              string // the working directory, absolute
	paths            []string
	severity         checks.Severity
	failOn           string
	config, baseline string
	sarif            string // absolute, "" for the runner's temporary directory
	annotations      bool
	summary          bool
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
	sarif, err := a.actionSARIF(in, r)
	if err != nil {
		return err
	}
	o := report.Options{Severity: in.severity, First: a.changed(ctx, options.Git, result.Root)}
	if err := a.actionLog(in, r, o); err != nil {
		return err
	}
	if in.summary {
		a.actionSummary(r, result.Repo, o)
	}
	a.code = exitCode(result, in.failOn)
	a.actionOutputs([]actionOutput{
		{"findings", strconv.Itoa(len(r.Findings))},
		{"errors", strconv.Itoa(r.Summary.Errors)},
		{"warnings", strconv.Itoa(r.Summary.Warnings)},
		{"notes", strconv.Itoa(r.Summary.Notes)},
		{"sarif-file", sarif},
		{"exit-code", strconv.Itoa(a.code)},
	})
	if a.code == exitIncomplete {
		a.incomplete(in.failOn, len(result.Errors))
	}
	return nil
}

// incomplete says that something was not checked. That fails the step, because
// a change could hide in it; who wants no finding to fail it is only warned.
func (a *app) incomplete(failOn string, n int) {
	message := fmt.Sprintf("%d files or rules could not be checked: the log and the summary name them", n)
	if failOn == never {
		a.annotate("warning", message)
		a.code = exitOK
		return
	}
	a.annotate("error", message)
}

// actionInputs reads the inputs and says everything that is wrong with them.
func (a *app) actionInputs() (*actionInputs, error) {
	r := inputReader{getenv: a.env.Getenv}
	in := &actionInputs{
		failOn: r.word("fail-on", "warning", "note", "warning", "error", never),
		config: r.text("config"), baseline: r.text("baseline"),
		annotations: r.word("annotations", "true", "true", "false") == "true",
		summary:     r.word("summary", "true", "true", "false") == "true",
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

// actionSARIF writes the SARIF file and returns its path. A directory of the
// runner's that takes no file is no reason to fail; one that was asked for is.
func (a *app) actionSARIF(in *actionInputs, r *report.Report) (string, error) {
	target := in.sarif
	if target == "" {
		temporary := a.env.Getenv("RUNNER_TEMP")
		if temporary == "" {
			return "", nil
		}
		target = filepath.Join(temporary, sarifName)
	}
	err := a.write(target, func(w io.Writer) error { return formatNamed("sarif").Write(w, r, report.Options{}) })
	if err != nil && in.sarif == "" {
		a.annotate("warning", err.Error())
		return "", nil
	}
	return target, err
}

// actionLog writes the findings into the log, with annotations or as text.
func (a *app) actionLog(in *actionInputs, r *report.Report, o report.Options) error {
	format := "text"
	if in.annotations {
		format = "github"
	}
	return a.write("", func(w io.Writer) error { return formatNamed(format).Write(w, r, o) })
}

// actionSummary appends the job summary.
func (a *app) actionSummary(r *report.Report, repo *mcp.Repo, o report.Options) {
	var page bytes.Buffer
	if err := report.WriteSummary(&page, r, repo, o); err != nil {
		a.annotate("warning", err.Error())
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
		a.annotate("warning", outputFailed(variable, err).Error())
	}
}

// annotateError annotates an error, or each of several.
func (a *app) annotateError(err error) {
	var several *multierror.Error
	if !errors.As(err, &several) {
		a.annotate("error", err.Error())
		return
	}
	for _, one := range several.Errors {
		a.annotateError(one)
	}
}

// annotate says something about the run itself. The library escapes what the
// runner would take for another command.
func (a *app) annotate(kind, message string) {
	message = report.Escape(secret.Mask(message))
	action := githubactions.New(githubactions.WithWriter(a.env.Stdout)).WithFieldsMap(map[string]string{"title": "mcplumb"})
	if kind == "error" {
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
		paths = pushedFiles(a.env.Getenv("GITHUB_EVENT_PATH"))
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

// pushedFiles returns the files that the commits of a push event add or modify.
func pushedFiles(eventFile string) []string {
	content, err := os.ReadFile(eventFile)
	if err != nil {
		return nil
	}
	var event struct {
		Commits []struct{ Added, Modified []string }
	}
	if json.Unmarshal(content, &event) != nil {
		return nil
	}
	var paths []string
	for _, c := range event.Commits {
		paths = append(append(paths, c.Added...), c.Modified...)
	}
	return paths
}
