package repair

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// DuplicateFixes computes how to remove the later of two entries that start one server.
type DuplicateFixes struct {
	project   *mcp.Project
	copies    *Copies
	held      *Held
	written   Written
	Unstarted refusal.Unstarted
}

func NewDuplicateFixes(p *mcp.Project) *DuplicateFixes {
	return &DuplicateFixes{project: p, copies: &Copies{Project: p}, held: &Held{Files: p.Documents}}
}

// Between takes one of two entries out of its file, so that the best of all like them
// stays, or says why both do. Where the first cannot go before the best, the later one may.
func (d *DuplicateFixes) Between(first, later, best *mcp.Server) (fixes []rule.Fix, noFixReason string) {
	if later == best {
		if fixes, _ = d.FixesFor(best, first); fixes != nil {
			return fixes, ""
		}
		return d.FixesFor(first, later)
	}
	if fixes, _ = d.FixesFor(best, later); fixes != nil || best == first {
		return d.FixesFor(best, later)
	}
	return d.FixesFor(first, later)
}

// FixesFor removes an entry that repeats another from its file if no other place names it, which is safe
// if both say the same. Otherwise it disables the entry, if the entry can say so. An entry that a tool
// has written stays under its name and gets the tool's own mark. An entry that a person wrote by hand
// next to one of the tool's also stays. If it changes nothing, it returns why.
func (d *DuplicateFixes) FixesFor(first, later *mcp.Server) (fixes []rule.Fix, noFixReason string) {
	if reason := d.staysBecause(first, later); reason != "" {
		return nil, reason
	}
	if tool := later.Extra().NamedBy; tool != nil {
		return d.mark(first, later, tool), ""
	}
	isNamed := first.Name != later.Name && (d.isNamed(later) || compare.IsAsLocked(later) && later.Locked != first.Locked)
	if !isNamed && first.Document == later.Document && len(d.copies.WithCopies(later)) == 1 && d.isRepeated(first, later) {
		return d.remove(first, later, rule.Safe), ""
	}
	switch off := d.switchOff(first, later); {
	case off != nil:
		return off, ""
	case isNamed:
		return nil, wording.Say("another file mentions %q, and its client cannot disable a single entry", later.Name)
	}
	return d.remove(first, later, rule.Unsafe), ""
}

// staysBecause returns why an entry that repeats another stays, "" if it may go.
func (d *DuplicateFixes) staysBecause(first, later *mcp.Server) string {
	switch reason := KeptBecause(later); {
	case reason != "":
		return reason
	case compare.IsLockedOtherwise(first):
		return wording.Say("%q is locked as another server, so its entry may need to be restored", first.Name)
	case compare.IsLockedOtherwise(later):
		return wording.Say("%q is locked as another server, so its entry may need to be restored", later.Name)
	case d.isJudged(first):
		return wording.Say("a setting mentions %q, and may disable its tools", first.Name)
	case isFromLine(first) && !isFromLine(later):
		return wording.Say("%q starts the server from a shell line, which may have a condition", first.Name)
	case compare.IsUnnamed(first) && !compare.IsUnnamed(later):
		return "the other entry has no name yet"
	case refusal.CannotStart(first):
		return wording.Say("%q cannot start as it is written", first.Name)
	case isSkipped(first):
		return wording.Say("a client does not start %q because of its name", first.Name)
	case d.Unstarted.Refusal(first) != nil:
		return wording.Say("a client does not start %q", first.Name)
	case first.Extra().NamedBy != nil && later.Extra().NamedBy == nil:
		return wording.Say("a tool wrote %q, and may remove it again", first.Name)
	case saysMore(later, first):
		return wording.Say("%q is more exact than %q about what to start, and only you can tell which is right", later.Name, first.Name)
	case d.isKnownElsewhere(first, later):
		return wording.Say("another file has the server only under the name %q", later.Name)
	case !startsBoth(first, later):
		return wording.Say("mcplumb cannot tell whether every client that starts %q also starts %q", later.Name, first.Name)
	}
	return ""
}

// isSkipped reports whether a client of an entry's file does not start it for its name.
// Of a name that is longer than any is, that may be.
func isSkipped(s *mcp.Server) bool {
	return len(s.Name) > wording.MaxQuoted || slices.ContainsFunc(s.Document.Loaders(), func(c *mcp.Client) bool {
		_, _, rejected := refusal.NameProblem(c, s)
		return rejected
	})
}

// saysMore reports whether an entry says more exactly than another what it starts: that one should
// stay.
func saysMore(s, other *mcp.Server) bool {
	version := s.Identity.Version.Text
	return version != "" && version != "latest" && version != other.Identity.Version.Text ||
		s.Identity.Bridge == nil && other.Identity.Bridge != nil
}

// maxNaming is in how many files it is looked for a name.
const maxNaming = 100

// isKnownElsewhere reports whether another file has the server only under the name of
// the later entry.
func (d *DuplicateFixes) isKnownElsewhere(first, later *mcp.Server) bool {
	if first.Name == later.Name {
		return false
	}
	both, named := d.held.FilesWith(first.Name, first), d.held.FilesWith(later.Name, later)
	if len(named) > maxNaming {
		return true
	}
	for doc := range named {
		if doc.File != later.Document.File && !both[doc] {
			return true
		}
	}
	return false
}

// startsBoth reports whether every client that loads the later entry loads the first
// one as well. A file that would be left without a server is one to delete.
func startsBoth(first, later *mcp.Server) bool {
	if first.Document == later.Document {
		return true
	}
	loaders := first.Document.Loaders()
	return len(later.Document.Servers) > 1 && !slices.ContainsFunc(later.Document.Loaders(), func(c *mcp.Client) bool {
		return !slices.Contains(loaders, c) || !slices.Contains(c.LoadedTogether, first.Document.Format) || !slices.Contains(c.LoadedTogether, later.Document.Format)
	})
}

// isNamed reports whether permissions, lists of servers or a lockfile name an entry.
func (d *DuplicateFixes) isNamed(s *mcp.Server) bool {
	return len(d.project.References[s.Name]) > 0 || s.Locked != nil && s.Locked.Named(s.Name)
}

// isRepeated reports whether two entries say the same in all their members.
func (d *DuplicateFixes) isRepeated(first, later *mcp.Server) bool {
	a, _ := d.written.Entry(first)
	b, _ := d.written.Entry(later)
	return saysTheSame(a, b)
}

// remove removes an entry from its file, and its copies from theirs.
func (d *DuplicateFixes) remove(first, later *mcp.Server, safety rule.Safety) []rule.Fix {
	fix := rule.Fix{Title: wording.Say("remove %q, which repeats %q", later.Name, first.Name), Safety: safety, Gone: later}
	if first.Name == later.Name {
		fix.Title, fix.Gone = wording.Say("remove the second %q", later.Name), nil
	}
	for _, s := range d.copies.WithCopies(later) {
		entry, holder := d.written.Entry(s)
		if s.Shared || entry == nil {
			return nil
		}
		gone := edit.Remove(s.Document.File, edit.Handle(entry))
		if holder != nil && d.written.isElement(s.Document.File, holder) {
			gone = edit.Drop(s.Document.File, edit.Handle(entry)) // the element goes with the only member that it has
		}
		fix.Edits = append(fix.Edits, gone)
	}
	return []rule.Fix{fix}
}

// switchOff disables an entry as all clients of its file do it, and writes the reason if all
// of them have a place for that.
func (d *DuplicateFixes) switchOff(first, later *mcp.Server) []rule.Fix {
	loaders := later.Document.Loaders()
	entry, holder := d.written.Entry(later)
	if len(loaders) == 0 || entry == nil || holder == nil || len(d.copies.WithCopies(later)) > 1 {
		return nil
	}
	off, _ := loaders[0].OffUnder(later.Document.Format, holder.Name)
	describes := entry.Get("description") == nil
	for _, c := range loaders {
		if o, _ := c.OffUnder(later.Document.Format, holder.Name); o != off || off.Key == "" {
			return nil
		}
		describes = describes && c.Schema != nil && c.Schema.Member("description") != nil
	}
	reason := ""
	if describes && len(first.Name) <= wording.MaxQuoted {
		reason = reasonFor(first, first.BundleName())
	}
	return []rule.Fix{switchedOff(first, later, entry, off, reason)}
}

// mark disables an entry as the tool that wrote it does.
func (d *DuplicateFixes) mark(first, later *mcp.Server, tool *mcp.Tool) []rule.Fix {
	entry, _ := d.written.Entry(later)
	if tool.Off.Key == "" || entry == nil || len(first.Name) > wording.MaxQuoted || strings.ContainsAny(first.Name, " \t\n\r(") {
		return nil // the tool would read another name
	}
	bundle := first.BundleName()
	if bundle == "" {
		bundle = "unknown"
	}
	return []rule.Fix{switchedOff(first, later, entry, tool.Off, reasonFor(first, bundle))}
}

// reasonFor says what an entry repeats, and the bundle that brought that.
func reasonFor(first *mcp.Server, bundle string) string {
	if bundle == "" {
		return "Duplicate of " + first.Name
	}
	return "Duplicate of " + first.Name + " (from bundle " + bundle + ")"
}

func switchedOff(first, later *mcp.Server, entry *syntax.Node, off mcp.Off, reason string) rule.Fix {
	fix := rule.Fix{Title: wording.Say("disable %q, which repeats %q", later.Name, first.Name), Safety: rule.Unsafe}
	if first.Name != later.Name {
		fix.Gone = later
	}
	write := func(key string, value edit.Value) {
		change := edit.Insert(later.Document.File, edit.Handle(entry), key, value, edit.Where{})
		if there := entry.Get(key); there != nil {
			change = edit.Replace(later.Document.File, there.Key, value)
		}
		fix.Edits = append(fix.Edits, change)
	}
	write(off.Key, edit.Bool(off.Value))
	if reason != "" {
		write("description", edit.String(reason))
	}
	return fix
}
