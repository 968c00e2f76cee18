package allow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// The members of settings that are about servers.
const (
	allowedKey     = "allowedMcpServers"
	deniedKey      = "deniedMcpServers"
	onlyManagedKey = "allowManagedMcpServersOnly"
	overridableKey = "overridable"
)

// Limits of lists: every server is compared with every entry.
const (
	maxRules   = 1000 // of one list
	maxPattern = 2000 // bytes of a pattern of addresses
	maxStars   = 10   // of one
)

// Mistake is what is wrong with a list, at its place.
type Mistake struct {
	Span syntax.Span
	Text string
}

// Read reads what settings say of servers, for one client, or for every one if it is "". A
// list with mistakes must not decide anything: mcplumb cannot tell what every client does with
// one.
func Read(root *syntax.Node, client Client) (*Policy, []Mistake) {
	r := reader{client: client}
	p := &Policy{Client: client}
	if root == nil || root.Kind != syntax.Object {
		at := syntax.Span{}
		if root != nil {
			at = root.Value
		}
		r.wrong(at, `settings must be an object like {"%s": []}`, allowedKey)
		return p, r.mistakes
	}
	seen := map[string]bool{}
	for _, member := range root.Nodes {
		for _, known := range []string{allowedKey, deniedKey, onlyManagedKey} {
			switch {
			case member.Name != known && spelling.IsNear(letters(member.Name), ascii.Lower(known), maxTypos):
				r.wrong(member.Key, "unknown member %q: did you mean %q?", shown(member.Name), known)
			case member.Name == known && seen[known]:
				r.wrong(member.Key, "%s stands here a second time: clients need not agree which of the two counts", known)
			}
		}
		seen[member.Name] = true
	}
	p.Allowed = r.list(root.Get(allowedKey), true)
	p.Denied = r.list(root.Get(deniedKey), false)
	if only := root.Get(onlyManagedKey); only != nil {
		if only.Kind != syntax.Bool {
			r.wrong(only.Value, "%s must be true or false, not %s", onlyManagedKey, only.Kind)
		}
		p.OnlyManaged = only.Text == "true"
	}
	if client != Copilot {
		if names, ok := exclusive(root); ok {
			p.Exclusive, p.Client = names, ClaudeCode
		}
	}
	p.Doubts = r.doubts
	return p, r.mistakes
}

// maxTypos is how many letters of a list's name may be wrong: more, and it may be the name of
// something else that a client knows.
const maxTypos = 3

// letters returns the letters of a name, in which a misspelt one is most often right.
func letters(name string) string {
	return ascii.Lower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

type reader struct {
	client           Client
	mistakes, doubts []Mistake
}

// doubt notes what Claude Code is not documented to take: in its own file a mistake.
func (r *reader) doubt(at syntax.Span, text string) {
	switch r.client {
	case ClaudeCode:
		r.wrong(at, "%s", text)
	case "":
		r.doubts = append(r.doubts, Mistake{at, text})
	}
}

func (r *reader) wrong(at syntax.Span, format string, args ...any) {
	r.mistakes = append(r.mistakes, Mistake{at, fmt.Sprintf(format, args...)})
}

// list reads a list, nil for one that is missing. GitHub's may be below "overridable": then it
// applies to members whose team has no list of its own.
func (r *reader) list(n *syntax.Node, isAllowed bool) *List {
	if n == nil {
		return nil
	}
	l := &List{Key: n.Key}
	if inner := n.Get(overridableKey); inner != nil && len(n.Nodes) == 1 && r.client != ClaudeCode {
		r.doubt(inner.Key, overridableKey+" is a key that only GitHub's clients know")
		inner.Name, n = n.Name, inner
	}
	if n.Kind != syntax.Array {
		r.wrong(n.Value, `%s must be a list like [{"serverUrl": "https://mcp.example.com/*"}], not %s`, n.Name, n.Kind)
		return l
	}
	for i, item := range n.Nodes {
		if i == maxRules {
			r.wrong(item.Value, "%s has more than %d entries", n.Name, maxRules)
			break
		}
		if rule, ok := r.rule(item, isAllowed); ok {
			l.Rules = append(l.Rules, rule)
		}
	}
	return l
}

// rule reads an entry, which has exactly one member.
func (r *reader) rule(n *syntax.Node, isAllowed bool) (rule Rule, ok bool) {
	const must = `an entry must have exactly one of serverName, serverCommand and serverUrl`
	if n.Kind != syntax.Object {
		r.wrong(n.Value, "%s, and this is a %s", must, n.Kind)
		return rule, false
	}
	known := []string{string(byName), string(byCommand), string(byURL)}
	before := len(r.mistakes)
	for _, member := range n.Nodes {
		if !slices.Contains(known, member.Name) {
			r.wrong(member.Key, "unknown member %q: %s", shown(member.Name), spelling.Hint(member.Name, known))
		}
	}
	if len(r.mistakes) > before {
		return rule, false
	}
	if len(n.Nodes) != 1 {
		r.wrong(n.Value, "%s, and this has %d", must, len(n.Nodes))
		return rule, false
	}
	member := n.Nodes[0]
	rule = Rule{Span: n.Value, kind: ruleKind(member.Name), text: member.Text}
	switch rule.kind {
	case byCommand:
		rule.words, ok = r.words(member)
	case byURL:
		ok = r.pattern(member)
	default:
		ok = r.name(member, isAllowed)
	}
	return rule, ok
}

// words reads a command with its arguments.
func (r *reader) words(n *syntax.Node) (words []string, ok bool) {
	isOther := func(n *syntax.Node) bool { return !n.IsString() }
	if n.Kind != syntax.Array || len(n.Nodes) == 0 || slices.ContainsFunc(n.Nodes, isOther) {
		r.wrong(n.Value, `serverCommand must be a list of strings like ["npx", "-y", "notes@1.2.0"]`)
		return nil, false
	}
	for _, word := range n.Nodes {
		words = append(words, word.Text)
	}
	return words, true
}

// pattern reads a pattern of addresses.
func (r *reader) pattern(n *syntax.Node) bool {
	switch {
	case !n.IsString() || n.Text == "":
		r.wrong(n.Value, `serverUrl must be a string like "https://mcp.example.com/*"`)
	case len(n.Text) > maxPattern || strings.Count(n.Text, "*") > maxStars:
		r.wrong(n.Value, "serverUrl has more than %d bytes or %d wildcards", maxPattern, maxStars)
	default:
		return true
	}
	return false
}

// name reads a name. Claude Code takes no others into the list of what is allowed.
func (r *reader) name(n *syntax.Node, isAllowed bool) bool {
	isWord := ascii.All(n.Text, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '_' })
	switch {
	case !n.IsString() || n.Text == "":
		r.wrong(n.Value, "serverName must be the name of a server")
	case isAllowed && !isWord:
		r.doubt(n.Value, "Claude Code takes only letters, digits, - and _ in a serverName that it allows")
		return r.client != ClaudeCode
	default:
		return true
	}
	return false
}
