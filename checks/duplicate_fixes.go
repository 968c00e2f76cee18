package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// duplicateFixes works out how the later of two entries that start one server goes.
type duplicateFixes struct {
	project   *mcp.Project
	copies    *copies
	held      *held
	written   written
	unstarted unstarted
}

func newDuplicateFixes(p *mcp.Project) *duplicateFixes {
	return &duplicateFixes{project: p, copies: &copies{project: p}, held: &held{files: p.Documents}}
}

// between takes one of two entries out of its file, so that the best of all like them
// stays, or says why both do. Where the first cannot go before the best, the later one may.
func (d *duplicateFixes) between(first, later, best *mcp.Server) (fixes []Fix, unmended string) {
	if later == best {
		if fixes, _ = d.of(best, first); fixes != nil {
			return fixes, ""
		}
		return d.of(first, later)
	}
	if fixes, _ = d.of(best, later); fixes != nil || best == first {
		return d.of(best, later)
	}
	return d.of(first, later)
}

// duplicateIfEnabled takes an entry out of its file that repeats another, where no other place names it,
// which is safe if both say the same. Otherwise it is switched off, if that can be said in
// the entry. What a tool has written it knows by name, and marks in a way of its own; nor
// is an entry its to take that somebody wrote by hand beside one of the tool's. Where
// nothing is done it says why.
func (d *duplicateFixes) of(first, later *mcp.Server) (fixes []Fix, unmended string) {
	if reason := d.staysBecause(first, later); reason != "" {
		return nil, reason
	}
	if tool := later.Extra().NamedBy; tool != nil {
		return d.mark(first, later, tool), ""
	}
	isNamed := first.Name != later.Name && (d.isNamed(later) || isAsLocked(later) && later.Locked != first.Locked)
	if !isNamed && first.Document == later.Document && len(d.copies.with(later)) == 1 && d.isRepeated(first, later) {
		return d.remove(first, later, Safe), ""
	}
	switch off := d.switchOff(first, later); {
	case off != nil:
		return off, ""
	case isNamed:
		return nil, say("another file names %q, and its client has no switch for one entry", later.Name)
	}
	return d.remove(first, later, Unsafe), ""
}

// staysBecause says why an entry that repeats another is not to go, "" if it may.
func (d *duplicateFixes) staysBecause(first, later *mcp.Server) string {
	switch reason := keptBecause(later); {
	case reason != "":
		return reason
	case isLockedOtherwise(first):
		return say("%q is locked as something else, and may have to be restored", first.Name)
	case isLockedOtherwise(later):
		return say("%q is locked as something else, and may have to be restored", later.Name)
	case d.isJudged(first):
		return say("a setting names %q, and may switch its tools off", first.Name)
	case isFromLine(first) && !isFromLine(later):
		return say("%q starts it from a shell line, which may do so under a condition", first.Name)
	case isUnnamed(first) && !isUnnamed(later):
		return "the other entry has no name yet"
	case cannotStart(first):
		return say("%q cannot be started as it is written", first.Name)
	case isSkipped(first):
		return say("a client does not start %q for its name", first.Name)
	case d.unstarted.refusal(first) != nil:
		return say("a client does not start %q", first.Name)
	case first.Extra().NamedBy != nil && later.Extra().NamedBy == nil:
		return say("%q is an entry that a tool wrote, and may take away again", first.Name)
	case saysMore(later, first):
		return say("%q says more than %q of what is to be started, and only you can tell which is meant", later.Name, first.Name)
	case d.isKnownElsewhere(first, later):
		return say("another file has the server under the name %q alone", later.Name)
	case !startsBoth(first, later):
		return say("not every client that starts %q is known to start %q with it", later.Name, first.Name)
	}
	return ""
}

// isSkipped reports whether a client of an entry's file does not start it for its name.
// Of a name that is longer than any is, that may be.
func isSkipped(s *mcp.Server) bool {
	return len(s.Name) > maxQuoted || slices.ContainsFunc(s.Document.Loaders(), func(c *mcp.Client) bool {
		_, refused := nameProblem(c, s)
		return refused
	})
}

// saysMore reports whether an entry says more exactly than another what it starts:
// that one is to stay.
func saysMore(s, other *mcp.Server) bool {
	version := s.Identity.Version.Text
	return version != "" && version != "latest" && version != other.Identity.Version.Text ||
		s.Identity.Bridge == nil && other.Identity.Bridge != nil
}

// maxNaming is in how many files it is looked for a name.
const maxNaming = 100

// isKnownElsewhere reports whether another file has the server only under the name of
// the later entry.
func (d *duplicateFixes) isKnownElsewhere(first, later *mcp.Server) bool {
	if first.Name == later.Name {
		return false
	}
	both, named := d.held.under(first.Name, first), d.held.under(later.Name, later)
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
func (d *duplicateFixes) isNamed(s *mcp.Server) bool {
	return len(d.project.References[s.Name]) > 0 || s.Locked != nil && s.Locked.Named(s.Name)
}

// isRepeated reports whether two entries say the same in all their members.
func (d *duplicateFixes) isRepeated(first, later *mcp.Server) bool {
	a, _ := d.written.entry(first)
	b, _ := d.written.entry(later)
	return saysTheSame(a, b)
}

// remove takes an entry out of its file, and its copies out of theirs.
func (d *duplicateFixes) remove(first, later *mcp.Server, safety Safety) []Fix {
	fix := Fix{Title: say("remove %q, which repeats %q", later.Name, first.Name), Safety: safety, Gone: later}
	if first.Name == later.Name {
		fix.Title, fix.Gone = say("remove the second %q", later.Name), nil
	}
	for _, s := range d.copies.with(later) {
		entry, holder := d.written.entry(s)
		if s.Shared || entry == nil {
			return nil
		}
		gone := edit.Remove(s.Document.File, edit.Handle(entry))
		if holder != nil && d.written.isElement(s.Document.File, holder) {
			gone = edit.Drop(s.Document.File, edit.Handle(entry)) // the element goes with the only member that it has
		}
		fix.Edits = append(fix.Edits, gone)
	}
	return []Fix{fix}
}

// switchOff switches an entry off as all clients of its file do it, and says why where
// all of them have a place for that.
func (d *duplicateFixes) switchOff(first, later *mcp.Server) []Fix {
	loaders := later.Document.Loaders()
	entry, holder := d.written.entry(later)
	if len(loaders) == 0 || entry == nil || holder == nil || len(d.copies.with(later)) > 1 {
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
	if describes && len(first.Name) <= maxQuoted {
		reason = reasonFor(first, first.BundleName())
	}
	return []Fix{switchedOff(first, later, entry, off, reason)}
}

// mark switches an entry off as the tool does it that wrote it.
func (d *duplicateFixes) mark(first, later *mcp.Server, tool *mcp.Tool) []Fix {
	entry, _ := d.written.entry(later)
	if tool.Off.Key == "" || entry == nil || len(first.Name) > maxQuoted || strings.ContainsAny(first.Name, " \t\n\r(") {
		return nil // the tool would read another name
	}
	bundle := first.BundleName()
	if bundle == "" {
		bundle = "unknown"
	}
	return []Fix{switchedOff(first, later, entry, tool.Off, reasonFor(first, bundle))}
}

// reasonFor says what an entry repeats, and the bundle that brought that.
func reasonFor(first *mcp.Server, bundle string) string {
	if bundle == "" {
		return "Duplicate of " + first.Name
	}
	return "Duplicate of " + first.Name + " (from bundle " + bundle + ")"
}

func switchedOff(first, later *mcp.Server, entry *syntax.Node, off mcp.Off, reason string) Fix {
	fix := Fix{Title: say("switch off %q, which repeats %q", later.Name, first.Name), Safety: Unsafe}
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
