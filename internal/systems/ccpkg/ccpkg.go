// Package ccpkg has what is true of ccpkg alone: it installs packages, some of which add servers,
// and shares a server that several add.
package ccpkg

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// lockOf returns the lockfile of ccpkg in a project, or nil.
func lockOf(p *mcp.Project) *mcp.Document {
	for doc := range reads.Used(p) {
		if doc.Lock != nil && doc.Format == "ccpkg-lock" {
			return doc
		}
	}
	return nil
}

func orSpan(span, otherwise syntax.Span) syntax.Span {
	if span.IsZero() {
		return otherwise
	}
	return span
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// declaredServer is a server as the template of an installed package declares it.
type declaredServer struct {
	doc         *mcp.Document
	declaration *mcp.Declaration
	server      *mcp.Server // nil where the template names a bundle
}

// origin is where the server is from, without the version.
func (b *declaredServer) origin() string { return b.declaration.Origin.Base }

// version is the one release that the server is, "" if nothing tells.
func (b *declaredServer) version() string { return b.declaration.Version.Release() }

func (b *declaredServer) see(message string) rule.Related {
	return rule.Related{File: b.doc.File, Span: b.declaration.NameSpan, Message: message}
}

// declaredServers returns what the installed packages of a project declare, in
// groups of one name. The lockfile says which packages are installed; without one, all unpacked
// ones are, except examples. A package called "docs" or "test" is not an example.
func declaredServers(p *mcp.Project) [][]*declaredServer {
	var installed map[string]bool
	if lock := lockOf(p); lock != nil {
		installed = lock.Lock.Installed()
	}
	index := map[string]int{}
	var groups [][]*declaredServer
	for _, doc := range p.Documents {
		if doc.Format != "ccpkg-template" || installed != nil && !installed[doc.BundleName()] || installed == nil && !reads.InUse.Has(doc) {
			continue
		}
		servers := map[string]*mcp.Server{}
		for _, s := range doc.Servers {
			servers[s.Name] = s
		}
		for i := range doc.Bundle.Declares {
			d := &doc.Bundle.Declares[i]
			at, known := index[d.Name]
			if !known {
				at = len(groups)
				index[d.Name] = at
				groups = append(groups, nil)
			}
			groups[at] = append(groups[at], &declaredServer{doc, d, servers[d.Name]})
		}
	}
	return groups
}

// sharedEntries returns the entries of ccpkg's lockfile by name.
func sharedEntries(p *mcp.Project) map[string]*mcp.LockEntry {
	entries := map[string]*mcp.LockEntry{}
	if lock := lockOf(p); lock != nil {
		for _, entry := range lock.Lock.Entries {
			entries[entry.Name] = entry
		}
	}
	return entries
}

func (b *declaredServer) identity() *identity.Identity {
	if b.server == nil {
		return &identity.Identity{}
	}
	return &b.server.Identity
}

// asks reports whether the origin of a server has a version in it.
func (b *declaredServer) asks() bool { return b.declaration.Origin.Version.Kind != identity.NoVersion }

// asked returns the place of the version in the origin, else of the name.
func (b *declaredServer) asked() syntax.Span {
	version := b.declaration.Origin.Version
	if b.server != nil && b.server.Identity.Version.Text == version.Text {
		return orSpan(b.server.Identity.Version.Span, b.declaration.NameSpan)
	}
	return orSpan(version.Span, b.declaration.NameSpan)
}
