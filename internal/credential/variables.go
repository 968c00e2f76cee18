package credential

import (
	"cmp"
	"slices"
	"sort"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// secretVariables are the variables for the credentials of entries, by the values that contain
// them.
type secretVariables map[*mcp.Server]map[syntax.Span][]mcp.SecretVariable

// hold notes the variable for a credential: the one that a fix writes instead of it, or would write
// if the place accepted one.
func (x *secretSearch) hold(p *secretPlace) {
	if p.entry == nil || p.own != "" || p.entry.Document.Scope == mcp.ScopeGenerator || len(p.entry.Document.Loaders()) == 0 {
		return
	}
	if x.variables == nil {
		x.variables = secretVariables{}
	}
	values := x.variables[p.entry]
	if values == nil {
		values = map[syntax.Span][]mcp.SecretVariable{}
		x.variables[p.entry] = values
	}
	at := p.value.Word.Span
	held := values[at] // in their order, without overlap
	i := sort.Search(len(held), func(i int) bool { return held[i].End > p.start })
	if i == len(held) || held[i].Start >= p.end {
		isWhole := p.handed != "" || p.value.Kind == mcp.VariableValue && p.end-p.start == len(p.value.Word.Text)
		name := p.ownVariable()
		if !p.isWeak || !isWhole || isSetOtherwise(p, name) {
			name = p.variable()
		}
		values[at] = slices.Insert(held, i, mcp.SecretVariable{Start: p.start, End: p.end, Name: name})
	}
}

// holdKept notes the variables for values that are not copied and are not findings, such as a
// password that anyone could guess. They come after those of findings, which take precedence.
func (x *secretSearch) holdKept() {
	for _, s := range x.doc.Servers {
		mcp.EachValue(&s.Launch, func(v mcp.Value) {
			if v.Word.Span.IsZero() {
				return
			}
			for _, c := range secret.Kept(v.Name, v.Word.Text) {
				p := newPlace(v, s.Name, &s.Identity)
				p.entry, p.search, p.start, p.end, p.isWeak = s, x, c.Start, c.End, true
				p.under = cmp.Or(c.Name, p.under)
				p.handed = x.handedTo(&p)
				x.hold(&p)
			}
		})
	}
}

// MayPublish reports whether nothing in the command line and the address of an entry is a
// credential or stands where one does.
func MayPublish(s *mcp.Server) bool {
	isHeld := false
	mcp.EachValue(&s.Launch, func(v mcp.Value) {
		isShown := v.Kind == mcp.CommandValue || v.Kind == mcp.ArgumentValue || v.Kind == mcp.URLValue
		isHeld = isHeld || isShown && !secret.MayCopy(v.Name, v.Word.Text)
	})
	return !isHeld
}

// Secrets are the credentials of projects, each searched on first use.
type Secrets map[*mcp.Project][]*secretSearch

// Variables returns the variables for the credentials of an entry, and for other values that are not copied, by the
// values that contain them, as hardcoded-secret names them. So the names are the same, whether a file is fixed
// first or others are made like it first.
func (all Secrets) Variables(s *mcp.Server) map[syntax.Span][]mcp.SecretVariable {
	project := s.Document.Project
	searches, known := all[project]
	if !known && project != nil {
		searches = Search(project)
		for _, x := range searches {
			x.holdKept()
		}
		all[project] = searches
	}
	for _, x := range searches {
		if values := x.variables[s]; values != nil {
			return values
		}
	}
	return nil
}
