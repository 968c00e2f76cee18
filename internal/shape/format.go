// Package shape knows what the formats of files share: how to find the root of a file, how an
// entry becomes a server, which parts a lockfile may have, and what clients refuse of all that. A
// format (package format) is data about a kind of file and one function that uses these. A parsed
// file goes in, a document comes out.
package shape

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Format is one kind of file. Which clients read it, and how, is in the table
// of clients (mcp.Readers).
type Format struct {
	// Name is the stable name ("vscode-workspace").
	Name string
	// Scope is the scope that the files configure.
	Scope mcp.Scope
	// Paths are patterns of path suffixes, in slashes, matched in any letter case:
	// ".cursor/mcp.json", "*.code-workspace". A * matches a part of one segment, a segment of **
	// any number of directories, including none.
	Paths []string
	// Home are patterns of the same files in a home directory, as dotfiles hold
	// them: they configure what their owner starts anywhere (mcp.ScopeUser).
	Home []string
	// Dedicated reports that files of these paths contain only MCP configuration, so that rules
	// may judge everything in them.
	Dedicated bool
	// Skip, if there is one, reports that a member of the servers is something else, even if it
	// looks like a server.
	Skip func(entry *syntax.Node) bool
	// Keys are the words without which a file that is not dedicated has no MCP configuration,
	// without quotes.
	Keys []string
	// Marks are texts. A file that does not parse must contain one of them to count as MCP
	// configuration. One that ends in a colon is a key, with any error in its quotes; one with a
	// word after the colon is such a key and its value. Nil means the Keys, as words in double
	// quotes or as such keys.
	Marks []string
	// OwnDirs are directories in which the Keys are enough of a mark: no other program has
	// files there.
	OwnDirs []string
	// Roots are the root keys to look for in addition to those that the clients read; nil means
	// every known one.
	Roots []string
	// State reports that the tool of these files itself keeps them out of git: mcplumb reads them
	// even if git ignores them. Their Paths have no *.
	State bool
	// Unopened reports that files of these paths are not opened: that they are there
	// is all they say.
	Unopened bool
	// JSON5 reports that files may be JSON5, of which mcplumb reads only JSON with comments: it
	// reports one with servers as not read.
	JSON5 bool
	// ReadOnly reports that no entry can be written into the files: each entry needs facts that
	// no client of another file knows.
	ReadOnly bool
	// IsReadOnlyIn, if there is one, reports the same of the files of a directory.
	IsReadOnlyIn func(dir string) bool
	// Begin, if there is one, returns the beginning of a new file of a path, without which its
	// client does not accept the file.
	Begin func(path string) []edit.Member
	// Finish, if there is one, adds to an entry the members that only files of this format have.
	Finish func(*Draft)
	// Linked is the format of files that this one links to; nil means its own.
	Linked *Format
	// Markdown reports that only the front matter of a file is parsed.
	Markdown bool
	// Parse turns the bytes into a tree.
	Parse func(*syntax.Parser, *syntax.File) (*syntax.Tree, error)
	// Read turns the tree into a document, or nil if it has no MCP configuration. The function
	// Read fills in what all formats have in common.
	Read func(*Input) *mcp.Document
}
