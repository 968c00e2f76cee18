package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/mcplumb/mcplumb/checks"
)

// WriteRules writes the rules as a table for people.
func WriteRules(w io.Writer) error {
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

// WriteRulesJSON writes the rules for programs.
func WriteRulesJSON(w io.Writer) error {
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
