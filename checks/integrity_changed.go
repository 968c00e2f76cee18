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
// registry publishes. The settings name what is approved, by what was locked and its new
// hash.
var IntegrityChanged = &rule.Rule{
	ID:        "integrity-changed",
	Title:     "the hash of a locked server changed, is gone, or differs from its registry or its file",
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

// reportOtherScripts reports the programs of the repository that are not the locked files.
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
		f.Message = wording.Say("%q runs %s, which is not the file that was locked (its hash is %s, the locked one %s)",
			entry.Name, entry.Target.Identity.Name, to, from)
		f.Help = reviewFile(doc)
		p.Report(f)
	}
}

// reviewFile is what to do about a program of the repository that is not the locked one.
func reviewFile(lock *mcp.Document) string {
	return wording.Say("review the file, then lock it again with %s", lock.Tool.Title)
}

// reportPinned reports a pinned hash that proves less than it did, or is another one, and one
// that differs from the hash which any lockfile had for the same release. It returns whether
// someone has to find out about the hash of today.
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

// reportOwnGone reports, at what stays, a program of the repository that is no longer locked by
// the hash of its file, as it would be reported if it were another one.
func reportOwnGone(p *rule.Pass, was *compare.PinnedHash, f rule.Finding) {
	from, _ := compare.ShownHashes(was.Pin.Own.Text, "")
	f.Severity = rule.Warning
	f.Message = wording.Say("%q runs %s, which is no longer locked by its hash (%s in %s at the base)",
		f.Server, was.Entry.Target.Identity.Name, from, was.Document.File.Path)
	f.Help = reviewFile(was.Document)
	p.Report(f)
}

// reportGone reports that a pinned hash is gone: the next one that is written into its place
// would be compared with nothing. One that cannot be right is for invalid-integrity.
func reportGone(p *rule.Pass, was, now *compare.PinnedHash, old identity.Word) (isOpen bool) {
	isRaised, versions := explainByVersion(was.Pin, now.Pin)
	if isRaised || now.IsBroken() {
		return false
	}
	f := rule.Finding{File: now.Document.File, Span: now.Span, Server: now.Name, Identity: now.Runs}
	f.Approval = approvalOfNone(was, old)
	groupParts(&f, now, "%q no longer has one either")
	from, _ := compare.ShownHashes(old.Text, "")
	f.Message = wording.Say("%s no longer has a hash (%s at the base), %s", pinnedName(now), from, versions)
	f.Help = "restore the hash, or approve that there is none: " + approveCommand(p.Base.Rev, f.Server, now.ID)
	p.Report(f)
	return true
}

// reportUnheldParts reports parts of a package or bundle that are no longer locked although the
// package or bundle is, in the same version, and packages and bundles of which a part is still in
// use.
func reportUnheldParts(p *rule.Pass) {
	gone := p.Base.UnheldIn(p.Project)
	isPart := func(was *compare.PinnedHash) bool { return was.Entry == nil && was.Document.Bundle == nil }
	if !slices.ContainsFunc(gone, isPart) {
		return // to find out what is in use is costly
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

// usesOf returns what a project uses of packages and bundles, the first place of each.
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

// lostSinceBase reports whether the hash of an entry proves less than at the base, for the same
// version. The hash of the base is the one to restore: one that is looked up today would hide
// what has changed.
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
const asAtBase = "it had a hash at the base, and that is the one to restore"

// approvalOfNone returns the approval of a hash that is gone.
func approvalOfNone(was *compare.PinnedHash, old identity.Word) *rule.Approval {
	return &rule.Approval{Required: true, Identity: was.ID, Old: old.Text, New: compare.NoHash, OldShort: compare.ShortOf(old.Text), NewShort: compare.NoHash, OldFetched: was.Pin.Fetched}
}

// groupParts joins a finding with those of the package or bundle that it belongs to.
func groupParts(f *rule.Finding, now *compare.PinnedHash, message string) {
	if now.Of == "" && !now.IsWhole() {
		return
	}
	f.Server = cmp.Or(now.Of, now.Name)
	f.Group = rule.Group{Key: now.Document.File.Path + "\x00" + f.Server + "\x00" + f.Severity.String() + message, Message: wording.Say(message, now.Name)}
}

// pinnedName names the locked thing that a hash belongs to.
func pinnedName(s *compare.PinnedHash) string {
	if s.Of != "" {
		return wording.Say("%q in %q", s.Name, s.Of)
	}
	return wording.Say("%q", s.Name)
}

// reportReplaced reports a pinned hash whose registry publishes another one for its version.
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
	if len(now.Pin.Files) > 0 { // an approval of one file is not one of the others
		locked, published.Text = now.Pin.Integrity, compare.HashOfFiles(compare.TextsOf(all))
	}
	f.Approval = &rule.Approval{
		Required: true, Identity: now.ID,
		Old: locked.Text, New: published.Text, OldShort: compare.ShortOf(locked.Text), NewShort: compare.ShortOf(published.Text), OldFetched: now.Pin.Fetched,
	}
	f.Message = wording.Say("the hash of %q is %s here, but the registry %s publishes %s for %s, so one of the two may be an attack",
		now.Name, here, p.Repo.Registries.Of(*now.Package).Registry, there, now.Package.Version.Text)
	f.Help = wording.Say("find out which hash is right, and if it is the one of the registry, lock %q again", now.Name)
	p.Report(f)
}

// reportUnlocked reports servers that a lockfile of the base locked and none locks now, once
// for each lockfile: as another hash would be where they had one, unless they run another
// version. unlocked-server reports others where a lockfile exists that does not know them.
func reportUnlocked(p *rule.Pass) {
	known := knownUnlocked(p)
	for s := range p.Servers() {
		if !s.IsStarted() || reportUnheld(p, s) || s.Locked != nil || known[s.Document] {
			continue
		}
		entry := p.Base.LockedBefore(s)
		if entry == nil {
			continue
		}
		f := rule.At(s)
		f.Severity = rule.Note
		f.Message = wording.Say("%q is no longer locked, but was in %s at the base", s.Name, entry.Document.File.Path)
		f.Group = rule.Group{Key: "unlocked\x00" + entry.Document.File.Path, Message: wording.Say("%q is no longer locked either", s.Name)}
		p.Report(f)
	}
	reportUnheldParts(p)
}

// reportUnheld reports a server that stays and was locked by a hash, and returns whether it was.
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
		isRaised, versions = false, "and it may run any version"
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
	name := pinnedName(was)
	if f.Server == "" || was.Entry == nil {
		f.Server = cmp.Or(was.Of, was.Name)
	} else {
		name = wording.Say("%q", f.Server)
	}
	f.Approval = approvalOfNone(was, was.Held())
	f.Message = wording.Say("%s is no longer locked (by %s at the base)", name, from)
	if versions == "" {
		versions = "but is still in use"
	}
	f.Message += ", " + versions
	f.Help = wording.Say("restore the entry in %s, or approve that there is no hash: %s", path, approveCommand(p.Base.Rev, f.Server, was.ID))
	key := "unheld\x00" + path
	if was.Entry == nil {
		key += "\x00" + f.Server
	}
	f.Group = rule.Group{Key: key, Message: wording.Say("%s is no longer locked either", name)}
	return f
}

// knownUnlocked returns the documents whose unlocked servers unlocked-server reports.
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

// reportOtherHash reports a pinned hash that is another one than before, and returns whether
// someone has to approve it: a new version has a new hash.
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
		f.Severity = rule.Warning // a tool that changes its algorithm writes the same
	}
	groupParts(&f, now, "the hash of %q also changed")
	origin := originOf(was, now)
	if isRaised {
		f.Message = wording.Say("%s, %s", hashChange(now, change, origin), versions)
	} else {
		f.Message = wording.Say("%s, %s", hashChange(now, change, ""), versions)
		f.Help = wording.Say("find out why, then restore the old hash%s, or approve this one: %s", origin, approveCommand(p.Base.Rev, f.Server, now.ID))
	}
	p.Report(f)
	return !isRaised
}

// approveCommand returns the command that approves a hash, to be pasted into a shell; only
// the reason must be filled in. A name that cannot be pasted gives way to the identity.
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

// originOf returns in parentheses when the hash of the base was fetched, and where it was.
func originOf(was, now *compare.PinnedHash) string {
	var origin []string
	if was.Pin.Fetched != "" {
		origin = append(origin, "fetched "+wording.DateOf(was.Pin.Fetched))
	}
	if was.Document.File.Path != now.Document.File.Path {
		origin = append(origin, "in "+was.Document.File.Path)
	}
	if len(origin) == 0 {
		return ""
	}
	return " (" + strings.Join(origin, ", ") + ")"
}

// hashChange returns what a hash was and is. origin follows on what it was.
func hashChange(now *compare.PinnedHash, change compare.SealChange, origin string) string {
	from, to := compare.ShownHashes(change.Old.Text, change.New.Text)
	from += origin
	name := pinnedName(now)
	switch change.Kind {
	case compare.HashFurther:
		return wording.Say("%s now has a second hash, %s next to %s", name, to, from)
	case compare.HashShorter:
		return wording.Say("the hash of %s is now only %s, the start of %s", name, to, from)
	case compare.HashWeaker:
		return wording.Say("the hash of %s changed from %s to %s, which proves less", name, from, to)
	}
	return wording.Say("the hash of %s changed from %s to %s", name, from, to)
}

// explainByVersion returns whether another version explains another hash, and a clause about
// the two that follows on a comma.
func explainByVersion(was, now mcp.Pin) (isRaised bool, clause string) {
	switch {
	case !compare.NamesRelease(was.Version.Text) || !compare.NamesRelease(now.Version.Text):
		return false, "and no version explains it, so it may be an attack"
	case compare.PlainVersion(was.Version.Text) == compare.PlainVersion(now.Version.Text), was.Release() != "" && was.Release() == now.Release():
		return false, wording.Say("but the version is still %s, so it may be an attack", wording.ShortVersion(now.Version.Text))
	}
	return true, wording.Say("and its version from %s to %s", wording.ShortVersion(was.Version.Text), wording.ShortVersion(now.Version.Text))
}
