package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// PatchOptions say where a patch is written to.
type PatchOptions struct {
	// ForTerminal spells out what would move the cursor of a terminal, where the patch is
	// read and not applied.
	ForTerminal bool
	// InWorkflow leaves out what GitHub's runner would take for a command of the
	// workflow.
	InWorkflow bool
	// Command makes the changes that the patch shows, and those that it does not.
	Command string
}

// The most that is shown of changes that are no part of a patch: lines, and bytes of each.
const maxWithheldLines, maxWithheldWidth = 60, 160

// WriteWithheld prints what is left out of patches because it would contain a credential: the
// lines that change, with *** instead of it, so that they cannot be applied.
func WriteWithheld(w io.Writer, patches []view.Patch, o PatchOptions) error {
	out, changes, left := bufio.NewWriter(w), 0, maxWithheldLines
	for _, p := range patches {
		for _, h := range p.Withheld {
			if changes++; o.InWorkflow {
				continue
			}
			isFirst := true
			for i, line := range h.Lines {
				text, _, _ := strings.Cut(patchLine(line.Plain(), true), "\n")
				if left == 0 || line.Plain()[0] == ' ' {
					continue
				}
				if isFirst {
					fmt.Fprintf(out, "%s:%d, with the credential masked:\n", p.Path, h.LineOf(i))
				}
				left, isFirst = left-1, false
				if len(text) > maxWithheldWidth {
					text = strings.ToValidUTF8(text[:maxWithheldWidth], "") + "…"
				}
				fmt.Fprintf(out, "  %s\n", text)
			}
		}
	}
	switch {
	case changes == 1:
		fmt.Fprintf(out, "mcplumb: 1 change is left out of the patch, because it would contain a credential: %s makes it\n", o.Command)
	case changes > 1:
		fmt.Fprintf(out, "mcplumb: %d changes are left out of the patch, because they would contain a credential: %s makes them\n", changes, o.Command)
	}
	return out.Flush()
}

// WritePatch writes what changes in files as git apply takes it, byte for byte, and
// returns what is left out of it, a sentence each.
func WritePatch(w io.Writer, patches []view.Patch, o PatchOptions) (withheld []string, err error) {
	out := bufio.NewWriter(w)
	for _, p := range patches {
		hasHeader := false
		for _, h := range p.Hunks {
			if o.InWorkflow && slices.ContainsFunc(h.Lines, isCommand) {
				withheld = append(withheld, fmt.Sprintf("%s:%d: a change is left out of the patch, because GitHub would take a line of it for a command", p.Path, h.OldStart))
				continue
			}
			if !hasHeader {
				writePatchHeader(out, p)
				hasHeader = true
			}
			fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldCount, h.NewStart, h.NewCount)
			for _, line := range h.Lines {
				out.WriteString(patchLine(line.Plain(), o.ForTerminal))
			}
		}
	}
	return withheld, out.Flush()
}

// writePatchHeader writes the names of a file, which are from the root of the
// repository, as those of git's own patches are.
func writePatchHeader(out *bufio.Writer, p view.Patch) {
	name := p.Path.FromRoot().Plain()
	old, new := gitName("a/"+name), gitName("b/"+name)
	fmt.Fprintf(out, "diff --git %s %s\n", old, new)
	if strings.Contains(name, " ") { // a tab ends the name
		old, new = old+"\t", new+"\t"
	}
	if p.Created {
		out.WriteString("new file mode 100644\n")
		old = "/dev/null"
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n", old, new)
}

// patchLine returns a line of a hunk as it is written.
func patchLine(line string, onTerminal bool) string {
	text, hasEnd := strings.CutSuffix(line, "\n")
	if onTerminal {
		parts := strings.Split(strings.TrimSuffix(text, "\r"), "\t")
		for i := range parts {
			parts[i] = terminal.Escape(parts[i])
		}
		text = strings.Join(parts, "\t")
	}
	if !hasEnd {
		return text + "\n\\ No newline at end of file\n"
	}
	return text + "\n"
}

// gitName returns a path as git writes it in a patch: in quotes, with the escapes of
// C, if there is anything in it but printable ASCII (git, quote.c).
func gitName(name string) string {
	isPlain := true
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
			continue
		}
		isPlain = false
	}
	if isPlain {
		return name
	}
	return `"` + b.String() + `"`
}

// isCommand reports whether GitHub's runner would take a line of a patch for a command if it
// were in a log.
func isCommand(line view.Text) bool {
	return strings.HasPrefix(strings.TrimSpace(line.Plain()), "::") || strings.Contains(line.Plain(), terminal.Command)
}
