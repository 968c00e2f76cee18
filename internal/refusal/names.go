package refusal

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// NameProblem says what a client has against a server's name, and whether it
// does not start the server for it.
func NameProblem(c *mcp.Client, s *mcp.Server) (why string, refused bool) {
	names := &c.Reading(s.Document.Format).Names
	switch {
	case names.IsReserved(s.Name):
		return wording.Say("%s keeps the name %q for a server of its own and skips this one: choose another name", c.Title, s.Name), true
	case !names.Takes(s.Name):
		why := wording.Say("%s refuses the name %q: it takes only letters, digits and any of %q", c.Title, s.Name, names.Others)
		if other := names.Suggest(s.Name); other != "" && !secret.Hides(s.Name) {
			why += wording.Say(", such as %q", other)
		}
		return why, true
	case names.Splits != 0 && strings.ContainsRune(s.Name, names.Splits):
		return wording.Say("policies of %s take the tools of %q for those of another server, because they end a server's name at the first %q: write a hyphen in its place",
			c.Title, s.Name, names.Splits), false
	}
	return "", false
}

// JudgeRegistryName holds the name in a manifest against the registry's schema
// (server.schema.json 2025-12-11): a namespace, one slash and a name. The schema
// asks for a domain turned round and its pattern does not: another registry may
// go without.
func JudgeRegistryName(p *rule.Pass, f rule.Finding, full string) {
	switch namespace, name, _ := strings.Cut(full, "/"); {
	case len(full) < 3 || len(full) > 200:
		f.Message = wording.Say("the MCP registry refuses the name %q: write from 3 to 200 characters", full)
	case !isRegistryPart(namespace, ".-") || !isRegistryPart(name, "._-"):
		f.Message = wording.Say("the MCP registry refuses the name %q: write a namespace, one slash and a name, such as io.github.acme/weather", full)
	case !strings.Contains(namespace, "."):
		f.Severity = rule.Note
		f.Message = wording.Say("the MCP registry gives out only namespaces that are a domain in reverse, unlike that of %q: write one such as io.github.acme", full)
	default:
		return
	}
	p.Report(f)
}

// isRegistryPart reports whether a part of a registry name has only ASCII
// letters, digits and the given others.
func isRegistryPart(part, others string) bool {
	return (&mcp.Naming{Others: others}).Takes(part)
}
