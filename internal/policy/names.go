package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// names are the files of a repository and what a finding in each may be about: an ignore
// that names anything else is a mistake.
type names struct {
	byPath map[string]map[string]bool
	all    map[string]bool
	hints  int // how many are still looked for
}

// maxHints is how many mistaken names are compared with all that there are.
const maxHints = 100

// namesFor collects the names that ignores of the settings may use. Without an ignore, it
// collects none. paths are those of all files that are read, with any contents.
func namesFor(ignores []Ignore, repo *mcp.Repo, paths []string, findings []rule.Finding) *names {
	if len(ignores) == 0 {
		return &names{}
	}
	return namesIn(repo, paths, findings)
}

// namesIn collects names.
func namesIn(repo *mcp.Repo, paths []string, findings []rule.Finding) *names {
	n := &names{byPath: map[string]map[string]bool{}, all: map[string]bool{}, hints: maxHints}
	for _, path := range paths {
		n.add(path)
	}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			n.add(d.File.Path, namesOf(d)...)
		}
	}
	for i := range findings {
		n.add(findings[i].File.Path, findings[i].Server)
	}
	return n
}

func (n *names) add(path string, servers ...string) {
	if n.byPath[path] == nil {
		n.byPath[path] = map[string]bool{}
	}
	for _, server := range servers {
		if server != "" {
			n.byPath[path][server], n.all[server] = true, true
		}
	}
}

// namesOf returns what a finding in a document may be about, by name: servers, and what
// else files of tools name as if it were one.
func namesOf(d *mcp.Document) []string {
	names := []string{d.BundleName()}
	for _, s := range d.Servers {
		names = append(names, s.Name)
	}
	for _, r := range d.References {
		names = append(names, r.Name)
	}
	for _, a := range d.Approvals {
		names = append(names, a.Server)
	}
	for _, r := range d.Refusals {
		names = append(names, r.Server)
	}
	for _, h := range d.Hashed {
		names = append(names, h.Name, h.Of)
	}
	for _, entry := range d.Tracked {
		names = append(names, entry.Name)
	}
	if d.Bundle != nil {
		for _, declared := range d.Bundle.Declares {
			names = append(names, declared.Name)
		}
	}
	if d.Manifest != nil {
		names = append(names, d.Manifest.Name.Text)
		for _, listed := range d.Manifest.Entries {
			names = append(names, listed.Name.Text)
		}
	}
	if d.Lock != nil {
		names = append(names, lockedNames(d.Lock)...)
	}
	return names
}

// lockedNames returns what a lockfile names.
func lockedNames(l *mcp.Lock) (names []string) {
	for _, entry := range l.Entries {
		names = append(names, entry.Name, entry.Tools.Server)
	}
	for _, pkg := range l.Packages {
		names = append(names, pkg.Name)
		for _, merged := range pkg.Merged {
			names = append(names, merged.Name)
		}
	}
	return names
}

// stray is what is wrong with the names of an ignore.
type stray struct {
	hasPath, hasServer bool // some file is at the path, some entry there has the name
	isElsewhere        bool // the name is that of an entry in another file
}

// strays judges ignores of the settings, and returns those that name what nothing has, by
// their places. One that is shared may mean what another repository has.
func (n *names) strays(all []Ignore) map[int]stray {
	strays := map[int]stray{}
	var byPath glob.Index
	for i, entry := range all {
		rule := checks.ByID(entry.Rule)
		isAnywhere := entry.Path == "" || rule != nil && rule.Asked // which may be about what is not in the file
		one := stray{hasPath: entry.Path == "", hasServer: entry.Server == "" || isAnywhere && n.all[entry.Server], isElsewhere: n.all[entry.Server]}
		if one.hasPath && one.hasServer || entry.isShared {
			continue
		}
		strays[i] = one
		if pattern, err := glob.Parse(entry.Path); entry.Path != "" && err == nil {
			byPath.Add(pattern, i)
		}
	}
	for path, servers := range n.byPath {
		byPath.Covering(path, func(i int) bool {
			one := strays[i]
			strays[i] = stray{hasPath: true, hasServer: one.hasServer || servers[all[i].Server], isElsewhere: one.isElsewhere}
			return true
		})
	}
	maps.DeleteFunc(strays, func(_ int, one stray) bool { return one.hasPath && one.hasServer })
	return strays
}

// place is where an ignore says what nothing has.
func (s stray) place(entry Ignore) syntax.Span {
	if !s.hasPath {
		return entry.pathPlace
	}
	return entry.serverPlace
}

// Mistaken returns the places at which ignores name what nothing in a repository has. paths
// are those of all files that are read.
func (s *Settings) Mistaken(repo *mcp.Repo, paths []string) map[syntax.Span]bool {
	places := map[syntax.Span]bool{}
	for i, one := range namesFor(s.Ignores, repo, paths, nil).strays(s.Ignores) {
		places[one.place(s.Ignores[i])] = true
	}
	return places
}

// mayMean returns what an ignore may mean that names what nothing has: its name elsewhere,
// another name at its path, or where both are unknown anything of its rule.
func (s stray) mayMean(entry Ignore) []Ignore {
	var all []Ignore
	if s.isElsewhere {
		all = append(all, Ignore{Rule: entry.Rule, Server: entry.Server})
	}
	if s.hasPath {
		all = append(all, Ignore{Rule: entry.Rule, Path: entry.Path})
	}
	if len(all) == 0 {
		all = append(all, Ignore{Rule: entry.Rule})
	}
	return all
}

// message says what nothing has, and what may have been meant.
func (n *names) message(s stray, entry Ignore) (message, help string) {
	if !s.hasPath {
		return fmt.Sprintf("no file that mcplumb reads is at %q", shortened(entry.Path)), n.hint(entry.Path, "path", func() []string { return slices.Collect(maps.Keys(n.byPath)) })
	}
	what := "no entry is called "
	if s.isElsewhere {
		what = fmt.Sprintf("no entry of %s is called ", shortened(entry.Path))
	}
	return what + fmt.Sprintf("%q", shortened(entry.Server)), n.hint(entry.Server, "name", func() []string { return n.serversAt(entry.Path) })
}

// serversAt returns the names in the files at a path, "" for all files.
func (n *names) serversAt(path string) []string {
	pattern, err := glob.Parse(path)
	var servers []string
	for at, here := range n.byPath {
		if path == "" || err == nil && pattern.Covers(at) {
			servers = slices.AppendSeq(servers, maps.Keys(here))
		}
	}
	return servers
}

// hint says what to do about a name: which known one was probably meant, if one is near.
func (n *names) hint(name, what string, known func() []string) string {
	if n.hints--; n.hints >= 0 {
		all := known()
		slices.Sort(all)
		nearest := ""
		if len(name) > 2 { // of shorter ones every other is near
			nearest = spelling.Nearest(name, all)
		}
		if i := slices.IndexFunc(all, func(one string) bool { return strings.EqualFold(one, name) }); i >= 0 {
			nearest = all[i]
		}
		if nearest != "" {
			return fmt.Sprintf("did you mean %q?", shortened(nearest))
		}
	}
	return fmt.Sprintf("correct the %s, or remove this ignore", what)
}
