package checks

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unapprovedServer finds servers that the catalog of the organization does not hold, or
// holds otherwise. Without a catalog it finds nothing.
var unapprovedServer = &rule.Rule{
	ID:           "unapproved-server",
	Title:        "a server that the organization's catalog does not hold",
	Severity:     rule.Warning,
	UsesRegistry: true,
	Reads:        reads.Selection{Clients: true, Without: []mcp.Scope{mcp.ScopeUser}},
	Run:          runUnapprovedServer,
}

func runUnapprovedServer(p *rule.Pass) {
	approved := p.Repo.Approved
	if approved == nil {
		return
	}
	for s := range p.Servers() {
		if !s.Document.IsClientFile() || !s.MayBeStarted() || s.Identity.Kind == identity.None {
			continue
		}
		if severity, message := judgeApproval(approved, s); message != "" {
			f := rule.At(s)
			f.Severity, f.Message = severity, message
			p.Report(f)
		}
	}
}

// judgeApproval says how a server is not what a catalog holds, "" where it is.
func judgeApproval(approved *mcp.Approved, s *mcp.Server) (rule.Severity, string) {
	id := &s.Identity
	versions, isKnown := approved.Of(id.String(), id.Selector)
	switch {
	case !isKnown:
		return rule.Warning, wording.Say("%q (%s) is not in the catalog %s", s.Name, wording.Runs(s), approved.Source)
	case len(versions) == 0:
		return rule.Warning, wording.Say("%q (%s) is not in the catalog %s, which has %s with other words behind it", s.Name, wording.Runs(s), approved.Source, id.Title())
	}
	beside, names := LoadedBeside(s)
	versions = slices.DeleteFunc(versions, func(v mcp.ApprovedServer) bool {
		return !slices.Contains(v.Launches, beside) && (len(v.Launches) > 0 || beside != "")
	})
	switch {
	case len(versions) == 0 && beside == "":
		return rule.Warning, wording.Say("%q (%s) is not started as in the catalog %s, where an option or a variable decides what else it loads", s.Name, wording.Runs(s), approved.Source)
	case len(versions) == 0:
		return rule.Warning, wording.Say("%q (%s) is not started as in the catalog %s: what decides which code it loads (%s) is not the same", s.Name, wording.Runs(s), approved.Source, wording.JoinWords(names))
	case id.Kind == identity.URL:
		return rule.Off, ""
	case !id.IsPackage():
		return judgeOwnProgram(approved, versions, s)
	}
	return judgePackage(approved, versions, s)
}

// judgeOwnProgram compares the hash of a program that a repository has in itself: another
// repository may have something else under its name.
func judgeOwnProgram(approved *mcp.Approved, versions []mcp.ApprovedServer, s *mcp.Server) (rule.Severity, string) {
	_, locked := lockedDigest(s)
	switch {
	case locked == "":
		return rule.Warning, wording.Say("no lockfile has a hash of %q (%s) by which it would be that of the catalog %s: lock it", s.Name, wording.Runs(s), approved.Source)
	case holdsDigest(versions, s):
		return rule.Off, ""
	}
	return rule.Warning, wording.Say("%q (%s) is not as in the catalog %s: its hash is another one", s.Name, wording.Runs(s), approved.Source)
}

// judgePackage compares the version of a package, and its hash where one is locked.
func judgePackage(approved *mcp.Approved, versions []mcp.ApprovedServer, s *mcp.Server) (rule.Severity, string) {
	id := &s.Identity
	version := versionTaken(s)
	if version == "" && id.Version.Kind == identity.Range {
		return rule.Warning, wording.Say("%q takes the newest version of %s in the range %s, and the catalog %s has %s: write the version",
			s.Name, id.Title(), id.Version.Text, approved.Source, versionsOf(versions))
	}
	if version == "" {
		return rule.Warning, wording.Say("%q takes whatever version of %s is newest, and the catalog %s has %s: write the version",
			s.Name, id.Title(), approved.Source, versionsOf(versions))
	}
	held := slices.DeleteFunc(slices.Clone(versions), func(v mcp.ApprovedServer) bool { return v.Version != "" && v.Version != version })
	if len(held) == 0 {
		return rule.Warning, wording.Say("%q runs %s %s, and the catalog %s has %s", s.Name, id.Title(), version, approved.Source, versionsOf(versions))
	}
	isSame := holdsDigest(held, s)
	if _, locked := lockedDigest(s); locked != "" && !isSame && slices.ContainsFunc(held, func(v mcp.ApprovedServer) bool { return v.Integrity != "" }) {
		return rule.Error, wording.Say("the hash that is locked for %q (%s %s) is not that of the catalog %s", s.Name, id.Title(), version, approved.Source)
	}
	if id.NamesSource && !isSame {
		return rule.Warning, wording.Say("%q takes %s from where it says itself, and no hash is locked by which it would be that of the catalog %s", s.Name, id.Title(), approved.Source)
	}
	if !isSame && !id.NamesSource && held[0].NamesSource {
		return rule.Warning, wording.Say("%q does not take %s from the registry that the catalog %s has it from, and no hash is locked by which it would be that one", s.Name, id.Title(), approved.Source)
	}
	return rule.Off, ""
}

// LoadedBeside returns a hash of what decides beside its identity which code an entry loads,
// "" for nothing, and what that is in words that hold no value: options such as --require
// and --entrypoint, variables such as NODE_OPTIONS, packages of --with, the headersHelper. Where packages are
// fetched from is not among them.
func LoadedBeside(s *mcp.Server) (hash string, names []string) {
	var all []string
	add := func(name, value string) {
		names, all = append(names, name), append(all, name+"="+secret.Mask(value))
	}
	for _, l := range s.Launches() {
		if l.Kind != mcp.LaunchLine && !l.IsSource {
			add(l.Name, l.Value)
		}
	}
	for _, f := range s.Identity.Fetched {
		if f.Beside {
			add(f.String(), f.Version.Text)
		}
	}
	for _, a := range s.Identity.Addresses {
		add(secret.Mask(a.Text), "")
	}
	if len(all) == 0 {
		return "", nil
	}
	sum := sha256.Sum256([]byte(strings.Join(all, "\x00")))
	return "sha256-" + hex.EncodeToString(sum[:]), names
}

// versionTaken returns the version that a server runs: what is written, else what is locked.
func versionTaken(s *mcp.Server) string {
	v := &s.Identity.Version
	switch {
	case v.Kind == identity.Exact:
		return cmp.Or(v.Release(), v.Text)
	case s.Locked != nil && s.Locked.Document.Tool.Hashes == mcp.Digests && s.Locked.Pin.Version.Text != "":
		return s.Locked.Pin.Version.Text
	case s.Identity.Kind == identity.OCI:
		return v.Text
	}
	return ""
}

// lockedDigest returns the hash that is locked of what a server runs now, "" for none.
func lockedDigest(s *mcp.Server) (algorithm, digest string) {
	if s.Locked == nil || s.Locked.Document.Tool == nil || s.Locked.Document.Tool.Hashes != mcp.Digests {
		return "", ""
	}
	pin := &s.Locked.Pin
	if s.Identity.IsPackage() && pin.Version.Text != versionTaken(s) {
		return "", ""
	}
	return compare.DigestOf(cmp.Or(pin.Own.Text, pin.Integrity.Text))
}

// holdsDigest reports whether one of some versions has the hash that is locked.
func holdsDigest(versions []mcp.ApprovedServer, s *mcp.Server) bool {
	algorithm, locked := lockedDigest(s)
	return locked != "" && slices.ContainsFunc(versions, func(v mcp.ApprovedServer) bool {
		by, digest := compare.DigestOf(v.Integrity)
		return by == algorithm && digest == locked
	})
}

// versionsOf names versions, the first of many.
func versionsOf(versions []mcp.ApprovedServer) string {
	const most = 5
	var names []string
	for _, v := range versions {
		if name := cmp.Or(v.Version, "it without a version"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > most {
		names = append(names[:most], "others")
	}
	return wording.JoinWords(names)
}
