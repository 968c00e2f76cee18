package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// dnxOptions are those of dnx and dotnet tool exec. They come after the package's id, and "--" ends
// them.
var dnxOptions = options{values: []string{
	"--add-source", "--configfile", "--framework", "--source", "--verbosity", "--version", "-v",
}}

// dnx settles dnx Id[@version] [options] [-- arguments].
func (r *resolver) dnx(launcher string, args []Word) outcome {
	r.id.Launcher = launcher
	p := packageSpec{kind: NuGet}
	for {
		opt, rest, ok := dnxOptions.next(args)
		switch {
		case !ok && p.name == "" && len(args) > 0:
			w := args[0]
			args = args[1:]
			p.word = w
			name, _, _ := strings.Cut(w.Text, "@")
			if len(name) < len(w.Text) {
				p.version = VersionOf(NuGet, w.From(len(name)+1))
			}
			p.name = lowerName(name)
			if isPlaceholderName(name) {
				return r.none(w)
			}
			if !isNPMWord(name) {
				r.args = args
				return r.opaque(w, w.Text)
			}
			continue
		case !ok && p.name == "":
			return unknown
		case !ok:
			return r.settlePackage(p, "", args)
		}
		args = rest
		r.reads(&opt)
		switch opt.name {
		case "--":
			if p.name != "" {
				return r.settlePackage(p, "", args)
			}
		case "--version":
			p.version = VersionOf(NuGet, opt.value)
		case "--source", "--add-source", "--configfile":
			r.addOption(opt.name, opt.value)
		case "-y", "--yes", "--prerelease", "--allow-roll-forward", "--interactive", "--framework", "-v", "--verbosity":
		default:
			if p.name != "" { // an option of the server: dnx took no "--"
				return r.settlePackage(p, "", append([]Word{opt.word}, args...))
			}
		}
	}
}

// dotnetOptions are those of dotnet run.
var dotnetOptions = options{values: []string{
	"--arch", "--configuration", "--environment", "--file", "--framework", "--launch-profile", "--os", "--project",
	"--property", "--runtime", "--verbosity", "-a", "-c", "-e", "-f", "-lp", "-p", "-r", "-v",
}}

// dotnet settles dotnet run, dotnet tool exec|run, dotnet X.dll and
// dotnet dnx.
func (r *resolver) dotnet() outcome {
	if len(r.args) == 0 {
		return unknown
	}
	r.id.Launcher = "dotnet"
	first, args := r.args[0], r.args[1:]
	switch {
	case first.Text == "dnx":
		return r.dnx("dnx", args)
	case first.Text == "tool" && len(args) > 1 && (args[0].Text == "exec" || args[0].Text == "execute"):
		return r.dnx("dotnet", args[1:])
	case first.Text == "tool" && len(args) > 1 && args[0].Text == "run":
		r.args = dropDashes(args[2:])
		return r.exec(args[1], args[1].Text)
	case first.Text == "exec" && len(args) > 0:
		return r.scriptFile("dotnet", dotnetOptions.skip(args))
	case first.Text == "run":
		return r.dotnetRun(args)
	case strings.HasSuffix(ascii.Lower(first.Text), ".dll"), strings.HasSuffix(ascii.Lower(first.Text), ".cs"):
		return r.scriptFile("dotnet", r.args)
	}
	return unknown
}

// dotnetRun settles dotnet run [--project P] [options] [--] [arguments]: a
// project's directory, or one file.
func (r *resolver) dotnetRun(args []Word) outcome {
	w := r.prog
	target := r.dir
	for {
		opt, rest, ok := dotnetOptions.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		switch opt.name {
		case "--project", "-p", "--file":
			w, target = opt.value, r.path(opt.value.Text)
		case "--launch-profile", "-lp", "-e", "--environment":
			r.addOption(opt.name, opt.value)
		}
	}
	if w.Text == r.prog.Text && len(args) > 0 && strings.HasSuffix(args[0].Text, ".cs") {
		return r.scriptFile("dotnet", args)
	}
	r.args = args
	if strings.HasSuffix(target, "proj") && strings.Contains(target, "/") {
		target = target[:strings.LastIndexByte(target, '/')] // x/x.csproj is what is in x
	} else if strings.HasSuffix(target, ".csproj") || strings.HasSuffix(target, ".fsproj") {
		target = "."
	}
	return r.directory(w, target)
}

// goOptions are the build flags of go 1.26 that take a value; Go spells them
// with one dash or two.
var goOptions = options{values: []string{
	"--ldflags", "--mod", "--tags", "-C", "-asmflags", "-buildmode", "-buildvcs", "-compiler", "-covermode", "-coverpkg",
	"-exec", "-gccgoflags", "-gcflags", "-installsuffix", "-ldflags", "-mod", "-modcacherw", "-modfile", "-overlay", "-p",
	"-pgo", "-pkgdir", "-tags", "-toolexec",
}}

// golang settles go run package[@version], and go tool.
func (r *resolver) golang() outcome {
	args := r.goFlags(r.args)
	if len(args) == 0 || args[0].Text != "run" && args[0].Text != "tool" {
		return unknown
	}
	r.id.Launcher = "go"
	tool := args[0].Text == "tool"
	args = r.goFlags(args[1:])
	if len(args) == 0 {
		return unknown
	}
	w := args[0]
	r.args = args[1:]
	if tool {
		return r.exec(w, w.Text)
	}
	if isPlaceholderName(strings.TrimSuffix(w.Text, "/...")) {
		return r.none(w)
	}
	// An import path begins with a host, which has a dot; "./x" and files are
	// local.
	host, _, _ := strings.Cut(w.Text, "/")
	switch {
	case strings.HasSuffix(w.Text, ".go"):
		for len(r.args) > 0 && strings.HasSuffix(r.args[0].Text, ".go") {
			r.args = r.args[1:] // the other files of the package
		}
		return r.file(w, "go")
	case secret.HasReference(host) && !r.isPathWord(w.Text):
		return r.opaque(w, w.Text)
	case strings.HasPrefix(w.Text, "."), IsAbsolute(w.Text), r.isPathWord(w.Text), !strings.Contains(host, "."):
		return r.file(w, "go")
	}
	name, _, _ := strings.Cut(w.Text, "@")
	p := packageSpec{kind: Go, name: name, word: w, bin: GoProgram(name)}
	if len(name) < len(w.Text) {
		p.version = VersionOf(Go, w.From(len(name)+1))
	}
	return r.settlePackage(p, "", r.args)
}

// goFlags reads flags of the go command.
func (r *resolver) goFlags(args []Word) []Word {
	for {
		opt, rest, ok := goOptions.next(args)
		if !ok {
			return args
		}
		args = rest
		switch opt.name {
		case "-C":
			r.enter(opt.value)
		case "-tags", "--tags", "-mod", "-modfile":
			r.addOption("-"+strings.TrimLeft(opt.name, "-"), opt.value)
		}
	}
}

// GoProgram returns the program that a Go package builds: its last segment, without a major
// version.
func GoProgram(name string) string {
	last := name[strings.LastIndexByte(name, '/')+1:]
	if len(last) > 1 && last[0] == 'v' && ascii.All(last[1:], ascii.IsDigit) {
		name = strings.TrimSuffix(name, "/"+last)
		last = name[strings.LastIndexByte(name, '/')+1:]
	}
	return last
}

// cargoOptions are those of cargo run.
var cargoOptions = options{values: []string{
	"--bin", "--color", "--config", "--example", "--features", "--jobs", "--manifest-path", "--message-format", "--package",
	"--profile", "--target", "--target-dir", "-C", "-F", "-Z", "-j", "-p",
}}

// cargo settles cargo run.
func (r *resolver) cargo() outcome {
	args := r.args
	if len(args) > 0 && strings.HasPrefix(args[0].Text, "+") {
		args = args[1:] // a toolchain
	}
	args = cargoOptions.skip(args)
	if len(args) == 0 || args[0].Text != "run" && args[0].Text != "r" {
		return unknown
	}
	r.id.Launcher = "cargo"
	args = args[1:]
	dir := r.dir
	var pkg, bin string
	for {
		opt, rest, ok := cargoOptions.next(args)
		if !ok || opt.name == "--" {
			args = rest
			break
		}
		args = rest
		switch opt.name {
		case "--bin", "--example":
			bin = opt.value.Text
		case "-p", "--package":
			pkg = opt.value.Text
		case "--manifest-path":
			dir = r.path(opt.value.Text)
			dir = CleanDir(strings.TrimSuffix(strings.TrimSuffix(dir, "Cargo.toml"), "/"))
		case "-C":
			r.enter(opt.value)
			dir = r.dir
		case "-F", "--features":
			r.addOption("--features", opt.value)
		}
	}
	w := r.prog
	r.args = args
	return r.directory(w, dir, pkg, bin)
}

// javaOptions are those of java that take the next word.
var javaOptions = options{values: []string{
	"--add-exports", "--add-modules", "--add-opens", "--add-reads", "--class-path", "--enable-native-access", "--limit-modules",
	"--module-path", "--source", "--upgrade-module-path", "-classpath", "-cp", "-p",
}}

// java settles java -jar file, and a main class.
func (r *resolver) java() outcome {
	args := r.args
	for {
		opt, rest, ok := javaOptions.next(args)
		if !ok {
			break
		}
		args = rest
		switch {
		case opt.name == "-jar":
			return r.scriptFile("java", args)
		case opt.name == "-cp" || opt.name == "-classpath" || opt.name == "--class-path":
			r.addOption("-cp", opt.value)
		case strings.HasPrefix(opt.name, "-D"):
			r.addOption(opt.name, opt.value)
		}
	}
	if len(args) == 0 {
		return unknown
	}
	if strings.HasSuffix(args[0].Text, ".java") {
		return r.scriptFile("java", args)
	}
	r.id.Launcher = "java"
	r.args = args[1:]
	return r.exec(args[0], args[0].Text)
}

// nixOptions are those of nix that take the next word.
var nixOptions = options{values: []string{
	"--builders", "--experimental-features", "--extra-experimental-features", "--inputs-from",
	"--log-format", "--max-jobs", "--override-input", "--store", "-L", "-j",
}}

// nix settles nix run flake#attribute, and peels nix shell|develop -c.
func (r *resolver) nix() outcome {
	args := nixOptions.skip(r.args)
	if len(args) == 0 {
		return unknown
	}
	command := args[0].Text
	args = args[1:]
	if command == "shell" || command == "develop" {
		for i, w := range args {
			if w.Text == "-c" || w.Text == "--command" {
				return r.run(args[i+1:])
			}
		}
		return unknown
	}
	if command != "run" {
		return unknown
	}
	r.id.Launcher = "nix"
	args = nixOptions.skip(args)
	if len(args) == 0 {
		return unknown
	}
	w := args[0]
	r.args = dropDashes(nixOptions.skip(args[1:]))
	flake, attribute, _ := strings.Cut(w.Text, "#")
	flake, query, _ := strings.Cut(flake, "?")
	service, rest, ok := strings.Cut(flake, ":")
	switch {
	case ok && (service == "github" || service == "gitlab"):
		owner, rest, _ := strings.Cut(rest, "/")
		repository, ref, _ := strings.Cut(rest, "/")
		at := len(service) + 1 + len(owner) + 1 + len(repository)
		p := gitSpec(w, hostedRepository(service, owner+"/"+repository), Word{})
		if ref != "" {
			p.version = gitVersion(w.Part(at+1, at+1+len(ref)))
		}
		return r.settlePackage(p, attribute, r.args)
	case strings.HasPrefix(flake, "git+"):
		p := gitSpec(w, gitRepository(flake), Word{})
		if ref, found := strings.CutPrefix(query, "rev="); found {
			p.version = gitVersion(Word{Text: ref, Span: w.Span})
		}
		return r.settlePackage(p, attribute, r.args)
	case flake == "" || strings.HasPrefix(flake, ".") || IsAbsolute(flake) || service == "path":
		if service == "path" && ok {
			flake = rest
		}
		return r.directory(w, r.path(flake), attribute)
	case flake == "nixpkgs" && attribute != "":
		return r.exec(w, attribute)
	}
	return r.opaque(w, w.Text)
}

var targetOptions = options{values: []string{
	"--dir", "--directory", "--file", "--justfile", "--makefile", "--taskfile", "--working-directory", "-C", "-d", "-f", "-j",
	"-t",
}}

// target settles make, just and task: a target of the directory's build file.
func (r *resolver) target(name string) outcome {
	args := r.args
	for {
		opt, rest, ok := targetOptions.next(args)
		if !ok {
			break
		}
		args = rest
		switch opt.name {
		case "-C", "--directory", "-d", "--working-directory", "--dir":
			r.enter(opt.value)
		case "-f", "--file", "--makefile", "--justfile", "-t", "--taskfile":
			r.addOption(opt.name, opt.value)
		}
	}
	if len(args) == 0 {
		return unknown
	}
	r.id.Launcher = name
	r.args = args[1:]
	return r.directory(args[0], r.dir, args[0].Text)
}
