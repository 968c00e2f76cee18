package mcp

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Cargo is the kind of a crate. No launcher fetches one, so no server is identified by it.
const Cargo identity.Kind = "cargo"

// Manifest is what a file says of the one thing that it describes: a published server,
// a plugin, a bundle.
type Manifest struct {
	Name, Version identity.Word
	// Packages are those that a published server can be had as.
	Packages []PublishedPackage
	// Repository is the URL of the source repository, Subfolder the directory of the
	// server in it; "" where nothing says.
	Repository, Subfolder string
	// Entries are the plugins of the repository that a marketplace lists with a version.
	Entries []ListedPlugin
}

// ListedPlugin is an entry of a marketplace.
type ListedPlugin struct {
	Name, Version identity.Word
	// Dir is the directory of the plugin, from the root of the repository.
	Dir string
}

// PluginVersion is what the manifest of a plugin says of its version.
type PluginVersion struct {
	File    *syntax.File
	Version identity.Word
}

// PublishedPackage is a package that a manifest of the registry names.
type PublishedPackage struct {
	Kind identity.Kind
	// Name is the package, in the spelling of its kind; of an image it has no tag.
	Name string
	// Identifier is the name as written, Version the version next to it, or the tag in the
	// identifier of an image.
	Identifier, Version identity.Word
}

// SourcePackage is a package that is made in the repository, as the manifest of its
// package manager says.
type SourcePackage struct {
	Kind identity.Kind
	// Dir is its directory, File its manifest.
	Dir  string
	File *syntax.File
	// Name is in the spelling of its kind. Version has no text if the manifest does not say which
	// one is released: it is computed, or only a placeholder.
	Name    string
	Written identity.Word // the name as written
	Version identity.Word
	// MCPNames are the names in the MCP registry that the package says it belongs to:
	// of npm the one in its manifest, of PyPI those in the README that it shows, which
	// is NamesFile.
	MCPNames  []identity.Word
	NamesFile *syntax.File
	// Private reports that it is published nowhere, Workspace that it holds others.
	Private, Workspace bool
	// Lags reports that the release raises the version elsewhere: the one here may be older than
	// the latest.
	Lags bool
}

// Key is what packages of one kind and name have in common.
func (p *SourcePackage) Key() string { return PackageKey(p.Kind, p.Name) }

// PackageKey is the key of a package of a kind and name.
func PackageKey(kind identity.Kind, name string) string { return string(kind) + ":" + name }
