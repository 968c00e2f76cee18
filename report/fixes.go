package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// Fixes are what was mended, and what was not although there is a fix.
type Fixes struct {
	Made, Left []view.Mending
	// NeedUnsafe counts the findings whose fixes are only not allowed.
	NeedUnsafe int
	// IsPatch reports that the fixes are printed, and not made.
	IsPatch bool
}

// WriteFixes writes for people what was mended and what was left and why, a line each
// below its file, and how much that is. For nothing it writes nothing.
func WriteFixes(w io.Writer, f Fixes) error {
	out := bufio.NewWriter(w)
	word := "fixed"
	if f.IsPatch {
		word = "in the patch"
	}
	all := slices.Concat(f.Made, f.Left)
	slices.SortStableFunc(all, func(a, b view.Mending) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	for i, m := range all {
		if i == 0 || m.Path != all[i-1].Path {
			fmt.Fprintln(out, m.Path)
		}
		if m.Reason.Plain() == "" {
			fmt.Fprintf(out, "  %s: %s [%s]\n", word, m.Title, m.Rule.ID)
		} else {
			fmt.Fprintf(out, "  not %s: %s [%s]: %s\n", word, m.Title, m.Rule.ID, m.Reason)
		}
	}
	if counts := f.counts(word); len(counts) > 0 {
		fmt.Fprintf(out, "%s\n", strings.Join(counts, ", "))
	}
	return out.Flush()
}

// counts says how many fixes there were.
func (f *Fixes) counts(word string) []string {
	var counts []string
	if n := len(f.Made); n > 0 {
		counts = append(counts, fmt.Sprintf("%d %s", n, word))
	}
	if n := len(f.Left); n > 0 {
		counts = append(counts, fmt.Sprintf("%d not", n))
	}
	if n := f.NeedUnsafe; n > 0 {
		counts = append(counts, fmt.Sprintf("%d fixable with --fix=unsafe", n))
	}
	return counts
}
