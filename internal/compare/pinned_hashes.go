package compare

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// PinnedHash is something that a lockfile holds to a hash: a server, a tool, a package, a
// bundle or a part of one.
type PinnedHash struct {
	Document *mcp.Document
	// Name is its name for people, Of what contains it, "" for nothing.
	Name, Of string
	Span     syntax.Span // of the name
	// ID identifies it independent of its name, as an approval does. Runs is what a server runs, as
	// shown.
	ID, Runs string
	// format is that of the client file that it was written into, "" for any.
	format string
	Pin    mcp.Pin
	// Release is the package and version that it holds, wherever that is written; "" where
	// the hash is of something else.
	Release string
	// pkg is the package at the version that a registry publishes hashes of; nil for none.
	Package *identity.Fetched
	// Entry is the entry of a server or tool, nil of all else.
	Entry *mcp.LockEntry
}

// Artifacts are the hashes of what is fetched, regardless of what it is locked for.
func (s *PinnedHash) Artifacts() []identity.Word {
	words := append([]identity.Word{s.Pin.Artifact}, s.Pin.Others...)
	words = words[:min(len(words), maxArtifacts)]
	return slices.DeleteFunc(words, func(w identity.Word) bool { return !IsHash(w.Text) })
}

// PinnedHashesOf returns what a lockfile holds to a hash.
func PinnedHashesOf(doc *mcp.Document) []PinnedHash {
	var seals []PinnedHash
	if doc.Lock != nil {
		for _, entry := range doc.Lock.Entries {
			seals = append(seals, PinnedHashOf(entry))
		}
	}
	for _, h := range doc.Hashed {
		seals = append(seals, PinnedHash{Document: doc, Name: h.Name, Span: h.NameSpan, Of: h.Of, ID: doc.Tool.ID + ":" + h.ID, Pin: h.Pin})
	}
	return seals
}

// PinnedHashOf returns what an entry of a lockfile holds to a hash.
func PinnedHashOf(entry *mcp.LockEntry) PinnedHash {
	s := PinnedHash{
		Document: entry.Document, Name: entry.Name, Span: entry.NameSpan, ID: LockedID(entry), Runs: entry.Target.Identity.Shown(),
		format: entry.Place.Format, Pin: entry.Pin, Entry: entry,
	}
	if version := &entry.Target.Identity.Version; !hasDigit(s.Pin.Version.Text) && version.Kind == identity.Exact {
		s.Pin.Version.Text = version.Text
	}
	s.Release = lockedRelease(entry, s.Pin.Version.Text)
	if pkg, ok := entry.Release(); ok {
		s.Package = &pkg
	}
	if s.Pin.Integrity.Text == "" {
		s.Pin.Integrity = entry.Tools.NameHash // the full name of a tool also has one
	}
	return s
}

// lockedRelease returns the package and version that an entry has the hash of, "" if it has
// the hash of a tool, or names no release.
func lockedRelease(entry *mcp.LockEntry, version string) string {
	id := &entry.Target.Identity
	if !id.IsPackage() || !NamesRelease(version) || entry.Tools.FullName != "" {
		return ""
	}
	return id.String() + "@" + PlainVersion(version)
}

// OfRelease returns the hash of the package that a seal holds, which every tool that
// hashes it with the same algorithm has as well; empty where it has none.
func (s *PinnedHash) OfRelease() identity.Word {
	switch {
	case s.Release == "":
	case IsHash(s.Pin.Artifact.Text):
		return s.Pin.Artifact
	case !s.Document.Tool.HashesTime && IsHash(s.Pin.Integrity.Text):
		return s.Pin.Integrity
	}
	return identity.Word{}
}

// OfFiles returns the hashes of the files of the package that a seal holds: of most
// packages there is one.
func (s *PinnedHash) OfFiles() []identity.Word {
	words := s.Pin.Files
	if len(words) == 0 {
		words = []identity.Word{s.OfRelease()}
	}
	var hashes []identity.Word
	for _, w := range words {
		hashes = append(hashes, HashesIn(w)...)
	}
	return hashes
}

// NoHash is what an approval has instead of a hash if it approves that there no longer is one.
const NoHash = "none"

// LockedHashes are the hashes in the lockfiles of a repository, by what they prove.
type LockedHashes map[string]map[string]bool

// LockedHashesOf returns all hashes in the lockfiles of a repository.
func LockedHashesOf(repo *mcp.Repo) LockedHashes {
	all := LockedHashes{}
	for _, p := range repo.Projects {
		for _, doc := range p.Documents {
			if !IsLockfile(doc) || !reads.Present.Has(doc) {
				continue
			}
			for _, s := range PinnedHashesOf(doc) {
				for _, hash := range append([]identity.Word{s.Pin.Integrity, s.Pin.Artifact}, s.Pin.Others...) {
					if hash.Text != "" {
						all.add(s.ID, hash.Text)
					}
				}
			}
		}
	}
	return all
}

func (l LockedHashes) add(id, hash string) {
	if l[id] == nil {
		l[id] = map[string]bool{}
	}
	l[id][hash] = true
}

// Has reports whether a lockfile has a hash of something, or for NoHash whether none has any.
func (l LockedHashes) Has(id, hash string) bool {
	if hash == NoHash {
		return len(l[id]) == 0
	}
	return l[id][hash]
}

// hasDigit reports whether a text may be a version, and not a word such as "latest".
func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// LockedID returns what an entry locks, without its version: the full name of a tool, the package
// or URL of a server, or the name if it is not known what the server runs.
func LockedID(entry *mcp.LockEntry) string {
	id := cmp.Or(entry.Tools.FullName, entry.Target.Identity.String(), entry.Name)
	return wording.Beginning(secret.Mask(id), wording.MaxQuoted)
}

// PinnedIndex finds what was sealed at the base.
type PinnedIndex struct {
	// exact are the seals by their places, too, of one name the first.
	exact map[pinnedPlace]*PinnedHash
	seals map[pinnedKey][]*PinnedHash
	// releases are those with the hash of a package, by package.
	releases map[string][]*PinnedHash
	// files are the paths of today.
	files map[string]bool
}

// pinnedKey identifies a seal.
type pinnedKey struct{ tool, id string }

func (s *PinnedHash) key() pinnedKey { return pinnedKey{s.Document.Tool.ID, strings.ToLower(s.ID)} }

// pinnedPlace is where a seal is, and what it is.
type pinnedPlace struct {
	pinnedKey
	path, name, format string
}

func (s *PinnedHash) place() pinnedPlace {
	return pinnedPlace{s.key(), s.Document.File.Path, s.Name, s.format}
}

// newPinnedIndex returns the seals of a base: projects that no change concerns are as they
// were.
func newPinnedIndex(b *Base) *PinnedIndex {
	index := &PinnedIndex{exact: map[pinnedPlace]*PinnedHash{}, seals: map[pinnedKey][]*PinnedHash{}, releases: map[string][]*PinnedHash{}, files: map[string]bool{}}
	for _, p := range b.now.Projects {
		for _, doc := range p.Documents {
			index.files[doc.File.Path] = true
			if !b.concerns(p.Dir) {
				index.addReleases(doc)
			}
		}
	}
	for _, p := range b.then.Projects {
		for _, doc := range p.Documents {
			if !IsLockfile(doc) || !reads.Present.Has(doc) {
				continue
			}
			index.addReleases(doc)
			for _, s := range PinnedHashesOf(doc) {
				index.seals[s.key()] = append(index.seals[s.key()], &s)
				if index.exact[s.place()] == nil {
					index.exact[s.place()] = &s
				}
			}
		}
	}
	return index
}

// addReleases adds the hashes that a lockfile has of packages.
func (x *PinnedIndex) addReleases(doc *mcp.Document) {
	if !IsLockfile(doc) || !reads.Present.Has(doc) {
		return
	}
	for _, s := range PinnedHashesOf(doc) {
		if s.OfRelease().Text != "" {
			x.releases[s.Release] = append(x.releases[s.Release], &s)
		}
	}
}

// Elsewhere returns a seal of the same release with another hash of one algorithm, in any lockfile
// of the base; nil if there is none, or if one has the same hash, as isKnown reports.
func (x *PinnedIndex) Elsewhere(now *PinnedHash) (other *PinnedHash, isKnown bool) {
	hash := now.OfRelease().Text
	algorithm, _ := cutHash(hash)
	all := x.releases[now.Release]
	for _, was := range all[:min(len(all), maxPinned)] {
		known := was.OfRelease().Text
		if MatchesHash(known, hash) {
			return nil, true
		}
		if kind, _ := cutHash(known); other == nil && kind == algorithm {
			other = was
		}
	}
	return other, false
}

// IsLockfile reports whether a document may hold hashes: a lockfile, or another file with some.
func IsLockfile(doc *mcp.Document) bool {
	return doc.Tool != nil && (doc.Scope == mcp.ScopeLock && doc.Lock != nil || doc.Hashed != nil)
}

// maxPinned is with how many seals of one thing another is compared.
const maxPinned = 100

// Before returns what a seal was, nil if it did not exist: in its file under its name, in its file
// under another name, or in a file that no longer exists. Of several it is the first, unless
// another one has its hash.
func (x *PinnedIndex) Before(now *PinnedHash) *PinnedHash {
	all := x.seals[now.key()]
	if was := x.exact[now.place()]; was != nil {
		if len(all) == 1 || now.ChangeSince(was).Kind == HashKept {
			return was
		}
		// An entry that is written twice, or in two versions, stays what it was.
		isAsWas := func(other *PinnedHash) bool {
			return other.place() == now.place() && now.ChangeSince(other).Kind == HashKept
		}
		if i := slices.IndexFunc(all[:min(len(all), maxPinned)], isAsWas); i >= 0 {
			return all[i]
		}
		return was
	}
	var best *PinnedHash
	rank := 0
	for _, was := range all[:min(len(all), maxPinned)] {
		r := 0
		switch isThere := was.Document.File.Path == now.Document.File.Path; {
		case isThere && was.format == now.format:
			r = 4
		case !isThere && !x.files[was.Document.File.Path]:
			r = 2
		default:
			continue
		}
		if now.ChangeSince(was).Kind == HashKept {
			r++
		}
		if r > rank {
			best, rank = was, r
		}
	}
	return best
}

// SealChange is what has become of the hashes of a seal. Old and New are the two that show it,
// OldText and NewText those that an approval names, at their places: all that is written there.
type SealChange struct {
	Kind             HashChange
	Old, New         identity.Word
	OldText, NewText identity.Word
}

// ChangeSince says what has become of the hashes of a seal: those of what is fetched, then that of
// the entry.
func (s *PinnedHash) ChangeSince(was *PinnedHash) SealChange {
	if kind, old, new := changeOfArtifacts(was.Artifacts(), s.Artifacts()); kind != HashKept {
		return SealChange{kind, old, new, old, new}
	}
	kind, old, new := ChangeOfHashes(was.OfEntry(), s.OfEntry(), s.isOfOneFile())
	if s.Document.Tool.HashesTime && was.Pin.Fetched != s.Pin.Fetched && kind != HashGone {
		kind = HashKept
	}
	return SealChange{kind, old, new, was.Pin.Integrity, s.Pin.Integrity}
}

// OfEntry returns the hashes that an entry itself has: those of the files, or its integrity.
func (s *PinnedHash) OfEntry() []identity.Word {
	if len(s.Pin.Files) > 0 {
		return s.OfFiles()
	}
	return HashesIn(s.Pin.Integrity)
}

// isOfOneFile reports whether a seal has one hash by one algorithm: a version of PyPI has several
// files, and an image is another one on each platform.
func (s *PinnedHash) isOfOneFile() bool {
	return s.Entry == nil || s.Entry.Tools.FullName != "" || identity.IsOneFile(s.Entry.Target.Identity.Kind)
}

// IsBroken reports whether an entry says that it has a hash which counts, and has none.
func (s *PinnedHash) IsBroken() bool {
	if s.Entry == nil {
		isOfForm := func(r mcp.Refusal) bool { return r.Reason == mcp.ChecksumForm || r.Reason == mcp.FileHashForm }
		return slices.ContainsFunc(s.Document.Refusals, func(r mcp.Refusal) bool { return isOfForm(r) && r.Span == s.Pin.Integrity.Span })
	}
	state, _ := JudgeEntry(s.Entry)
	return state == HashBroken && s.Pin.Artifact.Text == ""
}

// IsOneFile reports whether a seal is of a release that is one file, which has one hash.
func (s *PinnedHash) IsOneFile() bool { return s.Package != nil && identity.IsOneFile(s.Package.Kind) }

// changeOfArtifacts is ChangeOfHashes for hashes that all count, each of one file by one algorithm.
func changeOfArtifacts(was, now []identity.Word) (change HashChange, old, new identity.Word) {
	for _, w := range now {
		if change, old, new = ChangeOfHashes(ofAlgorithm(w.Text, was), ofAlgorithm(w.Text, now), true); change != HashKept {
			return change, old, new
		}
	}
	return ChangeOfHashes(was, now, true)
}

// maxArtifacts is how many hashes of one thing are read.
const maxArtifacts = 16

// IsHash reports whether a text may be a hash, even a weak one. invalid-integrity reports a text
// that only claims to be a strong one.
func IsHash(text string) bool {
	kind, digest := cutHash(text)
	switch {
	case digest == "" || len(text) > wording.MaxQuoted || secret.Mask(text) != text || strings.Trim(digest, hashLetters) != "":
		return false
	case kind == "":
		return IsHex(digest)
	case isShort(text):
		return true
	}
	state, _ := JudgeHash(kind + "-" + digest)
	return state != HashBroken
}

// hashLetters are what a digest is written with, in hexadecimal or base64.
const hashLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_"

// cutHash returns the algorithm of a hash in lower case and its digest as written, of
// several those of the strongest. The digits that a registry of tools gives are of
// SHA-256; of others without an algorithm the length tells.
func cutHash(text string) (algorithm, digest string) {
	text = Strongest(text)
	if cut := strings.IndexAny(text, "-:"); cut >= 0 {
		algorithm, digest = strings.ToLower(text[:cut]), text[cut+1:]
		if algorithm == "tool" || algorithm == "capability" {
			algorithm = "sha256"
		}
		return algorithm, digest
	}
	if len(text) == shortDigits {
		return "sha256", text
	}
	for known, size := range hashSizes {
		if len(text) == hex.EncodedLen(size) {
			return known, text
		}
	}
	return "", text
}

// Strongest returns the hash by the strongest algorithm of a text that has several with
// blanks between them (Subresource Integrity).
func Strongest(text string) string {
	best, rank := "", -1
	for _, one := range strings.Fields(text) {
		name, _, _ := strings.Cut(one, "-")
		if size := hashSizes[strings.ToLower(name)]; size > rank {
			best, rank = one, size
		}
	}
	return best
}

// isShort reports whether a hash is only the first four digits of one.
func isShort(text string) bool {
	kind, digest, _ := strings.Cut(strings.TrimSpace(text), ":")
	if digest == "" {
		return len(kind) == shortDigits && IsHex(kind)
	}
	return (kind == "tool" || kind == "capability") && len(digest) == shortDigits && IsHex(digest)
}

// shortDigits is how many digits of a hash a registry of tools gives.
const shortDigits = 4

// MatchesHash reports whether two hashes are one, however they are written, as far as
// both go.
func MatchesHash(a, b string) bool {
	kindA, digestA := cutHash(a)
	kindB, digestB := cutHash(b)
	digestA, digestB = inHex(kindA, digestA), inHex(kindB, digestB)
	if isShort(a) || isShort(b) {
		digestA, digestB = digestA[:min(len(digestA), shortDigits)], digestB[:min(len(digestB), shortDigits)]
	}
	return kindA == kindB && digestA == digestB
}

// inHex returns a digest in hexadecimal where it is written so, or in base64 and of
// the size of its algorithm.
func inHex(algorithm, digest string) string {
	if IsHex(digest) {
		return strings.ToLower(digest)
	}
	size := hashSizes[algorithm]
	if algorithm == "sha1" {
		size = sha1.Size
	}
	if raw, err := base64.StdEncoding.DecodeString(digest); err == nil && len(raw) == size {
		return hex.EncodeToString(raw)
	}
	return digest
}

// ShortOf returns the first four hexadecimal digits of a hash.
func ShortOf(text string) string {
	digits := strings.ToLower(inHex(cutHash(text)))
	return digits[:min(len(digits), shortDigits)]
}

// ShownHashes returns two hashes as far as people need them to tell them apart.
func ShownHashes(old, new string) (string, string) {
	const digits = 12
	cut := func(text string) string {
		end := strings.IndexAny(text, "-:") + 1 + digits
		if end >= len(text) {
			return text
		}
		return text[:end] + "…"
	}
	old, new = Strongest(old), Strongest(new)
	if cut(old) == cut(new) {
		return old, new
	}
	return cut(old), cut(new)
}

// IsWhole reports whether a seal is that of a package or bundle.
func (s *PinnedHash) IsWhole() bool { return s.ID == s.Document.Tool.ID+":"+s.Name }
