package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/shell"
)

// wrapper is how a program that only starts another one is read.
type wrapper struct {
	options options
	// command are the sub-commands that start a program ("run", "exec"); other
	// sub-commands are not ours.
	command []string
	// before counts the words between options and program: timeout's duration,
	// aws-vault's profile.
	before int
	// config are the options that decide what the server sees, and keep reports that the words
	// before the program do: files of variables, projects, profiles. The rest (priorities, users)
	// does not matter.
	config []string
	keep   bool
	// dir are the options that name the working directory, call those that hold
	// the command as one line.
	dir, call []string
	// dashes says that everything before "--" belongs to the wrapper, tools that
	// without it versions of tools do (node@20), assigns that NAME=value sets a
	// variable.
	dashes, tools, assigns bool
}

// The wrappers, as their help describes them.
var (
	plainWrapper    = wrapper{}
	archWrapper     = wrapper{options: options{values: []string{"-d", "-e"}}}
	asdfWrapper     = wrapper{command: []string{"exec"}}
	awsVaultWrapper = wrapper{
		command: []string{"exec"}, before: 1, keep: true,
		options: options{values: []string{"--backend", "--duration", "--mfa-token", "--prompt", "--region", "-d", "-t"}},
	}
	chamberWrapper = wrapper{
		command: []string{"exec"}, keep: true, dashes: true,
		options: options{values: []string{"--backend", "--retries", "-b", "-r"}},
	}
	condaWrapper = wrapper{
		command: []string{"run"}, dir: []string{"--cwd"},
		options: options{values: []string{"--cwd", "--name", "--prefix", "-n", "-p"}},
	}
	crossEnvWrapper = wrapper{assigns: true}
	direnvWrapper   = wrapper{command: []string{"exec"}, before: 1, keep: true}
	dopplerWrapper  = wrapper{
		command: []string{"run"}, call: []string{"--command"},
		config: []string{"--config", "--project", "--token", "-c", "-p", "-t"},
		options: options{values: []string{
			"--api-host", "--command", "--config", "--config-dir", "--dashboard-host", "--fallback", "--mount", "--passphrase",
			"--project", "--scope", "--token", "-c", "-p", "-t",
		}},
	}
	dotenvxWrapper = wrapper{
		command: []string{"run"},
		config:  []string{"--convention", "--env-file", "--env-vault-file", "-f", "-fv"},
		options: options{values: []string{
			"--convention", "--env", "--env-file", "--env-keys-file", "--env-vault-file", "--log-level", "-e", "-f", "-fk", "-fv", "-l",
		}},
	}
	envmcpWrapper    = wrapper{config: []string{"--env-file", "-e"}, options: options{values: []string{"--env-file", "-e"}}}
	execWrapper      = wrapper{options: options{values: []string{"-a"}}}
	fnmWrapper       = wrapper{command: []string{"exec"}, options: options{values: []string{"--using"}}}
	infisicalWrapper = wrapper{
		command: []string{"run"}, call: []string{"--command", "-c"},
		config: []string{"--domain", "--env", "--path", "--projectId", "--token", "-e", "-p"},
		options: options{values: []string{
			"--command", "--domain", "--env", "--log-level", "--path", "--project-config-dir", "--projectId", "--secret-overriding",
			"--tags", "--token", "-c", "-e", "-l", "-p",
		}},
	}
	ioniceWrapper = wrapper{options: options{values: []string{"--class", "--classdata", "-P", "-c", "-n", "-p", "-u"}}}
	miseWrapper   = wrapper{
		command: []string{"exec", "x"}, call: []string{"--command", "-c"}, dir: []string{"--cd", "-C"}, dashes: true, tools: true,
		options: options{values: []string{"--cd", "--command", "--env", "--jobs", "-C", "-E", "-c", "-j"}},
	}
	niceWrapper = wrapper{options: options{values: []string{"--adjustment", "-n"}}}
	nvmWrapper  = wrapper{command: []string{"exec", "run"}, before: 1}
	opWrapper   = wrapper{
		command: []string{"run"},
		config:  []string{"--account", "--env-file", "--environment"},
		options: options{values: []string{
			"--account", "--cache", "--config", "--encoding", "--env-file", "--environment", "--format", "--session",
		}},
	}
	stdbufWrapper = wrapper{options: options{clusters: true, values: []string{"--error", "--input", "--output", "-e", "-i", "-o"}}}
	sudoWrapper   = wrapper{
		assigns: true, dir: []string{"--chdir", "-D"},
		options: options{values: []string{
			"--chdir", "--group", "--host", "--prompt", "--role", "--type", "--user", "-C", "-D", "-R", "-T", "-U", "-g", "-h", "-p",
			"-r", "-t", "-u",
		}},
	}
	tellerWrapper = wrapper{
		command: []string{"run"}, config: []string{"--config", "--path", "-c", "-p"},
		options: options{values: []string{"--config", "--path", "-c", "-p"}},
	}
	timeoutWrapper = wrapper{before: 1, options: options{values: []string{"--kill-after", "--signal", "-k", "-s"}}}
	voltaWrapper   = wrapper{command: []string{"run"}, options: options{values: []string{"--node", "--npm", "--pnpm", "--yarn"}}}
	xvfbWrapper    = wrapper{options: options{values: []string{
		"--auth-file", "--error-file", "--server-args", "--server-num", "--wait", "--xauth-protocol", "-e", "-f", "-n", "-p", "-s",
		"-w",
	}}}
)

// wrapper peels a program that only starts another one.
func (r *resolver) wrapper(l *launcher) outcome {
	name, g := l.title(), l.wrapper
	extra := len(r.extra)
	args, call := r.wrapperOptions(name, g, r.args)
	if len(g.command) > 0 {
		if len(args) == 0 || !listed(g.command, args[0].Text) {
			r.extra = r.extra[:extra]
			return unknown
		}
		args, call = r.wrapperOptions(name, g, args[1:])
	}
	if call.Text != "" {
		return r.commandLine(name, shell.NewLine(shell.Posix, call))
	}
	if g.dashes {
		n := slices.IndexFunc(args, func(w Word) bool { return w.Text == "--" })
		if n < 0 {
			for n = 0; g.tools && n < len(args) && isToolWord(args[n].Text); n++ {
			}
		}
		r.keepWords(name, g, args[:n])
		if g.tools {
			return r.runTool(name, args[:n], dropDashes(args[n:]))
		}
		return r.run(args[n:])
	}
	n := min(g.before, len(args))
	r.keepWords(name, g, args[:n])
	args, _ = r.wrapperOptions(name, g, args[n:])
	if g.assigns {
		args = r.assignments(args)
	}
	return r.run(args)
}

// isToolWord reports whether a word names a tool for mise: "node@22", "npm:pkg".
func isToolWord(text string) bool {
	return strings.Contains(text, "@") || strings.HasPrefix(text, "npm:") || strings.HasPrefix(text, "pipx:")
}

// runTool starts a program of a package that mise fetches, if the program is not itself a launcher:
// "mise exec npm:pkg -- pkg".
func (r *resolver) runTool(name string, tools, args []Word) outcome {
	if len(args) == 0 || launcherOf(args[0].Text) != nil {
		return r.run(args)
	}
	var pkg Word
	for _, w := range tools {
		if strings.HasPrefix(w.Text, "npm:") || strings.HasPrefix(w.Text, "pipx:") {
			if pkg.Text != "" {
				return r.run(args) // any of them may contain it
			}
			pkg = w
		}
	}
	if pkg.Text == "" {
		return r.run(args)
	}
	r.id.Launcher = name
	kind, _, _ := strings.Cut(pkg.Text, ":")
	spec := pkg.From(len(kind) + 1)
	if kind == "pipx" {
		return r.pypi(spec, args[0].Text, args[1:])
	}
	return r.npm(spec, args[0].Text, args[1:])
}

// keepWords notes words before the program that decide what it sees.
func (r *resolver) keepWords(name string, g *wrapper, words []Word) {
	if !g.keep {
		return
	}
	for _, w := range words {
		r.extra = append(r.extra, name+" "+r.argument(w.Text))
	}
}

// wrapperOptions reads a wrapper's options, and notes those that matter.
func (r *resolver) wrapperOptions(name string, g *wrapper, args []Word) (rest []Word, call Word) {
	for {
		opt, rest, ok := g.options.next(args)
		if !ok || opt.name == "--" {
			return rest, call
		}
		args = rest
		switch {
		case listed(g.call, opt.name):
			call = opt.value
		case listed(g.config, opt.name):
			r.addOption(name+" "+opt.name, opt.value)
		case listed(g.dir, opt.name):
			r.enter(opt.value)
		}
	}
}

var dotenvOptions = options{values: []string{"--env-file", "--export", "--file", "--quote", "-c", "-e", "-f", "-q", "-v"}}

// dotenv peels dotenv-cli (npm: "dotenv -e .env -- cmd") and python-dotenv
// ("dotenv -f .env run -- cmd").
func (r *resolver) dotenv() outcome {
	args := r.args
	for {
		opt, rest, ok := dotenvOptions.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		switch opt.name {
		case "-e", "-f", "--file", "--env-file":
			r.addOption("dotenv", opt.value)
		}
	}
	if len(args) > 0 && args[0].Text == "run" {
		args = dotenvOptions.skip(args[1:])
	}
	return r.run(args)
}

var envOptions = options{values: []string{"--chdir", "--split-string", "--unset", "-C", "-P", "-S", "-u"}, clusters: true}

// envCommand peels env [-i] [-u NAME] [-C DIR] [-S STRING] [NAME=value…] cmd.
func (r *resolver) envCommand() outcome {
	args := r.args
	for {
		opt, rest, ok := envOptions.next(args)
		if !ok || opt.name == "--" {
			return r.run(r.assignments(rest))
		}
		args = rest
		switch opt.name {
		case "-C", "--chdir":
			r.enter(opt.value)
		case "-S", "--split-string":
			words, ok := shell.NewLine(shell.Posix, opt.value).Simple()
			if !ok {
				return r.opaque(opt.value, opt.value.Text)
			}
			return r.run(r.assignments(append(words, args...)))
		}
	}
}

var wslOptions = options{values: []string{"--cd", "--distribution", "--distribution-id", "--shell-type", "--user", "-d", "-u"}}

// wsl peels wsl [-d D] [-u U] [--cd DIR] [-e|--] cmd.
func (r *resolver) wsl() outcome {
	args := r.args
	for {
		opt, rest, ok := wslOptions.next(args)
		if !ok {
			return r.run(args)
		}
		args = rest
		switch opt.name {
		case "--cd":
			r.enter(opt.value)
		case "--", "-e", "--exec":
			return r.run(args)
		}
	}
}
