package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// workspace is what a command works on: the repository around the paths it was
// given, and what the repository says of itself.
type workspace struct {
	source.Workspace
	options lint.Options
	// settingsFile and baselineFile are what was read, as seen from the current
	// directory, "" for none.
	settingsFile, baselineFile string
	// rev is the revision that is checked in place of the files on disk, "" for none.
	rev string
	// revisions are the trees that were opened, notices what there is to say of them.
	revisions []*source.Objects
	notices   []string
	// unusable says what was kept of answers and is not used, a sentence each.
	unusable []string
	// compared is what findings are compared with, noBase why they are not, although that
	// was asked for.
	compared compared
	noBase   error
}

// request says what to open, as flags do.
type request struct {
	paths            []string
	config, baseline string // "" for the settings in the root, and for no baseline
	// known uses the baseline of the repository where none is named.
	known bool
	// exclude are patterns beside those of the settings.
	exclude []string
	// base and rev are revisions, "" for none: what is compared with, and what is
	// checked in place of the files on disk.
	base, rev string
	// isBaseGuessed reports that nobody named the base, so that it is no mistake of
	// theirs if there is none.
	isBaseGuessed bool
	// policies are files with managed lists beside those of the settings, as --policy names
	// them.
	policies []string
	// stdin is laid over the tree; nil for none.
	stdin *standardInput
	// adjust changes the settings that are read, whenever they are; nil leaves them.
	adjust func(*policy.Settings)
}

// open finds the repository and reads its settings and the baseline out of its
// tree.
func (a *app) open(ctx context.Context, r request) (*workspace, error) {
	a.relaxGC()
	place, err := a.find(r)
	if err != nil {
		return nil, err
	}
	a.root = place.Root
	w := &workspace{Workspace: place, options: lint.Options{
		Source: place.Tree(a.git()), Targets: place.Targets, Today: a.env.Now().UTC().Format(time.DateOnly),
		Listed: place.Git,
	}}
	if r.stdin != nil {
		real := place.Targets[0]
		if file, err := w.options.Source.Read(ctx, real); err == nil {
			real = file.Real // a link leads to it
		}
		w.options.Source = source.Overlay(w.options.Source, map[string][]byte{real: r.stdin.content})
	}
	if current, ok := source.Below(w.Root, w.Dir); ok {
		w.options.Current = current
	}
	if r.rev != "" {
		if err := w.checkOut(ctx, a.git(), r.rev); err != nil {
			return nil, err
		}
	} else if w.isBare(ctx) {
		w.notices = append(w.notices, "this is a bare repository, which has no files beside its revisions: --rev HEAD checks one")
	}
	if err = w.configure(ctx, r); err == nil {
		err = a.compare(ctx, w, r)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, errStopped // which has nothing to say of files
	}
	return w, err
}

// configure reads the settings and the baseline out of the tree.
func (w *workspace) configure(ctx context.Context, r request) (err error) {
	w.options.Settings, err = w.settings(ctx, r.config)
	if w.options.Settings == nil {
		w.options.Settings = &policy.Settings{}
	}
	w.options.Narrowed = len(r.exclude) > 0
	w.options.Settings.Exclude = append(w.options.Settings.Exclude, r.exclude...)
	if r.adjust != nil {
		r.adjust(w.options.Settings)
	}
	if err == nil {
		w.options.Baseline, err = w.baseline(ctx, r)
	}
	if err == nil {
		err = w.readPolicies(ctx, r.policies)
	}
	return err
}

// relaxGC makes a short run collect late what it no longer needs, which is
// little: nearly all that it reads it keeps. The limit comes before the heap
// outgrows a small runner.
func (a *app) relaxGC() { a.collect(1200, 440<<20) }

// collectEarly keeps a report of very many records within half as much memory again as
// these need, which is most of what it has: it takes no longer on two processors.
func (a *app) collectEarly() { a.collect(50, math.MaxInt64) }

// collect tunes the collector. Whoever sets it himself knows better.
func (a *app) collect(percent int, limit int64) {
	if a.env.TuneGC != nil && a.env.Getenv("GOGC") == "" && a.env.Getenv("GOMEMLIMIT") == "" {
		a.env.TuneGC(percent, limit)
	}
}

// git returns how git is started. One that was only found in the current
// directory is refused by LookPath: a repository could bring its own.
func (a *app) git() source.Git {
	git := source.Git{Environ: a.env.Environ}
	if program, err := a.env.LookPath("git"); err == nil {
		git.Program = program
	}
	return git
}

// settings reads the settings file named with --config, or the one in the root,
// which need not be there. Messages name the file as seen from the current
// directory.
func (w *workspace) settings(ctx context.Context, config string) (*policy.Settings, error) {
	path, shown := w.settingsPath(config)
	content, fromRoot, err := w.read(ctx, path)
	if config == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, w.misnamed(ctx)
	}
	if err != nil {
		return nil, &policy.Error{Path: shown, Message: plainError(err)}
	}
	w.settingsFile = shown
	return policy.ParseSettings(shown, fromRoot, content)
}

// settingsPath returns where settings are that a flag names, or those in the root.
func (w *workspace) settingsPath(config string) (path, shown string) {
	if config != "" {
		return w.absolute(config), config
	}
	path = filepath.Join(w.Root, policy.SettingsName)
	return path, w.paths().Seen(path)
}

// misnamed says that the settings are there under another name, which would
// otherwise go unnoticed.
func (w *workspace) misnamed(ctx context.Context) error {
	for _, name := range policy.SettingsNames() {
		if _, err := w.options.Source.Stat(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			return &policy.Error{Path: name, Message: "settings are read from " + policy.SettingsName + ": rename the file"}
		}
	}
	return nil
}

// baseline reads the file named with --baseline, else the one that the settings
// name, else the one at its usual place, if there is one.
func (w *workspace) baseline(ctx context.Context, r request) (*policy.Baseline, error) {
	name := r.baseline
	if name != "" || !r.known {
		return w.readBaseline(ctx, name, name)
	}
	path := filepath.Join(w.Root, filepath.FromSlash(w.usualBaseline()))
	if w.options.Settings.Preferences.Baseline == "" {
		if _, _, err := w.read(ctx, path); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	return w.readBaseline(ctx, path, w.paths().Seen(path))
}

// usualBaseline returns where the repository keeps its baseline, from the root.
func (w *workspace) usualBaseline() string {
	return cmp.Or(w.options.Settings.Preferences.Baseline, policy.BaselineName)
}

// readBaseline reads a baseline, which messages call shown; without a name there
// is none.
func (w *workspace) readBaseline(ctx context.Context, name, shown string) (*policy.Baseline, error) {
	if name == "" {
		return nil, nil
	}
	content, fromRoot, err := w.read(ctx, w.absolute(name))
	if err != nil {
		return nil, &policy.Error{Path: shown, Message: plainError(err) + ": mcplumb baseline writes one"}
	}
	w.baselineFile = shown
	return policy.ParseBaseline(shown, fromRoot, content)
}

// read reads a file that a command line names, absolute. One of the repository is
// read as all of it is. fromRoot is its path from the root, also of one that is
// not below it; "" if there is none, on another volume.
func (w *workspace) read(ctx context.Context, path string) (content []byte, fromRoot string, err error) {
	if relative, err := filepath.Rel(w.Root, path); err == nil {
		fromRoot = filepath.ToSlash(relative)
	}
	if inside, ok := source.Below(w.Root, filepath.Clean(path)); ok {
		file, err := w.options.Source.Read(ctx, inside)
		return file.Content, fromRoot, err
	}
	content, err = source.ReadFile(path)
	return content, fromRoot, err
}

// absolute returns a path as seen from the current directory.
func (w *workspace) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.Dir, path)
}

// paths returns how the paths of the repository look from the current directory.
func (w *workspace) paths() view.Paths { return view.NewPaths(w.Root, w.Dir) }

// shown returns a path of the repository as seen from the current directory.
func (w *workspace) shown(fromRoot string) string {
	return w.paths().Seen(filepath.Join(w.Root, filepath.FromSlash(fromRoot)))
}

// plainError says what is wrong with a file.
func plainError(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or directory"
	}
	return err.Error()
}
