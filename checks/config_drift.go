package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// configDrift finds a server that two files of a project start under one name
// with different arguments, variables or headers.
var configDrift = &Check{
	ID:       "config-drift",
	Title:    "one server is configured differently from file to file",
	Severity: Note,
	Reads:    inUse,
	Run:      runConfigDrift,
}

func runConfigDrift(p *Pass) {
	for _, files := range p.Project.Compared {
		for _, same := range sharing(running(files), func(s *mcp.Server) string { return s.Name + "\x02" + byKey(s) }) {
			reportConfigDrift(p, same)
		}
	}
}

// reportConfigDrift reports one finding for a name, at the first entry that is
// known to differ from what most files say.
func reportConfigDrift(p *Pass, same []*mcp.Server) {
	usual := mostCommon(same, byConfig)
	reference := same[slices.IndexFunc(same, func(s *mcp.Server) bool { return byConfig(s) == usual })]
	usually := reference.Resolved().Config()
	for _, s := range same {
		config := s.Resolved().Config()
		if identity.CompareConfigs(usually, config) != identity.Reconfigured {
			continue
		}
		f := at(s)
		f.Message = say("%q is configured differently in %s: %s",
			s.Name, reference.Document.File.Path, joinWords(firstFew(whatDiffers(config, usually))))
		f.Related = []Related{seeAlso(reference, "the other configuration")}
		p.Report(f)
		return
	}
}

// whatDiffers names the parts of two configurations that differ, never their
// values.
func whatDiffers(a, b identity.Config) []string {
	var parts []string
	if !slices.Equal(a.Args, b.Args) {
		parts = append(parts, "other arguments")
	}
	parts = append(parts, settingsThatDiffer("variable", a.Env, b.Env)...)
	return append(parts, settingsThatDiffer("header", a.Headers, b.Headers)...)
}

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
		case ok && s.Value != other.Value && !s.Supplied && !other.Supplied:
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
