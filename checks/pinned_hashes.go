package checks

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pinnedHash is something that a lockfile holds to a hash: a server, a tool, a package, a
// bundle or a part of one.
type pinnedHash struct {
	doc *mcp.Document
	// name is what people call it, of what it is a part of, "" for nothing.
	name, of string
	span     syntax.Span // of the name
	// id is what it is, whatever its name: what an approval names. runs is what a server
	// runs, as shown.
	id, runs string
	// format is that of the client file that it was written into, "" for any.
	format string
	pin    mcp.Pin
	// release is the package and version that it holds, whoever wrote that down; "" where
	// the hash is of something else.
	release string
	// pkg is the package at the version that a registry publishes hashes of; nil for none.
	pkg *identity.Fetched
}

// artifacts are the hashes of what is fetched, whatever it is locked for.
func (s *pinnedHash) artifacts() []identity.Word {
	words := append([]identity.Word{s.pin.Artifact}, s.pin.Others...)
	words = words[:min(len(words), maxArtifacts)]
	return slices.DeleteFunc(words, func(w identity.Word) bool { return !isHash(w.Text) })
}

// pinnedHashesOf returns what a lockfile holds to a hash.
func pinnedHashesOf(doc *mcp.Document) []pinnedHash {
	var seals []pinnedHash
	if doc.Lock != nil {
		for _, entry := range doc.Lock.Entries {
			s := pinnedHash{
				doc: doc, name: entry.Name, span: entry.NameSpan, id: lockedID(entry), runs: entry.Target.Identity.Shown(), format: entry.Place.Format, pin: entry.Pin,
			}
			if version := &entry.Target.Identity.Version; !hasDigit(s.pin.Version.Text) && version.Kind == identity.Exact {
				s.pin.Version.Text = version.Text
			}
			s.release = lockedRelease(entry, s.pin.Version.Text)
			if pkg, ok := entry.Release(); ok {
				s.pkg = &pkg
			}
			if s.pin.Integrity.Text == "" {
				s.pin.Integrity = entry.Tools.NameHash // the full name of a tool has one, too
			}
			seals = append(seals, s)
		}
	}
	for _, h := range doc.Hashed {
		seals = append(seals, pinnedHash{doc: doc, name: h.Name, span: h.NameSpan, of: h.Of, id: doc.Tool.ID + ":" + h.ID, pin: h.Pin})
	}
	return seals
}

// lockedRelease returns the package and version that an entry has the hash of, "" if it has
// the hash of a tool, or names no release.
func lockedRelease(entry *mcp.LockEntry, version string) string {
	id := &entry.Target.Identity
	if !id.IsPackage() || !namesRelease(version) || entry.Tools.FullName != "" {
		return ""
	}
	return id.String() + "@" + plainVersion(version)
}

// ofRelease returns the hash of the package that a seal holds, which every tool that
// hashes it with the same algorithm has as well; empty where it has none.
func (s *pinnedHash) ofRelease() identity.Word {
	switch {
	case s.release == "":
	case isHash(s.pin.Artifact.Text):
		return s.pin.Artifact
	case !s.doc.Tool.HashesTime && isHash(s.pin.Integrity.Text):
		return s.pin.Integrity
	}
	return identity.Word{}
}

// ofFiles returns the hashes of the files of the package that a seal holds: of most
// packages there is one.
func (s *pinnedHash) ofFiles() []identity.Word {
	words := s.pin.Files
	if len(words) == 0 {
		words = []identity.Word{s.ofRelease()}
	}
	var hashes []identity.Word
	for _, w := range words {
		hashes = append(hashes, hashesIn(w)...)
	}
	return hashes
}

// LockedHash is a hash of something, both as Approval has them.
type LockedHash struct{ Identity, Integrity string }

// LockedHashes returns all hashes in the lockfiles of a repository.
func LockedHashes(repo *mcp.Repo) map[LockedHash]bool {
	all := map[LockedHash]bool{}
	for _, p := range repo.Projects {
		for _, doc := range p.Documents {
			if !isLockfile(doc) || !present.has(doc) {
				continue
			}
			for _, s := range pinnedHashesOf(doc) {
				all[LockedHash{s.id, s.pin.Integrity.Text}] = true
				all[LockedHash{s.id, s.pin.Artifact.Text}] = true
				for _, other := range s.pin.Others {
					all[LockedHash{s.id, other.Text}] = true
				}
			}
		}
	}
	return all
}

// hasDigit reports whether a text may be a version, and not a word such as "latest".
func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// lockedID returns what an entry locks, whatever its version: the full name of a tool,
// the package or address of a server; the name where nobody knows what it runs.
func lockedID(entry *mcp.LockEntry) string {
	id := cmp.Or(entry.Tools.FullName, entry.Target.Identity.String(), entry.Name)
	return Beginning(secret.Mask(id), maxQuoted)
}

// pinnedIndex finds what was sealed at the base.
type pinnedIndex struct {
	// exact are the seals by their places, too, of one name the first.
	exact map[pinnedPlace]*pinnedHash
	seals map[pinnedKey][]*pinnedHash
	// releases are those with the hash of a package, by what that is.
	releases map[string][]*pinnedHash
	// files are the paths of today.
	files map[string]bool
}

// pinnedKey is what a seal is known by.
type pinnedKey struct{ tool, id string }

func (s *pinnedHash) key() pinnedKey { return pinnedKey{s.doc.Tool.ID, strings.ToLower(s.id)} }

// pinnedPlace is where a seal stands, and what it is.
type pinnedPlace struct {
	pinnedKey
	path, name, format string
}

func (s *pinnedHash) place() pinnedPlace {
	return pinnedPlace{s.key(), s.doc.File.Path, s.name, s.format}
}

// newPinnedIndex returns the seals of a base: projects that no change concerns are as they
// were.
func newPinnedIndex(b *Base) *pinnedIndex {
	index := &pinnedIndex{exact: map[pinnedPlace]*pinnedHash{}, seals: map[pinnedKey][]*pinnedHash{}, releases: map[string][]*pinnedHash{}, files: map[string]bool{}}
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
			if !isLockfile(doc) || !present.has(doc) {
				continue
			}
			index.addReleases(doc)
			for _, s := range pinnedHashesOf(doc) {
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
func (x *pinnedIndex) addReleases(doc *mcp.Document) {
	if !isLockfile(doc) || !present.has(doc) {
		return
	}
	for _, s := range pinnedHashesOf(doc) {
		if s.ofRelease().Text != "" {
			x.releases[s.release] = append(x.releases[s.release], &s)
		}
	}
}

// elsewhere returns a seal of the same release with another hash of one algorithm, in
// any lockfile of the base; nil where there is none, or one has the same hash.
func (x *pinnedIndex) elsewhere(now *pinnedHash) *pinnedHash {
	hash := now.ofRelease().Text
	algorithm, _ := cutHash(hash)
	var other *pinnedHash
	all := x.releases[now.release]
	for _, was := range all[:min(len(all), maxPinned)] {
		known := was.ofRelease().Text
		if isSameHash(known, hash) {
			return nil
		}
		if kind, _ := cutHash(known); other == nil && kind == algorithm {
			other = was
		}
	}
	return other
}

// isLockfile reports whether a document may hold hashes.
func isLockfile(doc *mcp.Document) bool {
	return doc.Scope == mcp.ScopeLock && doc.Tool != nil && (doc.Lock != nil || doc.Hashed != nil)
}

// maxPinned is with how many seals of one thing another is compared.
const maxPinned = 100

// before returns what a seal was, nil if it was not there: in its file under its name,
// in its file under another name, or in a file that is no more. Of several it is the
// first, unless another one has its hash.
func (x *pinnedIndex) before(now *pinnedHash) *pinnedHash {
	if was := x.exact[now.place()]; was != nil {
		return was
	}
	all := x.seals[now.key()]
	var best *pinnedHash
	rank := 0
	for _, was := range all[:min(len(all), maxPinned)] {
		r := 0
		switch isThere := was.doc.File.Path == now.doc.File.Path; {
		case isThere && was.format == now.format:
			r = 4
		case !isThere && !x.files[was.doc.File.Path]:
			r = 2
		default:
			continue
		}
		if _, _, differ := otherHash(was, now); !differ {
			r++
		}
		if r > rank {
			best, rank = was, r
		}
	}
	return best
}

// otherHash returns the two hashes by which two seals of one thing differ, and whether
// they do. Where one of the two has none, or one that cannot be right, nobody can say.
func otherHash(was, now *pinnedHash) (old, new identity.Word, differ bool) {
	if old, new, differ = otherArtifact(was.artifacts(), now.artifacts()); differ {
		return old, new, true
	}
	if now.doc.Tool.HashesTime && was.pin.Fetched != now.pin.Fetched {
		return old, new, false
	}
	old, new = was.pin.Integrity, now.pin.Integrity
	if len(was.pin.Files)+len(now.pin.Files) > 0 {
		_, _, differ = replacedHash(was.ofFiles(), now.ofFiles())
		return old, new, differ
	}
	if _, isFurther := now.further(was); isFurther {
		return old, new, true
	}
	return old, new, isHash(old.Text) && isHash(new.Text) && !isSameHash(old.Text, new.Text)
}

// further returns a hash of a release of one file that a seal has beside those which it had.
func (s *pinnedHash) further(was *pinnedHash) (further identity.Word, isFurther bool) {
	if !s.isOneFile() || was.release != s.release {
		return further, false
	}
	return furtherHash(hashesIn(was.pin.Integrity), hashesIn(s.pin.Integrity))
}

// isOneFile reports whether what a seal holds is a release that is one file, which has one
// hash.
func (s *pinnedHash) isOneFile() bool { return s.pkg != nil && identity.IsOneFile(s.pkg.Kind) }

// otherArtifact returns a hash that is not among those that were known, and the one in
// whose place it is: of its algorithm where there are several.
func otherArtifact(was, now []identity.Word) (old, new identity.Word, differ bool) {
	for _, new := range now {
		isKnown := func(w identity.Word) bool { return isSameHash(w.Text, new.Text) }
		algorithm, _ := cutHash(new.Text)
		isAlike := func(w identity.Word) bool { kind, _ := cutHash(w.Text); return kind == algorithm }
		if len(was) == 0 || slices.ContainsFunc(was, isKnown) {
			continue
		}
		if i := slices.IndexFunc(was, isAlike); i >= 0 {
			return was[i], new, true
		}
		if len(was) == 1 && len(now) == 1 {
			return was[0], new, true
		}
	}
	return old, new, false
}

// maxArtifacts is how many hashes of one thing are looked at.
const maxArtifacts = 16

// isHash reports whether a text may be a hash, however weak. What says it is a strong
// one and is not, invalid-integrity reports.
func isHash(text string) bool {
	kind, digest := cutHash(text)
	switch {
	case digest == "" || len(text) > maxQuoted || secret.Mask(text) != text || strings.Trim(digest, hashLetters) != "":
		return false
	case kind == "":
		return isHex(digest)
	case isShort(text):
		return true
	}
	state, _ := judgeHash(kind + "-" + digest)
	return state != hashBroken
}

// hashLetters are what a digest is written with, in hexadecimal or base64.
const hashLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_"

// cutHash returns the algorithm of a hash in lower case and its digest as written, of
// several those of the strongest. The digits that a registry of tools gives are of
// SHA-256; of others without an algorithm the length tells.
func cutHash(text string) (algorithm, digest string) {
	text = strongest(text)
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

// strongest returns the hash by the strongest algorithm of a text that has several with
// blanks between them (Subresource Integrity).
func strongest(text string) string {
	best, rank := "", -1
	for _, one := range strings.Fields(text) {
		name, _, _ := strings.Cut(one, "-")
		if size := hashSizes[strings.ToLower(name)]; size > rank {
			best, rank = one, size
		}
	}
	return best
}

// isShort reports whether a hash is no more than the first four digits of one.
func isShort(text string) bool {
	kind, digest, _ := strings.Cut(strings.TrimSpace(text), ":")
	if digest == "" {
		return len(kind) == shortDigits && isHex(kind)
	}
	return (kind == "tool" || kind == "capability") && len(digest) == shortDigits && isHex(digest)
}

// shortDigits is how many digits of a hash a registry of tools gives.
const shortDigits = 4

// isSameHash reports whether two hashes are one, however they are written, as far as
// both go.
func isSameHash(a, b string) bool {
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
	if isHex(digest) {
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

// shortOf returns the first four hexadecimal digits of a hash.
func shortOf(text string) string {
	digits := strings.ToLower(inHex(cutHash(text)))
	return digits[:min(len(digits), shortDigits)]
}

// shownHashes returns two hashes as far as people need them to tell them apart.
func shownHashes(old, new string) (string, string) {
	const digits = 12
	cut := func(text string) string {
		end := strings.IndexAny(text, "-:") + 1 + digits
		if end >= len(text) {
			return text
		}
		return text[:end] + "…"
	}
	old, new = strongest(old), strongest(new)
	if cut(old) == cut(new) {
		return old, new
	}
	return cut(old), cut(new)
}
