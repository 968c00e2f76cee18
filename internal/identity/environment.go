package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/shell"
)

// environment is a development environment that runs a project's programs in
// containers of its own, where the project is mounted.
type environment struct {
	// root is where the project is in the container.
	root string
	// programs are those that it runs under their own names, sorted; artisan are its names for "php
	// artisan".
	programs, artisan []string
	// exec is the sub-command that runs any program; with service, the name of a service comes
	// before the program.
	exec    string
	service bool
	options options
	// line is the sub-command with an option for a whole command line: "ssh -c".
	line string
}

// The environments: laravel/sail's bin/sail, ddev's commands, lando's tooling.
var (
	ddevEnvironment = environment{
		root: "/var/www/html", artisan: []string{"art", "artisan"}, exec: "exec",
		programs: []string{"bun", "bunx", "composer", "drush", "node", "npm", "npx", "php", "pnpm", "python", "python3", "wp", "yarn"},
		options:  options{values: []string{"--dir", "--service", "-d", "-s"}},
	}
	landoEnvironment = environment{
		root: "/app", artisan: []string{"artisan"}, exec: "exec", service: true, line: "ssh",
		programs: []string{"bun", "composer", "drush", "node", "npm", "npx", "php", "python", "python3", "wp", "yarn"},
		options:  options{values: []string{"--command", "--service", "--user", "-c", "-s", "-u"}},
	}
	sailEnvironment = environment{
		root: "/var/www/html", artisan: []string{"a", "art", "artisan"},
		programs: []string{"bun", "bunx", "composer", "node", "npm", "npx", "php", "pnpm", "pnpx", "yarn"},
	}
)

// environment peels a development environment: what it runs are files of the
// project, or packages.
func (r *resolver) environment(l *launcher) outcome {
	e := l.environment
	args := e.options.skip(r.args)
	if len(args) == 0 {
		return unknown
	}
	first, rest := args[0], args[1:]
	switch name := first.Text; {
	case listed(e.artisan, name):
		php, artisan := Word{Text: "php"}, Word{Text: "artisan", Span: first.Span}
		return r.run(e.fromProject(append([]Word{php, artisan}, rest...)))
	case listed(e.programs, name):
		return r.run(e.fromProject(args))
	case e.exec != "" && name == e.exec:
		return r.environmentExec(l, rest)
	case e.line != "" && name == e.line:
		for {
			opt, more, ok := e.options.next(rest)
			if !ok {
				return unknown
			}
			if rest = more; opt.name == "-c" || opt.name == "--command" {
				return r.commandLine(l.name, shell.NewLine(shell.Posix, opt.value))
			}
		}
	}
	return unknown
}

// environmentExec peels "exec [options] [service] program", or a command line in
// one word.
func (r *resolver) environmentExec(l *launcher, args []Word) outcome {
	args = l.environment.options.skip(args)
	if l.environment.service && len(args) > 0 {
		args = args[1:]
	}
	args = l.environment.fromProject(dropDashes(args))
	if len(args) == 1 && strings.ContainsAny(args[0].Text, " \t") {
		return r.commandLine(l.name, shell.NewLine(shell.Posix, args[0]))
	}
	return r.run(args)
}

// fromProject makes paths of the container's project paths of this one.
func (e *environment) fromProject(words []Word) []Word {
	out := make([]Word, len(words))
	for i, w := range words {
		if strings.HasPrefix(w.Text, e.root+"/") {
			w = w.From(len(e.root) + 1)
		}
		out[i] = w
	}
	return out
}
