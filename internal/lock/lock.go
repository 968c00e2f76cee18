// Package lock makes mcplumb.lock: what each server of a repository really is, by its
// identity and not by its names, so that a server under another name is no other one. It
// reads no file and asks no registry: what registries say is in the repository already.
//
// docs/lock.md describes the file.
package lock

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Name is the name of the lockfile, in the root of a repository.
const Name = "mcplumb.lock"

// version is that of the form of the file.
const version = 1

// Lock is what the file says.
type Lock struct {
	Version int
	Servers []Server
}

// Server is what is locked of one server.
type Server struct {
	// Identity is what it runs, as mcplumb list shows it ("npm:@upstash/context7-mcp").
	Identity string
	// Selector tells servers of one package, image or address apart.
	Selector []string
	// Names and Files are those that use it, sorted.
	Names []string
	Files []string
	// Version is the one version that was resolved, "" without one.
	Version string
	// Integrity is the hash of what is fetched, as its registry gives it; of a remote
	// server that of how it is reached, of a program of the repository that of its file.
	// Where a version has several files it is the hash of their sorted hashes, which
	// Hashes has.
	Integrity string
	Hashes    []string
	// Unlocked says why there is no hash of something that could have one, "" for what has one
	// or needs none.
	Unlocked string

	// isEmptied reports that the file has an integrity with nothing in it, which mcplumb does
	// not write.
	isEmptied bool
}

// program is the same for entries that run the same program, at any version.
func (s *Server) program() string { return s.Identity + "\x00" + strings.Join(s.Selector, "\x00") }

// key is what entries of one server share.
func (s *Server) key() string { return s.program() + "\x01" + s.Version }

// Gap is something that could not be locked, or not all of it.
type Gap struct {
	// Server is the name of the entry, Path the file that has it.
	Server, Path string
	// Why is a clause.
	Why string
	// IsChanged reports that its registry has another hash for the version that is
	// locked than it had, or that more than one is locked; IsUnread that its file has a hash and cannot be read today, so
	// that it is unknown whether it is the same.
	IsChanged, IsUnread bool
}

// Unlocked counts the servers without a hash that could have one.
func (l *Lock) Unlocked() int {
	count := 0
	for i := range l.Servers {
		if l.Servers[i].Unlocked != "" {
			count++
		}
	}
	return count
}

// Build returns the lock of a repository. Of what cannot be known, known, the lock that
// there is, is kept as far as it still fits; nil for none. read returns a file of the
// repository.
func Build(repo *mcp.Repo, known *Lock, read func(path string) ([]byte, error)) (*Lock, []Gap) {
	l, gaps, _ := Trace(repo, known, read)
	return l, gaps
}

// Trace is Build, and says of each entry of a client's file which server of the lock it
// is; one that cannot be locked is not there.
func Trace(repo *mcp.Repo, known *Lock, read func(path string) ([]byte, error)) (*Lock, []Gap, map[*mcp.Server]*Server) {
	b := builder{
		repo: repo, known: byKey(known), versions: map[string][]*Server{}, tools: Tools(repo), keys: map[*mcp.Server]string{},
		written: map[string]bool{}, called: map[string]bool{}, asked: map[string]*Server{}, byKey: map[string]*Server{}, remotes: map[string][]string{}, read: read,
	}
	if known != nil {
		for i := range known.Servers {
			s := &known.Servers[i]
			b.versions[s.program()] = append(b.versions[s.program()], s)
		}
	}
	places := credential.Places{}
	for _, p := range repo.Projects {
		places.AddCredentials(p)
	}
	b.blanker = secret.Blanker(places)
	b.lookOver()
	for _, p := range repo.Projects {
		for _, d := range p.ClientFiles() {
			for _, s := range d.Servers {
				b.add(p, s)
			}
		}
	}
	l := &Lock{Version: version}
	for key, s := range b.byKey {
		s.Names, s.Files = unique(s.Names), unique(s.Files)
		if hashes := b.remotes[key]; hashes != nil {
			s.Integrity = compare.HashOfFiles(unique(hashes))
		}
		l.Servers = append(l.Servers, *s)
	}
	slices.SortFunc(l.Servers, func(a, b Server) int { return strings.Compare(a.key(), b.key()) })
	locked := byKey(l)
	of := make(map[*mcp.Server]*Server, len(b.keys))
	for s, key := range b.keys {
		of[s] = locked[key]
	}
	return l, b.gaps, of
}

// Holder returns what reports whether the lock has a server at the same version, with the
// same hash; of no lock it holds none.
func (l *Lock) Holder() func(*Server) bool {
	known := byKey(l)
	return func(s *Server) bool { return known[s.key()] != nil && known[s.key()].Integrity == s.Integrity }
}

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

type builder struct {
	repo *mcp.Repo
	// known are the entries of the lock that there is, by their keys; versions all of them
	// by what they run.
	known    map[string]*Server
	versions map[string][]*Server
	// written are the keys of servers that ask for one exact version, called the programs
	// and names of all, asked the entries that are locked for those which ask for something
	// else, by program and the words in which they do.
	written, called map[string]bool
	asked           map[string]*Server
	// tools are those of servers that other lockfiles know.
	tools map[*mcp.Server][]string
	// byKey are the entries, remotes how each of those that are remote is reached: a hash
	// for each entry of a client.
	byKey   map[string]*Server
	remotes map[string][]string
	// keys are the keys of the entries that servers are locked as.
	keys map[*mcp.Server]string
	gaps []Gap
	// blanker knows the credentials of the repository, wherever they are.
	blanker *strings.Replacer
	read    func(path string) ([]byte, error)
}

// add locks one entry of a client's file.
func (b *builder) add(p *mcp.Project, s *mcp.Server) {
	id := &s.Identity
	gap := func(why string) {
		b.gaps = append(b.gaps, Gap{Server: s.Name, Path: s.Document.File.Path, Why: why})
	}
	if id.Kind == identity.None {
		gap("its command is a placeholder")
		return
	}
	entry := Server{Identity: id.String(), Selector: id.Selector, Names: []string{s.Name}, Files: []string{s.Document.File.Path}}
	if b.isSecret(&entry) {
		gap("its command or name contains a credential, and no lockfile may contain one")
		return
	}
	entry.Version = b.resolve(p, s, &entry)
	b.keys[s] = entry.key()
	if id.Kind == identity.URL {
		b.remotes[entry.key()] = append(b.remotes[entry.key()], hashOfRemote(s, b.tools[s]))
	}
	if same := b.byKey[entry.key()]; same != nil {
		same.Names, same.Files = append(same.Names, s.Name), append(same.Files, s.Document.File.Path)
		return
	}
	if none := b.addHash(s, &entry); none.Why != "" {
		gap(none.Why)
		entry.Unlocked = none.Reason
	}
	b.byKey[entry.key()] = &entry
}

// lookOver notes what the servers of a repository are called and ask for.
func (b *builder) lookOver() {
	for _, p := range b.repo.Projects {
		for _, d := range p.ClientFiles() {
			for _, s := range d.Servers {
				b.note(s)
			}
		}
	}
}

func (b *builder) note(s *mcp.Server) {
	id := &s.Identity
	entry := Server{Identity: id.String(), Selector: id.Selector, Names: []string{s.Name}, Files: []string{s.Document.File.Path}}
	b.called[entry.program()+"\x01"+s.Name] = true
	if id.Version.Kind == identity.Exact {
		entry.Version = writtenVersion(id)
		b.written[entry.key()] = true
		return
	}
	if asks := entry.program() + "\x01" + id.Version.Text; b.asked[asks] == nil {
		b.asked[asks] = b.namedAs(packageOf(id), &entry)
	}
}

// writtenVersion returns the exact version that an entry asks for.
func writtenVersion(id *identity.Identity) string {
	return cmp.Or(id.Version.Release(), id.Version.Text)
}

// isSecret reports whether an entry would hold what is not to be copied, or what is a
// credential elsewhere in the repository.
func (b *builder) isSecret(s *Server) bool {
	return slices.ContainsFunc(slices.Concat([]string{s.Identity}, s.Selector, s.Names, s.Files), func(text string) bool {
		return !secret.MayCopy("", text) || b.blanker.Replace(text) != text
	})
}

// resolve returns the version that a server runs at: the one that is written, the one
// that the project has installed, the one that is locked already, else the one that its
// registry says to take.
func (b *builder) resolve(p *mcp.Project, s *mcp.Server, entry *Server) string {
	id := &s.Identity
	if !id.IsPackage() {
		return ""
	}
	if id.Version.Kind == identity.Exact {
		return writtenVersion(id)
	}
	pkg := packageOf(id)
	if in := p.InstalledFor(s, pkg); in != nil && in.Version != "" {
		return in.Version
	}
	if id.Kind == identity.OCI {
		return cmp.Or(id.Version.Text, "latest")
	}
	if known := b.resolvedFor(pkg, entry); known != nil {
		return known.Version
	}
	return reputation.VersionToPin(b.repo.Registries, pkg)
}

// resolvedFor returns the entry that is locked for a server which asks for no exact
// version, nil for none: the one that has its name, else that of another server which asks
// in the same words, else one whose servers are all called something else today.
func (b *builder) resolvedFor(pkg identity.Fetched, entry *Server) *Server {
	if known := b.namedAs(pkg, entry); known != nil {
		return known
	}
	if known := b.asked[entry.program()+"\x01"+pkg.Version.Text]; known != nil {
		return known
	}
	return b.find(pkg, entry, func(s *Server) bool {
		isCalled := func(name string) bool { return b.called[s.program()+"\x01"+name] }
		return !b.written[s.key()] && !slices.ContainsFunc(s.Names, isCalled)
	})
}

// namedAs returns the entry that is locked under the name of a server, the one of its own
// file first; nil for none.
func (b *builder) namedAs(pkg identity.Fetched, entry *Server) *Server {
	isNamed := func(s *Server) bool { return slices.Contains(s.Names, entry.Names[0]) }
	own := b.find(pkg, entry, func(s *Server) bool { return isNamed(s) && slices.Contains(s.Files, entry.Files[0]) })
	return cmp.Or(own, b.find(pkg, entry, isNamed))
}

// find returns the first entry that is locked for a package at a version which it may have.
func (b *builder) find(pkg identity.Fetched, entry *Server, is func(*Server) bool) *Server {
	all := b.versions[entry.program()]
	i := slices.IndexFunc(all, func(s *Server) bool {
		return s.Version != "" && (pkg.Version.Kind != identity.Range || pkg.Takes(s.Version)) && is(s)
	})
	if i < 0 {
		return nil
	}
	return all[i]
}

// packageOf returns the package that a server is.
func packageOf(id *identity.Identity) identity.Fetched {
	return identity.Fetched{Kind: id.Kind, Name: id.Name, Version: id.Version, Launcher: id.Launcher, NamesSource: id.NamesSource}
}
