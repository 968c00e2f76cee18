package compare

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// HashOfAddress returns the hash that PML's design document has for a server that is reached by
// its address ("Hash sources"): the SHA-256 of where it is, the variables that it wants and its
// tools, each as "server:tool", as JSON without blanks.
func HashOfAddress(address string, variables, tools []string) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	value := struct {
		ProxyTo     string   `json:"proxyTo"`
		EnvRequired []string `json:"envRequired"`
		Tools       []string `json:"tools"`
	}{address, append([]string{}, variables...), append([]string{}, tools...)}
	if err := encoder.Encode(value); err != nil {
		return "" // texts and lists of them are always JSON
	}
	sum := sha256.Sum256(bytes.TrimRight(text.Bytes(), "\n"))
	return "sha256-" + hex.EncodeToString(sum[:])
}

// AddressOf returns the address of a server as it is written.
func AddressOf(of *mcp.Server) string {
	words := append([]identity.Word{of.Launch.URL}, of.Launch.Args...)
	for _, word := range words {
		if word.Text != "" && word.Span == of.Identity.Span {
			return strings.TrimSpace(word.Text)
		}
	}
	return strings.TrimSuffix(of.Identity.Name+"?"+strings.Join(of.Identity.Selector, "&"), "?")
}

// VariablesOf returns the variables that a person must set for a server: those that it gets, those
// that its container gets, and those of the environment that its command line, its URL and its
// headers name, without the directories that its client fills in.
func VariablesOf(of *mcp.Server) []string {
	l, e := &of.Launch, of.Resolved()
	names := NamesIn(l.Env)
	words := append([]identity.Word{l.URL, l.Command}, l.Args...)
	for _, header := range l.Headers {
		words = append(words, header.Value)
	}
	for _, word := range words {
		names = append(names, referredIn(word.Text)...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return e.Context.Vars[name] != "" })
	handed := l.PassEnv
	if c := e.Parts().Container; c != nil {
		handed = append(slices.Clone(handed), c.Handed...)
	}
	for _, word := range handed {
		names = append(names, word.Text)
	}
	return uniqueNames(names)
}

// NamesIn returns the names of some pairs, each once, sorted.
func NamesIn(pairs []identity.Pair) []string {
	var names []string
	for _, pair := range pairs {
		names = append(names, pair.Name.Text)
	}
	return uniqueNames(names)
}

// referredIn returns the variables of the environment that a text names.
func referredIn(text string) (names []string) {
	for from := 0; ; {
		ref, found := secret.NextReference(text, from)
		if !found {
			return names
		}
		if ref.Syntax.IsOfEnvironment() || ref.Syntax.Family() == secret.Expression {
			names = append(names, ref.Name)
		}
		from = ref.End
	}
}

// uniqueNames sorts names and leaves out what is there twice.
func uniqueNames(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
