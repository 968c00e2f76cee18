// Package policy is what a repository says about findings: its settings, the
// ignores in them and in comments, its baseline. Texts go in and settings come
// out, findings go in and those that are left come out. It reads no file.
package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-multierror"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// SettingsName is the name of the settings file in the root of a repository.
const SettingsName = ".mcplumb.yaml"

// maxSettingsBytes is the size up to which settings are read, maxPatternBytes what
// all patterns in them may come to with their braces written out, and maxMistakes
// how many mistakes are reported.
const maxSettingsBytes, maxPatternBytes, maxMistakes = 1_000_000, 4_000_000, 100

// Settings are what .mcplumb.yaml says. docs/settings.schema.json says the same
// to editors; a test holds the two together.
type Settings struct {
	// Exclude are globs of paths from the root. One that matches a directory
	// excludes everything below it.
	Exclude []string
	// Rules are the severities of rules by ID, rule.Off for those that are
	// not to run.
	Rules map[string]rule.Severity
	// Ignores hide findings.
	Ignores []Ignore
	// Preferences replace flags that were not given.
	Preferences Preferences
	// Registries are the addresses of registries by their names, RegistryNames, for who
	// asks them.
	Registries map[string]string
	// InStep are the groups of files that must have the same servers.
	InStep []mcp.GroupSettings
	// MinAge is how many days ago a release must have been published to be taken; nil
	// says nothing.
	MinAge *int
	// MaxLockAge is how many days ago a lockfile may have been checked against its registry;
	// nil sets no limit.
	MaxLockAge *int
	// Catalog is about what mcplumb catalog makes.
	Catalog Catalog
	// Policies are the files with managed lists of servers, their paths from the root.
	Policies []PolicyFile

	name    string       // as messages have it
	file    *syntax.File // nil if there are no settings, or no way to them from the root
	tree    *syntax.Node // as they are written
	extends []Extension
	// layers are the files that they come from, the one that counts most last; nil for one
	// alone.
	layers []*Settings
}

// Ignore is an entry of the settings that hides findings of one rule.
type Ignore struct {
	Rule string
	// Path is a glob of paths from the root, Server the name of an entry; the
	// empty ones match everything.
	Path, Server string
	// Identity and Integrity are what a hash is of and the hash, which an approval of
	// another hash names: rule.Approval. Every other ignore has none.
	Identity, Integrity string
	// Reason says why.
	Reason string
	// Until is the last day on which it counts, as 2006-01-02; empty forever.
	Until string

	place, entry           syntax.Span // of the rule, and of all of it
	pathPlace, serverPlace syntax.Span
	// isShared reports that it is in a file that the settings extend: file, or nil if that
	// cannot be reached. Such an ignore is also for other repositories, and may be of no use
	// here.
	isShared bool
	file     *syntax.File
}

// The keys that the file and an entry of its ignores may have.
func settingsKeys() []string {
	return []string{"baseline", "catalog", "exclude", "extends", "fail-on", "format", "ignore", "in-step", "max-lock-age", "min-age", "policy", "registries", "rules", "severity"}
}

// Keys returns the keys that settings may have, and IgnoreKeys those of an ignore.
func Keys() []string       { return settingsKeys() }
func IgnoreKeys() []string { return ignoreKeys() }
func ignoreKeys() []string {
	return []string{"identity", "integrity", "path", "reason", "rule", "server", "until"}
}

// SettingsNames are other names under which settings are looked for in vain.
func SettingsNames() []string { return []string{".mcplumb.yml", "mcplumb.yaml", "mcplumb.yml"} }

// Error is a mistake in the settings or in a baseline.
type Error struct {
	// Path is the file as messages name it; Line and Column say where in it, from
	// 1, and are zero where that is not known.
	Path         string
	Line, Column int
	Message      string

	cause error // of what could not be read, else nil
}

// Unwrap returns why a file that is named there could not be read.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
	}
	return e.Path + ": " + e.Message
}

// ParseSettings reads settings, without what they extend. Messages call the file name; findings
// call it path, which is from the root, or "" if there is no way to it. The error holds
// every mistake: an *Error, or several in a *multierror.Error.
func ParseSettings(name, path string, content []byte) (*Settings, error) {
	return parseSettings(name, path, content, &budget{})
}

// budget counts what settings have used of limits, together with those that they extend.
type budget struct {
	bytes    int
	patterns int // bytes of all patterns
	// namePatterns is how many patterns of names of servers there are.
	namePatterns        int
	groups, policyFiles int
}

// parseSettings is ParseSettings within what a budget has left.
func parseSettings(name, path string, content []byte, b *budget) (*Settings, error) {
	if b.bytes += len(content); b.bytes > maxSettingsBytes {
		message := fmt.Sprintf("is bigger than %d MB and was not read", maxSettingsBytes/1_000_000)
		if b.bytes > len(content) {
			message = fmt.Sprintf("was not read: all files of the settings together are bigger than %d MB", maxSettingsBytes/1_000_000)
		}
		return nil, &Error{Path: name, Message: message}
	}
	p := settingsParser{name: name, file: syntax.NewFile(name, content), budget: b}
	tree, err := syntax.ParseYAML(p.file)
	var mistake *syntax.Error
	switch {
	case errors.As(err, &mistake):
		p.wrong(mistake.Span, "not valid YAML: %s", mistake.Message(secret.Mask))
		return nil, p.mistakes.Errors[0]
	case err != nil:
		return nil, &Error{Path: name, Message: err.Error()}
	case len(tree.Rest) > 0:
		p.wrong(tree.Rest[0].Value, "there is a second YAML document: keep one")
		return nil, p.mistakes.Errors[0]
	}
	settings := p.root(tree.Root)
	settings.name, settings.tree = name, tree.Root
	if path != "" {
		settings.file = syntax.NewFile(path, content)
	}
	if err := p.mistakes.ErrorOrNil(); err != nil {
		slices.SortStableFunc(p.mistakes.Errors, byPlace)
		if more := p.count - maxMistakes; more > 0 {
			err = multierror.Append(p.mistakes, &Error{Path: name, Message: fmt.Sprintf("%d more mistakes", more)})
		}
		return nil, err
	}
	return settings, nil
}

// byPlace compares where two *Errors of one file are.
func byPlace(a, b error) int {
	var first, second *Error
	errors.As(a, &first)
	errors.As(b, &second)
	return cmp.Or(first.Line-second.Line, first.Column-second.Column)
}

// settingsParser walks the tree of the settings. Aliases are not followed, and
// every mistake has its place.
type settingsParser struct {
	name string
	file *syntax.File
	// mistakes are several errors because a person is shown each.
	mistakes *multierror.Error
	count    int // of mistakes, those too many to be reported among them
	*budget
}

func (p *settingsParser) wrong(at syntax.Span, format string, args ...any) {
	if p.count++; p.count > maxMistakes {
		return
	}
	position := p.file.Position(at.Start, syntax.CodePoints)
	p.mistakes = multierror.Append(p.mistakes, &Error{
		Path: p.name, Line: position.Line, Column: position.Column, Message: fmt.Sprintf(format, args...),
	})
}

func (p *settingsParser) root(n *syntax.Node) *Settings {
	settings := &Settings{}
	for _, member := range p.members(n, "the settings must be a mapping like `exclude: [testdata/**]`", settingsKeys()) {
		switch member.Name {
		case "exclude":
			for _, item := range p.items(member, "exclude must be a list of patterns like [testdata/**]") {
				settings.Exclude = append(settings.Exclude, p.glob(item))
			}
		case "extends":
			settings.extends = p.extends(member)
		case "rules":
			settings.Rules = p.rules(member)
		case "fail-on":
			settings.Preferences.FailOn = p.word(member, failOnWords())
		case "severity":
			settings.Preferences.Severity = p.word(member, severityWords())
		case "format":
			settings.Preferences.Format = p.word(member, FormatWords())
		case "baseline":
			settings.Preferences.Baseline = p.path(member)
		case "registries":
			settings.Registries = p.registries(member)
		case "in-step":
			settings.InStep = p.inStep(member)
		case "max-lock-age":
			settings.MaxLockAge = p.days(member)
		case "min-age":
			settings.MinAge = p.days(member)
		case "catalog":
			settings.Catalog = p.catalog(member)
		case "policy":
			settings.Policies = p.policies(member)
		case "ignore":
			for _, item := range p.items(member, "ignore must be a list of entries like {rule: alias-drift, reason: …}") {
				settings.Ignores = append(settings.Ignores, p.ignore(item))
			}
		}
	}
	return settings
}

// members returns the members of a mapping, or none of what is no mapping.
// Without known keys every key is allowed.
func (p *settingsParser) members(n *syntax.Node, must string, known []string) []*syntax.Node {
	if isNull(n) {
		return nil
	}
	if n.Kind != syntax.Object {
		p.wrong(n.Value, "%s, not %s", must, kindName(n))
		return nil
	}
	var members []*syntax.Node
	seen := map[string]bool{}
	for _, member := range n.Nodes {
		switch {
		case seen[member.Name]:
			p.wrong(member.Key, "%q is written twice", member.Name)
		case known != nil && !slices.Contains(known, member.Name):
			p.wrong(member.Key, "unknown key %q: %s", member.Name, spelling.Hint(member.Name, known))
		default:
			members = append(members, member)
		}
		seen[member.Name] = true
	}
	return members
}

// items returns the elements of a list.
func (p *settingsParser) items(n *syntax.Node, must string) []*syntax.Node {
	if isNull(n) {
		return nil
	}
	if n.Kind != syntax.Array {
		p.wrong(n.Value, "%s, not %s", must, kindName(n))
		return nil
	}
	return n.Nodes
}

// rules reads the severities of rules.
func (p *settingsParser) rules(n *syntax.Node) map[string]rule.Severity {
	rules := map[string]rule.Severity{}
	for _, member := range p.members(n, "rules must be a mapping like {alias-drift: error}", nil) {
		if !p.isRule(member.Name, member.Key) {
			continue
		}
		if !member.IsString() {
			p.wrong(member.Value, "a severity must be off, note, warning or error, not %s", kindName(member))
			continue
		}
		severity, err := rule.ParseSeverity(member.Text)
		if err != nil {
			p.wrong(member.Value, "%v", err)
			continue
		}
		rules[member.Name] = severity
	}
	return rules
}

// isRule reports whether a rule has that ID.
func (p *settingsParser) isRule(id string, at syntax.Span) bool {
	if checks.ByID(id) == nil {
		p.wrong(at, "unknown rule %q: %s", id, spelling.Hint(id, ruleIDs()))
		return false
	}
	return true
}

// ignore reads one entry of the ignores.
func (p *settingsParser) ignore(n *syntax.Node) Ignore {
	ignore := Ignore{place: n.Value, entry: n.Value}
	if n.Kind != syntax.Object {
		p.wrong(n.Value, "an ignore must be a mapping like {rule: alias-drift, reason: …}, not %s", kindName(n))
		return ignore
	}
	for _, member := range p.members(n, "", ignoreKeys()) {
		if !member.IsString() {
			p.wrong(member.Value, "%s must be a string, not %s", member.Name, kindName(member))
			continue
		}
		switch member.Name {
		case "rule":
			ignore.Rule, ignore.place = member.Text, member.Value
			if p.isRule(member.Text, member.Value) && member.Text == checks.UnusedIgnore.ID {
				p.wrong(member.Value, "%s cannot be ignored: turn it off under rules", checks.UnusedIgnore.ID)
			}
		case "path":
			ignore.Path, ignore.pathPlace = p.glob(member), member.Value
		case "server":
			ignore.serverPlace = member.Value
			if ignore.Server = member.Text; member.Text == "" {
				p.wrong(member.Value, "server is empty: leave it out to mean every server")
			}
		case "identity":
			ignore.Identity = p.filled(member)
		case "integrity":
			ignore.Integrity = p.filled(member)
		case "reason":
			ignore.Reason = p.reason(member)
		case "until":
			ignore.Until = p.date(member)
		}
	}
	for _, key := range []string{"rule", "reason"} {
		if n.Get(key) == nil {
			p.wrong(n.Value, "this ignore has no %s", key)
		}
	}
	p.approval(n, ignore.Rule == checks.IntegrityChanged.ID)
	return ignore
}

// approval checks the keys that every ignore of another hash has, and that no other ignore
// has. A name alone would also approve a server that someone has swapped.
func (p *settingsParser) approval(n *syntax.Node, isApproval bool) {
	for _, key := range []string{"identity", "integrity"} {
		switch member := n.Get(key); {
		case isApproval && member == nil:
			p.wrong(n.Value, "this ignore has no %s, so it approves no hash: mcplumb approve writes one that does", key)
		case !isApproval && member != nil:
			p.wrong(member.Key, "only an ignore of %s has the key %q", checks.IntegrityChanged.ID, key)
		}
	}
}

// filled reads a text that must not be empty.
func (p *settingsParser) filled(n *syntax.Node) string {
	if n.Text == "" {
		p.wrong(n.Value, "%s is empty", n.Name)
	}
	return n.Text
}

func (p *settingsParser) reason(n *syntax.Node) string {
	if strings.TrimSpace(n.Text) == "" {
		p.wrong(n.Value, "the reason is empty: say why the finding may stay")
	}
	return n.Text
}

func (p *settingsParser) date(n *syntax.Node) string {
	if _, err := time.Parse(time.DateOnly, n.Text); err != nil {
		p.wrong(n.Value, "until must be a date like 2030-12-31, not %q", n.Text)
	}
	return n.Text
}

// glob reads a pattern of paths from the root.
func (p *settingsParser) glob(n *syntax.Node) string {
	if !n.IsString() {
		p.wrong(n.Value, "a pattern must be a string, not %s", kindName(n))
		return ""
	}
	text, pattern, err := parsePattern(n.Text)
	if err != nil {
		p.wrong(n.Value, "%v", err)
	}
	before := p.patterns
	p.patterns += pattern.Size()
	if before <= maxPatternBytes && p.patterns > maxPatternBytes {
		p.wrong(n.Value, "the patterns up to here stand for more than %d MB: write out their braces", maxPatternBytes/1_000_000)
	}
	return text
}

// ParsePattern reads a pattern of paths from the root, as the settings and
// --exclude have it.
func ParsePattern(text string) (string, error) {
	clean, _, err := parsePattern(text)
	return clean, err
}

// parsePattern returns a pattern as paths are compared with it.
func parsePattern(text string) (clean string, pattern glob.Pattern, err error) {
	clean = strings.TrimSuffix(strings.TrimPrefix(text, "./"), "/")
	switch {
	case clean == "" || clean == ".":
		return clean, pattern, fmt.Errorf("the pattern %q would cover everything", text)
	case strings.HasPrefix(clean, "/"), clean == "..", strings.HasPrefix(clean, "../"):
		return clean, pattern, fmt.Errorf("the pattern %q must be relative to the root of the repository", text)
	}
	if pattern, err = glob.Parse(clean); err != nil {
		err = fmt.Errorf("the pattern %q %w", shortened(text), err)
	}
	return clean, pattern, err
}

// shortened returns the beginning of a text that is too long to be shown.
func shortened(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// isNull reports whether nothing is written there. An alias is a null with a
// text.
func isNull(n *syntax.Node) bool {
	return n == nil || n.Kind == syntax.Null && !strings.HasPrefix(n.Text, "*")
}

// kindName names what a node is for messages.
func kindName(n *syntax.Node) string {
	switch {
	case n.Kind == syntax.Object:
		return "a mapping"
	case n.Kind == syntax.Array:
		return "a list"
	case isNull(n):
		return "nothing"
	case n.Kind == syntax.Null:
		return "an alias (they are not followed)"
	}
	return "a " + n.Kind.String()
}

// ruleIDs returns the IDs of all rules.
func ruleIDs() []string {
	var ids []string
	for _, c := range checks.All() {
		ids = append(ids, c.ID)
	}
	return ids
}

// Checks returns the rules that the settings do not turn off.
func (s *Settings) Checks() []*rule.Rule {
	return slices.DeleteFunc(checks.All(), func(c *rule.Rule) bool {
		severity, set := s.Rules[c.ID]
		return set && severity == rule.Off
	})
}

// severity returns the severity that the settings give a finding. A rule that they turn off
// was named on the command line.
func (s *Settings) severity(f *rule.Finding) rule.Severity {
	if severity := s.Rules[f.Rule.ID]; severity != rule.Off {
		return severity
	}
	return f.Severity
}
