package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/shell"
)

// npxOptions are the options of npx, npm exec and npm x that take a value: those of npm 11.19
// (@npmcli/config's definitions and shorthands) and what npx adds. Any other option takes no value,
// even one that npm does not know: the first word after it is the package.
var npxOptions = options{
	npm:  true,
	long: []pair{{"-C", "--prefix"}, {"-w", "--workspace"}},
	values: []string{
		"--C", "--L", "--_auth", "--access", "--allow-directory", "--allow-file", "--allow-git", "--allow-remote",
		"--allow-scripts", "--also", "--audit-level", "--auth-type", "--before", "--c", "--ca", "--cache", "--cache-max",
		"--cache-min", "--cafile", "--call", "--cert", "--cidr", "--cpu", "--depth", "--diff", "--diff-dst-prefix",
		"--diff-src-prefix", "--diff-unified", "--editor", "--enjoy-by", "--expect-result-count", "--expires",
		"--fetch-retries", "--fetch-retry-factor", "--fetch-retry-maxtimeout", "--fetch-retry-mintimeout", "--fetch-timeout",
		"--git", "--globalconfig", "--heading", "--https-proxy", "--include", "--init-author-email", "--init-author-name",
		"--init-author-url", "--init-license", "--init-module", "--init-type", "--init-version", "--init.author.email",
		"--init.author.name", "--init.author.url", "--init.license", "--init.module", "--init.version", "--install-strategy",
		"--key", "--libc", "--local-address", "--location", "--lockfile-version", "--loglevel", "--logs-dir", "--logs-max",
		"--m", "--maxsockets", "--message", "--min-release-age", "--min-release-age-exclude", "--name", "--node-arg",
		"--node-gyp", "--node-options", "--noproxy", "--npm", "--omit", "--only", "--orgs", "--orgs-permission", "--os",
		"--otp", "--pack-destination", "--package", "--packages", "--packages-and-scopes-permission", "--password", "--prefix",
		"--preid", "--provenance-file", "--proxy", "--reg", "--registry", "--replace-registry-host", "--save-prefix",
		"--sbom-format", "--sbom-type", "--scope", "--scopes", "--script-shell", "--searchexclude", "--searchlimit",
		"--searchopts", "--searchstaleness", "--shell", "--tag", "--tag-version-prefix", "--token-description", "--umask",
		"--user-agent", "--userconfig", "--viewer", "--w", "--which", "--workspace", "-C", "-L", "-c", "-m", "-n", "-p", "-w",
	},
}

// bunxOptions are those of bun 1.4.
var bunxOptions = options{
	values: []string{
		"--ca", "--cafile", "--cwd", "--env-file", "--minimum-release-age", "--package", "--registry", "-p",
	},
}

// dlxOptions are those of pnpm 12.21 dlx and of yarn 4.18 dlx, which has only
// -p and -q.
var dlxOptions = options{
	values: []string{
		"--allow-build", "--changed-files-ignore-pattern", "--cpu", "--dir", "--env-file", "--filter", "--filter-prod",
		"--http-proxy", "--https-proxy", "--libc", "--loglevel", "--no-proxy", "--npmrc-auth-file", "--os", "--package",
		"--registry", "--reporter", "--state-dir", "--store-dir", "--test-pattern", "--userconfig", "--workspace-concurrency",
		"--workspace-packages", "-C", "-F", "-p",
	},
}

// npx settles npx and its like.
func (r *resolver) npx(l *launcher) outcome {
	r.id.Launcher = l.name
	return r.npmPackage(l.options, r.args, Word{})
}

// npmPackage reads "[options] package [arguments]". pkg is the value of --package before the
// sub-command, if any.
func (r *resolver) npmPackage(grammar *options, args []Word, pkg Word) outcome {
	var call Word
	for {
		opt, rest, ok := grammar.next(args)
		if !ok {
			break
		}
		args = rest
		r.reads(&opt)
		switch opt.name {
		case "--":
			return r.startNPM(pkg, call, args)
		case "-p", "--package":
			if pkg.Text == "" {
				pkg = opt.value
				break
			}
			r.addOption("--package", opt.value)
			r.install(opt.value, npmSpec)
		case "-c", "--call":
			call = opt.value // for pnpm a switch: then nothing follows it
		case "--no-install", "--no":
			r.id.Installed = true
		case "--registry":
			r.addOption(opt.name, opt.value)
		case "--cwd", "--dir":
			r.enter(opt.value)
		case "-C":
			r.enter(opt.value)
		case "--prefix": // which is not where the program runs, and has packages of its own
			r.project = r.path(opt.value.Text)
			r.code = append(r.code, opt.pair())
		}
	}
	return r.startNPM(pkg, call, args)
}

// startNPM starts a package: the first word of args, or a program of pkg.
func (r *resolver) startNPM(pkg, call Word, args []Word) outcome {
	if call.Text != "" {
		line := shell.NewLine(shell.Posix, call)
		r.parts.addLine(line)
		words, ok := line.Simple()
		if !ok {
			return r.opaque(call, call.Text)
		}
		if pkg.Text == "" {
			return r.run(words)
		}
		args = words
	}
	switch {
	case pkg.Text == "" && len(args) == 0:
		return unknown
	case pkg.Text == "":
		return r.npm(args[0], "", args[1:])
	case len(args) == 0:
		return r.npm(pkg, "", nil)
	case r.isBeside(pkg, npmSpec, args):
		return settled
	}
	return r.npm(pkg, args[0].Text, args[1:])
}

// npm settles the package spec w, whose program is started with args.
func (r *resolver) npm(w Word, program string, args []Word) outcome {
	p, ok := npmSpec(w)
	switch {
	case isPlaceholderName(w.Text):
		return r.none(w)
	case !ok && (strings.HasPrefix(w.Text, ".") || IsAbsolute(w.Text) || strings.HasPrefix(w.Text, "file:") || r.isPathWord(w.Text)):
		w = w.From(len(w.Text) - len(strings.TrimPrefix(w.Text, "file:")))
		r.args = args
		return r.directory(w, r.path(w.Text), program)
	case !ok:
		r.args = args
		r.fetchedFrom(w)
		return r.opaque(w, w.Text)
	}
	return r.start(p, program, args)
}

// fetchedFrom notes what a launcher fetches from an address: npm and uv take one of an
// archive for a package (npm-package-arg's type remote, PEP 508's "name @ address"),
// and uv run takes one of a script.
func (r *resolver) fetchedFrom(w Word) {
	scheme := max(strings.Index(w.Text, "://"), 0)
	if at := strings.LastIndexByte(w.Text[:scheme], '@'); at >= 0 { // a name comes before it
		w = w.From(len(w.Text) - len(strings.TrimLeft(w.Text[at+1:], " ")))
	}
	if IsHTTP(w.Text) {
		r.id.Addresses = append(r.id.Addresses, FetchedFrom{w, r.id.Launcher})
	}
}

// start settles a package, unless it is a tool that runs something else.
func (r *resolver) start(p packageSpec, program string, args []Word) outcome {
	if o := r.startTool(p, args); o != unknown {
		return o
	}
	return r.settlePackage(p, program, args)
}

// startTool reads the arguments of a package that contains a launcher.
func (r *resolver) startTool(p packageSpec, args []Word) outcome {
	l := toolOf(p.kind, p.name)
	if l == nil {
		return unknown
	}
	before := *r
	r.fetched(p)
	if o := r.try(l, Word{Text: l.name, Span: p.word.Span}, dropDashes(args)); o != unknown {
		return o
	}
	*r = before
	return unknown
}

// fetched notes a package that runs something else.
func (r *resolver) fetched(p packageSpec) {
	r.source, r.sourceVersion = p.kind, p.version
	r.id.Fetched = append(r.id.Fetched, Fetched{Kind: p.kind, Name: p.name, Span: p.word.Span, Version: p.version, Launcher: r.id.Launcher})
}

// npmSpec reads an npm package spec (npm-package-arg): name@version, an alias,
// a git or hosted repository.
func npmSpec(w Word) (packageSpec, bool) {
	text := w.Text
	if at := strings.Index(text, "@npm:"); at > 0 {
		return npmSpec(w.From(at + len("@npm:")))
	}
	if rest, ok := strings.CutPrefix(text, "npm:"); ok {
		return npmSpec(w.From(len(text) - len(rest)))
	}
	if service, rest, ok := strings.Cut(text, ":"); ok && (service == "gist" || strings.Contains(rest, "/")) {
		if repository, _, _ := strings.Cut(rest, "#"); hostedRepository(service, repository) != "" {
			return gitSpec(w, hostedRepository(service, repository), afterHash(w)), true
		}
	}
	if isGitURL(text) {
		repository, _, _ := strings.Cut(text, "#")
		return gitSpec(w, gitRepository(repository), afterHash(w)), true
	}
	if spec, ok := namedSpec(w); ok {
		return npmSpec(spec)
	}
	name, version := text, Word{}
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		name, version = text[:at], w.From(at+1)
	}
	if IsHTTP(version.Text) {
		return packageSpec{}, false // an archive under the name of any package
	}
	if !isNPMName(name) {
		repository, _, _ := strings.Cut(text, "#")
		if isOwnerAndName(repository) {
			return gitSpec(w, hostedRepository("github", repository), afterHash(w)), true
		}
		return packageSpec{}, false
	}
	p := packageSpec{kind: NPM, name: name, word: w, version: VersionOf(NPM, version), bin: name[strings.LastIndexByte(name, '/')+1:]}
	return p, true
}

// namedSpec returns the spec that follows the name of a package instead of a version:
// "pkg@github:owner/name" installs the spec, regardless of the name. ok is false for a version, a
// range or a tag, and for an address.
func namedSpec(w Word) (spec Word, ok bool) {
	at := 1 + strings.IndexByte(w.Text[min(1, len(w.Text)):], '@')
	if at < 1 || !strings.ContainsAny(w.Text[at:], ":/") || !isNPMName(w.Text[:at]) {
		return Word{}, false
	}
	spec = w.From(at + 1)
	return spec, !IsHTTP(spec.Text) || isGitURL(spec.Text)
}

// afterHash returns what follows "#".
func afterHash(w Word) Word {
	if at := strings.IndexByte(w.Text, '#'); at >= 0 {
		return w.From(at + 1)
	}
	return Word{}
}

// isGitURL reports whether text is a git URL rather than a tarball's.
func isGitURL(text string) bool {
	if strings.HasPrefix(text, "git+") || strings.HasPrefix(text, "git://") || strings.HasPrefix(text, "git@") || strings.HasPrefix(text, "ssh://git@") {
		return true
	}
	repository, _, _ := strings.Cut(text, "#")
	return IsHTTP(text) && (strings.HasSuffix(repository, ".git") ||
		strings.HasPrefix(text, "https://github.com/") && strings.Count(strings.TrimRight(repository, "/"), "/") == 4)
}

// isNPMName reports whether name is a package name: "pkg" or "@scope/pkg".
func isNPMName(name string) bool {
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		scope, pkg, ok := strings.Cut(rest, "/")
		return ok && isNPMWord(scope) && isNPMWord(pkg)
	}
	return isNPMWord(name)
}

func isNPMWord(text string) bool {
	return text != "" && text[0] != '.' && text[0] != '-' &&
		ascii.All(text, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '_' || c == '.' })
}

// isOwnerAndName reports whether text is npm's short form of a GitHub
// repository: "owner/name".
func isOwnerAndName(text string) bool {
	owner, name, ok := strings.Cut(text, "/")
	return ok && isNPMWord(owner) && isNPMWord(name)
}

// nodeModule settles a file within node_modules: path is what follows that
// directory.
func (r *resolver) nodeModule(w Word, path string) outcome {
	if name, ok := strings.CutPrefix(path, ".bin/"); ok {
		return r.exec(w, strings.TrimSuffix(name, ".cmd"))
	}
	name, rest, _ := strings.Cut(path, "/")
	if strings.HasPrefix(name, "@") {
		var pkg string
		pkg, rest, _ = strings.Cut(rest, "/")
		name += "/" + pkg
	}
	if !isNPMName(name) || rest == "" {
		return unknown
	}
	p := packageSpec{kind: NPM, name: name, word: w, bin: name[strings.LastIndexByte(name, '/')+1:]}
	r.id.Installed = true
	return r.start(p, "", r.args)
}

// manager is how a package manager's command line is read.
type manager struct {
	options *options
	// fetching are the options of the sub-command that fetches a package, written after it.
	fetching *options
	// fetch are sub-commands that fetch a package, exec those that run an
	// installed program, run those that run a script, own those that are the
	// script's name themselves.
	fetch, exec, run, own []string
	// code are options whose value is what runs.
	code []string
	// implicit reports that an unknown sub-command is a script or program; files that a script may
	// be a file; anywhere that its options may also follow the script's name.
	implicit, files, anywhere bool
}

// The managers are npm 11, pnpm 12, yarn 4 and bun 1.4.
var (
	npmManager = manager{
		options: &npxOptions, fetching: &npxOptions, anywhere: true,
		fetch: []string{"exec", "x"}, run: []string{"rum", "run", "run-script", "urn"}, own: []string{"restart", "start", "test"},
	}
	pnpmManager = manager{
		options: &dlxOptions, fetching: &dlxOptions, implicit: true,
		fetch: []string{"dlx"}, exec: []string{"exec"}, run: []string{"run", "run-script"}, own: []string{"start", "test"},
	}
	yarnManager = manager{
		options: &options{values: []string{"--cwd", "--package", "-p"}}, fetching: &dlxOptions, implicit: true,
		fetch: []string{"dlx"}, exec: []string{"exec", "node"}, run: []string{"run"}, own: []string{"start", "test"},
	}
	bunManager = manager{
		options: &options{long: []pair{{"-r", "--preload"}}, values: []string{
			"--conditions", "--config", "--cwd", "--define", "--dns-result-order", "--drop", "--elide-lines", "--env-file",
			"--eval", "--extension-order", "--filter", "--import", "--inspect-brk", "--install", "--jsx-factory", "--jsx-fragment",
			"--jsx-import-source", "--jsx-runtime", "--loader", "--main-fields", "--origin", "--port", "--preload", "--print",
			"--require", "--shell", "--title", "--tsconfig-override", "-F", "-c", "-d", "-e", "-l", "-p", "-r", "-u",
		}},
		fetching: &bunxOptions, implicit: true, files: true,
		fetch: []string{"x"}, run: []string{"run"}, own: []string{"start", "test"},
		code: []string{"--eval", "--print", "-e", "-p"},
	}
)

// packageManager reads npm, pnpm, yarn and bun beyond their fetching commands.
func (r *resolver) packageManager(l *launcher) outcome {
	m := l.manager
	r.id.Launcher = l.name
	if o := r.managerCode(m); o != unknown {
		return o
	}
	var pkg, workspace Word
	args := r.managerOptions(m, r.args, &pkg, &workspace)
	if len(args) == 0 {
		return unknown
	}
	command := args[0]
	args = args[1:]
	if l.name == "yarn" && command.Text == "workspace" && len(args) > 1 {
		workspace, command, args = args[0], args[1], args[2:]
	}
	switch {
	case listed(m.fetch, command.Text):
		return r.npmPackage(m.fetching, args, pkg)
	case listed(m.exec, command.Text):
		if command.Text == "node" {
			return r.run(append([]Word{command}, args...))
		}
		return r.run(r.managerOptions(m, args, &pkg, &workspace))
	case listed(m.run, command.Text):
		args = r.managerOptions(m, args, &pkg, &workspace)
		if len(args) == 0 {
			return unknown
		}
		command, args = args[0], args[1:]
	case !listed(m.own, command.Text) && !m.implicit:
		return unknown
	}
	if m.anywhere {
		args = r.managerOptions(m, args, &pkg, &workspace)
	}
	r.args = dropDashes(args)
	if m.files && isScriptFile(command.Text) || r.isPathWord(command.Text) {
		return r.file(command, l.name)
	}
	if tool := launcherOf(command.Text); tool.isNodeTool() {
		if o := r.try(tool, command, r.args); o != unknown {
			return o
		}
	}
	if isPlaceholderName(command.Text) {
		return r.none(command)
	}
	return r.directory(command, r.dir, workspace.Text, command.Text)
}

// managerCode settles "bun -e code".
func (r *resolver) managerCode(m *manager) outcome {
	for args := r.args; len(m.code) > 0; {
		opt, rest, ok := m.options.next(args)
		switch {
		case !ok || opt.name == "--":
			return unknown
		case listed(m.code, opt.name):
			r.args = rest
			r.parts.addCode(opt.value)
			return r.opaque(opt.word, opt.name+" "+opt.value.Text)
		}
		args = rest
	}
	return unknown
}

// managerOptions reads options before or after a sub-command.
func (r *resolver) managerOptions(m *manager, args []Word, pkg, workspace *Word) []Word {
	for {
		opt, rest, ok := m.options.next(args)
		if !ok || opt.name == "--" {
			return args
		}
		args = rest
		r.reads(&opt)
		switch opt.name {
		case "-C", "--dir", "--cwd", "--prefix":
			r.enter(opt.value)
		case "-F", "--filter", "-w", "--workspace":
			*workspace = opt.value
		case "--package":
			*pkg = opt.value
		case "--env-file":
			r.addOption(opt.name, opt.value)
		}
	}
}

// enter makes dir the working directory of what follows.
func (r *resolver) enter(dir Word) {
	if dir.Text != "" {
		r.dir = r.path(dir.Text)
	}
}
