package mcp

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// Facts are what is known of a project's servers from elsewhere than the files
// that configure them. Who fills them says from where.
type Facts struct {
	// Installed says of servers which of their packages are taken from the
	// project and not fetched; nil where none is.
	Installed map[*Server][]InstalledPackage
	// Beside holds, for each server, the packages that the project has at one version although the
	// launcher fetches them; nil if there are none.
	Beside map[*Server][]InstalledPackage
	// Own says of packages and images that servers of the project fetch without an exact
	// version, as identity.Fetched.String writes them, whether the repository publishes them.
	Own map[string]bool
	// Packages are those that are made in the repository and that a manifest or a server
	// of the project speaks of: nil where there is neither.
	Packages []*SourcePackage
	// Stamped are the names of manifests, without directory, into which a workflow of
	// the repository writes when it releases: what is committed says nothing.
	Stamped map[string]bool
	// Mentioned are the names of servers in texts for agents, if a caller asked for them.
	Mentioned map[string]bool
	// Plugins say their own version, by the directories that a marketplace lists.
	Plugins map[string]PluginVersion
	// Scripts are the digests, as of today, of the repository's programs in a lockfile of mcplumb,
	// by its entries and by algorithm, in hex; nil if there are none.
	Scripts map[*LockEntry]map[string]string
	// Absent holds, for each server, the script that it runs and the repository does not have, if
	// nothing says that it is made before the server starts; nil if there are none.
	Absent map[*Server]AbsentFile
	// Sides are what files outside the configuration decide about servers, if these files have
	// changed since the base; nil if nothing is compared.
	Sides map[*Server][]*Side
}

// InstalledPackage is a package of a launch that its launcher takes from where the
// project has it, and does not fetch.
type InstalledPackage struct {
	// Asked is the package as the launch names it, as identity.Fetched.String
	// writes it.
	Asked string
	// Name is the package that is run. It differs where the launch names a
	// program of it.
	Name string
	// Version is the one version that File says; "" for the repository's own
	// package, and where the file does not say.
	Version string
	// File is the lockfile or manifest that says so, from the repository root.
	File string
	// IsUnknown reports that File cannot be read: the package may be in it at any
	// version, or not.
	IsUnknown bool
}

// InstalledFor returns where a package of a server is taken from, or nil if it
// is fetched or nothing is known of it.
func (p *Project) InstalledFor(s *Server, pkg identity.Fetched) *InstalledPackage {
	return installedAs(p.Facts.Installed[s], pkg)
}

// BesideFor returns where the project has a package that the launcher still fetches, or nil.
func (p *Project) BesideFor(s *Server, pkg identity.Fetched) *InstalledPackage {
	return installedAs(p.Facts.Beside[s], pkg)
}

// installedAs returns the first package that was requested in the same way as the launch requests it, or nil.
func installedAs(all []InstalledPackage, pkg identity.Fetched) *InstalledPackage {
	if all == nil {
		return nil
	}
	i := slices.IndexFunc(all, func(in InstalledPackage) bool { return in.Asked == pkg.String() })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// AbsentFile is a script that is not where a server looks for it.
type AbsentFile struct {
	// Path is where it would be, from the repository root; Elsewhere the only script with its name
	// in the repository, "" if there is none or more than one.
	Path, Elsewhere string
}
