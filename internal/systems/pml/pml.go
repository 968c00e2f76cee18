// Package pml is what is true of Casys PML alone: its lockfile has an entry for every
// tool.
package pml

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportMissingTools reports every server once whose tools are locked, at the
// first of them. Only the tool's own file lists all servers that it starts;
// where that one is not committed, nothing is known.
func ReportMissingTools(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool || !slices.ContainsFunc(lock.Lock.Files, func(d *mcp.Document) bool { return d.Format == "pml" }) {
			continue
		}
		seen := compare.ConfiguredNames(p.Project)
		seen[""] = true // code that the tool runs itself has no server
		for _, entry := range lock.Lock.Entries {
			if seen[entry.Tools.Server] {
				continue
			}
			seen[entry.Tools.Server] = true
			f := rule.AtEntry(entry)
			f.Server = entry.Tools.Server
			f.Message = wording.Say("%q is locked, but no file here configures its server %q", entry.Name, entry.Tools.Server)
			f.Help = wording.Say("add the server to a client's file, or remove %q from the lockfile", entry.Name)
			p.Report(f)
		}
	}
}

// ReportStartedTwice reports servers of PML's own file that a client of the project also
// starts under that name: PML is itself a server of clients, so they get twice what it
// starts.
func ReportStartedTwice(p *rule.Pass) {
	files := p.Project.ClientFiles()
	own := slices.DeleteFunc(slices.Clone(files), func(d *mcp.Document) bool { return d.Format != "pml" })
	if len(own) == 0 {
		return // what servers run is costly to compute
	}
	started := map[string]*mcp.Server{}
	for _, s := range compare.Running(files) {
		if key := s.Name + "\x00" + compare.ByConfig(s); s.Document.Format != "pml" && started[key] == nil {
			started[key] = s
		}
	}
	for _, s := range compare.Running(own) {
		if other := started[s.Name+"\x00"+compare.ByConfig(s)]; other != nil {
			f := rule.At(s)
			f.Message = wording.Say("%q is also in %s, so it starts twice where that client runs PML", s.Name, other.Document.File.Path)
			f.Help = "remove one of the two entries"
			f.Related = []rule.Related{rule.SeeAlso(other, "also started here")}
			p.Report(f)
		}
	}
}

// ReportPlainCloud reports a cloud that PML connects to without encryption: it sends
// the code of tools and their arguments.
func ReportPlainCloud(p *rule.Pass) {
	for doc := range p.Documents() {
		scheme, name, ok := repair.PlainAddress(strings.ToLower(doc.Cloud.Text))
		severity, where := repair.PlainRisk(name)
		if !ok || severity == rule.Off {
			continue
		}
		f := rule.Finding{
			File: doc.File, Span: doc.Cloud.Span, Severity: severity,
			Message: wording.Say("PML connects to its cloud %s over plain %s, so anyone %s can read and change the traffic", name, scheme, where),
			Help:    wording.Say("use %ss", scheme),
		}
		f.Fixes, f.NoFixReason = repair.FixPlainAddress(doc.File, doc.Cloud)
		p.Report(f)
	}
}

// ReportNotPermitted reports locked tools that nothing permits any longer.
func ReportNotPermitted(p *rule.Pass) {
	permitted := permissionsOf(p.Project)
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool {
			continue
		}
		for _, entry := range lock.Lock.Entries {
			if why := notPermitted(permitted, entry); why != "" {
				f := rule.AtEntry(entry)
				f.Message, f.Help = why, "remove the entry from the lockfile"
				f.Fixes = fixNotPermitted(p.Project, entry)
				p.Report(f)
			}
		}
	}
}

// ReportNotValidated reports, once for a lockfile, tools that PML has not compared with their
// registry for longer than the settings allow.
func ReportNotValidated(p *rule.Pass) {
	before := p.Repo.StaleBefore
	if before == "" {
		return
	}
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool {
			continue
		}
		for _, entry := range lock.Lock.Entries {
			at := entry.Tools.Validated
			if !isDated(at.Text) || at.Text[:len(before)] >= before {
				continue
			}
			f := rule.AtEntry(entry)
			f.Span = at.Span
			f.Message = wording.Say(`%q was last validated on %s, but "max-lock-age" in the settings allows no date before %s`, entry.Name, at.Text[:len(before)], before)
			f.Help = "let PML fetch it again"
			f.Group = rule.Group{Key: "validated\x00" + lock.File.Path, Message: wording.Say("%q was not validated since then either", entry.Name)}
			p.Report(f)
		}
	}
}

// isDated reports whether a text begins with a date, as ISO 8601 has it.
func isDated(text string) bool {
	_, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	return err == nil
}

// fixNotPermitted takes an entry out of the lockfile, unless a pattern that was refused
// may have meant it.
func fixNotPermitted(project *mcp.Project, entry *mcp.LockEntry) []rule.Fix {
	for doc := range reads.Used(project) {
		if doc.Permissions != nil && len(doc.Refusals) > 0 {
			return nil
		}
	}
	return []rule.Fix{{
		Title: wording.Say("remove %q from the lockfile", entry.Name), Safety: rule.Safe,
		Edits: []edit.Change{edit.Remove(entry.Document.File, entry.NameSpan)},
	}}
}

// permissions are the patterns of a project's files.
type permissions struct{ allow, deny, ask patterns }

// permissionsOf returns what the project's files permit, nil if they say
// nothing.
func permissionsOf(p *mcp.Project) *permissions {
	for doc := range reads.Used(p) {
		if said := doc.Permissions; said != nil {
			return &permissions{newPatterns(said.Allow), newPatterns(said.Deny), newPatterns(said.Ask)}
		}
	}
	return nil
}

// notPermitted returns why a locked tool no longer runs, or "". Where the key names another
// tool than the full name, nothing tells which of the two is wrong: neither may be permitted
// then.
func notPermitted(permitted *permissions, entry *mcp.LockEntry) string {
	if permitted == nil || entry.Tools.Permission == "" {
		return ""
	}
	if other := entry.Tools.KeyPermission; other != "" && other != entry.Tools.Permission && permitted.excludes(entry.Name, other) == "" {
		return ""
	}
	return permitted.excludes(entry.Name, entry.Tools.Permission)
}

// excludes returns why a tool ("filesystem:read_file") of an entry is not run, or "".
// While "allow" and "ask" are both empty, PML asks for every tool that is not denied.
func (p *permissions) excludes(entry, tool string) string {
	if pattern := p.deny.permits(entry, tool); pattern != "" {
		return wording.Say("%q is locked but never runs, because %q denies it", entry, pattern)
	}
	if len(p.allow.words) == 0 && len(p.ask.words) == 0 {
		return ""
	}
	if p.allow.permits(entry, tool) == "" && p.ask.permits(entry, tool) == "" {
		return wording.Say("%q is locked, but no pattern allows %q or asks for it", entry, tool)
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

// ReportNameHashes reports tools whose integrity does not begin with the digits at
// the end of their full name.
func ReportNameHashes(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			short := shortHash(entry)
			if short == "" || strings.EqualFold(short, entry.Tools.NameHash.Text) {
				continue
			}
			f := rule.AtEntry(entry)
			f.Span = entry.Pin.Integrity.Span
			f.Message = wording.Say("the integrity of %q begins with %s, but its full name ends in %s, so one of the two was edited by hand",
				entry.Name, short, entry.Tools.NameHash.Text)
			f.Help = "restore the old value, or let PML fetch the tool again"
			p.Report(f)
		}
	}
}

// ReportTwoHashes reports tools that two entries of a lockfile lock by different hashes.
// PML finds the one whose key has no hash.
func ReportTwoHashes(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool {
			continue
		}
		first := map[string]*mcp.LockEntry{}
		for _, entry := range lock.Lock.Entries {
			other := first[entry.Tools.FullName]
			switch {
			case entry.Tools.FullName == "" || !compare.IsHash(entry.Pin.Integrity.Text):
			case other == nil:
				first[entry.Tools.FullName] = entry
			case !compare.MatchesHash(other.Pin.Integrity.Text, entry.Pin.Integrity.Text):
				f := rule.AtEntry(entry)
				f.Span = entry.Pin.Integrity.Span
				f.Message = wording.Say("%q locks the tool %q by another hash than %q does, so one of the two is wrong",
					entry.Name, entry.Tools.FullName, other.Name)
				f.Help = "find out which, and remove that entry"
				f.Related = []rule.Related{{File: lock.File, Span: other.Pin.Integrity.Span, Message: "the other hash is here"}}
				p.Report(f)
			}
		}
	}
}

// shortHash returns the first four digits of an entry's integrity, which PML
// writes at the end of the tool's full name, or "" where the two cannot be
// compared.
func shortHash(entry *mcp.LockEntry) string {
	if entry.Tools.NameHash.Text == "" || len(entry.Tools.NameHash.Text) != 4 || !compare.IsHex(entry.Tools.NameHash.Text) {
		return "" // the name itself is wrong, which invalid-lockfile says
	}
	if state, _ := compare.JudgeShortHash(entry.Pin.Integrity.Text); state != compare.HashGood && state != compare.HashWeak {
		return ""
	}
	return compare.HashDigits(entry.Pin.Integrity.Text)[:4]
}

// askedTools yields the locked tools of a project that its registry answered for.
func askedTools(p *rule.Pass) iter.Seq2[*mcp.LockEntry, *mcp.PublishedTool] {
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

// ReportUnknownTools reports locked tools that their registry does not have. A tool that
// was locked without a hash never came from there, and the standard library ("pml.std") is
// a part of PML.
func ReportUnknownTools(p *rule.Pass) {
	for entry, said := range askedTools(p) {
		if !said.IsUnknown || !compare.IsHash(entry.Pin.Integrity.Text) || strings.HasPrefix(entry.Tools.FullName, "pml.std.") {
			continue
		}
		f := rule.AtEntry(entry)
		f.Severity = rule.Warning
		f.Help = "remove it from the lockfile, or give mcplumb access to a private tool (PML_API_KEY)"
		f.Message = wording.Say("%q is locked, but the registry %s has no such tool, so PML cannot download it",
			entry.Name, said.Registry)
		p.Report(f)
	}
}

// ReportOtherTools reports locked tools that have another hash in the registry today.
func ReportOtherTools(p *rule.Pass) {
	for entry, said := range askedTools(p) {
		locked, published := entry.Pin.Integrity, cmp.Or(said.Integrity, said.Hash)
		if locked.Text == "" {
			locked = entry.Tools.NameHash
		}
		if !compare.IsHash(published) {
			published = said.Hash
		}
		if !compare.IsHash(locked.Text) || !compare.IsHash(published) || compare.MatchesHash(locked.Text, published) {
			continue
		}
		f := rule.AtEntry(entry)
		f.Span, f.WithoutBase = locked.Span, true
		f.Approval = &rule.Approval{
			Required: true, Identity: compare.LockedID(entry), OldFetched: entry.Pin.Fetched,
			Old: locked.Text, New: published, OldShort: compare.ShortOf(locked.Text), NewShort: compare.ShortOf(published),
		}
		f.Message = otherToolMessage(entry, said.Registry, locked, published)
		f.Help = "find out which before PML fetches it again"
		f.Group = rule.Group{Key: entry.Document.File.Path + "\x00" + serverOrTool(entry), Message: wording.Say("the registry also has another hash for %q", entry.Name)}
		p.Report(f)
	}
}

// otherToolMessage returns what was locked and what the registry has.
func otherToolMessage(entry *mcp.LockEntry, registry string, locked identity.Word, published string) string {
	here, there := compare.ShownHashes(locked.Text, published)
	message := wording.Say("the hash of %q is %s here", entry.Name, here)
	if entry.Pin.Fetched != "" {
		message += wording.Say(" (fetched %s)", wording.DateOf(entry.Pin.Fetched))
	}
	return message + wording.Say(", but the registry %s has %s, so this may be an update or an attack", registry, there)
}

// serverOrTool returns the server that a locked tool belongs to, whose tools change
// together, or the tool itself.
func serverOrTool(entry *mcp.LockEntry) string {
	return cmp.Or(entry.Tools.Server, entry.Tools.FullName)
}

// fixPMLRefusal returns how to name a tool as PML wants it, where there is one way.
func fixPMLRefusal(p *rule.Pass) repair.RefusalFix {
	index := map[*mcp.Document]*toolNames{}
	known := sync.OnceValue(func() map[string]bool { return compare.ConfiguredNames(p.Project) })
	return func(doc *mcp.Document, r *mcp.Refusal) []rule.Fix {
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

func renameTool(doc *mcp.Document, at syntax.Span, from, to string) []rule.Fix {
	if secret.Hides(from) {
		return nil
	}
	return repair.OneChange(wording.Say("rename %q to %q", from, to), edit.Rename(doc.File, at, to))
}

// fixToolHash writes the hash at the end of a name in lowercase, and removes it in a key: the key
// with a full name is fixed along with the name, since it has the same error.
func fixToolHash(doc *mcp.Document, entry *mcp.LockEntry, r *mcp.Refusal) []rule.Fix {
	hash := strings.ToLower(r.Other)
	switch {
	case len(hash) != 4 || !compare.IsHex(hash):
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

// fixOtherTool makes the key and the full name of a tool the same, if one of the two must be right:
// the one whose server is the only configured one, or the key if another entry already has the tool
// of the full name.
func fixOtherTool(known map[string]bool, names *toolNames, entry *mcp.LockEntry, r *mcp.Refusal) []rule.Fix {
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

// ReportRefusals reports what is refused of its files.
func ReportRefusals(p *rule.Pass) { repair.ReportFixedRefusals(p, &Wordings, fixPMLRefusal(p)) }

// Wordings are the reasons for which a locked tool cannot be used.
var Wordings = refusal.Wordings{
	mcp.NotApproved: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q was never approved, so %s asks again before it runs", r.Name, r.Tool), "approve it, or remove it from the lockfile"
	}},
	mcp.ToolType: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		types := wording.JoinWith(r.Want, "or")
		if r.Got == "" {
			return wording.Say("%q has no type, so mcplumb cannot tell whether it is %s", r.Name, types), wording.Say("let %s fetch the tool again", r.Tool)
		}
		return wording.Say("%q has the type %q, but a tool of %s is %s", r.Name, r.Got, r.Tool, types), "restore the type, or let PML fetch the tool again"
	}},
	mcp.NoEntries: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the lockfile of %s has no %q, so it locks no tool", r.Tool, r.Member), wording.Say("restore %q, or let PML fetch the tools again", r.Member)
	}},
	mcp.ToolNameParts: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q has %d parts, but the full name of a tool has 4 and a hash", r.Got, r.Count), correctName
	}},
	mcp.ToolNamePart: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is not the full name of a tool, because %q is not a letter or underscore followed by letters, digits, underscores, and hyphens", r.Got, refusal.RefusedPart(r)), correctName
	}},
	mcp.ToolNameHash: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%q is not the full name of a tool, because its hash %q is not 4 lowercase hex digits", r.Got, refusal.RefusedPart(r)), correctName
	}},
	mcp.OtherTool: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the entry %q contains another tool, %q", r.Name, r.Got), "give both the same name"
	}},
	mcp.HashInKey: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the key %q contains the hash, so %s does not find the entry", r.Got, r.Tool), wording.Say("rename the key to %q", r.Want[0])
	}},
}

// correctName is the advice for a name that is not the full name of a tool.
const correctName = "restore the name, or let PML fetch the tool again"
