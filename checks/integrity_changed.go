package checks

import (
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// IntegrityChanged finds locked servers with another hash than they had, or than their
// registry publishes. What is approved stands in the settings, by what was locked and its
// new hash.
var IntegrityChanged = &Rule{
	ID:        "integrity-changed",
	Title:     "a locked server has another hash than at the base, or than in its registry",
	Severity:  Error,
	NeedsBase: true,
	Reads:     present,
	Run:       runIntegrityChanged,
}

func runIntegrityChanged(p *Pass) {
	if p.Base == nil && p.Repo.Registries == nil {
		return
	}
	for doc := range p.Documents() {
		if !isLockfile(doc) {
			continue
		}
		for _, now := range pinnedHashesOf(doc) {
			if p.Base == nil || !reportPinned(p, &now) {
				reportReplaced(p, &now)
			}
		}
	}
	if p.Base != nil {
		reportUnlocked(p)
	}
}

// reportPinned reports a seal with another hash than it had, or than any lockfile had of
// the same release, and one without the hash that it had. It returns whether somebody has
// to find out about the hash that is there now.
func reportPinned(p *Pass, now *pinnedHash) (isOpen bool) {
	seals := p.Base.seals()
	was := seals.before(now)
	if was != nil {
		if old, new, differ := otherHash(was, now); differ {
			return reportOtherHash(p, was, now, old, new)
		}
		if reportGone(p, was, now) {
			return false
		}
	}
	if hash := now.ofRelease(); hash.Text != "" && (was == nil || was.ofRelease().Text == "") {
		if other := seals.elsewhere(now); other != nil {
			return reportOtherHash(p, other, now, other.ofRelease(), hash)
		}
	}
	return false
}

// reportGone reports a seal that has lost the hash which it had, and returns whether it has:
// the next hash that is written there would be compared with nothing.
func reportGone(p *Pass, was, now *pinnedHash) bool {
	f := Finding{File: now.doc.File, Span: now.span, Server: now.name, Identity: now.runs}
	isRaised, versions := explainByVersion(was.pin, now.pin)
	switch {
	case len(was.artifacts()) > 0 && len(now.artifacts()) == 0:
		from, _ := shownHashes(was.artifacts()[0].Text, "")
		f.Severity = Note
		f.Message = say("%q is no longer held to the hash of what it fetches, which was %s at the base: lock it with %s again", now.name, from, now.doc.Tool.Title)
	case now.release != "" && !isRaised && isHash(was.pin.Integrity.Text) && strings.TrimSpace(now.pin.Integrity.Text) == "":
		from, _ := shownHashes(was.pin.Integrity.Text, "")
		f.Severity = Warning
		f.Message = say("%q has no hash any more, which was %s at the base, and %s: restore it", now.name, from, versions)
	default:
		return false
	}
	p.Report(f)
	return true
}

// reportReplaced reports a seal whose registry publishes another hash for its version.
func reportReplaced(p *Pass, now *pinnedHash) {
	if now.pkg == nil || now.pkg.Kind == identity.OCI { // tags move
		return
	}
	all := registeredHashes(p.Repo.Registries, *now.pkg)
	locked, published, isReplaced := replacedHash(now.ofFiles(), all)
	if further, isFurther := furtherHash(all, now.ofFiles()); !isReplaced && isFurther && now.isOneFile() {
		ofPublished, _ := inOneAlgorithm(all, now.ofFiles())
		locked, published, isReplaced = further, ofPublished[0], true
	}
	if !isReplaced {
		return
	}
	here, there := shownHashes(locked.Text, published.Text)
	f := Finding{File: now.doc.File, Span: locked.Span, Server: now.name, Identity: now.runs, WithoutBase: true}
	if len(now.pin.Files) > 0 { // who approves one file has not looked at the others
		locked, published.Text = now.pin.Integrity, HashOfFiles(textsOf(all))
	}
	f.Approval = &Approval{
		Required: true, Identity: now.id,
		Old: locked.Text, New: published.Text, OldShort: shortOf(locked.Text), NewShort: shortOf(published.Text), OldFetched: now.pin.Fetched,
	}
	f.Message = say("the hash of %q is %s here, but the registry %s publishes %s for version %s, so one of the two may be an attack: find out which is right, and lock it again if it is the registry's",
		now.name, here, p.Repo.Registries.Of(*now.pkg).Registry, there, now.pkg.Version.Text)
	p.Report(f)
}

// reportUnlocked reports servers that a lockfile of the base locked and none locks now,
// once for each lockfile. Where one is there that does not know them, unlocked-server
// says so.
func reportUnlocked(p *Pass) {
	said := knownUnlocked(p)
	for s := range p.Servers() {
		if s.Locked != nil || !s.IsStarted() || said[s.Document] {
			continue
		}
		entry := p.Base.locked()[lockedPlace{p.Base.dirOf(p.Project.Dir), s.Document.Format, s.Name, byKey(s)}]
		if entry == nil {
			continue
		}
		f := at(s)
		f.Severity = Note
		f.Message = say("%q is no longer locked: it was in %s at the base", s.Name, entry.Document.File.Path)
		f.group = group{key: "unlocked\x00" + entry.Document.File.Path, message: say("%q is no longer locked, either", s.Name)}
		p.Report(f)
	}
}

// knownUnlocked returns the documents of whose servers unlocked-server reports those that
// are not locked.
func knownUnlocked(p *Pass) map[*mcp.Document]bool {
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

// lockedPlace is where a server stands that is locked, and what it runs.
type lockedPlace struct{ dir, format, name, program string }

// lockedServers returns the entries that servers of the base were locked as, nil where
// one of several was not.
func lockedServers(b *Base) map[lockedPlace]*mcp.LockEntry {
	locked := map[lockedPlace]*mcp.LockEntry{}
	for _, p := range b.then.Projects {
		dir := p.Dir
		if !b.today()[dir] {
			dir = goneDir
		}
		for doc := range documents(p, &present) {
			for _, s := range doc.Servers {
				at := lockedPlace{dir, doc.Format, s.Name, byKey(s)}
				if known, isKnown := locked[at]; !isKnown || known != nil {
					locked[at] = s.Locked
				}
			}
		}
	}
	return locked
}

// reportOtherHash reports a seal with another hash than before, and returns whether
// somebody has to approve it: a new version brings one.
func reportOtherHash(p *Pass, was, now *pinnedHash, old, new identity.Word) (isOpen bool) {
	f := Finding{File: now.doc.File, Span: new.Span, Server: now.name, Identity: now.runs}
	isRaised, versions := explainByVersion(was.pin, now.pin)
	f.Approval = &Approval{
		Required: !isRaised, Identity: now.id,
		Old: old.Text, New: new.Text, OldShort: shortOf(old.Text), NewShort: shortOf(differing(old, new).Text), OldFetched: was.pin.Fetched,
	}
	if now.of != "" || now.isWhole() {
		whole := now.name
		if now.of != "" {
			whole = now.of
		}
		f.Server = whole
		f.group = group{key: now.doc.File.Path + "\x00" + whole, message: say("%q has another hash as well", now.name)}
	}
	f.Message = say("%s, and %s", hashChange(was, now, old, new), versions)
	if isRaised {
		f.Severity = Note
	} else {
		f.Message += say(": find out why, then restore the old one, or approve this one: %s", approveCommand(p.Base.Rev, f.Server, now.id))
	}
	p.Report(f)
	return !isRaised
}

// approveCommand returns the command that approves a hash, to be pasted into a shell; only
// the reason is to be filled in. What cannot be pasted as it is gives way to the identity.
func approveCommand(rev, server, identity string) string {
	isOdd := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(server) > maxUnquoted || strings.HasPrefix(server, "-") || strings.ContainsFunc(server, isOdd) {
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

// isWhole reports whether a seal is that of a package or bundle.
func (s *pinnedHash) isWhole() bool { return s.id == s.doc.Tool.ID+":"+s.name }

// differing returns the hash of new by which it is not old: it may stand beside that.
func differing(old, new identity.Word) identity.Word {
	if further, isFurther := furtherHash(hashesIn(old), hashesIn(new)); isFurther && isSameHash(old.Text, new.Text) {
		return further
	}
	return new
}

// hashChange says what the hash of a seal was and is.
func hashChange(was, now *pinnedHash, old, new identity.Word) string {
	from, to := shownHashes(old.Text, differing(old, new).Text)
	change := say("the hash of %q", now.name)
	if now.of != "" {
		change += say(" in %q", now.of)
	}
	change += say(" was %s at the base", from)
	if was.pin.Fetched != "" {
		change += say(" (fetched %s)", Beginning(was.pin.Fetched, maxTime))
	}
	if was.doc.File.Path != now.doc.File.Path {
		change += say(", in %s,", was.doc.File.Path)
	}
	if isSameHash(old.Text, new.Text) {
		return change + say(" and has %s beside it now", to)
	}
	return change + say(" and is %s now", to)
}

// maxTime is how much of a time is shown, in code points: 2026-02-23T10:00:00.000000Z.
const maxTime = 40

// explainByVersion returns whether another version explains another hash, and what to
// think of the two in words.
func explainByVersion(was, now mcp.Pin) (isRaised bool, words string) {
	switch {
	case !namesRelease(was.Version.Text) || !namesRelease(now.Version.Text):
		return false, "no version says that it is an update, so it may be an attack"
	case plainVersion(was.Version.Text) == plainVersion(now.Version.Text), was.Release() != "" && was.Release() == now.Release():
		return false, say("the version is still %s, so this is no update, and may be an attack", strings.TrimSpace(now.Version.Text))
	}
	return true, say("the version is %s in place of %s", now.Version.Text, was.Version.Text)
}
