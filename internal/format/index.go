package format

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
)

// Index finds the format of a path. It is safe for use by several goroutines.
type Index struct {
	byBase map[string][]*pattern // literal base names, in lower case
	byExt  map[string][]*pattern // base names with a *, by their extension
	plans  *shape.Plans
	states []string // paths of files that tools keep out of git
	// literal are the paths without a *.
	literal []string
	// dirs are the beginnings of paths that name a client's own directories, by
	// their last segment in lower case.
	dirs map[string][]*pattern
	// own are the directories that only one client uses.
	own map[string]*mcp.Stray
}

// pattern is one compiled path of a format.
type pattern struct {
	format   *shape.Format
	home     bool     // it is a path of Format.Home
	segments []string // in lower case
	literal  bool     // no segment has a *
	length   int
	// parent is the literalParent of the segments.
	parent string
	// before and after are what the base name begins and ends with, around its
	// first and last *.
	before, after string
}

// Known returns the index of all formats, which is built once.
func Known() *Index { return known() }

var known = sync.OnceValue(func() *Index { return NewIndex(All()) })

// NewIndex returns an index of the formats' paths.
func NewIndex(formats []*shape.Format) *Index {
	ix := &Index{
		byBase: map[string][]*pattern{},
		byExt:  map[string][]*pattern{},
		plans:  shape.NewPlans(formats),
		dirs:   map[string][]*pattern{},
		own:    ownDirs(formats),
	}
	for _, f := range formats {
		for _, p := range f.Paths {
			ix.add(&pattern{format: f}, strings.ToLower(p))
			if !strings.Contains(p, "*") {
				ix.literal = append(ix.literal, p)
			}
		}
		for _, p := range f.Home {
			ix.add(&pattern{format: f, home: true}, strings.ToLower(p))
		}
		if f.State {
			ix.states = append(ix.states, f.Paths...)
		}
	}
	for _, patterns := range ix.byBase {
		slices.SortStableFunc(patterns, moreSpecific)
	}
	for _, patterns := range ix.byExt {
		slices.SortStableFunc(patterns, moreSpecific)
	}
	return ix
}

// add adds a pattern that is written so.
func (ix *Index) add(p *pattern, text string) {
	p.segments, p.length, p.literal = strings.Split(text, "/"), len(text), !strings.Contains(text, "*")
	ix.addDirs(p)
	base := p.segments[len(p.segments)-1]
	p.parent = literalParent(p.segments)
	if strings.Contains(base, "*") {
		p.before, p.after = base[:strings.IndexByte(base, '*')], base[strings.LastIndexByte(base, '*')+1:]
		ext := path.Ext(base)
		ix.byExt[ext] = append(ix.byExt[ext], p)
		return
	}
	ix.byBase[base] = append(ix.byBase[base], p)
}

// literalParent returns the second to last segment, or "" if there is none, it has a *, or the
// last one matches any number of segments.
func literalParent(segments []string) string {
	if n := len(segments); n > 1 && !strings.Contains(segments[n-2], "*") && segments[n-1] != "**" {
		return segments[n-2]
	}
	return ""
}

// addDirs adds the directories of a pattern. Those whose name begins with no dot
// are any program's: config, plugins.
func (ix *Index) addDirs(p *pattern) {
	if !strings.HasPrefix(p.segments[0], ".") {
		return
	}
	for n := 1; n < len(p.segments); n++ {
		dir := &pattern{segments: p.segments[:n], parent: literalParent(p.segments[:n])}
		last := dir.segments[n-1]
		same := func(known *pattern) bool { return slices.Equal(known.segments, dir.segments) }
		if !slices.ContainsFunc(ix.dirs[last], same) {
			ix.dirs[last] = append(ix.dirs[last], dir)
		}
	}
}

// IsDirectory reports whether a client looks for its files in a directory because
// of its name: .claude, or skills in one of that name.
func (ix *Index) IsDirectory(dir string) bool {
	name, _ := chezmoiTarget(dir)
	name = strings.ToLower(name)
	parent := parentOf(name)
	for _, last := range []string{path.Base(name), "*", "**"} {
		for _, p := range ix.dirs[last] {
			if !p.mayBeIn(parent) {
				continue
			}
			if _, ok := p.match(name); ok {
				return true
			}
		}
	}
	return false
}

// moreSpecific orders patterns: more segments first, then literal ones, then
// longer ones.
func moreSpecific(a, b *pattern) int {
	switch {
	case len(a.segments) != len(b.segments):
		return cmp.Compare(len(b.segments), len(a.segments))
	case a.literal != b.literal:
		if a.literal {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.length, a.length)
}

// States returns the paths, from the directory of a project, at which tools keep
// their state out of git. Do not change them.
func (ix *Index) States() []string { return ix.states }

// Literal returns the paths, from the directory of a project, at which a file is known, except
// those with a *. Do not change them.
func (ix *Index) Literal() []string { return ix.literal }

// Lookup returns the format of a path, which is slash-separated and relative to the repository
// root. Most paths cost one or two lookups in a map.
func (ix *Index) Lookup(file string) (shape.Match, bool) {
	if isChezmoiScript(file) {
		return shape.Match{}, false
	}
	name, isSource := chezmoiTarget(file)
	m, ok := ix.find(file, name)
	if plain := withoutSample(name); plain != name && (!ok || m.Format == generic) {
		if sample, known := ix.find(file, plain); known && sample.Format.Scope != mcp.ScopeLock {
			m, ok = sample, true
			m.Sample = true
		}
	}
	if !ok && isJSON(file) {
		if stray := ix.strayIn(file); stray != nil {
			m, ok = ix.plans.Match(generic, projectDir(generic, file, mcp.Parent(file))), true
		}
	}
	m.Home = ok && (m.Home || isSource)
	m.Template = isSource && isTemplate(file)
	if m.Format == generic && !m.Home {
		m.Stray = ix.strayIn(file)
	}
	return m, ok
}

// Kept returns the match for a file that was found at one path, through a link, and is kept at
// another one. If no client reads anything at the first path, that path says nothing about the
// file, and the second one decides.
func (ix *Index) Kept(found shape.Match, at string) shape.Match {
	if found.Stray == nil && !(found.Format.Dedicated && mcp.IsNotLoaded(found.Format.Name)) {
		return found
	}
	if m, ok := ix.Lookup(at); ok {
		return m
	}
	return ix.ByContent(at)[0]
}

// find returns the format of a file by a name, which has the directories of its
// path: that path itself, or what it would be called elsewhere.
func (ix *Index) find(file, name string) (shape.Match, bool) {
	base := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	p, depth := first(ix.byBase[base], name, base)
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 && (p == nil || p.format.Scope == mcp.ScopeGeneric) {
		if wild, at := first(ix.byExt[base[dot:]], name, base); wild != nil && (p == nil || moreSpecific(wild, p) < 0) {
			p, depth = wild, at
		}
		// "mcp.json.*" has no extension of its own and is kept under ".*".
		if p == nil {
			p, depth = first(ix.byExt[".*"], name, base)
		}
	}
	if p == nil {
		return shape.Match{}, false
	}
	m := ix.plans.Match(p.format, projectDir(p.format, file, firstSegments(file, depth)))
	m.Home = p.home
	return m, true
}

// first returns the first pattern that a path matches, and how many of the path's segments come
// before the match.
func first(patterns []*pattern, name, base string) (*pattern, int) {
	lower, parent := "", ""
	for _, p := range patterns {
		if !strings.HasPrefix(base, p.before) || !strings.HasSuffix(base, p.after) {
			continue // most paths go no further than this
		}
		if parent == "" {
			parent = strings.ToLower(parentOf(name))
		}
		if !p.mayBeIn(parent) {
			continue // most others no further than this
		}
		// Changing the case of odd letters may change a path's length; only the
		// number of segments before the pattern is the same.
		if lower == "" {
			lower = strings.ToLower(name)
		}
		if depth, ok := p.match(lower); ok {
			return p, depth
		}
	}
	return nil, 0
}

// parentOf returns the second to last segment of a path, "" if there is none.
func parentOf(file string) string {
	dir := file[:max(strings.LastIndexByte(file, '/'), 0)]
	return dir[strings.LastIndexByte(dir, '/')+1:]
}

// mayBeIn reports whether the match may be in a directory of a base name. This excludes nearly
// all of the many paths with a common extension or name.
func (p *pattern) mayBeIn(parent string) bool { return p.parent == "" || p.parent == parent }

// match reports whether the path ends in the pattern, and how many segments come before it.
func (p *pattern) match(file string) (depth int, ok bool) {
	return matchSegments(p.segments, file, true)
}

// matchSegments does so for the first segments of a pattern and the beginning of a path;
// more reports that there is one.
func matchSegments(segments []string, rest string, more bool) (depth int, ok bool) {
	for i, want := range slices.Backward(segments) {
		if want == "**" {
			return matchBelow(segments[:i], rest, more)
		}
		if !more {
			return 0, false
		}
		var segment string
		slash := strings.LastIndexByte(rest, '/')
		segment, rest, more = rest[slash+1:], rest[:max(slash, 0)], slash >= 0
		if !matchSegment(want, segment) {
			return 0, false
		}
	}
	if !more {
		return 0, true
	}
	return strings.Count(rest, "/") + 1, true
}

// matchBelow is match for segments with any number of directories below them: the nearest
// directory that matches counts. A pattern has one such place.
func matchBelow(segments []string, rest string, more bool) (depth int, ok bool) {
	for more {
		if depth, ok = matchSegments(segments, rest, true); ok {
			return depth, true
		}
		slash := strings.LastIndexByte(rest, '/')
		if slash == len(rest)-1 {
			return 0, false // a segment has at least one character
		}
		rest, more = rest[:max(slash, 0)], slash >= 0
	}
	return 0, false
}

// matchSegment reports whether a path segment matches a segment of a pattern, in which each *
// matches at least one character.
func matchSegment(pattern, segment string) bool {
	before, after, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == segment
	}
	rest, ok := strings.CutPrefix(segment, before)
	if !ok || rest == "" {
		return false
	}
	if !strings.Contains(after, "*") {
		return len(rest) > len(after) && strings.HasSuffix(rest, after)
	}
	for i := 1; i <= len(rest); i++ {
		if matchSegment(after, rest[i:]) {
			return true
		}
	}
	return false
}

// firstSegments returns the path's first n segments.
func firstSegments(file string, n int) string {
	if n == 0 {
		return ""
	}
	for i := range len(file) {
		if file[i] == '/' {
			if n--; n == 0 {
				return file[:i]
			}
		}
	}
	return file
}

// Named returns the match of a file that its user named: its format, or the generic one if the
// path has no format.
func (ix *Index) Named(file string) shape.Match {
	if m, ok := ix.Lookup(file); ok {
		return m
	}
	return ix.ByContent(file)[0]
}

// ByContent returns the matches of a file of which only the language is known, from its name. The
// caller reads it by its content, as the first match that finds something. The generic one is the
// first.
func (ix *Index) ByContent(file string) []shape.Match {
	formats := []*shape.Format{generic}
	switch strings.ToLower(path.Ext(withoutSample(file))) {
	case ".yaml", ".yml":
		formats = []*shape.Format{genericYAML, gooseRecipe, goose}
	case ".toml":
		formats = []*shape.Format{genericTOML, openhands}
	}
	dir := projectDir(generic, file, mcp.Parent(file))
	matches := make([]shape.Match, len(formats))
	for i, f := range formats {
		matches[i] = ix.plans.Match(f, dir)
	}
	return matches
}

// Follow returns the match of a file that a document read with m links to: it
// belongs to the same project and has the shape that its owner gives it, which
// the owner's format may say (Linked). A link to something other than JSON (a bundle) has none.
func (ix *Index) Follow(m shape.Match, link mcp.Link) (shape.Match, bool) {
	if !strings.EqualFold(path.Ext(link.Path), ".json") {
		return shape.Match{}, false
	}
	if m.Format.Linked != nil {
		m.Format = m.Format.Linked
	}
	return m, true
}
