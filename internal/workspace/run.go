package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// Stopped is the error of a run that was interrupted, with what becomes of it.
type Stopped string

func (s Stopped) Error() string { return "stopped before the end: " + string(s) }

// Unwrap returns the error of the context.
func (Stopped) Unwrap() error { return context.Canceled }

// ErrStopped is the error of a run that was interrupted before it found anything out.
var ErrStopped error = Stopped("nothing is reported")

// Lint runs the rules, with the workspace's options.
func (w *Workspace) Lint(ctx context.Context) (*lint.Result, error) { return w.run(ctx, lint.Run) }

// List finds the servers, with the workspace's options.
func (w *Workspace) List(ctx context.Context) (*lint.Result, error) { return w.run(ctx, lint.List) }

// run runs the linter, and has shown how far it is.
func (w *Workspace) run(ctx context.Context, run func(context.Context, lint.Options) (*lint.Result, error)) (*lint.Result, error) {
	o, stop := w.Options, func() {}
	if w.Env.Watch != nil {
		o.Progress = &lint.Progress{}
		stop = w.Env.Watch(o.Progress)
	}
	result, err := run(ctx, o)
	stop()
	if errors.Is(err, context.Canceled) {
		return nil, ErrStopped
	}
	return result, err
}

// LintTree lints the tree of the workspace with edits. They may be of the settings or of the
// baseline. All rules run, not only the selected ones: a fix for a finding of one must not
// cause one of another.
func (w *Workspace) LintTree(ctx context.Context, tree source.Tree) (*lint.Result, error) {
	now := *w
	now.Options.Source = tree
	if selected := w.Options.Checks; selected != nil {
		now.Options.Checks = checks.Join(selected, w.Options.Settings.Checks())
	}
	if tree != w.Options.Source {
		if err := now.configure(ctx); err != nil {
			// Without them nothing can be checked.
			return &lint.Result{Repo: &mcp.Repo{}, Errors: []lint.FileError{{Message: err.Error()}}}, ctx.Err()
		}
	}
	return now.Lint(ctx)
}

// Refuses returns a function that says why a file must not be changed, "" for one that may be:
// the settings exclude some. A file that the command line names may be changed anyway.
func (w *Workspace) Refuses() func(path string) string {
	filter := policy.NewFilter(w.Options.Settings, append([]string{""}, w.Options.Targets...))
	return func(path string) string {
		if !filter.Wants(path) {
			return "the file is excluded"
		}
		return ""
	}
}

// Viewed returns what a run found for outputs to see, with paths as they look from the
// current directory.
func (w *Workspace) Viewed(result *lint.Result) view.Run {
	run := view.Run{
		Tool:  view.Tool{Name: "mcplumb", Version: w.Env.Version},
		Files: result.Files, Servers: result.Servers, Suppressed: result.Suppressed, Old: result.Old,
		Findings: result.Findings, Notices: slices.Concat(w.Notices, result.Notices, w.elsewhere(result)), Repo: result.Repo, Whole: result.Whole, Groups: result.Groups, Paths: w.Paths(),
		Change: result.Change, Before: result.Before,
	}
	for _, e := range result.Errors {
		run.Failures = append(run.Failures, view.Failure(e))
	}
	return run
}

// elsewhere says how many files with servers a run has not reported on, because they are
// outside of the current directory, if the user may not know that.
func (w *Workspace) elsewhere(result *lint.Result) []string {
	if !w.request.CountsElsewhere || len(w.request.Paths) > 0 || w.Options.Current == "" || result.Whole == nil {
		return nil
	}
	count := 0
	for _, p := range result.Whole.Projects {
		for _, d := range p.Documents {
			if d.Lock == nil && d.Role == mcp.InUse && len(d.Servers) > 0 && !result.Covers(d.File.Path) {
				count++
			}
		}
	}
	command := "mcplumb check " + w.Paths().Seen(w.Root)
	switch count {
	case 0:
		return nil
	case 1:
		return []string{"1 more file with MCP servers is outside of this directory: " + command}
	}
	return []string{fmt.Sprintf("%d more files with MCP servers are outside of this directory: %s", count, command)}
}
