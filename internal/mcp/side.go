package mcp

import "github.com/mcplumb/mcplumb/internal/syntax"

// SideKind says what a Side is.
type SideKind uint8

// The kinds of facts outside the configuration.
const (
	// SideSetting is a setting of a launcher, or what a manifest says about the source of a package.
	SideSetting SideKind = iota
	// SideLocked is what a lockfile has instead of a package: a directory, another package.
	SideLocked
	// SideVariable is a variable in a file of them that the launch names.
	SideVariable
	// SideHash is the hash of a package in a lockfile.
	SideHash
	// SideSource is where a lockfile has a package from. Hosts has all hosts of the lockfile.
	SideSource
	// SideFiles is a package that is committed as it is installed.
	SideFiles
	// SideScript is a script of a manifest that the server runs.
	SideScript
)

// Side is what one place in a file outside the configuration says about which code a server runs.
type Side struct {
	Kind SideKind
	// Name is what is set: "registry", "integrity of acme-tool".
	Name string
	// Value is as written. It may hold secrets: mask it.
	Value string
	// Means is the effect of the value: equal for values that decide the same, and empty for one
	// that leaves the server to its entry.
	Means string
	// Of is the version that the value belongs to: another version has another one.
	Of string
	// Hosts are those that a lockfile has packages from; of a SideSource.
	Hosts []string
	// File is where it stands, with the place in it.
	File *syntax.File
	Span syntax.Span
}
