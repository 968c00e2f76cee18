package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/action"
	"github.com/mcplumb/mcplumb/internal/app/check"
	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/app/fixpr"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

func (a *app) actionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "action",
		Short: "Run as a step of a GitHub workflow",
		Long: `Run like action.yml: the inputs are in the environment (INPUT_FAIL_ON for
fail-on), findings become annotations and a job summary, and numbers go to
GITHUB_OUTPUT. The exit codes are those of check.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a.token = a.env.Getenv("INPUT_TOKEN")
			a.code, err = action.Run(cmd.Context(), action.Env{
				Getenv: a.env.Getenv, Dir: a.env.Dir, Log: standardOutput{a.env.Stdout},
				Disk: runnerDisk{a}, Git: a.outside().Git(),
				Check: a.actionCheck, FixPullRequest: a.actionFixPullRequest, Suggest: a.actionSuggest, CheckLock: a.actionCheckLock,
				ExitCode: errorCode, Wait: a.outside().Pause,
			})
			return err
		},
	}
}

// actionCheck checks a repository for the action.
func (a *app) actionCheck(ctx context.Context, r action.Request) (*action.Result, error) {
	a.env.Dir = r.Dir
	checked, err := a.runCheck(ctx, check.Options{
		Request:  workspace.Request{Paths: r.Paths, Config: r.Config, Baseline: r.Baseline, Base: r.Base.Rev, IsBaseGuessed: r.Base.IsOfEvent, Online: r.Online},
		Compares: r.Compares,
	})
	if err != nil {
		return nil, err
	}
	defer checked.Close()
	w, result := checked.Workspace, checked.Found
	run := w.Viewed(result)
	run.Paths = view.Paths{} // in the log they are those of the repository
	if within, below := source.Below(runnerDisk{a}.Resolve(r.Workspace), w.Root); below && !w.Git {
		run.Paths = view.Within(within)
	}
	v := view.New(run)
	whole := v
	if result.Old > 0 {
		run.Findings, run.Old = rule.Merge(result.Unmerged), 0
		whole = view.New(run)
	}
	a.printProblems(v)
	a.printNested(result)
	return &action.Result{
		Root: w.Root, Git: w.Git, View: v, Whole: whole, ExitCode: exitCode(result, r.FailOn),
		Compared: w.Compared.String(), BaseCommit: w.Compared.Commit(), Reads: lint.Reads(),
	}, nil
}

// actionFixPullRequest keeps the pull request with fixes for the action.
func (a *app) actionFixPullRequest(ctx context.Context, r action.FixRequest) ([]pullrequest.Result, error) {
	a.env.Dir = r.Dir
	done, _, err := fixpr.Keep(ctx, a.outside(), fixpr.Options{
		Access: r.Access, Paths: r.Paths, Config: r.Config, Baseline: r.Baseline, IsOnline: r.Online,
		Allow: safetyNamed(r.Safety), PerProject: r.Group == groupProject, Branch: fixpr.DefaultBranch, Base: r.Branch,
		SignOff: r.SignOff, Workflows: r.Workflows, Labels: r.Labels, Out: a.env.Stdout, Log: a.env.Stderr,
	})
	return done, err
}

// actionSuggest works out suggestions for the action: of what the pull request brings, as
// its findings are.
func (a *app) actionSuggest(ctx context.Context, r action.FixRequest, changed []github.ChangedFile) (*pullrequest.Suggestions, error) {
	a.env.Dir = r.Dir
	w, err := a.open(ctx, workspace.Request{Paths: r.Paths, Config: r.Config, Baseline: r.Baseline, Known: true, Base: r.Base.Rev, IsBaseGuessed: r.Base.IsOfEvent, Online: r.Online})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if r.Online {
		a.collectAnswers()
		if err := w.AskRegistries(ctx, workspace.Asking{Approved: true}); err != nil {
			return nil, err
		}
	}
	return fixing.Suggest(ctx, w, safetyNamed(r.Safety), changed)
}

// actionCheckLock prints for the action what is out of sync with mcplumb.lock, and returns the
// exit code.
func (a *app) actionCheckLock(ctx context.Context, r action.Request) (code int, err error) {
	a.env.Dir, a.code = r.Dir, exitOK
	err = a.lock(ctx, &lockFlags{check: true, online: r.Online, config: r.Config}, nil)
	return a.code, err
}

// standardOutput is a writer whose errors say what could not be written.
type standardOutput struct{ io.Writer }

func (s standardOutput) Write(text []byte) (int, error) {
	n, err := s.Writer.Write(text)
	return n, source.WriteFailed("standard output", err)
}

// runnerDisk is the disk that the action works on.
type runnerDisk struct{ app *app }

func (runnerDisk) IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (runnerDisk) Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (runnerDisk) MakeDir(path string) error {
	return source.WriteFailed(path, os.MkdirAll(path, 0o755))
}

func (d runnerDisk) Resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if _, err := os.Lstat(path); err == nil {
		return "" // a link that leads nowhere: writing to it makes its target
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(d.Resolve(dir), filepath.Base(path))
}

func (runnerDisk) Read(path string) ([]byte, error) { return source.ReadFile(path) }

func (d runnerDisk) Write(path string, content []byte) error {
	return d.app.write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

func (runnerDisk) Append(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
