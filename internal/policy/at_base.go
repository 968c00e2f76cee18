package policy

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// AtBase is what ignores are compared with if findings are compared with a base. The author of an
// ignore of a server, or next to one, reviewed what it ran then.
type AtBase struct {
	// Settings are those of the base, nil where they are not known. Repo is what was read of
	// it.
	Settings *Settings
	Repo     *mcp.Repo
	// IsOther reports whether a finding is about a server that is another one than the base
	// had in its place, and that the base did not have the finding.
	IsOther func(*rule.Finding) bool
}

// isOther reports whether an ignore of the base does not apply to a finding.
func (b *AtBase) isOther(f *rule.Finding) bool { return b != nil && b.IsOther(f) }

// standing returns the ignores that the base also has, and that were written for one server.
func (b *AtBase) standing(all []*ignore, now *mcp.Repo) map[*ignore]bool {
	if b == nil {
		return nil
	}
	settings := map[Ignore]bool{}
	if b.Settings != nil {
		for _, entry := range b.Settings.Ignores {
			settings[entry.bare()] = true
		}
	}
	was, is := commentsOf(b.Repo), commentsOf(now)
	stand := map[*ignore]bool{}
	for _, one := range all {
		if one.isComment {
			at := commentOf(one.file, one.whole)
			stand[one] = was[at] >= is[at] // one more comment with the same text is about the next entry
		} else {
			stand[one] = one.entry.Server != "" && one.entry.Integrity == "" && settings[one.entry]
		}
	}
	return stand
}

// comment is one of a file, as it is written.
type comment struct{ path, text string }

func commentOf(file *syntax.File, span syntax.Span) comment {
	return comment{file.Path, string(file.Bytes[span.Start:span.End])}
}

// commentsOf counts the comments of a repository that ignore something.
func commentsOf(repo *mcp.Repo) map[comment]int {
	count := map[comment]int{}
	for _, p := range repo.Projects {
		for _, doc := range p.Documents {
			for _, span := range doc.Extensions.Comments {
				if at := commentOf(doc.File, span); isDirective(at.text) {
					count[at]++
				}
			}
		}
	}
	return count
}

// isDirective reports whether a comment ignores something.
func isDirective(comment string) bool {
	_, ok := readDirective(comment)
	return ok
}

// outlived returns the places of the ignores of a verdict that were for what the base ran, and
// whether others hide findings about another server.
func (all *ignores) outlived(v *verdict) (places []rule.Related, hides bool) {
	for _, one := range v.ignores {
		switch {
		case one.void != "":
		case !all.standing[one]:
			hides = true
		case one.file != nil && len(places) < maxVoid:
			places = append(places, rule.Related{
				File: one.file, Span: one.place, Aside: true,
				Message: "this ignore was written for another server at this place: give it a new reason to keep it",
			})
		}
	}
	return places, hides
}

// bare is an ignore without its places.
func (i Ignore) bare() Ignore {
	i.place, i.entry, i.pathPlace, i.serverPlace = syntax.Span{}, syntax.Span{}, syntax.Span{}, syntax.Span{}
	i.isShared, i.file = false, nil
	return i
}
