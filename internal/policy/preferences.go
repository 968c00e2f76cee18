package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Preferences are what the settings say of flags that were not given. Empty ones say
// nothing.
type Preferences struct {
	// FailOn is the lowest severity that makes a run fail, or "never"; Severity the
	// lowest that people are shown.
	FailOn, Severity string
	// Format is the output format of check.
	Format string
	// Baseline is the path of the baseline, from the root.
	Baseline string
}

// The words that a preference may be.
func severityWords() []string { return []string{"note", "warning", "error"} }
func failOnWords() []string   { return append(severityWords(), "never") }

// FormatWords are the formats that the settings may ask for: those of check.
func FormatWords() []string {
	return []string{"text", "concise", "json", "sarif", "github", "markdown", "rdjson", "gitlab", "junit"}
}

// word reads one of a few words.
func (p *settingsParser) word(n *syntax.Node, words []string) string {
	if !n.IsString() {
		p.wrong(n.Value, "%s must be one of %s, not %s", n.Name, strings.Join(words, ", "), kindName(n))
		return ""
	}
	if !slices.Contains(words, n.Text) {
		p.wrong(n.Value, "%s %q: %v", n.Name, n.Text, spelling.OneOf(n.Text, words))
	}
	return n.Text
}

// path reads the path of a file from the root.
func (p *settingsParser) path(n *syntax.Node) string {
	text := strings.TrimPrefix(n.Text, "./")
	switch {
	case !n.IsString():
		p.wrong(n.Value, "%s must be the path of a file, not %s", n.Name, kindName(n))
	case text == "" || text == ".":
		p.wrong(n.Value, "%s is empty: leave it out", n.Name)
	case path.Clean(text) == "..", strings.HasPrefix(path.Clean(text), "../"):
		p.wrong(n.Value, "%s %q leads out of the repository", n.Name, n.Text)
	case strings.HasPrefix(text, "/"):
		p.wrong(n.Value, "%s %q must be relative to the root of the repository", n.Name, n.Text)
	case source.IsGits(text):
		p.wrong(n.Value, "%s %q is in a directory that git keeps for itself", n.Name, n.Text)
	}
	return text
}
