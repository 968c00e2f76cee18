package sameness

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// related reports whether something ties two different servers together: one
// identity with another selector, one host, one path, one vendor.
func related(a, b *identity.Identity) bool {
	if a.Kind == identity.None || b.Kind == identity.None {
		return false
	}
	if a.Kind == b.Kind {
		switch a.Kind {
		case identity.URL:
			return relatedURLs(a, b)
		case identity.FileKind:
			return a.Name == b.Name || endsIn(a.Name, b.Name) || endsIn(b.Name, a.Name)
		case identity.Catalog:
			return shareName(a.Name, b.Name)
		}
		return a.Name == b.Name
	}
	return sameVendor(a, b) || sameVendor(b, a) || inImage(a, b) || inImage(b, a)
}

// relatedURLs reports whether two URLs name one host. On this machine every
// port is a host of its own.
func relatedURLs(a, b *identity.Identity) bool {
	hostA, portA := a.HostPort()
	hostB, portB := b.HostPort()
	return hostA != "" && hostA == hostB && (hostA != "localhost" || portA == portB)
}

// endsIn reports whether a path ends in another one at a segment's border.
func endsIn(p, end string) bool {
	end = strings.TrimPrefix(strings.TrimPrefix(end, "~/"), "/")
	return end != "" && end != "." && len(p) > len(end) && strings.HasSuffix(p, end) && p[len(p)-len(end)-1] == '/'
}

// shareName reports whether two lists of catalog names have one in common.
func shareName(a, b string) bool {
	for _, name := range strings.Split(a, ",") {
		for _, other := range strings.Split(b, ",") {
			if name == other {
				return true
			}
		}
	}
	return false
}

// sameProgram reports whether a is a bare program (or Python module) and b a package, image or
// file that contains a program of its name.
func sameProgram(a, b *identity.Identity) bool {
	if a.Kind != identity.Exec {
		return false
	}
	name := identity.PyPIName(a.Name)
	module, _, _ := strings.Cut(a.Name, ".")
	for _, program := range programsOf(b) {
		if program != "" && (identity.PyPIName(program) == name || (a.Launcher == "python" || a.Launcher == "uv") && identity.PyPIName(program) == identity.PyPIName(module)) {
			return true
		}
	}
	return false
}

// runsInside reports whether a is a command in a container and b the program that it starts, by
// its name: the file or program itself, outside of the container.
func runsInside(a, b *identity.Identity) bool {
	if a.Kind != identity.Container {
		return false
	}
	names := append([]string{identity.BaseName(b.Name)}, b.Selector...)
	if b.Kind != identity.FileKind {
		programs := programsOf(b)
		if b.Kind == identity.Exec {
			programs[0] = b.Name
		}
		names = programs[:1]
	}
	for _, name := range names {
		if name == "" || !slices.Contains(a.Selector, name) {
			return false
		}
	}
	return true
}

// programsOf returns the names of the programs that an identity may start: by the name of the
// package, and by the program that the launcher names.
func programsOf(id *identity.Identity) [2]string {
	var names [2]string
	switch id.Kind {
	case identity.NPM, identity.JSR, identity.OCI, identity.Git:
		names[0] = identity.BaseName(id.Name)
	case identity.PyPI, identity.NuGet:
		names[0] = id.Name
	case identity.Go:
		names[0] = identity.GoProgram(id.Name)
	case identity.FileKind:
		names[0] = identity.BaseName(id.Name)
		if dot := strings.LastIndexByte(names[0], '.'); dot > 0 {
			names[0] = names[0][:dot]
		}
	default:
		return names
	}
	if len(id.Selector) > 0 {
		names[1] = id.Selector[0]
	}
	return names
}

// onSmithery reports whether a is a name at Smithery and b the URL that
// Smithery serves it at.
func onSmithery(a, b *identity.Identity) bool {
	if a.Kind != identity.Smithery || b.Kind != identity.URL {
		return false
	}
	host, _ := b.HostPort()
	return host == "server.smithery.ai" && strings.Contains(b.Name+"/", "/"+strings.TrimPrefix(a.Name, "/")+"/")
}
