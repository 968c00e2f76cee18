// Package check checks a repository, as the command and the action do.
package check

import (
	"context"

	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Options say what is checked, and how. Online asks registries, too.
type Options struct {
	workspace.Request
	// Rules are those that run, nil for all that the settings do not turn off.
	Rules []*rule.Rule
	// NoIgnore reports what is ignored or in the baseline, too.
	NoIgnore bool
	// Compares looks for what outputs show of files side by side.
	Compares bool
	Fix      Fix
}

// Fix says whether fixes are made, and which.
type Fix struct {
	IsAsked bool
	// IsDryRun writes nothing.
	IsDryRun bool
	Allow    rule.Safety
}

// Result is what a check has found. Its workspace is open until it is closed.
type Result struct {
	*workspace.Workspace
	Found *lint.Result
	Fixed *fixing.Result // nil where no fixes were asked for
	View  *view.View     // of what was found
}

// Run checks a repository.
func Run(ctx context.Context, env *workspace.Env, o Options) (*Result, error) {
	w, err := workspace.Open(ctx, env, o.Request)
	if err != nil {
		return nil, err
	}
	r := &Result{Workspace: w}
	if err := r.run(ctx, &o); err != nil {
		w.Close()
		return nil, err
	}
	return r, nil
}

func (r *Result) run(ctx context.Context, o *Options) (err error) {
	w := r.Workspace
	w.Options.Checks, w.Options.NoIgnore, w.Options.Compares = o.Rules, o.NoIgnore, o.Compares
	if err := w.ReadApproved(ctx, o.Online); err != nil {
		return err
	}
	if o.Online {
		if err := w.AskRegistries(ctx, workspace.Asking{Cache: o.Cache, Approved: true}); err != nil {
			return err
		}
	}
	if r.Found, r.Fixed, err = LintOrFix(ctx, w, o.Fix); err != nil {
		return err
	}
	r.View = view.New(w.Viewed(r.Found))
	return nil
}

// LintOrFix returns the findings in a workspace, and the result of making fixes, nil if none
// were requested.
func LintOrFix(ctx context.Context, w *workspace.Workspace, f Fix) (*lint.Result, *fixing.Result, error) {
	if !f.IsAsked {
		found, err := w.Lint(ctx)
		return found, nil, err
	}
	apply := fixing.Apply
	if f.IsDryRun {
		apply = fixing.Try
	}
	fixed, err := apply(ctx, w, f.Allow)
	if err != nil {
		return nil, nil, err
	}
	return fixed.Found, fixed, nil
}
