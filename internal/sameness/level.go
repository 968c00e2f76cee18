// Package sameness determines how much two entries are the same (Level), by what they really run
// and by their configuration: for any client's syntax, and any launcher.
package sameness

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Level is how much two entries are the same, weakest first.
type Level uint8

// The levels of sameness.
const (
	// Different: nothing ties the two together.
	Different Level = iota
	// Related: one vendor, host or program under two forms; never called equal.
	Related
	// SameProgram: one program, written in two ways that do not give one identity: a script by
	// its absolute path and by its path from the project, a program and the package that contains
	// it.
	SameProgram
	// Reconfigured: the same server with other arguments, variables, headers or file of
	// variables: two instances on purpose.
	Reconfigured
	// Superset: the same server, and one entry has all that the other sets, and further
	// variables, headers, or a file of variables.
	Superset
	// Undecided: the same server, and nothing is known to differ, but one entry has a value that
	// a person supplies, and the other has another value.
	Undecided
	// Equivalent: as Equal, but native against bridged, another transport
	// spelling of one URL, or only the version differs.
	Equivalent
	// Equal: one server, one configuration.
	Equal
)

// Compare returns how much two entries are the same. A placeholder is
// Different from everything, itself included.
func Compare(a, b identity.Resolved) Level {
	key := a.Key()
	if key == "" || b.Key() == "" {
		return Different
	}
	if key != b.Key() {
		switch {
		case respelled(a, b):
			return SameProgram
		case related(a.Identity, b.Identity):
			return Related
		}
		return Different
	}
	if level := CompareConfigs(a.Config(), b.Config()); level != Equal {
		return level
	}
	if a.Version.Text != b.Version.Text || a.BridgeName() != b.BridgeName() || a.Transport != b.Transport || a.Plain != b.Plain {
		return Equivalent
	}
	return Equal
}

// CompareConfigs returns how much two configurations of one server are the same: Equal,
// Undecided, Superset or Reconfigured.
func CompareConfigs(a, b identity.Config) Level {
	args := compareArgs(a.Args, b.Args)
	if a.Dir != b.Dir || args == Reconfigured {
		return Reconfigured
	}
	all := compareSettings(variablesBeside(a, b), variablesBeside(b, a))
	for _, c := range []compared{{level: args}, compareSettings(a.Headers, b.Headers), compareSettings(a.EnvFile, b.EnvFile)} {
		all = compared{min(all.level, c.level), all.onlyA || c.onlyA, all.onlyB || c.onlyB}
	}
	switch {
	case all.onlyA && all.onlyB:
		return Reconfigured
	case all.onlyA || all.onlyB:
		return min(Superset, all.level)
	}
	return all.level
}

// variablesBeside returns the variables to compare with those of another configuration: a
// credential may be the same as a variable that the other one passes on by its name.
func variablesBeside(c, other identity.Config) []identity.Setting {
	if len(other.PassedOn) == 0 {
		return c.Env
	}
	env := slices.Clone(c.Env)
	for i, s := range env {
		env[i].Supplied = s.Supplied || slices.Contains(other.PassedOn, s.Name) && MaybeSameSecret(s.Name, s.Value, "${"+s.Name+"}")
	}
	return env
}

// compareArgs compares arguments: a credential in one may be the value that the other takes from
// a variable.
func compareArgs(a, b []string) Level {
	if len(a) != len(b) {
		return Reconfigured
	}
	level := Equal
	for i, arg := range a {
		switch {
		case arg == b[i]:
		case MaybeSameSecret(optionOf(a, i), arg, b[i]):
			level = Undecided
		default:
			return Reconfigured
		}
	}
	return level
}

// optionOf returns the name of the option that an argument may be the value of, without
// its dashes.
func optionOf(args []string, i int) string {
	if i == 0 || !strings.HasPrefix(args[i-1], "-") {
		return ""
	}
	return strings.TrimLeft(args[i-1], "-")
}

// MaybeSameSecret reports whether two values differ in that a credential is written in one
// and taken from elsewhere in the other: it may be the same, and that it is written is
// another finding.
func MaybeSameSecret(name, a, b string) bool {
	if secret.HasReference(a) {
		a, b = b, a
	}
	ref, ok := secret.NextReference(b, 0)
	if !ok {
		return false
	}
	literals := secret.Literals(name, a)
	return len(literals) == 1 && a[:literals[0].Start] == b[:ref.Start] && a[literals[0].End:] == b[ref.End:]
}

// compared is how two lists of settings relate: the level of the settings that both have, and
// which of them has further settings.
type compared struct {
	level        Level
	onlyA, onlyB bool
}

// compareSettings merges two lists sorted by name. A setting that a person supplies and that the
// other list does not have is also undecided: the other client may take it from its environment.
func compareSettings(a, b []identity.Setting) compared {
	c := compared{level: Equal}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			c.level = min(c.level, againstNothing(a[0]))
			c.onlyA, a = c.onlyA || !a[0].Supplied, a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			c.level = min(c.level, againstNothing(b[0]))
			c.onlyB, b = c.onlyB || !b[0].Supplied, b[1:]
		default:
			c.level = min(c.level, againstAnother(a[0], b[0]))
			a, b = a[1:], b[1:]
		}
	}
	return c
}

func againstNothing(s identity.Setting) Level {
	if s.Supplied {
		return Undecided
	}
	return Superset
}

func againstAnother(a, b identity.Setting) Level {
	switch {
	case a.Value == b.Value:
		return Equal
	case a.Supplied || b.Supplied || MaybeSameSecret(a.Name, a.Value, b.Value):
		return Undecided
	}
	return Reconfigured
}

// Beyond returns the settings that a configuration has and another one has not.
// They hold secrets: never print their values.
func Beyond(c identity.Config, other identity.Config) []identity.Setting {
	return append(beyond(variablesBeside(c, other), other.Env), beyond(c.Headers, other.Headers)...)
}

func beyond(settings, others []identity.Setting) []identity.Setting {
	var more []identity.Setting
	for _, s := range settings {
		if !slices.ContainsFunc(others, func(o identity.Setting) bool { return o.Name == s.Name }) {
			more = append(more, s)
		}
	}
	return more
}
