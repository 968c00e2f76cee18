package checks

import (
	"embed"
	"strings"
)

//go:embed *.md
var pages embed.FS

// Page returns the Markdown page of the check: the one text behind the
// documentation, `mcplumb explain` and the help in SARIF. It is empty for a
// check without a page; a test allows none.
func (c *Check) Page() string {
	page, err := pages.ReadFile(c.file(".md"))
	if err != nil {
		return ""
	}
	return string(page)
}

// file returns the name of the check's file with the given extension.
func (c *Check) file(extension string) string {
	return strings.ReplaceAll(c.ID, "-", "_") + extension
}
