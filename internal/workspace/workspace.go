// Package workspace opens a repository, or a revision of one: its files, its settings,
// baseline and managed lists, the base that it is compared with, the registries that are asked
// about it. The caller passes the outside as an Env, and gets messages back as values: a
// command, an editor server or a test may use it.
package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// Workspace is what a command works on: the repository around the paths it was
// given, and what the repository says of itself.
type Workspace struct {
	source.Workspace
	// Env is what it was opened with.
	Env *Env
	// Options are what the linter is run with; a caller may change them.
	Options lint.Options
	// SettingsFile and BaselineFile are what was read, as seen from the current
	// directory, "" for none.
	SettingsFile, BaselineFile string
	// Rev is the revision that is checked instead of the files on disk, "" for none.
	Rev string
	// Notices are messages for a person, a sentence each.
	Notices []string
	// Unusable says what was kept of answers and is not used, a sentence each.
	Unusable []string
	// Compared is what findings are compared with, NoBase why they are not, although the user
	// requested that.
	Compared Compared
	NoBase   error

	request   Request           // which is what LintTree configures by
	revisions []*source.Objects // the trees that were opened
	fetched   *fetched
}

// Request says what to open.
type Request struct {
	// Paths are seen from the current directory, which is the default.
	Paths []string
	// Config and Baseline name files, "" for the settings in the root, and for no baseline.
	Config, Baseline string
	// Known uses the baseline of the repository where none is named.
	Known bool
	// Exclude are patterns in addition to those of the settings.
	Exclude []string
	// Base and Rev are revisions, "" for none: what is compared with, and what is checked
	// instead of the files on disk.
	Base, Rev string
	// IsBaseGuessed reports that the base was not named by a person, so that a missing base is
	// not an error.
	IsBaseGuessed bool
	// Policies are files with managed lists in addition to those of the settings, as --policy
	// names them.
	Policies []string
	// Unsaved is read instead of files of the tree; nil for none.
	Unsaved *Unsaved
	// CountsElsewhere has a run without Paths say how many files there are outside of the current
	// directory.
	CountsElsewhere bool
	// Online fetches files of other repositories that the settings extend. Cache is the directory
	// that keeps them, and what registries answer; "" for none.
	Online bool
	Cache  string
	// Adjust changes the settings that are read, whenever they are; nil leaves them.
	Adjust func(*policy.Settings)
}

// Open finds a repository and reads its settings and the baseline out of its tree. Close
// ends the use of it.
func Open(ctx context.Context, env *Env, r Request) (*Workspace, error) {
	place, err := Find(env, r)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Workspace: place, Env: env, request: r, fetched: &fetched{files: map[policy.Extension][]byte{}}, Options: lint.Options{
		Source: place.Tree(env.Git()), Targets: place.Targets, Today: env.Today(), Listed: place.Git,
	}}
	if err := w.prepare(ctx); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Place returns the workspace of a request whose settings are not read yet: At reads them out of
// a tree. An editor may have another text of them than the disk.
func Place(env *Env, r Request) (*Workspace, error) {
	place, err := Find(env, r)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Workspace: place, Env: env, request: r, fetched: &fetched{files: map[policy.Extension][]byte{}}, Options: lint.Options{
		Source: place.Tree(env.Git()), Settings: &policy.Settings{}, Targets: place.Targets, Listed: place.Git,
	}}
	w.Options.Current, _ = source.Below(w.Root, w.Dir)
	return w, nil
}

// At returns the workspace with another tree instead of its files, which also provides
// settings, baseline and managed lists. If these cannot be read, the error says so, and the
// workspace has none of them.
func (w *Workspace) At(ctx context.Context, tree source.Tree) (*Workspace, error) {
	now := *w
	now.Options.Source, now.Options.Today, now.Notices = tree, w.Env.Today(), nil
	return &now, now.configure(ctx)
}

// OpenTree returns the workspace of all files of a tree: of a revision that a caller has opened,
// and closes, in the repository at a root, or of one in memory. Where the settings, the baseline
// or the managed lists cannot be read, the error says so, and the workspace does without.
func OpenTree(ctx context.Context, env *Env, root, rev string, tree source.Tree, r Request) (*Workspace, error) {
	w := &Workspace{Workspace: source.Workspace{Root: root, Git: true, Dir: root, Targets: []string{""}}, Env: env, Rev: rev, request: r, fetched: &fetched{files: map[policy.Extension][]byte{}}}
	w.Options = lint.Options{Source: tree, Targets: []string{""}, Listed: true, Today: env.Today()}
	return w, w.configure(ctx)
}

// prepare finds out what is linted, by which settings, and compared with what.
func (w *Workspace) prepare(ctx context.Context) (err error) {
	r := &w.request
	if r.Unsaved != nil {
		real := w.Targets[0]
		if file, err := w.Options.Source.Read(ctx, real); err == nil {
			real = file.Real // a link leads to it
		}
		w.Options.Source = source.Overlay(w.Options.Source, map[string][]byte{real: r.Unsaved.Content})
	}
	if current, ok := source.Below(w.Root, w.Dir); ok {
		w.Options.Current = current
	}
	if r.Rev != "" {
		if err := w.checkOut(ctx, r.Rev); err != nil {
			return err
		}
	} else if w.isBare(ctx) {
		w.Notices = append(w.Notices, "this is a bare repository, which has only revisions: check one with --rev HEAD")
	}
	if err = w.configure(ctx); err == nil {
		err = w.compare(ctx)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ErrStopped // which has nothing to say of files
	}
	return err
}

// Adjust changes the settings, now and whenever they are read again.
func (w *Workspace) Adjust(change func(*policy.Settings)) {
	w.request.Adjust = change
	change(w.Options.Settings)
}

// configure reads the settings and the baseline out of the tree.
func (w *Workspace) configure(ctx context.Context) (err error) {
	r := &w.request
	w.Options.Settings, err = w.settings(ctx, r.Config)
	if w.Options.Settings == nil {
		w.Options.Settings = &policy.Settings{}
	}
	w.Options.Narrowed = len(r.Exclude) > 0
	w.Options.Settings.Exclude = append(w.Options.Settings.Exclude, r.Exclude...)
	if r.Adjust != nil {
		r.Adjust(w.Options.Settings)
	}
	if err == nil {
		w.Options.Baseline, err = w.baseline(ctx)
	}
	if err == nil {
		err = w.readPolicies(ctx, r.Policies)
	}
	return err
}

// settings reads the settings file named with --config, or the one in the root,
// which need not be there. Messages name the file as seen from the current
// directory.
func (w *Workspace) settings(ctx context.Context, config string) (*policy.Settings, error) {
	path, shown := w.SettingsPath(config)
	content, fromRoot, err := w.Read(ctx, path)
	if config == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, w.misnamed(ctx)
	}
	if err != nil {
		return nil, &policy.Error{Path: shown, Message: source.Explain(err)}
	}
	w.SettingsFile = shown
	return w.ParseSettings(ctx, shown, fromRoot, content)
}

// SettingsPath returns where settings are that a flag names, or those in the root.
func (w *Workspace) SettingsPath(config string) (path, shown string) {
	if config != "" {
		return w.Absolute(config), config
	}
	path = filepath.Join(w.Root, policy.SettingsName)
	return path, w.Paths().Seen(path)
}

// misnamed says that the settings are there under another name, which would
// otherwise go unnoticed.
func (w *Workspace) misnamed(ctx context.Context) error {
	for _, name := range policy.SettingsNames() {
		if _, err := w.Options.Source.Stat(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			return &policy.Error{Path: name, Message: "settings are read from " + policy.SettingsName + ": rename the file"}
		}
	}
	return nil
}

// Read reads a file that a command line names, absolute. A file of the repository is read like
// the rest of it. fromRoot is its path from the root, even if it is not below it; "" on
// another volume, where it has none.
func (w *Workspace) Read(ctx context.Context, path string) (content []byte, fromRoot string, err error) {
	fromRoot = w.FromRoot(path)
	if inside, ok := source.Below(w.Root, filepath.Clean(path)); ok {
		file, err := w.Options.Source.Read(ctx, inside)
		return file.Content, fromRoot, err
	}
	content, err = source.ReadFile(path)
	return content, fromRoot, err
}

// FromRoot returns an absolute path as seen from the root, "" where there is no way.
func (w *Workspace) FromRoot(path string) string {
	relative, err := filepath.Rel(w.Root, path)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(relative)
}

// Absolute returns a path as seen from the current directory.
func (w *Workspace) Absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.Dir, path)
}

// Paths returns how the paths of the repository look from the current directory.
func (w *Workspace) Paths() view.Paths { return view.NewPaths(w.Root, w.Dir) }

// Shown returns a path of the repository as seen from the current directory.
func (w *Workspace) Shown(fromRoot string) string {
	return w.Paths().Seen(filepath.Join(w.Root, filepath.FromSlash(fromRoot)))
}
