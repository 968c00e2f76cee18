package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// invalidServer finds entries that a client does not start as they are written.
var invalidServer = &Rule{
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
		return say("%s %s %q as an object of entries by name, and this is %s", clientTitles(r.Clients), reads(r.Clients), r.Member, aKind(r.Kind))
	}},
	mcp.EntryKind: {Error, func(r *mcp.Refusal) string {
		return say("%s: an entry must be an object, not %s", entryRefused(r), aKind(r.Kind))
	}},
	mcp.MemberKind: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s must be %s, not %s", entryRefused(r), r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.ElementKind: {Error, func(r *mcp.Refusal) string {
		return say("%s: every value of %s must be %s, not %s", entryRefused(r), r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.MissingMember: {Error, func(r *mcp.Refusal) string {
		return say("%s: it needs a %s", entryRefused(r), r.Member)
	}},
	mcp.MissingOneOf: {Error, func(r *mcp.Refusal) string {
		return say("%s: it needs a %s or a %s", entryRefused(r), r.Want[0], r.Want[1])
	}},
	mcp.MissingToolType: {Error, func(r *mcp.Refusal) string {
		return say("%s: a tool needs a type, so write type: %s", entryRefused(r), r.Want[0])
	}},
	mcp.MissingType: {Error, func(r *mcp.Refusal) string {
		return say(`%s: %s needs a type beside it, such as "type": %q`, entryRefused(r), targetInWords(r), r.Want[0])
	}},
	mcp.MissingTarget: {Error, func(r *mcp.Refusal) string {
		return say("%s: it needs a command or a URL", entryRefused(r))
	}},
	mcp.TwoTargets: {Error, func(r *mcp.Refusal) string {
		return say("%s: it has both %s and %s, so remove one of them", entryRefused(r), r.Other, r.Member)
	}},
	mcp.EitherTarget: {Warning, func(r *mcp.Refusal) string {
		return say("%s %s only one of %s and %s of %q, and no type says which: remove one of them", clientTitles(r.Clients), plural(r.Clients, "uses", "use"), r.Other, r.Member, r.Server)
	}},
	mcp.EmptyCommand: {Warning, func(r *mcp.Refusal) string {
		return say("%s: its %s is empty, so fill it in", entryRefused(r), r.Member)
	}},
	mcp.EmptyURL: {Note, func(r *mcp.Refusal) string {
		return say("%s: its %s is empty, so fill it in", entryRefused(r), r.Member)
	}},
	mcp.NestedServers: {Error, func(r *mcp.Refusal) string {
		return say("%s: it holds servers of its own, such as %q, so move them one level up", entryRefused(r), r.Member)
	}},
	mcp.NoRemotes: {Error, func(r *mcp.Refusal) string {
		return say("%s: it takes only commands from this file, so start a bridge such as mcp-remote with the URL", entryRefused(r))
	}},
	mcp.OtherMember: {Error, func(r *mcp.Refusal) string {
		return say("%s: it reads %s, so rename %q", entryRefused(r), ownWordsFor(r), r.Member)
	}},
	mcp.OnlySSE: {Warning, func(r *mcp.Refusal) string {
		return say("%s %s streamable HTTP alone, and an address that ends in /sse, as that of %s, is mostly one for SSE: write the one that ends in /mcp, if the server has one", clientTitles(r.Clients), plural(r.Clients, "speaks", "speak"), entryInWords(r))
	}},
	mcp.Misplaced: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s does not go with %s, so remove one of them", entryRefused(r), r.Member, r.Other)
	}},
	mcp.Withdrawn: {Error, func(r *mcp.Refusal) string {
		return say("%s: it takes no %s, so name a variable that holds it in %s", entryRefused(r), r.Member, r.Want[0])
	}},
	mcp.VariableName: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s is the name of a variable, so write %q", entryRefused(r), r.Member, r.Want[0])
	}},
	mcp.Misspelled: {Error, func(r *mcp.Refusal) string {
		return say("%s: it knows no field %q, did you mean %q?", entryRefused(r), r.Member, r.Want[0])
	}},
	mcp.LostMember: {Warning, func(r *mcp.Refusal) string {
		return say("%s: it reads %q, so write that", memberLost(r), r.Want[0])
	}},
	mcp.LostKind: {Warning, func(r *mcp.Refusal) string {
		return say("%s: it must be %s, not %s", memberLost(r), aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.LostMisspelled: {Warning, func(r *mcp.Refusal) string {
		return say("%s: did you mean %q?", memberLost(r), r.Want[0])
	}},
	mcp.UnknownMember: {Error, func(r *mcp.Refusal) string {
		return say("%s: it knows no field %q, so remove or rename it", entryRefused(r), r.Member)
	}},
	mcp.UnusedMember: {Error, func(r *mcp.Refusal) string {
		return say("%s looks %q up in its registry and does not use %s: add registry: false, or remove %s", r.Tool, r.Server, r.Member, r.Member)
	}},
	mcp.UnknownType: {Error, func(r *mcp.Refusal) string {
		return say("%s: the type must be %s, not %q", entryRefused(r), joinWith(r.Want, "or"), r.Got)
	}},
	mcp.NotOneOf: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s must be %s", entryRefused(r), r.Member, joinWith(r.Want, "or"))
	}},
	mcp.TypeNotOneOf: {Error, func(r *mcp.Refusal) string {
		return say("%s: the type of a server must be %s", entryRefused(r), joinWith(r.Want, "or"))
	}},
	mcp.URLScheme: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s must begin with %s", entryRefused(r), r.Member, joinWith(r.Want, "or"))
	}},
	mcp.URLSchemeLocal: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s must begin with %s, or with http:// on this machine", entryRefused(r), r.Member, joinWith(r.Want, "or"))
	}},
	mcp.MissingTransport: {Error, func(r *mcp.Refusal) string {
		return say("%s: it needs a transport", entryRefused(r))
	}},
	mcp.TransportNeeds: {Error, func(r *mcp.Refusal) string {
		return say("%s: the transport %s needs a %s", entryRefused(r), r.Got, r.Member)
	}},
	mcp.CommandClimbs: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s must not have .. in its path", entryRefused(r), r.Member)
	}},
	mcp.CommandLine: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s must be the program alone, so move its arguments to %s", entryRefused(r), r.Member, r.Other)
	}},
	mcp.CommandURL: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s is a URL and not a program, so %s", entryRefused(r), r.Member, asAddress(r))
	}},
	mcp.TypeContradicts: {Error, func(r *mcp.Refusal) string {
		return say("%s: the type %q does not go with %s, so write %q", entryRefused(r), r.Got, r.Other, r.Want[0])
	}},
	mcp.NotPositive: {Error, func(r *mcp.Refusal) string {
		return say("%s: %s is a number above zero, this is %s", entryRefused(r), r.Member, r.Got)
	}},
	mcp.TooManyTools: {Error, func(r *mcp.Refusal) string {
		return say("%s %s not load the agent: it has %d tools, and may have 50 at most", clientTitles(r.Clients), does(r.Clients), r.Count)
	}},
	mcp.UnknownSetting: {Error, func(r *mcp.Refusal) string {
		return say("%s %s not load these settings: it knows no member %q, so remove it", clientTitles(r.Clients), does(r.Clients), r.Member)
	}},
	mcp.NameTaken: {Error, func(r *mcp.Refusal) string {
		return say("%s: another tool has this name, so choose another", entryRefused(r))
	}},
	mcp.NameRepeated: {Error, func(r *mcp.Refusal) string {
		return say("%s installs only the first %q of this list: remove or rename this one", r.Tool, r.Server)
	}},
	mcp.ManifestName: {Error, func(r *mcp.Refusal) string {
		return say("%s: its name must begin with a letter, a digit, @ or _, and have only these and . / : = - (128 at most, and no ..)", entryRefused(r))
	}},
}
