package policy

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// startingSettings are settings to begin with: everything that settings can say, in
// comments.
//
//go:embed starting.yaml
var startingSettings []byte

// Starting returns settings to begin with, all in comments, with groups of files of this
// repository instead of the example.
func Starting(groups []mcp.GroupSettings) []byte {
	if len(groups) == 0 {
		return startingSettings
	}
	const key = "#in-step:\n"
	start := bytes.Index(startingSettings, []byte(key))
	end := start + bytes.Index(startingSettings[start:], []byte("\n\n"))
	var b strings.Builder
	b.Write(startingSettings[:start])
	b.WriteString("# These files of this repository share some servers.\n" + key)
	for i, g := range groups {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(groupInComments(&g))
	}
	b.Write(startingSettings[end:])
	return []byte(b.String())
}

// groupInComments writes a group as settings have it, in comments, without the last line
// break.
func groupInComments(g *mcp.GroupSettings) string {
	files := make([]string, len(g.Files))
	for i, name := range g.Files {
		files[i] = InYAML(name)
	}
	text := fmt.Sprintf("#  - files: [%s]\n#    source: %s", strings.Join(files, ", "), InYAML(g.Source))
	if g.PerProject {
		text += "\n#    per-project: true"
	}
	return text
}

// plainInYAML are paths that need no quotes, anywhere.
var plainInYAML = regexp.MustCompile(`^[.A-Za-z_][A-Za-z0-9._/-]*$`)

// InYAML writes a path for YAML: in quotes if it needs them, in JSON's syntax.
func InYAML(path string) string {
	if plainInYAML.MatchString(path) {
		return path
	}
	return strconv.Quote(path)
}
