package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// shortNameCollision finds two servers of one file whose names become one when
// a client shortens them.
var shortNameCollision = &rule.Rule{
	ID:       "short-name-collision",
	Title:    "two servers have the same short name",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.Launched,
	Run:      runShortNameCollision,
}

func runShortNameCollision(p *rule.Pass) {
	fixes := &shortNameFixes{renames: repair.NewRenames(p.Project)}
	for doc := range p.Documents() {
		for _, r := range compare.RefusedRepeats(doc) {
			reportRefusedCollision(p, r, fixes)
		}
		short := func(s *mcp.Server) string { return identity.Short(s.Name) }
		for _, group := range compare.Sharing(compare.WithNames(compare.Running([]*mcp.Document{doc})), short) {
			name := short(group[0])
			if name == "" {
				continue
			}
			for _, s := range group[1:] {
				reportCollision(p, name, group[0], s, fixes)
			}
		}
	}
}

// reportRefusedCollision reports two servers of the registry that get one name, because their
// registry names end in it, if the client refuses that.
func reportRefusedCollision(p *rule.Pass, r compare.Repeat, fixes *shortNameFixes) {
	if r.Why != compare.SameShortName {
		return
	}
	first, later := r.First.Extra().Registry.Text, r.Entry.Extra().Registry.Text
	f := rule.At(r.Entry)
	f.Severity = rule.Error
	f.Message = wording.Say("%s and %s are both called %q, but %s refuses two tools with one name", later, first, r.Entry.Name, r.Client.Title)
	f.Help = "rename one of the two"
	if name := compare.OwnedName(later, r.Entry.Name); name != r.Entry.Name {
		f.Help = wording.Say("rename this one to %q", name)
		f.Fixes, f.NoFixReason = fixes.rename(r.Entry, name)
	}
	f.Related = []rule.Related{rule.SeeAlso(r.First, "%s has this name", first)}
	p.Report(f)
}

func reportCollision(p *rule.Pass, short string, first, later *mcp.Server, fixes *shortNameFixes) {
	if first.Name == later.Name || sameness.Compare(first.Resolved(), later.Resolved()) >= sameness.Equivalent {
		return
	}
	f := rule.At(later)
	if owner := ownerOf(later); saysNothing(short) {
		f.Severity = rule.Note // the names may be those of the registry, and stay
	} else if owner != "" && owner != ownerOf(first) {
		f.Fixes, f.NoFixReason = fixes.rename(later, owner+"-"+later.Name[strings.LastIndexByte(later.Name, '/')+1:])
	}
	f.Message = wording.Say("%q and %q are different servers, but clients that shorten names call both %q and keep only one",
		later.Name, first.Name, short)
	f.Help = "rename one of the two"
	f.Related = []rule.Related{rule.SeeAlso(first, "%s also has the short name %q", wording.Runs(first), short)}
	p.Report(f)
}

// ownerOf returns the owner that the name or the package of a server names, "" if neither
// does.
func ownerOf(s *mcp.Server) string {
	for _, name := range []string{s.Name, s.Identity.Name} {
		if owner, _, found := strings.Cut(name, "/"); found && (name == s.Name || s.Identity.Kind == identity.NPM) {
			return identity.Short(owner[strings.LastIndexByte(owner, '.')+1:])
		}
	}
	return ""
}

// shortNameFixes gives servers names that stay apart when they are shortened.
type shortNameFixes struct {
	renames *repair.Renames
	// taken are the short names of the documents that the rule has read.
	taken map[*mcp.Document]map[string]bool
	// entries counts those of the project that start one server, on the first use.
	entries map[string]int
}

// rename gives a server a name that no other server of its file has, in any shortened form. If
// other files or a lockfile have the server, its name is not only this file's.
func (f *shortNameFixes) rename(s *mcp.Server, name string) (fixes []rule.Fix, noFixReason string) {
	if f.entries == nil {
		f.entries, f.taken = map[string]int{}, map[*mcp.Document]map[string]bool{}
		for doc := range reads.Used(f.renames.Project) {
			for _, other := range doc.Servers {
				f.entries[compare.ByKey(other)]++
			}
		}
	}
	short := f.taken[s.Document]
	if short == nil {
		short = map[string]bool{}
		for _, other := range s.Document.Servers {
			short[identity.Short(other.Name)] = true
		}
		f.taken[s.Document] = short
	}
	isElsewhere := f.entries[compare.ByKey(s)] > len(f.renames.Copies.WithCopies(s)) || s.Locked != nil && s.Locked.Named(s.Name)
	switch {
	case isElsewhere:
		return nil, "other files also use this name for the server"
	case short[identity.Short(name)]:
		return nil, repair.NameIsTaken
	}
	return f.renames.Rename(s, name, nil)
}

// saysNothing reports whether a short name is a word that registry names end
// in by habit (com.stripe/mcp, com.notion/mcp): clients fall back to the full
// name for these.
func saysNothing(short string) bool {
	switch short {
	case "mcp", "server", "mcp_server":
		return true
	}
	return false
}
