package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// plainStarts are the words that start a bridge and have no other effect.
var plainStarts = []string{
	"--quiet", "--yes", "-q", "-y", "/C", "/c", "bun", "bunx", "cmd", "cmd.exe", "dlx", "npx", "npx.cmd", "pnpm", "pnpx", "x", "yarn",
}

// Native returns the launch of a client that connects to the URL of mcp-remote directly, with the
// same headers. ok is false if the entry has more than such a launch can express: any other option,
// a port, a variable for the bridge, a shell, a working directory.
//
// A reference that mcp-remote fills in from its own environment is in a header without a span: the
// client must fill it in then. A variable that the entry sets is replaced by its value.
func (e Resolved) Native() (native Launch, ok bool) {
	l := e.Launch
	words := append([]Word{l.Command}, l.Args...)
	isBridge := func(w Word) bool { return e.Bridge != nil && w.Span == e.Bridge.Span && e.Bridge.Name == "mcp-remote" }
	at := slices.IndexFunc(words, isBridge)
	if at < 0 || l.Cwd.Text != "" || l.EnvFile.Text != "" || len(l.PassEnv) > 0 {
		return Launch{}, false
	}
	for _, w := range words[:at] {
		if !listed(plainStarts, w.Text) {
			return Launch{}, false
		}
	}
	n := nativeReader{entry: e, unused: slices.Clone(l.Env)}
	if !n.read(words[at+1:]) || n.native.URL.Text == "" || len(n.unused) > 0 {
		return Launch{}, false
	}
	return n.native, true
}

// nativeReader reads the arguments of mcp-remote (README of npm mcp-remote, 0.1).
type nativeReader struct {
	entry  Resolved
	native Launch
	// unused are the variables of the entry that no header has.
	unused []Pair
}

// read reports whether all arguments are such as a launch without the bridge can say.
func (n *nativeReader) read(args []Word) bool {
	for len(args) > 0 {
		opt, rest, ok := mcpRemoteOptions.next(args)
		if !ok {
			if args[0].Span != n.entry.Span || n.native.URL.Text != "" {
				return false
			}
			n.native.URL, args = args[0], args[1:]
			continue
		}
		args = rest
		switch {
		case opt.name == "--header" && n.header(opt.value):
		case opt.name == "--transport" && listed([]string{"http-first", "http-only", "sse-only"}, opt.value.Text):
		case opt.name == "--debug", opt.name == "--silent", opt.name == "-y":
		default:
			return false
		}
	}
	return true
}

// header takes "Name: value", and reports whether it could.
func (n *nativeReader) header(w Word) bool {
	name, value, ok := strings.Cut(w.Text, ":")
	if !ok || strings.TrimSpace(name) == "" {
		return false
	}
	value = strings.TrimSpace(value)
	var b strings.Builder
	last := 0
	for ref, found := secret.NextReference(value, 0); found; ref, found = secret.NextReference(value, last) {
		b.WriteString(value[last:ref.Start])
		text := value[ref.Start:ref.End]
		if set := lastPair(n.entry.Launch.Env, ref.Name); ref.Syntax == secret.Braced && set != nil {
			text = set.Value.Text
			n.unused = slices.DeleteFunc(n.unused, func(p Pair) bool { return p.Name.Text == ref.Name })
		}
		b.WriteString(text)
		last = ref.End
	}
	b.WriteString(value[last:])
	n.native.Headers = append(n.native.Headers, Pair{Word{Text: strings.TrimSpace(name)}, Word{Text: b.String()}})
	return true
}

// lastPair returns the last pair of a name, or nil.
func lastPair(pairs []Pair, name string) *Pair {
	for i := len(pairs) - 1; i >= 0; i-- {
		if pairs[i].Name.Text == name {
			return &pairs[i]
		}
	}
	return nil
}
