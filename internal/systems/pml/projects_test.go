package pml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// pmlTool is a locked tool: the key of its entry, its full name and what was
// locked.
type pmlTool struct {
	key, fqdn, integrity, kind string
	approved                   bool
}

// pmlProject is what PML keeps in a workspace.
type pmlProject struct {
	servers          []string
	tools            []pmlTool
	allow, deny, ask []string
}

// newPMLTool locks a tool as PML does: under its name without the hash, which is
// the beginning of its integrity. A registry gives only these four digits.
func newPMLTool(random *rand.Rand, base, kind string) pmlTool {
	digits := fmt.Sprintf("%064x", random.Uint64())
	digits = digits[48:] + digits[:48]
	integrity := linttest.OneOf(random, []string{digits, "sha256-" + digits, "tool:" + digits[:4]})
	return pmlTool{key: base, fqdn: base + "." + digits[:4], integrity: integrity, kind: kind, approved: true}
}

// pmlAccidents are what people and merges do to a locked tool.
var pmlAccidents = []func(random *rand.Rand, p *pmlProject, tool *pmlTool){
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.key = tool.fqdn },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.key = strings.Replace(tool.key, ".", ".x", 1) },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.integrity = "" },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.integrity = strings.Repeat("e", 64) },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.integrity += "0" },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.integrity = "sha256-none" },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.fqdn = strings.ToUpper(tool.fqdn) },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.fqdn += ".more" },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.key, tool.fqdn = "1"+tool.key, "1"+tool.fqdn },
	func(_ *rand.Rand, _ *pmlProject, tool *pmlTool) { tool.approved = false },
	func(_ *rand.Rand, p *pmlProject, _ *pmlTool) { p.servers = p.servers[1:] },
	func(random *rand.Rand, p *pmlProject, _ *pmlTool) {
		p.deny = []string{linttest.OneOf(random, pmlPatterns)}
	},
	func(random *rand.Rand, p *pmlProject, _ *pmlTool) {
		p.allow = []string{linttest.OneOf(random, pmlPatterns)}
	},
	func(random *rand.Rand, p *pmlProject, _ *pmlTool) {
		p.ask = []string{linttest.OneOf(random, pmlPatterns)}
	},
}

var pmlPatterns = []string{"*", "files:*", "files", "files:read", "time:*", "fi:*", "web:get"}

// pmlMeans reports whether a pattern means a tool: everything, a namespace with
// a star or without, or the tool itself.
func pmlMeans(pattern, tool string) bool {
	namespace, _, _ := strings.Cut(tool, ":")
	return pattern == "*" || pattern == namespace+":*" || pattern == namespace || pattern == tool
}

// pmlSays is what must be reported for one entry, from its form alone.
func (tool *pmlTool) pmlSays() (rules []string) {
	parts := strings.Split(tool.fqdn, ".")
	keyParts := strings.Split(tool.key, ".")
	wellFormed := func(parts []string) bool {
		if len(parts) != 4 && len(parts) != 5 || parts[0] == "" || strings.ContainsRune("0123456789", rune(parts[0][0])) {
			return false
		}
		return len(parts) == 4 || len(parts[4]) == 4 && strings.Trim(parts[4], "0123456789abcdef") == ""
	}
	switch {
	case !wellFormed(parts) || !wellFormed(keyParts) || !slices.Equal(parts[:4], keyParts[:4]):
		rules = append(rules, "invalid-lockfile error")
	case len(keyParts) == 5:
		rules = append(rules, "invalid-lockfile warning")
	}
	if !tool.approved {
		rules = append(rules, "invalid-lockfile warning")
	}
	kind, digits, short := strings.Cut(tool.integrity, ":")
	if !short {
		kind, digits = "", strings.TrimPrefix(tool.integrity, "sha256-")
	}
	length := 64
	if kind == "tool" {
		length = 4
	}
	switch {
	case tool.integrity == "":
	case len(digits) != length || strings.Trim(digits, "0123456789abcdef") != "":
		rules = append(rules, "invalid-integrity error")
	case len(parts) == 5 && !strings.EqualFold(digits[:4], parts[4]) && len(parts[4]) == 4:
		rules = append(rules, "invalid-integrity error")
	}
	return rules
}

// wants is what must be reported for the project.
func (p *pmlProject) wants() []string {
	var want, missing, weak []string
	for _, tool := range p.tools {
		for _, rule := range tool.pmlSays() {
			want = append(want, rule+" "+tool.key)
		}
		switch {
		case tool.integrity == "":
			missing = append(missing, "missing-integrity warning "+tool.key)
		case strings.HasPrefix(tool.integrity, "tool:") && len(tool.integrity) == len("tool:0000"):
			weak = append(weak, "missing-integrity note "+tool.key)
		}
		parts := strings.Split(tool.fqdn, ".")
		if len(parts) != 4 && len(parts) != 5 {
			continue
		}
		keyParts := strings.Split(tool.key, ".") // one of the two may be wrong
		if p.isStale(tool.key, parts[2]+":"+parts[3]) && p.isStale(tool.key, keyParts[2]+":"+keyParts[3]) {
			want = append(want, "stale-lock-entry note "+tool.key)
		}
		if parts[0]+parts[1] == "pmlmcp" && tool.kind == "stdio" && !slices.Contains(p.servers, parts[2]) {
			want = append(want, "missing-server warning "+parts[2])
		}
	}
	// An error of every tool is reported once, for the lockfile.
	if len(missing) > 1 && len(missing) == len(p.tools) {
		missing = []string{"missing-integrity warning "}
	}
	if len(weak) > 1 && len(weak) == len(p.tools) {
		weak = []string{"missing-integrity note "}
	}
	want = slices.Concat(want, missing, weak)
	slices.Sort(want)
	return slices.Compact(want)
}

// isStale reports whether nothing permits a tool: it is denied, or something is
// allowed or asked for, and not this one. PML's own clean-up knows tools by their
// full names.
func (p *pmlProject) isStale(name, tool string) bool {
	means := func(pattern string) bool { return pmlMeans(pattern, tool) || pattern == name }
	if slices.ContainsFunc(p.deny, means) {
		return true
	}
	permitted := slices.Concat(p.allow, p.ask)
	return len(permitted) > 0 && !slices.ContainsFunc(permitted, means)
}

func (p *pmlProject) files() linttest.Files {
	var entries []string
	for _, tool := range p.tools {
		entries = append(entries, fmt.Sprintf("%q: %s", tool.key, linttest.ToJSON(map[string]any{
			"fqdn": tool.fqdn, "integrity": tool.integrity, "type": tool.kind, "approved": tool.approved,
			"fetchedAt": "2026-02-23T10:00:00.000Z", "lastValidated": "2026-02-23T10:00:00.000Z",
		})))
	}
	servers := map[string]any{}
	for _, name := range p.servers {
		servers[name] = linttest.NPXOf(name+"-mcp@1.0.0", ".")
	}
	lists := map[string]any{"allow": p.allow, "deny": p.deny, "ask": p.ask}
	return linttest.Files{
		".pml/mcp.lock": `{"version": 1, "entries": {` + strings.Join(entries, ",\n") + `}}`,
		".pml.json":     linttest.ToJSON(map[string]any{"version": "0.1.0", "workspace": ".", "permissions": lists, "mcpServers": servers}),
	}
}

// randomPMLProject has servers whose tools were fetched, and something that PML
// runs itself; to every second one something happens.
func randomPMLProject(random *rand.Rand) *pmlProject {
	p := &pmlProject{servers: []string{"files", "time", "web"}[:1+random.IntN(3)]}
	for _, server := range p.servers {
		for _, action := range []string{"read", "get", "list"}[:random.IntN(4)] {
			p.tools = append(p.tools, newPMLTool(random, "pml.mcp."+server+"."+action, "stdio"))
		}
		if random.IntN(4) > 0 {
			p.allow = append(p.allow, server+":*")
		} else {
			p.ask = append(p.ask, server)
		}
	}
	p.tools = append(p.tools, newPMLTool(random, "pml.std.json.parse", "deno"))
	p.allow = append(p.allow, "json:parse")
	if random.IntN(4) == 0 {
		p.allow, p.ask = nil, nil
	}
	if random.IntN(2) == 0 {
		linttest.OneOf(random, pmlAccidents)(random, p, &p.tools[random.IntN(len(p.tools))])
	}
	return p
}

// TestPMLProjects checks that what PML has locked has notes at most, and that later changes are
// reported.
func TestPMLProjects(t *testing.T) {
	linttest.Agree(t, func(random *rand.Rand) linttest.Project {
		p := randomPMLProject(random)
		return linttest.Project{Files: p.files(), Want: p.wants()}
	}, func(f *rule.Finding) string {
		if f.Rule.ID == "unpinned-package" || f.Rule.ID == "auto-approval" {
			return ""
		}
		return f.Rule.ID + " " + f.Severity.String() + " " + f.Server
	})
}
