package main

import "strings"

// ecosystem is a search of the Renovate preset in every language: pins of one kind of
// package, after the programs that fetch them.
type ecosystem struct {
	// datasource is Renovate's name for where versions are looked up.
	datasource string
	about      string
	// programs are the launchers, commands the words that may stand between one and its
	// options: which of them has which does not matter, as the others do not run so.
	programs string
	commands [][]string
	// values are options that accept a value in the next word, flags those without a value,
	// pkg those whose value is the package; joined is the text before a package in the same
	// word.
	values, flags, pkg, joined string
	// pin is the package and its exact version, with the groups NAME, VERSION and where
	// there are any TAG and DIGEST.
	pin func(l language) string
}

const (
	release    = `[0-9]+\.[0-9]+\.[0-9]+`
	npmVersion = release + `(?:[-+][0-9A-Za-z.+-]+)?`
	npmName    = `@[\w.-]+/[\w.-]+|[A-Za-z0-9_][\w.-]*`
	pypiName   = `[A-Za-z0-9][\w.-]*`
	pypiPin    = `(?:[0-9]+!)?[0-9]+(?:[0-9A-Za-z.+_-]*[0-9A-Za-z])?`
)

// ecosystems are those for which Renovate has a datasource, in the order of the preset. The
// options of programs are those that package identity knows, as far as configuration uses
// them: a missing option hides a pin from Renovate, but never shows a wrong one.
var ecosystems = []ecosystem{
	{
		datasource: "npm",
		about:      "npm packages behind npx, npm exec, pnpm dlx, yarn dlx, bunx, deno and mise",
		programs:   `npx|bunx|pnpx|pnx|npm|pnpm|yarn|bun|deno|dx|mise`,
		commands:   [][]string{{`exec|x|dlx|run`}},
		values:     `--(?:registry|cache|userconfig|prefix|loglevel|node-options|workspace|call|env-file|config|import-map|dir|cwd)|-[cwC]`,
		flags:      `-[^"'\s]*`,
		pkg:        `--package|-p`,
		joined:     `--package=`,
		pin: func(language) string {
			return `(?:[\w.@/-]+@)?(?:npm:)?(?<NAME>` + npmName + `)@[=v]*(?<VERSION>` + npmVersion + `)(?:/[\w./-]+)?`
		},
	},
	{
		datasource: "jsr",
		about:      "JSR packages behind deno",
		programs:   `deno|dx`,
		commands:   [][]string{{`run`}},
		values:     `--(?:env-file|config|import-map)|-c`,
		flags:      `-[^"'\s]*`,
		pin: func(language) string {
			return `jsr:(?<NAME>@[\w.-]+/[\w.-]+)@(?<VERSION>` + npmVersion + `)(?:/[\w./-]+)?`
		},
	},
	{
		datasource: "pypi",
		about:      "Python packages behind uvx, uv tool run, uv run --with and pipx run",
		programs:   pythonPrograms,
		commands:   pythonCommands,
		values:     pythonValues,
		flags:      pythonFlags,
		pkg:        `--from|--spec`,
		joined:     `--(?:from|spec)=`,
		pin: func(language) string {
			return `(?<NAME>` + pypiName + `) ?(?:\[[\w., -]*\])? ?(?:===?|@)[ v]?(?<VERSION>` + pypiPin + `)`
		},
	},
	{
		datasource: "docker",
		about:      "images behind docker run, podman run and nerdctl run",
		programs:   `docker|podman|nerdctl`,
		commands:   [][]string{{`run|create`}, {`container`, `run|create`}},
		values: `--(?:add-host|annotation|cap-add|cap-drop|cpu-shares|cpus|cpuset-cpus|device|dns|domainname|entrypoint|env|env-file|expose|` +
			`gpus|group-add|health-cmd|hostname|ip|ipc|label|link|log-driver|log-opt|mac-address|memory|memory-reservation|memory-swap|mount|` +
			`name|net|network|network-alias|pid|pids-limit|platform|publish|pull|restart|runtime|secret|security-opt|shm-size|stop-signal|` +
			`stop-timeout|storage-opt|sysctl|tmpfs|ulimit|user|userns|uts|volume|volumes-from|workdir)|-[itd]*[acehlmpuvw]`,
		flags: `--(?:detach|init|interactive|no-healthcheck|privileged|publish-all|quiet|read-only|replace|rm|sig-proxy|tty)` +
			`|--[a-z0-9-]+=[^"']*|-[itdqP]+|-[ehlmpuvw][^"'\s][^"']*`,
		pin: func(language) string {
			return `(?<NAME>[a-z0-9][a-z0-9._-]*(?::[0-9]+)?(?:/[a-z0-9][a-z0-9._-]*)*)` +
				`(?:(?::(?<TAG>[\w][\w.-]*))?@(?<DIGEST>sha256:[0-9a-f]{64})|:(?<VERSION>v?` + release + `(?:[.+-][0-9A-Za-z.+-]+)?))`
		},
	},
	{
		datasource: "nuget",
		about:      "NuGet packages behind dnx and dotnet tool exec",
		programs:   `dnx|dotnet`,
		commands:   [][]string{{`dnx`}, {`tool`, `exec|execute`}},
		flags:      `-[^"'\s]*`,
		pin: func(l language) string {
			return `(?<NAME>[A-Za-z0-9_][\w.-]*)(?:@|` + l.shut + l.gap + `(?:` + l.word(`-y|--yes|--prerelease`) + l.gap + `)*` + l.open + `--version(?:=|` +
				l.shut + l.gap + l.open + `))(?<VERSION>[0-9]+(?:\.[0-9]+){1,3}(?:[+-][0-9A-Za-z.+-]+)?)`
		},
	},
	{
		datasource: "github-tags",
		about:      "git tags of GitHub that uvx, uv tool run and pipx run install from",
		programs:   pythonPrograms,
		commands:   pythonCommands,
		values:     pythonValues,
		flags:      pythonFlags,
		pkg:        `--from|--spec`,
		joined:     `--(?:from|spec)=`,
		pin: func(language) string {
			return `(?:` + pypiName + ` ?@ ?)?git\+https://github\.com/(?<NAME>[\w.-]+/[\w.-]+?)(?:\.git)?@(?<VERSION>v?` + npmVersion + `)(?:#[\w=&./-]+)?`
		},
	},
}

var pythonCommands = [][]string{{`tool`, `run`}, {`x|run`}, {`run`, `--with`}}

const (
	pythonPrograms = `uvx|uv|pipx`
	pythonValues   = `--(?:python|with|with-editable|with-requirements|index|index-url|default-index|extra-index-url|index-strategy|find-links|` +
		`directory|env-file|cache-dir|prerelease|resolution|exclude-newer|refresh-package|pip-args)|-[pwcfi]`
	pythonFlags = `-[qvnU]+|--(?:no-[a-z-]+|quiet|verbose|isolated|offline|native-tls|system-certs|refresh|reinstall|upgrade|managed-python)|--[a-z-]+=[^"']*`
)

// launcher writes the text of a launcher's word: it may have an ending, and a directory in
// which programs are installed. A program in the repository is a different program.
func (e *ecosystem) launcher() string {
	return `(?:(?:(?:/(?:usr|opt|bin|home|Users|root|nix|snap)|~|\$\{?(?:env:)?HOME\}?|%\w+%|[A-Za-z]:)[^"'\n]*[/\\]|(?:[^"'\s]*/)?node_modules/\.bin/)?` +
		`(?:` + e.programs + `)(?:\.exe|\.cmd)?)`
}

// command writes the words that may be between a launcher and its package, and the text
// before the package in its own word.
func (e *ecosystem) command(l language) string {
	var commands []string
	for _, words := range e.commands {
		text := ""
		for _, w := range words {
			text += l.word(w) + l.gap
		}
		commands = append(commands, text)
	}
	options := l.word(e.flags) + l.gap
	if e.values != "" {
		options = l.word(e.values) + l.gap + l.word(l.any) + l.gap + `|` + options
	}
	start := l.open
	if e.pkg != "" {
		start = `(?:` + l.word(e.pkg) + l.gap + l.open + `|` + l.open + `(?:` + e.joined + `)?)`
	}
	return `(?:` + strings.Join(commands, "|") + `)?(?:` + options + `)*?` + start
}

// hasDigest reports whether a pin may have a digest.
func (e *ecosystem) hasDigest() bool { return strings.Contains(e.pin(inJSON), "<DIGEST>") }
