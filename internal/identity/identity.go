// Package identity determines what a configured MCP server really runs: which package, image,
// program or URL, however it is spelled. It peels wrappers (cmd /c, env, sh -c …), launchers (npx,
// uvx, docker run …) and bridges (mcp-remote, supergateway …).
//
// Everything here is a pure function over data: nothing is started, looked up or read from disk.
package identity

import (
	"iter"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Word is a piece of a launch as decoded, with the span it was written in.
type Word = shell.Word

// Pair is one environment variable or HTTP header.
type Pair struct{ Name, Value Word }

// Launch is an entry as its client understands it: what to start or where to
// connect, exactly as written.
type Launch struct {
	// Command is the program; Args are its arguments. Clients that write both
	// as one array have been split already.
	Command Word
	Args    []Word
	// Env are variables set for the process; PassEnv are names handed through
	// from the environment the client runs in (Codex env_vars).
	Env     []Pair
	PassEnv []Word
	// EnvFile is a file with more variables that the client reads (VS Code envFile), as written. It
	// is part of the configuration, not of what runs.
	EnvFile Word
	// Cwd is the working directory as written.
	Cwd Word
	// URL and Headers describe a remote server.
	URL     Word
	Headers []Pair
	// Transport is what the entry declares, in one spelling: "stdio", "http" (streamable HTTP),
	// "sse", "ws", or "" if it declares none.
	Transport string
}

// Context is what an entry's place in the repository decides.
type Context struct {
	// Dir is the directory that relative paths start from: slash-separated and
	// clean, from the repository root, "" for the root itself.
	Dir string
	// Project is the project's directory, "." for the root, if its client starts programs in
	// another one, which is Dir; else "". An entry that names it as the working directory adds no
	// information: other clients use it by default.
	Project string
	// Vars are the client's path variables by bare name ("workspaceFolder", "CLAUDE_PLUGIN_ROOT",
	// "extensionPath"), each with the directory that it refers to, in the form of Dir.
	Vars map[string]string
}

// Kind is the kind of thing a server is: the part before the colon.
type Kind string

// The kinds of identity.
const (
	None      Kind = ""          // a placeholder: equal to nothing, not even to itself
	NPM       Kind = "npm"       // an npm package
	PyPI      Kind = "pypi"      // a PyPI package, name normalised (PEP 503)
	NuGet     Kind = "nuget"     // a NuGet package, lower-cased
	Go        Kind = "go"        // a Go package path
	JSR       Kind = "jsr"       // a JSR package
	OCI       Kind = "oci"       // an image, registry and library/ spelled out
	URL       Kind = "url"       // a remote endpoint
	Git       Kind = "git"       // a git repository that is fetched and run
	FileKind  Kind = "file"      // a file or directory of this repository, or an absolute path
	Exec      Kind = "exec"      // a bare program found on PATH
	Container Kind = "container" // a running container or compose service
	Smithery  Kind = "smithery"  // a Smithery qualified name
	Catalog   Kind = "catalog"   // names in the Docker MCP catalog
	MCPB      Kind = "mcpb"      // an MCP bundle
	Opaque    Kind = "opaque"    // text whose meaning is not certain: equal only to itself
)

// VersionKind says how firmly a version is pinned.
type VersionKind uint8

// How firmly a version is pinned.
const (
	NoVersion VersionKind = iota // no version is given: the newest runs
	Tag                          // a dist-tag, image tag, branch or short git ref
	Range                        // a version range
	Exact                        // one version, image digest or full git SHA
)

// Version is the version that an entry requests.
type Version struct {
	Kind VersionKind
	Text string      // as written, without "@" or "=="
	Span syntax.Span // of Text inside its word when it is written plainly there, else of the word
}

// Identity is what an entry really runs, and what else its launch says.
type Identity struct {
	Kind Kind
	// Name is canonical within Kind: "@upstash/context7-mcp",
	// "https://mcp.linear.app/sse", "tools/server.js".
	Name string
	// Span is the word Name was read from: package, image, URL or script.
	Span syntax.Span
	// Selector tells servers of one package, image, URL or directory apart:
	// sub-command words, a program of another name, query parameters ("k=v",
	// sorted, secrets masked), a script's name, a working directory.
	Selector []string
	Version  Version
	// Launcher is the bare name of the program that fetches or runs the server
	// ("npx", "uvx", "docker", "node"), "" for remote entries.
	Launcher string
	// Bridge is the program that turns a URL into stdio, or nil without one.
	Bridge *Bridge
	// Fetched are the packages that launchers fetch on the way to the server,
	// outermost first: bridges, and tools that run something else (tsx, fastmcp,
	// supergateway --stdio).
	Fetched []Fetched
	// Addresses are the archives and scripts that launchers fetch from an address, which does not
	// reveal their name and version, in the order in which they are read.
	Addresses []FetchedFrom
	// Installed reports that the package is run from where it is installed, and
	// never fetched: a file in node_modules, npx --no-install.
	Installed bool
	// NamesSource reports that the launch says itself where its packages are fetched from:
	// uvx --index-url, npm_config_registry.
	NamesSource bool
	// Transport is how the server itself is reached, without the bridge: "stdio", "http", "sse",
	// "ws" or "" (a URL without a known transport).
	Transport string
	// Plain reports that the URL is written with http, not https.
	Plain bool
}

// Bridge is a program between a client that speaks stdio and a URL. If a launcher fetches it, it is
// also among Identity.Fetched.
type Bridge struct {
	// Name is the program's bare name ("mcp-remote"); Span is its word.
	Name string
	Span syntax.Span
	// Source and Version tell where it comes from (NPM, PyPI, OCI) and which version the launch
	// requests; Source is None for a bridge found on PATH.
	Source  Kind
	Version Version
	// Options reports that it is given options that no client has an own
	// setting for (OAuth client data, ignored tools, proxies).
	Options bool
}

// Fetched is a package that a launcher fetches and starts.
type Fetched struct {
	Kind    Kind
	Name    string
	Span    syntax.Span // of the word it is written in
	Version Version
	// Launcher is the bare name of the program that fetches it.
	Launcher string
	// Beside reports that it is installed along with what is run, and runs with it: a second npx
	// --package, uvx --with.
	Beside bool
	// NamesSource is that of the launch: Identity.NamesSource.
	NamesSource bool
}

// FetchedFrom is the address of an archive or script that a launcher fetches and runs.
type FetchedFrom struct {
	Word
	// Launcher is the bare name of the program that fetches it.
	Launcher string
}

// Packages returns every package that a launch fetches: what it runs, if that
// is a package, then what it runs it with.
func (id *Identity) Packages() iter.Seq[Fetched] {
	return func(yield func(Fetched) bool) {
		if id.IsPackage() && !yield(Fetched{Kind: id.Kind, Name: id.Name, Span: id.Span, Version: id.Version, Launcher: id.Launcher, NamesSource: id.NamesSource}) {
			return
		}
		for _, f := range id.Fetched {
			f.NamesSource = id.NamesSource
			if !yield(f) {
				return
			}
		}
	}
}

// MayBeInstalled reports whether the launcher uses the package of the project that it is started
// in, if that has installed it.
func (f *Fetched) MayBeInstalled() bool {
	l := launcherNamed(f.Launcher)
	if l == nil || !slices.Contains(l.takes, f.Kind) {
		return false
	}
	return f.Version.Kind == NoVersion || l.ranged && f.Version.Kind == Range
}

// Takes reports whether a version is in the requested range.
func (f *Fetched) Takes(version string) bool {
	asked, err := f.Kind.System().ParseRange(f.Version.Text)
	return err == nil && asked.Contains(version)
}

// String returns the package as Identity.String does.
func (f Fetched) String() string { return string(f.Kind) + ":" + f.Name }

// BridgeName returns the name of the bridge, "" without one.
func (id *Identity) BridgeName() string {
	if id.Bridge == nil {
		return ""
	}
	return id.Bridge.Name
}

// String returns the identity as it is shown: "npm:@upstash/context7-mcp", or
// "" for a placeholder.
func (id *Identity) String() string {
	if id.Kind == None {
		return ""
	}
	return string(id.Kind) + ":" + id.Name
}

// maxShown is how much of a name is shown, in bytes. Something uncertain is named by its whole
// text, which may be a script of any length.
const maxShown = 300

// Shown returns the identity for people, who need only its beginning.
func (id *Identity) Shown() string {
	if id.Kind == None {
		return ""
	}
	return string(id.Kind) + ":" + cut(id.Name, maxShown)
}

// maxOpaque is how much of a text with an uncertain meaning is shown, in bytes: enough to recognize
// it, and no wider than a column of the list.
const maxOpaque = 52

// Title returns the identity as it is shown.
func (id *Identity) Title() string {
	switch {
	case id.Kind == Catalog && id.Name == allOfCatalog:
		return "docker mcp gateway"
	case id.Kind == Opaque:
		return string(id.Kind) + ":" + cut(id.Name, maxOpaque)
	}
	return id.Shown()
}

// InSentence returns the identity as sentences name it. An address, a program and a path need no
// kind; those of registries have their kind in front.
func (id *Identity) InSentence() string {
	switch id.Kind {
	case FileKind:
		path := cut(id.Name, maxShown)
		switch {
		case path == ".":
			return "./"
		case !strings.Contains(path, "/"):
			return "./" + path // else it would read like a program
		}
		return path
	case URL, Exec:
		return cut(id.Name, maxShown)
	case Container:
		return "the container " + cut(id.Name, maxShown)
	case Opaque:
		return cut(id.Name, maxOpaque)
	}
	return id.Title()
}

// cut returns the beginning of a text that is longer, marked as such.
func cut(text string, length int) string {
	if len(text) <= length {
		return text
	}
	return strings.TrimRight(strings.ToValidUTF8(text[:length], ""), " ") + "…"
}

// Key returns identity and selector as one string, the index under which the
// same server is found, or "" for a placeholder. http and https are one.
func (id *Identity) Key() string {
	if id.Kind == None {
		return ""
	}
	name := id.Name
	if id.Kind == URL {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "https:"), "http:")
	}
	key := string(id.Kind) + ":" + name
	if len(id.Selector) > 0 {
		key += "\x00" + strings.Join(id.Selector, "\x00")
	}
	return key
}

// IsOneFile reports whether a release of a kind of package is one file, and so has one hash:
// of PyPI it may be any number of them, and images are made of layers for each platform.
func IsOneFile(kind Kind) bool { return kind == NPM || kind == NuGet }

// IsPackage reports whether the identity is fetched by name from a registry or
// repository: a package, an image or a git repository.
func (id *Identity) IsPackage() bool {
	switch id.Kind {
	case NPM, PyPI, NuGet, Go, JSR, OCI, Git:
		return true
	}
	return false
}

// Host returns the host of a URL, without port and brackets; "" for everything
// else.
func (id *Identity) Host() string {
	host, _ := id.HostPort()
	return strings.Trim(host, "[]")
}

// HostPort returns host and port of a URL, both "" for everything else.
func (id *Identity) HostPort() (host, port string) {
	if id.Kind != URL {
		return "", ""
	}
	_, rest, _ := strings.Cut(id.Name, "://")
	authority, _, _ := strings.Cut(rest, "/")
	if colon := strings.LastIndexByte(authority, ':'); colon >= 0 && !strings.HasSuffix(authority, "]") {
		return authority[:colon], authority[colon+1:]
	}
	return authority, ""
}
