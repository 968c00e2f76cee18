package identity

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// Resolved is an identity with the launch that it was found in. Everything beyond the identity is
// computed on every call: few entries need it, and most of the servers' data in a repository need
// not be stored twice.
type Resolved struct {
	*Identity
	Launch  *Launch
	Context *Context
}

// Config is the part of a launch that identity does not name, in canonical
// form, so that two spellings of one configuration compare equal.
type Config struct {
	// Dir is Resolved.Dir of a server that is found by its directory or works by it; the path of a
	// file contains it.
	Dir string
	// Args are the remaining arguments in order: path variables and relative
	// paths of this repository resolved, references in one spelling.
	Args []string
	// Env and Headers are sorted by name. Pure pass-throughs (NAME=${NAME},
	// docker -e NAME) are left out; header names are lower-cased.
	Env, Headers []Setting
	// PassedOn are the names of the variables that are left out of Env.
	PassedOn []string
	// EnvFile is the file of variables as a setting of its own, at most one: mcplumb cannot tell
	// what it sets.
	EnvFile []Setting
}

// Setting is one variable, header or file of variables in canonical form. Values hold secrets:
// they are compared and never printed.
type Setting struct {
	Name, Value string
	// Supplied reports that the value is one a person supplies: an input
	// prompt or a placeholder. Whether it differs from another client's value
	// cannot be known.
	Supplied bool
}

// Config returns everything else that decides what the server does.
func (e Resolved) Config() Config {
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	return r.config(e.Launch)
}

// ConfigWords returns the words at the end of Config.Args, each where it is written: the words
// before them are made of options. The slice belongs to the caller.
func (e Resolved) ConfigWords() []Word {
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	return slices.Clone(r.args) // which may be those of the launch
}

// Dir returns the working directory, in the form of Parts.Dir, if the launch gives one other than
// the default, else "".
func (e Resolved) Dir() string {
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	return r.otherDir()
}

// Project returns the directory in which launchers look for the project whose packages they run:
// the working directory, or the one that an option names (npm --prefix, uv --project). It is
// slash-separated, from the repository root, "" for the root itself. ok is false if the launch
// leaves the repository or excludes the project.
func (e Resolved) Project() (dir string, ok bool) {
	if e.startsPlainly() {
		return e.Context.Dir, true
	}
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	dir = r.dir
	if r.project != "" {
		dir = r.project
	}
	if dir == "." {
		return "", !r.noProject
	}
	return dir, !r.noProject && fs.ValidPath(dir) && !IsAbsolute(dir) && !secret.HasReference(dir)
}

// startsPlainly reports whether a launch is a launcher without any option, as most are: then it
// works in its own directory.
func (e Resolved) startsPlainly() bool {
	l := e.Launch
	if l.Cwd.Text != "" || l.Command.Text != e.Launcher {
		return false
	}
	for _, arg := range l.Args {
		if strings.HasPrefix(arg.Text, "-") && arg.Text != "-y" && arg.Text != "--yes" {
			return false
		}
	}
	return true
}

// ConfigKey returns one string for the configuration: two entries with one Key
// and one ConfigKey are at least Equivalent. It holds secrets: never print it.
func (e Resolved) ConfigKey() string { return e.Config().Key() }

// Key returns one string for a configuration, equal for those that are. It holds
// secrets: never print it.
func (c Config) Key() string {
	var b strings.Builder
	b.WriteString(c.Dir)
	b.WriteByte(0)
	for _, arg := range c.Args {
		b.WriteString(arg)
		b.WriteByte(0)
	}
	for _, settings := range [][]Setting{c.Env, c.Headers, c.EnvFile} {
		b.WriteByte(1)
		for _, s := range settings {
			b.WriteString(s.Name)
			b.WriteByte(0)
			b.WriteString(s.Value)
			b.WriteByte(0)
		}
	}
	return b.String()
}

// Knowing returns an entry as if its client also filled in the path variables that only the other
// entry's client does, so that what both write alike is equal.
func (e Resolved) Knowing(other Resolved) Resolved {
	ctx := *e.Context
	ctx.Vars = maps.Clone(other.Context.Vars)
	if ctx.Vars == nil {
		ctx.Vars = map[string]string{}
	}
	maps.Copy(ctx.Vars, e.Context.Vars)
	id := Resolve(e.Launch, &ctx)
	return Resolved{&id, e.Launch, &ctx}
}
