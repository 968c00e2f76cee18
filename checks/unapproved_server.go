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

// unapprovedServer finds servers that the catalog of the organization does not contain, or
// contains in another form. Without a catalog it finds nothing.
var unapprovedServer = &rule.Rule{
	ID:           "unapproved-server",
	Title:        "a server is not in the organization's catalog",
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
		if v := judgeApproval(approved, s); v.message != "" {
			f := rule.At(s)
			f.Severity, f.Message, f.Help = v.severity, v.message, v.help
			p.Report(f)
		}
	}
}

// verdict is how a server differs from the catalog, and what to do; the zero value is for one
// that does not.
type verdict struct {
	severity      rule.Severity
	message, help string
}

// What to do about a server that is not as in the catalog.
const (
	useApproved  = "use a server from the catalog, or ask its owner to add this one"
	useVersion   = "use a version from the catalog, or ask its owner to add this one"
	useArguments = "use the arguments from the catalog, or ask its owner to add these"
	startSame    = "start the server as the catalog does, or ask its owner to add this form"
	pinApproved  = "pin a version from the catalog"
	fromRegistry = "use the registry that the catalog uses"
)

// unapproved returns a verdict that is a warning.
func unapproved(help, format string, args ...any) verdict {
	return verdict{rule.Warning, wording.Say(format, args...), help}
}

// judgeApproval returns how a server differs from its entry in a catalog.
func judgeApproval(approved *mcp.Approved, s *mcp.Server) verdict {
	id := &s.Identity
	versions, isKnown := approved.Of(id.String(), id.Selector)
	switch {
	case !isKnown:
		return unapproved(useApproved, "%q %s, which is not in the approved catalog (%s)", s.Name, approvedRuns(s), approved.Source)
	case len(versions) == 0:
		return unapproved(useArguments, "%q %s, but the approved catalog (%s) has it only with other arguments", s.Name, approvedRuns(s), approved.Source)
	}
	beside, names := LoadedBeside(s)
	versions = slices.DeleteFunc(versions, func(v mcp.ApprovedServer) bool {
		return !slices.Contains(v.Launches, beside) && (len(v.Launches) > 0 || beside != "")
	})
	switch {
	case len(versions) == 0 && beside == "":
		return unapproved(startSame, "%q %s, but the approved catalog (%s) sets an option or a variable that decides what else it loads", s.Name, approvedRuns(s), approved.Source)
	case len(versions) == 0:
		return unapproved(startSame, "%q %s, but what decides its code (%s) differs from the approved catalog (%s)", s.Name, approvedRuns(s), wording.JoinWords(names), approved.Source)
	case id.Kind == identity.URL:
		return verdict{}
	case !id.IsPackage():
		return judgeOwnProgram(approved, versions, s)
	}
	return judgePackage(approved, versions, s)
}

// approvedRuns returns the program of an approved server with its sub-command, or its address.
func approvedRuns(s *mcp.Server) string {
	if s.Identity.Kind == identity.URL {
		return "connects to " + wording.Runs(s)
	}
	return "runs " + wording.Runs(s)
}

// judgeOwnProgram compares the hash of a program that a repository has in itself: another
// repository may have something else under its name.
func judgeOwnProgram(approved *mcp.Approved, versions []mcp.ApprovedServer, s *mcp.Server) verdict {
	_, locked := lockedDigest(s)
	switch {
	case locked == "":
		return unapproved("lock the server", "%q %s, but no locked hash shows that it is the one in the approved catalog (%s)", s.Name, approvedRuns(s), approved.Source)
	case holdsDigest(versions, s):
		return verdict{}
	}
	return unapproved("restore the approved program, or ask the owner of the catalog to add this one",
		"%q %s, but its hash differs from the one in the approved catalog (%s)", s.Name, approvedRuns(s), approved.Source)
}

// judgePackage compares the version of a package, and its hash where one is locked.
func judgePackage(approved *mcp.Approved, versions []mcp.ApprovedServer, s *mcp.Server) verdict {
	id := &s.Identity
	version := versionTaken(s)
	if version == "" && id.Version.Kind == identity.Range {
		return unapproved(pinApproved, "%q runs the newest version of %s in the range %s, but the approved catalog (%s) has %s",
			s.Name, id.InSentence(), id.Version.Text, approved.Source, versionsOf(versions))
	}
	if version == "" {
		return unapproved(pinApproved, "%q runs the newest version of %s, but the approved catalog (%s) has %s",
			s.Name, id.InSentence(), approved.Source, versionsOf(versions))
	}
	held := slices.DeleteFunc(slices.Clone(versions), func(v mcp.ApprovedServer) bool { return v.Version != "" && v.Version != version })
	if len(held) == 0 {
		return unapproved(useVersion, "%q runs %s %s, but the approved catalog (%s) has %s", s.Name, id.InSentence(), version, approved.Source, versionsOf(versions))
	}
	isSame := holdsDigest(held, s)
	if _, locked := lockedDigest(s); locked != "" && !isSame && slices.ContainsFunc(held, func(v mcp.ApprovedServer) bool { return v.Integrity != "" }) {
		return verdict{rule.Error, wording.Say("the locked hash of %q (%s %s) differs from the one in the approved catalog (%s)", s.Name, id.InSentence(), version, approved.Source),
			"find out which hash is right before anyone starts this server"}
	}
	if id.NamesSource && !isSame {
		return unapproved(fromRegistry, "%q names its own source of %s, and no locked hash shows that it is the package in the approved catalog (%s)", s.Name, id.InSentence(), approved.Source)
	}
	if !isSame && !id.NamesSource && held[0].NamesSource {
		return unapproved(fromRegistry, "%q uses another source of %s than the approved catalog (%s), and no locked hash shows that it is the same", s.Name, id.InSentence(), approved.Source)
	}
	return verdict{}
}

// LoadedBeside returns a hash of the settings other than its identity that decide which code an
// entry loads, "" for none, and names of these settings that contain no value: options such as
// --require and --entrypoint, variables such as NODE_OPTIONS, packages of --with, the
// headersHelper. The sources from which packages are fetched are not among them.
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

// versionTaken returns the version that a server runs: the written one, else the locked one.
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

// lockedDigest returns the locked hash of what a server runs now, "" for none.
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
