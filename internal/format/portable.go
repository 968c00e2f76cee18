package format

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// portableFile is the file in whose syntax an entry is written before the entries of all clients
// are made from it: its client writes a variable as ${NAME}.
const portableFile = ".mcp.json"

// Portable returns a server that is in no client's file, such as that of a catalog, as an entry
// from which those of all clients can be made (Target.Entry). A variable or header without a
// value gets a reference to the variable that holds it. It is nil if no entry can be the same for
// all clients: a variable in the command or the address differs between clients.
func Portable(name string, l *identity.Launch) *mcp.Server {
	command := []string{l.Command.Text, l.URL.Text}
	for _, arg := range l.Args {
		command = append(command, arg.Text)
	}
	if slices.ContainsFunc(command, secret.HasReference) {
		return nil
	}
	written, pairs, key, variable := map[string]any{}, l.Env, "env", func(name string) string { return name }
	if l.IsRemote() {
		pairs, key, variable = l.Headers, "headers", func(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }
		written["type"], written["url"] = l.Transport, l.URL.Text
		if l.Transport == "" {
			written["type"] = "http"
		}
	} else {
		written["command"], written["args"] = command[0], command[2:]
	}
	values := map[string]string{}
	for _, p := range pairs {
		name := variable(p.Name.Text)
		if values[p.Name.Text] = p.Value.Text; p.Value.Text != "" {
			continue
		}
		if !dialect.IsIdentifier(name) {
			return nil // it can be no variable
		}
		values[p.Name.Text] = "${" + name + "}"
	}
	if len(values) > 0 {
		written[key] = values
	}
	content, err := json.Marshal(map[string]any{"mcpServers": map[string]any{name: written}})
	if err != nil {
		return nil // texts are always JSON
	}
	doc, err := Read(syntax.NewFile(portableFile, content), shape.Match{Format: claudeCode})
	if err != nil || doc == nil || len(doc.Servers) != 1 {
		return nil
	}
	return doc.Servers[0]
}
