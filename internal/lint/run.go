package lint

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// inParallel calls work for 0..n-1 on every processor. Each call owns the index
// it is given and writes its results there, so nothing is locked and the order
// is that of the input.
func inParallel(ctx context.Context, n int, work func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// runChecks runs every check on every project. A check that fails is named in
// the errors, and the others go on.
func runChecks(ctx context.Context, repo *mcp.Repo, selected []*checks.Check) ([]checks.Finding, []FileError, error) {
	outcomes := make([]outcome, len(repo.Projects))
	err := inParallel(ctx, len(repo.Projects), func(i int) {
		outcomes[i].run(repo, repo.Projects[i], selected)
	})
	if err != nil {
		return nil, nil, err
	}
	count := 0
	for _, o := range outcomes {
		count += len(o.findings)
	}
	findings := make([]checks.Finding, 0, count)
	var errors []FileError
	for _, o := range outcomes {
		findings = append(findings, o.findings...)
		errors = append(errors, o.errors...)
	}
	return findings, errors, nil
}

// outcome is what the checks said of one project.
type outcome struct {
	findings []checks.Finding
	errors   []FileError
}

// run runs the checks on a project.
func (o *outcome) run(repo *mcp.Repo, project *mcp.Project, selected []*checks.Check) {
	var check *checks.Check
	pass := checks.Pass{Repo: repo, Project: project, Report: func(f checks.Finding) {
		if f.Check == nil {
			f.Check = check
		}
		if f.Severity == checks.Off {
			f.Severity = f.Check.Severity
		}
		mustHavePlaces(&f)
		o.findings = append(o.findings, f)
	}}
	for _, check = range selected {
		if check.Run == nil {
			continue
		}
		before := len(o.findings)
		o.runCheck(check, &pass)
		if len(o.findings) > before {
			o.findings = append(o.findings[:before], atSource(project, o.findings[before:])...)
		}
	}
}

// runCheck runs one check. What it reported before it failed is kept.
func (o *outcome) runCheck(check *checks.Check, pass *checks.Pass) {
	defer func() {
		if problem := recover(); problem != nil {
			o.errors = append(o.errors, FileError{pass.Project.Dir, fmt.Sprintf("rule %s failed on this project: %v", check.ID, problem)})
		}
	}()
	pass.Run(check)
}

// mustHavePlaces panics if a finding points outside of its files, so that a
// mistake in a rule shows at once and with the rule's name.
func mustHavePlaces(f *checks.Finding) {
	mustBeIn(f.File, f.Span)
	for _, r := range f.Related {
		mustBeIn(r.File, r.Span)
	}
	for _, fix := range f.Fixes {
		for _, e := range fix.Edits {
			mustBeIn(e.File, e.Span)
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

// sortFindings sorts by path, place, rule and message, and drops what was said
// twice.
func sortFindings(findings []checks.Finding) []checks.Finding {
	slices.SortStableFunc(findings, func(a, b checks.Finding) int {
		return cmp.Or(
			strings.Compare(a.File.Path, b.File.Path),
			cmp.Compare(a.Span.Start, b.Span.Start),
			strings.Compare(a.Check.ID, b.Check.ID),
			strings.Compare(a.Message, b.Message),
			cmp.Compare(a.Span.End, b.Span.End),
		)
	})
	return slices.CompactFunc(findings, func(a, b checks.Finding) bool {
		return a.File.Path == b.File.Path && a.Span == b.Span && a.Check.ID == b.Check.ID && a.Message == b.Message
	})
}

// sortErrors sorts by path and message, and drops what was said twice.
func sortErrors(errors []FileError) []FileError {
	slices.SortFunc(errors, func(a, b FileError) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(errors)
}
