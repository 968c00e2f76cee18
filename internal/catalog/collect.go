package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Vetted is what is known of a repository.
type Vetted struct {
	Repo *mcp.Repo
	// Findings are all that may speak against a server: those at the level that a
	// catalog is made at.
	Findings []rule.Finding
	// Known is the lock that there is, nil for none. Of are the servers of the lock that
	// there would be now, by their entries, and Gaps what it could not lock (lock.Trace).
	Known *lock.Lock
	Of    map[*mcp.Server]*lock.Server
	Gaps  []lock.Gap
}

// Collect returns the vetted servers: at least one entry of each is enabled, the lock matches
// it and has a hash, and none of its entries has a finding. For the others it returns why they
// are left out.
func Collect(v Vetted) ([]*Server, []LeftOut) {
	c := collector{holds: v.Known.Holder(), whyOpen: map[[2]string]string{}, against: findingsOf(v), tools: lock.Tools(v.Repo), secrets: credential.Places{}, published: map[string]*mcp.Server{}}
	for _, g := range v.Gaps {
		c.whyOpen[[2]string{g.Server, g.Path}] = g.Why
	}
	var order []*lock.Server
	groups := map[*lock.Server][]*mcp.Server{}
	for _, p := range v.Repo.Projects {
		c.secrets.AddCredentials(p)
		c.addPublished(p)
		for _, d := range p.ClientFiles() {
			for _, s := range d.Servers {
				locked := v.Of[s]
				if locked == nil {
					c.leave(s, c.gapOf(s, "it cannot be locked"))
					continue
				}
				if groups[locked] == nil {
					order = append(order, locked)
				}
				groups[locked] = append(groups[locked], s)
			}
		}
	}
	c.blanker = secret.Blanker(c.secrets)
	for _, locked := range order {
		c.add(locked, groups[locked])
	}
	return c.servers, c.left
}

type collector struct {
	holds   func(*lock.Server) bool
	whyOpen map[[2]string]string
	against map[*mcp.Server]string
	tools   map[*mcp.Server][]string
	secrets credential.Places
	// blanker knows the credentials of the repository, wherever they are.
	blanker *strings.Replacer
	// published are servers of manifests, by what they run.
	published map[string]*mcp.Server
	servers   []*Server
	left      []LeftOut
}

// leave says why an entry is left out.
func (c *collector) leave(s *mcp.Server, why string) {
	c.left = append(c.left, LeftOut{Server: s.Name, Path: s.Document.File.Path, Why: why})
}

// gapOf returns why an entry is not locked, other where that is not known.
func (c *collector) gapOf(s *mcp.Server, other string) string {
	return cmp.Or(c.whyOpen[[2]string{s.Name, s.Document.File.Path}], other)
}

// add takes a server into the catalog, or leaves it out.
func (c *collector) add(locked *lock.Server, entries []*mcp.Server) {
	on := slices.DeleteFunc(slices.Clone(entries), func(s *mcp.Server) bool { return !s.MayBeStarted() })
	if len(on) == 0 {
		c.leave(entries[0], "it is disabled")
		return
	}
	for _, s := range on {
		if why := c.against[s]; why != "" {
			c.leave(s, why)
			return
		}
		if hasCredential(s, c.secrets) {
			c.leave(s, "its command line or address contains a credential")
			return
		}
	}
	if !c.holds(locked) {
		c.leave(on[0], lock.Name+" does not have it as it is: mcplumb lock shows the difference")
		return
	}
	hash := lockedHash(locked)
	if hash == "" {
		c.leave(on[0], c.gapOf(on[0], lock.Name+" has no hash of it"))
		return
	}
	name := usualName(on)
	first := on[slices.IndexFunc(on, func(s *mcp.Server) bool { return s.Name == name })]
	server := &Server{
		Name: name, Names: locked.Names, Files: locked.Files, Kind: first.Identity.Kind, Package: first.Identity.Name,
		Selector: locked.Selector, Version: locked.Version, Locked: hash, Launcher: first.Identity.Launcher, Integrity: locked.Integrity,
		Repository: c.said(on, sourceOf), Description: c.said(on, descriptionOf),
		NamesSource: first.Identity.NamesSource,
	}
	if why := server.setLaunch(first); why != "" {
		c.leave(first, why)
		return
	}
	for _, s := range on {
		hash, _ := checks.LoadedBeside(s)
		server.Launches = append(server.Launches, hash)
		way := wayOf(s)
		isSame := func(other Way) bool {
			return other.URL == way.URL && slices.Equal(other.Command, way.Command)
		}
		if !slices.ContainsFunc(server.Written, isSame) {
			server.Written = append(server.Written, way)
		}
	}
	if server.Launches = unique(server.Launches); server.Launches[len(server.Launches)-1] == "" {
		server.Launches = nil
	}
	for _, tool := range c.tools[first] {
		server.Tools = append(server.Tools, name+":"+tool)
	}
	server.Tools = unique(server.Tools)
	c.servers = append(c.servers, server)
}

// lockedHash returns the hash of a locked server, "" for none that proves anything. A
// commit is its own.
func lockedHash(s *lock.Server) string {
	if algorithm, digest := compare.DigestOf(s.Integrity); digest != "" {
		return algorithm + "-" + digest
	}
	const lengthOfSHA1 = 40
	if strings.HasPrefix(s.Identity, string(identity.Git)+":") && len(s.Version) == lengthOfSHA1 && strings.Trim(s.Version, "0123456789abcdef") == "" {
		return "sha1-" + s.Version
	}
	return ""
}

// usualName returns the name that most entries have, of several the first.
func usualName(entries []*mcp.Server) string {
	count := map[string]int{}
	for _, s := range entries {
		count[s.Name]++
	}
	best := entries[0].Name
	for name, n := range count {
		if n > count[best] || n == count[best] && name < best {
			best = name
		}
	}
	return best
}

// addPublished notes what the manifests of a project publish.
func (c *collector) addPublished(p *mcp.Project) {
	for _, d := range p.Documents {
		if !d.Publishes || d.Role != mcp.InUse {
			continue
		}
		for _, s := range d.Servers {
			if program := programOf(s); c.published[program] == nil {
				c.published[program] = s
			}
		}
	}
}

// programOf returns what servers share that run the same.
func programOf(s *mcp.Server) string {
	return s.Identity.String() + "\x00" + strings.Join(s.Identity.Selector, "\x00")
}

// said returns what the first of some entries says of its server that says it, else what its
// manifest does; "" for nothing.
func (c *collector) said(entries []*mcp.Server, what func(*mcp.Server) string) string {
	if manifest := c.published[programOf(entries[0])]; manifest != nil {
		entries = append(slices.Clone(entries), manifest)
	}
	for _, s := range entries {
		if text := what(s); text != "" && secret.MayCopy("", text) && c.blanker.Replace(text) == text {
			return text
		}
	}
	return ""
}

// sourceOf returns the URL of the source of a server, "" where it is not given.
func sourceOf(s *mcp.Server) string {
	if s.Extra().Repository == "" && s.Locked != nil {
		return s.Locked.Target.Repository
	}
	return s.Extra().Repository
}

func descriptionOf(s *mcp.Server) string { return s.Extra().Description }

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// Published returns the names in the MCP registry that manifests of a repository have for
// servers, for Naming. Of two names of one server neither counts.
func Published(repo *mcp.Repo) map[string]string {
	names := map[string]string{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if !d.Publishes || d.Role != mcp.InUse {
				continue
			}
			for _, s := range d.Servers {
				program := programOf(s)
				if known, isKnown := names[program]; s.Identity.Kind == identity.None || !isRegistered(s.Name) || isKnown && known != s.Name {
					names[program] = ""
					continue
				}
				names[program] = s.Name
			}
		}
	}
	return names
}

// findingsOf returns the entries with findings, each with a clause that says what. A finding
// is about the entry that contains it, about entries of its name in the same file, and in a
// lockfile about those that the locked entry is for.
func findingsOf(v Vetted) map[*mcp.Server]string {
	places := map[*syntax.File][]*rule.Finding{}
	named := map[namedIn]*rule.Finding{}
	for i := range v.Findings {
		f := &v.Findings[i]
		places[f.File] = append(places[f.File], f)
		if key := (namedIn{f.File, f.Server}); f.Server != "" && named[key] == nil {
			named[key] = f
		}
	}
	for _, all := range places {
		slices.SortFunc(all, func(a, b *rule.Finding) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	}
	against := map[*mcp.Server]string{}
	for _, p := range v.Repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				if f := cmp.Or(firstWithin(places[d.File], s), named[namedIn{d.File, s.Name}]); f != nil {
					against[s] = saying(f)
				}
			}
			for _, s := range lockedIn(d, named) {
				against[s.server] = cmp.Or(against[s.server], saying(s.finding))
			}
		}
	}
	return against
}

// namedIn is a name of an entry in a file.
type namedIn struct {
	file *syntax.File
	name string
}

// firstWithin returns the first of sorted findings that is in an entry or at its name.
func firstWithin(found []*rule.Finding, s *mcp.Server) *rule.Finding {
	start := min(s.NameSpan.Start, s.Span.Start)
	i, _ := slices.BinarySearchFunc(found, start, func(f *rule.Finding, start int) int { return cmp.Compare(f.Span.Start, start) })
	if i == len(found) || found[i].Span.Start >= max(s.Span.End, s.NameSpan.End) {
		return nil
	}
	return found[i]
}

type foundServer struct {
	server  *mcp.Server
	finding *rule.Finding
}

// lockedIn returns the servers of whose locked entry something was found in a lockfile.
func lockedIn(d *mcp.Document, named map[namedIn]*rule.Finding) (all []foundServer) {
	if d.Lock == nil {
		return nil
	}
	for _, e := range d.Lock.Entries {
		f := named[namedIn{d.File, e.Name}]
		if f == nil {
			continue
		}
		for _, s := range e.Servers {
			all = append(all, foundServer{s, f})
		}
	}
	return all
}

// saying says what was found.
func saying(f *rule.Finding) string {
	return fmt.Sprintf("mcplumb check finds %s in %s", f.Rule.ID, f.File.Path)
}
