package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Unanswered is a registry that has not answered, and what for.
type Unanswered struct {
	Error
	// Name is the first thing that it was asked about, More counts the others.
	Name string
	More int
}

// String says it in a sentence.
func (s Unanswered) String() string {
	of := s.Name
	if s.More > 0 {
		of = fmt.Sprintf("%s and %d more", s.Name, s.More)
	}
	if s.Registry == "" {
		return fmt.Sprintf("%s (for %s)", s.Reason, of)
	}
	return fmt.Sprintf("the registry %s gives no answer about %s: %s", s.Registry, of, s.Reason)
}

// Fill asks registries about all packages that a repository starts servers with, and leaves
// what they say in it. settled is mcp.Registries.Settled. It returns those that did not
// answer, sorted; its error is that of the context, and then the repository still has the
// answers so far.
func (c *Client) Fill(ctx context.Context, repo *mcp.Repo, settled time.Time) ([]Unanswered, error) {
	wanted := wantedIn(repo, c.all)
	repo.Registries = &mcp.Registries{
		Packages: map[mcp.Wanted]*mcp.Published{}, Servers: map[string]*mcp.Published{}, Tools: map[mcp.WantedTool]*mcp.PublishedTool{},
		Advisories: map[mcp.Wanted][]string{}, Settled: settled,
	}
	silences := map[Error]*Unanswered{}
	fail := func(err error, name string) {
		var failed *Error
		if !errors.As(err, &failed) {
			return // that of the context
		}
		if known := silences[*failed]; known != nil {
			known.More++
			return
		}
		silences[*failed] = &Unanswered{Error: *failed, Name: name}
	}
	wanted = atMost(wanted, func(w mcp.Wanted) string { return w.Name }, fail)
	for i, answer := range c.askEach(ctx, wanted, func(w mcp.Wanted) (*mcp.Published, error) { return c.Ask(ctx, w) }) {
		if answer.err != nil {
			fail(answer.err, wanted[i].Name)
		} else if answer.published != nil {
			repo.Registries.Packages[wanted[i]] = answer.published
		}
	}
	names := atMost(serversIn(repo), func(name string) string { return name }, fail)
	for i, answer := range c.askServers(ctx, names) {
		if answer.err != nil {
			fail(answer.err, names[i])
		} else {
			repo.Registries.Servers[names[i]] = answer.published
		}
	}
	c.fillTools(ctx, repo, fail)
	if err := c.fillAdvisories(ctx, repo.Registries, wanted); err != nil {
		fail(err, "advisories")
	}
	var all []Unanswered
	for _, s := range silences {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Unanswered) int {
		return cmp.Or(strings.Compare(a.Registry, b.Registry), strings.Compare(a.Reason, b.Reason))
	})
	return all, ctx.Err()
}

// reply is the outcome of a question.
type reply struct {
	published *mcp.Published
	err       error
}

// askEach asks everything at once, as far as the limits let it, and what was answered
// before not again.
func (c *Client) askEach(ctx context.Context, wanted []mcp.Wanted, ask func(mcp.Wanted) (*mcp.Published, error)) []reply {
	replies := make([]reply, len(wanted))
	each(len(wanted), func(i int) {
		known, ok := c.known(wanted[i])
		if !ok {
			known = c.queryCached(wanted[i], ask)
			if ctx.Err() == nil {
				c.remember(wanted[i], known)
			}
		}
		replies[i] = known
	})
	return replies
}

// maxAsked is how many packages are asked about, and as many servers and tools: a repository
// that names more is out to waste time. maxWaiting is how many questions wait for their turn
// at the same time.
const maxAsked, maxWaiting = 20_000, 1_000

// atMost returns the first questions, and says that there are more.
func atMost[T any](wanted []T, name func(T) string, fail func(err error, name string)) []T {
	for _, w := range wanted[min(len(wanted), maxAsked):] {
		fail(&Error{Reason: fmt.Sprintf("mcplumb looks up only the first %d", maxAsked)}, name(w))
	}
	return wanted[:min(len(wanted), maxAsked)]
}

// each does something for every number below n, for some of them at the same time.
func each(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, maxWaiting) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	group.Wait()
}

// queryCached asks what no earlier run has asked lately.
func (c *Client) queryCached(w mcp.Wanted, ask func(mcp.Wanted) (*mcp.Published, error)) reply {
	if kept := c.recall(w); kept != nil {
		return reply{published: kept}
	}
	published, err := ask(w)
	if err == nil {
		c.keep(w, published)
	}
	return reply{published, err}
}

func (c *Client) known(w mcp.Wanted) (reply, bool) {
	c.guard.Lock()
	defer c.guard.Unlock()
	r, ok := c.replies[w]
	return r, ok
}

func (c *Client) remember(w mcp.Wanted, r reply) {
	c.guard.Lock()
	defer c.guard.Unlock()
	c.replies[w] = r
}

// askServers asks the MCP registry about the newest versions of servers.
func (c *Client) askServers(ctx context.Context, names []string) []reply {
	wanted := make([]mcp.Wanted, len(names))
	for i, name := range names {
		wanted[i] = mcp.Wanted{Name: name} // of no kind of package
	}
	return c.askEach(ctx, wanted, func(w mcp.Wanted) (*mcp.Published, error) { return c.Server(ctx, w.Name, "") })
}

// toolReply is the outcome of a question about a tool.
type toolReply struct {
	published *mcp.PublishedTool
	err       error
}

// fillTools asks about the tools that lockfiles lock one by one.
func (c *Client) fillTools(ctx context.Context, repo *mcp.Repo, fail func(err error, name string)) {
	wanted := atMost(toolsIn(repo), func(w mcp.WantedTool) string { return w.Name }, fail)
	replies := make([]toolReply, len(wanted))
	each(len(wanted), func(i int) {
		known, ok := c.tools[wanted[i]]
		if !ok {
			known.published, known.err = c.Tool(ctx, wanted[i])
		}
		replies[i] = known
	})
	for i, w := range wanted {
		if ctx.Err() == nil {
			c.tools[w] = replies[i]
		}
		if replies[i].err != nil {
			fail(replies[i].err, w.Name)
		} else if replies[i].published != nil {
			repo.Registries.Tools[w] = replies[i].published
		}
	}
}

// toolsIn returns the tools that lockfiles in use lock one by one, once each and sorted.
func toolsIn(repo *mcp.Repo) []mcp.WantedTool {
	seen := map[mcp.WantedTool]bool{}
	for _, p := range repo.Projects {
		cloud := p.Cloud()
		for _, d := range p.Documents {
			if d.Lock == nil || d.Tool == nil || !d.Tool.PerTool || d.Role != mcp.InUse {
				continue
			}
			for _, entry := range d.Lock.Entries {
				if w, ok := mcp.WantedToolOf(cloud, entry); ok {
					seen[w] = true
				}
			}
		}
	}
	tools := slices.Collect(maps.Keys(seen))
	slices.SortFunc(tools, func(a, b mcp.WantedTool) int {
		return cmp.Or(strings.Compare(a.Cloud, b.Cloud), strings.Compare(a.Name, b.Name), strings.Compare(a.Hash, b.Hash), strings.Compare(a.Integrity, b.Integrity))
	})
	return tools
}

// serversIn returns the names in the MCP registry that entries have, once each and
// sorted.
func serversIn(repo *mcp.Repo) []string {
	var names []string
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				if name := s.Extra().Registry.Text; mcp.IsRegistryName(name) && s.IsStarted() {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// fillAdvisories asks OSV about exact versions, in one request for all that were not
// asked about before.
func (c *Client) fillAdvisories(ctx context.Context, into *mcp.Registries, wanted []mcp.Wanted) error {
	var known []Known
	var wantedOf []mcp.Wanted
	for _, w := range wanted {
		if w.Version == "" || w.Kind == identity.OCI {
			continue
		}
		if _, asked := c.advisories[w]; !asked {
			k := Known{Kind: w.Kind, Name: w.Name, Version: w.Version}
			if said := into.Packages[w]; said != nil {
				k.Name = cmp.Or(said.Name, w.Name) // to OSV the two are two packages
			}
			known, wantedOf = append(known, k), append(wantedOf, w)
		}
	}
	if len(known) > 0 {
		if err := c.Advisories(ctx, known); err != nil {
			return err
		}
	}
	for i, k := range known {
		c.advisories[wantedOf[i]] = k.Advisories
	}
	for _, w := range wanted {
		if ids := c.advisories[w]; len(ids) > 0 {
			into.Advisories[w] = ids
		}
	}
	return nil
}

// wantedIn returns what there is to ask about a repository, once each and sorted; with all
// also about disabled servers.
func wantedIn(repo *mcp.Repo, all bool) []mcp.Wanted {
	seen := map[mcp.Wanted]bool{}
	var wanted []mcp.Wanted
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for pkg := range packagesIn(p, d, all) {
				if w, ok := mcp.WantedOf(pkg); ok && !seen[w] {
					seen[w] = true
					wanted = append(wanted, w)
				}
			}
		}
	}
	slices.SortFunc(wanted, func(a, b mcp.Wanted) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
	})
	return wanted
}

// packagesIn yields the packages that the servers of a document are started with, and
// those that a lockfile in use locks at one version.
func packagesIn(p *mcp.Project, d *mcp.Document, all bool) iter.Seq[identity.Fetched] {
	return func(yield func(identity.Fetched) bool) {
		for _, s := range d.Servers {
			if !s.MayBeStarted() && !all || s.Identity.Installed {
				continue
			}
			for pkg := range s.Identity.Packages() {
				if in := p.InstalledFor(s, pkg); in != nil && in.Version == "" {
					continue
				} else if in != nil {
					pkg.Name, pkg.Version = in.Name, identity.Version{Kind: identity.Exact, Text: in.Version}
				}
				if !yield(pkg) {
					return
				}
			}
		}
		if d.Lock == nil || d.Role != mcp.InUse {
			return
		}
		for _, entry := range d.Lock.Entries {
			if pkg, ok := entry.Release(); ok && !yield(pkg) {
				return
			}
		}
	}
}
