package checks

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// reportMissingTools reports every server once whose tools are locked, at the
// first of them. Only the tool's own file lists all servers that it starts;
// where that one is not committed, nothing is known.
func reportMissingTools(p *Pass) {
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool || !slices.ContainsFunc(lock.Lock.Files, func(d *mcp.Document) bool { return d.Format == "pml" }) {
			continue
		}
		seen := configured(p.Project)
		seen[""] = true // code that the tool runs itself has no server
		for _, entry := range lock.Lock.Entries {
			if seen[entry.Tools.Server] {
				continue
			}
			seen[entry.Tools.Server] = true
			f := atEntry(entry)
			f.Server = entry.Tools.Server
			f.Message = say("%q is in the lockfile, but not in client config (no file here configures the server %q): configure it again, or remove it from the lockfile",
				entry.Name, entry.Tools.Server)
			p.Report(f)
		}
	}
}

// reportStartedTwice reports servers of PML's own file that a client of the
// project starts, too, under that name: PML is a server of clients itself, and
// what it starts is there twice.
func reportStartedTwice(p *Pass) {
	files := p.Project.ClientFiles()
	own := slices.DeleteFunc(slices.Clone(files), func(d *mcp.Document) bool { return d.Format != "pml" })
	if len(own) == 0 {
		return // what servers run is costly to work out
	}
	started := map[string]*mcp.Server{}
	for _, s := range running(files) {
		if key := s.Name + "\x00" + byConfig(s); s.Document.Format != "pml" && started[key] == nil {
			started[key] = s
		}
	}
	for _, s := range running(own) {
		if other := started[s.Name+"\x00"+byConfig(s)]; other != nil {
			f := at(s)
			f.Message = say("%q is in %s, too, and is started twice where PML runs beside it: remove one of them", s.Name, other.Document.File.Path)
			f.Related = []Related{seeAlso(other, "started here, too")}
			p.Report(f)
		}
	}
}

// reportPlainCloud reports a cloud that PML talks to without encryption: it sends
// the code of tools and what they are given.
func reportPlainCloud(p *Pass) {
	for doc := range p.Documents() {
		scheme, name, ok := plainAddress(strings.ToLower(doc.Cloud.Text))
		severity, where := plainRisk(name)
		if !ok || severity == Off {
			continue
		}
		f := Finding{
			File: doc.File, Span: doc.Cloud.Span, Severity: severity,
			Message: say("PML talks to its cloud %s over plain %s: anyone %s can read and change what is sent, so use %ss", name, scheme, where, scheme),
		}
		f.Fixes, f.NoFixReason = fixPlainAddress(doc.File, doc.Cloud)
		p.Report(f)
	}
}

// reportNotPermitted reports locked tools that nothing permits any more.
func reportNotPermitted(p *Pass) {
	permitted := permissionsOf(p.Project)
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool {
			continue
		}
		for _, entry := range lock.Lock.Entries {
			if why := notPermitted(permitted, entry); why != "" {
				f := atEntry(entry)
				f.Message = why
				f.Fixes = fixNotPermitted(p.Project, entry)
				p.Report(f)
			}
		}
	}
}

// fixNotPermitted takes an entry out of the lockfile, unless a pattern that was refused
// may have meant it.
func fixNotPermitted(project *mcp.Project, entry *mcp.LockEntry) []Fix {
	for doc := range used(project) {
		if doc.Permissions != nil && len(doc.Refusals) > 0 {
			return nil
		}
	}
	return []Fix{{
		Title: say("remove %q from the lockfile", entry.Name), Safety: Safe,
		Edits: []edit.Change{edit.Remove(entry.Document.File, entry.NameSpan)},
	}}
}

// permissions are the patterns of a project's files.
type permissions struct{ allow, deny, ask patterns }

// permissionsOf returns what the project's files permit, nil if they say
// nothing.
func permissionsOf(p *mcp.Project) *permissions {
	for doc := range used(p) {
		if said := doc.Permissions; said != nil {
			return &permissions{newPatterns(said.Allow), newPatterns(said.Deny), newPatterns(said.Ask)}
		}
	}
	return nil
}

// notPermitted says why a locked tool is not run any more, or "". Where the key names
// another tool than the full name, one of the two is wrong, and nobody knows which:
// neither may be permitted then.
func notPermitted(permitted *permissions, entry *mcp.LockEntry) string {
	if permitted == nil || entry.Tools.Permission == "" {
		return ""
	}
	if other := entry.Tools.KeyPermission; other != "" && other != entry.Tools.Permission && permitted.excludes(entry.Name, other) == "" {
		return ""
	}
	return permitted.excludes(entry.Name, entry.Tools.Permission)
}

// excludes says why a tool ("filesystem:read_file") of an entry is not run, or "".
// While nothing is allowed and nothing is to be asked for, PML asks for every tool
// that is not denied.
func (p *permissions) excludes(entry, tool string) string {
	if pattern := p.deny.permits(entry, tool); pattern != "" {
		return say("%q is locked and never runs, because %q denies it: remove it from the lockfile", entry, pattern)
	}
	if len(p.allow.words) == 0 && len(p.ask.words) == 0 {
		return ""
	}
	if p.allow.permits(entry, tool) == "" && p.ask.permits(entry, tool) == "" {
		return say("%q is locked, but no pattern allows %q or asks for it: remove it from the lockfile", entry, tool)
	}
	return ""
}

// patterns are those of one list of permissions, with the first place of each: a
// hostile lockfile has as many tools as its permissions have patterns.
type patterns struct {
	words []identity.Word
	// first is the place of a pattern, namespaces that of "NAMESPACE:*".
	first, namespaces map[string]int
}

func newPatterns(words []identity.Word) patterns {
	p := patterns{words, make(map[string]int, len(words)), map[string]int{}}
	for i, w := range slices.Backward(words) {
		p.first[w.Text] = i
		if namespace, ok := strings.CutSuffix(w.Text, ":*"); ok {
			p.namespaces[namespace] = i
		}
	}
	return p
}

// maxNamespaces is how many namespaces within each other a tool is looked for in.
// Names of tools have one.
const maxNamespaces = 16

// permits returns the first of the patterns that means a locked tool
// ("filesystem:read_file"), or "": everything ("*"), all of one namespace
// ("filesystem:*" or "filesystem"), or the tool itself. People also write the
// tool's full name, the key of its entry, which PML's own clean-up compares.
func (p *patterns) permits(entry, tool string) string {
	best := len(p.words)
	note := func(places map[string]int, name string) {
		if at, ok := places[name]; ok {
			best = min(best, at)
		}
	}
	for _, name := range []string{"*", tool, entry} {
		note(p.first, name)
	}
	if namespace, _, found := strings.Cut(tool, ":"); found {
		note(p.first, namespace)
	}
	colon := 0
	for range maxNamespaces {
		next := strings.IndexByte(tool[colon:], ':')
		if next < 0 {
			break
		}
		colon += next
		note(p.namespaces, tool[:colon])
		colon++
	}
	if best == len(p.words) {
		return ""
	}
	return p.words[best].Text
}

// reportNameHashes reports tools whose integrity does not begin with the digits at
// the end of their full name.
func reportNameHashes(p *Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			short := shortHash(entry)
			if short == "" || strings.EqualFold(short, entry.Tools.NameHash.Text) {
				continue
			}
			f := atEntry(entry)
			f.Span = entry.Pin.Integrity.Span
			f.Message = say("the integrity of %q begins with %s, but its full name ends in %s, so one of the two was changed by hand: restore it, or fetch the tool again",
				entry.Name, short, entry.Tools.NameHash.Text)
			p.Report(f)
		}
	}
}

// shortHash returns the first four digits of an entry's integrity, which PML
// writes at the end of the tool's full name, or "" where the two cannot be
// compared.
func shortHash(entry *mcp.LockEntry) string {
	if entry.Tools.NameHash.Text == "" || len(entry.Tools.NameHash.Text) != 4 || !isHex(entry.Tools.NameHash.Text) {
		return "" // the name itself is wrong, which invalid-lockfile says
	}
	if state, _ := judgeShortHash(entry.Pin.Integrity.Text); state != hashGood && state != hashWeak {
		return ""
	}
	return hashDigits(entry.Pin.Integrity.Text)[:4]
}

// askedTools yields the locked tools of a project of which its registry said something.
func askedTools(p *Pass) iter.Seq2[*mcp.LockEntry, *mcp.PublishedTool] {
	return func(yield func(*mcp.LockEntry, *mcp.PublishedTool) bool) {
		if p.Repo.Registries == nil {
			return
		}
		cloud := p.Project.Cloud()
		for lock := range p.Lockfiles() {
			if !lock.Tool.PerTool {
				continue
			}
			for _, entry := range lock.Lock.Entries {
				w, ok := mcp.WantedToolOf(cloud, entry)
				if said := p.Repo.Registries.Tools[w]; ok && said != nil && !yield(entry, said) {
					return
				}
			}
		}
	}
}

// reportUnknownTools reports locked tools that their registry does not have. A tool that
// was locked without a hash never came from there, and the standard library ("pml.std") is
// a part of PML.
func reportUnknownTools(p *Pass) {
	for entry, said := range askedTools(p) {
		if !said.IsUnknown || !isHash(entry.Pin.Integrity.Text) || strings.HasPrefix(entry.Tools.FullName, "pml.std.") {
			continue
		}
		f := atEntry(entry)
		f.Severity = Warning
		f.Message = say("%q is locked, but the registry %s has no such tool, so PML cannot fetch it: remove it from the lockfile, or if it is private let mcplumb see it (PML_API_KEY)",
			entry.Name, said.Registry)
		p.Report(f)
	}
}

// reportOtherTools reports locked tools of which the registry has another hash today.
func reportOtherTools(p *Pass) {
	for entry, said := range askedTools(p) {
		locked, published := entry.Pin.Integrity, cmp.Or(said.Integrity, said.Hash)
		if locked.Text == "" {
			locked = entry.Tools.NameHash
		}
		if !isHash(published) {
			published = said.Hash
		}
		if !isHash(locked.Text) || !isHash(published) || isSameHash(locked.Text, published) {
			continue
		}
		f := atEntry(entry)
		f.Span, f.WithoutBase = locked.Span, true
		f.Approval = &Approval{
			Required: true, Identity: lockedID(entry), OldFetched: entry.Pin.Fetched,
			Old: locked.Text, New: published, OldShort: shortOf(locked.Text), NewShort: shortOf(published),
		}
		f.Message = otherToolMessage(entry, said.Registry, locked, published)
		f.group = group{key: entry.Document.File.Path + "\x00" + serverOrTool(entry), message: say("%q has another hash there as well", entry.Name)}
		p.Report(f)
	}
}

// otherToolMessage says what was locked and what the registry has.
func otherToolMessage(entry *mcp.LockEntry, registry string, locked identity.Word, published string) string {
	here, there := shownHashes(locked.Text, published)
	message := say("the hash of %q is %s here", entry.Name, here)
	if entry.Pin.Fetched != "" {
		message += say(" (fetched %s)", Beginning(entry.Pin.Fetched, maxTime))
	}
	return message + say(", but the registry %s has %s: this may be an update or an attack, so find out which before PML fetches it again", registry, there)
}

// serverOrTool returns the server that a locked tool belongs to, whose tools change
// together, or the tool itself.
func serverOrTool(entry *mcp.LockEntry) string {
	return cmp.Or(entry.Tools.Server, entry.Tools.FullName)
}

// fixPMLRefusal returns how to name a tool as PML wants it, where there is one way.
func fixPMLRefusal(p *Pass) refusalFix {
	index := map[*mcp.Document]*toolNames{}
	known := sync.OnceValue(func() map[string]bool { return configured(p.Project) })
	return func(doc *mcp.Document, r *mcp.Refusal) []Fix {
		switch r.Reason {
		case mcp.HashInKey, mcp.ToolNameHash, mcp.OtherTool:
		default:
			return nil
		}
		if index[doc] == nil {
			index[doc] = namesOfTools(doc)
		}
		names := index[doc]
		entry := names.entries[r.Server]
		if entry == nil || names.count[toolOf(entry.Name)] > 1 {
			return nil
		}
		switch r.Reason {
		case mcp.HashInKey:
			return renameTool(doc, r.Span, r.Got, r.Want[0])
		case mcp.ToolNameHash:
			return fixToolHash(doc, entry, r)
		}
		return fixOtherTool(known(), names, entry, r)
	}
}

// toolNames are the entries of a lockfile by key, and how many have a tool in their
// key.
type toolNames struct {
	entries map[string]*mcp.LockEntry
	count   map[string]int
}

func namesOfTools(doc *mcp.Document) *toolNames {
	names := &toolNames{map[string]*mcp.LockEntry{}, map[string]int{}}
	for _, entry := range doc.Lock.Entries {
		names.entries[entry.Name] = entry
		names.count[toolOf(entry.Name)]++
	}
	return names
}

// toolOf returns the full name of a tool without its hash.
func toolOf(name string) string {
	if parts := strings.Split(name, "."); len(parts) == 5 {
		return strings.Join(parts[:4], ".")
	}
	return name
}

func renameTool(doc *mcp.Document, at syntax.Span, from, to string) []Fix {
	if secret.Hides(from) {
		return nil
	}
	return oneChange(say("rename %q to %q", from, to), edit.Rename(doc.File, at, to))
}

// fixToolHash writes the hash at the end of a name in lower case, and none in a key: the
// key of a full name is mended with it, since what is wrong with it is the same.
func fixToolHash(doc *mcp.Document, entry *mcp.LockEntry, r *mcp.Refusal) []Fix {
	hash := strings.ToLower(r.Other)
	switch {
	case len(hash) != 4 || !isHex(hash):
		return nil
	case r.Span == entry.NameSpan:
		return renameTool(doc, r.Span, r.Got, toolOf(r.Got))
	}
	fixes := renameTool(doc, r.Span, r.Got, toolOf(r.Got)+"."+hash)
	if key := toolOf(entry.Name); key != entry.Name && len(fixes) > 0 {
		fixes[0].Edits = append(fixes[0].Edits, edit.Rename(doc.File, entry.NameSpan, key))
	}
	return fixes
}

// fixOtherTool makes the key and the full name of a tool the same, where one of the two
// has to be right: that of the only server of theirs that is configured, or the key
// where another entry has the tool of the full name already.
func fixOtherTool(known map[string]bool, names *toolNames, entry *mcp.LockEntry, r *mcp.Refusal) []Fix {
	key, full := toolOf(entry.Name), toolOf(r.Got)
	toKey := renameTool(entry.Document, r.Span, r.Got, key+strings.TrimPrefix(r.Got, full))
	switch ofKey, ofFull := known[serverOfTool(key)], known[serverOfTool(full)]; {
	case names.count[full] > 0:
		return toKey
	case ofKey && !ofFull:
		return toKey
	case ofFull && !ofKey:
		return renameTool(entry.Document, entry.NameSpan, entry.Name, full)
	}
	return nil
}

// serverOfTool returns the server in the full name of a tool, "" where it has none.
func serverOfTool(name string) string {
	if parts := strings.Split(name, "."); len(parts) == 4 && parts[0] == "pml" && parts[1] == "mcp" {
		return parts[2]
	}
	return ""
}

// reportPMLRefusals reports what is refused of its files.
func reportPMLRefusals(p *Pass) { reportFixedRefusals(p, &pmlWordings, fixPMLRefusal(p)) }

// pmlWordings are the reasons for which a locked tool cannot be used.
var pmlWordings = wordings{
	mcp.NotApproved: {Warning, func(r *mcp.Refusal) string {
		return say("%q was never approved, so %s asks again before it runs: approve it, or remove it from the lockfile", r.Name, r.Tool)
	}},
	mcp.ToolNameParts: {Error, func(r *mcp.Refusal) string {
		return say("%q has %d parts, but the full name of a tool has four and a hash: restore it, or fetch the tool again", r.Got, r.Count)
	}},
	mcp.ToolNamePart: {Error, func(r *mcp.Refusal) string {
		return say("%q is not the full name of a tool: %q must be a letter or underscore, then letters, digits, underscores and hyphens", r.Got, refusedPart(r))
	}},
	mcp.ToolNameHash: {Error, func(r *mcp.Refusal) string {
		return say("%q is not the full name of a tool: its hash %q must be four hexadecimal digits in lower case", r.Got, refusedPart(r))
	}},
	mcp.OtherTool: {Error, func(r *mcp.Refusal) string {
		return say("the entry %q holds another tool, %q: make both the same name", r.Name, r.Got)
	}},
	mcp.HashInKey: {Warning, func(r *mcp.Refusal) string {
		return say("the key %q has the hash in it, so %s does not find it: rename it to %q", r.Got, r.Tool, r.Want[0])
	}},
}
