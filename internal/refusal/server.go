package refusal

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ServerWordings are the reasons for which an entry is not started.
var ServerWordings = Wordings{
	mcp.TopKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s no servers from this file: it must be an object, not %s", wording.ClientTitles(r.Clients), wording.Reads(r.Clients), wording.AKind(r.Kind)), ""
	}},
	mcp.RootKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		costs := ""
		if r.Fatal {
			costs = ", for which it does not start"
		}
		return wording.Say("%s %s %q as an object of entries by name, and this is %s%s", wording.ClientTitles(r.Clients), wording.Reads(r.Clients), r.Member, wording.AKind(r.Kind), costs), ""
	}},
	mcp.EntryKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: an entry must be an object, not %s", EntryRefused(r), wording.AKind(r.Kind)), ""
	}},
	mcp.MemberKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be %s, not %s", EntryRefused(r), memberInWords(r), wording.AKind(r.WantKind), wording.AKind(r.Kind)), ""
	}},
	mcp.MissingMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it needs a %s", EntryRefused(r), r.Member), ""
	}},
	mcp.MissingOneOf: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it needs a %s", EntryRefused(r), strings.Join(r.Want, " or a ")), ""
	}},
	mcp.MissingToolType: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: a tool needs a type, so write type: %s", EntryRefused(r), r.Want[0]), ""
	}},
	mcp.MissingType: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`%s: %s needs a type beside it, such as "type": %q`, EntryRefused(r), targetInWords(r), r.Want[0]), ""
	}},
	mcp.MissingTarget: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it needs a command or a URL", EntryRefused(r)), ""
	}},
	mcp.TwoTargets: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it has both %s and %s, so remove one of them", EntryRefused(r), r.Other, r.Member), ""
	}},
	mcp.EitherTarget: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		if r.Tool != "" {
			return wording.Say("%s uses only one of %s and %s of %q, and nothing says which: remove one of them", r.Tool, r.Other, r.Member, r.Server), ""
		}
		return wording.Say("%s %s only one of %s and %s of %q, and no type says which: remove one of them", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "uses", "use"), r.Other, r.Member, r.Server), ""
	}},
	mcp.EmptyCommand: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its %s is empty, so fill it in", EntryRefused(r), r.Member), ""
	}},
	mcp.EmptyURL: {Severity: rule.Note, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its %s is empty, so fill it in", EntryRefused(r), r.Member), ""
	}},
	mcp.NestedServers: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		if r.Fatal { // TOML, in which a dot outside of quotes parts keys
			return wording.Say("%s: it holds a server of its own, so write %q in quotes if that is its name, or move it one level up", EntryRefused(r), r.Server+"."+r.Member), ""
		}
		return wording.Say("%s: it holds servers of its own, such as %q, so move them one level up", EntryRefused(r), r.Member), ""
	}},
	mcp.TargetWithin: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it looks for command and URL in the entry itself, so move what %q holds there", EntryRefused(r), r.Member), ""
	}},
	mcp.NestedServer: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s no server %q within %q: move it out, beside that", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "starts", "start"), r.Member, r.Server), ""
	}},
	mcp.NoRemotes: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it takes only commands from this file, so start a bridge such as mcp-remote with the URL", EntryRefused(r)), ""
	}},
	mcp.OtherMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it reads %s, so rename %q", EntryRefused(r), ownWordsFor(r), r.Member), ""
	}},
	mcp.OnlySSE: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s streamable HTTP alone, and an address that ends in /sse, as that of %s, is mostly one for SSE: write the one that ends in /mcp, if the server has one", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "speaks", "speak"), entryInWords(r)), ""
	}},
	mcp.Misplaced: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s does not go with %s, so remove one of them", EntryRefused(r), r.Member, r.Other), ""
	}},
	mcp.Withdrawn: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it takes no %s, so name a variable that holds it in %s", EntryRefused(r), r.Member, r.Want[0]), ""
	}},
	mcp.VariableName: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s is the name of a variable, so write %q", EntryRefused(r), r.Member, r.Want[0]), ""
	}},
	mcp.NoVariable: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s is the name of a variable, and this is none: set a variable to what it is to hold, and write its name", EntryRefused(r), r.Member), ""
	}},
	mcp.Misspelled: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it knows no field %q, did you mean %q?", EntryRefused(r), r.Member, r.Want[0]), ""
	}},
	mcp.LostMember: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		if len(r.Want) == 0 {
			return wording.Say("%s: write its words into the list behind the program", memberLost(r)), ""
		}
		return wording.Say("%s: it reads %q, so write that", memberLost(r), r.Want[0]), ""
	}},
	mcp.LostKind: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it must be %s, not %s", memberLost(r), wording.AKind(r.WantKind), wording.AKind(r.Kind)), ""
	}},
	mcp.LostMisspelled: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: did you mean %q?", memberLost(r), r.Want[0]), ""
	}},
	mcp.UnknownMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it knows no field %q, so remove or rename it", EntryRefused(r), r.Member), ""
	}},
	mcp.OtherDirectory: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it starts the server in the directory of the project, so write the paths from there", memberLost(r)), ""
	}},
	mcp.UnusedDirectory: {Severity: rule.Note, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it starts the server in the directory of the project", memberLost(r)), ""
	}},
	mcp.UnusedMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s looks %q up in its registry and does not use %s: add registry: false, or remove %s", r.Tool, r.Server, r.Member, r.Member), ""
	}},
	mcp.UnknownType: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the type must be %s, not %q", EntryRefused(r), wording.JoinWith(r.Want, "or"), r.Got), ""
	}},
	mcp.NotOneOf: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be %s", EntryRefused(r), memberInWords(r), wording.JoinWith(r.Want, "or")), ""
	}},
	mcp.HomeOnly: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s may be %q only in the file of a home directory", EntryRefused(r), r.Member, r.Got), ""
	}},
	mcp.EmptyMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must not be empty", EntryRefused(r), memberInWords(r)), ""
	}},
	mcp.OutOfRange: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be %s, not %s", EntryRefused(r), memberInWords(r), r.Want[0], r.Got), ""
	}},
	mcp.NeedsBeside: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		if r.Got != "" {
			return wording.Say("%s: %s needs %s = %q", EntryRefused(r), r.Member, r.Other, r.Got), ""
		}
		return wording.Say("%s: %s needs a %s beside it", EntryRefused(r), r.Member, r.Other), ""
	}},
	mcp.MemberLacks: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s needs a %s", EntryRefused(r), memberInWords(r), r.Other), ""
	}},
	mcp.TypeNotOneOf: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the type of a server must be %s", EntryRefused(r), wording.JoinWith(r.Want, "or")), ""
	}},
	mcp.URLScheme: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must begin with %s", EntryRefused(r), r.Member, wording.JoinWith(r.Want, "or")), ""
	}},
	mcp.URLSchemeLocal: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must begin with %s, or with http:// on this machine", EntryRefused(r), r.Member, wording.JoinWith(r.Want, "or")), ""
	}},
	mcp.MissingTransport: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it needs a transport", EntryRefused(r)), ""
	}},
	mcp.TransportNeeds: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the transport %s needs a %s", EntryRefused(r), r.Got, r.Member), ""
	}},
	mcp.CommandClimbs: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must not have .. in its path", EntryRefused(r), r.Member), ""
	}},
	mcp.CommandLine: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be the program alone, so move its arguments to %s", EntryRefused(r), r.Member, r.Other), ""
	}},
	mcp.UnusedServers: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q names no tool of the servers that the agent starts, so it can use none of them: add \"@%s\" and the like, or remove the servers", r.Member, r.Got), ""
	}},
	mcp.ShellLine: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: no shell reads %s, so put its commands into a script and write that", EntryRefused(r), r.Member), ""
	}},
	mcp.OuterBlanks: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s the blanks at the ends of a text in %s of %s as they are written: remove them", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "uses", "use"), r.Member, entryInWords(r)), ""
	}},
	mcp.CommandURL: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s is a URL and not a program, so %s", EntryRefused(r), r.Member, asAddress(r)), ""
	}},
	mcp.TypeContradicts: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the type %q does not go with %s, so write %q", EntryRefused(r), r.Got, r.Other, r.Want[0]), ""
	}},
	mcp.NotPositive: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s is a number above zero, this is %s", EntryRefused(r), r.Member, r.Got), ""
	}},
	mcp.TooManyTools: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s not load the agent: it has %d tools, and may have 50 at most", wording.ClientTitles(r.Clients), wording.Does(r.Clients), r.Count), ""
	}},
	mcp.UnknownSetting: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s not load these settings: it knows no member %q, so remove it", wording.ClientTitles(r.Clients), wording.Does(r.Clients), r.Member), ""
	}},
	mcp.NameTaken: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: another tool has this name, so choose another", EntryRefused(r)), ""
	}},
	mcp.NameRepeated: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s installs only the first %q of this list: remove or rename this one", r.Tool, r.Server), ""
	}},
	mcp.ManifestName: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its name must begin with a letter, a digit, @ or _, and have only these and . / : = - (128 at most, and no ..)", EntryRefused(r)), ""
	}},
}
