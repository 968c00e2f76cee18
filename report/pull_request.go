package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// maxPullRequest is how many bytes of tables the body of a pull request has: GitHub takes
// 65,536 characters of it.
const maxPullRequest = 40_000

// PullRequest is the content of a pull request with fixes.
type PullRequest struct {
	Fixes
	// Safety is the safety of the requested fixes.
	Safety rule.Safety
	// Refused counts the fixes that are left out because people have closed a pull
	// request that had them.
	Refused int
}

// WritePullRequest writes the body of a pull request with fixes, in GitHub Flavored
// Markdown: what was fixed, what was not and why, and what a maintainer can do who does not
// want it.
func WritePullRequest(w io.Writer, p PullRequest) error {
	m := fixWriter{room: maxPullRequest}
	fmt.Fprintf(&m.out, "mcplumb fixes %s in the MCP server configuration. Each commit has the fixes of one rule", Count(len(p.Made), "place"))
	if p.Safety == rule.Unsafe {
		m.out.WriteString(", and some may change what a file means: please read them")
	}
	m.out.WriteString(".\n")
	m.table("what it does", p.Made, func(f view.FixResult) string { return f.Title.String() })
	if len(p.Left) > 0 {
		fmt.Fprintf(&m.out, "\n<details>\n<summary>%s not fixed</summary>\n", Count(len(p.Left), "place"))
		m.table("why not", p.Left, func(f view.FixResult) string { return f.Reason.String() })
		m.out.WriteString("\n</details>\n")
	}
	if p.NeedUnsafe > 0 {
		fmt.Fprintf(&m.out, "\n%s may be fixed with `fix-safety: unsafe`.\n", Count(p.NeedUnsafe, "more place"))
	}
	if p.Refused > 0 {
		fmt.Fprintf(&m.out, "\n%s left out: a pull request with it was closed. To be asked again, reopen that one.\n", plural(p.Refused, "1 fix is", fmt.Sprintf("%d fixes are", p.Refused)))
	}
	m.out.WriteString(`
---

- **Not this one?** Close the pull request: the same fixes are not proposed again. To keep a finding for good, [ignore it with a reason](https://github.com/mcplumb/mcplumb/blob/main/docs/settings.md).
- **A changed hash or server** cannot be decided by a fix: run ` + "`mcplumb approve NAME`" + ` if it is intended.
- Commits of yours on this branch are left alone: with one, mcplumb no longer updates the pull request.
`)
	m.links()
	_, err := io.WriteString(w, m.out.String())
	return err
}

// fixWriter writes tables of fixes.
type fixWriter struct {
	out   strings.Builder
	room  int
	rules []*rule.Rule
}

// table writes a table of fixes, and counts those that there is no room for.
func (m *fixWriter) table(head string, fixes []view.FixResult, tells func(view.FixResult) string) {
	fmt.Fprintf(&m.out, "\n| rule | severity | where | %s |\n|---|---|---|---|\n", head)
	for i, f := range fixes {
		row := fmt.Sprintf("| [%s] | %s | %s | %s |\n", f.Rule.ID, f.Severity, codeCell(shorten(at(f), maxMarkdownText)), markdownCell(tells(f)))
		if m.room -= len(row); m.room < 0 {
			fmt.Fprintf(&m.out, "\n…and %d more.\n", len(fixes)-i)
			break
		}
		m.out.WriteString(row)
		m.rules = append(m.rules, f.Rule)
	}
}

// at names the files of a fix, and the line where there is one file.
func at(f view.FixResult) string {
	if len(f.Paths) == 1 && f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.Paths[0], f.Line)
	}
	return joined(f.Paths)
}

// links defines the links of the rules.
func (m *fixWriter) links() {
	known := map[string]bool{}
	for _, c := range m.rules {
		if !known[c.ID] {
			fmt.Fprintf(&m.out, "\n[%s]: %s", c.ID, c.URL())
		}
		known[c.ID] = true
	}
	m.out.WriteByte('\n')
}
