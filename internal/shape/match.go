package shape

import (
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Match is a path that a format knows.
type Match struct {
	Format *Format
	// Dir is the project directory: the part before the pattern, slash-separated, "" for the
	// root.
	Dir string
	// Home reports that the file is one of a home directory, as dotfiles hold it.
	Home bool
	// Sample reports that the name marks the file as one to copy and fill in:
	// config.toml.example.
	Sample bool
	// Template reports that chezmoi fills the file in before it writes it.
	Template bool
	// Stray gives the client in whose own directory the file is, if it is not one of the client's
	// files; nil for every other.
	Stray *mcp.Stray

	plans *Plans
	// with are the directories of clients that the project has and that make them read the file,
	// each after a blank.
	with string
}

// Match returns a match of a format for a project directory.
func (p *Plans) Match(f *Format, dir string) Match { return Match{Format: f, Dir: dir, plans: p} }

// Readers returns the clients that read files of the match's format.
func (m Match) Readers() []*mcp.Client { return m.plan(m.Format).clients }

// Beside returns the directories of clients that also read a file at a path, if the project has
// the directory (mcp.Reading.OnlyWith).
func (m Match) Beside(file string) []string {
	at := strings.TrimPrefix(strings.TrimPrefix(file, m.Dir), "/")
	var dirs []string
	for _, c := range mcp.ReadersBeside(m.Format.Name) {
		if r := c.Reading(m.Format.Name); r.At == "" || r.At == at {
			dirs = append(dirs, r.OnlyWith)
		}
	}
	return dirs
}

// With returns the match for a project that has one of those directories.
func (m Match) With(dir string) Match {
	m.with += " " + dir
	return m
}

// plan returns what the clients say about reading a format.
func (m Match) plan(f *Format) *plan {
	if m.with != "" {
		return newPlan(f, strings.Fields(m.with)...)
	}
	if m.plans != nil {
		if made := m.plans.made[f]; made != nil {
			return made()
		}
	}
	return newPlan(f)
}

// Plans are what clients say about reading the files of formats, made for the first file of
// each.
type Plans struct{ made map[*Format]func() *plan }

// NewPlans returns the plans of some formats.
func NewPlans(formats []*Format) *Plans {
	plans := make(map[*Format]func() *plan, len(formats))
	for _, f := range formats {
		plans[f] = sync.OnceValue(func() *plan { return newPlan(f) })
	}
	return &Plans{plans}
}

// plan is what the clients of a format say about reading it, looked up once.
type plan struct {
	clients []*mcp.Client
	beside  []*mcp.Client  // that read the files in addition to their own
	tool    *mcp.Tool      // whose own file it is
	namers  []*mcp.Tool    // that make names of entries
	roots   []string       // root keys that a client loads
	others  []string       // other root keys to look for
	urls    []mcp.URLField // members that hold an address, the one that wins first
	bearers []string       // members that hold a bearer token
	gallery []string       // members that say from which registry an entry is
	start   mcp.Base       // where relative paths start from
	unread  bool           // a client is known to load no server of it
	dirs    []mcp.Dir      // path variables
}

// newPlan collects the facts about the readers of a format, for a project that has some
// directories of clients.
func newPlan(f *Format, with ...string) *plan {
	p := &plan{clients: mcp.Readers(f.Name), tool: mcp.ToolOf(f.Name), namers: mcp.Namers(f.Name), unread: mcp.IsNotLoaded(f.Name)}
	for _, c := range mcp.ReadersBeside(f.Name) {
		if slices.Contains(with, c.Reading(f.Name).OnlyWith) {
			p.beside = append(p.beside, c)
		}
	}
	if len(p.clients) == 0 { // who else would the file be for
		p.clients, p.beside = p.beside, nil
	}
	for _, c := range p.clients {
		r := c.Reading(f.Name)
		p.roots = appendMissing(p.roots, r.Roots...)
		p.dirs = appendMissing(p.dirs, r.Dirs...)
		p.urls = appendMissing(p.urls, c.Fields.URL...)
		p.bearers = appendMissing(p.bearers, c.Fields.Bearer...)
		if c.Fields.Gallery != "" {
			p.gallery = appendMissing(p.gallery, c.Fields.Gallery)
		}
		if r.Start != mcp.ProjectDir {
			p.start = r.Start
		}
	}
	if len(p.clients) == 0 {
		p.dirs = unknownDirs()
	}
	p.urls = appendMissing(p.urls, allURLs()...)
	p.others = f.Roots
	if p.others == nil {
		p.others = KnownRoots()
	}
	return p
}

// unknownDirs are the path variables of files that no known client reads: what
// any client would mean by them.
func unknownDirs() []mcp.Dir {
	return []mcp.Dir{
		{Name: "workspaceFolder", Base: mcp.ProjectDir},
		{Name: "workspaceRoot", Base: mcp.ProjectDir},
		{Name: "CLAUDE_PROJECT_DIR", Base: mcp.ProjectDir},
		{Name: "PWD", Base: mcp.ProjectDir},
		{Name: "CLAUDE_PLUGIN_ROOT", Base: mcp.DocumentDir},
		{Name: "extensionPath", Base: mcp.DocumentDir},
		{Name: "__dirname", Base: mcp.DocumentDir},
	}
}

// appendMissing appends the values that list does not have yet.
func appendMissing[T comparable](list []T, values ...T) []T {
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
