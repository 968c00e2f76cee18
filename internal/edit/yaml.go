package edit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// hasOtherBreaks reports whether YAML has line breaks other than LF and CRLF: CR
// alone, and the others of YAML 1.1.
func hasOtherBreaks(text string) bool {
	return strings.Count(text, "\r") != strings.Count(text, "\r\n") || strings.ContainsAny(text, "\u0085\u2028\u2029")
}

// isPlainYAML reports whether a text is a string without quotes, in YAML 1.2 and
// for those who still read 1.1. Some allowed texts still get quotes, since people quote them: "-y",
// "@scope/name".
func isPlainYAML(text string, inFlow bool) bool {
	if text == "" || !isPlainStart(text) || strings.HasSuffix(text, ":") || strings.HasSuffix(text, " ") {
		return false
	}
	if strings.Contains(text, ": ") || strings.Contains(text, " #") || inFlow && strings.ContainsAny(text, ",[]{}") {
		return false
	}
	for _, r := range text {
		if r < ' ' || r == '"' || r == '\'' || mustEscape(r) || !unicode.IsPrint(r) {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	return true
}

// isPlainStart reports whether a text begins like a word, a path or a variable.
func isPlainStart(text string) bool {
	for _, r := range text {
		return unicode.IsLetter(r) || r == '_' || r == '/' || r == '$'
	}
	return false
}

// The reasons for which YAML is not changed.
const (
	sharedReason   = "an anchor stands here: an alias elsewhere may repeat what is changed"
	aliasReason    = "an alias stands here: what it repeats is written elsewhere"
	tagReason      = "a tag stands here"
	mergeReason    = "a merge key here adds members that are written elsewhere"
	keyReason      = "a key that is written like this cannot be changed safely"
	blockReason    = "a text of several lines cannot be changed safely"
	pairReason     = "a pair without braces cannot be changed safely"
	positionReason = "this is written in a way that cannot be changed safely"
)

// mayRename refuses keys of YAML that cannot be changed safely, and parts of
// texts.
func (d *document) mayRename(p *place, at syntax.Span) error {
	switch {
	case !p.inKey:
		return d.mayReplace(p, at)
	case d.language != yamlFile:
		return nil
	case slices.ContainsFunc(p.above, isShared):
		return d.refuse(at, sharedReason)
	case d.isMerged(p.parent()):
		return d.refuse(at, mergeReason)
	case !d.isPlainKey(p.node):
		return d.refuse(at, keyReason)
	}
	return nil
}

// mayReplace refuses values of YAML that cannot be changed safely.
func (d *document) mayReplace(p *place, at syntax.Span) error {
	switch {
	case d.language != yamlFile:
		return d.mayReplaceTOML(p, at)
	case slices.ContainsFunc(p.above, isShared) || holdsShared(p.node):
		return d.refuse(at, sharedReason)
	case d.isAlias(p.node):
		return d.refuse(at, aliasReason)
	case d.isTagged(p):
		return d.refuse(at, tagReason)
	case d.isBlockScalar(p.node):
		return d.refuse(at, blockReason)
	case d.isPair(p):
		return d.refuse(at, pairReason)
	}
	return nil
}

// mayRemove refuses to remove from YAML what cannot be removed safely.
func (d *document) mayRemove(p *place, at syntax.Span) error {
	if d.language == yamlFile && holdsShared(p.node) {
		return d.refuse(at, sharedReason)
	}
	return d.mayArrange(&place{node: p.parent(), above: p.above[:len(p.above)-1]}, at)
}

// mayArrange refuses to put something into a container of YAML, or to take it
// out, where that cannot be done safely.
func (d *document) mayArrange(p *place, at syntax.Span) error {
	switch {
	case d.language != yamlFile:
		return d.mayArrangeTOML(p, at)
	case slices.ContainsFunc(p.above, isShared) || p.node.Shared:
		return d.refuse(at, sharedReason)
	case d.isMerged(p.node):
		return d.refuse(at, mergeReason)
	case d.isTagged(p):
		return d.refuse(at, tagReason)
	case d.isPair(p):
		return d.refuse(at, pairReason)
	}
	return nil
}

func isShared(n *syntax.Node) bool { return n.Shared }

// holdsShared reports whether a value, or one in it, has an anchor that an alias names.
func holdsShared(n *syntax.Node) bool { return n.Shared || slices.ContainsFunc(n.Nodes, holdsShared) }

// isMerged reports whether a merge key brings something into an object.
func (d *document) isMerged(n *syntax.Node) bool {
	return once(&d.seen.merged, n, func() bool { return n.Get("<<") != nil })
}

// isAlias reports whether a value is an alias.
func (d *document) isAlias(n *syntax.Node) bool { return n.Kind == syntax.Null && isAlias(n.Text) }

// isBlockScalar reports whether a value is a text behind | or >.
func (d *document) isBlockScalar(n *syntax.Node) bool {
	if !isScalar(n) {
		return false
	}
	q, _ := d.quotingOf(n.Value)
	return q == multiline
}

// isPlainKey reports whether a key is a scalar without anchor or tag.
func (d *document) isPlainKey(n *syntax.Node) bool {
	if strings.IndexByte("[{*", d.text[n.Key.Start]) >= 0 || n.Name == "<<" {
		return false
	}
	before := strings.TrimRight(d.text[:n.Key.Start], " \t")
	return before == "" || strings.IndexByte("\n-,{[?", before[len(before)-1]) >= 0 || before == d.bom()
}

// isTagged reports whether there is a tag before a value.
func (d *document) isTagged(p *place) bool {
	start := len(d.bom())
	switch parent := p.parent(); {
	case !p.node.Key.IsZero():
		start = p.node.Key.End
	case parent != nil:
		start = parent.Value.Start
		if p.at > 0 {
			start = parent.Nodes[p.at-1].Value.End
		}
	}
	for i := start; i < p.node.Value.Start; i++ {
		if comment := d.commentAt(i); !comment.IsZero() {
			i = comment.End - 1
		} else if d.text[i] == '!' {
			return true
		}
	}
	return false
}

// isPair reports whether an object is a pair in a list without its own braces: [a: 1].
func (d *document) isPair(p *place) bool {
	return p.node.Kind == syntax.Object && p.parent() != nil && d.isFlow(p.parent()) && !d.isFlow(p.node)
}
