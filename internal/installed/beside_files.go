package installed

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// started is what a launch says of the files that decide its code.
type started struct {
	// dir is where its launchers look for the project.
	dir string
	// npm and python are the names of the packages and programs that are looked for there.
	npm, python []string
	// programs are the launchers on the way, outermost first.
	programs []string
	// isNPM reports that a package manager of npm's family starts it, isUV that uv run does.
	isNPM, isUV bool
	// script and target are the parts of a manifest or a Makefile that run.
	script, target string
}

// maxUp is how many directories are searched from one upwards: no real project has more.
const maxUp = 200

// decidersOf returns the places that decide what a server runs: files that its launch names, and
// files that its launchers read, in directories with something that has changed.
func decidersOf(s *mcp.Server, environment []decider, changedAbove func(dir string) []string) []decider {
	var places []decider
	if mayNameFile(&s.Launch) {
		for _, file := range s.Resolved().EnvFiles() {
			if !source.IsGits(file) {
				places = append(places, decider{files: []string{file}, isNamed: true, read: func(ctx context.Context, in *side) []mcp.Side {
					return in.said.get(file+"\x00variables", func() []mcp.Side { return variablesIn(in.file(ctx, file)) })
				}})
			}
		}
	}
	if !startsHere(s.Document) {
		return places
	}
	if !s.Launch.IsRemote() {
		places = append(places, environment...)
	}
	st, ok := startOf(s)
	if !ok || strings.Count(st.dir, "/") > maxUp {
		return places
	}
	changed := changedAbove(st.dir)
	for _, dir := range changed {
		places = append(places, st.settings(dir)...)
		if len(st.npm) > 0 {
			places = append(places, st.manifest(dir), st.npmLock(dir), st.committed(dir))
		}
		if st.isUV && len(st.python) > 0 {
			places = append(places, st.uvLock(dir))
		}
	}
	if slices.Contains(changed, st.dir) {
		places = append(places, st.scripts()...)
	}
	return places
}

// environmentOf returns the files of a project whose variables a client hands to the servers of a
// document that it starts, of directories in which a file has changed.
func environmentOf(d *mcp.Document, hasChanged func(dir string) bool) []decider {
	var places []decider
	for _, c := range d.Loaders() {
		for _, env := range c.Environment {
			file := path.Join(d.Project.Dir, env.Path)
			if !hasChanged(path.Dir(file)) {
				continue
			}
			places = append(places, decider{files: []string{file}, read: func(ctx context.Context, in *side) []mcp.Side {
				return in.said.get(file+"\x00variables", func() []mcp.Side {
					if env.Key == "" {
						return variablesIn(in.file(ctx, file))
					}
					return variablesUnder(in.root(ctx, file), env.Key)
				})
			}})
		}
	}
	return places
}

// mayNameFile reports whether a launch may name a file of variables: each way to do so has these
// letters in it.
func mayNameFile(l *identity.Launch) bool {
	isIt := func(w identity.Word) bool { return strings.Contains(w.Text, "env") }
	return l.EnvFile.Text != "" || isIt(l.Command) || slices.ContainsFunc(l.Args, isIt)
}

// npmFamily are the launchers that read .npmrc, localLaunchers those that take a package from the project
// that they are started in, or from what it has installed. pnpm dlx and yarn dlx do not, nor do uvx
// and pipx run: uv reads no settings of the project for its tools
// (docs.astral.sh/uv/concepts/configuration-files).
var (
	npmFamily      = []string{"bun", "bunx", "npm", "npx", "pnpm", "pnpx", "yarn"}
	localLaunchers = []string{"bun", "bunx", "node", "npm", "npx"}
)

// startOf returns what a launch says; not ok where no file of the project decides its code.
func startOf(s *mcp.Server) (st started, ok bool) {
	id := &s.Identity
	isOfNPM := func(name string) bool { return slices.Contains(npmFamily, name) }
	program := identity.ProgramName(s.Launch.Command.Text)
	if s.Launch.IsRemote() || id.Kind == identity.OCI && !isOfNPM(program) {
		return started{}, false // neither reads a file of the project
	}
	if st.programs = []string{program}; !isOfNPM(program) && program != id.Launcher {
		st.programs = s.Resolved().Programs()
	}
	st.isNPM, st.isUV = slices.ContainsFunc(st.programs, isOfNPM), st.isBy("uv") && id.Launcher != "uvx"
	for pkg := range id.Packages() {
		switch {
		case pkg.Kind == identity.NPM && slices.Contains(localLaunchers, pkg.Launcher):
			st.npm = append(st.npm, pkg.Name)
		case pkg.Kind == identity.PyPI && st.isUV:
			st.python = append(st.python, pkg.Name)
		}
	}
	if at := strings.ReplaceAll(s.Launch.Command.Text, `\`, "/"); strings.Contains("/"+at, "/"+modulesDir+"/.bin/") {
		st.npm = append(st.npm, program) // the launcher itself is one that is installed
	}
	isTarget := id.Kind == identity.FileKind && id.Launcher == "make" && len(id.Selector) == 1
	if !st.isNPM && !st.isUV && len(st.npm) == 0 && !isTarget || len(st.programs) > 1 && s.Resolved().Parts().Container != nil {
		return started{}, false
	}
	if st.dir, ok = s.Resolved().Project(); !ok {
		return started{}, false
	}
	if id.Kind != identity.FileKind || len(id.Selector) == 0 || strings.HasPrefix(id.Name, "/") || strings.HasPrefix(id.Name, "..") {
		return st, true
	}
	last := id.Selector[len(id.Selector)-1]
	switch {
	case isTarget:
		st.dir, st.target = strings.TrimPrefix(id.Name, "."), last
	case isOfNPM(id.Launcher):
		st.dir, st.script = strings.TrimPrefix(id.Name, "."), last
		if len(id.Selector) == 2 {
			st.dir = path.Join(st.dir, path.Clean("/" + id.Selector[0])[1:]) // a member by its directory
		}
		if id.Launcher != "npm" {
			st.npm = append(st.npm, last)
		}
	case id.Launcher == "uv":
		st.python = append(st.python, identity.PyPIName(last))
	}
	return st, true
}

// isBy reports whether one of some launchers is on the way.
func (st *started) isBy(names ...string) bool {
	return slices.ContainsFunc(st.programs, func(program string) bool { return slices.Contains(names, program) })
}

// settings returns the files of settings of a directory.
func (st *started) settings(dir string) []decider {
	var places []decider
	add := func(name string, read func(parsed) []mcp.Side) {
		file := path.Join(dir, name)
		places = append(places, decider{files: []string{file}, read: func(ctx context.Context, in *side) []mcp.Side {
			return in.said.get(file, func() []mcp.Side {
				if name == ".npmrc" || name == ".yarnrc" {
					return read(parsed{file: in.file(ctx, file)})
				}
				return read(in.root(ctx, file))
			})
		}})
	}
	if st.isNPM || len(st.npm) > 0 {
		add(".npmrc", npmrc)
	}
	if st.isBy("yarn") {
		add(".yarnrc", yarnrc)
		add(".yarnrc.yml", flat("YARN_", harmlessYarn))
	}
	if st.isBy("bun", "bunx") {
		add("bunfig.toml", flat("BUN_", harmlessBun))
	}
	if st.isBy("pnpm", "pnpx") {
		add("pnpm-workspace.yaml", flat("NPM_CONFIG_", harmlessPNPM))
		places = append(places, st.asked(path.Join(dir, "pnpm-workspace.yaml"), st.npm, func(p parsed) []mcp.Side { return st.overrides(p, p.root, "") }))
	}
	if st.isUV {
		add("uv.toml", func(p parsed) []mcp.Side { return uvSettings(p, p.root, "") })
		add("pyproject.toml", func(p parsed) []mcp.Side { return uvSettings(p, p.root.At("tool", "uv"), "tool.uv.") })
		places = append(places,
			st.asked(path.Join(dir, "uv.toml"), st.python, func(p parsed) []mcp.Side { return st.uvPackages(p, "") }),
			st.asked(path.Join(dir, "pyproject.toml"), st.python, func(p parsed) []mcp.Side {
				return st.uvPackages(parsed{p.file, p.root.At("tool", "uv")}, "tool.uv.")
			}))
	}
	return places
}

// asked returns a file that is searched for packages: callers with the same packages share the answer.
func (st *started) asked(file string, of []string, read func(parsed) []mcp.Side) decider {
	return decider{files: []string{file}, read: func(ctx context.Context, in *side) []mcp.Side {
		return in.said.get(file+"\x00"+strings.Join(of, "\x00"), func() []mcp.Side { return read(in.root(ctx, file)) })
	}}
}

// setting returns a setting as it is in a file.
func setting(file *syntax.File, name, value string, span syntax.Span) mcp.Side {
	return mcp.Side{Name: name, Value: value, Means: value, File: file, Span: span}
}

// npmrc reads .npmrc: settings of npm, of pnpm and of yarn. Those that begin with // are
// credentials for a registry. Npm reads it as an ini file, and ignores the settings of sections.
func npmrc(p parsed) []mcp.Side {
	var sides []mcp.Side
	for line := range iniLines(p.file) {
		key := strings.TrimSuffix(line.name, "[]")
		if strings.HasPrefix(key, "//") || !decidesNPM(key, line.value) || len(sides) == maxSides {
			continue
		}
		sides = append(sides, setting(p.file, line.name, line.value, line.span))
	}
	return sides
}

// decidesNPM reports whether a setting of npm decides which code runs. A setting with its default
// value decides nothing.
func decidesNPM(key, value string) bool {
	name := strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
	switch {
	case (name == "STRICT_SSL" || name == "IGNORE_SCRIPTS") && value == "true", value == "null", value == "undefined":
		return false
	}
	return identity.DecidesCode("NPM_CONFIG_"+name, value)
}

// yarnrc reads the settings of Yarn 1: words on a line, with quotes.
func yarnrc(p parsed) []mcp.Side {
	var sides []mcp.Side
	for line := range linesOf(p.file) {
		name, value, _ := strings.Cut(line.value, " ")
		name, value = strings.Trim(name, `"`), strings.Trim(strings.TrimSpace(value), `"`)
		if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "//") {
			continue
		}
		if name = strings.TrimLeft(name, "-"); name == "yarn-path" && value != "" || decidesNPM(name, value) {
			sides = append(sides, setting(p.file, name, value, line.span))
		}
	}
	return sides
}

// flat reads a tree of settings as variables of a family, except those whose names begin with a
// harmless one.
func flat(family string, harmless []string) func(parsed) []mcp.Side {
	return func(p parsed) []mcp.Side {
		var sides []mcp.Side
		leaves(p.root, "", 0, func(name, value string, at *syntax.Node) {
			last := name[strings.LastIndexByte(name, '.')+1:]
			isHarmless := func(prefix string) bool {
				return name == prefix || last == prefix || strings.HasPrefix(name, prefix+".")
			}
			switch {
			case slices.ContainsFunc(harmless, isHarmless), last == "enableStrictSsl" && value == "true", len(sides) == maxSides:
			case identity.DecidesCode(family+shouted(name), value):
				side := setting(p.file, name, value, keyOf(at))
				if strings.HasPrefix(value, ".yarn/releases/yarn-") {
					side.Means = ".yarn/releases" // another version of it
				}
				sides = append(sides, side)
			}
		})
		return sides
	}
}

// shouted writes the name of a setting as variables have it: npmRegistryServer is
// NPM_REGISTRY_SERVER.
func shouted(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(c)
	}
	return strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(b.String()))
}

// These do not decide which code runs, in files that have more than settings: credentials for a
// registry, what is printed, the layout of a project, and what is compared per package.
var (
	harmlessYarn = []string{
		"compressionLevel", "defaultSemverRangePrefix", "enableColors", "enableGlobalCache", "enableHyperlinks", "enableImmutableInstalls",
		"enableInlineBuilds", "enableInlineHunks", "enableMessageNames", "enableNetwork", "enableProgressBars", "enableTelemetry",
		"enableTimers", "httpRetry", "httpTimeout", "initFields", "initScope", "logFilters", "networkConcurrency", "nmHoistingLimits", "nmMode",
		"nodeLinker", "npmAlwaysAuth", "npmAuthIdent", "npmAuthToken", "npmMinimalAgeGate", "npmPublishAccess", "npmPublishProvenance",
		"npmPublishRegistry", "npmRegistries", "packageExtensions", "pnpFallbackMode", "pnpMode", "preferInteractive", "preferTruncatedLines",
		"progressBarStyle", "supportedArchitectures", "taskPoolConcurrency", "telemetryInterval", "telemetryUserId", "tsEnableAutoTypes",
		"winLinkType",
	}
	harmlessBun = []string{
		"install.auto", "install.dev", "install.dryRun", "install.exact", "install.frozenLockfile", "install.linker", "install.lockfile",
		"install.minimumReleaseAge", "install.optional", "install.peer", "install.production", "install.saveTextLockfile", "logLevel", "password", "run.bun",
		"run.silent", "smol", "telemetry", "test", "token", "username",
	}
	harmlessPNPM = []string{
		"allowedDeprecatedVersions", "catalog", "catalogMode", "catalogs", "cleanupUnusedCatalogs", "dependenciesMeta", "minimumReleaseAge",
		"minimumReleaseAgeExclude", "overrides", "packageExtensions", "packages", "patchedDependencies", "peerDependencyRules",
		"supportedArchitectures", "updateConfig",
	}
	harmlessUV = []string{
		"build-backend", "cache-keys", "check-url", "config-settings", "conflicts", "constraint-dependencies", "default-groups", "dependency-groups",
		"dependency-metadata", "dev-dependencies", "environments", "extra-build-dependencies", "fork-strategy", "managed", "override-dependencies",
		"package", "pip", "prerelease", "preview", "name", "publish-url", "reinstall", "reinstall-package", "required-environments",
		"required-version", "resolution", "sources", "trusted-publishing", "upgrade", "upgrade-package", "workspace",
	}
)

// maxDepth is how deep settings are looked through.
const maxDepth = 6

// leaves visits the values of a tree with their names, those of members joined with dots. Elements
// of lists have the name of their list, and their own behind it where they are objects.
func leaves(n *syntax.Node, name string, depth int, visit func(name, value string, at *syntax.Node)) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case syntax.Object:
		for _, member := range n.Nodes {
			leaves(member, strings.TrimPrefix(name+"."+member.Name, "."), depth+1, visit)
		}
	case syntax.Array:
		for _, element := range n.Nodes {
			leaves(element, name, depth+1, visit)
		}
	default:
		visit(name, n.Text, n)
	}
}

// keyOf returns where a value stands: its key, or itself in a list.
func keyOf(n *syntax.Node) syntax.Span {
	if n == nil {
		return syntax.Span{}
	}
	if n.Key.IsZero() {
		return n.Value
	}
	return n.Key
}

// uvSettings reads the settings of uv that decide where packages and interpreters are from.
func uvSettings(p parsed, root *syntax.Node, prefix string) []mcp.Side {
	sides := flat("UV_", harmlessUV)(parsed{p.file, root})
	for i := range sides {
		sides[i].Name = prefix + sides[i].Name
	}
	return sides
}

// uvPackages reads what the settings of uv say of the packages that are run.
func (st *started) uvPackages(p parsed, prefix string) []mcp.Side {
	var sides []mcp.Side
	for _, n := range membersOf(p.root.Get("sources")) {
		if slices.Contains(st.python, identity.PyPIName(n.Name)) && len(sides) < maxSides {
			sides = append(sides, setting(p.file, prefix+"sources."+n.Name, textWritten(p.file, n), n.Key))
		}
	}
	for _, list := range []string{"override-dependencies", "constraint-dependencies"} {
		for _, n := range nodesOf(p.root.Get(list)) {
			name, address, isAddress := strings.Cut(textOf(n), "@")
			if isAddress && slices.Contains(st.python, identity.PyPIName(strings.TrimSpace(name))) && len(sides) < maxSides {
				sides = append(sides, setting(p.file, prefix+list, strings.TrimSpace(address), n.Value))
			}
		}
	}
	return sides
}

// textWritten returns a value as it is written, on one line.
func textWritten(file *syntax.File, n *syntax.Node) string {
	if n.Kind == syntax.String {
		return n.Text
	}
	return strings.Join(strings.Fields(string(file.Bytes[n.Value.Start:n.Value.End])), " ")
}

// scripts returns the scripts of a manifest that are run, and the recipe of a target.
func (st *started) scripts() []decider {
	switch {
	case st.script != "":
		file := path.Join(st.dir, "package.json")
		return []decider{st.asked(file, []string{"scripts", st.script}, st.scriptsIn)}
	case st.target != "":
		names := []string{path.Join(st.dir, "GNUmakefile"), path.Join(st.dir, "makefile"), path.Join(st.dir, "Makefile")} // as make looks for them
		return []decider{{files: names, read: func(ctx context.Context, in *side) []mcp.Side {
			for _, name := range names {
				if file := in.file(ctx, name); file != nil {
					return in.said.get(name+"\x00"+st.target, func() []mcp.Side { return recipe(file, st.target) })
				}
			}
			return nil
		}}}
	}
	return nil
}

// maxScripts is how many scripts of a manifest are followed from one to the next.
const maxScripts = 20

// scriptsIn returns the script that is run, those before and after it, and those that they run in
// their turn.
func (st *started) scriptsIn(p parsed) []mcp.Side {
	all := p.root.Get("scripts")
	var sides []mcp.Side
	queue, seen := []string{st.script}, map[string]bool{}
	for len(queue) > 0 && len(sides) < maxScripts {
		name := queue[0]
		queue = queue[1:]
		for _, name := range []string{"pre" + name, name, "post" + name} {
			n := all.Get(name)
			if seen[name] || textOf(n) == "" {
				continue
			}
			seen[name] = true
			side := setting(p.file, "the script "+name, n.Text, n.Key)
			side.Kind = mcp.SideScript
			sides = append(sides, side)
			words := strings.Fields(n.Text)
			for i, word := range words {
				if i > 0 && runsScript(words[:i]) && textOf(all.Get(word)) != "" && len(queue) < maxScripts {
					queue = append(queue, word)
				}
			}
		}
	}
	return sides
}

// runsScript reports whether words of a line before another one say that it may be a script's name.
func runsScript(before []string) bool {
	return slices.ContainsFunc(before[max(0, len(before)-3):], func(word string) bool {
		return word == "run" || word == "run-script" || strings.HasPrefix(word, "npm-run-") || strings.HasPrefix(word, "run-") || slices.Contains(npmFamily, word)
	})
}

// recipe returns what make runs for a target: the lines behind it that begin with a tab, and its
// prerequisites.
func recipe(file *syntax.File, target string) []mcp.Side {
	var side *mcp.Side
	for line := range linesOf(file) {
		switch {
		case strings.HasPrefix(line.value, "\t"):
			if side != nil {
				side.Value += strings.TrimSpace(line.value) + "\n"
			}
			continue
		case side != nil && side.Value != "":
			return finished(side)
		}
		targets, rest, isRule := strings.Cut(line.value, ":")
		if isRule && !strings.HasPrefix(rest, "=") && slices.Contains(strings.Fields(targets), target) {
			side = &mcp.Side{Kind: mcp.SideScript, Name: "the target " + target, File: file, Span: line.span}
			if inline := strings.TrimSpace(rest); inline != "" {
				side.Value = inline + "\n"
			}
		}
	}
	return finished(side)
}

func finished(side *mcp.Side) []mcp.Side {
	if side == nil {
		return nil
	}
	side.Value = strings.TrimSpace(side.Value)
	side.Means = side.Value
	return []mcp.Side{*side}
}
