// Package vetting makes the catalog of the servers that a repository has vetted.
package vetting

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Options say from which repository to make a catalog, and how.
type Options struct {
	// Paths, Config and Online are those of workspace.Request.
	Paths  []string
	Config string
	Online bool
	// FailOn returns the lowest severity of a finding that keeps a server out, where the
	// settings prefer one or "".
	FailOn func(preferred string) string
	// Log gets what could not be checked.
	Log io.Writer
}

// Vetted is what a run has found worth offering.
type Vetted struct {
	Catalog *catalog.Catalog
	Left    []catalog.LeftOut

	env     *workspace.Env
	options Options
	watched []string // the files that it is made of, absolute
	stamp   string   // of these
}

// UnreadError is the error of a run that could not read all: whether what it did read is
// well is not known then.
type UnreadError struct{ why string }

func (e *UnreadError) Error() string { return "there is no catalog: " + e.why }

// Vet checks a repository and makes the catalog of what it has vetted.
func Vet(ctx context.Context, env *workspace.Env, o Options) (*Vetted, error) {
	w, err := workspace.Open(ctx, env, workspace.Request{Paths: o.Paths, Config: o.Config, Known: true, Online: o.Online})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	w.Options.Targets = nil
	result, err := w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	for _, problem := range view.New(w.Viewed(result)).Problems() {
		fmt.Fprintf(o.Log, "mcplumb: %s\n", problem)
	}
	known, _, err := w.ReadLock(ctx)
	switch {
	case len(result.Errors) > 0 || result.HasUnread():
		return nil, &UnreadError{"something cannot be read, see mcplumb check"}
	case err != nil:
		return nil, &UnreadError{err.Error()}
	case known == nil:
		return nil, &UnreadError{"there is no " + lock.Name + ", and the catalog lists only locked servers: write it with mcplumb lock --online"}
	}
	servers, left := catalog.Collect(vettedOf(ctx, w, result, known, o.FailOn(w.Options.Settings.Preferences.FailOn)))
	code, missing := codeOf(ctx, w)
	v := &Vetted{env: env, options: o, watched: watchedBy(w, result)}
	v.stamp = stampOf(v.watched)
	var unnamed []catalog.LeftOut
	v.Catalog, unnamed = catalog.New(filepath.Base(w.Root), changed(ctx, w, v.watched), append(servers, code...), naming(ctx, w, result))
	v.Left = slices.Concat(left, missing, unnamed)
	return v, nil
}

// vettedOf returns what a run knows of servers.
func vettedOf(ctx context.Context, w *workspace.Workspace, result *lint.Result, known *lock.Lock, failOn string) catalog.Vetted {
	v := catalog.Vetted{Repo: result.Repo, Known: known}
	if lowest, err := rule.ParseSeverity(failOn); err == nil { // not never
		v.Findings = slices.DeleteFunc(slices.Clone(result.Unmerged), func(f rule.Finding) bool {
			// What a list of before blocks is nothing against the server: the next list is made from the catalog.
			return f.Severity < lowest || f.Rule.ID == "blocked-server"
		})
	}
	_, v.Gaps, v.Of = lock.Trace(result.Repo, known, w.Contents(ctx))
	return v
}

// codeOf returns the code that the settings name.
func codeOf(ctx context.Context, w *workspace.Workspace) (code []*catalog.Server, left []catalog.LeftOut) {
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
func naming(ctx context.Context, w *workspace.Workspace, result *lint.Result) catalog.Naming {
	said := w.Options.Settings.Catalog
	n := catalog.Naming{Organization: said.Organization, Project: said.Project, Namespace: said.Namespace, Published: catalog.Published(result.Repo)}
	if n.Namespace == "" {
		n.Namespace = catalog.NamespaceOf(w.Env.Git().Origin(ctx, w.Root), filepath.Base(w.Root))
	}
	return n
}

// watchedBy returns the files that a catalog is made of, absolute: what was read, and what
// git writes when it changes files.
func watchedBy(w *workspace.Workspace, result *lint.Result) []string {
	paths := []string{lock.Name, policy.SettingsName, policy.BaselineName}
	for _, p := range result.Repo.Projects {
		for _, d := range p.Documents {
			paths = append(paths, d.File.Path)
		}
	}
	paths = append(paths, w.Options.Settings.ExtendedPaths()...)
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
func changed(ctx context.Context, w *workspace.Workspace, watched []string) time.Time {
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
