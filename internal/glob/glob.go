// Package glob matches paths against patterns as people write them in settings
// and manifests: * and ? within a segment, ** over several, [a-z] and {a,b}.
//
// Patterns come from the repository. A brace doubles the number of attempts, so braces are
// written out first, up to a limit; what is left costs at most the length of the pattern times
// that of the path.
package glob

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxBytes is how long a pattern may be, which is as long as a path may be on
// Linux; maxAlternatives in how many ways its braces may be read.
const maxBytes, maxAlternatives = 4096, 256

// Pattern is a pattern that was read. The zero value matches nothing.
type Pattern struct{ alternatives []string }

// ErrMalformed is the error of what is no pattern.
var ErrMalformed = errors.New("is malformed")

// Parse reads a pattern. Its error goes on after the pattern: "is malformed".
func Parse(text string) (Pattern, error) {
	if len(text) > maxBytes {
		return Pattern{}, fmt.Errorf("is longer than %d bytes", maxBytes)
	}
	if !doublestar.ValidatePattern(text) {
		return Pattern{}, ErrMalformed
	}
	if count(text) > maxAlternatives {
		return Pattern{}, fmt.Errorf("expands to more than %d patterns: write out its braces", maxAlternatives)
	}
	alternatives, _ := expand(text, "")
	slices.Sort(alternatives)
	return Pattern{slices.Compact(alternatives)}, nil
}

// IsPlain reports whether a text means itself alone as a pattern.
func IsPlain(text string) bool { return !strings.ContainsAny(text, `*?[{\`) }

// Size returns how many bytes the pattern has with its braces written out, which is
// what it costs to hold and to try it.
func (p Pattern) Size() int {
	size := 0
	for _, one := range p.alternatives {
		size += len(one)
	}
	return size
}

// Matches reports whether the pattern matches a path.
func (p Pattern) Matches(path string) bool {
	return slices.ContainsFunc(p.alternatives, func(one string) bool { return doublestar.MatchUnvalidated(one, path) })
}

// Covers reports whether the pattern matches a path or a directory above it.
func (p Pattern) Covers(path string) bool {
	return path != "" && slices.ContainsFunc(p.alternatives, func(one string) bool { return covers(one, path) })
}

// covers is Covers for a pattern without braces.
func covers(pattern, path string) bool {
	return doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path)
}

// count returns in how many ways the braces of a valid pattern can be read, at most
// maxAlternatives+1: factors multiply, and the alternatives of one brace add up.
func count(pattern string) int {
	type level struct{ sum, product int }
	levels := []level{{0, 1}}
	for i := 0; i < len(pattern); i += width(pattern[i:]) {
		top := &levels[len(levels)-1]
		switch pattern[i] {
		case '{':
			levels = append(levels, level{0, 1})
		case ',':
			if len(levels) > 1 {
				top.sum, top.product = min(top.sum+top.product, maxAlternatives+1), 1
			}
		case '}':
			inside := min(top.sum+top.product, maxAlternatives+1)
			levels = levels[:len(levels)-1]
			top = &levels[len(levels)-1]
			top.product = min(top.product*inside, maxAlternatives+1)
		}
	}
	return levels[0].product
}

// expand writes out the braces of a valid pattern that has few, up to the first of the bytes
// in ends that is outside of them. It returns what is left from there on.
func expand(pattern, ends string) (all []string, rest string) {
	all = []string{""}
	for i := 0; i < len(pattern); {
		if strings.IndexByte(ends, pattern[i]) >= 0 {
			return all, pattern[i:]
		}
		if pattern[i] != '{' {
			next := i + width(pattern[i:])
			for j := range all {
				all[j] += pattern[i:next]
			}
			i = next
			continue
		}
		var choices []string
		rest = pattern[i:]
		for rest[0] != '}' {
			var some []string
			some, rest = expand(rest[1:], ",}")
			choices = append(choices, some...)
		}
		all = combine(all, choices)
		pattern, i = rest[1:], 0
	}
	return all, ""
}

// combine returns every beginning with every end.
func combine(beginnings, ends []string) []string {
	all := make([]string, 0, len(beginnings)*len(ends))
	for _, beginning := range beginnings {
		for _, end := range ends {
			all = append(all, beginning+end)
		}
	}
	return all
}

// width returns how many bytes of a valid pattern belong together at its start:
// an escaped character, a class, or one byte.
func width(pattern string) int {
	switch pattern[0] {
	case '\\':
		return min(2, len(pattern))
	case '[':
		for i := 1; i < len(pattern); i++ {
			if pattern[i] == '\\' {
				i++
			} else if pattern[i] == ']' {
				return i + 1
			}
		}
	}
	return 1
}
