// Package shape knows what the formats of files share: how the root of a file is found, how
// an entry becomes a server, what a lockfile's parts may be, and what clients refuse of all
// that. A format (package format) is data about a kind of file and one function that uses
// these. A parsed file goes in, a document comes out.
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
	// IsReadOnlyIn, where there is one, reports so of the files of a directory.
	IsReadOnlyIn func(dir string) bool
	// Begin, where there is one, returns what a new file of a path begins with, without
	// which its client takes none.
	Begin func(path string) []edit.Member
	// Finish, where there is one, adds to an entry what only files of this format say.
	Finish func(*Draft)
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
