package report

import (
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// maxReasons is how many fixes of a suggestion are listed.
const maxReasons = 10

// Suggestion returns the text above a suggestion in a pull request, in GitHub Flavored
// Markdown: what the fixes do whose changes it has. together is how many suggestions a fix
// needs, if several.
func Suggestion(fixes []view.FixResult, together int) string {
	var lines []string
	isPrinted := map[string]bool{}
	for _, f := range fixes {
		line := fmt.Sprintf("[%s](%s): %s", f.Rule.ID, f.Rule.URL(), markdown(f.Title.String()))
		if !isPrinted[line] {
			lines = append(lines, line)
		}
		isPrinted[line] = true
	}
	if more := len(lines) - maxReasons; more > 0 {
		lines = append(lines[:maxReasons], fmt.Sprintf("…and %d more", more))
	}
	if len(lines) > 1 {
		for i := range lines {
			lines[i] = "- " + lines[i]
		}
	}
	text := strings.Join(lines, "\n")
	if together > 1 {
		text += fmt.Sprintf("\n\nThis is one of %d suggestions that belong together.", together)
	}
	return text
}
