package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// mapLimit is the size, in bytes, up to which Mermaid draws a diagram (its
// default maxTextSize, which GitHub has not changed).
const mapLimit = 50_000

// The limits of one map in addition to its size.
const (
	maxEdges     = 500 // the most that Mermaid draws (its default maxEdges)
	maxLabel     = 80  // characters of a name or identity
	maxNameFiles = 5   // files shown with one name
)

// mapRules returns the rules whose findings colour a map, the one that counts
// most for a name first.
func mapRules() []string {
	return []string{"duplicate-server", "alias-drift", "name-conflict", "short-name-collision"}
}

// mapClass returns how a map shows what a rule finds.
func mapClass(rule string) string {
	switch rule {
	case "duplicate-server":
		return "duplicate"
	case "alias-drift":
		return "drift"
	}
	return "conflict"
}

// mapStyles are the looks of names, readable on light and on dark pages.
const mapStyles = `  classDef drift fill:#fff3cd,stroke:#b7791f,color:#3d2c00
  classDef duplicate fill:#fde2e1,stroke:#b42318,color:#4a0d08
  classDef conflict fill:#ede4ff,stroke:#6941c6,color:#2d1463
  classDef off stroke-dasharray:4 3
`

func listMermaid(w io.Writer, v *view.View) error { return writeMap(w, v, mapLimit) }

// writeMap writes the identity map of a repository as a Mermaid flowchart: the
// names that files and lockfiles use on one side, what they run on the other.
// What findings of mapRules say is in colour and on the edge. The map has at
// most limit bytes and says how many names are left out: those without a
// finding, and the last.
func writeMap(w io.Writer, v *view.View, limit int) error {
	_, err := io.WriteString(w, newIdentityMap(v).draw(limit))
	return err
}

// mapName is a name that files of one project give to one server.
type mapName struct {
	dir   view.Path
	name  view.Text
	id    view.Identity
	files []view.Path
	rule  string // of mapRules, "" where nothing was found
	on    bool   // at least one of its entries is enabled
}

// identityMap is everything that can be drawn, in the order of the repository.
type identityMap struct {
	names []*mapName
	index map[mapKey]*mapName
	rules map[view.Point]string
	// isGrouped reports that names belong to several directories.
	isGrouped bool
}

type mapKey struct {
	dir      view.Path
	name     view.Text
	identity view.Key
}

func newIdentityMap(v *view.View) *identityMap {
	m := &identityMap{index: map[mapKey]*mapName{}, rules: map[view.Point]string{}}
	rank := func(rule string) int { return slices.Index(mapRules(), rule) }
	for _, f := range v.Findings(rule.Off) {
		at := f.Place().Point()
		if old, ok := m.rules[at]; rank(f.Rule().ID) >= 0 && (!ok || rank(f.Rule().ID) < rank(old)) {
			m.rules[at] = f.Rule().ID
		}
	}
	for e := range v.Entries() {
		m.add(e)
	}
	return m
}

// add takes one entry of a file into the map.
func (m *identityMap) add(e view.Entry) {
	key := mapKey{e.Project, e.Name, e.Identity.Key()}
	n := m.index[key]
	if n == nil {
		n = &mapName{dir: e.Project, name: e.Name, id: e.Identity}
		m.isGrouped = m.isGrouped || len(m.names) > 0 && m.names[0].dir != n.dir
		m.index[key], m.names = n, append(m.names, n)
	}
	n.on = n.on || !e.IsOff
	if n.rule == "" {
		n.rule = m.rules[e.Place.Point()]
	}
	// The entries of a file come one after another.
	if path := e.Place.Path(); len(n.files) == 0 || n.files[len(n.files)-1] != path {
		n.files = append(n.files, path)
	}
}

// draw returns the flowchart.
func (m *identityMap) draw(limit int) string {
	if len(m.names) == 0 {
		return "flowchart LR\n  none[\"" + noServers + "\"]\n"
	}
	drawn := m.choose(limit)
	var names, servers, edges strings.Builder
	ids := map[view.Key]string{} // the nodes of servers
	dir, isOpen := view.Path{}, false
	for i, n := range m.names {
		if !drawn[n] {
			continue
		}
		if m.isGrouped && (!isOpen || n.dir != dir) {
			names.WriteString(closeGroup(isOpen))
			fmt.Fprintf(&names, "  subgraph p%d[\"%s\"]\n", i, mapDir(n.dir))
			dir, isOpen = n.dir, true
		}
		names.WriteString(m.nameNode(i, n))
		key := n.id.Key()
		if key == (view.Key{}) {
			continue // a placeholder runs nothing
		}
		if ids[key] == "" {
			ids[key] = fmt.Sprintf("s%d", len(ids))
			servers.WriteString(serverNode(ids[key], n.id))
		}
		edges.WriteString(edge(i, ids[key], n.rule))
	}
	names.WriteString(closeGroup(isOpen))
	return "flowchart LR\n" + names.String() + servers.String() + edges.String() + omitted(len(m.names)-len(drawn)) + mapStyles
}

func closeGroup(isOpen bool) string {
	if isOpen {
		return "  end\n"
	}
	return ""
}

// omitted says how many names are not drawn.
func omitted(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("  more[\"%s not shown\"]\n", Count(n, "more name"))
}

// choose returns the names that fit: those with findings, then the rest, in
// order.
func (m *identityMap) choose(limit int) map[*mapName]bool {
	drawn := map[*mapName]bool{}
	servers, dirs := map[view.Key]bool{}, map[view.Path]bool{} // those that are drawn already
	size := len("flowchart LR\n") + len(omitted(len(m.names))) + len(mapStyles)
	take := func(i int, n *mapName) bool {
		cost := len(m.nameNode(i, n)) + len(edge(i, "s999", n.rule))
		if !servers[n.id.Key()] {
			cost += len(serverNode("s999", n.id))
		}
		if !dirs[n.dir] {
			cost += len("  subgraph p999999[\"\"]\n  end\n") + len(mapDir(n.dir))
		}
		if size+cost > limit || len(drawn) == maxEdges {
			return false
		}
		size += cost
		drawn[n], servers[n.id.Key()], dirs[n.dir] = true, true, true
		return true
	}
	for _, found := range []bool{true, false} {
		for i, n := range m.names {
			if (n.rule != "") == found && !take(i, n) {
				return drawn
			}
		}
	}
	return drawn
}

// nameNode draws a name with the files that use it.
func (m *identityMap) nameNode(i int, n *mapName) string {
	lines := []string{mapText(n.name)}
	dir := n.dir.FromRoot().Plain()
	for at, path := range n.files {
		if at == maxNameFiles {
			lines = append(lines, "and "+Count(len(n.files)-at, "more file"))
			break
		}
		name := path.FromRoot().Plain()
		if m.isGrouped && dir != "" {
			name = strings.TrimPrefix(name, dir+"/")
		}
		lines = append(lines, mapText(view.NewText(name)))
	}
	class := ""
	switch {
	case n.rule != "":
		class = ":::" + mapClass(n.rule)
	case !n.on:
		class = ":::off"
	}
	return fmt.Sprintf("  n%d[\"%s\"]%s\n", i, strings.Join(lines, "<br>"), class)
}

// mapDir names a directory.
func mapDir(dir view.Path) string { return mapText(view.NewText(dir.FromRoot().Plain() + "/")) }

func serverNode(node string, id view.Identity) string {
	return fmt.Sprintf("  %s([\"%s\"])\n", node, mapText(id.Title()))
}

func edge(i int, server, rule string) string {
	if rule != "" {
		return fmt.Sprintf("  n%d -- %s --> %s\n", i, rule, server)
	}
	return fmt.Sprintf("  n%d --> %s\n", i, server)
}

// mapText returns text for a label in quotes: letters and digits as they are,
// and what only divides them; everything else as an entity of Mermaid's, so that
// nothing is taken for Mermaid, Markdown (which some versions look for in every
// label) or HTML. What is long is cut.
func mapText(text view.Text) string {
	runes := []rune(shorten(spelledOut(text.String()), maxLabel))
	var b strings.Builder
	for i, r := range runes {
		if isWordRune(r) || i > 0 && i+1 < len(runes) && divides(runes[i-1], r, runes[i+1]) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// spelledOut spells out what Mermaid looks for once more when it has decoded the
// entities: formulas, icons, and the characters that it writes entities with
// inside.
func spelledOut(text string) string {
	return strings.NewReplacer("$$", `$\x24`, ":fa-", `\x3afa-`, "ﬂ", `\ufb02`, "¶", `\u00b6`).Replace(text)
}

// isWordRune reports whether a label may hold a character as it is, anywhere.
func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '/'
}

// divides reports whether a label may hold r as it is between two others.
// "www." would begin a link.
func divides(before, r, after rune) bool {
	return isWordRune(before) && isWordRune(after) && strings.ContainsRune(" -_.", r) && (r != '.' || before != 'w' && before != 'W')
}
