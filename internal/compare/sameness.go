package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
)

// isSame reports whether two servers of one name, of the base and of today, are the same
// program, package or address: also with other arguments, another version, another query, or
// another spelling. A server that runs another file is not the same, nor is one with only the same
// name: a package instead of a program, a file instead of a package.
func (x *nameIndex) isSame(was, now *mcp.Server) bool {
	a, b := &was.Identity, &now.Identity
	level := sameness.Compare(was.Resolved(), now.Resolved())
	switch {
	case level > sameness.SameProgram:
		return true
	case a.Kind == identity.Opaque || b.Kind == identity.Opaque:
		key := was.Resolved().Knowing(now.Resolved()).Key()
		return key != "" && key == now.Resolved().Knowing(was.Resolved()).Key()
	case a.Kind != b.Kind:
		return level == sameness.SameProgram && (a.Kind == identity.Smithery || b.Kind == identity.Smithery)
	}
	switch a.Kind {
	case identity.FileKind:
		return slices.Equal(a.Selector, b.Selector) && x.isSameFile(was, now)
	case identity.URL:
		return level == sameness.SameProgram || a.Name == b.Name
	case identity.Exec: // a module is looked for where the server works
		return a.Name == b.Name && (b.Launcher == "" || slices.Equal(x.selectorIn(was, now), b.Selector))
	case identity.Container:
		n := min(len(a.Selector), len(b.Selector))
		return a.Name == b.Name && slices.Equal(a.Selector[:n], b.Selector[:n])
	case identity.Catalog:
		had := strings.Split(a.Name, ",")
		isOther := func(name string) bool { return !slices.Contains(had, name) }
		return !slices.ContainsFunc(strings.Split(b.Name, ","), isOther)
	}
	return a.Name == b.Name
}

// isSameFile reports whether two paths lead to one file: it has moved, alone or with its project,
// or its path was that of one person's checkout.
func (x *nameIndex) isSameFile(was, now *mcp.Server) bool {
	from, to := was.Identity.Name, now.Identity.Name
	if x.moved(was, now, from) == to {
		return true
	}
	isOutside := func(path string) bool {
		return isAbsoluteIdentity(path) || strings.HasPrefix(path, "../") || path == ".."
	}
	switch {
	case isOutside(to):
		home, inHome := strings.CutPrefix(to, "~/")
		return inHome && IsHomePath(from) && strings.HasSuffix(from, "/"+home)
	case isOutside(from):
		return IsHomePath(from) && strings.HasSuffix(from, "/"+to)
	}
	return x.base.moved(from, to)
}

// isAbsoluteIdentity reports whether the path of a file does not begin in the repository.
func isAbsoluteIdentity(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.HasPrefix(path, "$") || strings.Contains(path, ":/")
}

// moved returns a path of the base as it is today: the project may have moved with all
// that is in it.
func (x *nameIndex) moved(was, now *mcp.Server, path string) string {
	from, to := was.Document.Project.Dir, now.Document.Project.Dir
	if x.base.today()[from] || x.base.before()[to] {
		return path
	}
	below, ok := strings.CutPrefix(path+"/", strings.TrimPrefix(from+"/", "/"))
	if !ok || isAbsoluteIdentity(path) {
		return path
	}
	return strings.Trim(to+"/"+below, "/")
}

// selectorIn returns the selector of a server of the base as it is today.
func (x *nameIndex) selectorIn(was, now *mcp.Server) []string {
	words := slices.Clone(was.Identity.Selector)
	for i, word := range words {
		words[i] = x.moved(was, now, word)
	}
	return words
}

// IsOtherForSure reports whether two servers that are not the same have nothing to do
// with each other. Two URLs of a host may belong to one server, and two forms of one vendor's
// program contain the same program. What is in the repository can be read, and it is not known what
// an uncertain identity runs.
func IsOtherForSure(was, now *mcp.Server) bool {
	a, b := &was.Identity, &now.Identity
	isHere := func(id *identity.Identity) bool {
		return id.Kind == identity.FileKind && !isAbsoluteIdentity(id.Name) && !strings.HasPrefix(id.Name, "../")
	}
	switch {
	case a.IsPackage() && len(b.Addresses) > 0: // an archive or a script, regardless of who put it there
		return true
	case a.Kind == identity.Opaque || b.Kind == identity.Opaque, isHere(a) && isHere(b):
		return false
	case isHere(a) && b.Kind == identity.FileKind && !strings.HasPrefix(b.Name, "$"): // no one reviews what is outside the repository
		return true
	}
	return sameness.Compare(was.Resolved(), now.Resolved()) == sameness.Different
}
