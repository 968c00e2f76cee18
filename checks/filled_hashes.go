package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// fill is the hash that a registry publishes for what an entry of a lockfile locks, as the
// lockfile writes it, or in a clause why there is none to write. Where nobody was asked, or
// only its tool may write the lockfile, both are empty.
type fill struct{ hash, registry, why string }

// fillFor returns what there is to write into an entry.
func fillFor(r *mcp.Registries, entry *mcp.LockEntry) fill {
	if r == nil || entry.Document.Tool.HashMember == "" {
		return fill{}
	}
	pkg, ok := entry.Release()
	if !ok {
		return fill{why: "it is locked at no version that a registry has the hash of"}
	}
	said := r.Of(pkg)
	if said == nil {
		return fill{why: "its registry did not answer"}
	}
	release := releaseIn(said, pkg)
	switch {
	case release == nil:
		return fill{why: say("the registry %s has no such version", said.Registry)}
	case len(release.Hashes) > 1:
		return fill{why: say("it has %d files in the registry %s, and the lockfile has room for the hash of one", len(release.Hashes), said.Registry)}
	case len(release.Hashes) == 0 || !isGood(release.Hashes[0]):
		return fill{why: say("the registry %s publishes no hash of it that proves anything", said.Registry)}
	}
	return fill{hash: withDash(strongest(release.Hashes[0])), registry: said.Registry}
}

func isGood(hash string) bool {
	state, _ := judgeHash(hash)
	return state == hashGood
}

// withDash writes the algorithm of a hash as Subresource Integrity does, which mcp-tap's
// specification wants of hexadecimal ones, too (docs/specs/mcp-tap-lockfile-v1.md, 6).
func withDash(hash string) string { return strings.Replace(hash, ":", "-", 1) }

// fixes returns the fix that writes the hash where the writer of the lockfile would.
func (f *fill) fixes(entry *mcp.LockEntry, safety Safety) []Fix {
	if f.hash == "" {
		return nil
	}
	file, version := entry.Document.File, entry.Pin.Version.Span
	change := edit.Replace(file, entry.Pin.Integrity.Span, edit.String(f.hash))
	if entry.Pin.Integrity.Span == (syntax.Span{}) {
		where := edit.Where{}
		if !version.IsZero() {
			where = edit.Where{Place: edit.After, Beside: version}
		}
		change = edit.Insert(file, entry.NameSpan, entry.Document.Tool.HashMember, edit.String(f.hash), where)
	}
	return []Fix{{Title: say("write the hash of %q that the registry %s publishes", entry.Name, f.registry), Safety: safety, Edits: []edit.Change{change}}}
}

// fixWeakHash writes the hash that a registry publishes in the place of a weak one. Where
// the two are of one release for certain, because the registry publishes the weak one as
// well, it is safe; where they are not, somebody has to find out first.
func fixWeakHash(r *mcp.Registries, entry *mcp.LockEntry) (fixes []Fix, unmended string) {
	f := fillFor(r, entry)
	if f.hash == "" {
		return nil, f.why
	}
	pkg, _ := entry.Release()
	locked := hashesIn(identity.Word{Text: entry.Pin.Integrity.Text})
	published := registeredHashes(r, pkg)
	if _, _, isReplaced := replacedHash(locked, published); isReplaced {
		return nil, say("the registry %s publishes another one", f.registry)
	}
	safety := Unsafe
	if ofLocked, _ := inOneAlgorithm(locked, published); len(ofLocked) > 0 {
		safety = Safe
	}
	return f.fixes(entry, safety), ""
}
