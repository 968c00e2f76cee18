package identity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// Resolve returns what a launch really runs. It never fails: what it cannot be
// sure of is Opaque, and what is a placeholder is None.
func Resolve(l *Launch, ctx *Context) Identity {
	r := begin(l, ctx)
	r.follow(l)
	r.id.NamesSource = r.namesSource()
	return r.id
}

// begin returns the resolver of a launch.
func begin(l *Launch, ctx *Context) resolver {
	r := resolver{ctx: *ctx, dir: cmp.Or(slashes(ctx.Dir), "."), env: l.Env, headers: l.Headers}
	r.home = r.dir
	if l.Cwd.Text != "" {
		r.dir = r.path(l.Cwd.Text)
	}
	return r
}

// follow takes a launch through to its identity.
func (r *resolver) follow(l *Launch) {
	command := strings.TrimSpace(l.Command.Text)
	switch {
	case l.IsRemote():
		r.id.Transport = l.Transport
		r.url(l.URL)
	case command != "":
		r.id.Transport = "stdio"
		r.prog, r.args = l.Command, l.Args
		r.command()
	default:
		r.none(l.URL)
	}
	r.hideOptionValue(l.Args)
	r.finish()
}

// hideOptionValue masks a name that is the value of an option for credentials:
// options in a wrong place make it look like what runs ("docker run --api-key X
// image").
func (r *resolver) hideOptionValue(args []Word) {
	for i := 1; i < len(args); i++ {
		option := args[i-1].Text
		if args[i].Span != r.id.Span || len(option) < 4 || option[0] != '-' || r.id.Kind == URL || r.id.Kind == None {
			continue
		}
		// One hyphen may begin several options, the last with its own value: -ieAPI_TOKEN.
		name, value := strings.TrimLeft(option, "-"), args[i].Text
		if secret.IsSecret(name, value) || strings.HasPrefix(option, "--") && !secret.MayCopy(name, value) {
			r.extra = append(r.extra, r.id.Name)
			r.id.Kind, r.id.Name = Opaque, option+" ***"
		}
		return
	}
}

// isRemote reports whether a transport is reached through a URL.
func isRemote(transport string) bool {
	return transport == "http" || transport == "sse" || transport == "ws"
}

// resolver takes one launch through its wrappers, launchers and bridges.
type resolver struct {
	ctx Context
	id  Identity
	// prog and args are the current program and its arguments; once the identity is settled, args
	// are those of the server itself.
	prog Word
	args []Word
	// home is the directory of the entry, dir its working directory: relative to the repository
	// root, absolute, or beginning with a variable.
	home, dir string
	// project is where an option has a launcher look for its project instead of dir,
	// in the same form; noProject reports that it must not look for any.
	project   string
	noProject bool
	// env and headers are what was collected so far; ownEnv and ownHeaders
	// report that the slices no longer belong to the launch.
	env, headers       []Pair
	ownEnv, ownHeaders bool
	// extra are options of wrappers and launchers that decide what the server
	// does, in canonical form; their order means nothing.
	extra []string
	// code are options that decide which code is run.
	code []Pair
	// reach are the options of a container that decide what it gets at.
	reach []Pair
	// used are variables that served for something else: a bridge's header. Names
	// may be in it more than once.
	used []string
	// envAt is the place of the last variable of each name, built on first use; indexed is how many
	// of them it covers. A trial read may have left others.
	envAt   map[string]int
	indexed int
	// source and sourceVersion say where the program comes from when a
	// launcher fetches it.
	source        Kind
	sourceVersion Version
	// bridgeOptions becomes Bridge.Options.
	bridgeOptions bool
	// depth counts the launchers and containers that were entered on trial.
	depth int
	// parts collects the parts found on the way; nil if they are not needed.
	parts *Parts
}

// outcome is what a step made of a program.
type outcome uint8

const (
	unknown outcome = iota // not a program this step knows, or not used in a known way
	again                  // peeled: prog and args hold the next program
	settled                // the identity is found
)

// maxSteps is how many wrappers and launchers may be around a server. More than four have never
// been seen; a hostile entry must come to an end.
const maxSteps = 24

// maxDepth is how many of them may be read on trial, one within the other: each trial that fails is
// followed by another reading.
const maxDepth = 8

// command finds the identity of prog and args.
func (r *resolver) command() {
	for range maxSteps {
		if r.splitProgram() == settled {
			return
		}
		l := launcherOf(r.prog.Text)
		if l == nil {
			r.program()
			return
		}
		switch r.step(l) {
		case settled:
			return
		case unknown:
			r.program()
			return
		}
	}
	r.opaque(r.prog, r.prog.Text)
}

// program settles the identity of a program that no step knows: a file, a
// program of an npm package, or a name found on PATH.
func (r *resolver) program() {
	text := r.prog.Text
	switch {
	case isPlaceholderName(text):
		r.none(r.prog)
	case text[0] == '-' || strings.Contains(text, "$(") || strings.Contains(text, "`"):
		r.opaque(r.prog, text)
	case IsHTTP(text):
		r.id.Transport = ""
		r.url(r.prog)
	case strings.ContainsAny(text, `/\`):
		r.file(r.prog, "")
	default:
		if _, ok := secret.NextReference(text, 0); ok {
			r.opaque(r.prog, text)
			return
		}
		r.exec(r.prog, text)
	}
}

// settle records what was found; args are the server's own from here on.
func (r *resolver) settle(kind Kind, name string, w Word) outcome {
	r.id.Kind, r.id.Name, r.id.Span = kind, name, w.Span
	return settled
}

// none settles a placeholder.
func (r *resolver) none(w Word) outcome { return r.settle(None, "", w) }

// exec settles a program found on PATH.
func (r *resolver) exec(w Word, name string) outcome { return r.settle(Exec, name, w) }

// opaque settles text whose meaning is not certain. A credential in it is masked
// in the name, which is shown, and kept among the arguments, which are not.
func (r *resolver) opaque(w Word, text string) outcome {
	name := r.canonical(text)
	if masked := secret.Mask(name); masked != name {
		r.extra = append(r.extra, name)
		name = masked
	}
	if r.id.Launcher != "" && r.id.Transport == "stdio" {
		name = r.id.Launcher + " " + name
	}
	return r.settle(Opaque, name, w)
}

// file settles a script or program given by its path. In node_modules that is
// an npm package.
func (r *resolver) file(w Word, launcher string) outcome {
	if launcher != "" {
		r.id.Launcher = launcher
	}
	text := w.Text
	if IsHTTP(text) || text == "-" || strings.Contains(text, "$(") || strings.Contains(text, "`") {
		return r.opaque(w, text)
	}
	name := r.path(text)
	if at := strings.LastIndex(name, "node_modules/"); at >= 0 && (at == 0 || name[at-1] == '/') {
		if o := r.nodeModule(w, name[at+len("node_modules/"):]); o != unknown {
			return o
		}
	}
	if IsPlaceholderPath(name) { // the working directory is part of it
		return r.none(w)
	}
	if secret.HasReference(name) {
		return r.opaque(w, name)
	}
	return r.settle(FileKind, name, w)
}

// directory settles a script of a package, project or build file: what runs is
// decided in the directory, by the script's name.
func (r *resolver) directory(w Word, dir string, selector ...string) outcome {
	if secret.HasReference(dir) {
		return r.opaque(w, dir+" "+strings.Join(selector, " "))
	}
	if IsPlaceholderPath(dir) {
		return r.none(w)
	}
	r.id.Selector = slices.DeleteFunc(selector, func(s string) bool { return s == "" })
	return r.settle(FileKind, dir, w)
}

// finish turns what was collected into the configuration.
func (r *resolver) finish() {
	id := &r.id
	if id.Kind == None {
		id.Version, id.Selector, id.Name = Version{}, nil, ""
		return
	}
	if id.Bridge != nil {
		id.Bridge.Options = r.bridgeOptions
	}
	if r.otherDir() != "" && (id.Kind == Exec || id.Kind == Opaque) {
		id.Selector = append(id.Selector, r.dir)
	}
	if len(id.Selector) == 0 {
		id.Selector = nil
	}
}

// config returns the rest of the launch once the identity is found.
func (r *resolver) config(l *Launch) Config {
	if r.id.Kind == None {
		return Config{}
	}
	c := Config{EnvFile: r.envFile(l)}
	c.Headers, _ = r.settings(r.headers, true)
	c.Env, c.PassedOn = r.settings(r.unused(r.env), false)
	for _, name := range l.PassEnv {
		c.PassedOn = append(c.PassedOn, name.Text)
	}
	switch r.id.Kind {
	case NPM, PyPI, NuGet, Go, JSR, Git, Exec, Opaque:
		c.Dir = r.otherDir()
	}
	if n := len(r.extra) + len(r.args); n > 0 {
		slices.Sort(r.extra)
		c.Args = append(make([]string, 0, n), r.extra...)
		for _, arg := range r.args {
			c.Args = append(c.Args, r.argument(arg.Text))
		}
	}
	return c
}

// envFile returns the file of variables. The client reads it from the directory of the entry,
// regardless of where the server works, and only for programs.
func (r *resolver) envFile(l *Launch) []Setting {
	text := l.EnvFile.Text
	if text == "" || l.IsRemote() {
		return nil
	}
	client := resolver{ctx: r.ctx, home: r.home, dir: r.home}
	return []Setting{{Name: "envFile", Value: client.argumentPath(text), Supplied: IsSupplied(text) || IsPlaceholderPath(text)}}
}

// otherDir returns the working directory if it differs from the one that programs are started in by
// default, else "".
func (r *resolver) otherDir() string {
	if r.dir == r.home || r.dir == r.ctx.Project {
		return ""
	}
	return r.dir
}

// unused leaves out the variables that served for something else.
func (r *resolver) unused(env []Pair) []Pair {
	if len(r.used) == 0 {
		return env
	}
	used := make(map[string]bool, len(r.used))
	for _, name := range r.used {
		used[name] = true
	}
	var kept []Pair
	for _, p := range env {
		if !used[p.Name.Text] {
			kept = append(kept, p)
		}
	}
	return kept
}

// addEnv sets a variable for the server. One that takes its value from the
// variable of the same name adds nothing to what is set already.
func (r *resolver) addEnv(name, value Word) {
	if ref, ok := secret.WholeReference(value.Text); ok && ref.Name == name.Text && ref.Default == "" {
		return
	}
	if !r.ownEnv {
		r.env, r.ownEnv = slices.Clone(r.env), true
	}
	r.env = append(r.env, Pair{name, value})
}

// takeEnv returns the value of a variable, the last one set, which from then on
// is no variable of the server.
func (r *resolver) takeEnv(name string) (Word, bool) {
	at := r.lastEnv(name)
	if at < 0 {
		return Word{}, false
	}
	r.used = append(r.used, name)
	return r.env[at].Value, true
}

// lastEnv returns the place of the last variable of a name, or -1.
func (r *resolver) lastEnv(name string) int {
	const few = 16 // are looked through sooner than indexed
	if len(r.env) > few {
		if r.envAt == nil {
			r.envAt = make(map[string]int, len(r.env))
		}
		for ; r.indexed < len(r.env); r.indexed++ {
			r.envAt[r.env[r.indexed].Name.Text] = r.indexed
		}
		at, known := r.envAt[name]
		switch {
		case !known:
			return -1
		case at < len(r.env) && r.env[at].Name.Text == name:
			return at
		}
	}
	for i := len(r.env) - 1; i >= 0; i-- {
		if r.env[i].Name.Text == name {
			return i
		}
	}
	return -1
}

// addHeader adds a header that a bridge is given.
func (r *resolver) addHeader(name, value Word) {
	if !r.ownHeaders {
		r.headers, r.ownHeaders = slices.Clone(r.headers), true
	}
	r.headers = append(r.headers, Pair{name, value})
}

// addOption notes an option that decides what the server does.
func (r *resolver) addOption(name string, value Word) {
	if value.Text == "" {
		r.extra = append(r.extra, name)
		return
	}
	r.extra = append(r.extra, name+"="+r.argument(value.Text))
}
