package policy

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// maxGroups is how many groups of files there may be: every file is matched against the
// patterns of all.
const maxGroups = 100

// maxNamePatterns is how many patterns of names all groups may have together, names without a
// * aside: every server is matched against each of them.
const maxNamePatterns = 200

// The keys that a group may have, and what it may do with servers that only a target has.
func groupKeys() []string {
	return []string{"except", "extra", "files", "per-project", "servers", "source"}
}
func extraWords() []string { return []string{"allow", "report"} }

// inStep reads the groups of files that must have the same servers.
func (p *settingsParser) inStep(n *syntax.Node) []mcp.GroupSettings {
	var groups []mcp.GroupSettings
	for _, item := range p.items(n, "in-step must be a list of groups like {files: [.mcp.json, .vscode/mcp.json]}") {
		if p.groups++; p.groups > maxGroups {
			p.wrong(item.Value, "there are more than %d groups", maxGroups)
			break
		}
		groups = append(groups, p.group(item))
	}
	return groups
}

// group reads one of them.
func (p *settingsParser) group(n *syntax.Node) mcp.GroupSettings {
	var g mcp.GroupSettings
	if n.Kind != syntax.Object {
		p.wrong(n.Value, "a group must be a mapping like {files: [.mcp.json, .vscode/mcp.json]}, not %s", kindName(n))
		return g
	}
	for _, member := range p.members(n, "", groupKeys()) {
		switch member.Name {
		case "files":
			for _, item := range p.items(member, "files must be a list of paths and patterns like [.mcp.json, .vscode/mcp.json]") {
				g.Files = append(g.Files, p.filePattern(item))
			}
		case "source":
			if g.Source = p.filePattern(member); !glob.IsPlain(g.Source) {
				p.wrong(member.Value, "source must be the path of one file, not a pattern")
			}
		case "servers":
			g.Servers = p.names(member)
		case "except":
			g.Except = p.names(member)
		case "extra":
			g.ReportsExtra = p.word(member, extraWords()) == "report"
		case "per-project":
			if g.PerProject = member.Text == "true"; member.Kind != syntax.Bool {
				p.wrong(member.Value, "per-project must be true or false, not %s", kindName(member))
			}
		}
	}
	p.groupAsWhole(n, &g)
	return g
}

// groupAsWhole judges what the members of a group come to.
func (p *settingsParser) groupAsWhole(n *syntax.Node, g *mcp.GroupSettings) {
	if n.Get("files") == nil {
		p.wrong(n.Value, "this group has no files")
		return
	}
	if g.Source != "" && !slices.Contains(g.Files, g.Source) {
		g.Files = append([]string{g.Source}, g.Files...)
	}
	if g.ReportsExtra && g.Source == "" {
		p.wrong(n.Get("extra").Value, "extra: report needs a source: without one every server must be in all files")
	}
	if len(g.Files) < 2 && !slices.ContainsFunc(g.Files, func(f string) bool { return !glob.IsPlain(f) }) {
		p.wrong(n.Get("files").Value, "a group needs two files, or a pattern: one file is always in sync with itself")
	}
}

// filePattern reads the path of a file from the root, or a pattern of such.
func (p *settingsParser) filePattern(n *syntax.Node) string {
	text := p.glob(n)
	if n.IsString() && source.IsGits(text) {
		p.wrong(n.Value, "the path %q is in a directory that git keeps for itself", shortened(n.Text))
	}
	if n.IsString() && glob.IsPlain(text) && text != "" && text != "." && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "..") && !fs.ValidPath(text) {
		p.wrong(n.Value, "the path %q must be written without empty parts, . and ..", shortened(n.Text))
	}
	return text
}

// names reads patterns of names of servers.
func (p *settingsParser) names(n *syntax.Node) []string {
	var names []string
	for _, item := range p.items(n, fmt.Sprintf("%s must be a list of names of servers like [docs, internal-*]", n.Name)) {
		if !item.IsString() || item.Text == "" {
			p.wrong(item.Value, "the name of a server must be a text that is not empty")
			continue
		}
		pattern, err := glob.Parse(item.Text)
		if err != nil {
			p.wrong(item.Value, "the pattern %q %v", shortened(item.Text), err)
		}
		if p.patterns += pattern.Size(); p.patterns > maxPatternBytes {
			p.wrong(item.Value, "the patterns up to here stand for more than %d MB: write out their braces", maxPatternBytes/1_000_000)
		}
		if !glob.IsPlain(item.Text) {
			p.namePatterns++
		}
		if p.namePatterns > maxNamePatterns {
			p.wrong(item.Value, "there are more than %d patterns of names: write the names themselves", maxNamePatterns)
			break
		}
		names = append(names, item.Text)
	}
	return names
}

// loosenedGroups returns, in sentences, the groups of files of which the settings ask less
// than the old ones did.
func loosenedGroups(was, now *Settings) (changes []string) {
	for _, before := range was.InStep {
		asksAsMuch := func(after mcp.GroupSettings) bool {
			return isSubset(before.Files, after.Files) && before.PerProject == after.PerProject &&
				(len(after.Servers) == 0 || len(before.Servers) > 0 && isSubset(before.Servers, after.Servers)) &&
				isSubset(after.Except, before.Except) && (after.ReportsExtra || !before.ReportsExtra)
		}
		if !slices.ContainsFunc(now.InStep, asksAsMuch) {
			changes = append(changes, "in-step requires less of "+strings.Join(few(slices.Clone(before.Files)), ", "))
		}
	}
	return changes
}

// isSubset reports whether all of some texts are among others.
func isSubset(some, others []string) bool {
	return !slices.ContainsFunc(some, func(text string) bool { return !slices.Contains(others, text) })
}
