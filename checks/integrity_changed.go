package checks

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// IntegrityChanged finds locked servers with another hash than they had, or than their
// registry publishes. What is approved stands in the settings, by what was locked and its
// new hash.
var IntegrityChanged = &rule.Rule{
	ID:        "integrity-changed",
	Title:     "a locked server has another hash than at the base, in its registry or as it is",
	Severity:  rule.Error,
	NeedsBase: true,
	Reads:     reads.Present,
	Run:       runIntegrityChanged,
}

func runIntegrityChanged(p *rule.Pass) {
	for doc := range p.Documents() {
		if !compare.IsLockfile(doc) {
			continue
		}
		reportOtherScripts(p, doc)
		if p.Base == nil && p.Repo.Registries == nil {
			continue
		}
		for _, now := range compare.PinnedHashesOf(doc) {
			if p.Base == nil || !reportPinned(p, &now) {
				reportReplaced(p, &now)
			}
		}
	}
	if p.Base != nil {
		reportUnlocked(p)
	}
}

// reportOtherScripts reports the programs of the repository that are others than a lockfile holds.
func reportOtherScripts(p *rule.Pass, doc *mcp.Document) {
	if doc.Lock == nil {
		return
	}
	for _, entry := range doc.Lock.Entries {
		locked := entry.Pin.Own
		now, isSame := compare.HashNow(locked.Text, p.Project.Facts.Scripts[entry])
		if now == "" || isSame {
			continue
		}
		from, to := compare.ShownHashes(locked.Text, now)
		f := rule.AtEntry(entry)
		f.Span, f.Severity, f.WithoutBase = locked.Span, rule.Warning, true
		f.Message = wording.Say("%q runs %s, which is another file than is locked: its hash is %s now, and %s here; look at what has changed in it, then lock it with %s again",
			entry.Name, entry.Target.Identity.Name, to, from, doc.Tool.Title)
		p.Report(f)
	}
}

// reportPinned reports a seal whose hashes hold less than they did, or hold something else,
// and one with another hash than any lockfile had of the same release. It returns whether
// somebody has to find out about the hash that is there now.
func reportPinned(p *rule.Pass, now *compare.PinnedHash) (isOpen bool) {
	seals := p.Base.Pinned()
	was := seals.Before(now)
	var change compare.SealChange
	if was != nil {
		if was.HoldsOwn() && !now.HoldsOwn() && now.Entry != nil && p.Project.Facts.Scripts[now.Entry] != nil {
			reportOwnGone(p, was, rule.AtEntry(now.Entry))
		}
		switch change = now.ChangeSince(was); change.Kind {
		case compare.HashKept, compare.HashStronger:
		case compare.HashGone:
			return reportGone(p, was, now, change.Old)
		default:
			return reportOtherHash(p, was, now, change)
		}
	}
	if hash := now.OfRelease(); hash.Text != "" && (was == nil || !compare.IsOneAlgorithm(was.OfRelease().Text, hash.Text)) {
		other, isKnown := seals.Elsewhere(now)
		if isKnown {
			return false
		}
		if other != nil {
			old := other.OfRelease()
			return reportOtherHash(p, other, now, compare.SealChange{Kind: compare.HashSwapped, Old: old, New: hash, OldText: old, NewText: hash})
		}
	}
	return change.Kind == compare.HashStronger && reportOtherHash(p, was, now, change)
}

// reportOwnGone reports, at what stays, a program of the repository that is no longer held to the
// hash of its file, as it would be reported if it were another one.
func reportOwnGone(p *rule.Pass, was *compare.PinnedHash, f rule.Finding) {
	from, _ := compare.ShownHashes(was.Pin.Own.Text, "")
	f.Severity = rule.Warning
	f.Message = wording.Say("%q runs %s, which is no longer held to its hash: it was %s in %s at the base; look at what has changed in it, then lock it with %s again",
		f.Server, was.Entry.Target.Identity.Name, from, was.Document.File.Path, was.Document.Tool.Title)
	p.Report(f)
}

// reportGone reports a seal that has lost the hash which it had: the next one that is written
// there would be compared with nothing. One that is there and cannot be right,
// invalid-integrity reports.
func reportGone(p *rule.Pass, was, now *compare.PinnedHash, old identity.Word) (isOpen bool) {
	isRaised, versions := explainByVersion(was.Pin, now.Pin)
	if isRaised || now.IsBroken() {
		return false
	}
	f := rule.Finding{File: now.Document.File, Span: now.Span, Server: now.Name, Identity: now.Runs}
	f.Approval = approvalOfNone(was, old)
	groupParts(&f, now, "%q has none any more, either")
	from, _ := compare.ShownHashes(old.Text, "")
	f.Message = wording.Say("%s has no hash any more, which was %s at the base, and %s: restore it, or approve that there is none: %s",
		sealed(now), from, versions, approveCommand(p.Base.Rev, f.Server, now.ID))
	p.Report(f)
	return true
}

// reportUnheldParts reports parts of a package or bundle that are no longer locked while that is, in
// the version that it was, and packages and bundles of which something is still in use.
func reportUnheldParts(p *rule.Pass) {
	gone := p.Base.UnheldIn(p.Project)
	isPart := func(was *compare.PinnedHash) bool { return was.Entry == nil && was.Document.Bundle == nil }
	if !slices.ContainsFunc(gone, isPart) {
		return // what is in use is costly to work out
	}
	used := usesOf(p)
	for _, was := range gone {
		if !isPart(was) {
			continue // tools; and an entry of a template is what it holds
		}
		if was.Of == "" {
			if f, stays := used.of(was); stays {
				p.Report(ofUnheld(p, was, f, ""))
			}
			continue
		}
		if whole := used.wholes[lockedPart{was.Document.Tool, was.Of}]; whole != nil {
			if isRaised, versions := explainByVersion(was.Pin, whole.Pin); !isRaised {
				p.Report(ofUnheld(p, was, rule.Finding{File: whole.Document.File, Span: whole.Span}, versions))
			}
		}
	}
}

// lockedPart is a package or bundle of a tool.
type lockedPart struct {
	tool *mcp.Tool
	name string
}

// uses are the packages and bundles that a project has today.
type uses struct {
	// wholes are those that are locked.
	wholes map[lockedPart]*compare.PinnedHash
	// places have something of them: what they are unpacked to, a file that has them installed, or
	// a server whose name says so. servers are all others, by their names.
	places  map[lockedPart]rule.Finding
	servers map[string]rule.Finding
	// merged are the servers of packages at the base, by what locked those.
	merged map[*mcp.Document]map[string][]string
}

// usesOf works out what a project has of packages and bundles, the first of each.
func usesOf(p *rule.Pass) *uses {
	u := &uses{map[lockedPart]*compare.PinnedHash{}, map[lockedPart]rule.Finding{}, map[string]rule.Finding{}, map[*mcp.Document]map[string][]string{}}
	add := func(tool *mcp.Tool, name string, f rule.Finding) {
		if _, known := u.places[lockedPart{tool, name}]; !known {
			u.places[lockedPart{tool, name}] = f
		}
	}
	for doc := range p.Documents() {
		if compare.IsLockfile(doc) {
			for _, now := range compare.PinnedHashesOf(doc) {
				if now.Of == "" && now.IsWhole() {
					u.wholes[lockedPart{doc.Tool, now.Name}] = &now
				}
			}
		}
		if doc.Bundle != nil {
			add(doc.Tool, doc.Bundle.Name, rule.Finding{File: doc.File, Span: doc.Root})
		}
		for _, w := range doc.Installs {
			add(doc.Tool, w.Text, rule.Finding{File: doc.File, Span: w.Span})
		}
		for _, s := range doc.Servers {
			if !doc.IsClientFile() || !s.IsStarted() {
				continue
			}
			for _, tool := range mcp.Namers(doc.Format) {
				if bundle, isMade := tool.Names.Bundle(s.Name); isMade {
					add(tool, bundle, rule.At(s))
				}
			}
			if _, known := u.servers[s.Name]; !known {
				u.servers[s.Name] = rule.At(s)
			}
		}
	}
	return u
}

// of returns a finding at the first thing of a package or bundle that is in use.
func (u *uses) of(was *compare.PinnedHash) (f rule.Finding, stays bool) {
	if f, stays = u.places[lockedPart{was.Document.Tool, was.Name}]; stays || was.Document.Lock == nil {
		return f, stays
	}
	merged := u.merged[was.Document]
	if merged == nil {
		merged = map[string][]string{}
		for _, pkg := range was.Document.Lock.Packages {
			for _, ref := range pkg.Merged {
				merged[pkg.Name] = append(merged[pkg.Name], ref.Name)
			}
		}
		u.merged[was.Document] = merged
	}
	for _, name := range merged[was.Name] {
		if f, stays = u.servers[name]; stays {
			return f, true
		}
	}
	return f, false
}

// lostSinceBase reports whether an entry holds less than at the base in the same version. What it
// is to hold again is what it held: a hash that is looked up today would hide what has changed.
func lostSinceBase(p *rule.Pass, entry *mcp.LockEntry) bool {
	if p.Base == nil {
		return false
	}
	now := compare.PinnedHashOf(entry)
	was := p.Base.Pinned().Before(&now)
	if was == nil || now.ChangeSince(was).Kind == compare.HashKept {
		return false
	}
	isRaised, _ := explainByVersion(was.Pin, now.Pin)
	return !isRaised
}

// asAtBase is why no hash is written into an entry that has lost its own.
const asAtBase = "it had one at the base: restore that"

// approvalOfNone returns the approval of there being no hash any more.
func approvalOfNone(was *compare.PinnedHash, old identity.Word) *rule.Approval {
	return &rule.Approval{Required: true, Identity: was.ID, Old: old.Text, New: compare.NoHash, OldShort: compare.ShortOf(old.Text), NewShort: compare.NoHash, OldFetched: was.Pin.Fetched}
}

// groupParts puts a finding into one with those of the package or bundle that it is of.
func groupParts(f *rule.Finding, now *compare.PinnedHash, message string) {
	if now.Of == "" && !now.IsWhole() {
		return
	}
	f.Server = cmp.Or(now.Of, now.Name)
	f.Group = rule.Group{Key: now.Document.File.Path + "\x00" + f.Server + "\x00" + f.Severity.String() + message, Message: wording.Say(message, now.Name)}
}

// sealed says what a seal holds.
func sealed(s *compare.PinnedHash) string {
	if s.Of != "" {
		return wording.Say("%q in %q", s.Name, s.Of)
	}
	return wording.Say("%q", s.Name)
}

// reportReplaced reports a seal whose registry publishes another hash for its version.
func reportReplaced(p *rule.Pass, now *compare.PinnedHash) {
	if now.Package == nil || now.Package.Kind == identity.OCI { // tags move
		return
	}
	all := compare.RegisteredHashes(p.Repo.Registries, *now.Package)
	locked, published, isReplaced := compare.ReplacedHash(now.OfFiles(), all)
	if further, isFurther := compare.FurtherHash(all, now.OfFiles()); !isReplaced && isFurther && now.IsOneFile() {
		ofPublished, _ := compare.InOneAlgorithm(all, now.OfFiles())
		locked, published, isReplaced = further, ofPublished[0], true
	}
	if !isReplaced {
		return
	}
	here, there := compare.ShownHashes(locked.Text, published.Text)
	f := rule.Finding{File: now.Document.File, Span: locked.Span, Server: now.Name, Identity: now.Runs, WithoutBase: true}
	if len(now.Pin.Files) > 0 { // who approves one file has not looked at the others
		locked, published.Text = now.Pin.Integrity, compare.HashOfFiles(compare.TextsOf(all))
	}
	f.Approval = &rule.Approval{
		Required: true, Identity: now.ID,
		Old: locked.Text, New: published.Text, OldShort: compare.ShortOf(locked.Text), NewShort: compare.ShortOf(published.Text), OldFetched: now.Pin.Fetched,
	}
	f.Message = wording.Say("the hash of %q is %s here, but the registry %s publishes %s for version %s, so one of the two may be an attack: find out which is right, and lock it again if it is the registry's",
		now.Name, here, p.Repo.Registries.Of(*now.Package).Registry, there, now.Package.Version.Text)
	p.Report(f)
}

// reportUnlocked reports servers that a lockfile of the base locked and none locks now, once
// for each lockfile: as another hash would be where they were held to one, and nothing says that
// they run another version. Of others unlocked-server says so where a lockfile is there that
// does not know them.
func reportUnlocked(p *rule.Pass) {
	said := knownUnlocked(p)
	for s := range p.Servers() {
		if !s.IsStarted() || reportUnheld(p, s) || s.Locked != nil || said[s.Document] {
			continue
		}
		entry := p.Base.LockedBefore(s)
		if entry == nil {
			continue
		}
		f := rule.At(s)
		f.Severity = rule.Note
		f.Message = wording.Say("%q is no longer locked: it was in %s at the base", s.Name, entry.Document.File.Path)
		f.Group = rule.Group{Key: "unlocked\x00" + entry.Document.File.Path, Message: wording.Say("%q is no longer locked, either", s.Name)}
		p.Report(f)
	}
	reportUnheldParts(p)
}

// reportUnheld reports a server that stays and was held to a hash, and returns whether it was.
func reportUnheld(p *rule.Pass, s *mcp.Server) bool {
	was := p.Base.Unheld(s)
	if was == nil {
		return false
	}
	if was.HoldsOwn() {
		reportOwnGone(p, was, rule.At(s))
		return true
	}
	now := mcp.Pin{Version: identity.Word{Text: s.Identity.Version.Text}}
	isRaised, versions := explainByVersion(was.Pin, now)
	if s.Identity.Version.Kind == identity.NoVersion {
		isRaised, versions = false, "it runs whatever version there is"
	}
	if isRaised {
		return false
	}
	p.Report(ofUnheld(p, was, rule.At(s), versions))
	return true
}

// ofUnheld returns a finding, made at what stays, of a hash that went with all of its entry.
func ofUnheld(p *rule.Pass, was *compare.PinnedHash, f rule.Finding, versions string) rule.Finding {
	from, _ := compare.ShownHashes(was.Held().Text, "")
	path := was.Document.File.Path
	name := sealed(was)
	if f.Server == "" || was.Entry == nil {
		f.Server = cmp.Or(was.Of, was.Name)
	} else {
		name = wording.Say("%q", f.Server)
	}
	f.Approval = approvalOfNone(was, was.Held())
	f.Message = wording.Say("%s is no longer locked: its hash was %s in %s at the base", name, from, path)
	if versions != "" {
		f.Message += ", and " + versions
	}
	f.Message += wording.Say(": restore the entry, or approve that there is none: %s", approveCommand(p.Base.Rev, f.Server, was.ID))
	key := "unheld\x00" + path
	if was.Entry == nil {
		key += "\x00" + f.Server
	}
	f.Group = rule.Group{Key: key, Message: wording.Say("%s is no longer locked, either", name)}
	return f
}

// knownUnlocked returns the documents of whose servers unlocked-server reports those that
// are not locked.
func knownUnlocked(p *rule.Pass) map[*mcp.Document]bool {
	known := map[*mcp.Document]bool{}
	if p.Project.GoverningLock() != nil {
		for _, doc := range p.Project.ClientFiles() {
			known[doc] = true
		}
	}
	for lock := range p.Lockfiles() {
		if lock.Tool.Of != "" {
			for _, doc := range lock.Lock.Files {
				known[doc] = true
			}
		}
	}
	return known
}

// reportOtherHash reports a seal with another hash than before, and returns whether
// somebody has to approve it: a new version brings one.
func reportOtherHash(p *rule.Pass, was, now *compare.PinnedHash, change compare.SealChange) (isOpen bool) {
	if change.Kind == compare.HashShorter && now.IsBroken() {
		return false
	}
	f := rule.Finding{File: now.Document.File, Span: change.NewText.Span, Server: now.Name, Identity: now.Runs}
	isRaised, versions := explainByVersion(was.Pin, now.Pin)
	f.Approval = &rule.Approval{
		Required: !isRaised, Identity: now.ID,
		Old: change.OldText.Text, New: change.NewText.Text, OldShort: compare.ShortOf(change.Old.Text), NewShort: compare.ShortOf(change.New.Text), OldFetched: was.Pin.Fetched,
	}
	switch {
	case isRaised:
		f.Severity = rule.Note
	case change.Kind == compare.HashStronger:
		f.Severity = rule.Warning // a tool that goes over to it writes the same
	}
	groupParts(&f, now, "%q has another hash as well")
	f.Message = wording.Say("%s, and %s", hashChange(was, now, change), versions)
	if !isRaised {
		f.Message += wording.Say(": find out why, then restore the old one, or approve this one: %s", approveCommand(p.Base.Rev, f.Server, now.ID))
	}
	p.Report(f)
	return !isRaised
}

// approveCommand returns the command that approves a hash, to be pasted into a shell; only
// the reason is to be filled in. What cannot be pasted as it is gives way to the identity.
func approveCommand(rev, server, identity string) string {
	isOdd := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(server) > wording.MaxUnquoted || strings.HasPrefix(server, "-") || strings.ContainsFunc(server, isOdd) {
		server = identity
	}
	command := "mcplumb approve " + shellWord(server)
	if rev != "" {
		command += " --base " + shellWord(rev)
	}
	return command + ` --reason "…"`
}

// shellWord writes a text as one word of a POSIX shell.
func shellWord(text string) string {
	isPlain := func(c byte) bool { return ascii.IsAlphanumeric(c) || strings.IndexByte("._-/:", c) >= 0 }
	if text != "" && ascii.All(text, isPlain) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// hashChange says what the hash of a seal was and is.
func hashChange(was, now *compare.PinnedHash, change compare.SealChange) string {
	from, to := compare.ShownHashes(change.Old.Text, change.New.Text)
	said := wording.Say("the hash of %s was %s at the base", sealed(now), from)
	if was.Pin.Fetched != "" {
		said += wording.Say(" (fetched %s)", wording.Beginning(was.Pin.Fetched, wording.MaxTime))
	}
	if was.Document.File.Path != now.Document.File.Path {
		said += wording.Say(", in %s,", was.Document.File.Path)
	}
	switch change.Kind {
	case compare.HashFurther:
		return said + wording.Say(" and has %s beside it now", to)
	case compare.HashShorter:
		return said + wording.Say(" and is no more than its first digits now, %s", to)
	case compare.HashWeaker:
		return said + wording.Say(" and is %s now, which proves less", to)
	}
	return said + wording.Say(" and is %s now", to)
}

// explainByVersion returns whether another version explains another hash, and what to
// think of the two in words.
func explainByVersion(was, now mcp.Pin) (isRaised bool, words string) {
	switch {
	case !compare.NamesRelease(was.Version.Text) || !compare.NamesRelease(now.Version.Text):
		return false, "no version says that it is an update, so it may be an attack"
	case compare.PlainVersion(was.Version.Text) == compare.PlainVersion(now.Version.Text), was.Release() != "" && was.Release() == now.Release():
		return false, wording.Say("the version is still %s, so this is no update, and may be an attack", strings.TrimSpace(now.Version.Text))
	}
	return true, wording.Say("the version is %s in place of %s", now.Version.Text, was.Version.Text)
}
