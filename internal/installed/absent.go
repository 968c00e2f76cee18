package installed

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
)

// absentees finds the scripts of the repository that servers run and that are not in it. What is
// built, installed or checked out before a server starts is in no repository: silence is right
// where that may be so.
type absentees struct {
	tree source.Tree
	// The scripts that the repository has are listed once, and only where one may be missing.
	listing sync.Once
	scripts map[string]bool
	// dirs are the directories with scripts, languages those that they are written in.
	dirs, languages map[string]bool
	// named are the scripts by their names, "" where several have one.
	named map[string]string
	// makers are the names of the manifests in a directory, ignoring the directories with an
	// ignore file.
	makers    map[string][]string
	ignoring  map[string]bool
	submodule map[string]bool // by directory, nil where they are not known
	spoken    cache[map[string]bool]
	ignored   cache[*ignored]
}

// manifests say how files are made.
var manifests = []string{"package.json", "Makefile", "justfile", "tsconfig.json", "pyproject.toml"}

// Limits keep the cost of what a hostile repository names in proportion. What is beyond them may
// say of every script that it is made, so that none is missing.
const (
	maxSegments = 20      // of a path
	maxText     = 1 << 16 // bytes of an ignore file or a manifest
	maxIgnored  = 1 << 14 // bytes of the patterns in the ignore files on the way to a script
)

// project notes in the facts of a project which of its servers run a script that is not there.
func (a *absentees) project(ctx context.Context, p *mcp.Project) {
	for _, d := range p.Documents {
		if !startsHere(d) || len(d.Loaders()) == 0 || d.Template {
			continue
		}
		for _, s := range d.Servers {
			file, language := scriptOf(&s.Identity)
			if file == "" || !a.isAbsent(ctx, file, language) {
				continue
			}
			if p.Facts.Absent == nil {
				p.Facts.Absent = map[*mcp.Server]mcp.AbsentFile{}
			}
			p.Facts.Absent[s] = mcp.AbsentFile{Path: file, Elsewhere: a.named[path.Base(file)]}
		}
	}
}

// scriptLanguages are those of scripts by their extensions, and by the programs that run them where they
// have none: node looks for one.
var scriptLanguages = map[string]string{
	".bash": "shell", ".cjs": "js", ".cts": "js", ".js": "js", ".mjs": "js", ".mts": "js", ".php": "php", ".py": "python", ".rb": "ruby",
	".sh": "shell", ".ts": "js", ".tsx": "js",
	"bash": "shell", "php": "php", "python": "python", "python3": "python", "ruby": "ruby", "sh": "shell",
}

// languageOf returns which language the script of a launch is written in, "" where that is not known.
func languageOf(file, launcher string) string {
	if ext := path.Ext(file); ext != "" {
		return scriptLanguages[ext]
	}
	return scriptLanguages[launcher]
}

// scriptOf returns the script of the repository that a server is, by its path from the root, and its
// language; "" for all else.
func scriptOf(id *identity.Identity) (file, language string) {
	language = languageOf(id.Name, id.Launcher)
	if id.Kind != identity.FileKind || len(id.Selector) > 0 || language == "" || strings.Count(id.Name, "/") > maxSegments ||
		!fs.ValidPath(id.Name) || strings.ContainsAny(id.Name, "${}<>*[]%\\~: ") {
		return "", ""
	}
	return id.Name, language
}

// madeDirs are directories of what is built, installed or downloaded, sorted.
var madeDirs = []string{
	"_build", "bin", "build", "cjs", "dist", "env", "es", "esm", "gen", "generated", "lib", "node_modules", "obj", "out", "output", "release",
	"site-packages", "target", "tmp", "vendor", "venv",
}

// isAbsent reports whether a script is not in the repository, and nothing says that it would be.
func (a *absentees) isAbsent(ctx context.Context, file, language string) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		if _, isMade := slices.BinarySearch(madeDirs, strings.ToLower(segment)); isMade {
			return false
		}
	}
	if _, err := a.tree.Stat(ctx, file); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	a.listing.Do(func() { a.list(ctx) })
	stem := strings.TrimSuffix(file, path.Ext(file))
	switch {
	case a.scripts[file], // a sparse checkout leaves it out
		!a.languages[language],
		strings.Contains("/"+file, "/.") && !a.dirs[mcp.Parent(file)],
		a.scripts[stem+".ts"], a.scripts[stem+".mts"], a.scripts[stem+".cts"]:
		return false
	}
	return !a.isOfSubmodule(file) && !a.isMade(ctx, file) && !a.isIgnored(ctx, file)
}

// list notes the scripts that the repository has, and what may say where others come from.
func (a *absentees) list(ctx context.Context) {
	a.scripts, a.dirs, a.languages, a.named = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}
	a.makers, a.ignoring = map[string][]string{}, map[string]bool{}
	var mutex sync.Mutex
	note := func(file string) bool {
		name := path.Base(file)
		language, isManifest := scriptLanguages[path.Ext(name)], slices.Contains(manifests, name)
		if language == "" && !isManifest && name != ".gitignore" {
			return false
		}
		mutex.Lock()
		defer mutex.Unlock()
		file = strings.Clone(file)
		switch dir := mcp.Parent(file); {
		case isManifest:
			a.makers[dir] = append(a.makers[dir], name)
		case language == "":
			a.ignoring[dir] = true
		default:
			a.scripts[file], a.dirs[dir], a.languages[language] = true, true, true
			if _, isThere := a.named[name]; isThere {
				file = ""
			}
			a.named[name] = file
		}
		return false
	}
	_, _ = a.tree.List(ctx, []string{""}, source.Want{File: note})
	a.submodule = a.submodules(ctx)
}

// submodules returns where git checks out other repositories, nil where that is not known.
func (a *absentees) submodules(ctx context.Context) map[string]bool {
	text, ok := a.text(ctx, ".gitmodules")
	if !ok {
		return nil
	}
	dirs := map[string]bool{}
	for module := range format.Submodules(text) {
		dirs[module.Dir] = true
	}
	return dirs
}

// text returns the content of a file, nothing if there is no file; ok is false for one that is too
// long.
func (a *absentees) text(ctx context.Context, file string) (text []byte, ok bool) {
	f, err := a.tree.Read(ctx, file)
	if err != nil {
		return nil, true
	}
	return f.Content, len(f.Content) <= maxText
}

// isOfSubmodule reports whether a file is in a repository that git checks out within this one.
func (a *absentees) isOfSubmodule(file string) bool {
	for dir := range mcp.Upwards(mcp.Parent(file)) {
		if a.submodule == nil || a.submodule[dir] {
			return true
		}
	}
	return false
}

// isMade reports whether a manifest or Makefile on the way has the file's name in it: its scripts
// make it, perhaps.
func (a *absentees) isMade(ctx context.Context, file string) bool {
	name := path.Base(file)
	for word := range wordsIn(name) {
		name = word // of a name that is several words, the last one
	}
	for dir := range mcp.Upwards(mcp.Parent(file)) {
		if len(a.makers[dir]) == 0 {
			continue
		}
		spoken := a.spoken.get(dir, func() map[string]bool { return a.spokenIn(ctx, dir) })
		if spoken == nil || spoken[name] {
			return true
		}
	}
	return false
}

// spokenIn returns the words of the manifests in a directory, nil where one is too long.
func (a *absentees) spokenIn(ctx context.Context, dir string) map[string]bool {
	words := map[string]bool{}
	for _, name := range a.makers[dir] {
		text, ok := a.text(ctx, path.Join(dir, name))
		if !ok {
			return nil
		}
		for word := range wordsIn(string(text)) {
			words[word] = true
		}
	}
	return words
}

// wordsIn yields what may be names of files in a manifest: what stands between spaces, quotes,
// slashes and signs of a shell.
func wordsIn(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`/\\=,;:()[]{}<>|&$@#!?*%~", r) })
}

// ignored are the patterns of an ignore file.
type ignored struct {
	index glob.Index
	bytes int
}

// isIgnored reports whether a line of an ignore file in a parent directory may match a file or a
// directory above it. A match that a later line negates counts as well: the file may still be
// generated.
func (a *absentees) isIgnored(ctx context.Context, file string) bool {
	bytes := 0
	for dir := range mcp.Upwards(mcp.Parent(file)) {
		if !a.ignoring[dir] {
			continue
		}
		patterns := a.ignored.get(dir, func() *ignored { return a.ignoredIn(ctx, dir) })
		bytes += patterns.bytes
		isIt := bytes > maxIgnored
		if !isIt {
			patterns.index.Covering(strings.TrimPrefix(strings.TrimPrefix(file, dir), "/"), func(int) bool { isIt = true; return false })
		}
		if isIt {
			return true
		}
	}
	return false
}

// ignoredIn returns the patterns of the ignore file of a directory.
func (a *absentees) ignoredIn(ctx context.Context, dir string) *ignored {
	text, ok := a.text(ctx, path.Join(dir, ".gitignore"))
	if !ok {
		return &ignored{bytes: maxIgnored + 1}
	}
	all := &ignored{}
	for line := range strings.Lines(string(text)) {
		if pattern, err := glob.Parse(ignorePattern(strings.TrimSpace(line))); err == nil {
			all.index.Add(pattern, 0)
			all.bytes += pattern.Size()
		}
	}
	return all
}

// ignorePattern returns the pattern of paths below its directory for a line of an ignore file
// (gitignore(5)), "" if the line is not a pattern.
func ignorePattern(line string) string {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "!"), "/")
	switch {
	case line == "" || line[0] == '#':
		return ""
	case line[0] == '/':
		return line[1:]
	case !strings.Contains(line, "/"):
		return "**/" + line
	}
	return line
}
