package refusal

import (
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
		effect := wording.Say("%s %s no servers from it", wording.ClientTitles(r.Clients), wording.Reads(r.Clients))
		if r.Fatal {
			effect = wording.Say("%s itself %s not start", wording.ClientTitles(r.Clients), wording.Does(r.Clients))
		}
		return wording.Say("%q must be an object of entries by name, not %s, so %s", r.Member, wording.AKind(r.Kind), effect), ""
	}},
	mcp.EntryKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: an entry must be an object, not %s", EntryRefused(r), wording.AKind(r.Kind)), ""
	}},
	mcp.MemberKind: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be %s, not %s", EntryRefused(r), memberInWords(r), wording.AKind(r.WantKind), wording.AKind(r.Kind)), ""
	}},
	mcp.MissingMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q is missing", EntryRefused(r), r.Member), ""
	}},
	mcp.MissingOneOf: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it needs %s", EntryRefused(r), wording.JoinWith(wording.InQuotes(r.Want), "or")), ""
	}},
	mcp.MissingToolType: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: a tool needs a %q", EntryRefused(r), "type"), wording.Say("add type: %s", r.Want[0])
	}},
	mcp.MissingType: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say(`%s: an entry with %s also needs a "type"`, EntryRefused(r), targetInWords(r)), wording.Say(`add one, such as "type": %q`, r.Want[0])
	}},
	mcp.MissingTarget: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it needs a command or a URL", EntryRefused(r)), ""
	}},
	mcp.TwoTargets: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it has both %q and %q", EntryRefused(r), r.Other, r.Member), "remove one of the two"
	}},
	mcp.EitherTarget: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		help = "remove one of the two"
		if r.Tool != "" {
			return wording.Say("%s uses only one of %q and %q in %q, and nothing tells which", r.Tool, r.Other, r.Member, r.Server), help
		}
		return wording.Say(`%s %s only one of %q and %q in %q, and no "type" tells which`, wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "uses", "use"), r.Other, r.Member, r.Server), help
	}},
	mcp.EmptyCommand: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its %q is empty", EntryRefused(r), r.Member), wording.Say("set %q", r.Member)
	}},
	mcp.EmptyURL: {Severity: rule.Note, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its %q is empty", EntryRefused(r), r.Member), wording.Say("set %q", r.Member)
	}},
	mcp.NestedServers: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		if r.Fatal { // TOML, in which a dot outside of quotes separates keys
			return wording.Say("%s: it contains another server, %q", EntryRefused(r), r.Member),
				wording.Say("write %q in quotes if that is one name, or move %q one level up", r.Server+"."+r.Member, r.Member)
		}
		return wording.Say("%s: it contains other servers, such as %q", EntryRefused(r), r.Member), "move them one level up"
	}},
	mcp.TargetWithin: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its command or URL must be in the entry itself, not in %q", EntryRefused(r), r.Member),
			wording.Say("move the contents of %q into the entry", r.Member)
	}},
	mcp.NestedServer: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s not start %q, because it is inside the entry %q", wording.ClientTitles(r.Clients), wording.Does(r.Clients), r.Member, r.Server),
			wording.Say("move it out, next to %q", r.Server)
	}},
	mcp.NoRemotes: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: an entry in this file must have a command, not a URL", EntryRefused(r)), "start a bridge such as mcp-remote with the URL"
	}},
	mcp.OtherMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the key must be %s, not %q", EntryRefused(r), ownWordsFor(r), r.Member), wording.Say("rename it to %s", ownWordsFor(r))
	}},
	mcp.OnlySSE: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s only streamable HTTP, but the URL of %s ends in /sse, so it is probably for SSE", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "speaks", "speak"), entryInWords(r)),
			"write the URL that ends in /mcp, if the server has one"
	}},
	mcp.Misplaced: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: an entry cannot have both %q and %q", EntryRefused(r), r.Other, r.Member), "remove one of the two"
	}},
	mcp.Withdrawn: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it does not accept %q", EntryRefused(r), r.Member),
			wording.Say("set a variable to the value, and write the variable's name in %q", r.Want[0])
	}},
	mcp.VariableName: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q must be only the name of a variable", EntryRefused(r), r.Member), wording.Say("write %q", r.Want[0])
	}},
	mcp.NoVariable: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q must be the name of a variable, and this is not one", EntryRefused(r), r.Member),
			"set a variable to the value, and write the variable's name"
	}},
	mcp.Misspelled: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: unknown field %q", EntryRefused(r), r.Member), wording.Say("did you mean %q?", r.Want[0])
	}},
	mcp.LostMember: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		if len(r.Want) == 0 {
			return memberLost(r), "move its arguments into the list with the program"
		}
		return memberLost(r), wording.Say("write %q instead", r.Want[0])
	}},
	mcp.LostKind: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: it must be %s, not %s", memberLost(r), wording.AKind(r.WantKind), wording.AKind(r.Kind)), ""
	}},
	mcp.LostMisspelled: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return memberLost(r), wording.Say("did you mean %q?", r.Want[0])
	}},
	mcp.UnknownMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: unknown field %q", EntryRefused(r), r.Member), "remove or rename the field"
	}},
	mcp.OtherDirectory: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s, so the server starts in the directory of the project", memberLost(r)), "write the paths from the project's directory"
	}},
	mcp.UnusedDirectory: {Severity: rule.Note, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s, so the server starts in the directory of the project", memberLost(r)), ""
	}},
	mcp.UnusedMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s looks up %q in its registry and ignores %q", r.Tool, r.Server, r.Member), wording.Say("add registry: false, or remove %q", r.Member)
	}},
	mcp.UnknownType: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the type must be %s, not %q", EntryRefused(r), anyOf(r.Want), r.Got), ""
	}},
	mcp.NotOneOf: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be %s", EntryRefused(r), memberInWords(r), anyOf(r.Want)), ""
	}},
	mcp.HomeOnly: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q may be %q only in the file of a home directory", EntryRefused(r), r.Member, r.Got), ""
	}},
	mcp.EmptyMember: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must not be empty", EntryRefused(r), memberInWords(r)), ""
	}},
	mcp.OutOfRange: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s must be %s, not %s", EntryRefused(r), memberInWords(r), r.Want[0], r.Got), ""
	}},
	mcp.NeedsBeside: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		if r.Got != "" {
			return wording.Say("%s: %q needs %s = %q", EntryRefused(r), r.Member, r.Other, r.Got), ""
		}
		return wording.Say("%s: %q needs a %q next to it", EntryRefused(r), r.Member, r.Other), ""
	}},
	mcp.MemberLacks: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %s needs a %q", EntryRefused(r), memberInWords(r), r.Other), ""
	}},
	mcp.TypeNotOneOf: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the type of a server must be %s", EntryRefused(r), anyOf(r.Want)), ""
	}},
	mcp.URLScheme: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q must begin with %s", EntryRefused(r), r.Member, wording.JoinWith(r.Want, "or")), ""
	}},
	mcp.URLSchemeLocal: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q must begin with %s, or with http:// on this machine", EntryRefused(r), r.Member, wording.JoinWith(r.Want, "or")), ""
	}},
	mcp.MissingTransport: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q is missing", EntryRefused(r), "transport"), ""
	}},
	mcp.TransportNeeds: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the transport %q needs a %q", EntryRefused(r), r.Got, r.Member), ""
	}},
	mcp.CommandClimbs: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the path in %q must not contain %q", EntryRefused(r), r.Member, ".."), ""
	}},
	mcp.CommandLine: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q must be the program without arguments", EntryRefused(r), r.Member), wording.Say("move the arguments to %q", r.Other)
	}},
	mcp.UnusedServers: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q contains no tool of the servers that the agent starts, so the agent can use none of them", r.Member),
			wording.Say("add a name such as \"@%s\", or remove the servers", r.Got)
	}},
	mcp.ShellLine: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q is a shell line, but no shell runs it", EntryRefused(r), r.Member), "move its commands into a script, and write the path of the script"
	}},
	mcp.OuterBlanks: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s the blanks at the ends of a text in %q of %s as part of it", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "uses", "use"), r.Member, entryInWords(r)), "remove the blanks"
	}},
	mcp.CommandURL: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q is a URL, not a program", EntryRefused(r), r.Member), asAddress(r)
	}},
	mcp.TypeContradicts: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: the type %q does not fit its %q", EntryRefused(r), r.Got, r.Other), wording.Say("write %q", r.Want[0])
	}},
	mcp.NotPositive: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: %q is %s, but must be greater than 0", EntryRefused(r), r.Member, r.Got), ""
	}},
	mcp.TooManyTools: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s not load the agent: it has %d tools, and 50 is the limit", wording.ClientTitles(r.Clients), wording.Does(r.Clients), r.Count), ""
	}},
	mcp.UnknownSetting: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s not load these settings: unknown field %q", wording.ClientTitles(r.Clients), wording.Does(r.Clients), r.Member), "remove the field"
	}},
	mcp.NameTaken: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: another tool has this name", EntryRefused(r)), "choose another name"
	}},
	mcp.NameRepeated: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s installs only the first %q of this list", r.Tool, r.Server), "remove or rename this one"
	}},
	mcp.ManifestName: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its name must begin with a letter, a digit, @, or _, and have only these and any of %q (at most 128, and no %q)", EntryRefused(r), "./:=-", ".."), ""
	}},
}
