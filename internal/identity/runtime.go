package identity

import "strings"

// isScriptFile reports whether a word is a file rather than a script's name.
func isScriptFile(text string) bool {
	if strings.ContainsAny(text, `/\`) {
		return true
	}
	dot := strings.LastIndexByte(text, '.')
	return dot >= 0 && listed("js mjs cjs jsx ts mts cts tsx", text[dot+1:])
}

// scriptOptions are the options of interpreters that run a file, by program:
// node 20, tsx, ts-node, nodemon, php 8, ruby, perl.
func scriptOptions(name string) *options {
	switch name {
	case "php":
		return &phpOptions
	case "ruby", "perl", "lua", "rscript", "julia", "elixir", "osascript":
		return &plainScriptOptions
	case "ts-node", "ts-node-esm":
		return &tsNodeOptions
	case "nodemon":
		return &nodemonOptions
	}
	return &nodeOptions
}

var nodeOptions = options{values: `-r --require --import --loader --experimental-loader --env-file --env-file-if-exists -C --conditions --title
-e --eval -p --print --input-type --stack-trace-limit --inspect-port --debug-port --max-http-header-size --openssl-config
--icu-data-dir --diagnostic-dir --redirect-warnings --tls-cipher-list --unhandled-rejections --disable-warning
--experimental-default-type --tsconfig --experimental-config-file --dns-result-order --report-filename --report-directory`}

var tsNodeOptions = options{values: `-r --require -e --eval -p --print -P --project -C --compiler -O --compilerOptions --cwd --scope-dir -I --ignore -D --ignoreDiagnostics --typeCheck`}

var nodemonOptions = options{values: `-w --watch -x --exec -e --ext -i --ignore -d --delay -s --signal --config --cwd -r --require`}

var phpOptions = options{values: `-d -c -f -r -z -t -S --file --run --define --php-ini`}

var plainScriptOptions = options{values: `-I -r -e -C -E -M -m -l --require --eval --project -J -L`}

// projectScripts are files whose first argument names what they run.
const projectScripts = "artisan console manage.py rails craft spark wp-cli.phar drush yii magento"

// script settles "interpreter [options] file [arguments]".
func (r *resolver) script(name string) outcome {
	if name == "nodejs" {
		name = "node"
	}
	args := r.args
	if name == "tsx" && len(args) > 0 && args[0].Text == "watch" {
		args = args[1:]
	}
	grammar := scriptOptions(name)
	for {
		opt, rest, ok := grammar.next(args)
		if !ok {
			break
		}
		args = rest
		switch {
		case listed("-e --eval -p --print --run", opt.name) && name != "nodemon" || name == "php" && opt.name == "-r":
			r.id.Launcher = name
			r.args = args
			return r.opaque(opt.word, name+" "+opt.name+" "+opt.value.Text)
		case name == "nodemon" && (opt.name == "-x" || opt.name == "--exec"):
			r.id.Launcher = name
			return r.nodemonExec(opt.value, grammar, args)
		case name == "php" && (opt.name == "-f" || opt.name == "--file"):
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
	if n := selectorWords(r.args); n > 0 && listed(projectScripts, baseName(w.Text)) {
		for _, word := range r.args[:n] {
			r.id.Selector = append(r.id.Selector, word.Text)
		}
		r.args = r.args[n:]
	}
	return r.file(w, name)
}

// nodemonExec settles "nodemon --exec 'tsx' file": the command, the file after
// it where one is given.
func (r *resolver) nodemonExec(command Word, grammar *options, args []Word) outcome {
	words, ok := splitLine(command, false)
	if !ok {
		return r.opaque(command, command.Text)
	}
	return r.run(append(words, grammar.skip(args)...))
}

// denoOptions are the options of deno 2.9 that take the next word. Permissions
// and most others take "=" only.
var denoOptions = options{
	values: `-c --config --import-map --node-modules-linker --cert --min-dep-age --inspect-publish-uid --location --seed --preload
--require --conditions --ext -p --package --cwd -L --log-level`,
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
		return r.opaque(w, w.Text)
	case pkg.Text != "":
		return r.denoSpecifier(pkg, w.Text)
	case strings.HasPrefix(w.Text, "npm:"), strings.HasPrefix(w.Text, "jsr:"):
		return r.denoSpecifier(w, "")
	case command == "x" || command == "dx":
		return r.denoSpecifier(w, "")
	}
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
	spec := sub(w, from, from+end)
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
