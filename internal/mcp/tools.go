package mcp

import (
	"slices"
	"strings"
)

// Tool is what is known of one program that installs servers for clients and
// keeps files about them: lockfiles, tracking files, packages, manifests.
// Everything in it is data; the table of all tools is below.
type Tool struct {
	// ID is the stable short name ("pml"), Title the name people know ("Casys
	// PML").
	ID, Title string
	// Formats are the formats of the files that are the tool's own.
	Formats []string
	// Partial reports that the tool locks only what it has installed itself: servers without an
	// entry do not concern it, nor do the directories below.
	Partial bool
	// PerTool reports that an entry of its lockfile is one tool of a server, not a
	// server.
	PerTool bool
	// ByProgram reports that an entry of its lockfile is what is run, under all of its names
	// and however often it is there.
	ByProgram bool
	// Hashes is how its lockfile writes the hash of what is locked.
	Hashes HashForm
	// LeavesHashes reports that its lockfile has a place for hashes, and that the
	// tool never fills it.
	LeavesHashes bool
	// HashMember is the member of an entry of its lockfile, behind the version, that takes
	// the hash which a registry publishes; "" where only the tool may write one.
	HashMember string
	// HashesTime reports that the integrity of an entry is a hash of the entry with the
	// time at which it was locked: it is another one whenever that is done again.
	HashesTime bool
	// Refresh is the command that writes the hashes of its registries into its lockfile,
	// "" where none is known.
	Refresh string
	// Of is the format of the files that its lockfile speaks of, in its own
	// directory; "" are those of clients.
	Of string
	// URLsAlone reports that of the arguments of a locked server the tool itself
	// compares only a URL.
	URLsAlone bool
	// Names are the names that the tool makes for entries in files of clients.
	Names MadeNames
	// Off is how the tool itself switches off an entry with such a name that repeats
	// another one, and says so in the entry's description, whether or not the client
	// listens. The zero value where it has no way.
	Off Off
	// Variables begin the variables that every package of the tool fills in by
	// itself.
	Variables []string
	// InstallDir is the variable that the tool fills in with the directory where it
	// installed a bundle; "" if it has none.
	InstallDir string
	// OwnDirectories reports that every bundle of the tool has its own directory: the bundles of a
	// repository are still installed side by side.
	OwnDirectories bool
	// Joint stands between a package and a server in the name that a server gets
	// which another has taken: "package::server"; "" if the tool gives none.
	Joint string
	// OneByName reports that of the servers which packages bring under one name
	// the tool keeps one itself.
	OneByName bool
	// HighestWins reports that of the versions of a server which packages bring the tool takes
	// the highest: a lower one in its lockfile may be out of date.
	HighestWins bool
	// Source is where these facts are from.
	Source string
}

// HashForm is how a tool writes hashes.
type HashForm uint8

// The forms of hashes.
const (
	// Digests are "sha512-<base64>" (Subresource Integrity) or "sha256-<hex>",
	// "sha256:<hex>".
	Digests HashForm = iota
	// NoHashes are kept.
	NoHashes
	// ShortHashes may be four hex digits after "tool:" or "capability:", as well as whole hashes.
	ShortHashes
)

// FillsIn reports whether a text holds a variable that every package of the tool
// fills in by itself.
func (t *Tool) FillsIn(text string) bool {
	return slices.ContainsFunc(t.Variables, func(start string) bool { return strings.Contains(text, start) })
}

// MadeNames are names that a tool makes: PrefixBUNDLE:SERVER, in files of one format. The zero
// value means none.
type MadeNames struct{ Format, Prefix string }

// Bundle returns the bundle in a name that the tool has made.
func (m MadeNames) Bundle(name string) (bundle string, made bool) {
	rest, made := strings.CutPrefix(name, m.Prefix)
	if m.Prefix == "" || !made {
		return "", false
	}
	bundle, _, _ = strings.Cut(rest, ":")
	return bundle, true
}

// Namers returns the tools that make names in files of the format.
func Namers(format string) []*Tool {
	var namers []*Tool
	for _, t := range tools {
		if t.Names.Format == format && t.Names.Prefix != "" {
			namers = append(namers, t)
		}
	}
	return namers
}

// ToolOf returns the tool whose own files are of the format, or nil.
func ToolOf(format string) *Tool {
	for _, t := range tools {
		if slices.Contains(t.Formats, format) {
			return t
		}
	}
	return nil
}

// CopyNames returns the names that a server may get which a package keeps for itself: that
// of the specification, and that of the design document.
func (t *Tool) CopyNames(pkg, server string) []string {
	return []string{server + "#" + pkg, pkg + t.Joint + server}
}

// tools are sorted by ID.
var tools = []*Tool{
	{
		ID: "apm", Title: "apm", Formats: []string{"apm", "apm-lock"},
		Partial: true, Hashes: NoHashes, Of: "apm",
		Source: "microsoft/apm 0.31",
	},
	{
		ID: "ccpkg", Title: "ccpkg", Formats: []string{"ccpkg-archive", "ccpkg-lock", "ccpkg-manifest", "ccpkg-template"},
		Partial: true, Hashes: NoHashes, OneByName: true, Joint: "::", Variables: []string{"${config."}, HighestWins: true,
		Source: "zircote/ccpkg, specification of 2026-02-22",
	},
	{
		ID: "docker-mcp", Title: "Docker MCP Gateway", Formats: []string{"docker-catalog"},
		Source: "docker/mcp-gateway pkg/catalog/types.go",
	},
	{
		ID: "mcp-registry", Title: "server.json", Formats: []string{"server-json"}, Hashes: NoHashes,
		Source: "modelcontextprotocol/registry docs/reference/server-json",
	},
	{
		ID: "mcp-tap", Title: "mcp-tap", Formats: []string{"mcp-tap"},
		URLsAlone: true, LeavesHashes: true, HashMember: "integrity",
		Source: "felipestenzel/mcp-tap v0.6.9, lockfile specification 1",
	},
	{
		ID: "mcplumb-lock", Title: "mcplumb lock", Formats: []string{"mcplumb-lock"}, ByProgram: true, Refresh: "mcplumb lock --online",
		Source: "docs/lock.md",
	},
	{
		ID: "pml", Title: "Casys PML", Formats: []string{"pml-lock"},
		Partial: true, PerTool: true, Hashes: ShortHashes,
		Source: "Casys-AI/casys-pml, 2026-03",
	},
	{
		ID: "prompt-registry", Title: "prompt-registry",
		Formats: []string{"prompt-registry", "prompt-registry-lock", "prompt-registry-tracking"},
		Names:   MadeNames{Format: "vscode", Prefix: "prompt-registry:"}, Off: Off{"disabled", true}, Variables: []string{"${bundle"}, InstallDir: "${bundlePath}", OwnDirectories: true,
		Source: "AmadeusITGroup/prompt-registry, schemas and src/types/mcp.ts",
	},
	{
		ID: "toolpin", Title: "ToolPin", Formats: []string{"toolpin-lock"},
		Partial: true, HashesTime: true,
		Source: "proofofwork-agency/toolpin, lockfileVersion 2, src/plan.ts",
	},
}
