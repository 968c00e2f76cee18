package shape

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Root is the value that holds the servers.
type Root struct {
	Key   string         // as a dotted path, "" for a bare map
	Nodes []*syntax.Node // from the document's root to the value
}

// Value is the map or list of servers.
func (r *Root) Value() *syntax.Node { return r.Nodes[len(r.Nodes)-1] }

// Parent is the object that holds the root key, or the map itself if it is
// bare.
func (r *Root) Parent() *syntax.Node { return r.Nodes[max(len(r.Nodes)-2, 0)] }

// concerns reports whether a repeated key is within the root value or is one of
// the keys that lead to it.
func (r *Root) concerns(d syntax.Duplicate) bool {
	if r == nil {
		return false
	}
	if r.Value().Value.Contains(d.Object) {
		return true
	}
	for i, node := range r.Nodes[1:] {
		if r.Nodes[i].Value == d.Object && node.Name == d.Again.Name {
			return true
		}
	}
	return false
}

// KnownRoots are the root keys of all clients. A wrong one for its path is read
// too, so that a rule can name it.
func KnownRoots() []string {
	return []string{
		"mcpServers", "servers", "mcp.servers", "mcp", "context_servers",
		"amp.mcpServers", "mcp_servers", "mcp-servers",
	}
}

// FindRoot returns the value that holds the servers, or nil. A key that a client loads has
// precedence over one that none loads, and one with servers over an empty one. Only a dedicated
// file may have an empty one, or none at all; FindRoot does not check whether its clients load
// the file then.
func (in *Input) FindRoot() *Root {
	r := in.rootOf(in.Tree.Root)
	for _, top := range in.Tree.Rest {
		if r == nil {
			r = in.rootOf(top)
		}
	}
	return r
}

// rootOf does so for one document of a file.
func (in *Input) rootOf(top *syntax.Node) *Root {
	if r := FirstRoot(top, in.plan.roots, in.HoldsEntries); r != nil {
		return r
	}
	if r := FirstRoot(top, in.plan.others, holdsServers); r != nil {
		return r
	}
	if !in.Match.Format.Dedicated {
		if r := FirstRoot(top, in.plan.roots, in.stops); r != nil {
			return r
		}
		return in.misspelledRoot(top)
	}
	if IsBareMap(top) {
		return &Root{Nodes: []*syntax.Node{top}}
	}
	if r := FirstRoot(top, in.plan.roots, isValue); r != nil {
		return r
	}
	return in.misspelledRoot(top)
}

// stops reports whether a client fails to start because of the value under its root key. An entry
// without a server may add to an entry of another file.
func (in *Input) stops(n *syntax.Node) bool {
	var stopped []*mcp.Client
	for _, c := range in.plan.clients {
		if in.isFatalTo(c) {
			stopped = append(stopped, c)
		}
	}
	isSure := func(r mcp.Refusal) bool { return r.Fatal && r.Reason != mcp.MissingTarget }
	return len(stopped) > 0 && (n.Kind != syntax.Object || slices.ContainsFunc(in.Refusals(n, stopped), isSure))
}

// misspelledRoot returns the first key that is nearly one of the root keys and
// holds servers.
func (in *Input) misspelledRoot(top *syntax.Node) *Root {
	for _, m := range top.Nodes {
		for _, key := range in.plan.roots {
			if isNearly(m.Name, key) && !isSigned(m.Name) && holdsServers(m) {
				return &Root{Key: m.Name, Nodes: []*syntax.Node{top, m}}
			}
		}
	}
	return nil
}

// isSigned reports whether a key begins or ends with something else than a letter, as in
// "_mcpServers": where JSON has no comments, this is how people disable the value of a key. An
// invisible character is not a sign: it hides the key from readers.
func isSigned(key string) bool {
	return strings.TrimFunc(key, func(c rune) bool { return !unicode.IsLetter(c) && unicode.IsGraphic(c) }) != key
}

// HoldsEntries decides about a root key that is right for its place. In a file that is no
// client's own, its value must look like servers. An element of a list may be wrong because it
// starts no server, or has no name itself; a member of a map without a server may add to an entry
// of another file.
func (in *Input) HoldsEntries(n *syntax.Node) bool {
	if len(in.plan.clients) == 0 && !in.Match.Format.Dedicated {
		return holdsServers(n)
	}
	if n.Kind == syntax.Array {
		return slices.ContainsFunc(n.Nodes, func(entry *syntax.Node) bool {
			return IsServer(entry) || entry.Kind == syntax.Object && hasStructure(entry) && !isOverride(entry) && !in.skips(entry)
		})
	}
	return AnyEntry(n, IsServer)
}

// FirstRoot returns the first key whose value is accepted.
func FirstRoot(top *syntax.Node, keys []string, accept func(*syntax.Node) bool) *Root {
	var found [maxKeyDepth]*syntax.Node
	for _, key := range keys {
		if nodes := Lookup(top, key, append(found[:0], top)); nodes != nil && accept(nodes[len(nodes)-1]) {
			return &Root{Key: key, Nodes: append([]*syntax.Node(nil), nodes...)}
		}
	}
	return nil
}

// maxKeyDepth is the number of nodes from the root to the value of the longest
// root key there is; a longer one only costs an allocation.
const maxKeyDepth = 5

// Lookup follows a dotted key down from n. Every dot may be a dot of a key or a step into an
// object: for VS Code {"mcp.servers": …} is the same as {"mcp": {"servers": …}}. It returns the
// nodes on the way appended to nodes, or nil.
func Lookup(n *syntax.Node, key string, nodes []*syntax.Node) []*syntax.Node {
	if m := n.Get(key); m != nil {
		return append(nodes, m)
	}
	for i := range len(key) {
		if key[i] != '.' {
			continue
		}
		if m := n.Get(key[:i]); m != nil {
			if found := Lookup(m, key[i+1:], append(nodes, m)); found != nil {
				return found
			}
		}
	}
	return nil
}

func isValue(n *syntax.Node) bool { return n.Kind != syntax.Null }

func IsContainer(n *syntax.Node) bool { return n.Kind == syntax.Object || n.Kind == syntax.Array }

// holdsServers reports whether a value is a map or a named list of at least one
// thing that can only be a server.
func holdsServers(n *syntax.Node) bool {
	if n.Kind == syntax.Array {
		return AnyEntry(n, looksLikeListedServer)
	}
	return AnyEntry(n, looksLikeServer)
}

// AnyEntry reports whether a map or named list has an entry that is accepted.
func AnyEntry(n *syntax.Node, accept func(*syntax.Node) bool) bool {
	switch n.Kind {
	case syntax.Object:
		for _, entry := range n.Nodes {
			if accept(entry) {
				return true
			}
		}
	case syntax.Array:
		for _, entry := range n.Nodes {
			if listName(entry) != nil && accept(entry) {
				return true
			}
		}
	}
	return false
}

// IsBareMap reports whether an object is a map of servers without a root key: every member is an
// object, except "$schema" and members that serve as comments.
func IsBareMap(n *syntax.Node) bool {
	for _, m := range n.Nodes {
		if m.Kind != syntax.Object && !isAside(m.Name) {
			return false
		}
	}
	return n.Kind == syntax.Object && AnyEntry(n, IsServer)
}

// isAside reports whether a member next to the servers says something about the
// file.
func isAside(name string) bool {
	return strings.HasPrefix(name, "$") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "//") || name == "inputs"
}
