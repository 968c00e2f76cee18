package view

import (
	"iter"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Server is a configured server, with what the rest of the repository says of it.
type Server struct {
	view   *View
	server *mcp.Server
	// lock is its entry in a lockfile, nil if it has none.
	lock *mcp.LockEntry
	// repository is the URL of its source repository, "" where it is not given.
	repository string
	// clients load it, by any name of its file.
	clients []*mcp.Client
}

// entryKey distinguishes an entry of a file from others, by any name of the file.
type entryKey struct {
	file     *syntax.File
	name     syntax.Span
	entry    syntax.Span
	identity string
}

func keyOf(s *mcp.Server) entryKey {
	return entryKey{s.Document.File, s.NameSpan, s.Span, s.Identity.Key()}
}

// Servers returns every server in the order of the repository. An entry of a file
// that clients open by several names is one.
func (v *View) Servers() []Server {
	var servers []Server
	published := map[string]string{} // repositories by identity
	known := map[entryKey]int{}      // index in servers
	for _, p := range v.projects() {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				if at, again := known[keyOf(s)]; again && servers[at].server.Document != d {
					servers[at].alsoLoadedBy(d.Loaders())
					continue
				}
				known[keyOf(s)] = len(servers)
				servers = append(servers, Server{view: v, server: s, lock: s.Locked, repository: s.Extra().Repository, clients: d.Loaders()})
				if s.Extra().Repository == "" {
					continue
				}
				if key := s.Identity.Key(); key != "" && published[key] == "" {
					published[key] = s.Extra().Repository
				}
			}
		}
	}
	for i := range servers {
		s := &servers[i]
		if s.repository == "" && s.lock != nil {
			s.repository = s.lock.Target.Repository
		}
		if s.repository == "" && len(published) > 0 {
			s.repository = published[s.server.Identity.Key()]
		}
	}
	return servers
}

func (v *View) projects() []*mcp.Project {
	if v.run.Repo == nil {
		return nil
	}
	return v.run.Repo.Projects
}

// Name returns the server's name.
func (s Server) Name() Text { return s.view.text(s.server.Name) }

// Place returns the place of the name.
func (s Server) Place() Place { return s.view.place(s.server.Document.File, s.server.NameSpan) }

// Identity returns what the server runs.
func (s Server) Identity() Identity { return Identity{s.view, &s.server.Identity} }

// Title returns what the server runs as it is shown, with this machine
// called as the file calls it: identities have one name for it.
func (s Server) Title() Text {
	title := s.Identity().Title().Plain()
	if !s.Identity().IsURL() {
		return Text{title}
	}
	for _, written := range []string{"127.0.0.1", "[::1]"} {
		if strings.Contains(s.server.Launch.URL.Text, "://"+written) {
			title = strings.Replace(title, "://localhost", "://"+written, 1)
		}
	}
	return NewText(title)
}

// IsOff reports that the server is disabled.
func (s Server) IsOff() bool { return !s.server.IsStarted() }

// Repository returns the URL of the source repository, empty where it is not given.
func (s Server) Repository() Text { return NewText(s.repository) }

// RegistryName returns the name in the MCP registry by which the entry was added.
func (s Server) RegistryName() Text { return NewText(s.server.Extra().Registry.Text) }

// Clients returns the clients that load the server. One that reads the file with another root
// key does not.
func (s Server) Clients() []*mcp.Client { return s.clients }

// alsoLoadedBy adds the clients that load the server by another name of its file.
func (s *Server) alsoLoadedBy(clients []*mcp.Client) {
	for _, c := range clients {
		if !slices.Contains(s.clients, c) {
			s.clients = append(s.clients[:len(s.clients):len(s.clients)], c)
		}
	}
}

// Format returns the name of the file's format, Scope what the file configures.
func (s Server) Format() string { return s.server.Document.Format }
func (s Server) Scope() string  { return string(s.server.Document.Scope) }

// Project returns the directory that the file configures, zero for the root.
func (s Server) Project() Path { return s.view.path(s.server.Document.Project.Dir) }

// Variables returns the names of the environment variables that the server gets.
func (s Server) Variables() []Text {
	names := pairNames(s.server.Launch.Env)
	for _, word := range s.server.Launch.PassEnv {
		names = append(names, NewText(word.Text))
	}
	return names
}

// Runs returns the commands that the client itself runs for the server: for its headers, and for
// values that it fills in.
func (s Server) Runs() []Text {
	var commands []Text
	for _, helper := range s.server.Helpers() {
		commands = append(commands, NewText(helper.Value))
	}
	return commands
}

// Headers returns the names of the headers that are sent to the server.
func (s Server) Headers() []Text { return pairNames(s.server.Launch.Headers) }

func pairNames(pairs []identity.Pair) []Text {
	var names []Text
	for _, p := range pairs {
		names = append(names, NewText(p.Name.Text))
	}
	return names
}

// Lock is the entry that a server is locked as.
type Lock struct {
	Place                    Place
	Name, Version, Integrity Text
	// RegistryType is the kind of registry, in the lockfile's words.
	RegistryType Text
}

// Lock returns the entry of the server in a lockfile, false if it has none.
func (s Server) Lock() (Lock, bool) {
	e := s.lock
	if e == nil {
		return Lock{}, false
	}
	return Lock{
		s.view.place(e.Document.File, e.NameSpan),
		NewText(e.Name), NewText(e.Pin.Version.Text), NewText(e.Pin.Integrity.Text),
		NewText(e.Target.RegistryType),
	}, true
}

// Entry is a name that a file gives to a server: a configured server, or an entry
// of a lockfile.
type Entry struct {
	Project  Path // the directory that the file configures
	Name     Text
	Place    Place
	Identity Identity
	IsOff    bool
}

// Entries goes through every name in the order of the repository. Lockfiles that
// lock tools and not servers have none.
func (v *View) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		known := map[entryKey]*mcp.Document{}
		for _, p := range v.projects() {
			for _, d := range p.Documents {
				if !v.yieldEntries(d, known, yield) {
					return
				}
			}
		}
	}
}

// yieldEntries yields the names of a file that are not known yet, and returns
// false to stop.
func (v *View) yieldEntries(d *mcp.Document, known map[entryKey]*mcp.Document, yield func(Entry) bool) bool {
	project := v.path(d.Project.Dir)
	for _, s := range d.Servers {
		if first := known[keyOf(s)]; first != nil && first != d {
			continue
		}
		known[keyOf(s)] = d
		if !yield(Entry{project, v.text(s.Name), v.place(d.File, s.NameSpan), Identity{v, &s.Identity}, !s.IsStarted()}) {
			return false
		}
	}
	if d.Lock == nil || d.Tool.PerTool {
		return true
	}
	for _, e := range d.Lock.Entries {
		if !yield(Entry{project, v.text(e.Name), v.place(d.File, e.NameSpan), Identity{v, &e.Target.Identity}, false}) {
			return false
		}
	}
	return true
}
