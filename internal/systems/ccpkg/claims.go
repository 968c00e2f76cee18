package ccpkg

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// claimsFix writes into an entry what its packages declare: declared_by lists all that are
// installed and add the server, the first with the highest version is the active source, and that
// version is also the one of the entry, of its origin, and of the client files that run what the
// lockfile had. Without all versions, it writes only what does not depend on them. It returns nil
// if there is nothing to write, or if someone must decide.
func claimsFix(entry *mcp.LockEntry, group []*declaredServer, installed map[string]bool, copies *repair.Copies) []rule.Fix {
	c := claims{entry: entry, file: entry.Document.File, brings: map[string]*declaredServer{}}
	active := entry.Claims.Active.Text
	if entry.Place.Apart || !isDeclaredBy(entry, active) && installed[active] {
		return nil // one that brings the server unseen may only be missing from the list
	}
	declared := c.declare(group, installed)
	if right := c.highest(declared); right != "" {
		c.take(right, copies, installed[active])
	} else if !slices.Contains(declared, active) {
		return nil
	}
	if c.isUnclear || len(c.edits) == 0 || len(c.edits) > rule.MaxRelated {
		return nil
	}
	return []rule.Fix{{Title: wording.Say("%s, for %q", wording.JoinWords(c.parts), entry.Name), Safety: rule.Unsafe, Edits: c.edits}}
}

// claims collects the changes of an entry, and their words.
type claims struct {
	entry *mcp.LockEntry
	file  *syntax.File
	// brings is what packages declare of the server.
	brings map[string]*declaredServer
	edits  []edit.Change
	parts  []string
	// isUnclear reports that something cannot be written.
	isUnclear bool
}

// declare adds the installed packages that are missing from declared_by, takes the
// active source out where that is gone, and returns the installed ones that are in it
// then, in their order.
func (c *claims) declare(group []*declaredServer, installed map[string]bool) []string {
	var declared []string
	isThere := map[string]bool{}
	for _, by := range c.entry.Claims.DeclaredBy {
		switch {
		case installed[by.Text] && !isThere[by.Text]:
			isThere[by.Text] = true
			declared = append(declared, by.Text)
		case !installed[by.Text] && by.Text == c.entry.Claims.Active.Text:
			c.change(edit.Remove(c.file, by.Span), `remove %q from "declared_by"`, by.Text)
		}
	}
	for _, b := range group {
		name := b.doc.BundleName()
		if c.brings[name] == nil {
			c.brings[name] = b
		}
		if !isThere[name] {
			isThere[name] = true
			declared = append(declared, name)
			c.change(edit.Append(c.file, c.entry.Claims.DeclaredBySpan, edit.String(name), edit.Where{}), `add %q to "declared_by"`, name)
		}
	}
	return declared
}

// highest returns the first of some packages with the highest version, a single one with any
// version, or "" where the version of one is unknown.
func (c *claims) highest(declared []string) string {
	if len(declared) == 1 {
		return declared[0]
	}
	best, high := "", ""
	for _, name := range declared {
		b := c.brings[name]
		if b == nil || !version.IsSemantic(b.version()) {
			return ""
		}
		if newer(b.version(), high) {
			best, high = name, b.version()
		}
	}
	return best
}

// take makes a package the active source, with its version. As long as the one before is
// installed, client files get no lower version by that.
func (c *claims) take(name string, copies *repair.Copies, isInstalled bool) {
	if c.entry.Claims.Active.Text != name {
		c.write(c.entry.Claims.Active, name, `set "active_source" to %q`)
	}
	b := c.brings[name]
	if b == nil || !version.IsSemantic(b.version()) {
		return
	}
	if c.entry.Pin.Release() != b.version() {
		c.write(c.entry.Pin.Version, b.version(), `set "version" to %s`)
	}
	own := c.entry.Target.Origin.Version
	if own.Release() == "" || own.Release() == b.version() {
		return
	}
	if string(c.file.Bytes[own.Span.Start:own.Span.End]) != own.Text {
		c.isUnclear = true
		return
	}
	c.edits = append(c.edits, edit.Rename(c.file, own.Span, b.declaration.Origin.Version.Text))
	c.move(b.declaration.Origin.Version, copies, !isInstalled || newer(b.version(), own.Release()))
}

// move changes the version of the servers in client files that have the version of the
// lockfile, if they may change. A third version is someone's choice.
func (c *claims) move(to identity.Version, copies *repair.Copies, mayMove bool) {
	var behind []*mcp.Server
	for _, s := range c.entry.Servers {
		switch {
		case !compare.IsOneVersion(s.Identity.Version), s.Identity.Version.Release() == to.Release():
		case mayMove && s.Identity.Version.Release() == c.entry.Target.Origin.Version.Release():
			behind = append(behind, s)
		default:
			c.isUnclear = true
		}
	}
	fixes, _ := repair.FixVersions(behind, copies, "", to)
	switch {
	case len(fixes) == 0:
		c.isUnclear = true
	case len(behind) == 1:
		c.parts = append(c.parts, wording.Say("write %s in %s", to.Text, behind[0].Document.File.Path))
	case len(behind) > 1:
		c.parts = append(c.parts, wording.Say("write %s in %d client files", to.Text, len(behind)))
	}
	for _, fix := range fixes {
		c.edits = append(c.edits, fix.Edits...)
	}
}

// write replaces a member's value, which may be null, with a text.
func (c *claims) write(at identity.Word, text, what string) {
	switch {
	case at.Span.IsZero():
		c.isUnclear = true
	case at.Text == "":
		c.change(edit.Replace(c.file, at.Span, edit.String(text)), what, text)
	default:
		c.change(edit.Rename(c.file, at.Span, text), what, text)
	}
}

func (c *claims) change(e edit.Change, what string, args ...any) {
	c.edits = append(c.edits, e)
	c.parts = append(c.parts, wording.Say(what, args...))
}
