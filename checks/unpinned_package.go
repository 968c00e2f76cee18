package checks

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unpinnedPackage finds servers that are downloaded without an exact version.
var unpinnedPackage = &rule.Rule{
	ID:       "unpinned-package",
	Title:    "a package without an exact version",
	Severity: rule.Note,
	Fix:      rule.Unsafe,
	// A sample is pinned where it is copied to.
	Reads: reads.Selection{Without: []mcp.Scope{mcp.ScopeRegistry}},
	Run:   runUnpinnedPackage,
}

func runUnpinnedPackage(p *rule.Pass) {
	copies := &repair.Copies{Project: p.Project}
	for s := range p.Servers() {
		if !s.IsStarted() || s.Identity.Installed || isCommentedOut(s.Name) {
			continue // a name like a comment is meant to disable the entry: invalid-name
		}
		if i := slices.IndexFunc(s.Identity.Addresses, MayServeAnother); i >= 0 {
			reportAddress(p, s, s.Identity.Addresses[i].Word)
			continue
		}
		for pkg := range s.Identity.Packages() {
			// Of its own package a project means the latest release, which has no version yet.
			if isUnpinned(s, pkg) && p.Project.InstalledFor(s, pkg) == nil && !p.Project.Facts.Own[pkg.String()] {
				reportUnpinned(p, s, pkg, copies)
				break // one finding a server
			}
		}
	}
}

// isUnpinned reports whether a package that a server is started with may be
// another one tomorrow.
func isUnpinned(s *mcp.Server, pkg identity.Fetched) bool {
	if pkg.Version.Kind == identity.Exact || pkg.Span.IsZero() {
		return false
	}
	if _, found := secret.NextReference(pkg.Version.Text, 0); found {
		return false // the variable says which
	}
	switch pkg.Kind {
	case identity.Go:
		// go.mod says which, and go run refuses to start without it.
		return pkg.Version.Kind != identity.NoVersion
	case identity.OCI:
		return !mcp.IsLocalImage(pkg.Name)
	case identity.NPM:
		// If the server's source is here, its runner is installed: npx and its like use that, and
		// the package manager's lockfile has its version.
		return s.Identity.Kind != identity.FileKind || pkg.Version.Kind != identity.NoVersion
	}
	return true
}

// MayServeAnother reports whether a launcher may download something else from an address tomorrow.
// The content of a version in a registry, of a full commit, and of an address with a hash does not
// change, and a variable decides what an address with a variable is. What can only be a remote
// server belongs to invalid-server.
func MayServeAnother(from identity.FetchedFrom) bool {
	u, err := url.Parse(from.Text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || isEndpoint(from.Text) {
		return false
	}
	if _, found := secret.NextReference(from.Text, 0); found {
		return false
	}
	return !isOfRegistry(u) && !namesRelease(u) && !isHashed(u, from.Launcher) && !slices.ContainsFunc(strings.Split(u.Path, "/"), isCommit)
}

// isOfRegistry reports whether an address is that of a file that npm's registry or
// PyPI never replaces.
func isOfRegistry(u *url.URL) bool {
	return strings.Contains(u.Path, "/-/") && strings.HasSuffix(u.Path, ".tgz") ||
		u.Hostname() == "files.pythonhosted.org" && strings.HasPrefix(u.Path, "/packages/")
}

// namesRelease reports whether an address is that of a module of Deno in one version, which its
// registry never replaces (deno.land/x, esm.sh: docs.deno.com/runtime/fundamentals/modules).
func namesRelease(u *url.URL) bool {
	return slices.ContainsFunc(strings.Split(u.Path, "/"), func(part string) bool {
		_, version, found := strings.Cut(part, "@")
		return found && compare.IsVersionNumber(version)
	})
}

// isHashed reports whether an address has the hash that the archive must have. npm ignores it,
// pip compares it, and so does uv (its pull request 18842), except for scripts.
func isHashed(u *url.URL, launcher string) bool {
	hash, found := strings.CutPrefix(u.Fragment, "sha256=")
	isArchive := launcher == "uv" && slices.Contains([]string{".whl", ".gz", ".zip"}, path.Ext(u.Path))
	return found && len(hash) == 64 && compare.IsHex(hash) && (launcher == "uvx" || launcher == "pipx" || isArchive)
}

// isCommit reports whether a part of a path is a full commit, or an archive of one.
func isCommit(part string) bool {
	return len(part) >= 40 && compare.IsHex(part[:40]) && slices.Contains([]string{"", ".tar.gz", ".tgz", ".zip"}, part[40:])
}

func reportAddress(p *rule.Pass, s *mcp.Server, address identity.Word) {
	f := rule.At(s)
	f.Span = address.Span
	f.Message = wording.Say("%s has no version, so each start may run different code", secret.Mask(wording.Beginning(address.Text, maxAddress)))
	f.Help = "use a package with an exact version"
	if p.Base != nil && !p.Base.Held(s.Document.File.Path, s.Document.File.Bytes[address.Span.Start:address.Span.End]) {
		f.Severity = rule.Warning // no registry keeps its content, and the change adds it
	}
	f.Group = rule.Group{Key: f.Text(), Message: "also downloaded here"}.Within(f.File.Path)
	p.Report(f)
}

// maxAddress is how much of an address a message repeats, in code points.
const maxAddress = 200

func reportUnpinned(p *rule.Pass, s *mcp.Server, pkg identity.Fetched, copies *repair.Copies) {
	f := rule.At(s)
	f.Span = pkg.Span
	pin := "an exact version"
	switch pkg.Kind {
	case identity.OCI:
		pin = "its digest (@sha256:…)"
	case identity.Git:
		pin = "the full commit hash"
	}
	if version, why := versionFor(p, pkg, copies.WithCopies(s)); version != "" {
		pin = wording.Say("%s, %s", version, why)
		f.Fixes, f.NoFixReason = fixUnpinned(s, copies, pkg, version, why)
	} else if _, isAsked := mcp.WantedOf(pkg); isAsked {
		f.NoFixReason = reputation.WhyNoVersion(p.Repo.Registries, pkg)
	}
	f.Message, f.Help = wording.Say("%s %s", pkg, whyUnpinned(pkg)), "pin "+pin
	if said := p.Repo.Registries.Of(pkg); said != nil && len(f.Fixes) == 0 {
		if today := compare.TakenRelease(said, pkg); today != nil && reputation.IsKnownBad(pkg, compare.Exactly(today.Version)) {
			f.Message += wording.Say(" (today %s, which an advisory affects)", today.Version)
			f.Help = "use another version"
			if reputation.AllBad(said, pkg) {
				f.Help = "use another package, because advisories affect every version of this one"
			}
		}
	}
	f.Group = rule.Group{Key: f.Text(), Message: "also downloaded here"}.Within(f.File.Path)
	p.Report(f)
}

// versionFor returns the version to pin a package to in an entry and its copies, and in a clause why
// that one: the lockfile that governs one of them has it, else the project has installed it, else
// its registry says that it is the newest that is old enough. A range is only narrowed, and no
// version is proposed that an advisory affects.
func versionFor(p *rule.Pass, pkg identity.Fetched, entries []*mcp.Server) (version, why string) {
	isRight := func(v identity.Version) bool {
		return v.Kind == identity.Exact && (pkg.Version.Kind != identity.Range || pkg.Takes(v.Text)) && !reputation.IsKnownBad(pkg, v)
	}
	for _, s := range entries {
		if locked := s.Locked; locked != nil && locked.Target.Identity.String() == pkg.String() && isRight(locked.Target.Identity.Version) {
			return locked.Target.Identity.Version.Text, asIn(locked.Document.File.Path)
		}
	}
	for _, s := range entries {
		if beside := p.Project.BesideFor(s, pkg); beside != nil && isRight(identity.Version{Kind: identity.Exact, Text: beside.Version}) {
			return beside.Version, asIn(beside.File)
		}
	}
	return registeredVersion(p.Repo.Registries, pkg)
}

func asIn(path string) string { return wording.Say("the version in %s", path) }

// registeredVersion returns the version of a registry to pin, or the digest of an image, and the
// reason for it; "" if no registry was queried, or it has none.
func registeredVersion(r *mcp.Registries, pkg identity.Fetched) (version, why string) {
	said := r.Of(pkg)
	if said == nil {
		return "", ""
	}
	if pkg.Kind == identity.OCI {
		if release := said.Release(said.Latest); release != nil && len(release.Hashes) == 1 {
			return release.Hashes[0], wording.Say("which is %s today", release.Version)
		}
		return "", ""
	}
	release, tag := reputation.SettledRelease(said, pkg, r.Settled), compare.TagOf(pkg)
	switch {
	case release != nil && tag != "":
		return release.Version, wording.Say("which is %s today", tag)
	case release != nil:
		return release.Version, wording.Say("published on %s, the newest that is old enough", release.At.Format(time.DateOnly))
	}
	return "", ""
}

// fixUnpinned writes a version, and says why that one, into an entry and its copies, if all of them
// name the package in a form that can be changed; otherwise it returns why not.
func fixUnpinned(of *mcp.Server, copies *repair.Copies, pkg identity.Fetched, version, why string) (fixes []rule.Fix, noFixReason string) {
	if reason := repair.KeptBecause(of); reason != "" {
		return nil, reason
	}
	fix := rule.Fix{Title: wording.Say("pin %s to %s, %s", pkg.Name, version, why), Safety: rule.Unsafe}
	for _, s := range copies.WithCopies(of) {
		for same := range s.Identity.Packages() {
			if same.String() != pkg.String() {
				continue
			}
			spec, ok := Pinned(s, same, version)
			if !ok || s.Shared {
				return nil, repair.NotWrittenPlainly
			}
			fix.Edits = append(fix.Edits, edit.Rename(s.Document.File, same.Span, spec))
		}
	}
	return []rule.Fix{fix}, ""
}

// Pinned returns the text that names a package, an argument or a part of one, with an exact
// version instead of none, of a tag or of a range, in the form that its launcher accepts.
func Pinned(s *mcp.Server, pkg identity.Fetched, version string) (spec string, ok bool) {
	written := string(s.Document.File.Bytes[pkg.Span.Start:pkg.Span.End])
	if i := slices.IndexFunc(s.Launch.Args, func(w identity.Word) bool { return w.Span == pkg.Span }); i >= 0 {
		written = s.Launch.Args[i].Text
	}
	name, found := strings.CutSuffix(written, pkg.Version.Text)
	switch {
	case !found:
		return "", false
	case pkg.Kind == identity.NPM:
		name = strings.TrimSuffix(name, "@")
		return name + "@" + version, strings.TrimPrefix(name, "npm:") == pkg.Name
	case pkg.Kind == identity.PyPI:
		name = strings.TrimRight(strings.TrimSuffix(name, "@"), " ")
		return name + "==" + version, !strings.ContainsAny(strings.TrimSuffix(name, "]"), "@=<>~!];:/ ")
	case pkg.Kind == identity.OCI:
		return written + "@" + version, !strings.Contains(written, "@")
	}
	return "", false
}

// whyUnpinned says what of a package is not exact.
func whyUnpinned(pkg identity.Fetched) string {
	version := pkg.Version.Text
	switch {
	case pkg.Kind == identity.OCI && version == "":
		return "has no tag and no digest, so each start may run a different image"
	case pkg.Kind == identity.OCI:
		return wording.Say("has no digest, and the tag %s can move to another image", version)
	case pkg.Kind == identity.Git && version == "":
		return "is not pinned to a commit, so each start may run different code"
	case pkg.Kind == identity.Git:
		return wording.Say("is pinned to %s, which can move to another commit", version)
	case version == "":
		return "has no version, so each start may run a different one"
	case pkg.Version.Kind == identity.Range:
		return wording.Say("has no exact version, so each start may run a different one within %s", version)
	}
	return wording.Say("has no exact version, and the tag %s can move to another version", version)
}
