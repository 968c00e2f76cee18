package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// family is a group of variables of one program, recognized by a prefix of their names. Each of
// them decides what the program runs or loads, or where it gets that from, except those known only
// to set what is printed, how long to wait, and the like.
type family struct {
	prefix string
	// harmless are the rest of the names that decide nothing, sorted.
	harmless []string
}

// codeFamilies are the families by their prefixes in capitals, sorted. A variable that a later
// version of a program adds also decides: a name is listed as harmless only if it is known not to
// affect the code, including where code is cached. Servers have settings of their own that begin
// with NODE_; the common ones are listed as harmless as well.
var codeFamilies = []family{
	{"ASDF_", nil},
	{"BUN_", nil},
	{"CARGO_", []string{"TERM_COLOR", "TERM_PROGRESS_WHEN", "TERM_QUIET", "TERM_VERBOSE"}},
	{"CONDA_", nil},
	{"COREPACK_", []string{"ENABLE_DOWNLOAD_PROMPT", "ENABLE_NETWORK", "ENABLE_STRICT"}},
	{"DENO_", []string{"JOBS", "NO_PROMPT", "NO_UPDATE_CHECK"}},
	{"DOCKER_", []string{"BUILDKIT", "CLI_HINTS", "HIDE_LEGACY_COMMANDS"}},
	{"DOTNET_", []string{
		"CLI_TELEMETRY_OPTOUT", "CLI_UI_LANGUAGE", "ENVIRONMENT", "NOLOGO", "SKIP_FIRST_TIME_EXPERIENCE", "SYSTEM_GLOBALIZATION_INVARIANT",
	}},
	{"DYLD_", nil},
	{"GIT_ASKPASS", nil}, {"GIT_CONFIG", nil}, {"GIT_EDITOR", nil}, {"GIT_EXEC_PATH", nil}, {"GIT_EXTERNAL_DIFF", nil},
	{"GIT_PAGER", nil}, {"GIT_PROXY_COMMAND", nil}, {"GIT_SEQUENCE_EDITOR", nil}, {"GIT_SSH", nil}, {"GIT_SSL_", nil}, {"GIT_TEMPLATE_DIR", nil},
	{"LD_", nil},
	{"MISE_", []string{"COLOR", "JOBS", "LOG_LEVEL", "QUIET", "SILENT", "VERBOSE", "YES"}},
	{"NODENV_", nil},
	{"NODE_", []string{
		"ADDRESS", "DEBUG", "DISABLE_COLORS", "DISABLE_COMPILE_CACHE", "ENDPOINT", "ENV", "HOST", "ID", "IP", "NAME", "NO_WARNINGS",
		"PENDING_DEPRECATION", "PENDING_PIPE_INSTANCES", "PORT", "REDIRECT_WARNINGS", "REPL_HISTORY", "RPC_URL", "TEST_CONTEXT", "URL", "V8_COVERAGE",
	}},
	{"NPM_CONFIG_", harmlessNPMSettings},
	{"NUGET_", nil},
	{"NVM_", nil},
	{"OPENSSL_", nil},
	{"PERL5", nil},
	{"PIP_", []string{"DEFAULT_TIMEOUT", "DISABLE_PIP_VERSION_CHECK", "NO_CACHE_DIR", "NO_COLOR", "NO_INPUT", "PROGRESS_BAR", "QUIET", "RETRIES", "TIMEOUT", "VERBOSE"}},
	{"PNPM_", nil},
	{"PYENV_", nil},
	{"PYTHON", []string{
		"ASYNCIODEBUG", "COERCECLOCALE", "DEVMODE", "DONTWRITEBYTECODE", "FAULTHANDLER", "HASHSEED", "INTMAXSTRDIGITS", "IOENCODING",
		"LEGACYWINDOWSFSENCODING", "LEGACYWINDOWSSTDIO", "MALLOC", "NODEBUGRANGES", "NOUSERSITE", "OPTIMIZE", "PROFILEIMPORTTIME", "SAFEPATH",
		"TRACEMALLOC", "UNBUFFERED", "UTF8", "VERBOSE", "_COLORS", "_GIL", "_HISTORY",
	}},
	{"RUBY", nil},
	{"SSL_CERT_", nil},
	{"UV_", []string{
		"COMPILE_BYTECODE", "CONCURRENT_BUILDS", "CONCURRENT_DOWNLOADS", "CONCURRENT_INSTALLS", "EXCLUDE_NEWER", "HTTP_RETRIES",
		"HTTP_TIMEOUT", "LINK_MODE", "LOCK_TIMEOUT", "MANAGED_PYTHON", "NATIVE_TLS", "NO_CACHE", "NO_CONFIG", "NO_ENV_FILE", "NO_MANAGED_PYTHON",
		"NO_PROGRESS", "NO_WRAP", "OFFLINE", "PYTHON_DOWNLOADS", "PYTHON_PREFERENCE", "REQUEST_TIMEOUT", "STACK_SIZE", "SYSTEM_CERTS",
	}},
	{"VOLTA_", nil},
	{"XDG_", []string{"CURRENT_DESKTOP", "SEAT", "SESSION_CLASS", "SESSION_ID", "SESSION_TYPE", "VTNR"}},
	{"YARN_", nil},
}

// codeVariables are those that decide the same and belong to no family, in capitals, sorted:
// where programs and their settings are looked for, what shells read first, other runtimes.
var codeVariables = []string{
	"APPDATA", "BASH_ENV", "COMSPEC", "CURL_CA_BUNDLE", "GOFLAGS", "GOINSECURE", "GONOSUMDB", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN",
	"HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "LOCALAPPDATA", "NPM_EXECPATH", "NPM_PACKAGE_CONFIG", "PATH", "PATHEXT",
	"REQUESTS_CA_BUNDLE", "SHELL", "USERPROFILE", "VIRTUAL_ENV", "ZDOTDIR", "_JAVA_OPTIONS",
}

// isCodeVariable reports whether a variable decides which code a program runs: by its family,
// or because it is set to ask another host (HTTPS_PROXY). Letter case is not compared, as on Windows,
// and as npm and curl do.
func isCodeVariable(name, value string) bool {
	upper := strings.ToUpper(name)
	switch {
	case value == "":
		return false
	case upper == "NODE_OPTIONS", upper == "NPM_CONFIG_NODE_OPTIONS":
		return !isHarmlessWords(value)
	case upper == "ENV": // sh reads the file; most servers have a word such as "production" there
		return strings.ContainsAny(value, `/\$`)
	case upper == "UV_PYTHON":
		return !isPythonVersion(value)
	case listed(codeVariables, upper):
		return true
	case strings.HasSuffix(upper, "_PROXY"):
		return upper != "NO_PROXY"
	}
	for _, f := range codeFamilies {
		if rest, ok := strings.CutPrefix(upper, f.prefix); ok {
			rest = strings.ReplaceAll(rest, "-", "_")
			return !saysWho(rest) && !listed(f.harmless, rest)
		}
	}
	return false
}

// saysWho reports whether the last word of a name shows that it identifies or authenticates the
// user to a registry: _auth and _password of npm, UV_INDEX_ACME_USERNAME.
func saysWho(name string) bool {
	switch name[strings.LastIndexByte(name, '_')+1:] {
	case "AUTH", "AUTHTOKEN", "EMAIL", "OTP", "PASSWORD", "TOKEN", "USERNAME":
		return true
	}
	return false
}

// SpeaksToLauncher reports whether a variable is one that launchers, interpreters and shells
// read, whether or not it decides which code runs.
func SpeaksToLauncher(name string) bool {
	upper := strings.ToUpper(name)
	isOfFamily := func(f family) bool { return strings.HasPrefix(upper, f.prefix) }
	return listed(codeVariables, upper) || strings.HasSuffix(upper, "_PROXY") || slices.ContainsFunc(codeFamilies, isOfFamily)
}

// SaysHowToPrint reports whether a variable only says what a program prints and how, by the names
// that many programs know.
func SaysHowToPrint(name string) bool {
	upper := strings.ToUpper(name)
	return listed(printing, upper) || strings.HasPrefix(upper, "LC_") || strings.HasSuffix(upper, "LOG_LEVEL") || strings.HasSuffix(upper, "LOGLEVEL")
}

// printing are such variables, in capitals, sorted.
var printing = []string{"CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DEBUG", "FORCE_COLOR", "LANG", "LANGUAGE", "LINES", "NO_COLOR", "RUST_BACKTRACE", "RUST_LOG", "TERM", "TZ", "VERBOSE"}

// isHarmlessWords reports whether options that a variable gives to an interpreter decide
// nothing.
func isHarmlessWords(value string) bool {
	for _, word := range strings.Fields(value) {
		name, value, _ := strings.Cut(word, "=")
		if isCodeOption(name, value) {
			return false
		}
	}
	return true
}

// isPythonVersion reports whether a request for a Python interpreter names a version: uv installs
// that from its one source of all versions (docs.astral.sh/uv/concepts/python-versions). A path or
// the name of a program is any file at that place.
func isPythonVersion(request string) bool {
	text := strings.TrimLeft(request, "=<>~!^")
	for _, implementation := range []string{"cpython", "graalpy", "pypy", "python"} {
		text = strings.TrimLeft(strings.TrimPrefix(text, implementation), "@-=<>~!^")
	}
	return request != "" && strings.Trim(text, "0123456789.,*=<>~!^+abrct") == ""
}

// harmlessOptions are options of launchers and interpreters that decide nothing, in addition to
// plainOptions: what to print, check, wait for, or keep, and which packages and programs to run,
// since those are compared separately. Sorted.
var harmlessOptions = []string{
	"--audit", "--color", "--compile-bytecode", "--disable-warning", "--dns-result-order", "--enable-source-maps", "--exclude-newer",
	"--expose-gc", "--extra", "--force", "--framework", "--frozen", "--frozen-lockfile", "--fund", "--group", "--ignore-existing", "--interactive",
	"--isolated", "--link-mode", "--locked", "--managed-python", "--max-http-header-size", "--max-old-space-size", "--max-semi-space-size",
	"--min-release-age", "--minimum-release-age", "--native-tls", "--no", "--no-audit", "--no-cache", "--no-check", "--no-config", "--no-deprecation", "--no-dev",
	"--no-env-file", "--no-fund", "--no-install", "--no-managed-python", "--no-prompt", "--no-python-downloads", "--no-sync", "--no-update-notifier",
	"--no-warnings", "--offline", "--omit", "--only", "--prefer-offline", "--prefer-online", "--prefix", "--production", "--progress", "--python-preference",
	"--refresh", "--refresh-package", "--reinstall", "--reinstall-package", "--reporter", "--stack-trace-limit", "--system-certs", "--title", "--trace-deprecation",
	"--trace-uncaught", "--trace-warnings", "--unhandled-rejections", "--upgrade", "--upgrade-package", "--verbosity", "--version", "--with",
	"-B", "-E", "-I", "-O", "-OO", "-P", "-U", "-b", "-d", "-f", "-h", "-n", "-u", "-x",
}

// harmlessPrefixes begin the options that say what a program may do or try out, which is not
// what it runs, sorted.
var harmlessPrefixes = []string{"--allow-", "--deny-", "--experimental-", "--harmony", "--unstable"}

// exceptions are options that begin like harmless ones and decide.
var exceptions = []string{
	"--allow-insecure-host", "--allow-scripts", "--experimental-config-file", "--experimental-default-config-file",
	"--experimental-loader", "--experimental-sea-config", "--experimental-specifier-resolution",
}

// isCodeOption reports whether an option in front of what a launcher or an interpreter runs
// decides which code that is.
func isCodeOption(name, value string) bool {
	switch {
	case listed(exceptions, name):
		return true
	case listed(plainOptions, name), isHarmlessCluster(name):
		return false
	case listed(harmlessOptions, name): // a short one with a value is another program's: php -d, perl -I
		return len(name) == 2 && value != ""
	case name == "--python":
		return !isPythonVersion(value)
	case name == "-X": // docs.python.org/3/using/cmdline: these two name code or where it is kept
		return strings.HasPrefix(value, "presite") || strings.HasPrefix(value, "pycache_prefix")
	case name == "-W": // the category of a warning is imported
		return strings.Contains(value, ".")
	}
	return !slices.ContainsFunc(harmlessPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// isHarmlessCluster reports whether a word is joined short options, none of which decides anything
// ("-uB").
func isHarmlessCluster(name string) bool {
	if len(name) < 3 || name[1] == '-' {
		return false
	}
	for i := 1; i < len(name); i++ {
		if short := shortOption(name[i]); !listed(plainOptions, short) && !listed(harmlessOptions, short) {
			return false
		}
	}
	return true
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

// Deciding is an option or a variable that decides which code a launch runs, regardless of its
// identity.
type Deciding struct {
	// Name is that of the variable, or of the option with its dashes.
	Name string
	// Value is in canonical form. It may hold secrets: mask it.
	Value string
	// IsSource reports that it says where packages are fetched from.
	IsSource bool
	// Reach reports of an option of a container that it decides what that gets at.
	Reach bool
}

// Code returns what decides, in addition to the identity, which code a launch runs: registries and
// indexes, what an interpreter loads first, the entry point of a container, and the search paths of
// programs and modules. The options come first, as they are written, then the variables by their
// names.
func (e Resolved) Code() []Deciding {
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	var all []Deciding
	for _, p := range r.code {
		all = append(all, Deciding{Name: p.Name.Text, Value: r.argument(p.Value.Text), IsSource: isSourceOption(p)})
	}
	for _, p := range r.reach {
		all = append(all, Deciding{Name: p.Name.Text, Value: r.argument(p.Value.Text), Reach: true})
	}
	settings, _ := r.settings(r.env, false)
	for _, s := range settings {
		if isCodeVariable(s.Name, s.Value) {
			all = append(all, Deciding{Name: s.Name, Value: s.Value, IsSource: isSourceVariable(Pair{Word{Text: s.Name}, Word{Text: s.Value}})})
		}
	}
	return all
}

// decides notes an option if it decides which code is run.
func (r *resolver) decides(opt *option) {
	if isCodeOption(opt.name, opt.value.Text) {
		r.code = append(r.code, opt.pair())
	}
}

// pair returns an option as a name and a value.
func (o *option) pair() Pair { return Pair{Word{Text: o.name, Span: o.word.Span}, o.value} }

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

// install notes a package that a launcher installs along with what it runs.
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
