// Package manual shows the pages of rules in a terminal, and lists the rules.
package manual

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// settingsHelp ends the page of a rule in the terminal.
const settingsHelp = `
In ` + "`.mcplumb.yaml`" + `, ` + "`rules: {%[1]s: off}`" + ` turns the rule off (or note, warning, error), and this hides a finding:

` + "```yaml .mcplumb.yaml" + `
ignore: [{rule: %[1]s, path: PATH, server: NAME, reason: WHY}]
` + "```" + `
`

// approvalHelp ends that of the rule whose findings are approved one by one.
const approvalHelp = `
In ` + "`.mcplumb.yaml`" + `, ` + "`rules: {integrity-changed: off}`" + ` turns the rule off (or note, warning, error). An ignore of it names the hash:
` + "`mcplumb approve SERVER --reason WHY`" + ` writes it.
`

// configuration is the heading of the last thing that every page says.
const configuration = "\n## Settings\n"

// differences is the heading of what some pages end with.
const differences = "\n## Differences\n"

// Page returns the page of a rule for a terminal, below a heading that
// says what the other commands show of it.
func Page(ctx context.Context, c *rule.Rule, color bool) (string, error) {
	p := &pagePrinter{color: color}
	p.line(p.paint(boldText, c.ID) + ": " + c.Title)
	p.line("")
	for _, fact := range ruleFacts(c) {
		p.line(p.paint(faint, fmt.Sprintf("%-11s", fact[0])) + fact[1])
	}
	_, text, _ := strings.Cut(c.Page(), "\n") // the heading, which is the ID
	text, rest, more := strings.Cut(text, differences)
	text, settings, _ := strings.Cut(text, configuration)
	p.page(text)
	if c.Fix != rule.NoFix {
		outcome, err := fixExample(ctx, c)
		if err != nil {
			return "", err
		}
		p.example(c, outcome)
	}
	// Settings end with what holds for every rule, even one without any of its own.
	p.page(strings.TrimRight(configuration+strings.TrimSuffix(strings.TrimRight(settings, "\n"), "None."), "\n"))
	switch c {
	case checks.UnusedIgnore:
	case checks.IntegrityChanged:
		p.page(approvalHelp)
	default:
		p.page(fmt.Sprintf(settingsHelp, c.ID))
	}
	if more {
		p.page(differences + rest)
	}
	return p.out.String(), nil
}

// ruleFacts are the front matter of a rule's page and its address, each with
// its label.
func ruleFacts(c *rule.Rule) [][2]string {
	meta := c.Meta()
	facts := [][2]string{{"severity", c.Severity.String()}, {"precision", meta.Precision}, {"about", meta.Tags[0]}}
	if meta.SecuritySeverity != "" {
		facts = append(facts, [2]string{"security", meta.SecuritySeverity + " of 10"})
	}
	for _, tag := range meta.Tags {
		if name := rule.OWASP(tag); name != "" {
			facts = append(facts, [2]string{"OWASP MCP", tag + " " + name})
		}
	}
	if c.Fix != rule.NoFix {
		facts = append(facts, [2]string{"fix", c.Fix.String()})
	}
	return append(facts, [2]string{"page", c.URL()})
}
