package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// foreignCredential finds a server that receives the key of another vendor's models.
var foreignCredential = &rule.Rule{
	ID:       "foreign-credential",
	Title:    "the key of a model vendor is sent to another host",
	Severity: rule.Warning,
	Reads:    reads.NotTestData,
	Run:      runForeignCredential,
}

func runForeignCredential(p *rule.Pass) {
	for s := range p.Servers() {
		name := s.Identity.Host()
		if name == "" || host.DistanceOf(name) != host.Public || secret.HasReference(name) {
			continue
		}
		for word, label := range sentTo(s) {
			if reportForeign(p, s, name, word, label) {
				break
			}
		}
	}
}

// sentTo yields the values that a server at an address may receive, directly or through a
// bridge, each with its name.
func sentTo(s *mcp.Server) func(yield func(identity.Word, string) bool) {
	return func(yield func(identity.Word, string) bool) {
		for _, pair := range slices.Concat(s.Launch.Headers, s.Launch.Env) {
			if !yield(pair.Value, pair.Name.Text) {
				return
			}
		}
		for _, word := range append([]identity.Word{s.Launch.URL}, s.Launch.Args...) {
			if !yield(word, "") {
				return
			}
		}
	}
}

// reportForeign reports a variable in a text if it holds another vendor's key. If the text or its
// name says whose key it is, the server needs that key: it uses the model itself.
func reportForeign(p *rule.Pass, s *mcp.Server, name string, word identity.Word, label string) bool {
	for ref, ok := secret.NextReference(word.Text, 0); ok; ref, ok = secret.NextReference(word.Text, ref.End) {
		v := mcp.VendorOf(ref.Name)
		if v == nil || !ref.Syntax.IsOfEnvironment() || v.Owns(name) || v.IsNamedIn(label) || v.IsNamedIn(word.Text[:ref.Start]) {
			continue
		}
		f := rule.At(s)
		f.Span = word.Part(ref.Start, ref.End).Span
		f.Message = wording.Say("%q sends %s to %s, so that host can use %s with your key and at your cost", s.Name, ref.Name, name, v.Title)
		f.Help = "give the server a key of its own"
		p.Report(f)
		return true
	}
	return false
}
