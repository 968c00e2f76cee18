package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// WiderApproval is what a file allows one server to do without asking, and did not allow at the
// base.
type WiderApproval struct {
	Document *mcp.Document
	// Server is its name, Tools are its tools that run, none for all of them.
	Server string
	Grant  mcp.Grant
	Tools  []string
	// Span are the first words that grant it.
	Span syntax.Span
	// Started are the entries of that name that the client starts.
	Started []*mcp.Server
}

// Words says what the server does.
func (w *WiderApproval) Words() string {
	switch {
	case w.Grant == mcp.StartServer:
		return "is started"
	case len(w.Tools) == 0:
		return "may use all of its tools"
	}
	tools := make([]string, len(w.Tools))
	for i, tool := range w.Tools {
		tools[i] = wording.Say("%q", wording.Beginning(secret.Mask(tool), wording.MaxQuoted))
	}
	return "may use " + wording.JoinWords(wording.Few(tools))
}

// approvalKey is whom an approval of the base holds for: in a project, for a client.
type approvalKey struct {
	dir, client string
	grant       mcp.Grant
	server      string
}

// approvedTools are the tools that a place approves.
type approvedTools struct {
	names    map[string]bool // "" for all of them
	patterns []string        // the text before the star of each
}

// has reports whether a tool, "" for all of them, is among them.
func (t *approvedTools) has(tool string) bool {
	if t == nil {
		return false
	}
	isCovered := func(prefix string) bool { return tool != "" && strings.HasPrefix(tool, prefix) }
	return t.names[""] || t.names[tool] || slices.ContainsFunc(t.patterns, isCovered)
}

// widerApprovals returns the approvals of single servers that the base does not have. That a
// setting approves every server, or a wildcard of an entry all of its tools, auto-approval
// says; of a server that is new or another one new-server and changed-server say that it is
// approved.
func widerApprovals(b *Base, c *Changes) []WiderApproval {
	had := approvalsOf(b)
	var all []WiderApproval
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		var servers *approvableServers
		for doc := range reads.Used(p) {
			if doc.IsPersonal || len(doc.Approvals) == 0 {
				continue
			}
			if servers == nil {
				servers = newApprovableServers(b, p)
			}
			all = append(all, widerIn(c, doc, had, servers)...)
		}
	}
	return all
}

// approvalsOf returns the tools that the base approves.
func approvalsOf(b *Base) map[approvalKey]*approvedTools {
	had := map[approvalKey]*approvedTools{}
	for _, p := range b.then.Projects {
		dir := p.Dir
		if !b.today()[dir] {
			dir = goneDir
		}
		for doc := range reads.Used(p) {
			for _, a := range doc.Approvals {
				at := approvalKey{dir, a.Client.ID, a.Grant, a.Server}
				if had[at] == nil {
					had[at] = &approvedTools{names: map[string]bool{}}
				}
				prefix, isPattern := strings.CutSuffix(a.Tool, "*")
				if isPattern && !had[at].names[a.Tool] {
					had[at].patterns = append(had[at].patterns, prefix)
				}
				had[at].names[a.Tool] = true
			}
		}
	}
	return had
}

// approvableServers are the servers of a project that approvals may be about.
type approvableServers struct {
	dir string // as the base knows it
	// byName are those of today under their names, and under those that they have in tools;
	// former the names at the base that nothing has today, by what ran.
	byName map[string][]*mcp.Server
	former map[string][]string
}

// newApprovableServers returns the servers of a project.
func newApprovableServers(b *Base, p *mcp.Project) *approvableServers {
	x := &approvableServers{dir: b.dirOf(p.Dir), byName: map[string][]*mcp.Server{}, former: map[string][]string{}}
	for s := range serversOf(p) {
		x.byName[s.Name] = append(x.byName[s.Name], s)
		if as := mcp.InTools(s.Name); as != s.Name {
			x.byName[as] = append(x.byName[as], s)
		}
	}
	for _, was := range b.then.Projects {
		if was.Dir != x.dir && (x.dir != goneDir || b.today()[was.Dir]) {
			continue
		}
		for s := range serversOf(was) {
			if len(x.byName[s.Name]) == 0 {
				x.former[ByKey(s)] = append(x.former[ByKey(s)], s.Name, mcp.InTools(s.Name))
			}
		}
	}
	return x
}

// startedUnder returns the entries that an approval holds for and that its client starts.
func (x *approvableServers) startedUnder(a mcp.Approval) []*mcp.Server {
	var started []*mcp.Server
	for _, s := range x.byName[a.Server] {
		if slices.Contains(s.Document.Loaders(), a.Client) && s.MayBeStartedBy(a.Client) {
			started = append(started, s)
		}
	}
	return started
}

// names returns the names under which the base may have an approval: that of the server, ""
// for every one, and those of the same server that no entry has now.
func (x *approvableServers) names(a mcp.Approval, started []*mcp.Server) []string {
	names := []string{a.Server, ""}
	for _, s := range started {
		names = append(names, x.former[ByKey(s)]...)
	}
	return names
}

// subject is the servers that approvals of one file apply to.
type subject struct {
	server string
	grant  mcp.Grant
}

// widerIn returns those of one file, one for each server and grant.
func widerIn(c *Changes, doc *mcp.Document, had map[approvalKey]*approvedTools, servers *approvableServers) []WiderApproval {
	var wider []WiderApproval
	at := map[subject]int{}
	seen := map[mcp.Approval]bool{}
	started, names := map[subject][]*mcp.Server{}, map[subject][]string{}
	whole := map[subject]bool{} // its entry approves all of its tools, or the file those of every server
	for _, a := range doc.Approvals {
		if a.Tool == "" && !a.ByName {
			whole[subject{a.Server, a.Grant}] = true
		}
	}
	for _, a := range doc.Approvals {
		this := subject{a.Server, a.Grant}
		same := mcp.Approval{Server: a.Server, Grant: a.Grant, Tool: a.Tool}
		if whole[this] || whole[subject{"", a.Grant}] || seen[same] {
			continue
		}
		if _, isKnown := names[this]; !isKnown {
			started[this] = servers.startedUnder(a)
			names[this] = servers.names(a, started[this])
		}
		isApproved := func(server string) bool {
			return had[approvalKey{servers.dir, a.Client.ID, a.Grant, server}].has(a.Tool)
		}
		isNews := len(started[this]) > 0 && !slices.ContainsFunc(started[this], c.isAsItWas)
		if isNews || slices.ContainsFunc(names[this], isApproved) {
			continue
		}
		seen[same] = true
		i, isKnown := at[this]
		if !isKnown {
			i = len(wider)
			at[this] = i
			wider = append(wider, WiderApproval{Document: doc, Server: a.Server, Grant: a.Grant, Span: a.Span, Started: started[this]})
		}
		if a.Tool == "" {
			whole[this], wider[i].Span, wider[i].Tools = true, a.Span, nil
		} else {
			wider[i].Tools = append(wider[i].Tools, a.Tool)
		}
	}
	return wider
}

// isAsItWas reports whether a server ran at the base and is the same.
func (c *Changes) isAsItWas(s *mcp.Server) bool {
	return !c.IsNew[s] && c.Was[s] == nil && !slices.Contains(c.Beside[ProgramKey(s)], s)
}
