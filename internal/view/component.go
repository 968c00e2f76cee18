package view

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
)

// Component is something that runs for a server: what it is itself, or the package
// that bridges to it.
type Component struct {
	Server   Server
	IsBridge bool
	// Identity is what runs, in the version that is known to run, if one is.
	Identity Identity
	// Requested is the requested version, if its text differs.
	Requested Text
}

// Components returns everything that runs, in the order of the servers. A placeholder does not
// count as one.
func (v *View) Components() []Component {
	var components []Component
	for _, s := range v.Servers() {
		if s.server.Identity.Kind != identity.None {
			components = append(components, componentOf(s, s.server.Identity))
		}
		b := s.server.Identity.Bridge
		if b == nil || b.Source != identity.NPM && b.Source != identity.PyPI {
			continue
		}
		bridge := componentOf(Server{view: v, server: s.server, clients: s.clients}, identity.Identity{
			Kind: b.Source, Name: b.Name, Version: b.Version, Launcher: s.server.Identity.Launcher,
		})
		bridge.IsBridge = true
		components = append(components, bridge)
	}
	return components
}

// componentOf returns what runs for a server by an identity.
func componentOf(s Server, id identity.Identity) Component {
	asked := id.Version
	id.Version = knownVersion(&id, s)
	c := Component{Server: s, Identity: Identity{s.view, &id}}
	if asked.Text != id.Version.Text {
		c.Requested = NewText(asked.Text)
	}
	return c
}

// knownVersion returns the version of an identity that a server runs: the exact
// one it asks for, else the one it is locked at. A range or tag is no version, but
// an image has no other name for it than its tag.
func knownVersion(id *identity.Identity, s Server) identity.Version {
	if id.Kind == identity.OCI && id.Version.Kind == identity.Tag {
		return id.Version
	}
	version := exactly(id.Version)
	if version.Text == "" && s.isLockedAs(id) {
		return exactly(s.lock.Target.Identity.Version)
	}
	return version
}

func exactly(v identity.Version) identity.Version {
	if v.Kind != identity.Exact {
		return identity.Version{}
	}
	return v
}

// isLockedAs reports whether the entry that a server is locked as is about that
// identity.
func (s Server) isLockedAs(id *identity.Identity) bool {
	return s.lock != nil && s.lock.Target.Identity.Kind == id.Kind && s.lock.Target.Identity.Name == id.Name
}

// Ref returns what tells the component from others, as far as it can be shown:
// its identity and version, as valid UTF-8.
func (c Component) Ref() Text {
	ref := c.Identity.id.String()
	if version := c.Identity.id.Version.Text; version != "" {
		ref += "@" + version
	}
	return Text{strings.ToValidUTF8(NewText(ref).Plain(), "\ufffd")}
}

// Hash returns the hash that a lockfile has for the version that runs, its
// algorithm ("sha256", "sha384" or "sha512") and the digest in lower-case hex,
// both "" for none.
func (c Component) Hash() (algorithm, digest string) {
	id := c.Identity.id
	if c.Server.isLockedAs(id) && id.Version.Text != "" && c.Server.lock.Target.Identity.Version.Text == id.Version.Text {
		return compare.Digest(c.Server.lock)
	}
	return "", ""
}
