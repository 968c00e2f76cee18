// Package allow works out what a managed list of servers does: lists and a server in, and
// out whether its client loads it, step by step, with the entry of a list that decides.
//
// Claude Code and GitHub Copilot call their lists and the members of these alike, and judge
// by them differently. Facts are from code.claude.com/docs/en/managed-mcp and from
// github/docs (copilot/how-tos/administer-copilot/manage-mcp-usage/configure-enterprise-allowlist.md
// and copilot/reference/enterprise-administrators/enterprise-managed-settings.md).
package allow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Client is whose rules count.
type Client string

// The clients that know lists. Copilot are the Copilot CLI, Visual Studio Code and others
// that read GitHub's managed settings.
const (
	ClaudeCode Client = "claude-code"
	Copilot    Client = "copilot"
)

// Title is the name that people know.
func (c Client) Title() string {
	if c == ClaudeCode {
		return "Claude Code"
	}
	return "GitHub Copilot"
}

// Clients are the clients that know lists.
func Clients() []Client { return []Client{ClaudeCode, Copilot} }

// Policy is what one file of settings says of servers.
type Policy struct {
	// Name is the file as messages call it.
	Name string
	File *syntax.File
	// Client is the one that reads the file, "" for every one.
	Client Client
	// IsManaged reports that an organization deploys the file; others belong to a project.
	IsManaged bool
	// OnlyManaged reports that lists of files that are not managed allow nothing.
	OnlyManaged bool
	// Allowed and Denied are nil where the file has no such list. An empty one is something
	// else: nothing is allowed.
	Allowed, Denied *List
	// Exclusive are the names of the only servers that Claude Code loads, by what they run;
	// nil where the file is no managed-mcp.json.
	Exclusive map[string]string
	// Doubts are what the documentation of Claude Code does not allow in its lists. With any
	// of them, mcplumb cannot tell what it does with the file.
	Doubts []Mistake
}

// List is one list of a policy.
type List struct {
	// Key is the name of the list where it is written.
	Key   syntax.Span
	Rules []Rule
}

// ruleKind is what an entry of a list is about, in its own words.
type ruleKind string

// The kinds.
const (
	byName    ruleKind = "serverName"
	byCommand ruleKind = "serverCommand"
	byURL     ruleKind = "serverUrl"
)

// Rule is an entry of a list.
type Rule struct {
	Span syntax.Span
	kind ruleKind
	// Text is a name or a pattern of addresses, Words are a command with its arguments.
	text  string
	words []string
}

// maxShown is how much of a command or an address is shown, in bytes.
const maxShown = 200

// shown returns a text without its credentials, and of a long one the beginning: whole words
// and parts of addresses, since half a credential is nothing that outputs know again.
func shown(text string) string {
	text = within(text, 0, len(text))
	if len(text) > maxShown {
		text = text[:max(strings.LastIndexAny(text[:maxShown], " /?&="), 0)] + "…"
	}
	return text
}

// within returns a part of a text without the credentials of the whole, some of which are
// credentials because of the text before them: those that any line hides, and the defaults of
// variables.
func within(text string, from, to int) string {
	hidden := secret.Find(text)
	for _, c := range secret.Literals("", text) {
		hidden = append(hidden, secret.Range{Start: c.Start + len(c.Prefix), End: c.End})
	}
	for ref, found := secret.NextReference(text, 0); found; ref, found = secret.NextReference(text, ref.End) {
		if isSecretDefault(text, ref) {
			end := ref.End - 1 // the bracket
			hidden = append(hidden, secret.Range{Start: end - len(ref.Default), End: end})
		}
	}
	slices.SortFunc(hidden, func(a, b secret.Range) int { return a.Start - b.Start })
	var b strings.Builder
	for _, h := range hidden {
		if h.End <= from || h.Start >= to {
			continue
		}
		b.WriteString(text[from:max(h.Start, from)] + "***")
		from = min(h.End, to)
	}
	return b.String() + text[from:to]
}

// around is how far around a default is looked for its name, in bytes.
const around = 100

// isSecretDefault reports whether the default of a variable would be a credential in place of
// the variable: behind the name of a parameter, before the host of an address.
func isSecretDefault(text string, ref secret.Ref) bool {
	if ref.Default == "" || !strings.HasSuffix(text[:ref.End-1], ref.Default) {
		return false
	}
	before := text[max(ref.Start-around, 0):ref.Start]
	before = before[strings.LastIndexAny(before, " ?&")+1:]
	found := secret.Literals("", before+ref.Default+text[ref.End:min(ref.End+around, len(text))])
	return slices.ContainsFunc(found, func(c secret.Credential) bool {
		return c.Start < len(before)+len(ref.Default) && c.End > len(before)
	})
}

// shownIn returns the part of a word of several that a variable is, without credentials.
func shownIn(words []string, i int, ref secret.Ref) string {
	before := len(strings.Join(words[:i], " ")) + min(i, 1)
	return within(strings.Join(words, " "), before+ref.Start, before+ref.End)
}

// String writes an entry as a list has it. No credential is in it.
func (r *Rule) String() string {
	if r.kind == byCommand {
		return fmt.Sprintf("%s %q", r.kind, shown(strings.Join(r.words, " ")))
	}
	return fmt.Sprintf("%s %q", r.kind, shown(r.text))
}

// Place returns the place of a part of a policy.
func (p *Policy) Place(at syntax.Span) string {
	position := p.File.Position(at.Start, syntax.CodePoints)
	return fmt.Sprintf("%s:%d:%d", p.Name, position.Line, position.Column)
}

// Server is an entry of a client's file.
type Server struct {
	Name string
	// IsRemote reports that it is reached at URL; otherwise it is started with Command, the
	// program and its arguments.
	IsRemote bool
	URL      string
	Command  []string
	// Filled are variables that the client fills in by itself, wherever it runs.
	Filled []string
}

// words are what a list may name a server by, other than its name.
func (s *Server) words() []string {
	if s.IsRemote {
		return []string{s.URL}
	}
	return s.Command
}

// isFilled reports whether a client of Copilot may fill in a variable before it holds a server
// against lists. What GitHub documents as unresolved are ${VARIABLE} and $VARIABLE.
func (s *Server) isFilled(ref secret.Ref) bool {
	isPlain := ref.Syntax.Family() == secret.Braced || ref.Syntax == secret.Bare
	return !isPlain || slices.Contains(s.Filled, ref.Name)
}

// varies returns which variables may have another value when a client compares. Claude Code
// fills in ${VAR} and ${VAR:-default}, and nothing else.
func (s *Server) varies(c Client) func(secret.Ref) bool {
	if c == ClaudeCode {
		return func(ref secret.Ref) bool { return ref.Syntax.Family() == secret.Braced }
	}
	return s.isFilled
}

// String writes the command or the address of a server, without credentials.
func (s *Server) String() string { return shown(strings.Join(s.words(), " ")) }

// What is what a list may name a server by, other than its name: its command or its address.
func (s *Server) What() string {
	if s.IsRemote {
		return "address"
	}
	return "command"
}

// kind is what an entry must be about to hold for what a server runs.
func (s *Server) kind() ruleKind {
	if s.IsRemote {
		return byURL
	}
	return byCommand
}
