package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// catalogFlags are the flags of catalog build and catalog serve.
type catalogFlags struct {
	config string
	failOn *choice
	paths  []string
}

func (a *app) catalogCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "catalog",
		Short: "Offer vetted servers as a read-only registry",
		Long: `Offer the servers that the repository has vetted as a read-only registry: as
static files, or over HTTP. Clients read it as the MCP registry (API v0.1) or as
a registry of Casys PML, people as a page.

A server is vetted if it is switched on, mcplumb.lock holds it as it is, with a
hash, and mcplumb check finds nothing of it at the level at which it fails.
What is left out is said with the reason.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.catalogBuildCommand(), a.catalogServeCommand(), a.catalogPolicyCommand())
	return cmd
}

// add adds the flags that both commands have.
func (f *catalogFlags) add(cmd *cobra.Command) {
	f.failOn = addChoice(cmd, "fail-on", "lowest severity of a finding that keeps a server out", "warning", "note", "warning", "error", never)
	addConfig(cmd, &f.config)
}

// vetted is what a run has found worth offering.
type vetted struct {
	catalog *catalog.Catalog
	left    []catalog.LeftOut
	// watched are the files that it is made of, absolute.
	watched []string
	// root is that of the repository.
	root string
}

// errUnvetted is the error of a run that could not read all: whether what it did read is
// well is not known then.
type errUnvetted struct{ why string }

func (e *errUnvetted) Error() string { return "there is no catalogue: " + e.why }

// vet checks a repository and makes the catalogue of what it has vetted.
func (a *app) vet(ctx context.Context, f *catalogFlags) (*vetted, error) {
	w, err := a.open(ctx, workspace.Request{Paths: f.paths, Config: f.config, Known: true})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	w.Options.Targets = nil
	result, err := w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	a.printProblems(view.New(w.Viewed(result)))
	known, _, err := readLock(ctx, w)
	switch {
	case len(result.Errors) > 0 || hasUnread(result):
		return nil, &errUnvetted{"not everything can be read, see mcplumb check"}
	case err != nil:
		return nil, &errUnvetted{err.Error()}
	case known == nil:
		return nil, &errUnvetted{"there is no " + lock.Name + ", and only what is locked is offered: mcplumb lock --online writes one"}
	}
	servers, left := catalog.Collect(vettedOf(ctx, w, result, known, f.failOn.or(w.Options.Settings.Preferences.FailOn)))
	code, missing := a.codeOf(ctx, w)
	v := &vetted{root: w.Root, watched: watchedBy(w, result)}
	var unnamed []catalog.LeftOut
	v.catalog, unnamed = catalog.New(filepath.Base(w.Root), a.changed(ctx, w, v.watched), append(servers, code...), a.naming(ctx, w, result))
	v.left = slices.Concat(left, missing, unnamed)
	return v, nil
}

// hasUnread reports whether the servers of a file are not known, because it does not parse.
func hasUnread(r *lint.Result) bool {
	return slices.ContainsFunc(r.Findings, func(f checks.Finding) bool { return f.Rule == checks.SyntaxError && f.Severity > checks.Note })
}

// vettedOf returns what a run knows of servers.
func vettedOf(ctx context.Context, w *workspace.Workspace, result *lint.Result, known *lock.Lock, failOn string) catalog.Vetted {
	v := catalog.Vetted{Repo: result.Repo, Known: known}
	if lowest, err := checks.ParseSeverity(failOn); err == nil { // not never
		v.Findings = slices.DeleteFunc(slices.Clone(result.Unmerged), func(f checks.Finding) bool {
			// What a list of before blocks is nothing against the server: the next list is made from the catalogue.
			return f.Severity < lowest || f.Rule.ID == "blocked-server"
		})
	}
	_, v.Gaps, v.Of = lock.Trace(result.Repo, known, func(path string) ([]byte, error) {
		file, err := w.Options.Source.Read(ctx, path)
		return file.Content, err
	})
	return v
}

// codeOf returns the code that the settings name.
func (a *app) codeOf(ctx context.Context, w *workspace.Workspace) (code []*catalog.Server, left []catalog.LeftOut) {
	files := w.Options.Settings.Catalog.Code
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := w.Options.Source.Read(ctx, files[name])
		if err != nil {
			left = append(left, catalog.LeftOut{Server: name, Path: files[name], Why: source.Explain(err)})
			continue
		}
		code = append(code, &catalog.Server{Name: name, Names: []string{name}, Files: []string{files[name]}, Type: catalog.Deno, Code: file.Content})
	}
	return code, left
}

// naming returns how servers are called in lists: as the settings say, else after the
// repository's origin, or its directory.
func (a *app) naming(ctx context.Context, w *workspace.Workspace, result *lint.Result) catalog.Naming {
	said := w.Options.Settings.Catalog
	n := catalog.Naming{Organization: said.Organization, Project: said.Project, Namespace: said.Namespace, Published: catalog.Published(result.Repo)}
	if n.Namespace == "" {
		n.Namespace = catalog.NamespaceOf(w.Env.Git().Origin(ctx, w.Root), filepath.Base(w.Root))
	}
	return n
}

// watched returns the files that a catalogue is made of, absolute: what was read, and what
// git writes when it changes files.
func watchedBy(w *workspace.Workspace, result *lint.Result) []string {
	paths := []string{lock.Name, policy.SettingsName, policy.BaselineName}
	for _, p := range result.Repo.Projects {
		for _, d := range p.Documents {
			paths = append(paths, d.File.Path)
		}
	}
	for _, file := range w.Options.Settings.Catalog.Code {
		paths = append(paths, file)
	}
	for i, path := range paths {
		paths[i] = filepath.Join(w.Root, filepath.FromSlash(path))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// maxAsked is of how many files git is asked by their names.
const maxAsked = 500

// changed returns when one of some files was changed last: committed, or written where one
// is not as it was committed.
func (a *app) changed(ctx context.Context, w *workspace.Workspace, watched []string) time.Time {
	written := time.Time{}
	var paths []string
	for _, path := range watched {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if info.ModTime().After(written) {
			written = info.ModTime()
		}
		if inside, ok := source.Below(w.Root, path); ok {
			paths = append(paths, inside)
		}
	}
	if !w.Git || len(paths) > maxAsked {
		return written
	}
	if at := w.Env.Git().Committed(ctx, w.Root, paths); !at.IsZero() {
		return at
	}
	return written
}

// printLeft says what is not offered, and why.
func (a *app) printLeft(left []catalog.LeftOut) {
	for _, l := range left {
		from := "left out"
		if l.From != "" {
			from = "not in " + l.From
		}
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(fmt.Sprintf("%s: %s: %s: %s", l.Path, l.Server, from, l.Why)))
	}
}

// refused turns the error of a run that could not read all into its exit code.
func (a *app) refused(err error) error {
	var unvetted *errUnvetted
	if !errors.As(err, &unvetted) {
		return err
	}
	a.printError(err)
	a.code = exitIncomplete
	return nil
}
