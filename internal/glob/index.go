package glob

import (
	"iter"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Index finds the patterns that cover a path among many. Most patterns have a
// name in them that every path they cover has, too: only those are tried whose
// name the path has. The zero value is empty.
type Index struct {
	byName map[string][]entry
	others []entry
}

// entry is one way to read a pattern, and the number that was added with it.
type entry struct {
	pattern string
	id      int
}

// Add adds a pattern under a number. Do not add while others look.
func (ix *Index) Add(p Pattern, id int) {
	for _, alternative := range p.alternatives {
		one := entry{alternative, id}
		name := longestName(alternative)
		if name == "" {
			ix.others = append(ix.others, one)
			continue
		}
		if ix.byName == nil {
			ix.byName = map[string][]entry{}
		}
		ix.byName[name] = append(ix.byName[name], one)
	}
}

// Covering calls found with the number of every pattern that covers a path, in no
// order, until it returns false. A pattern with braces may be found twice.
func (ix *Index) Covering(path string, found func(id int) bool) {
	for e := range ix.candidates(path) {
		if covers(e.pattern, path) && !found(e.id) {
			return
		}
	}
}

// Matches reports whether one of the patterns matches a path.
func (ix *Index) Matches(path string) bool {
	for e := range ix.candidates(path) {
		if doublestar.MatchUnvalidated(e.pattern, path) {
			return true
		}
	}
	return false
}

// candidates yields the entries that may cover a path.
func (ix *Index) candidates(path string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if path == "" || len(ix.byName)+len(ix.others) == 0 {
			return
		}
		seen := map[string]bool{}
		for name := range strings.SplitSeq(path, "/") {
			if seen[name] {
				continue
			}
			seen[name] = true
			for _, e := range ix.byName[name] {
				if !yield(e) {
					return
				}
			}
		}
		for _, e := range ix.others {
			if !yield(e) {
				return
			}
		}
	}
}

// longestName returns the longest segment of a pattern without braces that matches only
// itself, "" without one.
func longestName(pattern string) string {
	longest := ""
	if strings.Contains(pattern, "[") {
		return "" // a slash within brackets does not separate names
	}
	for segment := range strings.SplitSeq(pattern, "/") {
		if strings.ContainsAny(segment, `*?]\`) {
			continue
		}
		if len(segment) > len(longest) {
			longest = segment
		}
	}
	return longest
}
