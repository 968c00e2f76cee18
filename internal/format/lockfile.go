package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// parseLockfile parses JSON; a blank file is one that nobody has written yet
// and has no tree.
func parseLockfile(f *syntax.File) (*syntax.Tree, error) {
	if len(bytes.TrimSpace(f.Bytes)) == 0 {
		return &syntax.Tree{}, nil
	}
	return syntax.ParseJSON(f)
}

// lockObject returns the member of a lockfile that holds its entries, or nil.
// What makes the lockfile useless is a problem of the document.
func (in *Input) lockObject(doc *mcp.Document, name string) *syntax.Node {
	top := in.Tree.Root
	if top.Kind != syntax.Object {
		doc.Problems = append(doc.Problems, invalidLock(top.Value, "a lockfile is an object, this is %s", article(top.Kind)))
		return nil
	}
	entries := top.Get(name)
	if entries != nil && entries.Kind != syntax.Object {
		doc.Problems = append(doc.Problems, invalidLock(entries.Value, "%s is an object of entries by name, this is %s", name, article(entries.Kind)))
		return nil
	}
	return entries
}

// lockedObjects returns the entries of a map that are objects; every other is a
// problem of the document. Of a name written twice tools keep the last.
func lockedObjects(doc *mcp.Document, entries *syntax.Node) []*syntax.Node {
	last := make(map[string]*syntax.Node, len(entries.Nodes))
	for _, node := range entries.Nodes {
		last[node.Name] = node
	}
	var objects []*syntax.Node
	for _, node := range entries.Nodes {
		switch {
		case last[node.Name] != node:
		case node.Kind == syntax.Object:
			objects = append(objects, node)
		default:
			problem := invalidLock(node.Value, "the entry %q is an object, this is %s", node.Name, article(node.Kind))
			problem.Server = node.Name
			doc.Problems = append(doc.Problems, problem)
		}
	}
	return objects
}

// lockedIdentity resolves what an entry locks. The package decides; the command
// adds the sub-command and the arguments when it runs that package. A remote
// server's URL stands in the package identifier (whatever the registry type
// says), or is the first URL among the arguments, where no program has it.
func (in *Input) lockedIdentity(entry *mcp.LockEntry, registry string) identity.Identity {
	if entry.Target.Launch.Command.Text == "" && len(entry.Target.Launch.Args) > 0 && isURL(entry.Target.Launch.Args[0].Text) {
		entry.Target.Launch.URL, entry.Target.Launch.Args = entry.Target.Launch.Args[0], nil
	}
	byCommand := identity.Resolve(&entry.Target.Launch, in.context)
	named := packageLaunch(entry.Target.Package, registry)
	if named == nil {
		return withLockedVersion(byCommand, entry.Pin.Version)
	}
	byPackage := identity.Resolve(named, in.context)
	if byPackage.Kind == byCommand.Kind && byPackage.Name == byCommand.Name {
		return withLockedVersion(byCommand, entry.Pin.Version)
	}
	return withLockedVersion(byPackage, entry.Pin.Version)
}

// packageLaunch returns the launch that runs a package of a registry, so that
// its name is normalised where all names are; nil if there is no package.
func packageLaunch(name identity.Word, registry string) *identity.Launch {
	run := func(program string, args ...string) *identity.Launch {
		launch := &identity.Launch{Command: identity.Word{Text: program}}
		for _, arg := range args {
			launch.Args = append(launch.Args, identity.Word{Text: arg})
		}
		launch.Args = append(launch.Args, name)
		return launch
	}
	switch text := strings.TrimSpace(name.Text); {
	case text == "":
		return nil
	case isURL(text):
		return &identity.Launch{URL: identity.Word{Text: text, Span: name.Span}}
	}
	switch registry {
	case "npm":
		return run("npx", "-y")
	case "pypi":
		return run("uvx")
	case "oci":
		return run("docker", "run", "-i", "--rm")
	case "smithery":
		return run("npx", "-y", "@smithery/cli", "run")
	}
	return nil
}

// isURL is mcp-tap's test for a remote server.
func isURL(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// withLockedVersion adds the version that the lockfile names, if it is one:
// mcp-tap writes "latest" for a server that was locked without.
func withLockedVersion(id identity.Identity, version identity.Word) identity.Identity {
	if id.Version.Kind != identity.Exact && version.Text != "" && version.Text != "latest" {
		id.Version = identity.Version{Kind: identity.Exact, Text: version.Text, Span: inner(version)}
	}
	return id
}

func invalidLock(span syntax.Span, format string, args ...any) mcp.Problem {
	return mcp.Problem{Kind: mcp.InvalidLock, Span: span, Message: fmt.Sprintf(format, args...)}
}

// wrongKind returns a problem if a member is there and of another kind. Null
// stands for absent.
func wrongKind(node *syntax.Node, name string, kind syntax.Kind) *mcp.Problem {
	m := node.Get(name)
	if m == nil || m.Kind == kind || m.Kind == syntax.Null {
		return nil
	}
	p := invalidLock(m.Value, "%s of %q is %s, this is %s", name, node.Name, article(kind), article(m.Kind))
	return &p
}

// inEntry says which entry a problem is in.
func inEntry(node *syntax.Node, p mcp.Problem) mcp.Problem {
	p.Server = node.Name
	return p
}
