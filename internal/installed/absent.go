package installed

import (
	"context"
	"errors"
	"io/fs"
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
	named   map[string]string
	texts   cache[string]
	ignored cache[*glob.Index]
}

// Limits keep the cost of what a hostile repository names in proportion: beyond them it is not
// asked.
const (
	maxAbsent      = 20      // servers of one project
	maxSegments    = 20      // of a path
	maxText        = 1 << 16 // bytes of an ignore file or a manifest
	maxIgnoreLines = 500
)

// project notes in the facts of a project which of its servers run a script that is not there.
func (a *absentees) project(ctx context.Context, p *mcp.Project) {
	for _, d := range p.Documents {
		if !startsHere(d) || len(d.Loaders()) == 0 || d.Template {
			continue
		}
		for _, s := range d.Servers {
			file, language := scriptOf(&s.Identity)
			if file == "" || len(p.Facts.Absent) == maxAbsent || !a.isAbsent(ctx, file, language) {
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
		strings.Contains("/"+file, "/.") && !a.dirs[path.Dir(file)],
		a.scripts[stem+".ts"], a.scripts[stem+".mts"], a.scripts[stem+".cts"]:
		return false
	}
	return !a.isIgnored(ctx, file) && !a.isOfSubmodule(ctx, file) && !a.isMade(ctx, file)
}

// list notes the scripts that the repository has.
func (a *absentees) list(ctx context.Context) {
	a.scripts, a.dirs, a.languages, a.named = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}
	var mutex sync.Mutex
	note := func(file string) bool {
		language := scriptLanguages[path.Ext(file)]
		if language == "" {
			return false
		}
		mutex.Lock()
		defer mutex.Unlock()
		file = strings.Clone(file)
		a.scripts[file], a.dirs[path.Dir(file)] = true, true
		if _, isThere := a.named[path.Base(file)]; isThere {
			a.named[path.Base(file)] = ""
		} else {
			a.named[path.Base(file)] = file
		}
		a.languages[language] = true
		return false
	}
	_, _ = a.tree.List(ctx, []string{""}, source.Want{File: note})
}

// text returns the content of a file, "" where there is none; ok is false of one that is too long.
func (a *absentees) text(ctx context.Context, file string) (text string, ok bool) {
	text = a.texts.get(file, func() string {
		f, err := a.tree.Read(ctx, file)
		if err != nil {
			return ""
		}
		return string(f.Content)
	})
	return text, len(text) <= maxText
}

// isIgnored reports whether a line of an ignore file on the way may mean a file or a directory that
// it lies in. What a later line takes back is ignored as well: then the file may be made.
func (a *absentees) isIgnored(ctx context.Context, file string) bool {
	for dir := range mcp.Upwards(mcp.Parent(file)) {
		patterns := a.ignored.get(dir, func() *glob.Index { return a.ignoredIn(ctx, dir) })
		isIt := patterns == nil
		if !isIt {
			patterns.Covering(strings.TrimPrefix(strings.TrimPrefix(file, dir), "/"), func(int) bool { isIt = true; return false })
		}
		if isIt {
			return true
		}
	}
	return false
}

// ignoredIn returns the patterns of the ignore file of a directory, nil where they are too many.
func (a *absentees) ignoredIn(ctx context.Context, dir string) *glob.Index {
	text, ok := a.text(ctx, path.Join(dir, ".gitignore"))
	if !ok || strings.Count(text, "\n") > maxIgnoreLines {
		return nil
	}
	index := &glob.Index{}
	for line := range strings.Lines(text) {
		if pattern, err := glob.Parse(ignorePattern(strings.TrimSpace(line))); err == nil {
			index.Add(pattern, 0)
		}
	}
	return index
}

// ignorePattern returns the pattern of paths below its directory that a line of an ignore file is
// (gitignore(5)), "" if it is none.
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

// isOfSubmodule reports whether a file lies in a repository that git checks out within this one.
func (a *absentees) isOfSubmodule(ctx context.Context, file string) bool {
	text, ok := a.text(ctx, ".gitmodules")
	if !ok {
		return true
	}
	for module := range format.Submodules([]byte(text)) {
		if source.Within(module.Dir, file) {
			return true
		}
	}
	return false
}

// isMade reports whether a manifest or Makefile on the way has the file's name in it: its scripts
// make it, perhaps.
func (a *absentees) isMade(ctx context.Context, file string) bool {
	for dir := range mcp.Upwards(mcp.Parent(file)) {
		for _, name := range []string{"package.json", "Makefile", "justfile", "tsconfig.json", "pyproject.toml"} {
			if text, ok := a.text(ctx, path.Join(dir, name)); !ok || strings.Contains(text, path.Base(file)) {
				return true
			}
		}
	}
	return false
}
