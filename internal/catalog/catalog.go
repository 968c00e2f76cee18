// Package catalog makes a read-only registry of the servers that a repository has vetted:
// those that are locked and without findings. It turns what a run found into servers, and
// requests into answers, for the protocol of Casys PML's registry, the API of the MCP registry
// (v0.1), and a page for people. It reads no file, asks no registry and listens to nothing.
//
// docs/catalog.md describes what it answers.
package catalog

import (
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/instep"
)

// Type is how a server is run, in PML's words.
type Type string

// The types of servers.
const (
	Stdio Type = "stdio" // a program that a client starts
	HTTP  Type = "http"  // an address, with any transport
	Deno  Type = "deno"  // code that a client loads
)

// Server is a server of a catalog. It holds no value of a variable or a header.
type Server struct {
	// Name is what its entries call it, most of them; Names are all that they do and Files
	// those that have them, sorted.
	Name         string
	Names, Files []string
	// Kind, Package and Selector are its identity, Version what is locked.
	Kind     identity.Kind
	Package  string
	Selector []string
	Version  string
	// Locked is the hash in the lockfile as PML has hashes: an algorithm, a hyphen and hexadecimal
	// digits. Integrity is it as the lockfile has it, "" where that has none (of a commit).
	Locked, Integrity string
	Type              Type
	// Command and Args start a server of the type Stdio, its package at the locked version
	// where the words name one. Own are those of Args behind the package.
	Command   string
	Args, Own []string
	// Runtime is the command line before the package, if that is more than every client
	// writes. IsPartlySaid reports that it, the package, its version, Own and the variables do
	// not say all of how it is started.
	Runtime      runtime
	IsPartlySaid bool
	// Launches are hashes of what its entries also load (checks.LoadedBeside), "" among them
	// for nothing; NamesSource reports that they take the package from another registry.
	Launches    []string
	NamesSource bool
	Launcher    string
	// Address is where a server of the type HTTP is, Transport what is spoken there:
	// "http", "sse", "ws" or "" where that is not given.
	Address, Transport string
	// Environment are the variables that the user must set, Headers the headers that are sent,
	// both by name and sorted.
	Environment, Headers []string
	// Tools are the tools that a lockfile knows, each as "server:tool".
	Tools []string
	// Written are its entries that are enabled, as lists of allowed servers see them.
	Written []Way
	// Holds and IsRelative are of Command and Args.
	Holds      Holding
	IsRelative bool
	// Code is that of the type Deno.
	Code []byte
	// Repository is the URL of its source, Description a text about it for people; "" if
	// missing.
	Repository, Description string

	// hash is the hash that PML gets.
	hash string
	// base is the full name in PML without the hash at its end, "" where it has none.
	base string
	// isTool reports that PML gets the server, and no newer version of it.
	isTool bool
	// registered is the name in the MCP registry, "" where it has none.
	registered string
	// written returns what gives the server to clients.
	written func() []*snippet
}

// LeftOut is an entry that is not in the catalog, or not in one of its lists.
type LeftOut struct {
	// Server is the name of the entry, Path the file that has it.
	Server, Path string
	// From is the list that it is not in, "" for all of them.
	From string
	// Why is a clause.
	Why string
}

// Catalog is what can be asked for.
type Catalog struct {
	// Title is what the page for people is called, At when it was last changed.
	title string
	at    time.Time
	// servers are sorted by name and version.
	servers []*Server
	// tools are those that PML knows, sorted by full name; byBase has them by full name
	// without the hash.
	tools  []*Server
	byBase map[string]*Server
	// listed are those of the MCP registry, sorted by name and version; byName has them by
	// name, the newest version first.
	listed []*listing
	byName map[string][]*listing
	// pageTemplate is the template of the page for people, which is parsed when it is written first.
	pageTemplate func() *template.Template
}

// New makes a catalog of servers, and says which of them are not in one of its lists.
// title is the name of the page for people, at the time of the last change.
func New(title string, at time.Time, servers []*Server, naming Naming) (*Catalog, []LeftOut) {
	c := &Catalog{title: title, at: at.UTC().Truncate(time.Second), byBase: map[string]*Server{}, byName: map[string][]*listing{}}
	c.pageTemplate = sync.OnceValue(parsePage)
	files := sync.OnceValue(instep.NewFiles)
	for _, s := range servers {
		named := *s
		named.hash = hashOf(s)
		named.written = sync.OnceValue(func() []*snippet { return named.snippets(files()) })
		c.servers = append(c.servers, &named)
	}
	slices.SortStableFunc(c.servers, func(a, b *Server) int {
		if order := strings.Compare(a.Name, b.Name); order != 0 {
			return order
		}
		return compareVersions(a, b)
	})
	left := c.nameTools(naming)
	return c, append(left, c.nameListed(naming)...)
}

// Len returns how many servers the catalog has.
func (c *Catalog) Len() int { return len(c.servers) }

// Identity returns what a server runs, as mcplumb list shows it.
func (s *Server) Identity() string { return string(s.Kind) + ":" + s.Package }

// program is the same for servers that run the same program, at any version.
func (s *Server) program() string { return s.Identity() + "\x00" + strings.Join(s.Selector, "\x00") }

// path is the first file that has the server.
func (s *Server) path() string {
	if len(s.Files) == 0 {
		return ""
	}
	return s.Files[0]
}
