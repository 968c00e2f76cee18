package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// vscode is VS Code's file in a project.
var vscode = &shape.Format{
	Name:      "vscode",
	Scope:     mcp.ScopeProject,
	Paths:     []string{".vscode/mcp.json"},
	Dedicated: true,
	Parse:     (*syntax.Parser).JSON,
	Read:      readVSCode,
}

// duplicateOf begins the description that prompt-registry gives to an entry that it disables.
const duplicateOf = "Duplicate of "

// readVSCode reads VS Code's file, in which prompt-registry leaves notes.
func readVSCode(in *shape.Input) *mcp.Document {
	doc := shape.ReadWithInputs(in)
	if doc == nil || !strings.Contains(string(in.File.Bytes), duplicateOf) {
		return doc
	}
	entries := shape.ByName(in.FindRoot().Value())
	for _, s := range doc.Servers {
		entry := entries[s.Name]
		if entry == nil || entry.Value != s.Span {
			continue
		}
		if note := entry.Get("description"); note.IsString() {
			if name := duplicateName(note.Text); name != "" {
				s.EnsureExtra().DuplicateOf = identity.Word{Text: name, Span: note.Value}
			}
		}
	}
	return doc
}

// duplicateName returns the name in the description of a duplicate, "" if it is
// about something else. A name ends at a blank or a parenthesis, as the tool
// reads it.
func duplicateName(description string) string {
	_, rest, found := strings.Cut(description, duplicateOf)
	if !found {
		return ""
	}
	if end := strings.IndexAny(rest, " \t\n\r("); end >= 0 {
		return rest[:end]
	}
	return rest
}
