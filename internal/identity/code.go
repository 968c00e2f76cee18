package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// codeVariables are the variables that decide which code a program runs, sorted: where
// its packages come from, what is loaded before it or in the place of its parts.
var codeVariables = []string{
	"BASH_ENV", "BUN_CONFIG_REGISTRY", // bash(1); bun.sh/docs, bunfig
	"DOTNET_STARTUP_HOOKS", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH",
	"GOPROXY", "JAVA_TOOL_OPTIONS", "LD_LIBRARY_PATH", "LD_PRELOAD",
	"NODE_OPTIONS", "NODE_PATH", "PATH",
	"PERL5LIB", "PERL5OPT",
	"PIP_CONFIG_FILE", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_INDEX_URL", // pip config
	"PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP",
	"RUBYLIB", "RUBYOPT",
	"UV_CONFIG_FILE", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX", "UV_INDEX_URL", // uv's reference of its environment
	"YARN_NPM_REGISTRY_SERVER", "YARN_REGISTRY",
	"_JAVA_OPTIONS",
}

// npmCodeSettings are npm's settings of that kind. Each may be a variable, in any letter
// case: npm_config_registry. The registry of a scope is one as well.
var npmCodeSettings = []string{"globalconfig", "node_options", "registry", "script_shell", "userconfig"}

// codeOptions are options of launchers and interpreters that decide the same, wherever
// they are known to take a value, sorted.
var codeOptions = []string{
	"--add-source", "--additional-catalog", "--additional-registry", "--catalog", "--config-file", "--configfile", "--default-index",
	"--entrypoint", "--experimental-loader", "--extra-index-url", "--find-links", "--import", "--import-map", "--index", "--index-url",
	"--interceptor", "--loader", "--mcp-registry", "--node-arg", "--node-options", "--npmrc-auth-file", "--oci-ref", "--overrides",
	"--pip-args", "--preload", "--registry", "--require", "--script-shell", "--source", "--userconfig", "--with-editable",
	"--with-requirements",
}

// sourceVariables and sourceOptions are those that say where packages are fetched from:
// what other registries have under the same names is nothing to them. Sorted.
var (
	sourceVariables = []string{
		"BUN_CONFIG_REGISTRY",
		"PIP_CONFIG_FILE", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_INDEX_URL",
		"UV_CONFIG_FILE", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX", "UV_INDEX_URL",
		"YARN_NPM_REGISTRY_SERVER", "YARN_REGISTRY",
	}
	sourceSettings = []string{"globalconfig", "registry", "userconfig"}
	sourceOptions  = []string{
		"--add-source", "--config-file", "--configfile", "--default-index", "--extra-index-url", "--find-links", "--index", "--index-url",
		"--pip-args", "--registry", "--source", "--userconfig",
	}
)

// namesSource reports whether a launch says itself where its packages are fetched from.
func (r *resolver) namesSource() bool {
	if !r.id.IsPackage() && len(r.id.Fetched) == 0 {
		return false
	}
	return slices.ContainsFunc(r.code, isSourceOption) || slices.ContainsFunc(r.env, isSourceVariable)
}

// isSourceOption reports whether an option says where packages are fetched from.
func isSourceOption(option Pair) bool {
	isListed := listed(sourceOptions, option.Name.Text) || strings.HasSuffix(option.Name.Text, ":registry")
	return isListed && !isPublicIndex(option.Value.Text)
}

// isSourceVariable reports whether a variable says where packages are fetched from.
func isSourceVariable(v Pair) bool {
	name := v.Name.Text
	if v.Value.Text == "" || isPublicIndex(v.Value.Text) {
		return false
	}
	if !ascii.HasPrefixFold(name, "npm_config_") {
		return listed(sourceVariables, name)
	}
	setting := npmSetting(name)
	return listed(sourceSettings, setting) || strings.HasSuffix(setting, ":registry")
}

// isPublicIndex reports whether an index is the one where Python packages are from if no option
// says where.
func isPublicIndex(address string) bool {
	return strings.TrimRight(address, "/") == "https://pypi.org/simple"
}

// npmSetting returns the setting of npm that a variable is.
func npmSetting(variable string) string {
	return strings.ReplaceAll(ascii.Lower(variable[len("npm_config_"):]), "-", "_")
}

// Deciding is an option or a variable that decides which code a launch runs, whatever
// its identity says.
type Deciding struct {
	// Name is that of the variable, or of the option with its dashes.
	Name string
	// Value is in canonical form. It may hold secrets: mask it.
	Value string
	// IsSource reports that it says where packages are fetched from.
	IsSource bool
}

// Code returns what decides beside the identity which code a launch runs, the options as
// they are written before the variables by their names: registries and indexes, what an interpreter loads first, the entry point of a
// container, the paths on which programs and modules are looked for.
func (e Resolved) Code() []Deciding {
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	var all []Deciding
	for _, p := range r.code {
		all = append(all, Deciding{p.Name.Text, r.argument(p.Value.Text), isSourceOption(p)})
	}
	settings, _ := r.settings(r.env, false)
	for _, s := range settings {
		if isCodeVariable(s.Name) {
			all = append(all, Deciding{s.Name, s.Value, isSourceVariable(Pair{Word{Text: s.Name}, Word{Text: s.Value}})})
		}
	}
	return all
}

// isCodeVariable reports whether a variable decides which code a program runs.
func isCodeVariable(name string) bool {
	if !ascii.HasPrefixFold(name, "npm_config_") {
		return listed(codeVariables, name)
	}
	setting := npmSetting(name)
	return listed(npmCodeSettings, setting) || strings.HasSuffix(setting, ":registry")
}

// decides notes an option if it decides which code is run.
func (r *resolver) decides(opt *option) {
	if opt.value.Text != "" && (listed(codeOptions, opt.name) || strings.HasSuffix(opt.name, ":registry")) {
		r.code = append(r.code, Pair{Word{Text: opt.name, Span: opt.word.Span}, opt.value})
	}
}

// reads notes an option of a launcher or an interpreter.
func (r *resolver) reads(opt *option) {
	r.decides(opt)
	if r.parts == nil || listed(plainOptions, opt.name) {
		return
	}
	r.parts.Options = append(r.parts.Options, Option{Name: opt.name, Value: r.argument(opt.value.Text), Span: opt.word.Span, At: opt.value.Span})
}

// plainOptions are the options of launchers and interpreters that leave a server what it
// is: they set what is printed, or answer what a launcher would ask; or what they name is the
// program, the directory or the package that is compared by itself. Sorted.
var plainOptions = []string{
	"--", "--c", "--call", "--color", "--cwd", "--dir", "--directory", "--eval", "--exec", "--from", "--log-level", "--loglevel", "--module",
	"--no-color", "--no-progress", "--package", "--print", "--quiet", "--script", "--silent", "--spec", "--verbose", "--yes",
	"-C", "-c", "-e", "-m", "-p", "-q", "-s", "-v", "-y",
}

// install notes a package that a launcher installs beside what it runs.
func (r *resolver) install(w Word, spec func(Word) (packageSpec, bool)) {
	if isPlaceholderName(w.Text) {
		return
	}
	p, ok := spec(w)
	if !ok {
		r.fetchedFrom(w)
		return
	}
	r.id.Fetched = append(r.id.Fetched, Fetched{Kind: p.kind, Name: p.name, Span: p.word.Span, Version: p.version, Launcher: r.id.Launcher, Beside: true})
}
