// Package lint runs the rules over a repository: it finds the files, reads
// them, links what belongs together, runs every rule on every project and sorts
// what they report.
//
// It knows no command line, no environment and no clock; what it needs of them
// is handed in.
package lint

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Options say what to check.
type Options struct {
	// Dir is the current directory, absolute: relative paths start there.
	Dir string
	// Paths are files and directories; none means Dir.
	Paths []string
	// Config is the settings file to use instead of the one in the root.
	Config string
	// Checks are the rules to run, whatever the settings say of them; nil means
	// all that the settings do not turn off.
	Checks []*checks.Check
	// NoIgnore reports what is ignored as well, and no ignores.
	NoIgnore bool
	// Baseline is the file whose findings are not reported; "" means none.
	Baseline string
	// Today is the date, as 2006-01-02, that tells which ignores have expired;
	// without it none has.
	Today string
	// Git is how git is started.
	Git Git
}

// Result is what a run found.
type Result struct {
	// Root is the root of the repository, absolute.
	Root string
	Repo *mcp.Repo
	// Findings are sorted by path, place, rule and message.
	Findings []checks.Finding
	// Errors say what was not checked, sorted by path. They do not stop a run.
	Errors []FileError
	// Files and Servers count what was read.
	Files, Servers int
	// Suppressed counts the findings that ignores and the baseline hide.
	Suppressed int

	// single are the findings before those that are one problem were joined.
	single   []checks.Finding
	settings *Settings
	baseline *baseline // nil if there is none
	// whole reports that everything was asked for, and nothing failed.
	whole bool
}

// Run checks a repository. Its error is a *UsageError, a *multierror.Error of
// them, or that of the context.
func Run(ctx context.Context, o Options) (*Result, error) {
	repo, err := read(ctx, o)
	if err != nil {
		return nil, err
	}
	selected := o.Checks
	if selected == nil {
		selected = repo.settings.checks()
	}
	found, failed, err := runChecks(ctx, repo.Repo, selected)
	if err != nil {
		return nil, err
	}
	repo.Errors = sortErrors(append(repo.Errors, failed...))
	repo.single = repo.suppress(sortFindings(append(repo.Findings, found...)), selected, o)
	repo.Findings = checks.Merge(repo.single)
	return repo, nil
}

// List reads a repository as Run does; with no Checks it runs none.
func List(ctx context.Context, o Options) (*Result, error) {
	if o.Checks == nil {
		o.Checks, o.NoIgnore = []*checks.Check{}, true
	}
	return Run(ctx, o)
}

// read does everything that comes before the rules.
func read(ctx context.Context, o Options) (*Result, error) {
	dir, err := filepath.EvalSymlinks(o.Dir)
	if err != nil {
		return nil, &UsageError{Message: "the current directory: " + plainError(err)}
	}
	root, inGit, targets, err := resolveTargets(dir, o.Paths)
	if err != nil {
		return nil, err
	}
	settings, err := loadSettings(dir, root, o.Config)
	if err != nil {
		return nil, err
	}
	known, err := openBaseline(dir, root, o.Baseline)
	if err != nil {
		return nil, err
	}
	r := newReader(NewTree(root, inGit, o.Git), newFilter(settings, targets), targets)
	if current, ok := below(root, dir); ok {
		r.current = current
	}
	entries, err := r.discover(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.readAll(ctx, entries); err != nil {
		return nil, err
	}
	repo := r.repo()
	r.locate(ctx, repo)
	// A file that does not parse was checked, too.
	result := &Result{
		Root: root, Repo: repo, Findings: r.findings, Errors: r.errors, Files: r.files(),
		settings: settings, baseline: known,
		whole: len(r.findings) == 0 && slices.ContainsFunc(targets, func(t target) bool { return t.path == "" && t.isDir }),
	}
	for _, p := range result.Repo.Projects {
		for _, d := range p.Documents {
			result.Servers += len(d.Servers)
		}
	}
	return result, nil
}
