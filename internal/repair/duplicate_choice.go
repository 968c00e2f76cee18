package repair

import (
	"cmp"
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
)

// Best returns which of the entries that start one server should stay. It prefers one that every
// client starts, then the one that is locked, the one that a permission names, the one with the
// name of what it runs, the first. If a tool wrote one of them, the tool has its own order, and
// another name may hide its tools from people: then the first stays, unless it is not started.
func (d *DuplicateFixes) Best(group []*mcp.Server) *mcp.Server {
	compare := d.compare
	if slices.ContainsFunc(group, func(s *mcp.Server) bool { return s.Extra().NamedBy != nil || d.isJudged(s) }) {
		compare = d.compareStarts
	}
	best := group[0]
	for _, s := range group[1:] {
		if compare(s, best) > 0 {
			best = s
		}
	}
	return best
}

// compare orders two entries of one server: the greater one should stay.
func (d *DuplicateFixes) compare(a, b *mcp.Server) int {
	isPermitted := func(s *mcp.Server) bool { return len(d.project.References[s.Name]) > 0 }
	return cmp.Or(
		d.compareStarts(a, b),
		cmp.Compare(LockRank(a), LockRank(b)),
		compareBools(isPermitted(a), isPermitted(b)),
		compareBools(len(compare.OwnWords(a)) == 0, len(compare.OwnWords(b)) == 0),
		compareBools(isCalledLikePackage(a), isCalledLikePackage(b)),
	)
}

// compareStarts orders two entries by whether they are started, and have a name.
func (d *DuplicateFixes) compareStarts(a, b *mcp.Server) int {
	return cmp.Or(
		compareBools(!d.mayFail(a), !d.mayFail(b)),
		compareBools(!isFromLine(a), !isFromLine(b)),
		compareBools(!d.isJudged(a), !d.isJudged(b)),
		compareBools(!compare.IsUnnamed(a), !compare.IsUnnamed(b)),
	)
}

// isFromLine reports whether a shell starts a server from a line: the rest of the line may prevent
// the start.
func isFromLine(s *mcp.Server) bool { return len(s.Resolved().Parts().Lines) > 0 }

// isJudged reports whether something names an entry that is no permission: it may as well
// switch its tools off.
func (d *DuplicateFixes) isJudged(s *mcp.Server) bool {
	return slices.ContainsFunc(d.project.References[s.Name], func(m mcp.Mention) bool { return !m.Permits })
}

// mayFail reports whether a client of an entry's file does not start it, or whether no client does.
func (d *DuplicateFixes) mayFail(s *mcp.Server) bool {
	return refusal.CannotStart(s) || isSkipped(s) || d.Unstarted.Refusal(s) != nil
}

// isCalledLikePackage reports whether the name of an entry is that of its package.
func isCalledLikePackage(s *mcp.Server) bool {
	return s.Identity.IsPackage() && identity.Short(s.Name) == identity.Short(s.Identity.Name)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Held knows which files hold a server under a name, started or not. It is filled on first use.
type Held struct {
	Files     []*mcp.Document
	documents map[heldName]map[*mcp.Document]bool
}

type heldName struct{ name, key string }

// FilesWith returns the documents that hold an entry of that name with the identity of
// a server.
func (h *Held) FilesWith(name string, s *mcp.Server) map[*mcp.Document]bool {
	if h.documents == nil {
		h.documents = map[heldName]map[*mcp.Document]bool{}
		for _, doc := range h.Files {
			for _, other := range doc.Servers {
				at := heldName{other.Name, compare.ByKey(other)}
				if h.documents[at] == nil {
					h.documents[at] = map[*mcp.Document]bool{}
				}
				h.documents[at][doc] = true
			}
		}
	}
	return h.documents[heldName{name, compare.ByKey(s)}]
}

// LockRank orders entries by how closely they match a lockfile: greater is closer.
func LockRank(s *mcp.Server) int {
	switch {
	case !compare.IsAsLocked(s):
		return 0
	case s.Locked.Named(s.Name):
		return 2
	}
	return 1
}
