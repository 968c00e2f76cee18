package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/shell"
)

// scriptExtensions are those of JavaScript and TypeScript.
var scriptExtensions = []string{".cjs", ".cts", ".js", ".jsx", ".mjs", ".mts", ".ts", ".tsx"}

// isScriptFile reports whether a word is a file rather than a script's name.
func isScriptFile(text string) bool {
	if strings.ContainsAny(text, `/\`) {
		return true
	}
	dot := strings.LastIndexByte(text, '.')
	return dot >= 0 && listed(scriptExtensions, text[dot:])
}

// interpreter is how a program that runs a file is read.
type interpreter struct {
	options *options
	// code are options whose value is what runs; file those whose value is the
	// file; call those whose value is a command that runs it.
	code, file, call []string
	// watch is the sub-command that runs the file again when it changes.
	watch string
}

// The interpreters are node 20, tsx, ts-node, nodemon, php 8, ruby, perl and
// others that are read like these two.
var (
	nodeInterpreter = interpreter{options: &nodeOptions, code: []string{"--eval", "--print", "-e", "-p"}}
	tsxInterpreter  = interpreter{options: &nodeOptions, code: []string{"--eval", "--print", "-e", "-p"}, watch: "watch"}

	tsNodeInterpreter = interpreter{
		options: &options{long: []pair{{"-r", "--require"}}, values: []string{
			"--compiler", "--compilerOptions", "--cwd", "--eval", "--ignore", "--ignoreDiagnostics", "--print", "--project",
			"--require", "--scope-dir", "--typeCheck", "-C", "-D", "-I", "-O", "-P", "-e", "-p", "-r",
		}},
		code: []string{"--eval", "--print", "-e", "-p"},
	}
	nodemonInterpreter = interpreter{
		options: &options{long: []pair{{"-r", "--require"}}, values: []string{
			"--config", "--cwd", "--delay", "--exec", "--ext", "--ignore", "--require", "--signal", "--watch", "-d", "-e", "-i", "-r",
			"-s", "-w", "-x",
		}},
		call: []string{"--exec", "-x"},
	}
	phpInterpreter = interpreter{
		options: &options{values: []string{"--define", "--file", "--php-ini", "--run", "-S", "-c", "-d", "-f", "-r", "-t", "-z"}},
		code:    []string{"--run", "-r"}, file: []string{"--file", "-f"},
	}
	plainInterpreter = interpreter{
		options: &options{values: []string{
			"--eval", "--project", "--require", "-C", "-E", "-I", "-J", "-L", "-M", "-e", "-l", "-m", "-r",
		}},
		code: []string{"--eval", "-e"},
	}
)

var nodeOptions = options{long: []pair{{"-C", "--conditions"}, {"-r", "--require"}}, values: []string{
	"--conditions", "--debug-port", "--diagnostic-dir", "--disable-warning", "--dns-result-order", "--env-file",
	"--env-file-if-exists", "--eval", "--experimental-config-file", "--experimental-default-type", "--experimental-loader",
	"--icu-data-dir", "--import", "--input-type", "--inspect-port", "--loader", "--max-http-header-size", "--openssl-config",
	"--print", "--redirect-warnings", "--report-directory", "--report-filename", "--require", "--stack-trace-limit", "--title",
	"--tls-cipher-list", "--tsconfig", "--unhandled-rejections", "-C", "-e", "-p", "-r",
}}

// projectScripts are files whose first argument names what they run.
var projectScripts = []string{
	"artisan", "console", "craft", "drush", "magento", "manage.py", "rails", "spark", "wp-cli.phar", "yii",
}

// script settles "interpreter [options] file [arguments]".
func (r *resolver) script(l *launcher) outcome {
	name, grammar := l.title(), l.interpreter
	args := r.args
	if len(args) > 0 && grammar.watch != "" && args[0].Text == grammar.watch {
		args = args[1:]
	}
	for {
		opt, rest, ok := grammar.options.next(args)
		if !ok {
			break
		}
		args = rest
		r.reads(&opt)
		switch {
		case listed(grammar.code, opt.name):
			r.id.Launcher = name
			r.args = args
			r.parts.addCode(opt.value)
			return r.opaque(opt.word, opt.name+" "+opt.value.Text)
		case listed(grammar.call, opt.name):
			r.id.Launcher = name
			return r.callOnFile(opt.value, grammar.options, args)
		case listed(grammar.file, opt.name):
			r.args = args
			return r.file(opt.value, name)
		case opt.name == "--env-file" || opt.name == "--env-file-if-exists":
			r.addOption(opt.name, opt.value)
		case opt.name == "--cwd":
			r.enter(opt.value)
		case opt.name == "--":
			return r.scriptFile(name, args)
		}
	}
	return r.scriptFile(name, args)
}

// scriptFile settles the file that args begin with.
func (r *resolver) scriptFile(name string, args []Word) outcome {
	if len(args) == 0 {
		return unknown
	}
	w := args[0]
	r.args = args[1:]
	if proxy := slashes(w.Text); strings.HasSuffix(proxy, "/mcp-remote/dist/proxy.js") {
		r.id.Launcher = name
		r.prog = Word{Text: "mcp-remote", Span: w.Span}
		return again
	}
	if n := selectorWords(r.args); n > 0 && listed(projectScripts, BaseName(w.Text)) {
		for _, word := range r.args[:n] {
			r.id.Selector = append(r.id.Selector, word.Text)
		}
		r.args = r.args[n:]
	}
	return r.file(w, name)
}

// callOnFile settles "nodemon --exec 'tsx' file": the command, the file after
// it where one is given.
func (r *resolver) callOnFile(command Word, grammar *options, args []Word) outcome {
	words, ok := shell.NewLine(shell.Posix, command).Simple()
	if !ok {
		return r.opaque(command, command.Text)
	}
	return r.run(append(words, grammar.skip(args)...))
}

// denoOptions are the options of deno 2.9 that take the next word. Permissions
// and most others take "=" only.
var denoOptions = options{
	values: []string{
		"--cert", "--conditions", "--config", "--cwd", "--ext", "--import-map", "--inspect-publish-uid", "--location",
		"--log-level", "--min-dep-age", "--node-modules-linker", "--package", "--preload", "--require", "--seed", "-L", "-c", "-p",
	},
}

// deno settles deno run, deno x, dx, deno task and deno FILE.
func (r *resolver) deno(name string) outcome {
	r.id.Launcher = name
	args := denoOptions.skip(r.args)
	command := name
	if name == "deno" {
		if len(args) == 0 {
			return unknown
		}
		command = args[0].Text
		switch command {
		case "run", "x", "task", "serve", "eval":
			args = args[1:]
		default:
			command = "run" // deno 2 runs a file without a sub-command
		}
	}
	var pkg Word
	for {
		opt, rest, ok := denoOptions.next(args)
		if !ok {
			break
		}
		args = rest
		r.reads(&opt)
		switch opt.name {
		case "-p", "--package":
			pkg = opt.value
		case "--env-file":
			r.addOption(opt.name, opt.value)
		case "--cwd":
			r.enter(opt.value)
		}
	}
	if len(args) == 0 {
		return unknown
	}
	w := args[0]
	r.args = args[1:]
	switch {
	case command == "task":
		return r.directory(w, r.dir, w.Text)
	case command == "eval":
		r.parts.addCode(w)
		return r.opaque(w, w.Text)
	case pkg.Text != "":
		return r.denoSpecifier(pkg, w.Text)
	case strings.HasPrefix(w.Text, "npm:"), strings.HasPrefix(w.Text, "jsr:"):
		return r.denoSpecifier(w, "")
	case command == "x" || command == "dx":
		return r.denoSpecifier(w, "")
	}
	r.fetchedFrom(w)
	return r.file(w, name)
}

// denoSpecifier settles npm:@s/p@1/bin, jsr:@s/p@1/export or a bare npm name.
func (r *resolver) denoSpecifier(w Word, program string) outcome {
	kind := NPM
	rest := w.Text
	if s, ok := strings.CutPrefix(rest, "jsr:"); ok {
		kind, rest = JSR, s
	} else {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "npm:"), "/")
	}
	from := len(w.Text) - len(rest)
	// A third segment (a second one without scope) is a program or an export.
	segments := 1
	if strings.HasPrefix(rest, "@") {
		segments = 2
	}
	end := 0
	for end < len(rest) {
		if rest[end] == '/' {
			if segments--; segments == 0 {
				break
			}
		}
		end++
	}
	if end < len(rest) && program == "" {
		program = rest[end+1:]
	}
	spec := w.Part(from, from+end)
	if kind == NPM {
		return r.npm(spec, program, r.args)
	}
	p, ok := npmSpec(spec)
	if !ok || p.kind != NPM {
		return r.opaque(w, w.Text)
	}
	p.kind, p.word = JSR, w
	return r.settlePackage(p, program, r.args)
}
