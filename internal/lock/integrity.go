package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reputation"
)

// addHash adds the hash to an entry. It returns a clause that says why there is none.
func (b *builder) addHash(s *mcp.Server, entry *Server) (why string) {
	id := &s.Identity
	switch {
	case id.Kind == identity.FileKind:
		return b.addFileHash(s, entry)
	case !id.IsPackage():
		return "" // a program of the machine, or remote
	case id.Version.Kind == identity.Exact && id.Kind == identity.OCI:
		entry.Integrity = id.Version.Text
		return ""
	case id.Version.Kind == identity.Exact && id.Kind == identity.Git:
		return "" // it is its own hash
	}
	return b.addPackageHash(s, entry)
}

// addFileHash takes the hash of a program of the repository, or the one that is known of a
// program that cannot be read.
func (b *builder) addFileHash(s *mcp.Server, entry *Server) (why string) {
	name := s.Identity.Name
	switch {
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, "~"), len(name) > 1 && name[1] == ':':
		return "" // a program of the machine, or of somebody's home directory (${HOME}/bin/notes)
	case strings.HasPrefix(name, "../"):
		return "its file is outside of the repository, so it has no hash"
	}
	content, err := b.read(name)
	switch known := b.known[entry.key()]; {
	case err == nil:
		entry.Integrity = sum(content)
	case errors.Is(err, fs.ErrNotExist):
		return "its file is not there, so it has no hash"
	case known != nil && known.Integrity != "":
		entry.Integrity = known.Integrity
		b.gaps = append(b.gaps, Gap{
			Server: s.Name, Path: s.Document.File.Path, IsUnread: true,
			Why: fmt.Sprintf("whether %s is still what is locked is not known: it %s", s.Identity.Name, err),
		})
	default:
		return fmt.Sprintf("it has no hash: %s %s", s.Identity.Name, err)
	}
	return ""
}

// addPackageHash takes the hash that a registry gives for the version that is locked, or the
// one that is known.
func (b *builder) addPackageHash(s *mcp.Server, entry *Server) (why string) {
	known := b.known[entry.key()]
	if known != nil {
		entry.Integrity, entry.Hashes = known.Integrity, known.Hashes
	}
	now := Server{}
	if entry.Version != "" {
		now.setHashes(compare.HashesOf(b.repo.Registries, packageOf(&s.Identity), entry.Version))
	}
	second := ""
	if identity.IsOneFile(s.Identity.Kind) {
		second = compare.SecondHash(entry.Integrity)
	}
	switch {
	case second != "":
		b.gaps = append(b.gaps, Gap{
			Server: s.Name, Path: s.Document.File.Path, IsChanged: true,
			Why: fmt.Sprintf("it is locked with %s beside another hash, and a version of it is one file: that may be an attack; find out which is right, and remove the other one", second),
		})
		return ""
	case now.Integrity == "" && entry.Integrity == "":
		return b.whyNone(s, entry)
	case now.Integrity == "":
		return ""
	case entry.Integrity != "" && s.Identity.Kind != identity.OCI && compare.IsSameHash(entry.Integrity, now.Integrity):
		return "" // in whatever other form, and beside whatever weaker one
	case entry.Integrity != "" && s.Identity.Kind != identity.OCI && !entry.isPartOf(&now) && !now.isPartOf(entry):
		b.gaps = append(b.gaps, Gap{
			Server: s.Name, Path: s.Document.File.Path, IsChanged: true,
			Why: fmt.Sprintf("the registry has %s for %s now, and %s is locked: that may be an attack; to accept it, delete the entry and lock again", now.Integrity, entry.Version, entry.Integrity),
		})
		return ""
	}
	entry.Integrity, entry.Hashes = now.Integrity, now.Hashes
	return ""
}

// whyNone says in a clause why a package has no hash.
func (b *builder) whyNone(s *mcp.Server, entry *Server) string {
	pkg := packageOf(&s.Identity)
	_, isRegistered := mcp.WantedOf(pkg)
	isAsked := b.repo.Registries != nil
	switch {
	case pkg.Kind == identity.Git:
		return "it names no full commit, so it has no hash: write one"
	case pkg.NamesSource:
		return "it is fetched from a registry of its own, which is not asked, so it has no hash"
	case !isRegistered:
		return "no registry that mcplumb asks knows it, so it has no hash"
	case entry.Version == "" && isAsked && reputation.WhyNoVersion(b.repo.Registries, pkg) != "":
		return reputation.WhyNoVersion(b.repo.Registries, pkg) + ", so there is nothing to lock"
	case entry.Version == "" && isAsked:
		return "its registry names no version to take, so there is nothing to lock: write one"
	case entry.Version == "":
		return "it has no version, so there is nothing to lock: ask its registry with --online, or write one"
	case isAsked:
		return "its registry gives no hash of it"
	}
	return "its hash is not known: ask its registry with --online"
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
	s.Integrity = compare.HashOfFiles(hashes)
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
// transport, the names of the headers and variables that it gets and, where somebody has
// locked them, of its tools, as JSON with sorted keys. No value of a header or a variable
// is in it.
func hashOfRemote(s *mcp.Server, tools []string) string {
	names := func(pairs []identity.Pair) []string {
		all := []string{}
		for _, pair := range pairs {
			all = append(all, pair.Name.Text)
		}
		return unique(all)
	}
	reached := map[string]any{
		"env": names(s.Launch.Env), "headers": names(s.Launch.Headers), "selector": append([]string{}, s.Identity.Selector...),
		"transport": s.Launch.Transport, "url": s.Identity.Name,
	}
	if len(tools) > 0 {
		reached["tools"] = unique(slices.Clone(tools))
	}
	text, err := json.Marshal(reached)
	if err != nil {
		return "" // texts are always JSON
	}
	return sum(text)
}

// Tools returns the tools of servers that lockfiles of other tools know.
func Tools(repo *mcp.Repo) map[*mcp.Server][]string {
	tools := map[*mcp.Server][]string{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.Lock == nil {
				continue
			}
			for _, entry := range d.Lock.Entries {
				for _, s := range entry.Servers {
					tools[s] = append(tools[s], entry.Tools.Names...)
				}
			}
		}
	}
	return tools
}
