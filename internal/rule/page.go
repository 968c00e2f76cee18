package rule

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Meta is the front matter of a rule's page: what outputs say about the rule in addition to its
// text.
type Meta struct {
	// Severity is the default; it is there for readers and equals the check's.
	Severity string `yaml:"severity"`
	// SecuritySeverity is GitHub's score of a security rule, as a number from
	// 0.1 to 10.0; empty for other rules. GitHub calls what is above 9.0
	// critical, from 7.0 high, from 4.0 medium, below it low.
	SecuritySeverity string `yaml:"security-severity"`
	// Precision says how often a finding is right, as SARIF has it: very-high,
	// high, medium or low.
	Precision string `yaml:"precision"`
	// Tags are the rule's family, then `security` and the identifiers of the
	// OWASP MCP Top 10 where they fit.
	Tags []string `yaml:"tags"`
}

// Page returns the Markdown page of the check without its front matter: the one
// text behind the documentation, `mcplumb explain` and the help in SARIF. It is
// empty for a check without a page; a test allows none.
func (c *Rule) Page() string {
	_, text, _ := strings.Cut(c.source(), "\n---\n\n")
	return text
}

// Examples returns the fenced blocks below a heading of the check's page, by the paths after their
// languages.
func (c *Rule) Examples(heading string) map[string]string {
	_, section, _ := strings.Cut(c.Page(), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	files := map[string]string{}
	for {
		_, rest, found := strings.Cut(section, "\n```")
		if !found {
			return files
		}
		info, rest, _ := strings.Cut(rest, "\n")
		content, after, _ := strings.Cut(rest, "\n```")
		_, path, _ := strings.Cut(info, " ")
		files[path], section = content+"\n", after
	}
}

// URL returns the address of the page on the web.
func (c *Rule) URL() string {
	return "https://github.com/mcplumb/mcplumb/blob/main/docs/rules/" + c.ID + ".md"
}

// WrongURL returns the address of the form that reports a finding of the rule as wrong,
// with rule and fingerprint filled in; the fingerprint may be empty. GitHub fills in the
// fields of an issue form by their ids (docs.github.com, "Creating an issue from a URL
// query", 2026-11).
func (c *Rule) WrongURL(fingerprint string) string {
	query := url.Values{"template": {"wrong-finding.yml"}, "rule": {c.ID}}
	if fingerprint != "" {
		query.Set("fingerprint", fingerprint)
	}
	return "https://github.com/mcplumb/mcplumb/issues/new?" + query.Encode()
}

// Meta returns the front matter of the check's page. It is parsed on each call, and empty if it is
// not valid; a test allows no such page.
func (c *Rule) Meta() Meta {
	meta, err := c.ParseMeta()
	if err != nil {
		return Meta{}
	}
	return meta
}

// ParseMeta is Meta with what is wrong with the front matter.
func (c *Rule) ParseMeta() (Meta, error) { return parseMeta(c.source()) }

// source returns the page as written.
func (c *Rule) source() string {
	if c.Pages == nil {
		return ""
	}
	page, err := fs.ReadFile(c.Pages, c.file(".md"))
	if err != nil {
		return ""
	}
	return string(page)
}

// file returns the name of the check's file with the given extension.
func (c *Rule) file(extension string) string {
	return strings.ReplaceAll(c.ID, "-", "_") + extension
}

// parseMeta reads and judges the front matter of a page.
func parseMeta(page string) (meta Meta, err error) {
	front, ok := strings.CutPrefix(page, "---\n")
	if !ok {
		return meta, errors.New("the first line is not ---")
	}
	if front, _, ok = strings.Cut(front, "\n---\n\n"); !ok {
		return meta, errors.New("the front matter does not end with --- and an empty line")
	}
	decoder := yaml.NewDecoder(strings.NewReader(front))
	decoder.KnownFields(true)
	if err := decoder.Decode(&meta); err != nil {
		return meta, err
	}
	return meta, meta.problem()
}

// families are the groups of rules; every rule belongs to one.
func families() []string { return []string{"identity", "lock", "file", "supply-chain", "own"} }

// problem returns what is wrong with front matter that parsed.
func (m Meta) problem() error {
	if _, err := ParseSeverity(m.Severity); err != nil {
		return err
	}
	if precisions := []string{"very-high", "high", "medium", "low"}; !slices.Contains(precisions, m.Precision) {
		return fmt.Errorf("precision is %q, not one of %s", m.Precision, strings.Join(precisions, ", "))
	}
	if len(m.Tags) == 0 || !slices.Contains(families(), m.Tags[0]) {
		return fmt.Errorf("the first tag is not one of %s", strings.Join(families(), ", "))
	}
	isSecurity := slices.Contains(m.Tags, "security")
	for _, tag := range m.Tags[1:] {
		switch {
		case tag == "security":
		case OWASP(tag) == "":
			return fmt.Errorf("unknown tag %q", tag)
		case !isSecurity:
			return fmt.Errorf("the tag %s needs the tag security", tag)
		}
	}
	score, err := strconv.ParseFloat(m.SecuritySeverity, 64)
	switch {
	case !isSecurity && m.SecuritySeverity != "":
		return errors.New("security-severity needs the tag security")
	case isSecurity && (err != nil || score < 0.1 || score > 10):
		return fmt.Errorf("the tag security wants security-severity to be a number from 0.1 to 10.0, not %q", m.SecuritySeverity)
	}
	return nil
}

// OWASP returns the name of a risk in the OWASP MCP Top 10, or "" if there is no such risk.
// Identifiers and names are those of version 0.1, the beta of 2025
// (owasp.org/www-project-mcp-top-10, the titles of the pages below 2025/).
func OWASP(id string) string {
	switch id {
	case "MCP01:2025":
		return "Token Mismanagement & Secret Exposure"
	case "MCP02:2025":
		return "Privilege Escalation via Scope Creep"
	case "MCP03:2025":
		return "Tool Poisoning"
	case "MCP04:2025":
		return "Software Supply Chain Attacks & Dependency Tampering"
	case "MCP05:2025":
		return "Command Injection & Execution"
	case "MCP06:2025":
		return "Intent Flow Subversion"
	case "MCP07:2025":
		return "Insufficient Authentication & Authorization"
	case "MCP08:2025":
		return "Lack of Audit and Telemetry"
	case "MCP09:2025":
		return "Shadow MCP Servers"
	case "MCP10:2025":
		return "Context Injection & Over-Sharing"
	}
	return ""
}
