package compare

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// HashChange is what has become of the hashes that held something. All but HashKept may
// let in what they did not.
type HashChange uint8

// The changes of hashes.
const (
	// HashKept is the same hash in any form, an additional stronger one, one of several less, or a
	// hash where there was none.
	HashKept     HashChange = iota
	HashStronger            // one by an algorithm that proves more, in its place: of the same, or not
	HashSwapped             // another one
	HashFurther             // the same and another one of its algorithm, of what is one file
	HashWeaker              // one by an algorithm that proves less
	HashShorter             // only the first digits of the same
	HashGone                // none
)

// ChangeOfHashes says how the hashes of one thing changed, and which two show it: old is empty if
// there was none, new if there is none. Only this function decides when hashes prove less than they
// did. What counts is the strongest algorithm of each list, as with Subresource Integrity. If no
// hash by the formerly strongest algorithm is left, the two lists cannot show whether they are of
// the same content. isOneFile says that there can be only one hash by one algorithm: of several
// files, some may be added and some removed.
func ChangeOfHashes(was, now []identity.Word, isOneFile bool) (change HashChange, old, new identity.Word) {
	old, new = strongestOf(was), strongestOf(now)
	switch {
	case len(was) == 0:
		return HashKept, old, new
	case len(now) == 0:
		return HashGone, old, new
	case strengthOf(new.Text) < strengthOf(old.Text):
		return HashWeaker, old, new
	}
	if ofWas, ofNow := ofStrongest(was), ofAlgorithm(old.Text, now); len(ofNow) > 0 {
		if change, old, new := changeInAlgorithm(ofWas, ofNow, isOneFile); change != HashKept {
			return change, old, new
		}
	}
	switch isOther := len(ofAlgorithm(old.Text, now)) == 0; {
	case isOther && strengthOf(old.Text) == strengthOf(new.Text):
		return HashSwapped, old, new // by two algorithms, neither of which proves more
	case isOther:
		return HashStronger, old, new
	}
	return HashKept, old, new
}

// changeInAlgorithm is ChangeOfHashes for hashes by one algorithm. If one of them is only the first
// digits, only the first digits of all are compared.
func changeInAlgorithm(was, now []identity.Word, isOneFile bool) (change HashChange, old, new identity.Word) {
	isCut := func(w identity.Word) bool { return isShort(w.Text) }
	isWhole := func(w identity.Word) bool { return !isCut(w) }
	missing := missingFrom
	if slices.ContainsFunc(was, isCut) || slices.ContainsFunc(now, isCut) {
		missing = missingStart
	}
	gone, isGone := missing(now, was)
	come, isCome := missing(was, now)
	switch {
	case isGone && isCome:
		return HashSwapped, gone, come
	case isCome && isOneFile:
		return HashFurther, was[0], come
	case slices.ContainsFunc(was, isWhole) && !slices.ContainsFunc(now, isWhole):
		return HashShorter, was[slices.IndexFunc(was, isWhole)], now[0]
	}
	return HashKept, was[0], now[0]
}

// strengthOf says how much the algorithm of a hash proves: its length in bytes, 0 where it can be
// forged or is not known, or 1 of SHA-1, which is better than those.
func strengthOf(text string) int {
	algorithm := algorithmOf(text)
	if algorithm == "sha1" {
		return 1
	}
	return hashSizes[algorithm]
}

// IsOneAlgorithm reports whether the strongest hashes of two texts are by one algorithm.
func IsOneAlgorithm(a, b string) bool { return algorithmOf(a) == algorithmOf(b) }

func algorithmOf(text string) string {
	algorithm, _ := cutHash(text)
	return algorithm
}

// strongestOf returns the first hash by the strongest algorithm of a list, empty of none.
func strongestOf(hashes []identity.Word) (best identity.Word) {
	for i, w := range hashes {
		if i == 0 || strengthOf(w.Text) > strengthOf(best.Text) {
			best = w
		}
	}
	return best
}

// ofStrongest returns the hashes by the strongest algorithm of a list.
func ofStrongest(hashes []identity.Word) []identity.Word {
	return ofAlgorithm(strongestOf(hashes).Text, hashes)
}

// ofAlgorithm returns the hashes of a list by the algorithm of a hash.
func ofAlgorithm(of string, hashes []identity.Word) []identity.Word {
	return by(algorithmOf(of), hashes)
}
