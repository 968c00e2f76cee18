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
)

// addHash adds the hash to an entry. It returns why it cannot.
func (b *builder) addHash(s *mcp.Server, entry *Server) absence {
	id := &s.Identity
	switch {
	case id.Kind == identity.FileKind:
		return b.addFileHash(s, entry)
	case !id.IsPackage():
		return absence{} // a program of the machine, or remote
	case id.Version.Kind == identity.Exact && id.Kind == identity.OCI:
		entry.Integrity = id.Version.Text
		return absence{}
	case id.Version.Kind == identity.Exact && id.Kind == identity.Git:
		return absence{} // it is its own hash
	}
	return b.addPackageHash(s, entry)
}

// addFileHash takes the hash of a program of the repository, or the one that is known of a
// program that cannot be read.
func (b *builder) addFileHash(s *mcp.Server, entry *Server) absence {
	name := s.Identity.Name
	switch {
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, "~"), len(name) > 1 && name[1] == ':':
		return absence{} // a program of the machine, or of a home directory (${HOME}/bin/notes)
	case strings.HasPrefix(name, "../"):
		return absence{outsideFile, outsideFile + ", so it has no hash"}
	}
	content, err := b.read(name)
	switch known := b.known[entry.key()]; {
	case err == nil && known != nil && isOf(known.Integrity, content):
		entry.Integrity = known.Integrity // in any other form
	case err == nil:
		entry.Integrity = sum(content)
	case errors.Is(err, fs.ErrNotExist):
		return absence{missingFile, missingFile + ", so it has no hash"}
	case known != nil && known.Integrity != "":
		entry.Integrity = known.Integrity
		b.gaps = append(b.gaps, Gap{
			Server: s.Name, Path: s.Document.File.Path, IsUnread: true,
			Why: fmt.Sprintf("cannot tell whether %s still matches the lockfile: it %s", s.Identity.Name, err),
		})
	default:
		return absence{unreadFile, fmt.Sprintf("it has no hash: %s %s", s.Identity.Name, err)}
	}
	return absence{}
}

// addPackageHash takes the hash that a registry gives for the version that is locked, or the
// one that is known.
func (b *builder) addPackageHash(s *mcp.Server, entry *Server) absence {
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
			Why: fmt.Sprintf("it is locked with %s in addition to another hash, and a version of it is one file: that may be an attack; find out which is right, and remove the other one", second),
		})
		return absence{}
	case now.Integrity == "" && entry.Integrity == "":
		return b.whyNone(s, entry)
	case now.Integrity == "":
		return absence{}
	case entry.Integrity != "" && s.Identity.Kind != identity.OCI && compare.IsSameHash(entry.Integrity, now.Integrity):
		return absence{} // in any other form, and along with any weaker one
	case entry.Integrity != "" && s.Identity.Kind != identity.OCI && !entry.isPartOf(&now) && !now.isPartOf(entry):
		b.gaps = append(b.gaps, Gap{
			Server: s.Name, Path: s.Document.File.Path, IsChanged: true,
			Why: fmt.Sprintf("the registry has %s for %s now, and %s is locked: that may be an attack; to accept it, delete the entry and lock again", now.Integrity, entry.Version, entry.Integrity),
		})
		return absence{}
	}
	entry.Integrity, entry.Hashes = now.Integrity, now.Hashes
	return absence{}
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

// isOf reports whether an integrity is that of a content.
func isOf(integrity string, content []byte) bool {
	_, isSame := compare.HashNow(integrity, compare.DigestsOf(content))
	return isSame
}

// sum returns the SHA-256 of a text.
func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(hash[:])
}

// hashOfRemote returns the hash of how a remote server is reached: of its address, its
// transport, the names of the headers and variables that it gets and, if they are locked, its
// tools, as JSON with sorted keys. It contains no value of a header or a variable.
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
