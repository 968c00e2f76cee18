package edit

import (
	"slices"
	"sort"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// seen caches what is looked up in a document repeatedly, computed on first use. It is about the
// document as it was read, so all changes of a file share it.
type seen struct {
	nodes *nodeList
	// breaks are the offsets behind each CR and LF, feeds those of each LF.
	breaks, feeds []int
	hasBreaks     bool
	// bracketed and blocks are the containers that were taken apart.
	bracketed map[*syntax.Node]*bracketed
	blocks    map[*syntax.Node]*block
	// merged and dotted are what isMerged and holdsDotted have said of objects.
	merged, dotted map[*syntax.Node]bool
	// examples are what example has found, last what lastLike has.
	examples map[exampleOf]*syntax.Node
	last     map[lastOf]*syntax.Node
	quotings map[quotingIn]quoting
	spacings map[*syntax.Node]spacing
	spaced   map[*tomlTables]bool // hasSpacedSections
}

// once returns what is known of a key, and works it out for the first time.
func once[K comparable, V any](known *map[K]V, key K, work func() V) V {
	if v, ok := (*known)[key]; ok {
		return v
	}
	if *known == nil {
		*known = map[K]V{}
	}
	v := work()
	(*known)[key] = v
	return v
}

// findBreaks finds the line breaks of a document.
func (d *document) findBreaks() *seen {
	if d.seen.hasBreaks {
		return d.seen
	}
	d.seen.hasBreaks = true
	for i := range len(d.text) {
		switch d.text[i] {
		case '\n':
			d.seen.feeds = append(d.seen.feeds, i)
			d.seen.breaks = append(d.seen.breaks, i+1)
		case '\r':
			d.seen.breaks = append(d.seen.breaks, i+1)
		}
	}
	return d.seen
}

// hasBreak reports whether there is a line break between two offsets.
func (d *document) hasBreak(start, end int) bool {
	all := d.findBreaks().breaks
	i := sort.SearchInts(all, start+1)
	return i < len(all) && all[i] <= end
}

// lineStart returns where the line of an offset begins, behind a byte order
// mark.
func (d *document) lineStart(offset int) int {
	all := d.findBreaks().breaks
	if i := sort.SearchInts(all, offset+1); i > 0 {
		return all[i-1]
	}
	return len(d.bom())
}

// lineEnd returns where the line of an offset ends, before its line break.
func (d *document) lineEnd(offset int) int {
	all := d.findBreaks().feeds
	i := sort.SearchInts(all, offset)
	if i == len(all) {
		return len(d.text)
	}
	if end := all[i]; end > offset && d.text[end-1] == '\r' {
		return end - 1
	}
	return all[i]
}

// holdsComment reports whether there is a comment within a span.
func (d *document) holdsComment(span syntax.Span) bool {
	comments := d.tree.Comments
	i := sort.Search(len(comments), func(i int) bool { return comments[i].Start >= span.Start })
	return i < len(comments) && span.Contains(comments[i])
}

// isWithinComment reports whether a span is a part of a comment, not at one of its ends.
func (d *document) isWithinComment(at syntax.Span) bool {
	comments := d.tree.Comments
	i := sort.Search(len(comments), func(i int) bool { return comments[i].Start >= at.Start })
	return i > 0 && at.Start < at.End && at.End < comments[i-1].End
}

// isOneOf reports whether a span is among some that are sorted.
func isOneOf(sorted []syntax.Span, span syntax.Span) bool {
	_, ok := slices.BinarySearchFunc(sorted, span, compareSpans)
	return ok
}
