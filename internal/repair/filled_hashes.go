package repair

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Fill is the hash that a registry publishes for what an entry of a lockfile locks, as the
// lockfile writes it, or, in a clause, why there is none to write. If no registry was asked, or if
// only its tool may write the lockfile, both are empty.
type Fill struct{ Hash, registry, Why string }

// FillFor returns the hash to write into an entry.
func FillFor(r *mcp.Registries, entry *mcp.LockEntry) Fill {
	if r == nil || entry.Document.Tool.HashMember == "" {
		return Fill{}
	}
	pkg, ok := entry.Release()
	if !ok {
		return Fill{Why: "it is not locked at a version that a registry has a hash for"}
	}
	said := r.Of(pkg)
	if said == nil {
		return Fill{Why: "its registry did not answer"}
	}
	release := compare.ReleaseIn(said, pkg)
	switch {
	case release == nil:
		return Fill{Why: wording.Say("the registry %s does not have this version", said.Registry)}
	case len(release.Hashes) > 1:
		return Fill{Why: wording.Say("it has %d files in the registry %s, but the lockfile has room for one hash", len(release.Hashes), said.Registry)}
	case len(release.Hashes) == 0 || !isGood(release.Hashes[0]):
		return Fill{Why: wording.Say("the registry %s publishes no hash for it that proves anything", said.Registry)}
	}
	return Fill{Hash: withDash(compare.Strongest(release.Hashes[0])), registry: said.Registry}
}

func isGood(hash string) bool {
	state, _ := compare.JudgeHash(hash)
	return state == compare.HashGood
}

// withDash writes the algorithm of a hash as Subresource Integrity does, which mcp-tap's
// specification wants of hexadecimal ones, too (docs/specs/mcp-tap-lockfile-v1.md, 6).
func withDash(hash string) string { return strings.Replace(hash, ":", "-", 1) }

// Fixes returns the fix that writes the hash where the writer of the lockfile would.
func (f *Fill) Fixes(entry *mcp.LockEntry, safety rule.Safety) []rule.Fix {
	if f.Hash == "" {
		return nil
	}
	file, version := entry.Document.File, entry.Pin.Version.Span
	change := edit.Replace(file, entry.Pin.Integrity.Span, edit.String(f.Hash))
	if entry.Pin.Integrity.Span == (syntax.Span{}) {
		where := edit.Where{}
		if !version.IsZero() {
			where = edit.Where{Place: edit.After, Beside: version}
		}
		change = edit.Insert(file, entry.NameSpan, entry.Document.Tool.HashMember, edit.String(f.Hash), where)
	}
	return []rule.Fix{{Title: wording.Say("write the hash of %q that the registry %s publishes", entry.Name, f.registry), Safety: safety, Edits: []edit.Change{change}}}
}

// FixWeakHash writes the hash that a registry publishes instead of a weak one. It is safe
// where the two are certainly of one release, because the registry also publishes the weak
// one; otherwise someone must find out first.
func FixWeakHash(r *mcp.Registries, entry *mcp.LockEntry) (fixes []rule.Fix, noFixReason string) {
	f := FillFor(r, entry)
	if f.Hash == "" {
		return nil, f.Why
	}
	pkg, _ := entry.Release()
	locked := compare.HashesIn(identity.Word{Text: entry.Pin.Integrity.Text})
	published := compare.RegisteredHashes(r, pkg)
	if _, _, isReplaced := compare.ReplacedHash(locked, published); isReplaced {
		return nil, wording.Say("the registry %s publishes another hash", f.registry)
	}
	safety := rule.Unsafe
	if ofLocked, _ := compare.InOneAlgorithm(locked, published); len(ofLocked) > 0 {
		safety = rule.Safe
	}
	return f.Fixes(entry, safety), ""
}
