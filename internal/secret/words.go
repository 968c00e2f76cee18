package secret

import "github.com/mcplumb/mcplumb/internal/ascii"

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

// listed reports whether a word, in any letter case, is in a short table of lowercase words. It
// runs several times for each value, and few words have the length and the first letter of one in
// the table, so a plain loop is faster than a search.
func listed(table []string, word string) bool {
	if word == "" {
		return false
	}
	first := ascii.ToLower(word[0])
	for _, entry := range table {
		if len(entry) == len(word) && entry[0] == first && ascii.EqualFold(word, entry) {
			return true
		}
	}
	return false
}
