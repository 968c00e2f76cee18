package identity

import (
	"slices"
	"strings"
)

// related reports whether something ties two different servers together: one
// identity with another selector, one host, one path, one vendor.
func related(a, b *Identity) bool {
	if a.Kind == None || b.Kind == None {
		return false
	}
	if a.Kind == b.Kind {
		switch a.Kind {
		case URL:
			return relatedURLs(a.Name, b.Name)
		case FileKind:
			return a.Name == b.Name || endsIn(a.Name, b.Name) || endsIn(b.Name, a.Name)
		case Catalog:
			return shareName(a.Name, b.Name)
		}
		return a.Name == b.Name
	}
	return sameVendor(a, b) || sameVendor(b, a) || inImage(a, b) || inImage(b, a)
}

// relatedURLs reports whether two URLs name one host. On this machine every
// port is a host of its own.
func relatedURLs(a, b string) bool {
	hostA, portA := urlHost(a)
	hostB, portB := urlHost(b)
	return hostA != "" && hostA == hostB && (hostA != "localhost" || portA == portB)
}

// Host returns the host of a URL, without port and brackets; "" for everything
// else.
func (id *Identity) Host() string {
	if id.Kind != URL {
		return ""
	}
	name, _ := urlHost(id.Name)
	return strings.Trim(name, "[]")
}

// urlHost returns host and port of a canonical URL.
func urlHost(name string) (host, port string) {
	_, rest, _ := strings.Cut(name, "://")
	authority, _, _ := strings.Cut(rest, "/")
	if colon := strings.LastIndexByte(authority, ':'); colon >= 0 && !strings.HasSuffix(authority, "]") {
		return authority[:colon], authority[colon+1:]
	}
	return authority, ""
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

// sameProgram reports whether a is a bare program (or Python module) and b a
// package, image or file that brings a program of its name.
func sameProgram(a, b *Identity) bool {
	if a.Kind != Exec {
		return false
	}
	name := PyPIName(a.Name)
	module, _, _ := strings.Cut(a.Name, ".")
	for _, program := range programsOf(b) {
		if program != "" && (PyPIName(program) == name || (a.Launcher == "python" || a.Launcher == "uv") && PyPIName(program) == PyPIName(module)) {
			return true
		}
	}
	return false
}

// runsInside reports whether a is a command in a container and b what it starts,
// by its name: the file or program itself, out of the container.
func runsInside(a, b *Identity) bool {
	if a.Kind != Container {
		return false
	}
	names := append([]string{baseName(b.Name)}, b.Selector...)
	if b.Kind != FileKind {
		programs := programsOf(b)
		if b.Kind == Exec {
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

// programsOf returns the names of the programs that an identity may start: by
// the name of the package, and by what the launcher asks for.
func programsOf(id *Identity) [2]string {
	var names [2]string
	switch id.Kind {
	case NPM, JSR, OCI, Git:
		names[0] = baseName(id.Name)
	case PyPI, NuGet:
		names[0] = id.Name
	case Go:
		names[0] = goProgram(id.Name)
	case FileKind:
		names[0] = baseName(id.Name)
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
func onSmithery(a, b *Identity) bool {
	if a.Kind != Smithery || b.Kind != URL {
		return false
	}
	host, _ := urlHost(b.Name)
	return host == "server.smithery.ai" && strings.Contains(b.Name+"/", "/"+strings.TrimPrefix(a.Name, "/")+"/")
}
