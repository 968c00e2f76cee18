package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// uvOptions are the options of uv that take a value (uv's CLI reference, run
// and tool run, older spellings included).
var uvOptions = options{
	clusters: true,
	long:     uvLong,
	values: []string{
		"--allow-insecure-host", "--build-constraint", "--build-constraints", "--cache-dir", "--color", "--config-file",
		"--config-setting", "--config-settings", "--config-settings-package", "--constraint", "--constraints", "--default-index",
		"--directory", "--env", "--env-file", "--exclude-newer", "--exclude-newer-package", "--excludes", "--extra",
		"--extra-index-url", "--find-links", "--fork-strategy", "--from", "--group", "--index", "--index-strategy", "--index-url",
		"--keyring-provider", "--link-mode", "--max-recursion-depth", "--module", "--no-binary-package",
		"--no-build-isolation-package", "--no-build-package", "--no-extra", "--no-group", "--no-sources-package", "--only-group",
		"--override", "--overrides", "--package", "--prerelease", "--preview-features", "--project", "--python", "--python-fetch",
		"--python-platform", "--python-preference", "--refresh-package", "--reinstall-package", "--resolution", "--script",
		"--torch-backend", "--trusted-host", "--upgrade-group", "--upgrade-package", "--with", "--with-editable",
		"--with-requirements", "-C", "-P", "-b", "-c", "-f", "-i", "-m", "-p", "-s", "-w",
	},
}

// uvConfig are the options of uv that change what is installed or seen by the
// server.
var uvConfig = []string{
	"--constraints", "--default-index", "--env-file", "--extra", "--extra-index-url", "--find-links", "--group", "--index",
	"--index-url", "--overrides", "--package", "--with", "--with-editable", "--with-requirements",
}

// uvLong spells out the short options of uv that matter.
var uvLong = []pair{
	{"-c", "--constraints"},
	{"-f", "--find-links"},
	{"-i", "--index-url"},
	{"-m", "--module"},
	{"-p", "--python"},
	{"-s", "--script"},
	{"-w", "--with"},
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
		r.reads(&opt)
		switch name := opt.name; {
		case name == "--from":
			from = opt.value
		case name == "--directory":
			r.enter(opt.value)
		case name == "--with":
			r.with(opt.value)
		case listed(uvConfig, name):
			r.addOption(name, opt.value)
		}
	}
	return r.startPyPI(from, args)
}

// with notes a package that uv fetches along with what it runs.
func (r *resolver) with(w Word) {
	r.addOption("--with", w)
	r.install(w, pypiSpec)
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
	case r.isBeside(from, pypiSpec, args):
		return settled
	}
	return r.pypi(from, args[0].Text, args[1:])
}

// pypi settles the requirement w, whose program is started with args.
func (r *resolver) pypi(w Word, program string, args []Word) outcome {
	p, ok := pypiSpec(w)
	switch {
	case isPlaceholderName(w.Text):
		return r.none(w)
	case !ok && strings.Contains(w.Text, "://"):
		r.args = args
		r.fetchedFrom(w)
		return r.opaque(w, w.Text)
	case !ok && (w.Text == "." || strings.ContainsAny(w.Text, `/\`)):
		r.args = args
		return r.directory(w, r.path(w.Text), program)
	case !ok:
		r.args = args
		return r.opaque(w, w.Text)
	}
	if PyPIName(program) == p.bin {
		program = ""
	}
	return r.start(p, program, args)
}

// pypiSpec reads a requirement (PEP 508, and uv's pkg@version): a name with
// extras and version, or a git repository.
func pypiSpec(w Word) (packageSpec, bool) {
	text := w.Text
	if at := strings.IndexByte(text, '@'); at > 0 && strings.HasPrefix(strings.TrimLeft(text[at+1:], " "), "git+") {
		return pypiGit(w.From(strings.Index(text, "git+"))), true // name @ git+https://…
	}
	if strings.HasPrefix(text, "git+") {
		return pypiGit(w), true
	}
	end := 0
	for end < len(text) && (ascii.IsAlphanumeric(text[end]) || text[end] == '-' || text[end] == '_' || text[end] == '.') {
		end++
	}
	if end == 0 || !ascii.IsAlphanumeric(text[0]) || !ascii.IsAlphanumeric(text[end-1]) {
		return packageSpec{}, false
	}
	name := PyPIName(text[:end])
	p := packageSpec{kind: PyPI, name: name, word: w, bin: name}
	rest := w.From(end)
	if strings.HasPrefix(rest.Text, "[") {
		shut := strings.IndexByte(rest.Text, ']')
		if shut < 0 {
			return packageSpec{}, false
		}
		p.extra = rest.Text[:shut+1]
		rest = rest.From(shut + 1)
	}
	if marker := strings.IndexByte(rest.Text, ';'); marker >= 0 {
		rest = rest.Part(0, marker)
	}
	trimmed := strings.TrimRight(rest.Text, " ")
	rest = rest.Part(0, len(trimmed))
	if at := strings.TrimLeft(trimmed, " "); strings.HasPrefix(at, "@") { // "name @ address"
		rest = rest.From(len(trimmed) - len(at))
	}
	switch {
	case strings.HasPrefix(rest.Text, "@"):
		p.version = pythonAtVersion(rest.From(1))
		return p, !strings.ContainsAny(rest.Text, "/:$")
	case strings.HasPrefix(rest.Text, "("):
		p.version = pythonVersion(rest.Part(1, max(1, len(rest.Text)-1)))
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
	// The "@" of a reference comes after the host's path, that of a user before it.
	if at := strings.LastIndexByte(text, '@'); at > 0 && strings.Contains(text[:at], "://") && strings.Count(text[:at], "/") >= 4 {
		repository, ref = text[:at], w.Part(at+1, len(text))
	}
	p := gitSpec(w, gitRepository(repository), ref)
	p.bin = PyPIName(p.bin)
	p.selector = subdirectory
	return p
}

// PyPIName normalises a project name: lower-case, runs of "-", "_" and
// "." are one "-" (PEP 503).
func PyPIName(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || ascii.IsDigit(c) || c == '-' && i > 0 && name[i-1] != '-') {
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
		r.reads(&opt)
		switch name := opt.name; {
		case name == "--directory":
			r.enter(opt.value)
		case name == "--project":
			o.project = opt.value
			r.project = r.path(opt.value.Text)
		case name == "--no-project":
			r.noProject = true
		case name == "--module":
			o.module, o.target = true, opt.value
			return args // everything after it belongs to the module
		case name == "--script":
			o.script, o.target = true, opt.value
			return args
		case name == "--with":
			if o.with.Text == "" {
				o.with = opt.value
			}
			r.with(opt.value)
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
	if isPythonFile(w.Text) || IsHTTP(w.Text) {
		r.fetchedFrom(w)
		return r.file(w, "uv")
	}
	if l := launcherOf(w.Text); l != nil {
		// The interpreter runs in the working directory; its modules come from
		// the project.
		if len(r.args) > 0 && r.args[0].Text == "-m" {
			r.enter(o.project)
		}
		if outcome := r.try(l, w, r.args); outcome != unknown {
			return outcome
		}
	}
	if o.with.Text != "" {
		if p, ok := pypiSpec(o.with); ok && (PyPIName(w.Text) == p.name || p.kind == Git && PyPIName(w.Text) == p.bin) {
			r.extra = removeOption(r.extra, "--with="+o.with.Text)
			r.id.Fetched = slices.DeleteFunc(r.id.Fetched, func(f Fetched) bool { return f.Span == o.with.Span && f.Name == p.name })
			return r.start(p, "", r.args)
		}
	}
	if isPlaceholderName(w.Text) {
		return r.none(w)
	}
	if strings.ContainsAny(w.Text, `/\`) {
		return r.file(w, "uv")
	}
	r.enter(o.project)
	return r.directory(w, r.dir, w.Text)
}

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
var pythonOptions = options{clusters: true, values: []string{"--check-hash-based-pycs", "-W", "-X", "-c", "-m"}}

// pythonTools are modules that are programs of another name.
var pythonTools = []pair{
	{"dotenv", "dotenv"}, {"fastmcp", "fastmcp"}, {"fastmcp.cli", "fastmcp"}, {"mcp", "mcp"}, {"mcp_proxy", "mcp-proxy"}, {"pipx", "pipx"},
	{"poetry", "poetry"}, {"uv", "uv"},
}

// python settles python file and python -m module.
func (r *resolver) python() outcome {
	args := r.args
	for {
		opt, rest, ok := pythonOptions.next(args)
		if !ok {
			break
		}
		args = rest
		r.reads(&opt)
		switch opt.name {
		case "-m":
			r.args = args
			return r.module("python", opt.value)
		case "-c":
			r.id.Launcher = "python"
			r.args = args
			r.parts.addCode(opt.value)
			return r.opaque(opt.word, "-c "+opt.value.Text)
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
		before := r.source
		r.source = PyPI
		if o := r.try(launcherNamed(tool), Word{Text: tool, Span: w.Span}, r.args); o != unknown {
			return o
		}
		r.source = before
	}
	r.id.Launcher = launcher
	if isPlaceholderName(w.Text) {
		return r.none(w)
	}
	if secret.HasReference(w.Text) {
		return r.opaque(w, "-m "+w.Text)
	}
	return r.exec(w, w.Text)
}

// pipxOptions are those of pipx run that take a value.
var pipxOptions = options{long: []pair{{"-i", "--index-url"}}, values: []string{
	"--backend", "--fetch-missing-python", "--index-url", "--path", "--pip-args", "--python", "--spec", "-i",
}}

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
		r.reads(&opt)
		switch opt.name {
		case "--spec":
			spec = opt.value
		case "--path":
			r.args = args
			return r.file(opt.value, "pipx")
		case "--index-url", "--pip-args":
			r.addOption(opt.name, opt.value)
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

// projectOptions are those of poetry, pdm, pipenv, rye, hatch and pixi that take
// a value.
var projectOptions = options{values: []string{"--directory", "--environment", "--manifest-path", "--project", "-C", "-P", "-e", "-p"}}

// pythonProject settles "poetry run X" and its like: X runs in the project.
func (r *resolver) pythonProject(name string) outcome {
	args := r.args
	for {
		opt, rest, ok := projectOptions.next(args)
		if !ok {
			break
		}
		args = rest
		switch opt.name {
		case "-C", "--directory", "-P", "--project", "-p":
			r.enter(opt.value)
		}
	}
	if len(args) < 2 || args[0].Text != "run" {
		return unknown
	}
	r.id.Launcher = name
	args = projectOptions.skip(args[1:])
	if len(args) == 0 {
		return unknown
	}
	w := args[0]
	r.args = args[1:]
	if isPythonFile(w.Text) {
		return r.file(w, name)
	}
	if l := launcherOf(w.Text); l != nil {
		if o := r.try(l, w, r.args); o != unknown {
			return o
		}
	}
	return r.directory(w, r.dir, w.Text)
}
