package checks

import (
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
		now, locked := p.Project.Facts.Scripts[entry], entry.Pin.Own
		if now == "" || strings.EqualFold(now, locked.Text) {
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

// reportPinned reports a seal with another hash than it had, or than any lockfile had of
// the same release, and one without the hash that it had. It returns whether somebody has
// to find out about the hash that is there now.
func reportPinned(p *rule.Pass, now *compare.PinnedHash) (isOpen bool) {
	seals := p.Base.Pinned()
	was := seals.Before(now)
	if was != nil {
		if old, new, differ := compare.OtherHash(was, now); differ {
			return reportOtherHash(p, was, now, old, new)
		}
		if reportGone(p, was, now) {
			return false
		}
	}
	if hash := now.OfRelease(); hash.Text != "" && (was == nil || was.OfRelease().Text == "") {
		if other := seals.Elsewhere(now); other != nil {
			return reportOtherHash(p, other, now, other.OfRelease(), hash)
		}
	}
	return false
}

// reportGone reports a seal that has lost the hash which it had, and returns whether it has:
// the next hash that is written there would be compared with nothing.
func reportGone(p *rule.Pass, was, now *compare.PinnedHash) bool {
	f := rule.Finding{File: now.Document.File, Span: now.Span, Server: now.Name, Identity: now.Runs}
	isRaised, versions := explainByVersion(was.Pin, now.Pin)
	switch {
	case len(was.Artifacts()) > 0 && len(now.Artifacts()) == 0:
		from, _ := compare.ShownHashes(was.Artifacts()[0].Text, "")
		f.Severity = rule.Note
		f.Message = wording.Say("%q is no longer held to the hash of what it fetches, which was %s at the base: lock it with %s again", now.Name, from, now.Document.Tool.Title)
	case now.Release != "" && !isRaised && compare.IsHash(was.Pin.Integrity.Text) && strings.TrimSpace(now.Pin.Integrity.Text) == "":
		from, _ := compare.ShownHashes(was.Pin.Integrity.Text, "")
		f.Severity = rule.Warning
		f.Message = wording.Say("%q has no hash any more, which was %s at the base, and %s: restore it", now.Name, from, versions)
	default:
		return false
	}
	p.Report(f)
	return true
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

// reportUnlocked reports servers that a lockfile of the base locked and none locks now,
// once for each lockfile. Where one is there that does not know them, unlocked-server
// says so.
func reportUnlocked(p *rule.Pass) {
	said := knownUnlocked(p)
	for s := range p.Servers() {
		if s.Locked != nil || !s.IsStarted() || said[s.Document] {
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
func reportOtherHash(p *rule.Pass, was, now *compare.PinnedHash, old, new identity.Word) (isOpen bool) {
	f := rule.Finding{File: now.Document.File, Span: new.Span, Server: now.Name, Identity: now.Runs}
	isRaised, versions := explainByVersion(was.Pin, now.Pin)
	f.Approval = &rule.Approval{
		Required: !isRaised, Identity: now.ID,
		Old: old.Text, New: new.Text, OldShort: compare.ShortOf(old.Text), NewShort: compare.ShortOf(differing(old, new).Text), OldFetched: was.Pin.Fetched,
	}
	if now.Of != "" || now.IsWhole() {
		whole := now.Name
		if now.Of != "" {
			whole = now.Of
		}
		f.Server = whole
		f.Group = rule.Group{Key: now.Document.File.Path + "\x00" + whole, Message: wording.Say("%q has another hash as well", now.Name)}
	}
	f.Message = wording.Say("%s, and %s", hashChange(was, now, old, new), versions)
	if isRaised {
		f.Severity = rule.Note
	} else {
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

// differing returns the hash of new by which it is not old: it may stand beside that.
func differing(old, new identity.Word) identity.Word {
	if further, isFurther := compare.FurtherHash(compare.HashesIn(old), compare.HashesIn(new)); isFurther && compare.MatchesHash(old.Text, new.Text) {
		return further
	}
	return new
}

// hashChange says what the hash of a seal was and is.
func hashChange(was, now *compare.PinnedHash, old, new identity.Word) string {
	from, to := compare.ShownHashes(old.Text, differing(old, new).Text)
	change := wording.Say("the hash of %q", now.Name)
	if now.Of != "" {
		change += wording.Say(" in %q", now.Of)
	}
	change += wording.Say(" was %s at the base", from)
	if was.Pin.Fetched != "" {
		change += wording.Say(" (fetched %s)", wording.Beginning(was.Pin.Fetched, wording.MaxTime))
	}
	if was.Document.File.Path != now.Document.File.Path {
		change += wording.Say(", in %s,", was.Document.File.Path)
	}
	if compare.MatchesHash(old.Text, new.Text) {
		return change + wording.Say(" and has %s beside it now", to)
	}
	return change + wording.Say(" and is %s now", to)
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
