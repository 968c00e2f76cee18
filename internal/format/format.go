// Package format knows where MCP configuration lives and how each kind of file
// becomes an mcp.Document. A format is data and one pure function. Those that
// share both function and shape with others are rows of one table (plain.go);
// every other has a file of its own, called like it. All lists them.
package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Format is one kind of file. Which clients read it, and how, is in the table
// of clients (mcp.Readers).
type Format struct {
	// Name is the stable name ("vscode-workspace").
	Name string
	// Scope is what the files configure.
	Scope mcp.Scope
	// Paths are patterns of path suffixes, in slashes, matched in any letter
	// case: ".cursor/mcp.json", "*.code-workspace". A * stands for a part of one
	// segment, a segment of ** for any number of directories, none included.
	Paths []string
	// Home are patterns of the same files in a home directory, as dotfiles hold
	// them: they configure what their owner starts anywhere (mcp.ScopeUser).
	Home []string
	// Dedicated reports that files of these paths hold MCP configuration and
	// nothing else, so that everything in them is ours to judge.
	Dedicated bool
	// Skip, where there is one, reports that a member of the servers is
	// something else, whatever it looks like.
	Skip func(entry *syntax.Node) bool
	// Keys are the words without which a file that is not dedicated holds
	// nothing of ours, without quotes.
	Keys []string
	// Marks are texts of which a file that does not parse has to have one to be
	// ours. One that ends in a colon is a key, whatever is wrong with its quotes, one with a
	// word behind the colon such a key and its value; nil means the Keys, as words in double quotes or as such keys.
	Marks []string
	// OwnDirs are directories in which the Keys are enough of a mark: no other program has
	// files there.
	OwnDirs []string
	// Roots are the root keys to look for beside those that the clients read;
	// nil means every known one.
	Roots []string
	// State reports that the tool of these files keeps them out of git by its own
	// doing: they are read where they sit, whatever git ignores. Their Paths have
	// no *.
	State bool
	// Unopened reports that files of these paths are not opened: that they are there
	// is all they say.
	Unopened bool
	// JSON5 reports that files may be JSON5, of which only JSON with comments is read: one with
	// servers is said to be unread.
	JSON5 bool
	// ReadOnly reports that no entry can be written into the files: each has to say
	// what no client of another file knows.
	ReadOnly bool
	// Begin, where there is one, returns what a new file of a path begins with, without
	// which its client takes none.
	Begin func(path string) []edit.Member
	// Finish, where there is one, adds to an entry what only files of this format say.
	Finish func(*entryWriter)
	// Linked is the format of files that this one links to; nil means its own.
	Linked *Format
	// Markdown reports that only the front matter of a file is parsed.
	Markdown bool
	// Parse turns the bytes into a tree.
	Parse func(*syntax.Parser, *syntax.File) (*syntax.Tree, error)
	// Read turns the tree into a document, or nil if it holds nothing of ours.
	// What all formats have in common is filled in by the function Read.
	Read func(*Input) *mcp.Document
}

// All returns every format, sorted by name. Do not change them: there is one of
// each, so that formats may be compared by their pointers.
func All() []*Format {
	all := slices.Concat(plain, special)
	slices.SortFunc(all, func(a, b *Format) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// special are the formats that have a file of their own, beside the plain ones.
var special = []*Format{
	agenticWorkflow,
	amazonQAgent,
	antigravityPlugin,
	apm,
	apmLock,
	ccpkgArchive,
	ccpkgLock,
	ccpkgManifest,
	ccpkgTemplate,
	claudeAgent,
	claudeCode,
	claudeCommand,
	claudeMarketplace,
	claudePlugin,
	claudeSettings,
	codexPlugin,
	compose,
	copilotAgent,
	crush,
	cursorPlugin,
	devcontainer,
	dockerAgent,
	dockerCatalog,
	gemini,
	geminiExtension,
	generic,
	genericTOML,
	genericYAML,
	goose,
	gooseRecipe,
	holodeck,
	holodeckConfig,
	iflow,
	kilo,
	kiroAgent,
	kiroPower,
	kubernetes,
	librechat,
	mcpSettings,
	mcpTap,
	mcpb,
	mcplumbLock,
	nix,
	gitModules,
	crushRC,
	opencode,
	opencodeAgent,
	openhands,
	pml,
	pmlLock,
	promptRegistry,
	promptRegistryLock,
	promptRegistryTracking,
	qwen,
	qwenExtension,
	serverJSON,
	springAI,
	toolpinLock,
	visualStudio,
	vscode,
	vscodePrompt,
	vscodeSettings,
	vscodeWorkspace,
	zed,
}

// Input is a parsed file on its way to a document.
type Input struct {
	File  *syntax.File
	Tree  *syntax.Tree
	Match Match

	plan *plan
	// noCwd reports that the client which the file is made for reads no working directory.
	noCwd bool
	// context is what identities are resolved in, set by the place of the file.
	// A Read function may change it.
	context identity.Context
}

// plan is what the clients of a format say about reading it, looked up once.
type plan struct {
	clients []*mcp.Client
	beside  []*mcp.Client  // that read the files beside those of their own
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

// newPlan collects what the readers of a format say, of a project that has some directories of
// clients.
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
		p.others = knownRoots()
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
