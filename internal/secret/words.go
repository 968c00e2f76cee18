package secret

import (
	"sort"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// words yields the runs of letters of v, split at camelCase too.
func words(v string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := -1
		for i := 0; i <= len(v); i++ {
			inside := i < len(v) && ascii.IsLetter(v[i])
			if start >= 0 && (!inside || ascii.IsUpper(v[i]) && ascii.IsLower(v[i-1])) {
				if !yield(v[start:i]) {
					return
				}
				start = -1
			}
			if inside && start < 0 {
				start = i
			}
		}
	}
}

// listed reports whether a word, in any letter case, stands in a sorted table of
// words in small letters. It does not allocate, as every value is asked for
// several times.
func listed(table []string, word string) bool {
	_, found := sort.Find(len(table), func(i int) int { return compareFold(word, table[i]) })
	return found
}

// compareFold compares a word in any letter case with one in small letters.
func compareFold(word, entry string) int {
	for i := 0; i < min(len(word), len(entry)); i++ {
		if c := ascii.ToLower(word[i]); c != entry[i] {
			return int(c) - int(entry[i])
		}
	}
	return len(word) - len(entry)
}
