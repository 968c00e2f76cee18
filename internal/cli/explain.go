package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/app/manual"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

func (a *app) explainCommand() *cobra.Command {
	var color *choice
	cmd := &cobra.Command{
		Use:   "explain RULE",
		Short: "Explain a rule: what it finds, why, and how to fix it",
		Long: `Explain a rule: what it finds, why it matters, and how to fix it. RULE is the
ID in brackets at the end of a finding.

` + ruleWords,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain needs one rule ID: mcplumb rules lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			check, err := findRule(args[0])
			if err != nil {
				return err
			}
			text, err := manual.Page(cmd.Context(), check, a.useColor(color.value, true))
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

// ruleWords explains rules, in lines of at most eighty columns.
const ruleWords = `Groups, which --rule also accepts:
  identity      which entries are the same server
  lock          what a lockfile records
  file          how a client reads the file
  supply-chain  what runs, and who can change it
  own           mcplumb's own ignores

Precision:
  very-high  nearly all findings are right
  high       most findings are right
  medium     some findings may be intended`

// describedRules returns the rules as a shell completes them: the ID, and the
// title as its description.
func describedRules() []string {
	var words []string
	for _, c := range checks.All() {
		words = append(words, cobra.CompletionWithDesc(c.ID, c.Title))
	}
	return words
}

// findRule returns the rule with an ID. The error names the one that was meant, or another word that
// is accepted in its place.
func findRule(id string, more ...string) (*rule.Rule, error) {
	if c := checks.ByID(id); c != nil {
		return c, nil
	}
	var known []string
	for _, c := range checks.All() {
		known = append(known, c.ID)
	}
	known = append(known, more...)
	return nil, fmt.Errorf("unknown rule %q: %s", id, spelling.Hint(id, known))
}

func (a *app) rulesCommand() *cobra.Command {
	var outputs *outputs
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Long: `List the rules: the ID, the most frequent severity, the group, and what the rule
finds.

` + ruleWords,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, out := range outputs.chosen("text") {
				write := manual.WriteRules
				if out.format == "json" {
					write = manual.WriteRulesJSON
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
