package pml

import (
	"iter"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportUnlockedTools reports tools that were locked at the base and are not now, while PML may
// fetch them: it locks what it gets then. PML itself removes what nothing permits any longer.
func ReportUnlockedTools(p *rule.Pass) {
	if p.Base == nil {
		return
	}
	permitted, fetched := permissionsOf(p.Project), fetchersOf(p.Project)
	for _, was := range p.Base.UnheldIn(p.Project) {
		if was.Entry == nil || !was.Document.Tool.PerTool || notPermitted(permitted, was.Entry) != "" {
			continue
		}
		f, stays := fetched.of(was.Entry)
		if !stays {
			continue
		}
		path := was.Document.File.Path
		from, _ := compare.ShownHashes(was.Held().Text, "")
		f.Server = was.Name
		f.Approval = &rule.Approval{
			Required: true, Identity: was.ID, Old: was.Held().Text, New: compare.NoHash, OldShort: compare.ShortOf(was.Held().Text), NewShort: compare.NoHash, OldFetched: was.Pin.Fetched,
		}
		f.Message = wording.Say("%q is no longer locked (by %s at the base), and PML locks what it fetches next", was.Name, from)
		f.Help = wording.Say("restore the entry in %s, or approve that there is no hash", path)
		f.Group = rule.Group{Key: "unheld\x00" + path, Message: wording.Say("%q is no longer locked either", was.Name)}
		p.Report(f)
	}
}

// fetchers are the places by which PML fetches tools.
type fetchers struct {
	servers map[string]*mcp.Server
	// file is PML's own, nil where it is not there.
	file *mcp.Document
}

func fetchersOf(project *mcp.Project) fetchers {
	f := fetchers{servers: map[string]*mcp.Server{}}
	for doc := range reads.Used(project) {
		if doc.Format != "pml" {
			continue
		}
		f.file = doc
		for _, s := range doc.Servers {
			if s.IsStarted() {
				f.servers[s.Name] = s
			}
		}
	}
	return f
}

// of returns a finding at the place by which PML still fetches a tool: the server that it is of,
// or for code that PML runs itself its own file.
func (f fetchers) of(entry *mcp.LockEntry) (at rule.Finding, stays bool) {
	if !strings.HasPrefix(entry.Tools.FullName, "pml.mcp.") {
		if f.file == nil {
			return at, false
		}
		return rule.Finding{File: f.file.File, Span: f.file.Root}, true
	}
	name, _, _ := strings.Cut(entry.Tools.Permission, ":")
	s := f.servers[name]
	if s == nil {
		return at, false
	}
	return rule.At(s), true
}

// ReportOtherWays reports tools that PML gets or runs in another way than at the base, by the
// same hash. What is hashed of code, of a server and of an address is not the same.
func ReportOtherWays(p *rule.Pass) {
	if p.Base == nil {
		return
	}
	for now, was := range keptTools(p) {
		reportOtherWay(p, now, "type", was.Tools.Type, now.Tools.Type)
		reportOtherWay(p, now, "routing", was.Tools.Routing, now.Tools.Routing)
	}
}

// keptTools yields the locked tools of a project that have the hash which they had at the
// base, each with what it was there.
func keptTools(p *rule.Pass) iter.Seq2[*mcp.LockEntry, *mcp.LockEntry] {
	return func(yield func(now, was *mcp.LockEntry) bool) {
		for lock := range p.Lockfiles() {
			if !lock.Tool.PerTool {
				continue
			}
			for _, now := range compare.PinnedHashesOf(lock) {
				was := p.Base.Pinned().Before(&now)
				if was != nil && was.Entry != nil && now.Entry != nil && compare.MatchesHash(was.Entry.Pin.Integrity.Text, now.Entry.Pin.Integrity.Text) &&
					!yield(now.Entry, was.Entry) {
					return
				}
			}
		}
	}
}

// ReportOtherPrograms reports servers that PML starts as another program than at the base,
// while their tools are locked by the hash that they had: that is not of the new one.
func ReportOtherPrograms(p *rule.Pass) {
	if p.Base == nil {
		return
	}
	fetched, before := fetchersOf(p.Project), map[*mcp.Project]fetchers{}
	for now, was := range keptTools(p) {
		s, project := fetched.servers[now.Tools.Server], was.Document.Project
		if s == nil {
			continue
		}
		if before[project].servers == nil {
			before[project] = fetchersOf(project)
		}
		ran := before[project].servers[was.Tools.Server]
		if ran == nil || ran.Identity.Key() == "" || s.Identity.Key() == "" || ran.Identity.Key() == s.Identity.Key() {
			continue
		}
		f := rule.At(s)
		f.Span, f.Severity = s.Identity.Span, rule.Warning
		f.Message = wording.Say("%q now runs %s instead of %s, but the locked hash of %q is still the one of the base",
			s.Name, s.Identity.InSentence(), ran.Identity.InSentence(), now.Name)
		f.Help = "find out whether the program is right, then let PML fetch the tool again"
		f.Related = []rule.Related{{File: now.Document.File, Span: now.Pin.Integrity.Span, Message: "locked here"}}
		f.Group = rule.Group{Key: "program\x00" + now.Document.File.Path + "\x00" + s.Name, Message: wording.Say("the hash of %q is also the one of the base", now.Name)}
		p.Report(f)
	}
}

// reportOtherWay reports a member of an entry that was something else.
func reportOtherWay(p *rule.Pass, entry *mcp.LockEntry, member string, was, now identity.Word) {
	if was.Text == "" || now.Text == "" || was.Text == now.Text {
		return
	}
	f := rule.AtEntry(entry)
	f.Span, f.Severity = now.Span, rule.Warning
	f.Message = wording.Say("the %q of %q changed from %q to %q, but its hash did not, so PML treats it as approved", member, entry.Name, was.Text, now.Text)
	f.Help = wording.Say("find out why it changed, or restore %q", was.Text)
	f.Group = rule.Group{Key: wording.Say("way\x00%s\x00%s\x00%q\x00%q", entry.Document.File.Path, member, was.Text, now.Text), Message: wording.Say("the %q of %q also changed", member, entry.Name)}
	p.Report(f)
}

// ReportAddressHashes reports tools of a remote server whose integrity is not the hash of the
// server's URL, as it is configured. No file says which tools of the server the registry knows, so
// this is at most a note, unless the integrity was right at the base.
func ReportAddressHashes(p *rule.Pass) {
	for other := range otherAddresses(p) {
		if other.wasRight {
			continue
		}
		entry := other.entry
		f := rule.AtEntry(entry)
		f.Span, f.Severity = entry.Pin.Integrity.Span, rule.Note
		f.Message = wording.Say("the integrity of %q does not match %q as configured here, so it was locked for another address, other variables, or tools not listed here",
			entry.Name, other.server.Name)
		f.Help = "find out which, or let PML fetch the tool again"
		f.Related = []rule.Related{rule.SeeAlso(other.server, "configured here")}
		p.Report(f)
	}
}

// ReportChangedAddresses reports servers whose address or variables are no longer those that are
// locked, and were at the base.
func ReportChangedAddresses(p *rule.Pass) {
	if p.Base == nil {
		return
	}
	for other := range otherAddresses(p) {
		if !other.wasRight {
			continue
		}
		s, entry := other.server, other.entry
		locked, path := entry.Pin.Integrity, entry.Document.File.Path
		here, there := compare.ShownHashes(locked.Text, other.hash)
		f := rule.At(s)
		f.Span, f.Server = s.Identity.Span, entry.Name
		f.Approval = &rule.Approval{
			Required: true, Identity: compare.LockedID(entry), OldFetched: entry.Pin.Fetched,
			Old: locked.Text, New: other.hash, OldShort: compare.ShortOf(locked.Text), NewShort: compare.ShortOf(other.hash),
		}
		f.Message = wording.Say("the address or variables of %q changed, so their hash is now %s, but %q is still locked by %s",
			s.Name, there, entry.Name, here)
		f.Help = "restore the address and the variables, or let PML fetch the tool again"
		f.Related = []rule.Related{{File: entry.Document.File, Span: locked.Span, Message: "locked here"}}
		f.Group = rule.Group{Key: "address\x00" + path + "\x00" + s.Name, Message: wording.Say("%q is also locked for the old ones", entry.Name)}
		p.Report(f)
	}
}

// otherAddress is a tool whose integrity is not the hash of its server's address.
type otherAddress struct {
	entry  *mcp.LockEntry
	server *mcp.Server
	// hash is that of the address with the tools that are locked.
	hash string
	// wasRight reports that it was the hash of the address which was configured at the base.
	wasRight bool
}

// otherAddresses yields the tools of a project whose integrity is not the hash of their server's
// address.
func otherAddresses(p *rule.Pass) iter.Seq[otherAddress] {
	return func(yield func(otherAddress) bool) {
		before := map[*mcp.Document]map[string]*address{}
		for lock := range p.Lockfiles() {
			if !lock.Tool.PerTool {
				continue
			}
			all := addressesOf(lock)
			for _, now := range compare.PinnedHashesOf(lock) {
				at := all[now.Entry.Tools.Remote]
				if at == nil || !compare.IsHash(now.Entry.Pin.Integrity.Text) || at.isLockedBy(now.Entry) {
					continue
				}
				other := otherAddress{entry: now.Entry, server: at.server, hash: at.hashes[0], wasRight: p.Base != nil && wasRight(p.Base.Pinned().Before(&now), now.Entry, before)}
				if !yield(other) {
					return
				}
			}
		}
	}
}

// wasRight reports whether an entry had the same hash at the base, and that was of the address
// which was configured then. before are the addresses that are known of lockfiles.
func wasRight(was *compare.PinnedHash, entry *mcp.LockEntry, before map[*mcp.Document]map[string]*address) bool {
	if was == nil || was.Entry == nil || !compare.MatchesHash(was.Pin.Integrity.Text, entry.Pin.Integrity.Text) {
		return false
	}
	if before[was.Document] == nil {
		before[was.Document] = addressesOf(was.Document)
	}
	at := before[was.Document][was.Entry.Tools.Remote]
	return at != nil && at.isLockedBy(was.Entry)
}

// address is where a configured server is reached, and the hashes that it may have: with the tools
// that are locked, with those that another lockfile knows, and with none.
type address struct {
	server    *mcp.Server
	url       string
	variables []string
	hashes    []string
}

// isLockedBy reports whether the integrity of an entry is the hash of a URL with any tools that are
// known.
func (a *address) isLockedBy(entry *mcp.LockEntry) bool {
	own := compare.HashOfAddress(a.url, a.variables, []string{entry.Tools.Permission})
	return slices.ContainsFunc(append([]string{own}, a.hashes...), func(hash string) bool { return compare.MatchesHash(hash, entry.Pin.Integrity.Text) })
}

// addressesOf returns where the servers are reached whose tools a lockfile has, by their names.
func addressesOf(lock *mcp.Document) map[string]*address {
	locked, known := map[string][]string{}, map[*mcp.Server][]string{}
	for _, entry := range lock.Lock.Entries {
		if name := entry.Tools.Remote; name != "" && !strings.HasSuffix(entry.Tools.Permission, ":server") { // a separate tool, not the server as a whole
			locked[name] = append(locked[name], entry.Tools.Permission)
		} else if name != "" && locked[name] == nil {
			locked[name] = []string{}
		}
	}
	for doc := range reads.Used(lock.Project) {
		if doc.Lock == nil || doc.Tool.PerTool {
			continue
		}
		for _, entry := range doc.Lock.Entries {
			for _, s := range entry.Servers {
				for _, tool := range entry.Tools.Names {
					known[s] = append(known[s], s.Name+":"+tool)
				}
			}
		}
	}
	all := map[string]*address{}
	for doc := range reads.Used(lock.Project) {
		for _, s := range doc.Servers {
			tools, isLocked := locked[s.Name]
			if doc.Format != "pml" || !isLocked || all[s.Name] != nil || !s.IsStarted() || s.Identity.Kind != identity.URL {
				continue
			}
			a := &address{server: s, url: compare.AddressOf(s), variables: compare.VariablesOf(s)}
			for _, list := range [][]string{tools, known[s], nil} {
				slices.Sort(list)
				a.hashes = append(a.hashes, compare.HashOfAddress(a.url, a.variables, slices.Compact(list)))
			}
			all[s.Name] = a
		}
	}
	return all
}
