package checks

import (
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
	mcp.TopKind:          {Error, "{clients} {reads} no servers from this file: it must be an object, not {kind}"},
	mcp.RootKind:         {Error, `{clients} {reads} {"member"} as an object of entries by name, and this is {kind}`},
	mcp.EntryKind:        {Error, "{refused}: an entry must be an object, not {kind}"},
	mcp.MemberKind:       {Error, "{refused}: {member} must be {wanted kind}, not {kind}"},
	mcp.ElementKind:      {Error, "{refused}: every value of {member} must be {wanted kind}, not {kind}"},
	mcp.MissingMember:    {Error, "{refused}: it needs a {member}"},
	mcp.MissingOneOf:     {Error, "{refused}: it needs a {want} or a {other want}"},
	mcp.MissingToolType:  {Error, "{refused}: a tool needs a type, so write type: {want}"},
	mcp.MissingType:      {Error, `{refused}: {target} needs a type beside it, such as "type": {"want"}`},
	mcp.MissingTarget:    {Error, "{refused}: it needs a command or a URL"},
	mcp.TwoTargets:       {Error, "{refused}: it has both {other} and {member}, so remove one of them"},
	mcp.EitherTarget:     {Warning, `{clients} {uses} only one of {other} and {member} of {"server"}, and no type says which: remove one of them`},
	mcp.EmptyCommand:     {Warning, "{refused}: its {member} is empty, so fill it in"},
	mcp.EmptyURL:         {Note, "{refused}: its {member} is empty, so fill it in"},
	mcp.NestedServers:    {Error, `{refused}: it holds servers of its own, such as {"member"}, so move them one level up`},
	mcp.NoRemotes:        {Error, "{refused}: it takes only commands from this file, so start a bridge such as mcp-remote with the URL"},
	mcp.OtherMember:      {Error, `{refused}: it reads {own words}, so rename {"member"}`},
	mcp.OnlySSE:          {Warning, "{clients} {speaks} streamable HTTP alone, and an address that ends in /sse, as that of {entry}, is mostly one for SSE: write the one that ends in /mcp, if the server has one"},
	mcp.Misplaced:        {Error, "{refused}: {member} does not go with {other}, so remove one of them"},
	mcp.Withdrawn:        {Error, "{refused}: it takes no {member}, so name a variable that holds it in {want}"},
	mcp.VariableName:     {Error, `{refused}: {member} is the name of a variable, so write {"want"}`},
	mcp.Misspelled:       {Error, `{refused}: it knows no field {"member"}, did you mean {"want"}?`},
	mcp.LostMember:       {Warning, `{lost}: it reads {"want"}, so write that`},
	mcp.LostKind:         {Warning, "{lost}: it must be {wanted kind}, not {kind}"},
	mcp.LostMisspelled:   {Warning, `{lost}: did you mean {"want"}?`},
	mcp.UnknownMember:    {Error, `{refused}: it knows no field {"member"}, so remove or rename it`},
	mcp.UnusedMember:     {Error, `{tool} looks {"server"} up in its registry and does not use {member}: add registry: false, or remove {member}`},
	mcp.UnknownType:      {Error, `{refused}: the type must be {wants}, not {"got"}`},
	mcp.NotOneOf:         {Error, "{refused}: {member} must be {wants}"},
	mcp.TypeNotOneOf:     {Error, "{refused}: the type of a server must be {wants}"},
	mcp.URLScheme:        {Error, "{refused}: {member} must begin with {wants}"},
	mcp.URLSchemeLocal:   {Error, "{refused}: {member} must begin with {wants}, or with http:// on this machine"},
	mcp.MissingTransport: {Error, "{refused}: it needs a transport"},
	mcp.TransportNeeds:   {Error, "{refused}: the transport {got} needs a {member}"},
	mcp.CommandClimbs:    {Error, "{refused}: {member} must not have .. in its path"},
	mcp.CommandLine:      {Error, "{refused}: {member} must be the program alone, so move its arguments to {other}"},
	mcp.CommandURL:       {Error, "{refused}: {member} is a URL and not a program, so {as address}"},
	mcp.TypeContradicts:  {Error, `{refused}: the type {"got"} does not go with {other}, so write {"want"}`},
	mcp.NotPositive:      {Error, "{refused}: {member} is a number above zero, this is {got}"},
	mcp.TooManyTools:     {Error, "{clients} {does} not load the agent: it has {count} tools, and may have 50 at most"},
	mcp.UnknownSetting:   {Error, `{clients} {does} not load these settings: it knows no member {"member"}, so remove it`},
	mcp.NameTaken:        {Error, "{refused}: another tool has this name, so choose another"},
	mcp.NameRepeated:     {Error, `{tool} installs only the first {"server"} of this list: remove or rename this one`},
	mcp.ManifestName:     {Error, "{refused}: its name must begin with a letter, a digit, @ or _, and have only these and . / : = - (128 at most, and no ..)"},
}
