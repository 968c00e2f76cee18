package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// duplicateServer finds a server that one client starts twice.
var duplicateServer = &rule.Rule{
	ID:       "duplicate-server",
	Title:    "one client starts the same server twice",
	Severity: rule.Warning,
	Fix:      rule.Safe,
	Reads:    reads.Selection{Without: []mcp.Scope{mcp.ScopeRegistry}},
	Run:      runDuplicateServer,
}

// deleteOne is what to do about two entries that start one server.
const deleteOne = "delete one of the two entries"

func runDuplicateServer(p *rule.Pass) {
	reportPackageDuplicates(p)
	fixes := repair.NewDuplicateFixes(p.Project)
	for set := range p.EffectiveSets() {
		if set[0].Sample {
			continue // its readers may be meant to copy one of several
		}
		refused := map[*mcp.Server]bool{}
		for _, doc := range set {
			for _, r := range compare.RefusedRepeats(doc) {
				refused[r.Entry] = true
				reportRefused(p, r, fixes)
			}
		}
		for _, group := range compare.Equivalent(fixes.Unstarted.Without(compare.InEffect(compare.Running(set)))) {
			group = lockedFirst(group, refused)
			best := fixes.Best(group)
			for _, later := range group[1:] {
				if !refused[later] && !compare.IsAlias(group[0], later) && !later.Extra().Apart && !isUnfilled(later) {
					reportDuplicate(p, group[0], later, best, fixes)
				}
			}
		}
	}
}

// lockedFirst puts the entry that a lockfile has before the others, since that is the one to
// keep: under its name, if there is one. A tool decides which of its own entries is the first,
// and a client does so for a list.
func lockedFirst(group []*mcp.Server, refused map[*mcp.Server]bool) []*mcp.Server {
	best := 0
	for i, s := range group {
		if s.Extra().NamedBy != nil || refused[s] {
			return group
		}
		if repair.LockRank(s) > repair.LockRank(group[best]) {
			best = i
		}
	}
	if best == 0 {
		return group
	}
	return append([]*mcp.Server{group[best]}, slices.Delete(slices.Clone(group), best, best+1)...)
}

// isUnfilled reports whether a value that an entry works on is a placeholder: two entries that
// both have YOUR_DATABASE_URL, or both the word that hides a value, may use two databases.
// Credentials do not count, because two entries may share one, and neither do values that a
// template engine fills in alike everywhere.
func isUnfilled(s *mcp.Server) bool {
	found := false
	mcp.EachValue(&s.Launch, func(v mcp.Value) {
		name, text := v.Name, v.Word.Text
		if option, rest, ok := strings.Cut(text, "="); ok && strings.HasPrefix(option, "-") {
			name, text = option, rest
		}
		if v.Kind == mcp.CommandValue || v.Kind == mcp.URLValue || text == "" || secret.IsSecretName(name) || secret.HasBlank(text) {
			return
		}
		found = found || isHidden(text) || !ascii.All(text, ascii.IsDigit) && secret.IsPlaceholder(text)
	})
	return found
}

// isHidden reports whether a text is the word that people publish instead of a secret value,
// alone or instead of an address: "hidden", "postgresql://hidden".
func isHidden(text string) bool {
	if _, address, ok := strings.Cut(text, "://"); ok {
		text = address
	}
	return ascii.EqualFold(text, "hidden")
}

// reportRefused reports an entry that its client refuses because it is the same server as an
// earlier one, or because the client cannot tell the two apart.
func reportRefused(p *rule.Pass, r compare.Repeat, fixes *repair.DuplicateFixes) {
	f := rule.At(r.Entry)
	f.Severity = rule.Error
	f.Related = []rule.Related{rule.SeeAlso(r.First, "first configured here")}
	switch r.Why {
	case compare.SameRegistry:
		name := r.Entry.Extra().Registry
		f.Span = name.Span
		f.Message = wording.Say("%s refuses %s a second time, because %q already configures it", r.Client.Title, name.Text, r.First.Name)
		f.Help = deleteOne
	case compare.SameManualName:
		f.Message = wording.Say("%s refuses two tools with one name, and %s already uses %q", r.Client.Title, compare.Origin(r.First), r.Entry.Name)
		f.Help = "rename one of the two"
	default:
		return // short-name-collision
	}
	if sameness.Compare(r.First.Resolved(), r.Entry.Resolved()) >= sameness.Equivalent {
		f.Fixes, f.NoFixReason = fixes.FixesFor(r.First, r.Entry)
	}
	p.Report(f)
}

// reportDuplicate reports an entry that repeats an earlier one. best is the one of all
// like them that is to stay.
func reportDuplicate(p *rule.Pass, first, later, best *mcp.Server, fixes *repair.DuplicateFixes) {
	f := rule.At(later)
	f.Message = wording.Say("%q starts the same server as %q (%s%s), so the client lists every tool twice",
		later.Name, first.Name, wording.Runs(later), difference(&first.Identity, &later.Identity))
	f.Help = deleteOne
	f.Related = []rule.Related{rule.SeeAlso(first, "first started here")}
	if compare.IsAsLocked(first) && !compare.IsAsLocked(later) {
		f.Related[0].Message = wording.Say("started here as %s locks it", first.Locked.Document.File.Path)
	}
	f.Duplicate = rule.DuplicateOf(first, later)
	f.Fixes, f.NoFixReason = fixes.Between(first, later, best)
	p.Report(f)
}

// reportPackageDuplicates reports a server that two packages or bundles of one tool
// contain: installing both starts it twice. Some tools keep one of those which
// they get under one name. A path within a package is another file in each.
func reportPackageDuplicates(p *rule.Pass) {
	var servers []*mcp.Server
	for _, doc := range p.Project.Bundled {
		servers = append(servers, compare.Running([]*mcp.Document{doc})...)
	}
	servers = slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		return s.Identity.Kind == identity.Opaque || s.Identity.Kind == identity.FileKind || s.Extra().Apart || hasOwnVariable(s)
	})
	for _, group := range compare.Sharing(servers, func(s *mcp.Server) string { return s.Document.Tool.ID + "\x03" + compare.ByConfig(s) }) {
		first := group[0]
		for _, later := range group[1:] {
			if later.BundleName() == first.BundleName() || later.Name == first.Name && later.Document.Tool.OneByName {
				continue
			}
			f := rule.At(later)
			f.Severity = rule.Note
			f.Message = wording.Say("%q in %s and %q in %s run the same server (%s), so installing both starts it twice",
				later.Name, later.BundleName(), first.Name, first.BundleName(), wording.Runs(later))
			f.Related = []rule.Related{rule.SeeAlso(first, "the other one is here")}
			f.Duplicate = rule.DuplicateOf(first, later)
			p.Report(f)
		}
	}
}

// hasOwnVariable reports whether an entry of a package has a variable that each
// package fills in by itself.
func hasOwnVariable(s *mcp.Server) bool {
	found := false
	mcp.EachValue(&s.Launch, func(v mcp.Value) { found = found || s.Document.Tool.FillsIn(v.Word.Text) })
	return found || s.Document.Tool.FillsIn(s.Launch.Cwd.Text)
}

// difference says how two equivalent entries are written differently.
func difference(a, b *identity.Identity) string {
	switch {
	case a.Bridge != nil && b.Bridge != nil && a.Bridge.Name != b.Bridge.Name:
		return wording.Say(", through %s and %s", a.Bridge.Name, b.Bridge.Name)
	case a.BridgeName() != b.BridgeName():
		return wording.Say(", one of them through %s", a.BridgeName()+b.BridgeName())
	case a.Version.Text != b.Version.Text:
		return wording.Say(", versions %s and %s", versionName(a.Version), versionName(b.Version))
	}
	return ""
}

func versionName(v identity.Version) string {
	if v.Text == "" {
		return "unpinned"
	}
	return v.Text
}
