package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

func (a *app) explainCommand() *cobra.Command {
	var color *choice
	cmd := &cobra.Command{
		Use:   "explain RULE",
		Short: "Explain a rule: what it finds, why it matters, how to fix it",
		Long: `Explain a rule: what it finds, why it matters, how to fix it. RULE is its ID,
which stands in brackets at the end of a finding.

` + ruleWords,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain wants the ID of one rule: see mcplumb rules")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			check, err := findRule(args[0])
			if err != nil {
				return err
			}
			text, err := explanation(cmd.Context(), check, a.useColor(color.value, true))
			if err != nil {
				return err
			}
			_, err = io.WriteString(a.env.Stdout, text)
			return source.WriteFailed("standard output", err)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return describedRules(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	color = addColor(cmd)
	return cmd
}

// ruleWords says what is said of rules, in lines of at most eighty columns.
const ruleWords = `A rule is about identity (which servers are one), the lock (what was locked),
the file (what its client makes of it), the supply-chain (what is run, and who
could change that) or mcplumb's own ignores. --rule takes these words, too.
Precision says how many findings are right: very-high is nearly all, high is
most, and of medium ones some may be meant that way.`

// describedRules returns the rules as a shell completes them: the ID, and the
// title as its description.
func describedRules() []string {
	var words []string
	for _, c := range checks.All() {
		words = append(words, cobra.CompletionWithDesc(c.ID, c.Title))
	}
	return words
}

// findRule returns the rule with an ID. The error names the one that was meant.
func findRule(id string) (*checks.Rule, error) {
	if c := checks.ByID(id); c != nil {
		return c, nil
	}
	var known []string
	for _, c := range checks.All() {
		known = append(known, c.ID)
	}
	return nil, fmt.Errorf("unknown rule %q: %s", id, spelling.Hint(id, known))
}

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
const configuration = "\n## Configuration\n"

// differences is the heading of what some pages end with.
const differences = "\n## Differences\n"

// explanation returns the page of a rule for a terminal, below a heading that
// says what the other commands show of it.
func explanation(ctx context.Context, c *checks.Rule, color bool) (string, error) {
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
	if c.Fix != checks.NoFix {
		outcome, err := fixExample(ctx, c)
		if err != nil {
			return "", err
		}
		p.example(c, outcome)
	}
	// Configuration ends with what holds for every rule, even one without any of its own.
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
func ruleFacts(c *checks.Rule) [][2]string {
	meta := c.Meta()
	facts := [][2]string{{"severity", c.Severity.String()}, {"precision", meta.Precision}, {"about", meta.Tags[0]}}
	if meta.SecuritySeverity != "" {
		facts = append(facts, [2]string{"security", meta.SecuritySeverity + " of 10"})
	}
	for _, tag := range meta.Tags {
		if name := checks.OWASP(tag); name != "" {
			facts = append(facts, [2]string{"OWASP MCP", tag + " " + name})
		}
	}
	if c.Fix != checks.NoFix {
		facts = append(facts, [2]string{"fix", c.Fix.String()})
	}
	return append(facts, [2]string{"page", c.URL()})
}

func (a *app) rulesCommand() *cobra.Command {
	var outputs *outputs
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Long: `List the rules: the ID, the severity that findings mostly have, what the rule is
about, and what it finds.

` + ruleWords,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, out := range outputs.chosen("text") {
				write := writeRules
				if out.format == "json" {
					write = writeRulesJSON
				}
				if err := a.write(out.file, write); err != nil {
					return err
				}
			}
			return nil
		},
	}
	outputs = addOutputs(cmd, []string{"text", "json"})
	return cmd
}

// writeRules writes the rules as a table for people.
func writeRules(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RULE\tSEVERITY\tABOUT\tFINDS")
	for _, c := range checks.All() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", c.ID, c.Severity, c.Meta().Tags[0], c.Title)
	}
	return table.Flush()
}

// ruleJSON is a rule in `mcplumb rules --format json`.
type ruleJSON struct {
	ID               string   `json:"id"`
	Title            string   `json:"title"`
	Severity         string   `json:"severity"`
	Precision        string   `json:"precision"`
	SecuritySeverity string   `json:"securitySeverity,omitempty"`
	Tags             []string `json:"tags"`
	Fix              string   `json:"fix"`
	Online           bool     `json:"online"`
	HelpURI          string   `json:"helpUri"`
}

// writeRulesJSON writes the rules for programs.
func writeRulesJSON(w io.Writer) error {
	var out struct {
		Version int        `json:"version"`
		Rules   []ruleJSON `json:"rules"`
	}
	out.Version = 1
	for _, c := range checks.All() {
		meta := c.Meta()
		out.Rules = append(out.Rules, ruleJSON{
			ID: c.ID, Title: c.Title, Severity: c.Severity.String(), Precision: meta.Precision,
			SecuritySeverity: meta.SecuritySeverity, Tags: meta.Tags, Fix: c.Fix.String(), Online: c.Online,
			HelpURI: c.URL(),
		})
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}
