package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// listed reports whether a sorted table contains word.
func listed(table []string, word string) bool {
	_, found := slices.BinarySearch(table, word)
	return found
}

// pair is a row of a sorted table of two columns.
type pair struct{ key, value string }

// pairOf returns the value of a key.
func pairOf(table []pair, key string) (string, bool) {
	at, found := slices.BinarySearchFunc(table, key, func(row pair, key string) int { return strings.Compare(row.key, key) })
	if !found {
		return "", false
	}
	return table[at].value, true
}

// lowerName is lower for names that are shown. A token in one is masked before:
// nothing would recognise it in small letters.
func lowerName(name string) string { return ascii.Lower(masked(name)) }

// masked hides a credential in a name.
func masked(name string) string { return secret.Mask(name) }

// IsHTTP reports whether text is an http or https URL.
func IsHTTP(text string) bool {
	return len(text) > 7 && (strings.EqualFold(text[:7], "http://") || len(text) > 8 && strings.EqualFold(text[:8], "https://"))
}
