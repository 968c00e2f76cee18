package shape

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// valueJudge compares values of an entry with a client's schema.
type valueJudge struct {
	entry *syntax.Node
	// inProject reports that the entry is in a project's file.
	inProject bool
}

// refuses returns why a client does not accept a value, nil if it does. path is its name in
// messages, object the object that contains it.
func (j *valueJudge) refuses(spec *mcp.Member, path string, v, object *syntax.Node) *mcp.Refusal {
	if IsAlias(v) || isToFillIn(v) {
		return nil
	}
	// Clients accept nearly every value: nothing is allocated before one is refused.
	refused := func(r mcp.Refusal) *mcp.Refusal {
		r.Span, r.Member, r.Kind = Whole(v), path, v.Kind
		return &r
	}
	switch {
	case v.IsTime() && spec.Kinds.Has(syntax.String) && len(spec.Words) == 0: // serde hands one on as a text (Codex 0.169.0)
		return nil
	case !spec.Kinds.Has(v.Kind):
		return refused(mcp.Refusal{Reason: mcp.MemberKind, WantKind: spec.Kinds.First()})
	case (v.IsString() || v.Kind == syntax.Bool) && len(spec.Words) > 0 && !slices.Contains(spec.Words, v.Text):
		return refused(mcp.Refusal{Reason: mcp.NotOneOf, Want: spec.Words, Got: v.Text})
	case v.IsString() && j.inProject && slices.Contains(spec.HomeOnly, v.Text):
		return refused(mcp.Refusal{Reason: mcp.HomeOnly, Got: v.Text})
	case v.IsString() && spec.Filled && strings.TrimSpace(v.Text) == "":
		return refused(mcp.Refusal{Reason: mcp.EmptyMember, Got: v.Text})
	case v.IsString() && !strings.HasPrefix(v.Text, spec.Begins):
		return refused(mcp.Refusal{Reason: mcp.URLScheme, Want: []string{spec.Begins}, Got: v.Text})
	case v.Kind == syntax.Number && spec.Number != nil && !spec.Number.Holds(v.Text):
		return refused(mcp.Refusal{Reason: mcp.OutOfRange, Want: []string{spec.Number.Said}, Got: v.Text})
	case spec.Without != "" && object.Get(spec.Without) != nil:
		return refused(mcp.Refusal{Reason: mcp.Misplaced, Other: spec.Without, Got: v.Text})
	case spec.Needs.Name != "" && !j.meets(spec.Needs, object):
		return refused(mcp.Refusal{Reason: mcp.NeedsBeside, Other: spec.Needs.Name, Got: spec.Needs.Text})
	}
	return j.refusesWithin(spec, path, v)
}

// meets reports whether a member is in an object, or in the entry.
func (j *valueJudge) meets(needs mcp.Condition, object *syntax.Node) bool {
	for _, holder := range []*syntax.Node{object, j.entry} {
		if m := holder.Get(needs.Name); m != nil && (needs.Text == "" || m.Text == needs.Text) {
			return true
		}
	}
	return false
}

// refusesWithin checks the elements of a list or the members of an object.
func (j *valueJudge) refusesWithin(spec *mcp.Member, path string, v *syntax.Node) *mcp.Refusal {
	for _, inner := range v.Nodes {
		var r *mcp.Refusal
		known := spec.Member(inner.Name)
		switch {
		case spec.Each != nil:
			if r = j.refuses(spec.Each, path, inner, v); r != nil && r.Member == path {
				r.InEach = true
			}
		case known != nil:
			r = j.refuses(known, path+"."+inner.Name, inner, v)
		case v.Kind == syntax.Object && spec.Closed:
			r = &mcp.Refusal{Reason: mcp.UnknownMember, Span: inner.Key, Member: path + "." + inner.Name}
		}
		if r != nil {
			return r
		}
	}
	for i := range spec.Members {
		if needed := &spec.Members[i]; v.Kind == syntax.Object && needed.Needed && v.Get(needed.Name) == nil {
			return &mcp.Refusal{Reason: mcp.MemberLacks, Span: Opening(v), Member: path, Other: needed.Name}
		}
	}
	return nil
}
