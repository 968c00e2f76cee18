package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// configDrift finds a server that two files of a project start under one name
// with different arguments, variables, headers or files of variables.
var configDrift = &Check{
	ID:       "config-drift",
	Title:    "one server is configured differently from file to file",
	Severity: Note,
	Reads:    inUse,
	Run:      runConfigDrift,
}

func runConfigDrift(p *Pass) {
	for _, files := range p.Project.Compared {
		for _, named := range sharing(running(files), byName) {
			programs := byProgram(named)
			for _, same := range sharing(named, func(s *mcp.Server) string { return programs[byKey(s)] }) {
				reportConfigDrift(p, same)
			}
		}
	}
}

// reportConfigDrift reports one finding for a name, at the first entry that is
// known to differ from what most files say.
func reportConfigDrift(p *Pass, same []*mcp.Server) {
	usual := mostCommon(same, byConfig)
	reference := same[slices.IndexFunc(same, func(s *mcp.Server) bool { return byConfig(s) == usual })]
	usually := reference.Resolved().Config()
	asked := 0 // how many had to be looked at closely
	for _, s := range same {
		if byKey(s) == byKey(reference) && identity.CompareConfigs(usually, s.Resolved().Config()) >= identity.Undecided {
			continue
		}
		if asked++; asked > maxSpellings {
			return
		}
		parts := whatDiffers(s.Resolved(), reference.Resolved())
		if len(parts) == 0 {
			continue
		}
		f := at(s)
		f.Message = say("%q is configured differently in %s (%s): make them the same, or give one of them another name",
			s.Name, reference.Document.File.Path, joinWords(firstFew(parts)))
		f.Related = []Related{seeAlso(reference, "the other configuration")}
		p.Report(f)
		return
	}
}

// whatDiffers names the parts of two configurations that are known to differ,
// never their values. What a package or a container is given cannot be compared
// with what the program itself is.
func whatDiffers(here, there identity.Resolved) []string {
	if here.Kind != there.Kind && !(runsHere(here) && runsHere(there)) {
		return nil
	}
	here, there = here.Knowing(there), there.Knowing(here)
	a, b := here.Config(), there.Config()
	var parts []string
	if x, y := here.Dir(), there.Dir(); (runsHere(here) || a.Dir != b.Dir) && !identity.SameValue(x, y) && isKnown(x) && isKnown(y) {
		parts = append(parts, "another working directory")
	}
	if !slices.EqualFunc(a.Args, b.Args, identity.SameValue) {
		parts = append(parts, "other arguments")
	}
	parts = append(parts, settingsThatDiffer("variable", a.Env, b.Env)...)
	parts = append(parts, settingsThatDiffer("header", a.Headers, b.Headers)...)
	// Few clients read a file of variables: one that stands against none may hold what
	// the other client takes from its environment.
	if len(a.EnvFile) > 0 && len(b.EnvFile) > 0 && len(settingsThatDiffer("", a.EnvFile, b.EnvFile)) > 0 {
		parts = append(parts, "another envFile")
	}
	return parts
}

// runsHere reports whether what an entry names is started as it is.
func runsHere(e identity.Resolved) bool {
	return e.Kind == identity.FileKind || e.Kind == identity.Exec || e.Kind == identity.Opaque
}

// isKnown reports whether a directory is one that the files themselves tell.
func isKnown(dir string) bool { return !secret.HasReference(dir) && !identity.IsPlaceholderPath(dir) }

// firstFew cuts a long list of differences: it is there to be read.
func firstFew(parts []string) []string {
	const most = 4
	if len(parts) <= most {
		return parts
	}
	return append(parts[:most-1:most-1], say("%d more", len(parts)-most+1))
}

func settingsThatDiffer(kind string, here, there []identity.Setting) []string {
	var parts []string
	inThere, inHere := byNames(there), byNames(here)
	for _, s := range here {
		switch other, ok := inThere[s.Name]; {
		case !ok && !s.Supplied:
			parts = append(parts, say("%s %s only here", kind, s.Name))
		case ok && !identity.SameValue(s.Value, other.Value) && !s.Supplied && !other.Supplied:
			parts = append(parts, say("%s %s has another value", kind, s.Name))
		}
	}
	for _, s := range there {
		if _, ok := inHere[s.Name]; !ok && !s.Supplied {
			parts = append(parts, say("%s %s only there", kind, s.Name))
		}
	}
	return parts
}

// byNames indexes settings, each of which has its name once.
func byNames(settings []identity.Setting) map[string]identity.Setting {
	index := make(map[string]identity.Setting, len(settings))
	for _, s := range settings {
		index[s.Name] = s
	}
	return index
}
