package catalog

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Holding is how firmly a command holds what is locked.
type Holding uint8

// The ways to hold it.
const (
	Exact    Holding = iota // it runs what is locked, and nothing else
	Floating                // it may run another version: one in a range, or another image of a tag
	Newest                  // it runs the version published next, or what an address sends today
)

// Way is a way to start or reach a server.
type Way struct {
	*allow.Server
	// Path is the file that has it, "" for the catalog's own.
	Path  string
	Holds Holding
	// IsRelative reports that it runs a file of the directory that it is started in, which is
	// another one in every repository.
	IsRelative bool
}

// wayOf returns how an entry starts or reaches its server.
func wayOf(s *mcp.Server) Way {
	return Way{checks.AsListed(s), s.Document.File.Path, holdingOf(s, false), isRelative(s)}
}

// holdingOf returns how firmly the command of an entry holds all packages that it fetches.
// isPinned reports that the server's own is written at the version that is locked.
func holdingOf(s *mcp.Server, isPinned bool) Holding {
	holds := Exact
	for pkg := range s.Identity.Packages() {
		isOwn := s.Identity.IsPackage() && pkg.Span == s.Identity.Span
		switch v := &pkg.Version; {
		case v.Kind == identity.Exact, isOwn && isPinned:
		case v.Kind == identity.Range, v.Kind == identity.Tag && pkg.Kind == identity.OCI && v.Text != "latest":
			holds = max(holds, Floating)
		default:
			holds = Newest
		}
	}
	if slices.ContainsFunc(s.Identity.Addresses, checks.MayServeAnother) {
		return Newest
	}
	return holds
}

// isRelative reports whether a command runs a file of the directory that it is started in: its
// program, a script, or what an interpreter loads first.
func isRelative(s *mcp.Server) bool {
	command := s.Launch.Command.Text
	isPath := strings.ContainsAny(command, `/\`) && !filepath.IsAbs(command) && !strings.HasPrefix(command, "~") && !(len(command) > 1 && command[1] == ':')
	loadsFile := func(d identity.Deciding) bool { return strings.HasPrefix(d.Name, "-") && !d.IsSource && !d.Reach }
	return s.Identity.Kind == identity.FileKind || isPath || s.Identity.Installed ||
		s.Identity.Kind != identity.OCI && slices.ContainsFunc(s.Resolved().Code(), loadsFile)
}
