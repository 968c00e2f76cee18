package compare

import (
	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
)

// AreUnrelated reports whether both entries name something that is fetched, or both an
// endpoint, and nothing ties the two together, or a package has the name of an endpoint
// whose vendor does not publish it. Many projects have any other package here and an endpoint or a
// local build there, or an endpoint on this machine in addition to the deployed one.
func AreUnrelated(a, b *mcp.Server) bool {
	x, y := &a.Identity, &b.Identity
	switch {
	case sameness.Compare(a.Resolved(), b.Resolved()) != sameness.Different:
		return false
	case x.IsPackage() && y.IsPackage(), sameness.IsForeign(x, y), sameness.IsForeign(y, x):
		return true
	}
	return x.Kind == identity.URL && y.Kind == identity.URL && onThisMachine(x) == onThisMachine(y)
}

// onThisMachine reports whether a URL names the local machine.
func onThisMachine(id *identity.Identity) bool { return host.DistanceOf(id.Host()) == host.Here }
