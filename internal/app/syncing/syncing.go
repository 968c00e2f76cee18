// Package syncing syncs the files that must have the same servers: it compares them, plans the
// changes, and writes them.
package syncing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Options say which files to sync, and what to write.
type Options struct {
	// Config names the settings, "" for those in the root.
	Config string
	// Online fetches what the settings extend.
	Online bool
	// From is the file whose servers other files must have, "" for the groups of the settings.
	// To are the clients of the other files, or All, and Servers patterns of names, none for
	// all.
	From        string
	To, Servers []string
	// Does says how far it goes.
	Does Extent
}

// Extent is how far a run goes.
type Extent uint8

// The extents.
const (
	Compare Extent = iota // nothing is planned
	Plan                  // nothing is written
	Write
)

// Request returns what to open for a run.
func (o *Options) Request() workspace.Request {
	r := workspace.Request{Config: o.Config, Online: o.Online, Known: o.From == "", Adjust: asked}
	if o.From != "" {
		r.Paths = []string{o.From}
	}
	return r
}

// asked gives the rule its own severity, regardless of the settings: the user asked whether
// files are in sync.
func asked(s *policy.Settings) { delete(s.Rules, checks.OutOfStep.ID) }

// Result is the state of the files that must be in sync.
type Result struct {
	*workspace.Workspace
	// Found is what is out of sync: after writing, or before if nothing was written.
	Found *lint.Result
	// Fixed is what was planned or written, nil if nothing was.
	Fixed *fixing.Result
	// Alone is the path of the source if no other client has a file, "" otherwise.
	Alone string
	// NotWritten says of clients why no file of theirs is written, a sentence each.
	NotWritten []string
	// IsCompared reports that there were files to compare. Else Alone is set, or Found says
	// what is wrong with the source.
	IsCompared bool
}

// Run syncs files of a workspace, which was opened as the options say.
func Run(ctx context.Context, w *workspace.Workspace, o *Options) (*Result, error) {
	r := &Result{Workspace: w}
	if w.Options.Targets = nil; o.From != "" {
		group, err := r.groupFrom(ctx, o)
		if err != nil || group == nil {
			return r, err
		}
		w.Adjust(func(s *policy.Settings) { asked(s); s.InStep = []mcp.GroupSettings{*group} })
	}
	if len(w.Options.Settings.InStep) == 0 {
		return nil, refuseNoGroup(ctx, w)
	}
	r.IsCompared = true
	w.Options.Checks = []*rule.Rule{checks.OutOfStep}
	if err := r.run(ctx, o.Does); err != nil {
		return nil, err
	}
	ofGroups(r.Found, w.Options.Settings.InStep)
	return r, nil
}

// run compares, plans and writes.
func (r *Result) run(ctx context.Context, does Extent) (err error) {
	switch does {
	case Compare:
		r.Found, err = r.Lint(ctx)
		return err
	case Plan:
		r.Fixed, err = fixing.Try(ctx, r.Workspace, rule.Safe)
	case Write:
		r.Fixed, err = fixing.Apply(ctx, r.Workspace, rule.Safe)
	}
	if err == nil {
		r.Found = r.Fixed.Found
	}
	return err
}

// ofGroups leaves in a result only what is out of sync. A file of a group that does not parse
// was not compared.
func ofGroups(r *lint.Result, groups []mcp.GroupSettings) {
	found := r.Findings
	r.Findings = nil
	for _, f := range found {
		switch {
		case f.Rule == checks.OutOfStep:
			r.Findings = append(r.Findings, f)
		case f.Rule == checks.SyntaxError && f.Severity > rule.Note && slices.ContainsFunc(groups, func(g mcp.GroupSettings) bool { return instep.Names(&g, f.File.Path) }):
			r.Errors = append(r.Errors, lint.FileError{Path: f.File.Path, Message: "does not parse: " + f.Message})
		}
	}
}

// Ignored returns the files of groups that git ignores. They are in sync only on this machine,
// because a clone does not have them. The error says that git did not answer for all files.
func (r *Result) Ignored(ctx context.Context) ([]string, error) {
	var files []string
	for _, g := range r.Found.Repo.Groups {
		for _, file := range g.Files {
			files = append(files, file.Path)
		}
	}
	git := r.Env.Git()
	if !r.Git || git.Program == "" || len(files) == 0 {
		return nil, nil
	}
	return git.Ignored(ctx, r.Root, files)
}

// refuseNoGroup says how to name files that must be in sync, with the files found here.
func refuseNoGroup(ctx context.Context, w *workspace.Workspace) error {
	w.Options.Checks = nil
	result, err := w.List(ctx)
	if err != nil {
		return err
	}
	group, once := exampleGroup(result.Repo)
	return fmt.Errorf("no in-step files in the settings: add in-step: [%s] to %s, or copy once with %s",
		groupInYAML(&group), policy.SettingsName, once)
}

// exampleGroup returns a group of the files that are here, and how to write them once.
func exampleGroup(repo *mcp.Repo) (group mcp.GroupSettings, once string) {
	if proposed := instep.Propose(repo); len(proposed) > 0 {
		return proposed[0], "mcplumb sync --from " + proposed[0].Source + " --to all"
	}
	source, other, client := ".mcp.json", ".vscode/mcp.json", "vscode"
	if file := instep.Richest(repo); file != "" {
		source = file
	}
	if source == other {
		other, client = ".mcp.json", "claude-code"
	}
	return mcp.GroupSettings{Files: []string{source, other}, Source: source}, fmt.Sprintf("mcplumb sync --from %s --to %s", source, client)
}

// groupInYAML writes a group in one line.
func groupInYAML(g *mcp.GroupSettings) string {
	files := make([]string, len(g.Files))
	for i, name := range g.Files {
		files[i] = policy.InYAML(name)
	}
	text := fmt.Sprintf("{files: [%s], source: %s", strings.Join(files, ", "), policy.InYAML(g.Source))
	if g.PerProject {
		text += ", per-project: true"
	}
	return text + "}"
}
