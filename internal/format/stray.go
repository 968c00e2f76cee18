package format

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
)

// sharedDirs are directories in which several tools have files, although mcplumb knows only one
// client's.
var sharedDirs = []string{".ai"}

// ownDirs returns the directories that are one client's own, by their paths in lower case: those
// in which only formats of that client have a file in a project. mcplumb must know which files
// the client reads there, and knows this of the files that the client loads in a project.
func ownDirs(formats []*shape.Format) map[string]*mcp.Stray {
	readers := map[string][]*mcp.Client{}
	for _, f := range formats {
		if f.Scope == mcp.ScopeUser {
			continue
		}
		clients := mcp.Readers(f.Name)
		for _, p := range f.Paths {
			top, _, isBelow := strings.Cut(strings.ToLower(p), "/")
			if !isBelow || top[0] != '.' || strings.Contains(top, "*") {
				continue
			}
			for _, c := range clients {
				if !slices.Contains(readers[top], c) {
					readers[top] = append(readers[top], c)
				}
			}
		}
	}
	own := map[string]*mcp.Stray{}
	for top, clients := range readers {
		if len(clients) == 1 && len(clients[0].LoadedTogether) > 0 && !slices.Contains(sharedDirs, top) {
			own[top] = strayFrom(clients[0], formats)
		}
	}
	for _, f := range formats {
		for _, p := range f.Paths {
			dir := strings.TrimSuffix(mcp.Parent(strings.ToLower(p)), "/**")
			if top, _, _ := strings.Cut(dir, "/"); own[top] != nil && !strings.Contains(dir, "*") {
				own[dir] = own[top]
			}
		}
	}
	return own
}

// OwnDirs returns the directories that are one client's own, in lower case, sorted.
func OwnDirs(formats []*shape.Format) []string { return slices.Sorted(maps.Keys(ownDirs(formats))) }

// strayFrom says where a client looks for the servers of a project.
func strayFrom(c *mcp.Client, formats []*shape.Format) *mcp.Stray {
	i := slices.IndexFunc(formats, func(f *shape.Format) bool { return f.Name == c.LoadedTogether[0] })
	m := &mcp.Stray{Client: c, Instead: formats[i].Paths[0]}
	if !formats[i].Dedicated {
		m.Under = c.Reading(formats[i].Name).Roots[0]
	}
	return m
}

// strayIn returns the client whose own directory a file is in without having one of the client's
// names; nil if it is elsewhere, or is a copy to fill in first.
func (ix *Index) strayIn(file string) *mcp.Stray {
	dir := strings.ToLower(mcp.Parent(file))
	if dir == "" || isExampleFile(strings.ToLower(path.Base(file))) {
		return nil
	}
	above := mcp.Parent(dir)
	for _, own := range []string{strings.TrimPrefix(dir[len(above):], "/"), lastTwo(dir)} {
		if m := ix.own[own]; m != nil {
			return m
		}
	}
	return nil
}

// isJSON reports whether a file is JSON, so that it may be next to a client's files in the
// client's own directory and have servers under any name.
func isJSON(file string) bool {
	return ascii.EqualFold(path.Ext(file), ".json") && (strings.HasPrefix(file, ".") || strings.Contains(file, "/."))
}

// lastTwo returns the last two segments of a path.
func lastTwo(dir string) string {
	above := mcp.Parent(mcp.Parent(dir))
	return strings.TrimPrefix(dir[len(above):], "/")
}
