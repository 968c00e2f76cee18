package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// PolicyFile names a file with managed lists of servers.
type PolicyFile struct {
	// Client is the one whose file it is, "" for every one.
	Client allow.Client
	Path   string
	// Settings is the file of settings that names it, as messages have it, and Line and Column
	// are where; "" and 0 for a flag.
	Settings     string
	Line, Column int
}

// isSame reports whether two are one file for one client, wherever they are named.
func (f PolicyFile) isSame(other PolicyFile) bool {
	return f.Client == other.Client && f.Path == other.Path
}

// maxPolicies is how many files there may be: every server is compared with all of them.
const maxPolicies = 20

// ParsePolicyFile reads a path, which may have the client before it: copilot=settings.json.
func ParsePolicyFile(text string) PolicyFile {
	client, path, found := strings.Cut(text, "=")
	if found && slices.Contains(allow.Clients(), allow.Client(client)) {
		return PolicyFile{Client: allow.Client(client), Path: path}
	}
	return PolicyFile{Path: text}
}

// policies reads which files have managed lists.
func (p *settingsParser) policies(n *syntax.Node) []PolicyFile {
	var files []PolicyFile
	for _, item := range p.items(n, "policy must be a list of files like [managed-settings.json, copilot=.github/managed-settings.json]") {
		if p.policyFiles++; p.policyFiles > maxPolicies {
			p.wrong(item.Value, "there are more than %d files", maxPolicies)
			break
		}
		item.Name = "policy"
		file := ParsePolicyFile(item.Text)
		named := *item
		named.Text = file.Path
		file.Path = p.path(&named)
		at := p.file.Position(item.Value.Start, syntax.CodePoints)
		file.Settings, file.Line, file.Column = p.name, at.Line, at.Column
		files = append(files, file)
	}
	return files
}

// ParseManaged reads the managed settings of a client, or of every one where it is "".
// Messages call the file name; path is from the root, or "" if there is no way to it. The
// error holds every mistake, as that of ParseSettings does.
func ParseManaged(name, path string, content []byte, client allow.Client) (*allow.Policy, error) {
	p := settingsParser{name: name, file: syntax.NewFile(path, content), budget: &budget{}}
	tree, err := new(syntax.Parser).JSON(p.file)
	var mistake *syntax.Error
	switch {
	case errors.As(err, &mistake):
		p.wrong(mistake.Span, "not valid JSON: %s", mistake.Message(secret.Mask))
		return nil, p.mistakes.Errors[0]
	case err != nil:
		return nil, &Error{Path: name, Message: err.Error()}
	}
	managed, mistakes := allow.Read(tree.Root, client)
	for _, m := range mistakes {
		p.wrong(m.Span, "%s", m.Text)
	}
	if more := p.count - maxMistakes; more > 0 {
		p.mistakes.Errors = append(p.mistakes.Errors, &Error{Path: name, Message: fmt.Sprintf("%d more mistakes", more)})
	}
	managed.Name, managed.File, managed.IsManaged = name, p.file, true
	return managed, p.mistakes.ErrorOrNil()
}
