package lint

import (
	"context"
	"fmt"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// check runs every rule on every project whose findings are not kept from an earlier run.
// base is the revision to compare with, nil for none. The errors name a rule that fails,
// and the other rules still run.
func (g *gathered) check(ctx context.Context, base *compare.Base, rules []*rule.Rule, progress *Progress) (outcome, error) {
	repo := g.repo
	progress.begin(stepCheck, len(repo.Projects))
	outcomes := make([]outcome, len(repo.Projects))
	err := parallel.For(ctx, len(repo.Projects), func(i int) {
		if known, ok := g.known[repo.Projects[i].Dir]; ok {
			outcomes[i] = known
		} else {
			outcomes[i].run(repo, base, repo.Projects[i], rules)
		}
		progress.advance()
	})
	if err != nil {
		return outcome{}, err
	}
	g.outcomes = make(map[string]outcome, len(outcomes))
	count := 0
	for i, o := range outcomes {
		g.outcomes[repo.Projects[i].Dir] = o
	}
	for _, o := range outcomes {
		count += len(o.findings)
	}
	all := outcome{findings: make([]rule.Finding, 0, count)}
	for _, o := range outcomes {
		all.findings = append(all.findings, o.findings...)
		all.errors = append(all.errors, o.errors...)
		all.full = append(all.full, o.full...)
	}
	return all, nil
}

// outcome is what the rules reported.
type outcome struct {
	findings []rule.Finding
	errors   []FileError
	full     []FileError
}

// maxFindings is how many findings of one rule and severity one project may have. Code
// scanning accepts 25,000 of each kind, no one reads even half as many of one rule, and a
// file of some megabytes can have millions.
const maxFindings = 5_000

// counts are the findings of one rule in one project, by severity.
type counts [rule.Error + 1]int

// add counts a finding and reports whether there is room for it.
func (c *counts) add(f *rule.Finding) bool {
	c[f.Severity]++
	return c[f.Severity] <= maxFindings
}

// omitted counts those there was no room for.
func (c *counts) omitted() int {
	omitted := 0
	for _, count := range c {
		omitted += max(count-maxFindings, 0)
	}
	return omitted
}

// run runs the checks on a project.
func (o *outcome) run(repo *mcp.Repo, base *compare.Base, project *mcp.Project, selected []*rule.Rule) {
	var check *rule.Rule
	var found counts
	pass := rule.Pass{Repo: repo, Base: base.Of(project), Project: project, Report: func(f rule.Finding) {
		if f.Rule == nil {
			f.Rule = check
		}
		if f.Severity == rule.Off {
			f.Severity = f.Rule.Severity
		}
		mustHavePlaces(&f)
		if found.add(&f) {
			o.findings = append(o.findings, f)
		}
	}}
	entries := newRemap(project)
	for _, check = range selected {
		if check.Run == nil {
			continue
		}
		before := len(o.findings)
		found = counts{}
		o.runCheck(check, &pass)
		if omitted := found.omitted(); omitted > 0 {
			leftOut := FileError{project.Dir, fmt.Sprintf("%d more findings of %s are left out: of one severity there is room for %d", omitted, check.ID, maxFindings)}
			o.errors, o.full = append(o.errors, leftOut), append(o.full, leftOut)
		}
		if len(o.findings) > before {
			o.findings = append(o.findings[:before], entries.toSource(o.findings[before:])...)
		}
	}
}

// runCheck runs one check. It keeps what the check reported before it failed.
func (o *outcome) runCheck(check *rule.Rule, pass *rule.Pass) {
	defer func() {
		if problem := recover(); problem != nil {
			o.errors = append(o.errors, FileError{pass.Project.Dir, fmt.Sprintf("rule %s failed on this project: %v", check.ID, problem)})
		}
	}()
	checks.RunRule(pass, check)
}

// mustHavePlaces panics if a finding points outside of its files, or if the
// changes of a fix contradict each other, so that a mistake in a rule shows at
// once and with the rule's name.
func mustHavePlaces(f *rule.Finding) {
	mustBeIn(f.File, f.Span)
	for _, r := range f.Related {
		mustBeIn(r.File, r.Span)
	}
	for _, fix := range f.Fixes {
		if err := edit.Validate(fix.Edits); err != nil {
			panic(err.Error())
		}
	}
}

func mustBeIn(file *syntax.File, span syntax.Span) {
	if file == nil {
		panic("a place without a file")
	}
	if span.Start < 0 || span.Start > span.End || span.End > len(file.Bytes) {
		panic(fmt.Sprintf("bytes %d to %d are not in %s", span.Start, span.End, file.Path))
	}
}
