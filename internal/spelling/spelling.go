// Package spelling says which word was meant by a misspelt one.
package spelling

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest returns the known word that a misspelt one most likely means, or ""
// when none is near.
func Nearest(word string, known []string) string {
	word = strings.ToLower(word)
	limit := max(utf8.RuneCountInString(word)/3, 1)
	best := ""
	for _, candidate := range known {
		if d := distance(word, candidate, limit); d <= limit && (best == "" || d < limit) {
			best, limit = candidate, d
		}
	}
	return best
}

// meant returns the word that the user meant: the nearest, or the only one that begins so.
func meant(word string, known []string) string {
	if nearest := Nearest(word, known); nearest != "" {
		return nearest
	}
	return onlyLonger(strings.ToLower(word), known)
}

// minBeginning is how many letters of a word say which one it is.
const minBeginning = 3

// onlyLonger returns the known word that begins with a shorter one, "" where none or several do.
func onlyLonger(word string, known []string) string {
	isLonger := func(candidate string) bool { return strings.HasPrefix(candidate, word) }
	first := slices.IndexFunc(known, isLonger)
	if len(word) < minBeginning || first < 0 || slices.ContainsFunc(known[first+1:], isLonger) {
		return ""
	}
	return known[first]
}

// IsNear reports that a word differs from a known one in at most some letters.
func IsNear(word, known string, letters int) bool { return distance(word, known, letters) <= letters }

// Hint says which known word a wrong one most likely means, or which there are.
func Hint(word string, known []string) string {
	if nearest := meant(word, known); nearest != "" {
		return fmt.Sprintf("did you mean %q?", nearest)
	}
	return "known are " + strings.Join(known, ", ")
}

// OneOf returns an error that names the words unless value is one of them.
func OneOf(value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	// Near in letters is not near in meaning if the user wants to disable something.
	if never := "never"; slices.Contains([]string{"none", "off", "no", "false"}, value) && slices.Contains(words, never) {
		return fmt.Errorf("did you mean %q?", never)
	}
	if nearest := meant(value, words); nearest != "" {
		return fmt.Errorf("did you mean %q?", nearest)
	}
	return fmt.Errorf("use one of %s", strings.Join(words, ", "))
}

// distance returns how many letters must be added, dropped, replaced or swapped
// with their neighbour to turn one word into the other, or limit+1 if more than
// limit (optimal string alignment).
func distance(from, to string, limit int) int {
	a, b := []rune(from), []rune(to)
	if max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	var last []int // the row before previous
	previous := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], last[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		last, previous = previous, row
	}
	return previous[len(b)]
}
