package identity

import "strings"

// wrapperGrammar is how a program that only starts another one is read.
type wrapperGrammar struct {
	options options
	// command is the sub-command that starts a program ("run", "exec"), "" for
	// none; other sub-commands are not ours.
	command string
	// before counts the words between options and program: timeout's duration,
	// aws-vault's profile.
	before int
	// config are the options that decide what the server sees, and keep says
	// that the words before the program do: files of variables, projects,
	// profiles. The rest (priorities, users) says nothing.
	config string
	keep   bool
	// call is an option that holds the command as one line.
	call string
	// dashes says that everything before "--" belongs to the wrapper.
	dashes bool
}

// wrapperOf returns the grammar of a wrapper.
func wrapperOf(name string) *wrapperGrammar {
	switch name {
	case "sudo", "doas":
		return &wrapperGrammar{options: options{values: "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --role --type"}}
	case "nice":
		return &wrapperGrammar{options: options{values: "-n --adjustment"}}
	case "ionice":
		return &wrapperGrammar{options: options{values: "-c -n -p -P -u --class --classdata"}}
	case "timeout":
		return &wrapperGrammar{options: options{values: "-k -s --kill-after --signal"}, before: 1}
	case "stdbuf":
		return &wrapperGrammar{options: options{values: "-i -o -e --input --output --error", clusters: true}}
	case "xvfb-run":
		return &wrapperGrammar{options: options{values: "-n -s -f -e -p -w --server-num --server-args --auth-file --error-file --xauth-protocol --wait"}}
	case "mise", "rtx":
		return &wrapperGrammar{options: options{values: "-C --cd -E --env -j --jobs -c --command"}, command: "exec x", call: "-c --command", dashes: true}
	case "direnv":
		return &wrapperGrammar{command: "exec", before: 1, keep: true}
	case "asdf":
		return &wrapperGrammar{command: "exec"}
	case "fnm":
		return &wrapperGrammar{command: "exec", options: options{values: "--using"}}
	case "volta":
		return &wrapperGrammar{command: "run", options: options{values: "--node --npm --yarn --pnpm"}}
	case "nvm":
		return &wrapperGrammar{command: "exec run", before: 1}
	case "dotenvx":
		return &wrapperGrammar{command: "run", options: options{values: "-f --env-file -fk --env-keys-file -e --env -fv --env-vault-file --convention -l --log-level"},
			config: "-f --env-file -fv --env-vault-file --convention"}
	case "doppler":
		return &wrapperGrammar{command: "run", options: options{values: `-p --project -c --config -t --token --scope --api-host --command
--mount --fallback --passphrase --config-dir --dashboard-host`}, config: "-p --project -c --config -t --token", call: "--command"}
	case "infisical":
		return &wrapperGrammar{command: "run", options: options{values: `-e --env --path -p --projectId --token --domain -c --command --tags
--project-config-dir --log-level -l --secret-overriding`}, config: "-e --env --path -p --projectId --token --domain", call: "-c --command"}
	case "op":
		return &wrapperGrammar{command: "run", options: options{values: "--env-file --account --config --session --environment --cache --encoding --format"},
			config: "--env-file --account --environment"}
	case "aws-vault":
		return &wrapperGrammar{command: "exec", options: options{values: "-d --duration --backend --region -t --mfa-token --prompt"}, before: 1, keep: true}
	case "chamber":
		return &wrapperGrammar{command: "exec", options: options{values: "-r --retries -b --backend"}, keep: true, dashes: true}
	case "teller", "varlock":
		return &wrapperGrammar{command: "run", options: options{values: "-c --config -p --path"}, config: "-c --config -p --path"}
	case "envmcp":
		return &wrapperGrammar{options: options{values: "-e --env-file"}, config: "-e --env-file"}
	case "conda", "mamba", "micromamba":
		return &wrapperGrammar{command: "run", options: options{values: "-n --name -p --prefix --cwd"}}
	case "arch":
		return &wrapperGrammar{options: options{values: "-e -d"}}
	}
	return &wrapperGrammar{} // nohup, setsid, time, exec, command, caffeinate, unbuffer, cross-env
}

// wrapper peels a program that only starts another one.
func (r *resolver) wrapper(name string) outcome {
	if name == "dotenv" {
		return r.dotenv()
	}
	g := wrapperOf(name)
	extra := len(r.extra)
	args, call, ok := r.wrapperOptions(name, g, r.args)
	if g.command != "" {
		if !ok || len(args) == 0 || !listed(g.command, args[0].Text) {
			r.extra = r.extra[:extra]
			return unknown
		}
		args, call, _ = r.wrapperOptions(name, g, args[1:])
	}
	if call.Text != "" {
		return r.commandLine(name, call, false)
	}
	if g.dashes {
		for i, w := range args {
			if w.Text == "--" {
				r.keepWords(name, g, args[:i])
				return r.run(args[i+1:])
			}
		}
		if name == "mise" || name == "rtx" {
			for len(args) > 0 && strings.Contains(args[0].Text, "@") {
				args = args[1:] // tool@version before the command
			}
		}
		return r.run(args)
	}
	n := min(g.before, len(args))
	r.keepWords(name, g, args[:n])
	args = args[n:]
	args, _, _ = r.wrapperOptions(name, g, args)
	if name == "sudo" || name == "cross-env" {
		args = r.assignments(args)
	}
	return r.run(args)
}

// keepWords notes words before the program that decide what it sees.
func (r *resolver) keepWords(name string, g *wrapperGrammar, words []Word) {
	if !g.keep {
		return
	}
	for _, w := range words {
		r.extra = append(r.extra, name+" "+r.argument(w.Text))
	}
}

// wrapperOptions reads a wrapper's options, and notes those that matter.
func (r *resolver) wrapperOptions(name string, g *wrapperGrammar, args []Word) (rest []Word, call Word, ok bool) {
	for {
		opt, rest, more := g.options.next(args)
		if !more {
			return args, call, true
		}
		if opt.name == "--" {
			return rest, call, true
		}
		args = rest
		switch {
		case listed(g.call, opt.name):
			call = opt.value
		case listed(g.config, opt.name):
			r.addOption(name+" "+opt.name, opt.value)
		case opt.name == "--cwd" || opt.name == "--cd" || name == "mise" && opt.name == "-C":
			r.enter(opt.value)
		}
	}
}

// dotenv peels dotenv-cli (npm: "dotenv -e .env -- cmd") and python-dotenv
// ("dotenv -f .env run -- cmd").
func (r *resolver) dotenv() outcome {
	grammar := options{values: "-e -f --file -v -c --env-file -q --quote --export"}
	args := r.args
	for {
		opt, rest, ok := grammar.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		if listed("-e -f --file --env-file", opt.name) {
			r.addOption("dotenv", opt.value)
		}
	}
	if len(args) > 0 && args[0].Text == "run" {
		args = grammar.skip(args[1:])
	}
	return r.run(args)
}

// envCommand peels env [-i] [-u NAME] [-C DIR] [-S STRING] [NAME=value…] cmd.
func (r *resolver) envCommand() outcome {
	grammar := options{values: "-u --unset -C --chdir -S --split-string -P", clusters: true}
	args := r.args
	for {
		opt, rest, ok := grammar.next(args)
		if !ok || opt.name == "--" {
			return r.run(r.assignments(rest))
		}
		args = rest
		switch opt.name {
		case "-C", "--chdir":
			r.enter(opt.value)
		case "-S", "--split-string":
			words, ok := splitLine(opt.value, false)
			if !ok {
				return r.opaque(opt.value, opt.value.Text)
			}
			return r.run(r.assignments(append(words, args...)))
		}
	}
}

// wsl peels wsl [-d D] [-u U] [--cd DIR] [-e|--] cmd.
func (r *resolver) wsl() outcome {
	grammar := options{values: "-d --distribution --distribution-id -u --user --cd --shell-type"}
	args := r.args
	for {
		opt, rest, ok := grammar.next(args)
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
