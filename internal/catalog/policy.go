package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// managed is a file of managed settings.
type managed struct {
	// OnlyManaged is Claude Code's: without it users allow themselves any server.
	OnlyManaged bool    `json:"allowManagedMcpServersOnly,omitempty"`
	Allowed     []entry `json:"allowedMcpServers"`
}

// entry is one of a list of allowed servers. Names are for users to choose and no entry is
// about one.
type entry struct {
	Command []string `json:"serverCommand,omitempty"`
	URL     string   `json:"serverUrl,omitempty"`
}

// Admit is what a list allows in addition to commands that run what is locked, wherever they
// are started. Commands that run the newest version are never allowed.
type Admit struct {
	// Floating admits commands that may run another version, Relative such as run a file of
	// the directory that they are started in.
	Floating, Relative bool
}

// Policy returns managed settings of a client that admit what the catalog holds and nothing
// else: each server as the catalog starts it, and as its entries do. It says which of these
// are not admitted, or by no list can be.
func (c *Catalog) Policy(client allow.Client, admit Admit) (settings []byte, left []LeftOut) {
	m := managed{OnlyManaged: client == allow.ClaudeCode, Allowed: []entry{}}
	seen := map[string]bool{}
	for _, s := range c.servers {
		for _, way := range s.ways() {
			if why := whyUnlisted(way, client, admit); why != "" {
				out := LeftOut{Server: cmp.Or(way.Name, s.Name), Path: cmp.Or(way.Path, s.path()), From: "the list", Why: why}
				if !slices.Contains(left, out) {
					left = append(left, out)
				}
				continue
			}
			e := entry{Command: way.Command}
			if way.IsRemote {
				e = entry{URL: rooted(way.URL)}
			}
			if line := string(encode(e)); !seen[line] {
				seen[line] = true
				m.Allowed = append(m.Allowed, e)
			}
		}
	}
	return indented(m), left
}

// ways are the commands and addresses by which a server is started and reached, the
// catalog's own first.
func (s *Server) ways() []Way {
	var ways []Way
	switch s.Type {
	case HTTP:
		ways = append(ways, Way{Server: &allow.Server{IsRemote: true, URL: s.Address}})
	case Stdio:
		ways = append(ways, Way{&allow.Server{Command: append([]string{s.Command}, s.Args...)}, "", s.Holds, s.IsRelative})
	}
	return append(ways, s.Written...)
}

// whyUnlisted says in a clause why no entry of a list is about one way to start a server; ""
// where one is.
func whyUnlisted(way Way, client allow.Client, admit Admit) string {
	words, of := way.Command, ", whose value would decide"
	if way.IsRemote {
		words = []string{way.URL}
		if strings.Contains(way.URL, "*") {
			return "its address has a * in it, which matches anything in a list"
		}
	}
	if client == allow.Copilot {
		of = ", and GitHub Copilot blocks what has a variable in it"
	}
	for _, word := range words {
		if ref, found := secret.NextReference(word, 0); found {
			return "its " + way.What() + " has " + word[ref.Start:ref.End] + " in it" + of
		}
	}
	switch {
	case way.IsRemote:
		return ""
	case way.IsRelative && !admit.Relative:
		return "its command runs a file of the directory that it starts in, a different one in every repository: --relative allows it in all of them"
	case way.Holds == Newest:
		return "its command runs the newest version, which is not vetted: write exact versions"
	case way.Holds == Floating && !admit.Floating:
		return "its command may run a version other than the locked one: write the locked version, or allow it with --pinned=false"
	}
	return ""
}

// rooted returns an address with its path: for Claude Code a pattern without one is about
// every path.
func rooted(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if i := strings.IndexAny(rest, "/?#"); found && (i < 0 || rest[i] != '/') {
		if i < 0 {
			i = len(rest)
		}
		return scheme + "://" + rest[:i] + "/" + rest[i:]
	}
	return address
}

// indented writes JSON for people, as it is written by hand.
func indented(m managed) []byte {
	var out bytes.Buffer
	write := func(value any) string {
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		_ = e.Encode(value) // texts and lists are always JSON
		return strings.TrimSpace(line.String())
	}
	out.WriteString("{\n")
	if m.OnlyManaged {
		out.WriteString("  \"allowManagedMcpServersOnly\": true,\n")
	}
	out.WriteString("  \"allowedMcpServers\": [")
	for i, e := range m.Allowed {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    " + write(e))
	}
	if len(m.Allowed) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes()
}
