package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// invalidServer finds entries that a client does not start as they are written.
var invalidServer = &Check{
	ID:       "invalid-server",
	Title:    "an entry that its client does not start",
	Severity: Error,
	Reads:    notTestData,
	Run: func(p *Pass) {
		reportRefusals(p, &serverWordings)
		reportNoServer(p)
	},
}

// serverWordings are the reasons for which an entry is not started.
var serverWordings = wordings{
	mcp.TopKind: {Error, func(r *mcp.Refusal) string {
		return say("%s %s no servers from this file: it is an object, this is %s", clientTitles(r.Clients), reads(r.Clients), aKind(r.Kind))
	}},
	mcp.RootKind: {Error, func(r *mcp.Refusal) string {
		return say("%s %s %q as an object of entries by name, this is %s",
			clientTitles(r.Clients), reads(r.Clients), r.Member, aKind(r.Kind))
	}},
	mcp.EntryKind: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "an entry is an object, this is %s", aKind(r.Kind))
	}},
	mcp.MemberKind: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s is %s, this is %s", r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.ElementKind: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "every value of %s is %s, this is %s", r.Member, aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.MissingMember: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has no %s", r.Member)
	}},
	mcp.MissingOneOf: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has neither a %s nor a %s", r.Want[0], r.Want[1])
	}},
	mcp.MissingToolType: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has no type, and a tool needs one (type: %s)", r.Want[0])
	}},
	mcp.MissingType: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, `a URL needs a type beside it, such as "type": %q`, r.Want[0])
	}},
	mcp.MissingTarget: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has neither a command nor a URL")
	}},
	mcp.TwoTargets: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has both %s and %s", r.Other, r.Member)
	}},
	mcp.EitherTarget: {Warning, func(r *mcp.Refusal) string {
		return say("%s %s only one of %s and %s of %q, and no type says which", clientTitles(r.Clients), uses(r.Clients), r.Other, r.Member, r.Server)
	}},
	mcp.EmptyCommand: {Warning, func(r *mcp.Refusal) string {
		return entryRefused(r, "its %s is empty", r.Member)
	}},
	mcp.EmptyURL: {Note, func(r *mcp.Refusal) string {
		return entryRefused(r, "its %s is empty", r.Member)
	}},
	mcp.NestedServers: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it holds servers of its own, such as %q, and an entry is one server", r.Member)
	}},
	mcp.NoRemotes: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it has no remote servers in this file, only commands")
	}},
	mcp.OtherMember: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it reads %q, not %q", r.Want[0], r.Member)
	}},
	mcp.Misplaced: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s does not go with %s", r.Member, r.Other)
	}},
	mcp.Misspelled: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it knows no field %q, did you mean %q?", r.Member, r.Want[0])
	}},
	mcp.LostMember: {Warning, func(r *mcp.Refusal) string {
		return memberLost(r, "it reads %q", r.Want[0])
	}},
	mcp.LostKind: {Warning, func(r *mcp.Refusal) string {
		return memberLost(r, "it is %s, this is %s", aKind(r.WantKind), aKind(r.Kind))
	}},
	mcp.LostMisspelled: {Warning, func(r *mcp.Refusal) string {
		return memberLost(r, "did you mean %q?", r.Want[0])
	}},
	mcp.UnknownMember: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it knows no field %q", r.Member)
	}},
	mcp.UnusedMember: {Error, func(r *mcp.Refusal) string {
		return say("%s looks %q up in its registry: without registry: false it does not use %s", r.Tool, r.Server, r.Member)
	}},
	mcp.UnknownType: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "the type %q is unknown, it knows %s", r.Got, joinWords(r.Want))
	}},
	mcp.NotOneOf: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s is one of %s", r.Member, joinWords(r.Want))
	}},
	mcp.TypeNotOneOf: {Error, func(r *mcp.Refusal) string {
		if len(r.Want) == 1 {
			return entryRefused(r, "the type of a server is %s", r.Want[0])
		}
		return entryRefused(r, "the type is one of %s", joinWords(r.Want))
	}},
	mcp.URLScheme: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s begins with %s", r.Member, joinWith(r.Want, "or"))
	}},
	mcp.URLSchemeLocal: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s begins with %s, or with http:// on this machine", r.Member, joinWith(r.Want, "or"))
	}},
	mcp.MissingTransport: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "it needs a transport")
	}},
	mcp.TransportNeeds: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "the transport %s needs a %s", r.Got, r.Member)
	}},
	mcp.CommandClimbs: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s has no .. in its path", r.Member)
	}},
	mcp.CommandLine: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s is one word, what follows it belongs into %s", r.Member, r.Other)
	}},
	mcp.NotPositive: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "%s is a number above zero, this is %s", r.Member, r.Got)
	}},
	mcp.TooManyTools: {Error, func(r *mcp.Refusal) string {
		return say("%s %s not load the agent: it has %d tools, more than 50", clientTitles(r.Clients), does(r.Clients), r.Count)
	}},
	mcp.UnknownSetting: {Error, func(r *mcp.Refusal) string {
		return say("%s %s not load these settings: there is no member %q", clientTitles(r.Clients), does(r.Clients), r.Member)
	}},
	mcp.NameTaken: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "another tool has this name")
	}},
	mcp.NameRepeated: {Error, func(r *mcp.Refusal) string {
		return say("%s installs only the first %q of this list", r.Tool, r.Server)
	}},
	mcp.ManifestName: {Error, func(r *mcp.Refusal) string {
		return entryRefused(r, "a name begins with a letter, a digit, @ or _, and has only these and . / : = - (128 at most, and no ..)")
	}},
}
