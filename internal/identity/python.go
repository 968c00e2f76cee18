package identity

import "strings"

// uvOptions are the options of uv that take a value (uv's CLI reference, run
// and tool run, older spellings included).
var uvOptions = options{
	clusters: true,
	values: `--from -w --with --with-editable --with-requirements -c --constraints --constraint --overrides --override -b
--build-constraints --build-constraint --excludes -p --python --index --default-index -i --index-url --extra-index-url -f
--find-links --index-strategy --keyring-provider --env-file --directory --project --cache-dir --config-file --exclude-newer
--exclude-newer-package --prerelease --resolution --fork-strategy --refresh-package -P --upgrade-package --reinstall-package
--link-mode --python-platform --torch-backend --color --allow-insecure-host --trusted-host -C --config-setting
--config-settings --config-settings-package --no-build-isolation-package --no-build-package --no-binary-package
--no-sources-package --package --extra --no-extra --group --no-group --only-group --upgrade-group -m --module -s --script
--python-fetch --python-preference --preview-features --max-recursion-depth --env --lfs`,
}

// uvConfig are the options of uv that change what is installed or seen by the
// server.
const uvConfig = `--with --with-editable --with-requirements --constraints --overrides --index --default-index --index-url
--extra-index-url --find-links --env-file --package --extra --group`

// uvLong spells out the short options of uv that matter.
const uvLong = "-w=--with -c=--constraints -i=--index-url -f=--find-links -m=--module -p=--python -s=--script"

// longOption returns the long spelling of an option.
func longOption(table, name string) string {
	if long, ok := pairOf(table, name); ok {
		return long
	}
	return name
}

// fetchPyPI reads "[options] package [arguments]" of uvx.
func (r *resolver) fetchPyPI(launcher string, args []Word) outcome {
	r.id.Launcher = launcher
	var from Word
	for {
		opt, rest, ok := uvOptions.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		switch name := longOption(uvLong, opt.name); {
		case name == "--from":
			from = opt.value
		case name == "--directory":
			r.enter(opt.value)
		case listed(uvConfig, name):
			r.addOption(name, opt.value)
		}
	}
	return r.startPyPI(from, args)
}

// startPyPI starts a program of a package: of from, or of the package that has
// its name.
func (r *resolver) startPyPI(from Word, args []Word) outcome {
	switch {
	case from.Text == "" && len(args) == 0:
		return unknown
	case from.Text == "":
		return r.pypi(args[0], "", args[1:])
	case len(args) == 0:
		return r.pypi(from, "", nil)
	}
	return r.pypi(from, args[0].Text, args[1:])
}

// pypiTools are packages that run another program, as npmTools.
const pypiTools = `mcp-proxy=mcp-proxy fastmcp-remote=fastmcp-remote fastmcp=fastmcp mcp=mcp uv=uv pipx=pipx python-dotenv=dotenv poetry=poetry`

// pypi settles the requirement w, of which program is started with args.
func (r *resolver) pypi(w Word, program string, args []Word) outcome {
	p, ok := pypiSpec(w)
	switch {
	case isPlaceholderName(w.Text):
		return r.none(w)
	case !ok && strings.Contains(w.Text, "://"):
		r.args = args
		return r.opaque(w, w.Text)
	case !ok && (w.Text == "." || strings.ContainsAny(w.Text, `/\`)):
		r.args = args
		return r.directory(w, r.path(w.Text), program)
	case !ok:
		r.args = args
		return r.opaque(w, w.Text)
	}
	if normalizePyPI(program) == p.bin {
		program = ""
	}
	return r.start(p, pypiTools, program, args)
}

// pypiSpec reads a requirement (PEP 508, and uv's pkg@version): a name with
// extras and version, or a git repository.
func pypiSpec(w Word) (packageSpec, bool) {
	text := w.Text
	if at := strings.IndexByte(text, '@'); at > 0 && strings.HasPrefix(strings.TrimLeft(text[at+1:], " "), "git+") {
		return pypiGit(tail(w, strings.Index(text, "git+"))), true // name @ git+https://…
	}
	if strings.HasPrefix(text, "git+") {
		return pypiGit(w), true
	}
	end := 0
	for end < len(text) && (isAlphanumeric(text[end]) || text[end] == '-' || text[end] == '_' || text[end] == '.') {
		end++
	}
	if end == 0 || !isAlphanumeric(text[0]) || !isAlphanumeric(text[end-1]) {
		return packageSpec{}, false
	}
	name := normalizePyPI(text[:end])
	p := packageSpec{kind: PyPI, name: name, word: w, bin: name}
	rest := tail(w, end)
	if strings.HasPrefix(rest.Text, "[") {
		shut := strings.IndexByte(rest.Text, ']')
		if shut < 0 {
			return packageSpec{}, false
		}
		p.extra = rest.Text[:shut+1]
		rest = tail(rest, shut+1)
	}
	if marker := strings.IndexByte(rest.Text, ';'); marker >= 0 {
		rest = sub(rest, 0, marker)
	}
	trimmed := strings.TrimRight(rest.Text, " ")
	rest = sub(rest, 0, len(trimmed))
	switch {
	case strings.HasPrefix(rest.Text, "@"):
		p.version = pythonAtVersion(tail(rest, 1))
		return p, !strings.ContainsAny(rest.Text, "/:$")
	case strings.HasPrefix(rest.Text, "("):
		p.version = pythonVersion(sub(rest, 1, max(1, len(rest.Text)-1)))
	case rest.Text != "" && strings.IndexByte("=<>!~ ", rest.Text[0]) < 0:
		return packageSpec{}, false
	default:
		p.version = pythonVersion(rest)
	}
	return p, true
}

// pypiGit reads git+https://host/o/r[@ref][#subdirectory=x&egg=y].
func pypiGit(w Word) packageSpec {
	text := w.Text
	subdirectory := ""
	if hash := strings.IndexByte(text, '#'); hash >= 0 {
		for _, part := range strings.Split(text[hash+1:], "&") {
			if strings.HasPrefix(part, "subdirectory=") {
				subdirectory = part
			}
		}
		text = text[:hash]
	}
	var ref Word
	repository := text
	// The "@" of a reference stands behind the host's path, that of a user
	// before it.
	if at := strings.LastIndexByte(text, '@'); at > 0 && strings.Contains(text[:at], "://") && strings.Count(text[:at], "/") >= 4 {
		repository, ref = text[:at], sub(w, at+1, len(text))
	}
	p := gitSpec(w, gitRepository(repository), ref)
	p.bin = normalizePyPI(p.bin)
	p.selector = subdirectory
	return p
}

// normalizePyPI normalises a project name: lower-case, runs of "-", "_" and
// "." are one "-" (PEP 503).
func normalizePyPI(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || isDigit(c) || c == '-' && i > 0 && name[i-1] != '-') {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	name = masked(name)
	b := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == '-' || c == '_' || c == '.' {
			if len(b) > 0 && b[len(b)-1] == '-' {
				continue
			}
			c = '-'
		} else if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

// uv settles uv tool run, uv run and uvx under its other name.
func (r *resolver) uv() outcome {
	r.id.Launcher = "uv"
	var o uvRun
	args := r.uvRunOptions(&o, r.args)
	if len(args) == 0 {
		return unknown
	}
	switch {
	case args[0].Text == "run":
		args = r.uvRunOptions(&o, args[1:])
		return r.uvRun(&o, args)
	case args[0].Text == "tool" && len(args) > 1 && (args[1].Text == "run" || args[1].Text == "uvx"):
		return r.fetchPyPI("uvx", args[2:])
	case args[0].Text == "x":
		return r.fetchPyPI("uvx", args[1:])
	}
	return unknown
}

// uvRun is what the options of uv run say.
type uvRun struct {
	module, script bool
	with, target   Word // the first --with; the value of -m or --script
	project        Word
}

// uvRunOptions reads the options before the command.
func (r *resolver) uvRunOptions(o *uvRun, args []Word) []Word {
	for {
		opt, rest, ok := uvOptions.next(args)
		if !ok || opt.name == "--" {
			return rest
		}
		args = rest
		switch name := longOption(uvLong, opt.name); {
		case name == "--directory":
			r.enter(opt.value)
		case name == "--project":
			o.project = opt.value
			r.project = r.path(opt.value.Text)
		case name == "--no-project":
			r.noProject = true
		case name == "--module":
			o.module, o.target = true, opt.value
			return args // everything behind it belongs to the module
		case name == "--script":
			o.script, o.target = true, opt.value
			return args
		case name == "--with":
			if o.with.Text == "" {
				o.with = opt.value
			}
			r.addOption(name, opt.value)
		case listed(uvConfig, name):
			r.addOption(name, opt.value)
		}
	}
}

// uvRun settles what uv run runs: a module, a file, a program of --with, or a
// script of the project.
func (r *resolver) uvRun(o *uvRun, args []Word) outcome {
	switch {
	case o.module:
		r.args = args
		r.enter(o.project)
		return r.module("uv", o.target)
	case o.script:
		r.args = args
		return r.file(o.target, "uv")
	case len(args) == 0:
		return unknown
	}
	w := args[0]
	r.args = args[1:]
	name := programName(w.Text)
	switch {
	case isPythonFile(w.Text) || isHTTP(w.Text):
		return r.file(w, "uv")
	case name == "python" || name == "fastmcp" || name == "mcp" || name == "mcp-proxy" || name == "uvicorn":
		// The interpreter runs in the working directory; its modules come from
		// the project.
		if len(r.args) > 0 && r.args[0].Text == "-m" {
			r.enter(o.project)
		}
		r.prog = w
		before := *r
		if outcome := r.step(name); outcome != unknown {
			return outcome
		}
		*r = before
	case o.with.Text != "":
		if p, ok := pypiSpec(o.with); ok && (normalizePyPI(w.Text) == p.name || p.kind == Git && normalizePyPI(w.Text) == p.bin) {
			r.extra = removeOption(r.extra, "--with="+o.with.Text)
			return r.start(p, pypiTools, "", r.args)
		}
	}
	if isPlaceholderName(w.Text) {
		return r.none(w)
	}
	if strings.ContainsAny(w.Text, `/\`) {
		return r.file(w, "uv")
	}
	if isPeelable(name) {
		r.prog = w
		return again
	}
	r.enter(o.project)
	return r.directory(w, r.dir, w.Text)
}

// isPeelable reports whether a program of a project is rather a launcher.
func isPeelable(name string) bool { return listed("npx uvx node bunx deno docker uv", name) }

// removeOption drops one entry.
func removeOption(list []string, entry string) []string {
	for i, s := range list {
		if s == entry {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

// isPythonFile reports whether a word is a Python file.
func isPythonFile(text string) bool {
	return strings.HasSuffix(text, ".py") || strings.HasSuffix(text, ".pyw") || strings.HasSuffix(text, ".pyz")
}

// pythonOptions are those of python 3.11.
var pythonOptions = options{clusters: true, values: "-c -m -W -X --check-hash-based-pycs"}

// pythonTools are modules that are programs of another name.
const pythonTools = `mcp_proxy=mcp-proxy fastmcp=fastmcp fastmcp.cli=fastmcp mcp=mcp uv=uv pipx=pipx dotenv=dotenv poetry=poetry`

// python settles python file and python -m module.
func (r *resolver) python() outcome {
	args := r.args
	for {
		opt, rest, ok := pythonOptions.next(args)
		if !ok {
			break
		}
		args = rest
		switch opt.name {
		case "-m":
			r.args = args
			return r.module("python", opt.value)
		case "-c":
			r.id.Launcher = "python"
			r.args = args
			return r.opaque(opt.word, "python -c "+opt.value.Text)
		}
		if opt.name == "--" {
			break
		}
	}
	return r.scriptFile("python", args)
}

// module settles "python -m module" of either launcher: the module as written, found through the
// working directory or installed. It is only related to a package of its name:
// nothing says that the package is where the module comes from.
func (r *resolver) module(launcher string, w Word) outcome {
	if w.Text == "" {
		return unknown
	}
	if tool, ok := pairOf(pythonTools, w.Text); ok {
		before := *r
		r.prog = Word{Text: tool, Span: w.Span}
		r.source = PyPI
		if o := r.step(tool); o != unknown {
			return o
		}
		*r = before
	}
	r.id.Launcher = launcher
	if isPlaceholderName(w.Text) {
		return r.none(w)
	}
	if hasVariable(w.Text) {
		return r.opaque(w, "-m "+w.Text)
	}
	return r.exec(w, w.Text)
}

// pipxOptions are those of pipx run that take a value.
var pipxOptions = options{values: "--spec --python -i --index-url --pip-args --path --fetch-missing-python --backend"}

// pipx settles pipx run.
func (r *resolver) pipx() outcome {
	if len(r.args) == 0 || r.args[0].Text != "run" {
		return unknown
	}
	r.id.Launcher = "pipx"
	args := r.args[1:]
	var spec Word
	for {
		opt, rest, ok := pipxOptions.next(args)
		if !ok {
			break
		}
		args = rest
		switch opt.name {
		case "--spec":
			spec = opt.value
		case "--path":
			r.args = args
			return r.file(opt.value, "pipx")
		case "-i", "--index-url", "--pip-args":
			r.addOption(longOption("-i=--index-url", opt.name), opt.value)
		}
		if opt.name == "--" {
			break
		}
	}
	if spec.Text == "" && len(args) > 0 && isPythonFile(args[0].Text) {
		r.args = args[1:]
		return r.file(args[0], "pipx")
	}
	return r.startPyPI(spec, args)
}

// pythonProject settles "poetry run X" and its like: X runs in the project.
func (r *resolver) pythonProject(name string) outcome {
	grammar := options{values: "-C --directory -P --project -p -e --environment --manifest-path"}
	args := r.args
	for {
		opt, rest, ok := grammar.next(args)
		if !ok {
			break
		}
		args = rest
		if listed("-C --directory -P --project -p", opt.name) {
			r.enter(opt.value)
		}
	}
	if len(args) < 2 || args[0].Text != "run" {
		return unknown
	}
	r.id.Launcher = name
	args = grammar.skip(args[1:])
	if len(args) == 0 {
		return unknown
	}
	w := args[0]
	r.args = args[1:]
	if isPythonFile(w.Text) {
		return r.file(w, name)
	}
	if known := programName(w.Text); known == "python" || known == "fastmcp" || isPeelable(known) {
		r.prog = w
		return again
	}
	return r.directory(w, r.dir, w.Text)
}
