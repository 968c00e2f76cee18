package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// snippet is a file that gives a server to clients.
type snippet struct {
	// Clients are those that read the text, each with its file: "Cursor (.cursor/mcp.json)".
	Clients []string
	// ToFillIn are variables and headers that these clients are not known to fill in.
	ToFillIn []string
	Text     string
}

// ownFile is where the entry is written that those of all clients are made from, whose client
// writes a variable as ${NAME}.
const ownFile = ".mcp.json"

// noProduct is the client of a file that is of no product by itself.
const noProduct = "agents"

// snippets returns what gives the server to the client of each file, clients with the same text
// together; none where a variable in its command or address would be another one for other clients. They
// hold no value of a variable or a header, but its name.
func (s *Server) snippets(files []writing.Target) []*snippet {
	entry := s.entry()
	if entry == nil {
		return nil
	}
	var all []*snippet
	for _, file := range files {
		e := file.Entry(entry)
		toFillIn, isWhole := lost(e.Losses)
		if !isWhole || !file.Takes(s.Name) || e.Value.Kind == syntax.Null || file.Client.ID == noProduct {
			continue
		}
		edits, err := edit.Lower([]edit.Change{file.Create(e)})
		if err != nil {
			continue
		}
		text, client := string(edit.Apply(nil, edits)), fmt.Sprintf("%s (%s)", file.Client.Title, file.Path)
		isSame := func(other *snippet) bool { return other.Text == text && slices.Equal(other.ToFillIn, toFillIn) }
		if i := slices.IndexFunc(all, isSame); i >= 0 {
			all[i].Clients = append(all[i].Clients, client)
			continue
		}
		all = append(all, &snippet{Clients: []string{client}, ToFillIn: toFillIn, Text: text})
	}
	slices.SortStableFunc(all, func(a, b *snippet) int { return cmp.Compare(len(a.ToFillIn), len(b.ToFillIn)) })
	return all
}

// lost returns what an entry that was written for a client leaves to people, and whether it says
// the rest of the server.
func lost(losses []mcp.Loss) (toFillIn []string, isWhole bool) {
	for _, l := range losses {
		switch l.Reason {
		case mcp.NotExpanded, mcp.MayNotExpand, mcp.NoHeaders:
			toFillIn = append(toFillIn, l.Name)
		case mcp.NotSaid, mcp.Chosen:
		default:
			return nil, false
		}
	}
	return unique(toFillIn), true
}

// entry returns the server as an entry of a file, nil where none can be the same for all clients.
func (s *Server) entry() *mcp.Server {
	isHidden := func(text string) bool { return terminal.Escape(text) != text } // one would copy what one does not see
	if s.Type == Deno || slices.ContainsFunc(append([]string{s.Command, s.Address}, s.Args...), secret.HasReference) ||
		slices.ContainsFunc(append([]string{s.Name, s.Command, s.Address}, s.Args...), isHidden) {
		return nil
	}
	written, names, key, variable := map[string]any{}, s.Environment, "env", itself
	if s.Type == HTTP {
		names, key, variable = s.Headers, "headers", ofHeader
		written["type"], written["url"] = s.transportWord(), s.Address
	} else {
		written["command"], written["args"] = s.Command, orEmpty(s.Args)
	}
	values, ok := references(names, variable)
	if !ok {
		return nil
	}
	if len(values) > 0 {
		written[key] = values
	}
	content, err := json.Marshal(map[string]any{"mcpServers": map[string]any{s.Name: written}})
	if err != nil {
		return nil // texts are always JSON
	}
	m, _ := format.NewIndex(format.All()).Lookup(ownFile)
	doc, err := format.Read(syntax.NewFile(ownFile, content), m)
	if err != nil || doc == nil || len(doc.Servers) != 1 {
		return nil
	}
	return doc.Servers[0]
}

// transportWord returns what is spoken at an address, in the words of ownFile's client.
func (s *Server) transportWord() string {
	if s.Transport == "" {
		return "http"
	}
	return s.Transport
}

// references returns names of variables or headers with a reference to the variable that holds
// the value of each, which variable names; ok is false where one can be no variable.
func references(names []string, variable func(name string) string) (all map[string]string, ok bool) {
	all = map[string]string{}
	isOther := func(c byte) bool { return !ascii.IsAlphanumeric(c) && c != '_' }
	for _, name := range names {
		of := variable(name)
		if of == "" || ascii.IsDigit(of[0]) || slices.ContainsFunc([]byte(of), isOther) {
			return nil, false
		}
		all[name] = "${" + of + "}"
	}
	return all, true
}

// itself is how the value of a variable is named, and ofHeader how that of a header.
func itself(name string) string   { return name }
func ofHeader(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }
