package refusal

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// NameProblem returns what is wrong with a server's name for a client, what to do about it, and
// whether the client rejects the name and does not start the server.
func NameProblem(c *mcp.Client, s *mcp.Server) (message, help string, rejected bool) {
	names := &c.Reading(s.Document.Format).Names
	switch {
	case names.IsReserved(s.Name):
		return wording.Say("%s skips %q, because it reserves this name for a server of its own", c.Title, s.Name), "choose another name", true
	case !names.Takes(s.Name):
		message = wording.Say("%s rejects the name %q: it accepts only letters, digits, and any of %q", c.Title, s.Name, names.Others)
		if other := names.Suggest(s.Name); other != "" && !secret.Hides(s.Name) {
			return message, wording.Say("rename it, for example to %q", other), true
		}
		return message, "choose another name", true
	case names.Splits != 0 && strings.ContainsRune(s.Name, names.Splits):
		mark := string(names.Splits)
		if cut, _, _ := strings.Cut(s.Name, mark); cut != "" && !secret.Hides(s.Name) {
			return wording.Say("%s policies end a server's name at the first %q, so they take the tools of %q for tools of %q", c.Title, mark, s.Name, cut),
				wording.Say("rename it to %q", strings.ReplaceAll(s.Name, mark, "-")), false
		}
		return wording.Say("%s policies end a server's name at the first %q, so they take the tools of %q for tools of another server", c.Title, mark, s.Name),
			wording.Say("replace %q with a hyphen", mark), false
	}
	return "", "", false
}

// JudgeRegistryName compares the name in a manifest with the registry's schema
// (server.schema.json 2025-12-11): a namespace, one slash and a name. The schema asks for a
// reversed domain name and its pattern does not: another registry may not need one.
func JudgeRegistryName(p *rule.Pass, f rule.Finding, full string) {
	switch namespace, name, _ := strings.Cut(full, "/"); {
	case len(full) < 3 || len(full) > 200:
		f.Message = wording.Say("the MCP registry rejects the name %q: it must have 3 to 200 characters", full)
	case !isRegistryPart(namespace, ".-") || !isRegistryPart(name, "._-"):
		f.Message = wording.Say("the MCP registry rejects the name %q: it must be a namespace, one slash, and a name", full)
		f.Help = "write a name such as io.github.acme/weather"
	case !strings.Contains(namespace, "."):
		f.Severity = rule.Note
		f.Message = wording.Say("the namespace of %q is not a reversed domain name, and the MCP registry assigns no others", full)
		f.Help = "write a namespace such as io.github.acme"
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
