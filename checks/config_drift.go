package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// configDrift finds a server that two files of a project start under one name
// with different arguments, variables, headers or files of variables.
var configDrift = &rule.Rule{
	ID:       "config-drift",
	Title:    "one server has different configurations in different files",
	Severity: rule.Note,
	Reads:    reads.InUse,
	Run:      runConfigDrift,
}

func runConfigDrift(p *rule.Pass) {
	for _, files := range p.Project.Compared {
		for _, named := range compare.Sharing(compare.Running(files), compare.ByName) {
			programs := compare.ByProgram(named)
			for _, same := range compare.Sharing(named, func(s *mcp.Server) string { return programs[compare.ByKey(s)] }) {
				reportConfigDrift(p, same)
			}
		}
	}
	reportLacking(p)
}

// reportConfigDrift reports one finding for a name, at the first entry that is
// known to differ from what most files have.
func reportConfigDrift(p *rule.Pass, same []*mcp.Server) {
	configs := make(map[*mcp.Server]identity.Config, len(same))
	for _, s := range same {
		configs[s] = s.Resolved().Config()
	}
	key := func(s *mcp.Server) string { return compare.WithConfig(s, configs[s]) }
	usual := compare.MostCommon(same, key)
	reference := same[slices.IndexFunc(same, func(s *mcp.Server) bool { return key(s) == usual })]
	usually := configs[reference]
	asked := 0 // how many needed the full comparison
	for _, s := range same {
		if compare.ByKey(s) == compare.ByKey(reference) && sameness.CompareConfigs(usually, configs[s]) >= sameness.Undecided {
			continue
		}
		if asked++; asked > compare.MaxSpellings {
			return
		}
		parts := whatDiffers(s, reference)
		if len(parts) == 0 {
			continue
		}
		f := rule.At(s)
		f.Help = "use one configuration in both files, or rename one entry if they are two instances"
		if len(parts) == 1 && (writesCredential(s) || writesCredential(reference)) && s.Launch.IsRemote() {
			f.Help = "use a variable for the credential in both files, or remove it from both"
		}
		f.Message = wording.Say("%q differs from the entry in %s: it has %s",
			s.Name, reference.Document.File.Path, wording.JoinWords(wording.FirstFew(parts)))
		f.Related = []rule.Related{rule.SeeAlso(reference, "the other configuration is here")}
		p.Report(f)
		return
	}
}

// writesCredential reports whether a header of an entry holds a credential: to make another
// entry the same would copy it.
func writesCredential(s *mcp.Server) bool {
	return slices.ContainsFunc(s.Launch.Headers, func(h identity.Pair) bool { return secret.IsSecret(h.Name.Text, h.Value.Text) })
}

// whatDiffers names the parts of two configurations that are known to differ, never their values.
// The settings of a package or a container cannot be compared with those of the program itself.
func whatDiffers(s, reference *mcp.Server) []string {
	here, there := s.Resolved(), reference.Resolved()
	if here.Kind != there.Kind && !(runsHere(here) && runsHere(there)) {
		return nil
	}
	here, there = here.Knowing(there), there.Knowing(here)
	a, b := here.Config(), there.Config()
	a.Env, b.Env = withoutClientSettings(s, a.Env), withoutClientSettings(reference, b.Env)
	var parts []string
	if x, y := here.Dir(), there.Dir(); (runsHere(here) || a.Dir != b.Dir) && !sameness.SameValue(x, y) && isKnown(x) && isKnown(y) {
		parts = append(parts, "another working directory")
	}
	if here.Kind == identity.URL && !slices.Equal(here.Selector, there.Selector) {
		parts = append(parts, "another query")
	}
	if !slices.EqualFunc(withoutClient(s, a.Args), withoutClient(reference, b.Args), isSameArgument) {
		parts = append(parts, "other arguments")
	}
	parts = append(parts, settingsThatDiffer("variable", a.Env, b.Env, here.Launch.Env, there.Launch.Env)...)
	parts = append(parts, settingsThatDiffer("header", a.Headers, b.Headers, nil, nil)...)
	// Few clients read a file of variables: if only one entry has one, it may contain what
	// the other client gets from its environment.
	if len(a.EnvFile) > 0 && len(b.EnvFile) > 0 && len(settingsThatDiffer("", a.EnvFile, b.EnvFile, nil, nil)) > 0 {
		parts = append(parts, `another "envFile"`)
	}
	return parts
}

// isSameArgument reports whether two arguments are the same, or may be: the value of a variable
// that is a whole argument is unknown, and so is a placeholder ({{PROJECT_PATH}}).
func isSameArgument(a, b string) bool {
	_, isVariable := secret.WholeReference(a)
	_, isOther := secret.WholeReference(b)
	return sameness.SameValue(a, b) || isVariable || isOther
}

// withoutClientSettings leaves out of the variables of a server those by which it knows whose
// client it works for (".codex"), and ports: two that run at a time cannot have one.
func withoutClientSettings(s *mcp.Server, settings []identity.Setting) []identity.Setting {
	return slices.DeleteFunc(slices.Clone(settings), func(set identity.Setting) bool {
		return namesClient(s.Document, set.Value) || isPort(set.Name, set.Value)
	})
}

// isPort reports whether an option or a variable sets a port that the server itself listens on: that
// of a database (DB_PORT) says which one it is.
func isPort(name, value string) bool {
	words := identity.Words(name)
	isOther := func(word string) bool {
		return !slices.Contains([]string{"admin", "dashboard", "http", "listen", "mcp", "port", "server", "sse", "ui", "web"}, word)
	}
	return len(words) > 0 && words[len(words)-1] == "port" && !slices.ContainsFunc(words, isOther) &&
		value != "" && strings.Trim(value, "0123456789") == ""
}

// withoutClient removes from the arguments of a server those that name the client that it works
// for: the client's own name, alone, or after an option or a colon ("--agent", "agent:cursor"),
// and the context of Serena; and also ports.
func withoutClient(s *mcp.Server, args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		cut := strings.LastIndexAny(arg, ":=")
		isOption := strings.HasPrefix(arg, "-")
		hasNext := isOption && cut < 0 && i+1 < len(args)
		switch {
		case namesClient(s.Document, arg[cut+1:]):
		case hasNext && namesClient(s.Document, args[i+1]):
		case isOption && cut > 0 && isPort(arg[:cut], arg[cut+1:]):
		case hasNext && isPort(arg, args[i+1]):
			i++
		default:
			kept = append(kept, arg)
		}
	}
	return withoutContext(s.Resolved(), kept)
}

// namesClient reports whether a word is the name of a client of a file: its title, or its ID
// or how that begins, as "claude" of claude-code.
func namesClient(doc *mcp.Document, word string) bool {
	words := identity.Words(word)
	return len(words) > 0 && slices.ContainsFunc(doc.Clients, func(c *mcp.Client) bool {
		id := identity.Words(c.ID)
		return slices.Equal(words, id[:min(len(words), len(id))]) || slices.Equal(words, identity.Words(c.Title))
	})
}

// withoutContext removes from the arguments of Serena the context, which names the client that it
// works for: Codex needs the context "codex", Claude Code has one of its own. It also removes a
// project that is the directory in which Serena starts, in any spelling, or a placeholder
// (oraios/serena, docs/02-usage/030_clients.md).
func withoutContext(e identity.Resolved, args []string) []string {
	switch path.Base(e.Name) {
	case "serena", "serena-agent", "serena-mcp-server":
	default:
		return args
	}
	var kept []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--context", args[i] == "--project" && i+1 < len(args) && isSameArgument(args[i+1], "."):
			i++
		case args[i] == "--project-from-cwd", args[i] == "--project=.":
		case !strings.HasPrefix(args[i], "--context="):
			kept = append(kept, args[i])
		}
	}
	return kept
}

// runsHere reports whether what an entry names is started as it is.
func runsHere(e identity.Resolved) bool {
	return e.Kind == identity.FileKind || e.Kind == identity.Exec || e.Kind == identity.Opaque
}

// isKnown reports whether a directory is one that the files themselves tell.
func isKnown(dir string) bool { return !secret.HasReference(dir) && !identity.IsPlaceholderPath(dir) }

// settingsThatDiffer names the settings that are known to differ. A variable that an entry only
// passes on under its own name is not one of its settings, but is in the file: writtenHere and
// writtenThere have its form.
func settingsThatDiffer(kind string, here, there []identity.Setting, writtenHere, writtenThere []identity.Pair) []string {
	var parts []string
	inThere, inHere := byNames(there), byNames(here)
	handedHere, handedThere := firstOfName(writtenHere), firstOfName(writtenThere)
	for _, s := range here {
		switch other, ok := inThere[s.Name]; {
		case !ok && !s.Supplied:
			parts = append(parts, alone("an extra", kind, s, handedThere)...)
		case !ok || s.Supplied || other.Supplied || sameness.SameValue(s.Value, other.Value) || sameness.MaybeSameSecret(s.Name, s.Value, other.Value):
		case secret.IsSecret(s.Name, s.Value) && secret.IsSecret(s.Name, other.Value): // hardcoded-secret has both
		default:
			parts = append(parts, wording.Say("another value of the %s %s", kind, s.Name))
		}
	}
	for _, s := range there {
		if _, ok := inHere[s.Name]; !ok && !s.Supplied {
			parts = append(parts, alone("no", kind, s, handedHere)...)
		}
	}
	return parts
}

// alone returns that only one of two entries has a setting (what: an extra one, or none), or how
// it differs from the variable of that name which the other entry passes on: mcplumb cannot tell
// the value that a person supplies.
func alone(what, kind string, set identity.Setting, handed map[string]identity.Pair) []string {
	pair, ok := handed[set.Name]
	switch {
	case !ok:
		return []string{wording.Say("%s %s %s", what, kind, set.Name)}
	case identity.IsSupplied(pair.Value.Text), sameness.MaybeSameSecret(set.Name, set.Value, pair.Value.Text):
		return nil
	}
	return []string{wording.Say("another value of the %s %s", kind, set.Name)}
}

// firstOfName indexes pairs by their names: the first of each counts.
func firstOfName(pairs []identity.Pair) map[string]identity.Pair {
	index := make(map[string]identity.Pair, len(pairs))
	for _, p := range pairs {
		if _, ok := index[p.Name.Text]; !ok {
			index[p.Name.Text] = p
		}
	}
	return index
}

// byNames indexes settings by their names, each of which is unique.
func byNames(settings []identity.Setting) map[string]identity.Setting {
	index := make(map[string]identity.Setting, len(settings))
	for _, s := range settings {
		index[s.Name] = s
	}
	return index
}
