package installed

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// uvLock returns what uv.lock says of the packages that are run.
func (st *started) uvLock(dir string) decider {
	file := path.Join(dir, "uv.lock")
	return st.asked(file, st.python, func(p parsed) []mcp.Side {
		var sides []mcp.Side
		for _, n := range nodesOf(p.root.Get("package")) {
			if name := textOf(n.Get("name")); slices.Contains(st.python, identity.PyPIName(name)) && len(sides) < maxSides {
				sides = append(sides, uvPackage(p.file, name, n)...)
			}
		}
		return sides
	})
}

// uvPackage returns what uv.lock says of a package: where it is from, and the hash of each of its
// files. A file more or fewer is nothing: wheels for other platforms come later.
func uvPackage(file *syntax.File, name string, n *syntax.Node) []mcp.Side {
	version := textOf(n.Get("version"))
	var sides []mcp.Side
	for _, source := range membersOf(n.Get("source")) {
		if source.Name == "editable" || source.Name == "virtual" {
			continue // the project itself
		}
		side := setting(file, "source of "+name, source.Name+" "+textWritten(file, source), source.Value)
		side.Kind = mcp.SideLocked
		sides = append(sides, side)
	}
	var hashes []string
	for _, f := range append(slices.Clone(nodesOf(n.Get("wheels"))), n.Get("sdist")) {
		if f == nil || textOf(f.Get("hash")) == "" {
			continue
		}
		hashes = append(hashes, textOf(f.Get("hash")))
		address := textOf(f.Get("url"))
		called := address[strings.LastIndexByte(address, '/')+1:]
		sides = append(sides, mcp.Side{
			Kind: mcp.SideHash, Name: "hash of " + called, Value: textOf(f.Get("hash")), Means: textOf(f.Get("hash")), Of: version,
			File: file, Span: f.Get("hash").Value,
		})
	}
	all := mcp.Side{Kind: mcp.SideHash, Name: "hashes of " + name, Of: version, File: file, Span: n.Get("name").Value}
	if len(hashes) > 0 {
		all.Value, all.Means = "there", "there"
	}
	return append(sides, all)
}
