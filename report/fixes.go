package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// Fixes are the fixes that were made, and those that were not.
type Fixes struct {
	Made, Left []view.FixResult
	// NeedUnsafe counts the places whose fixes are only not allowed.
	NeedUnsafe int
	// IsPatch reports that the fixes are printed, and not made.
	IsPatch bool
}

// WriteFixes lists the fixes that were made, a line for each fix below the files that
// it has changed, what was left and why, and how much that is. For nothing it writes nothing.
func WriteFixes(w io.Writer, f Fixes) error {
	out := bufio.NewWriter(w)
	word := "fixed"
	if f.IsPatch {
		word = "in the patch"
	}
	all := f.lines(word)
	for i, l := range all {
		if i == 0 || l.path != all[i-1].path {
			fmt.Fprintln(out, l.path)
		}
		fmt.Fprintf(out, "  %s\n", l.text)
	}
	if counts := f.counts(word); len(counts) > 0 {
		fmt.Fprintf(out, "%s\n", strings.Join(counts, ", "))
	}
	return out.Flush()
}

// fixLine is a line printed below a file, or below the files of one fix.
type fixLine struct{ path, text string }

// lines returns the lines about the fixes, by file. Places without a fix for the same reason
// share a line.
func (f *Fixes) lines(word string) []fixLine {
	var all []fixLine
	for _, m := range f.Made {
		all = append(all, fixLine{joined(m.Paths), fmt.Sprintf("%s: %s [%s]", word, m.Title, m.Rule.ID)})
	}
	type cause struct{ path, rule, reason string }
	notFixed, servers := map[cause][]int{}, map[cause][]string{}
	for _, m := range f.Left {
		if m.Title.Plain() == "" {
			c := cause{m.Paths[0].String(), m.Rule.ID, m.Reason.String()}
			notFixed[c] = append(notFixed[c], m.Line)
			if name := m.Server.String(); name != "" && !slices.Contains(servers[c], name) {
				servers[c] = append(servers[c], name)
			}
		}
	}
	for _, m := range f.Left {
		c := cause{m.Paths[0].String(), m.Rule.ID, m.Reason.String()}
		what := m.Title.String()
		if what == "" {
			lines, isNew := notFixed[c]
			if delete(notFixed, c); !isNew {
				continue // said already
			}
			what = cmp.Or(inLines(lines), "what comes up then") + ofServers(servers[c])
		}
		all = append(all, fixLine{c.path, fmt.Sprintf("not %s: %s [%s]: %s", word, what, c.rule, c.reason)})
	}
	slices.SortStableFunc(all, func(a, b fixLine) int { return cmp.Compare(a.path, b.path) })
	return all
}

// joined names the files of one fix, sorted.
func joined(paths []view.Path) string {
	var names []string
	for _, path := range paths {
		names = append(names, path.String())
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// maxLines is how many lines are named for one reason.
const maxLines = 5

// inLines says on which lines something is, "lines 3, 5 and 8"; "" for none.
func inLines(lines []int) string {
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(line int) bool { return line == 0 })
	if len(lines) < 2 {
		return strings.Join(numbered("line %d", lines), "")
	}
	words := numbered("%d", lines[:min(len(lines), maxLines)])
	if more := len(lines) - maxLines; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	last := len(words) - 1
	return "lines " + strings.Join(words[:last], ", ") + " and " + words[last]
}

// maxServers is how many servers are named for one reason.
const maxServers = 3

// ofServers says which servers a line is about, ` ("docs", "wiki" and 2 more)`; "" for none.
func ofServers(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var words []string
	for _, name := range names[:min(len(names), maxServers)] {
		words = append(words, `"`+name+`"`) // escaped already
	}
	text := strings.Join(words, ", ")
	if more := len(names) - maxServers; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return " (" + text + ")"
}

// numbered writes numbers in a format.
func numbered(format string, numbers []int) []string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprintf(format, n)
	}
	return words
}

// counts says how many fixes there were, and how many places were left.
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
