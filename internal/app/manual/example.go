package manual

import (
	"context"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// The colors of lines that go and come, as SGR parameters.
const (
	goes  = "31"
	comes = "32"
)

// fixExample makes the fixes of a rule in the example of what it finds, on its page.
// Those of other rules are left. The error is that of the context, or says what is
// wrong with the settings of an example; a test allows none.
func fixExample(ctx context.Context, c *rule.Rule) (*fix.Outcome, error) {
	return fix.Run(ctx, fix.Options{
		Source: source.Memory(c.Examples("Bad")), Allow: c.Fix, Lint: lintExample,
		Fixes: func(rule *rule.Rule) bool { return rule == c },
	})
}

// lintExample checks an example under the settings in it.
func lintExample(ctx context.Context, tree source.Tree) (*lint.Result, error) {
	var settings *policy.Settings
	if file, err := tree.Read(ctx, policy.SettingsName); err == nil {
		if settings, err = policy.ParseSettings(policy.SettingsName, policy.SettingsName, file.Content); err != nil {
			return nil, err
		}
	}
	return lint.Run(ctx, lint.Options{Source: tree, Settings: settings})
}

// example writes the example of a rule after --fix, or nothing if no fix applies.
func (p *pagePrinter) example(c *rule.Rule, outcome *fix.Outcome) {
	if len(outcome.Files) == 0 {
		return
	}
	flag := "--fix"
	if slices.ContainsFunc(outcome.Made, func(m fix.Made) bool { return m.Fix.Safety == rule.Unsafe }) {
		flag = "--fix=unsafe"
	}
	p.page("\nWhat `mcplumb check " + flag + "` does with the bad example above:\n\n")
	for _, f := range outcome.Files {
		p.line("  " + p.paint(faint, f.Path))
		for i, hunk := range view.Hunks(string(f.Old), string(f.New)) {
			if i > 0 {
				p.line("    " + p.paint(faint, "…"))
			}
			for _, line := range hunk.Lines {
				p.changed(strings.TrimRight(line.Plain(), "\r\n"))
			}
		}
	}
}

// changed writes a line of a hunk.
func (p *pagePrinter) changed(line string) {
	text := strings.TrimRight("    "+line[:1]+" "+line[1:], " ")
	switch line[0] {
	case '-':
		text = p.paint(goes, text)
	case '+':
		text = p.paint(comes, text)
	}
	p.line(text)
}
