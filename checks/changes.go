package checks

import (
	"fmt"
	"net/textproto"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// brought are the files whose servers somebody starts. What only publishes a server
// starts none, and nor does an example.
var brought = Reads{Without: []mcp.Scope{mcp.ScopeRegistry}}

// changes are the servers that a change brings.
type changes struct {
	// was is what ran at the base under the name of a server that runs something else.
	was map[*mcp.Server]*mcp.Server
	// isNew reports of a server that the base started it nowhere. given are the names of
	// the variables and headers that the new servers of one key get, sorted.
	isNew map[*mcp.Server]bool
	given map[string][]string
	// beside are the other servers that run what a changed one runs, by what that is.
	beside map[string][]*mcp.Server
}

// newChanges compares the servers of the projects that a change concerns.
func newChanges(b *Base) *changes {
	c := &changes{
		was: map[*mcp.Server]*mcp.Server{}, isNew: map[*mcp.Server]bool{}, given: map[string][]string{}, beside: map[string][]*mcp.Server{},
	}
	index := newNameIndex(b.then, b.now)
	var unknown []*mcp.Server
	swapped := map[string]bool{}
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		for s := range serversOf(p) {
			if !isRunning(s) { // a name that looks like one to fill in hides nothing
				continue
			}
			switch was, isSame := index.under(s); {
			case was == nil || isSame && !isRunning(was):
				unknown = append(unknown, s)
			case !isSame:
				c.was[s] = was
				swapped[byKey(s)] = true
			}
		}
	}
	for _, s := range b.unstarted(unknown, index) {
		if key := byKey(s); swapped[key] {
			c.beside[key] = append(c.beside[key], s)
		} else {
			c.isNew[s] = true
			c.given[key] = append(c.given[key], givenTo(s)...)
		}
	}
	for key, names := range c.given {
		slices.Sort(names)
		c.given[key] = slices.Compact(names)
	}
	return c
}

// givenTo returns the names of the variables and headers that a server gets.
func givenTo(s *mcp.Server) []string {
	var names []string
	for _, word := range s.Launch.PassEnv {
		names = append(names, word.Text)
	}
	for _, pair := range s.Launch.Env {
		names = append(names, pair.Name.Text)
	}
	for _, pair := range s.Launch.Headers {
		names = append(names, textproto.CanonicalMIMEHeaderKey(pair.Name.Text))
	}
	config := s.Resolved().Config() // what wrappers and bridges set
	for _, setting := range config.Env {
		names = append(names, setting.Name)
	}
	for _, setting := range config.Headers {
		names = append(names, textproto.CanonicalMIMEHeaderKey(setting.Name))
	}
	return names
}

// stories are what a project says of the servers that are one story, by what they run.
type stories struct {
	project  *mcp.Project
	servers  map[string][]*mcp.Server
	approved approvals
	trusted  map[string][]Related
}

// storiesOf returns the stories of those servers of a project that belong to one.
func storiesOf(p *Pass, isOne func(*mcp.Server) bool) *stories {
	x := &stories{project: p.Project, servers: map[string][]*mcp.Server{}, trusted: map[string][]Related{}}
	for s := range p.Servers() {
		if isOne(s) {
			x.servers[byKey(s)] = append(x.servers[byKey(s)], s)
		}
	}
	if len(x.servers) > 0 {
		x.approved = approvalsOf(p.Project)
	}
	return x
}

// trust returns the places that approve the servers of a story by their names.
func (x *stories) trust(key string) []Related {
	trusted, known := x.trusted[key]
	if known {
		return trusted
	}
	seen := map[string]bool{}
	for _, s := range x.servers[key] {
		for _, place := range x.approved.trust(x.project, s) {
			at := fmt.Sprint(place.File.Path, place.Span)
			if !seen[at] && len(trusted) <= maxRelated {
				seen[at], trusted = true, append(trusted, place)
			}
		}
	}
	x.trusted[key] = trusted
	return trusted
}

// serversOf returns the servers that a project starts, or has switched off.
func serversOf(p *mcp.Project) func(yield func(*mcp.Server) bool) {
	return func(yield func(*mcp.Server) bool) {
		for doc := range documents(p, &brought) {
			for _, s := range doc.Servers {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// unstarted returns those of some servers that the base started nowhere. Projects that no
// change concerns are looked through only for what is not known without them: they are as
// they were.
func (b *Base) unstarted(servers []*mcp.Server, index *nameIndex) []*mcp.Server {
	isKnown := func(s *mcp.Server) bool { return index.started[byKey(s)] || index.respells(s) }
	servers = slices.DeleteFunc(servers, isKnown)
	if len(servers) == 0 {
		return nil
	}
	names, keys := map[string]bool{}, map[string]bool{}
	for _, s := range servers {
		names[s.Name], keys[byKey(s)] = true, true
	}
	for _, p := range b.now.Projects {
		if b.concerns(p.Dir) {
			continue
		}
		for s := range serversOf(p) {
			if isRunning(s) && (names[s.Name] || keys[byKey(s)]) {
				index.addStarted(s)
			}
		}
	}
	return slices.DeleteFunc(servers, isKnown)
}

// nameIndex finds the servers of a base.
type nameIndex struct {
	// byPlace are the servers by their places, byName those that are started.
	byPlace map[namePlace][]*mcp.Server
	byName  map[string][]*mcp.Server
	// started is what is run.
	started map[string]bool
	// dirs are the directories of the base's projects.
	dirs map[string]bool
}

// namePlace is where a name stands for a server: in a project, for a client, or in files
// of a format that no client is known to read. The directory of projects that are no
// more is goneDir.
type namePlace struct{ dir, family, name string }

// goneDir is no directory.
const goneDir = "\x00"

// newNameIndex returns the servers of a base. now tells which of its projects are no
// more.
func newNameIndex(then, now *mcp.Repo) *nameIndex {
	x := &nameIndex{
		byPlace: map[namePlace][]*mcp.Server{}, byName: map[string][]*mcp.Server{}, started: map[string]bool{}, dirs: map[string]bool{},
	}
	isThere := map[string]bool{}
	for _, p := range now.Projects {
		isThere[p.Dir] = true
	}
	for _, p := range then.Projects {
		x.dirs[p.Dir] = true
		dir := p.Dir
		if !isThere[dir] {
			dir = goneDir
		}
		for s := range serversOf(p) {
			if s.Identity.Kind == identity.None {
				continue
			}
			for _, family := range familiesOf(s.Document) {
				at := namePlace{dir, family, s.Name}
				x.byPlace[at] = append(x.byPlace[at], s)
			}
			if isRunning(s) {
				x.addStarted(s)
			}
		}
	}
	return x
}

// addStarted adds a server that the base starts.
func (x *nameIndex) addStarted(s *mcp.Server) {
	x.byName[s.Name] = append(x.byName[s.Name], s)
	x.started[byKey(s)] = true
}

// familiesOf returns the clients of a document, or its format.
func familiesOf(doc *mcp.Document) []string {
	if len(doc.Clients) == 0 {
		return []string{"the format " + doc.Format}
	}
	families := make([]string, len(doc.Clients))
	for i, c := range doc.Clients {
		families[i] = c.ID
	}
	return families
}

// under returns what had the name of a server at the base, nil for nothing, and whether
// it is the same: if any of several is, that one.
func (x *nameIndex) under(s *mcp.Server) (was *mcp.Server, isSame bool) {
	dir := s.Document.Project.Dir
	if !x.dirs[dir] {
		dir = goneDir // it may have moved
	}
	compared := 0
	for _, family := range familiesOf(s.Document) {
		for _, other := range x.byPlace[namePlace{dir, family, s.Name}] {
			if compared++; compared > maxSpellings {
				return was, isSame
			}
			same := isSameServer(other, s)
			if same && isRunning(other) {
				return other, true
			}
			if was == nil || same && !isSame {
				was, isSame = other, same
			}
		}
	}
	return was, isSame
}

// respells reports whether the base started the same program under the same name,
// wherever, written in another way.
func (x *nameIndex) respells(s *mcp.Server) bool {
	named := x.byName[s.Name]
	return slices.ContainsFunc(named[:min(len(named), maxSpellings)], func(other *mcp.Server) bool { return isSameServer(other, s) })
}

// isSameServer reports whether two servers of one name are the same program, package or
// address: with other arguments, another version, another query, written in other words.
func isSameServer(was, now *mcp.Server) bool {
	a, b := &was.Identity, &now.Identity
	if a.Key() == b.Key() || a.Kind == b.Kind && a.Kind == identity.FileKind && pathInProject(was) == pathInProject(now) {
		return true
	}
	switch level := identity.Compare(was.Resolved(), now.Resolved()); {
	case level >= identity.Respelled:
		return true
	case level == identity.Related && a.Kind == b.Kind:
		return a.Kind != identity.URL || a.Name == b.Name
	}
	return false
}

// pathInProject returns the path of a server's file from the directory of its project,
// which may have moved with all that is in it.
func pathInProject(s *mcp.Server) string {
	path, dir := s.Identity.Name+"/", s.Document.Project.Dir
	if dir == "" {
		return path
	}
	return strings.TrimPrefix(path, dir+"/")
}

// isOtherForSure reports whether two servers that are not the same have nothing to do
// with each other. Two addresses of a host may be one server's, two forms of one vendor's
// program bring one program, what is in the repository is there to be read, and of what
// nobody understands nobody knows.
func isOtherForSure(was, now *mcp.Server) bool {
	a, b := &was.Identity, &now.Identity
	isHere := func(id *identity.Identity) bool {
		return id.Kind == identity.FileKind && !strings.HasPrefix(id.Name, "/") && !strings.HasPrefix(id.Name, "~")
	}
	switch {
	case a.Kind == identity.Opaque || b.Kind == identity.Opaque, isHere(a) && isHere(b):
		return false
	}
	return identity.Compare(was.Resolved(), now.Resolved()) == identity.Different
}
