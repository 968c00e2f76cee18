package compare

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// RegisteredHashes returns the hashes that a registry publishes for one version of a package, weak
// ones included; nil if no registry was asked or none answered.
func RegisteredHashes(r *mcp.Registries, pkg identity.Fetched) []identity.Word {
	said := r.Of(pkg)
	if said == nil {
		return nil
	}
	release := ReleaseIn(said, pkg)
	if release == nil {
		return nil
	}
	var hashes []identity.Word
	for _, text := range slices.Concat(release.Hashes, release.Weak) {
		hashes = append(hashes, HashesIn(identity.Word{Text: text})...)
	}
	return hashes
}

// HashesIn returns the hashes of a text, each at its place: Subresource Integrity has
// several by different algorithms, with blanks between them.
func HashesIn(w identity.Word) []identity.Word {
	var hashes []identity.Word
	for _, text := range strings.Fields(w.Text) {
		if IsHash(text) && !isBrokenSHA1(text) {
			hashes = append(hashes, identity.Word{Text: text, Span: w.Span})
		}
	}
	return hashes
}

// isBrokenSHA1 reports whether a text claims to be a SHA-1 and is not one. A SHA-1 proves nothing
// in any case, so no other rule reports this.
func isBrokenSHA1(text string) bool {
	algorithm, digest := cutHash(text)
	return algorithm == "sha1" && len(inHex(algorithm, digest)) != hex.EncodedLen(sha1.Size)
}

// ReplacedHash returns a known hash of some files that is gone, and one that is new, by the
// strongest algorithm in both lists. There must be one of each: a version on PyPI may get further
// files, and may lose some.
func ReplacedHash(known, now []identity.Word) (gone, new identity.Word, isReplaced bool) {
	known, now = InOneAlgorithm(known, now)
	gone, isGone := missingFrom(now, known)
	new, isNew := missingFrom(known, now)
	return gone, new, isGone && isNew
}

// FurtherHash returns a hash that is not among those which are known of one file, by the
// strongest algorithm that both lists have.
func FurtherHash(known, all []identity.Word) (further identity.Word, isFurther bool) {
	known, all = InOneAlgorithm(known, all)
	return missingFrom(known, all)
}

// InOneAlgorithm returns the hashes of two lists by the strongest algorithm that both
// have.
func InOneAlgorithm(a, b []identity.Word) (ofA, ofB []identity.Word) {
	for _, algorithm := range []string{"sha512", "sha384", "sha256", "sha1"} {
		if ofA, ofB = by(algorithm, a), by(algorithm, b); len(ofA) > 0 && len(ofB) > 0 {
			return ofA, ofB
		}
	}
	return nil, nil
}

// by returns the hashes by one algorithm.
func by(algorithm string, hashes []identity.Word) []identity.Word {
	return slices.DeleteFunc(slices.Clone(hashes), func(w identity.Word) bool { kind, _ := cutHash(w.Text); return kind != algorithm })
}

// missingFrom returns the first of some hashes that a list has not.
func missingFrom(list, hashes []identity.Word) (missing identity.Word, isMissing bool) {
	return missingBy(func(text string) string { return inHex(cutHash(text)) }, list, hashes)
}

// missingStart is missingFrom by the first digits.
func missingStart(list, hashes []identity.Word) (missing identity.Word, isMissing bool) {
	return missingBy(ShortOf, list, hashes)
}

func missingBy(key func(hash string) string, list, hashes []identity.Word) (missing identity.Word, isMissing bool) {
	has := make(map[string]bool, len(list))
	for _, w := range list {
		has[key(w.Text)] = true
	}
	i := slices.IndexFunc(hashes, func(w identity.Word) bool { return !has[key(w.Text)] })
	if i < 0 {
		return missing, false
	}
	return hashes[i], true
}

// HashOfFiles returns the hash of a version with these files, as mcplumb.lock has it: that
// of the only one, or the SHA-256 of all of them, sorted, one a line; "" for none.
func HashOfFiles(hashes []string) string {
	switch len(hashes) {
	case 0:
		return ""
	case 1:
		return hashes[0]
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(slices.Values(hashes)), "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// IsSameHash reports whether two texts have the same hash by the strongest algorithm that both
// name: a registry may later publish another, weaker one in addition.
func IsSameHash(a, b string) bool {
	ofA, ofB := InOneAlgorithm(HashesIn(identity.Word{Text: a}), HashesIn(identity.Word{Text: b}))
	_, isMissing := missingFrom(ofB, ofA)
	return len(ofA) > 0 && !isMissing
}

// SecondHash returns a hash of a text that is another one than its first by the same
// algorithm, "" for none: of what is one file there can be only one.
func SecondHash(text string) string {
	hashes := HashesIn(identity.Word{Text: text})
	for i := range hashes {
		if further, ok := FurtherHash(hashes[:i], hashes[i:i+1]); ok {
			return further.Text
		}
	}
	return ""
}

// TextsOf returns the texts of words.
func TextsOf(words []identity.Word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return texts
}
