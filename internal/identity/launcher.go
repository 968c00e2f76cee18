package identity

import (
	"slices"
	"sort"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// launcher is a program whose command line says which server it runs, fetches or
// reaches.
type launcher struct {
	// name is the program's bare name, as the name that people use first of a
	// program that has several.
	name, as string
	// read is how its command line is read; options, manager, wrapper and
	// interpreter are the grammar, where programs that are read alike differ.
	read        reader
	options     *options
	manager     *manager
	wrapper     *wrapper
	interpreter *interpreter
	environment *environment
	// takes are the kinds of packages that it uses from the project it is started in, if they are
	// installed there: those that are requested without a version, and with ranged those of a
	// version range.
	takes  []Kind
	ranged bool
	// expands reports that it expands variables among its arguments; elsewhere that its arguments
	// refer to things in a container or on another machine; interprets that it takes a program from
	// standard input; scanned that it is worth finding after an unknown program.
	expands, elsewhere, interprets, scanned bool
	// numbered reports that its name may carry a version: python3.12, php8.4.
	numbered bool
}

// reader is a way to read a command line. It is a number, not the method itself:
// what is called through a variable makes the resolver escape to the heap, and a
// table that holds methods cannot be used by them.
type reader uint8

const (
	readWrapper reader = iota
	// Programs that start another one in a way of their own.
	readCmd
	readDotenv
	readEnv
	readEnvironment
	readPowerShell
	readShell
	readWSL
	// Launchers of packages and files.
	readCargo
	readCompose
	readContainer
	readDeno
	readDNX
	readDotnet
	readGo
	readJava
	readManager
	readNix
	readNPX
	readPipx
	readPython
	readPythonProject
	readScript
	readTarget
	readUV
	readUVX
	// Bridges.
	readFastMCP
	readGateway
	readMCPorter
	readMCPProxy
	readMCPRemote
	readSmithery
	readSSH
	readSupergateway
)

// launchers are all programs that are understood, sorted by name.
var launchers = []launcher{
	{name: "arch", read: readWrapper, wrapper: &archWrapper},
	{name: "asdf", read: readWrapper, wrapper: &asdfWrapper},
	{name: "ash", read: readShell, interprets: true, scanned: true},
	{name: "aws-vault", read: readWrapper, wrapper: &awsVaultWrapper},
	{name: "bash", read: readShell, interprets: true, scanned: true},
	{name: "bun", read: readManager, manager: &bunManager, takes: []Kind{NPM}, interprets: true},
	{name: "bunx", read: readNPX, options: &bunxOptions, takes: []Kind{NPM}},
	{name: "caffeinate", read: readWrapper, wrapper: &plainWrapper},
	{name: "cargo", read: readCargo},
	{name: "chamber", read: readWrapper, wrapper: &chamberWrapper},
	{name: "cmd", read: readCmd, interprets: true, scanned: true, expands: true},
	{name: "command", read: readWrapper, wrapper: &plainWrapper},
	{name: "conda", read: readWrapper, wrapper: &condaWrapper},
	{name: "cross-env", read: readWrapper, wrapper: &crossEnvWrapper},
	{name: "dash", read: readShell, interprets: true, scanned: true},
	{name: "ddev", read: readEnvironment, environment: &ddevEnvironment},
	{name: "deno", read: readDeno, takes: []Kind{JSR, NPM}, ranged: true, interprets: true},
	{name: "direnv", read: readWrapper, wrapper: &direnvWrapper, expands: true, scanned: true},
	{name: "dnx", read: readDNX, takes: []Kind{NuGet}},
	{name: "doas", read: readWrapper, wrapper: &sudoWrapper},
	{name: "docker", read: readContainer, elsewhere: true, scanned: true},
	{name: "docker-compose", read: readCompose, elsewhere: true, scanned: true},
	{name: "doppler", read: readWrapper, wrapper: &dopplerWrapper},
	{name: "dotenv", read: readDotenv, expands: true, scanned: true},
	{name: "dotenvx", read: readWrapper, wrapper: &dotenvxWrapper, expands: true, scanned: true},
	{name: "dotnet", read: readDotnet, takes: []Kind{NuGet}},
	{name: "dx", read: readDeno, takes: []Kind{JSR, NPM}, ranged: true},
	{name: "elixir", read: readScript, interpreter: &plainInterpreter},
	{name: "env", read: readEnv},
	{name: "envmcp", read: readWrapper, wrapper: &envmcpWrapper, expands: true, scanned: true},
	{name: "exec", read: readWrapper, wrapper: &execWrapper},
	{name: "fastmcp", read: readFastMCP},
	{name: "fastmcp-remote", read: readMCPRemote},
	{name: "fish", read: readShell, interprets: true, scanned: true},
	{name: "fnm", read: readWrapper, wrapper: &fnmWrapper},
	{name: "go", read: readGo},
	{name: "hatch", read: readPythonProject},
	{name: "infisical", read: readWrapper, wrapper: &infisicalWrapper},
	{name: "ionice", read: readWrapper, wrapper: &ioniceWrapper},
	{name: "java", read: readJava},
	{name: "julia", read: readScript, interpreter: &plainInterpreter},
	{name: "just", read: readTarget, expands: true},
	{name: "ksh", read: readShell, interprets: true, scanned: true},
	{name: "lando", read: readEnvironment, environment: &landoEnvironment},
	{name: "lua", read: readScript, interpreter: &plainInterpreter, numbered: true},
	{name: "make", read: readTarget, expands: true},
	{name: "mamba", read: readWrapper, wrapper: &condaWrapper},
	{name: "mcp", read: readFastMCP},
	{name: "mcp-gateway", read: readGateway},
	{name: "mcp-proxy", read: readMCPProxy},
	{name: "mcp-remote", read: readMCPRemote},
	{name: "mcp-remote-client", as: "mcp-remote", read: readMCPRemote},
	{name: "mcporter", read: readMCPorter},
	{name: "micromamba", read: readWrapper, wrapper: &condaWrapper},
	{name: "mise", read: readWrapper, wrapper: &miseWrapper},
	{name: "nerdctl", read: readContainer, elsewhere: true, scanned: true},
	{name: "nice", read: readWrapper, wrapper: &niceWrapper},
	{name: "nix", read: readNix},
	{name: "node", read: readScript, interpreter: &nodeInterpreter, numbered: true, interprets: true},
	{name: "nodejs", as: "node", read: readScript, interpreter: &nodeInterpreter},
	{name: "nodemon", read: readScript, interpreter: &nodemonInterpreter},
	{name: "nohup", read: readWrapper, wrapper: &plainWrapper},
	{name: "npm", read: readManager, manager: &npmManager, takes: []Kind{NPM}, ranged: true},
	{name: "npx", read: readNPX, options: &npxOptions, takes: []Kind{NPM}, ranged: true, scanned: true},
	{name: "nvm", read: readWrapper, wrapper: &nvmWrapper},
	{name: "op", read: readWrapper, wrapper: &opWrapper},
	{name: "osascript", read: readScript, interpreter: &plainInterpreter},
	{name: "pdm", read: readPythonProject},
	{name: "perl", read: readScript, interpreter: &plainInterpreter, numbered: true, interprets: true},
	{name: "php", read: readScript, interpreter: &phpInterpreter, numbered: true, interprets: true},
	{name: "pipenv", read: readPythonProject},
	{name: "pipx", read: readPipx},
	{name: "pixi", read: readPythonProject},
	{name: "pnpm", read: readManager, manager: &pnpmManager},
	{name: "pnpx", read: readNPX, options: &dlxOptions},
	{name: "pnx", read: readNPX, options: &dlxOptions},
	{name: "podman", read: readContainer, elsewhere: true, scanned: true},
	{name: "podman-compose", read: readCompose, elsewhere: true, scanned: true},
	{name: "poetry", read: readPythonProject},
	{name: "powershell", read: readPowerShell, interprets: true, scanned: true},
	{name: "pwsh", read: readPowerShell, interprets: true, scanned: true},
	{name: "py", read: readPython, interprets: true},
	{name: "pypy", read: readPython, numbered: true},
	{name: "python", read: readPython, numbered: true, interprets: true},
	{name: "pythonw", read: readPython, numbered: true},
	{name: "rake", read: readTarget},
	{name: "rscript", read: readScript, interpreter: &plainInterpreter},
	{name: "rtx", as: "mise", read: readWrapper, wrapper: &miseWrapper},
	{name: "ruby", read: readScript, interpreter: &plainInterpreter, numbered: true, interprets: true},
	{name: "rye", read: readPythonProject},
	{name: "sail", read: readEnvironment, environment: &sailEnvironment},
	{name: "setsid", read: readWrapper, wrapper: &plainWrapper},
	{name: "sh", read: readShell, interprets: true, scanned: true},
	{name: "smithery", read: readSmithery},
	{name: "ssh", read: readSSH, elsewhere: true, scanned: true, expands: true},
	{name: "stdbuf", read: readWrapper, wrapper: &stdbufWrapper},
	{name: "sudo", read: readWrapper, wrapper: &sudoWrapper},
	{name: "supergateway", read: readSupergateway},
	{name: "task", read: readTarget, expands: true},
	{name: "teller", read: readWrapper, wrapper: &tellerWrapper},
	{name: "time", read: readWrapper, wrapper: &plainWrapper},
	{name: "timeout", read: readWrapper, wrapper: &timeoutWrapper},
	{name: "ts-node", read: readScript, interpreter: &tsNodeInterpreter},
	{name: "ts-node-esm", read: readScript, interpreter: &tsNodeInterpreter},
	{name: "tsx", read: readScript, interpreter: &tsxInterpreter},
	{name: "unbuffer", read: readWrapper, wrapper: &plainWrapper},
	{name: "uv", read: readUV, takes: []Kind{PyPI}, ranged: true},
	{name: "uvx", read: readUVX},
	{name: "varlock", read: readWrapper, wrapper: &tellerWrapper},
	{name: "volta", read: readWrapper, wrapper: &voltaWrapper},
	{name: "wsl", read: readWSL},
	{name: "xvfb-run", read: readWrapper, wrapper: &xvfbWrapper},
	{name: "yarn", read: readManager, manager: &yarnManager},
	{name: "zsh", read: readShell, interprets: true, scanned: true},
}

// launcherNames are the launchers by their names, as every program is looked up.
var launcherNames = byName(launchers)

func byName(launchers []launcher) map[string]*launcher {
	names := make(map[string]*launcher, len(launchers))
	for i := range launchers {
		names[launchers[i].name] = &launchers[i]
	}
	return names
}

// launcherNamed returns the launcher of a bare name, or nil.
func launcherNamed(name string) *launcher { return launcherNames[name] }

// launcherOf returns the launcher that a program word names, or nil. It ignores the directory,
// ".exe", the version ("/usr/bin/php8.4" is php), and the letter case. A file that only has a
// launcher's name (./docker.sh, ./bin/npx, /tmp/npx) does not count: it is a launcher only in a
// directory where programs are installed.
func launcherOf(text string) *launcher {
	slash := strings.LastIndexAny(text, `/\`)
	dir, base := text[:slash+1], ascii.Lower(text[slash+1:])
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		switch base[dot:] {
		case ".exe", ".cmd", ".bat", ".ps1":
			base = base[:dot]
		case ".sh":
			if dir == "" {
				base = base[:dot]
			}
		}
	}
	l := launcherNamed(base)
	if l == nil {
		l = launcherNamed(strings.TrimRight(base, "0123456789."))
		if l == nil || !l.numbered {
			return nil
		}
	}
	if dir != "" && !l.isInstalledIn(dir) {
		return nil
	}
	return l
}

// ProgramName returns the bare name of a program: without directory and ".exe",
// in small letters.
func ProgramName(word string) string {
	if at := strings.LastIndexAny(word, `/\`); at < len(word)-1 {
		word = word[at+1:]
	}
	word = strings.ToLower(word)
	for _, extension := range [...]string{".exe", ".cmd", ".bat"} {
		word = strings.TrimSuffix(word, extension)
	}
	return word
}

// Interprets reports whether a program takes a program from standard input, if it
// is given none: a shell, python, node.
func Interprets(word string) bool {
	l := launcherOf(ProgramName(word))
	return l != nil && l.interprets
}

// title returns the name that a launcher is known by.
func (l *launcher) title() string {
	if l.as != "" {
		return l.as
	}
	return l.name
}

// tool is a package that contains a launcher: then the package is not the server.
type tool struct {
	kind          Kind
	name, program string
}

// tools are such packages and images, sorted by kind and name.
var tools = []tool{
	{NPM, "@dotenvx/dotenvx", "dotenvx"},
	{NPM, "@smithery/cli", "smithery"},
	{NPM, "bun", "bun"},
	{NPM, "cross-env", "cross-env"},
	{NPM, "deno", "deno"},
	{NPM, "dotenv-cli", "dotenv"},
	{NPM, "envmcp", "envmcp"},
	{NPM, "fastmcp", "fastmcp"},
	{NPM, "mcp-proxy", "mcp-proxy"},
	{NPM, "mcp-remote", "mcp-remote"},
	{NPM, "mcporter", "mcporter"},
	{NPM, "node", "node"},
	{NPM, "nodemon", "nodemon"},
	{NPM, "pnpm", "pnpm"},
	{NPM, "supergateway", "supergateway"},
	{NPM, "ts-node", "ts-node"},
	{NPM, "tsx", "tsx"},
	{NPM, "yarn", "yarn"},
	{OCI, "docker.io/docker/mcp-gateway", "mcp-gateway"},
	{OCI, "docker.io/supercorp/supergateway", "supergateway"},
	{OCI, "ghcr.io/sparfenyuk/mcp-proxy", "mcp-proxy"},
	{OCI, "ghcr.io/supercorp-ai/supergateway", "supergateway"},
	{PyPI, "fastmcp", "fastmcp"},
	{PyPI, "fastmcp-remote", "fastmcp-remote"},
	{PyPI, "mcp", "mcp"},
	{PyPI, "mcp-proxy", "mcp-proxy"},
	{PyPI, "pipx", "pipx"},
	{PyPI, "poetry", "poetry"},
	{PyPI, "python-dotenv", "dotenv"},
	{PyPI, "uv", "uv"},
}

// toolOf returns the launcher that a package contains, or nil.
func toolOf(kind Kind, name string) *launcher {
	at, found := sort.Find(len(tools), func(i int) int {
		if order := strings.Compare(string(kind), string(tools[i].kind)); order != 0 {
			return order
		}
		return strings.Compare(name, tools[i].name)
	})
	if !found {
		return nil
	}
	return launcherNamed(tools[at].program)
}

// isNodeTool reports whether a launcher is one that projects install with npm to
// run something else, so that "npm run tsx" is no script called tsx.
func (l *launcher) isNodeTool() bool {
	return l != nil && l.manager == nil && l.read != readDeno &&
		slices.ContainsFunc(tools, func(t tool) bool { return t.kind == NPM && t.program == l.name })
}

// step passes the program to the reader of its command line.
func (r *resolver) step(l *launcher) outcome {
	r.parts.reach(l, r.prog, r.args)
	switch l.read {
	case readWrapper:
		return r.wrapper(l)
	case readCmd:
		return r.cmd()
	case readDotenv:
		return r.dotenv()
	case readEnv:
		return r.envCommand()
	case readEnvironment:
		return r.environment(l)
	case readPowerShell:
		return r.powershell(l.name)
	case readShell:
		return r.shell(l.name)
	case readWSL:
		return r.wsl()
	case readCargo:
		return r.cargo()
	case readCompose:
		return r.compose(l.name, r.args)
	case readContainer:
		return r.container(l.name)
	case readDeno:
		return r.deno(l.name)
	case readDNX:
		return r.dnx(l.name, r.args)
	case readDotnet:
		return r.dotnet()
	case readGo:
		return r.golang()
	case readJava:
		return r.java()
	case readManager:
		return r.packageManager(l)
	case readNix:
		return r.nix()
	case readNPX:
		return r.npx(l)
	case readPipx:
		return r.pipx()
	case readPython:
		return r.python()
	case readPythonProject:
		return r.pythonProject(l.name)
	case readScript:
		return r.script(l)
	case readTarget:
		return r.target(l.name)
	case readUV:
		return r.uv()
	case readUVX:
		return r.fetchPyPI(l.name, r.args)
	case readFastMCP:
		return r.fastmcp(l.name)
	case readGateway:
		return r.gateway(r.args)
	case readMCPorter:
		return r.mcporter()
	case readMCPProxy:
		return r.mcpProxy()
	case readMCPRemote:
		return r.mcpRemote(l.title())
	case readSmithery:
		return r.smithery()
	case readSupergateway:
		return r.supergateway()
	case readSSH:
		return unknown // what runs there is another machine's
	}
	return unknown
}

// try reads a program as a launcher. Where that is not used in a known way,
// nothing has happened.
func (r *resolver) try(l *launcher, prog Word, args []Word) outcome {
	if r.depth >= maxDepth {
		return unknown
	}
	before := *r
	r.depth++
	r.prog, r.args = prog, args
	o := r.step(l)
	if o == unknown {
		*r = before
	}
	return o
}

// IsLauncher reports whether a program word names a launcher: npx, docker, python.
func IsLauncher(word string) bool { return launcherOf(word) != nil }
