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

// portableFile is where an entry is written that those of all clients are made from: its client
// writes a variable as ${NAME}.
const portableFile = ".mcp.json"

// Portable returns a server that no file of a client has, such as that of a catalog, as an entry
// that those of all clients can be made from (Target.Entry). A variable or header without a value
// gets a reference to the variable that holds it. It is nil where no entry can be the same for all
// clients: a variable in the command or the address is another one for others.
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
