package mcp

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// Installed is a package of a launch that its launcher takes from where the
// project has it, and does not fetch.
type Installed struct {
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
}

// InstalledFor returns where a package of a server is taken from, or nil if it
// is fetched or nothing is known of it.
func (p *Project) InstalledFor(s *Server, pkg identity.Fetched) *Installed {
	all := p.Installed[s]
	if all == nil {
		return nil
	}
	i := slices.IndexFunc(all, func(in Installed) bool { return in.Asked == pkg.String() })
	if i < 0 {
		return nil
	}
	return &all[i]
}
