package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// IntegrityChanged finds locked servers with another hash than they had. What is
// approved stands in the settings, by what was locked and its new hash.
var IntegrityChanged = &Check{
	ID:       "integrity-changed",
	Title:    "a locked server has another hash than at the base",
	Severity: Error,
	Since:    true,
	Reads:    present,
	Run:      runIntegrityChanged,
}

func runIntegrityChanged(p *Pass) {
	if p.Base == nil {
		return
	}
	for doc := range p.Documents() {
		if !isLockfile(doc) {
			continue
		}
		for _, now := range sealsOf(doc) {
			if was := p.Base.seals().before(&now); was != nil {
				reportOtherHash(p, was, &now)
			}
		}
	}
}

// reportOtherHash reports a seal with another hash than before. A new version brings
// one.
func reportOtherHash(p *Pass, was, now *seal) {
	old, new, differ := otherHash(was, now)
	if !differ {
		return
	}
	f := Finding{File: now.doc.File, Span: new.Span, Server: now.name, Identity: now.runs}
	isRaised, versions := compareVersions(was.pin, now.pin)
	f.Approval = &Approval{
		Required: !isRaised, Identity: now.id,
		Old: old.Text, New: new.Text, OldShort: shortOf(old.Text), NewShort: shortOf(new.Text), OldFetched: was.pin.Fetched,
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
		f.Message += say(": find out why, then restore the old one or approve this one with mcplumb approve %q", f.Server)
	}
	p.Report(f)
}

// isWhole reports whether a seal is that of a package or bundle.
func (s *seal) isWhole() bool { return s.id == s.doc.Tool.ID+":"+s.name }

// hashChange says what the hash of a seal was and is.
func hashChange(was, now *seal, old, new identity.Word) string {
	from, to := shownHashes(old.Text, new.Text)
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
	return change + say(" and is %s now", to)
}

// maxTime is how much of a time is shown, in code points: 2026-02-23T10:00:00.000000Z.
const maxTime = 40

// compareVersions returns whether another version explains another hash, and what to
// think of the two in words.
func compareVersions(was, now mcp.Pin) (isRaised bool, words string) {
	switch {
	case !namesRelease(was.Version.Text) || !namesRelease(now.Version.Text):
		return false, "no version says that it is an update, so it may be an attack"
	case plainVersion(was.Version.Text) == plainVersion(now.Version.Text), was.Release() != "" && was.Release() == now.Release():
		return false, say("the version is still %s, so this is no update, and may be an attack", strings.TrimSpace(now.Version.Text))
	}
	return true, say("the version is %s in place of %s", now.Version.Text, was.Version.Text)
}
