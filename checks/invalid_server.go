package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// invalidServer finds entries that a client does not start as they are written.
var invalidServer = &Check{
	ID:       "invalid-server",
	Title:    "an entry that its client does not start",
	Severity: Error,
	Fix:      Safe,
	Reads:    notTestData,
	Run: func(p *Pass) {
		reportRefusals(p, &serverWordings)
		reportNoServer(p)
	},
}

// serverWordings are the reasons for which an entry is not started.
var serverWordings = wordings{
	mcp.TopKind: {Error, func(r *mcp.Refusal) string {
		return say("%s %s no servers from this file: it must be an object, not %s", clientTitles(r.Clients), reads(r.Clients), aKind(r.Kind))
	}},
	mcp.RootKind: {Error, func(r *mcp.Refusal) string {
		return say("%s %s no servers from %q: it must be an object of entries by name, not %s",
			clientTitles(r.Clients), reads(r.Clients), r.Member, aKind(r.Kind))
	}},
	mcp.EntryKind: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "an entry must be an object, not %s", aKind(r.Kind))
	}},
	mcp.MemberKind: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s must be %s, not %s", r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.ElementKind: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "every value of %s must be %s, not %s", r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.MissingMember: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it needs a %s", r.Member)
	}},
	mcp.MissingOneOf: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it needs a %s or a %s", r.Want[0], r.Want[1])
	}},
	mcp.MissingToolType: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "a tool needs a type, so write type: %s", r.Want[0])
	}},
	mcp.MissingType: {Error, func(r *mcp.Refusal) string {
		target := "a command"
		if slices.ContainsFunc(r.Clients, func(c *mcp.Client) bool { return isAddress(c, r.Member) }) {
			target = "a URL"
		}
		return entryRefused(r, `%s needs a type beside it, such as "type": %q`, target, r.Want[0])
	}},
	mcp.MissingTarget: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it needs a command or a URL")
	}},
	mcp.TwoTargets: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has both %s and %s, so remove one of them", r.Other, r.Member)
	}},
	mcp.EitherTarget: {Warning, func(r *mcp.Refusal) string {
		return say("%s %s only one of %s and %s of %q, and no type says which: remove one of them", clientTitles(r.Clients), uses(r.Clients), r.Other, r.Member, r.Server)
	}},
	mcp.EmptyCommand: {Warning, func(r *mcp.Refusal) string {
		return entryRefused(r, "its %s is empty, so fill it in", r.Member)
	}},
	mcp.EmptyURL: {Note, func(r *mcp.Refusal) string {
		return entryRefused(r, "its %s is empty, so fill it in", r.Member)
	}},
	mcp.NestedServers: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it holds servers of its own, such as %q, so move them one level up", r.Member)
	}},
	mcp.NoRemotes: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it takes only commands from this file, so start a bridge such as mcp-remote with the URL")
	}},
	mcp.OtherMember: {Error, func(r *mcp.Refusal) string {
		if len(r.Want) == 2 && len(r.Clients) > 0 && isAddress(r.Clients[0], r.Want[0]) {
			return entryRefused(r, "it reads %q or %q, so rename %q", r.Want[0], r.Want[1], r.Member)
		}
		return entryRefused(r, "it reads %q, so rename %q", r.Want[0], r.Member)
	}},
	mcp.Misplaced: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s does not go with %s, so remove one of them", r.Member, r.Other)
	}},
	mcp.Withdrawn: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it takes no %s, so name a variable that holds it in %s", r.Member, r.Want[0])
	}},
	mcp.VariableName: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s is the name of a variable, so write %q", r.Member, r.Want[0])
	}},
	mcp.Misspelled: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it knows no field %q, did you mean %q?", r.Member, r.Want[0])
	}},
	mcp.LostMember: {Warning, func(r *mcp.Refusal) string {
		return memberLost(r, "it reads %q, so write that", r.Want[0])
	}},
	mcp.LostKind: {Warning, func(r *mcp.Refusal) string {
		return memberLost(r, "it must be %s, not %s", aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.LostMisspelled: {Warning, func(r *mcp.Refusal) string {
		return memberLost(r, "did you mean %q?", r.Want[0])
	}},
	mcp.UnknownMember: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it knows no field %q, so remove or rename it", r.Member)
	}},
	mcp.UnusedMember: {Error, func(r *mcp.Refusal) string {
		return say("%s looks %q up in its registry and does not use %s: add registry: false, or remove %[3]s", r.Tool, r.Server, r.Member)
	}},
	mcp.UnknownType: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "the type must be %s, not %q", joinWith(r.Want, "or"), r.Got)
	}},
	mcp.NotOneOf: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s must be %s", r.Member, joinWith(r.Want, "or"))
	}},
	mcp.TypeNotOneOf: {Error, func(r *mcp.Refusal) string {
		if len(r.Want) == 1 {
			return entryRefused(r, "the type of a server must be %s", r.Want[0])
		}
		return entryRefused(r, "the type must be %s", joinWith(r.Want, "or"))
	}},
	mcp.URLScheme: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s must begin with %s", r.Member, joinWith(r.Want, "or"))
	}},
	mcp.URLSchemeLocal: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s must begin with %s, or with http:// on this machine", r.Member, joinWith(r.Want, "or"))
	}},
	mcp.MissingTransport: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it needs a transport")
	}},
	mcp.TransportNeeds: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "the transport %s needs a %s", r.Got, r.Member)
	}},
	mcp.CommandClimbs: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s must not have .. in its path", r.Member)
	}},
	mcp.CommandLine: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s must be the program alone, so move its arguments to %s", r.Member, r.Other)
	}},
	mcp.NotPositive: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s is a number above zero, this is %s", r.Member, r.Got)
	}},
	mcp.TooManyTools: {Error, func(r *mcp.Refusal) string {
		return say("%s %s not load the agent: it has %d tools, and may have 50 at most", clientTitles(r.Clients), does(r.Clients), r.Count)
	}},
	mcp.UnknownSetting: {Error, func(r *mcp.Refusal) string {
		return say("%s %s not load these settings: add %q", clientTitles(r.Clients), does(r.Clients), r.Member)
	}},
	mcp.NameTaken: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "another tool has this name, so choose another")
	}},
	mcp.NameRepeated: {Error, func(r *mcp.Refusal) string {
		return say("%s installs only the first %q of this list: remove or rename this one", r.Tool, r.Server)
	}},
	mcp.ManifestName: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "its name must begin with a letter, a digit, @ or _, and have only these and . / : = - (128 at most, and no ..)")
	}},
}
