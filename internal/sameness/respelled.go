package sameness

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// respelled reports whether two entries of different keys start one program that is written in
// two ways: their keys differ only in the place, or in how the program comes to its machine.
func respelled(a, b identity.Resolved) bool {
	x, y := a.Identity, b.Identity
	switch {
	case x.Kind == identity.FileKind && y.Kind == identity.FileKind:
		return sameFile(a, b) || placedOnce(a.Launch, b.Launch)
	case x.Kind == identity.URL && y.Kind == identity.URL:
		return otherTransport(x, y)
	case x.Kind == identity.Exec && y.Kind == identity.Exec:
		return x.Name == y.Name // in two directories
	case x.Kind == identity.Opaque || y.Kind == identity.Opaque:
		return placedOnce(a.Launch, b.Launch) || a.Knowing(b).Key() == b.Knowing(a).Key()
	}
	return sameProgram(x, y) || sameProgram(y, x) || wraps(x, y) || wraps(y, x) ||
		runsInside(x, y) || runsInside(y, x) || onSmithery(x, y) || onSmithery(y, x)
}

// sameFile reports whether two entries run one file with one selector.
func sameFile(a, b identity.Resolved) bool {
	return onePath(inProject(a), inProject(b)) && slices.Equal(a.Selector, b.Selector)
}

// onePath reports whether one of two paths is the other one, written from another place: absolute
// and from the project, or from a home directory and from "~".
func onePath(x, y string) bool {
	differ := identity.IsAbsolute(x) != identity.IsAbsolute(y) || strings.HasPrefix(x, "~/") != strings.HasPrefix(y, "~/")
	return differ && (endsIn(x, y) || endsIn(y, x))
}

// inProject returns the path of a file from the directory that its entry's relative paths start
// from; a file outside of that directory keeps its path.
func inProject(e identity.Resolved) string {
	if dir := identity.CleanDir(e.Context.Dir); dir != "." {
		if below, ok := strings.CutPrefix(e.Name, dir+"/"); ok {
			return below
		}
	}
	return e.Name
}

// placedOnce reports whether two entries start the same as they are written, and
// only one of them says in which directory.
func placedOnce(a, b *identity.Launch) bool {
	return (a.Cwd.Text == "") != (b.Cwd.Text == "") && a.Command.Text == b.Command.Text &&
		slices.EqualFunc(a.Args, b.Args, func(x, y identity.Word) bool { return x.Text == y.Text })
}

// SameValue reports whether two values of configurations are equal, or one path
// that is written from two places.
func SameValue(a, b string) bool {
	return a == b || onePath(strings.TrimPrefix(a, "./"), strings.TrimPrefix(b, "./"))
}

// otherTransport reports whether two URLs differ only in the word for the transport that their
// paths end in: https://h.test/sse and https://h.test/mcp. Another port means another program.
func otherTransport(a, b *identity.Identity) bool {
	hostA, portA := a.HostPort()
	hostB, portB := b.HostPort()
	return hostA != "" && hostA == hostB && portA == portB && withoutTransport(urlPath(a.Name)) == withoutTransport(urlPath(b.Name)) &&
		slices.Equal(a.Selector, b.Selector)
}

// urlPath returns the path of a canonical URL, which has no query.
func urlPath(name string) string {
	_, rest, _ := strings.Cut(name, "://")
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:]
	}
	return ""
}

// withoutTransport returns a path without a last segment that only names the transport.
func withoutTransport(p string) string {
	slash := strings.LastIndexByte(p, '/')
	if slash < 0 {
		return p
	}
	switch p[slash+1:] {
	case "mcp", "sse", "http", "stream", "streamable", "streamable-http", "message", "messages":
		return p[:slash]
	}
	return p
}

// wraps reports whether a is a file and b a package that contains a program of its name: a script
// around it, or a copy that was built or installed.
func wraps(a, b *identity.Identity) bool {
	return a.Kind == identity.FileKind && b.IsPackage() && namedAlike(a, b)
}

// inImage reports whether a is an image with the name of a program in b, which is not an image.
// The publishers may differ.
func inImage(a, b *identity.Identity) bool {
	return a.Kind == identity.OCI && b.Kind != identity.OCI && b.IsPackage() && namedAlike(a, b)
}

// namedAlike reports whether b contains a program of a's name, and the name is specific enough.
func namedAlike(a, b *identity.Identity) bool {
	name := identity.PyPIName(programsOf(a)[0])
	switch name {
	case "", "app", "cli", "index", "main", "mcp", "mcp-server", "run", "server", "start":
		return false
	}
	for _, program := range programsOf(b) {
		if program != "" && identity.PyPIName(program) == name {
			return true
		}
	}
	return false
}
