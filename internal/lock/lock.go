// Package lock makes mcplumb.lock: what each server of a repository really is, by its
// identity and not by its names, so that a server under another name is no other one. It
// reads no file and asks nobody: what registries say is in the repository already.
//
// docs/lock.md describes the file.
package lock

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Name is the name of the lockfile, in the root of a repository.
const Name = "mcplumb.lock"

// version is that of the form of the file.
const version = 1

// Lock is what the file says.
type Lock struct {
	Version int      `toml:"version"`
	Servers []Server `toml:"server"`
}

// Server is what is locked of one server.
type Server struct {
	// Identity is what it runs, as mcplumb list shows it ("npm:@upstash/context7-mcp").
	Identity string `toml:"identity"`
	// Selector tells servers of one package, image or address apart.
	Selector []string `toml:"selector,omitempty"`
	// Names and Files are those that use it, sorted.
	Names []string `toml:"names"`
	Files []string `toml:"files"`
	// Version is the one version that was resolved, "" where there is none.
	Version string `toml:"version,omitempty"`
	// Integrity is the hash of what is fetched, as its registry gives it; of a remote
	// server that of how it is reached, of a program of the repository that of its file.
	// Where a version has several files it is the hash of their sorted hashes, which
	// Hashes has.
	Integrity string   `toml:"integrity,omitempty"`
	Hashes    []string `toml:"hashes,omitempty,multiline"`
}

// key is what entries of one server share.
func (s *Server) key() string {
	return s.Identity + "\x00" + strings.Join(s.Selector, "\x00") + "\x01" + s.Version
}

// heading stands above what is written for people.
const heading = "# What the MCP servers of this repository are. mcplumb lock writes this file: do not edit it.\n"

// Bytes returns the file. The same lock has the same bytes, and each server lines of its
// own, so that two changes of different servers merge.
func (l *Lock) Bytes() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(heading)
	err := toml.NewEncoder(&out).Encode(l)
	return out.Bytes(), err
}

// Parse reads the file.
func Parse(content []byte) (*Lock, error) {
	l := &Lock{}
	if err := toml.Unmarshal(content, l); err != nil {
		return nil, fmt.Errorf("%s is not one that mcplumb wrote (%w): delete it, and lock again", Name, err)
	}
	if l.Version != version {
		return nil, fmt.Errorf("%s has the version %d, and this mcplumb reads %d: take the mcplumb that wrote it", Name, l.Version, version)
	}
	return l, nil
}

// Gap is something that could not be locked, or not all of it.
type Gap struct {
	// Server is the name of the entry, Path the file that has it.
	Server, Path string
	// Why is a clause.
	Why string
	// IsChanged reports that its registry has another hash for the version that is
	// locked than it had.
	IsChanged bool
}

// Build returns the lock of a repository. Of what cannot be known, known, the lock that
// there is, is kept as far as it still fits; nil for none. read returns a file of the
// repository.
func Build(repo *mcp.Repo, known *Lock, read func(path string) ([]byte, error)) (*Lock, []Gap) {
	b := builder{repo: repo, known: map[string]*Server{}, byKey: map[string]*Server{}, read: read}
	if known != nil {
		for i := range known.Servers {
			s := &known.Servers[i]
			b.known[s.key()] = s
			b.versions = append(b.versions, s)
		}
	}
	for _, p := range repo.Projects {
		for _, d := range p.ClientFiles() {
			for _, s := range d.Servers {
				b.add(p, s)
			}
		}
	}
	l := &Lock{Version: version}
	for _, s := range b.byKey {
		s.Names, s.Files = unique(s.Names), unique(s.Files)
		l.Servers = append(l.Servers, *s)
	}
	slices.SortFunc(l.Servers, func(a, b Server) int { return strings.Compare(a.key(), b.key()) })
	return l, b.gaps
}

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

type builder struct {
	repo *mcp.Repo
	// known are the entries of the lock that there is, by their keys; versions all of them.
	known    map[string]*Server
	versions []*Server
	byKey    map[string]*Server
	gaps     []Gap
	read     func(path string) ([]byte, error)
}

// add locks one entry of a client's file.
func (b *builder) add(p *mcp.Project, s *mcp.Server) {
	id := &s.Identity
	gap := func(why string) {
		b.gaps = append(b.gaps, Gap{Server: s.Name, Path: s.Document.File.Path, Why: why})
	}
	if id.Kind == identity.None {
		gap("what it runs is still to be filled in")
		return
	}
	entry := Server{Identity: id.String(), Selector: id.Selector, Names: []string{s.Name}, Files: []string{s.Document.File.Path}}
	if isSecret(&entry) {
		gap("a credential is a part of what it runs, and no lockfile may hold one")
		return
	}
	entry.Version = b.resolve(p, s, &entry)
	if same := b.byKey[entry.key()]; same != nil {
		same.Names, same.Files = append(same.Names, s.Name), append(same.Files, s.Document.File.Path)
		return
	}
	if why := b.seal(p, s, &entry); why != "" {
		gap(why)
	}
	b.byKey[entry.key()] = &entry
}

// isSecret reports whether an entry would hold a credential.
func isSecret(s *Server) bool {
	text := strings.Join(append([]string{s.Identity}, s.Selector...), "\n")
	return secret.Mask(text) != text
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
		return cmp.Or(id.Version.Release(), id.Version.Text)
	}
	pkg := packageOf(id)
	if in := p.InstalledFor(s, pkg); in != nil && in.Version != "" {
		return in.Version
	}
	if id.Kind == identity.OCI {
		return cmp.Or(id.Version.Text, "latest")
	}
	for _, known := range b.versions {
		isSame := known.Identity == entry.Identity && slices.Equal(known.Selector, entry.Selector)
		if isSame && known.Version != "" && (id.Version.Kind != identity.Range || pkg.Takes(known.Version)) {
			return known.Version
		}
	}
	return checks.VersionToPin(b.repo.Registries, pkg)
}

// packageOf returns the package that a server is.
func packageOf(id *identity.Identity) identity.Fetched {
	return identity.Fetched{Kind: id.Kind, Name: id.Name, Version: id.Version, Launcher: id.Launcher, NamesSource: id.NamesSource}
}

// seal adds the hash to an entry. It returns a clause that says why there is none.
func (b *builder) seal(p *mcp.Project, s *mcp.Server, entry *Server) (why string) {
	id := &s.Identity
	switch id.Kind {
	case identity.URL:
		entry.Integrity = hashOfRemote(s)
		return ""
	case identity.FileKind:
		content, err := b.read(id.Name)
		if err != nil {
			return "its file cannot be read, so it has no hash"
		}
		entry.Integrity = sum(content)
		return ""
	}
	if !id.IsPackage() {
		return "" // a program of the machine
	}
	if id.Version.Kind == identity.Exact && (id.Kind == identity.OCI || id.Kind == identity.Git) {
		if id.Kind == identity.OCI {
			entry.Integrity = id.Version.Text
		}
		return "" // it is its own hash
	}
	return b.sealPackage(s, entry)
}

// sealPackage takes the hash that a registry gives for the version that is locked, or the
// one that is known.
func (b *builder) sealPackage(s *mcp.Server, entry *Server) (why string) {
	known := b.known[entry.key()]
	if known != nil {
		entry.Integrity, entry.Hashes = known.Integrity, known.Hashes
	}
	now := Server{}
	if entry.Version != "" {
		now.setHashes(checks.HashesOf(b.repo.Registries, packageOf(&s.Identity), entry.Version))
	}
	switch {
	case entry.Version == "":
		return "it has no version, so there is nothing to lock: ask its registry with --online, or write one"
	case now.Integrity == "" && entry.Integrity == "":
		return "its hash is not known: ask its registry with --online"
	case now.Integrity == "":
		return ""
	case entry.Integrity != "" && entry.Integrity != now.Integrity && s.Identity.Kind != identity.OCI && !entry.isPartOf(&now) && !now.isPartOf(entry):
		b.gaps = append(b.gaps, Gap{
			Server: s.Name, Path: s.Document.File.Path, IsChanged: true,
			Why: fmt.Sprintf("the registry has %s for %s now, and %s is locked: that may be an attack; to accept it, delete the entry and lock again", now.Integrity, entry.Version, entry.Integrity),
		})
		return ""
	}
	entry.Integrity, entry.Hashes = now.Integrity, now.Hashes
	return ""
}

// isPartOf reports whether all files of a version are among those of the same version at
// another time: an index of Python's takes wheels for other platforms later, and owners
// take some away.
func (s *Server) isPartOf(other *Server) bool {
	of := other.files()
	return !slices.ContainsFunc(s.files(), func(h string) bool { return !slices.Contains(of, h) })
}

// files returns the hashes of the files of a version.
func (s *Server) files() []string {
	if len(s.Hashes) == 0 {
		return []string{s.Integrity}
	}
	return s.Hashes
}

// setHashes sets the hash of a version with these files.
func (s *Server) setHashes(hashes []string) {
	s.Integrity = checks.HashOfFiles(hashes)
	if len(hashes) > 1 {
		s.Hashes = hashes
	}
}

// sum returns the SHA-256 of a text.
func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(hash[:])
}

// hashOfRemote returns the hash of how a remote server is reached: of its address, its
// transport and the names of the headers and variables that it gets, as JSON with sorted
// keys. No value of theirs is in it.
func hashOfRemote(s *mcp.Server) string {
	names := func(pairs []identity.Pair) []string {
		all := []string{}
		for _, pair := range pairs {
			all = append(all, pair.Name.Text)
		}
		return unique(all)
	}
	text, err := json.Marshal(map[string]any{
		"env": names(s.Launch.Env), "headers": names(s.Launch.Headers), "selector": append([]string{}, s.Identity.Selector...),
		"transport": s.Launch.Transport, "url": s.Identity.Name,
	})
	if err != nil {
		return "" // texts are always JSON
	}
	return sum(text)
}
