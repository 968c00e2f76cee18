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
	type outcome struct {
		findings []checks.Finding
		errors   []FileError
	}
	outcomes := make([]outcome, len(repo.Projects))
	err := inParallel(ctx, len(repo.Projects), func(i int) {
		for _, check := range selected {
			if check.Run == nil {
				continue
			}
			findings, err := runCheck(check, repo, repo.Projects[i])
			outcomes[i].findings = append(outcomes[i].findings, atSource(repo.Projects[i], findings)...)
			if err != nil {
				outcomes[i].errors = append(outcomes[i].errors, *err)
			}
		}
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

// runCheck runs one check on one project. What it reported before it failed is
// kept.
func runCheck(check *checks.Check, repo *mcp.Repo, project *mcp.Project) (findings []checks.Finding, failed *FileError) {
	defer func() {
		if problem := recover(); problem != nil {
			failed = &FileError{project.Dir, fmt.Sprintf("rule %s failed on this project: %v", check.ID, problem)}
		}
	}()
	check.Run(&checks.Pass{Repo: repo, Project: project, Report: func(f checks.Finding) {
		if f.Check == nil {
			f.Check = check
		}
		if f.Severity == checks.Off {
			f.Severity = f.Check.Severity
		}
		mustHavePlaces(&f)
		findings = append(findings, f)
	}})
	return findings, nil
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
