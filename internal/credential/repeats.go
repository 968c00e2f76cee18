package credential

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// namedSecret is a credential that only its name shows: the same text without the name is
// the same credential.
type namedSecret struct {
	text, where string
	// where is its place in words, finding the one there, and variable the one to move it to, ""
	// if nothing decides which.
	finding  rule.Finding
	variable string
}

// remember notes a credential that may also be elsewhere, unless an equal text may be there
// by chance.
func (x *secretSearch) remember(p *secretPlace, where string, f *rule.Finding) {
	text := f.Group.Key
	if !secret.IsUnique(text) {
		return
	}
	named := namedSecret{text: text, where: where, finding: *f}
	if p.entry != nil && len(p.entry.Document.Loaders()) > 0 {
		named.variable = p.variable()
	}
	x.named = append(x.named, named)
}

// namedSecrets are those of a project, by how they begin.
type namedSecrets map[string][]*namedSecret

// maxAlike is how many credentials that begin alike are distinguished.
const maxAlike = 4

// namedSecretsOf returns the named credentials of some documents, each once: where a
// client can name a variable for it, if there is such a place.
func namedSecretsOf(searches []*secretSearch) namedSecrets {
	var all namedSecrets
	for _, x := range searches {
		for i := range x.named {
			if all == nil {
				all = namedSecrets{}
			}
			all.add(&x.named[i])
		}
	}
	return all
}

func (all namedSecrets) add(n *namedSecret) {
	begin := n.text[:secret.ShortestUnique]
	alike := all[begin]
	for i, known := range alike {
		if known.text == n.text {
			if known.variable == "" && n.variable != "" {
				alike[i] = n
			}
			return
		}
	}
	if len(alike) < maxAlike {
		all[begin] = append(alike, n)
	}
}

// in calls yield with every credential that is a separate word of a text, and with its offset.
func (all namedSecrets) in(text string, yield func(n *namedSecret, start int)) {
	for i := 0; len(all) > 0 && i+secret.ShortestUnique <= len(text); i++ {
		if i > 0 && ascii.IsAlphanumeric(text[i-1]) {
			continue
		}
		for _, n := range all[text[i:i+secret.ShortestUnique]] {
			end := i + len(n.text)
			if strings.HasPrefix(text[i:], n.text) && (end == len(text) || !ascii.IsAlphanumeric(text[end])) {
				yield(n, i)
			}
		}
	}
}

// again finds what is a credential by its name elsewhere and stands here without it:
// in what entries carry, and anywhere else in the file.
func (x *secretSearch) again(known namedSecrets) {
	if len(known) == 0 {
		return
	}
	for _, s := range x.doc.Servers {
		mcp.EachValue(&s.Launch, func(v mcp.Value) {
			if v.Word.Span.IsZero() {
				return
			}
			known.in(v.Word.Text, func(n *namedSecret, start int) {
				p := newPlace(v, s.Name, &s.Identity)
				p.entry, p.search, p.first = s, x, n.variable
				p.start, p.end = start, start+len(n.text)
				f := x.addAgain(&p, n, mcp.PartOf(x.doc.File, v.Word, p.start, p.end))
				f.Fixes, f.NoFixReason = fixSecret(&p, f.Span)
				x.hold(&p)
			})
		})
	}
	servers := x.doc.Servers
	known.in(x.doc.File.Text(), func(n *namedSecret, start int) {
		p := placeInText(&servers, start)
		x.addAgain(&p, n, syntax.Span{Start: start, End: start + len(n.text)}).NoFixReason = x.keptInText(servers, start)
	})
}

// addAgain adds a credential at a place that follows from another one.
func (x *secretSearch) addAgain(p *secretPlace, n *namedSecret, span syntax.Span) *rule.Finding {
	f := x.add(p, p.name, "", n.text, span)
	f.Message = wording.Say("%s contains the credential of %s, which %s", p.named(p.name), n.where, isReadable)
	f.Group.Leader = &n.finding
	f.Related = []rule.Related{{File: n.finding.File, Span: n.finding.Span, Message: n.finding.Group.Message, Secret: true}}
	return f
}
