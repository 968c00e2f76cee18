// Package fixpr keeps pull requests on GitHub that have the fixes of a repository.
package fixpr

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// DefaultBranch is the branch that fixes go to.
const DefaultBranch = "mcplumb/fix"

// Options say which fixes are proposed, and how.
type Options struct {
	// Access says where GitHub is. Without a repository it is found out; without a token
	// there is nothing but a dry run.
	Access github.Access
	// IsOnGitHub reports that no other server was named, IsDryRun that nothing is written.
	IsOnGitHub, IsDryRun bool
	// Paths, Config and Baseline say what is checked, as in workspace.Request.
	Paths            []string
	Config, Baseline string
	// IsOnline asks registries.
	IsOnline bool
	// Allow is which fixes are made.
	Allow rule.Safety
	// PerProject keeps a pull request for each project instead of one for all.
	PerProject bool
	// Branch is where fixes go, Base what they are for, "" for what is checked out.
	Branch, Base string
	// Draft, SignOff, Labels and Assignees are those of the pull request.
	Draft, SignOff    bool
	Labels, Assignees []string
	// Workflows changes files of workflows, too.
	Workflows bool
	// Out gets what was done, Log what could not be checked.
	Out, Log io.Writer
}

// Keep keeps the pull requests of the commit that is checked out. It returns what it did,
// and whether something could not be checked.
func Keep(ctx context.Context, env *workspace.Env, o Options) (done []pullrequest.Result, isIncomplete bool, err error) {
	place, err := workspace.Find(env, workspace.Request{Paths: o.Paths})
	if err != nil {
		return nil, false, err
	}
	if !place.Git {
		return nil, false, errors.New("fix-pr needs a git repository")
	}
	head, err := env.Git().Head(ctx, place.Root)
	if err != nil {
		return nil, false, fmt.Errorf("cannot tell which commit is checked out: %w", err)
	}
	w, err := workspace.Open(ctx, env, workspace.Request{Paths: o.Paths, Config: o.Config, Baseline: o.Baseline, Known: true, Rev: head, Online: o.IsOnline})
	if err != nil {
		return nil, false, err
	}
	defer w.Close()
	if o.IsOnline {
		if err := w.AskRegistries(ctx, workspace.Asking{Approved: true}); err != nil {
			return nil, false, err
		}
	}
	p := &proposer{Options: o, w: w, on: head}
	if err = p.connect(ctx); err == nil {
		err = p.run(ctx)
	}
	return p.results, p.isIncomplete, err
}

// proposer keeps the pull requests of one repository.
type proposer struct {
	Options
	w    *workspace.Workspace
	on   string // the commit
	base string
	// hub is the repository on GitHub, nil where a dry run has no token.
	hub          *github.Repository
	style        pullrequest.Style
	dirs         []string // of the projects, nil where they do not count
	hasReported  bool     // something on Out
	isIncomplete bool
	results      []pullrequest.Result
}

// connect finds out where the repository is on GitHub, and which branch the fixes are for.
func (p *proposer) connect(ctx context.Context) error {
	access := p.Access
	git := p.w.Env.Git()
	origin := ""
	if access.Repository == "" {
		origin = git.Origin(ctx, p.w.Root)
		access.Repository = repositoryIn(origin)
	}
	p.base = cmp.Or(p.Options.Base, git.CurrentBranch(ctx, p.w.Root))
	switch {
	case access.Token == "" && p.IsDryRun:
		p.style = pullrequest.StyleOf(git.Titles(ctx, p.w.Root, 50))
		return nil
	case access.Token == "":
		return errors.New("fix-pr needs a token in GITHUB_TOKEN or GH_TOKEN")
	case !strings.Contains(access.Repository, "/"):
		return errors.New("cannot tell which GitHub repository this is: pass --repository OWNER/NAME")
	case p.IsOnGitHub && isElsewhere(origin):
		return fmt.Errorf("the remote origin is at %s, not at github.com: set GITHUB_API_URL to its API, such as https://HOST/api/v3", hostIn(origin))
	}
	hub, err := access.Open(ctx)
	if err != nil {
		return err
	}
	p.hub, p.base = hub, cmp.Or(p.base, hub.DefaultBranch)
	if isQueue := strings.HasPrefix(p.base, "gh-readonly-queue/"); isQueue || p.base == p.Branch || strings.HasPrefix(p.base, p.Branch+"-") {
		return fmt.Errorf("%s is not a branch to fix: run fix-pr on the branch that needs the fixes", p.base)
	}
	titles, err := hub.Titles(ctx, p.on, 50)
	if errors.Is(err, github.ErrNoCommit) && p.IsDryRun {
		titles = git.Titles(ctx, p.w.Root, 50)
	} else if errors.Is(err, github.ErrNoCommit) {
		return fmt.Errorf("GitHub does not have the commit %.12s: push it first", p.on)
	} else if err != nil {
		return err
	}
	p.style = pullrequest.StyleOf(titles)
	return nil
}

// run brings one pull request up to date, or one for each project. Those of branches that
// are no longer used, because projects have gone or the flag has changed, are closed.
func (p *proposer) run(ctx context.Context) error {
	branches := map[string]string{p.Branch: ""} // the directory of their projects
	if p.isPart() && p.Branch == DefaultBranch {
		dir := strings.Join(p.w.Options.Targets, " ")
		branches = map[string]string{p.Branch + "-" + slug(dir): dir}
	}
	if p.PerProject {
		fixable, err := p.fixableProjects(ctx)
		if err != nil {
			return err
		}
		clear(branches)
		for dir := range fixable {
			branches[p.Branch+"-"+slug(dir)] = dir
		}
	}
	for _, branch := range slices.Sorted(maps.Keys(branches)) {
		dir := branches[branch]
		err := p.keep(ctx, branch, dir, func(file string) bool { return p.dirs == nil || p.projectOf(file) == dir })
		if err != nil {
			return err
		}
	}
	if err := p.closeOthers(ctx, branches); err != nil || p.hasReported {
		return err
	}
	_, err := fmt.Fprintln(p.Out, "there is nothing to fix")
	return source.WriteFailed("standard output", err)
}

// fixableProjects returns the directories of the projects that have something to fix.
func (p *proposer) fixableProjects(ctx context.Context) (map[string]bool, error) {
	first, err := p.w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	for _, project := range first.Repo.Projects {
		p.dirs = append(p.dirs, project.Dir)
	}
	fixable := map[string]bool{}
	for i := range first.Findings {
		if f := &first.Findings[i]; slices.ContainsFunc(f.Places(), func(at *rule.Finding) bool { return len(at.Fixes) > 0 }) {
			fixable[p.projectOf(f.File.Path)] = true
		}
	}
	return fixable, nil
}

// isPart reports whether the run checks only a part of the repository.
func (p *proposer) isPart() bool { return !slices.Contains(p.w.Options.Targets, "") }

// closeOthers closes mcplumb's pull requests for the same base from branches that are no
// longer used. A run for a part of the repository leaves them to others.
func (p *proposer) closeOthers(ctx context.Context, used map[string]string) error {
	if p.hub == nil || p.isPart() {
		return nil
	}
	open, err := p.hub.OpenPullRequests(ctx, p.Branch)
	if err != nil {
		return err
	}
	for _, branch := range slices.Sorted(maps.Keys(open)) {
		_, isUsed := used[branch]
		if isUsed || !pullrequest.IsOurs(open[branch]) || open[branch].Base != p.base || branch != p.Branch && !strings.HasPrefix(branch, p.Branch+"-") {
			continue
		}
		if err := p.keep(ctx, branch, "", func(string) bool { return false }); err != nil {
			return err
		}
	}
	return nil
}

// projectOf returns the directory of the project that a file is in.
func (p *proposer) projectOf(file string) string {
	dir, _ := path.Split(file)
	for at := range mcp.Upwards(strings.TrimSuffix(dir, "/")) {
		if slices.Contains(p.dirs, at) {
			return at
		}
	}
	return ""
}

// slug returns a directory as a part of the name of a branch, which no other has.
func slug(dir string) string {
	if dir == "" {
		return "root"
	}
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(dir))
	sum := sha256.Sum256([]byte(dir))
	return strings.Trim(plain[:min(len(plain), 40)], "-") + "-" + hex.EncodeToString(sum[:3])
}

// keep brings the pull request of one branch up to date. The project is the directory of
// the one that it is for.
func (p *proposer) keep(ctx context.Context, branch, project string, isIn func(file string) bool) error {
	state := &pullrequest.State{Branch: branch}
	if p.hub != nil {
		var err error
		if state, err = pullrequest.Load(ctx, p.hub, branch); err != nil {
			return err
		}
	}
	proposal, isWhole, err := p.propose(ctx, state, isIn)
	if err != nil {
		return err
	}
	proposal.Title = p.style.Title(project)
	switch {
	case !isWhole && len(proposal.Commits) == 0:
		p.hasReported = true
		return nil // what could not be checked may be what is left
	case p.IsDryRun:
		return p.printProposal(proposal, state.Plan(proposal))
	}
	result, err := pullrequest.Apply(ctx, p.hub, state, proposal)
	p.results = append(p.results, result)
	if err != nil {
		return p.ofWorkflows(proposal, err)
	}
	return p.printResult(branch, result)
}

// propose works out what there is to fix, and reports whether everything could be
// checked.
func (p *proposer) propose(ctx context.Context, state *pullrequest.State, isIn func(file string) bool) (*pullrequest.Proposal, bool, error) {
	refused, counted := 0, false
	steps, outcome, err := fix.Steps(ctx, fix.Options{
		Source: p.w.Options.Source, Allow: p.Allow, Refuses: p.refuses(),
		Lint: func(ctx context.Context, tree source.Tree) (*lint.Result, error) {
			result, err := p.w.LintTree(ctx, tree)
			if err == nil {
				n := p.withhold(result, state, isIn)
				if !counted {
					refused, counted = n, true
				}
			}
			return result, err
		},
	})
	if err != nil {
		return nil, false, err
	}
	v := view.New(p.w.Viewed(outcome.Before))
	for _, problem := range v.Problems() {
		fmt.Fprintf(p.Log, "mcplumb: %s\n", problem)
	}
	if len(outcome.Before.Errors) > 0 {
		p.isIncomplete = true
	}
	if err := p.printHeldBack(outcome); err != nil {
		return nil, false, err
	}
	proposal := &pullrequest.Proposal{
		Branch: state.Branch, Base: p.base, On: p.on, Labels: p.Labels, Assignees: p.Assignees,
		Draft: p.Draft, SignOff: p.SignOff, Commits: p.commits(steps), Fixes: p.fixedPrints(outcome),
	}
	var body bytes.Buffer
	err = report.WritePullRequest(&body, report.PullRequest{Fixes: fixing.Proposed(v, outcome), Safety: p.Allow, Refused: refused})
	proposal.Body = body.String()
	return proposal, len(outcome.Before.Errors) == 0, err
}

// ofWorkflow is why a file in the directory of workflows is not changed: GitHub refuses a
// commit with such a file, as a whole, from a token without a permission that a job cannot
// have (docs: "Permissions required for GitHub Apps", workflows).
const ofWorkflow = "GitHub does not let a job change files below .github/workflows: run mcplumb check --fix, or use --workflows with a token that may write workflows"

// refuses returns what says why files are not to be changed.
func (p *proposer) refuses() func(path string) string {
	refuses := p.w.Refuses()
	return func(path string) string {
		if !p.Workflows && strings.HasPrefix(path, ".github/workflows/") {
			return ofWorkflow
		}
		return refuses(path)
	}
}

// ofWorkflows adds to what GitHub refused with 403 or 404 that it may be because of a
// workflow: its own words do not always say so.
func (p *proposer) ofWorkflows(proposal *pullrequest.Proposal, err error) error {
	var f *github.Failure
	if !errors.As(err, &f) || !f.IsForbidden() {
		return err
	}
	for _, c := range proposal.Commits {
		for _, file := range c.Files {
			if strings.HasPrefix(file.Path, ".github/workflows/") {
				return fmt.Errorf("%w: the token may not write workflows: leave out --workflows (fix-workflows in the action)", err)
			}
		}
	}
	return err
}

// printHeldBack says how many fixes are held back because of the directory of their files: a
// run without other fixes has no pull request to report it in.
func (p *proposer) printHeldBack(outcome *fix.Outcome) error {
	held := 0
	for _, left := range outcome.Left {
		if left.Reason == ofWorkflow {
			held++
		}
	}
	if held == 0 {
		return nil
	}
	who := "1 fix is"
	if held > 1 {
		who = fmt.Sprintf("%d fixes are", held)
	}
	p.hasReported = true
	_, err := fmt.Fprintf(p.Out, "%s held back: %s\n", who, ofWorkflow)
	return source.WriteFailed("standard output", err)
}

// withhold takes the fixes from findings that are not to be fixed here: those of other
// projects, and those that people have refused, which it counts.
func (p *proposer) withhold(result *lint.Result, state *pullrequest.State, isIn func(file string) bool) (refused int) {
	shown := view.New(p.w.Viewed(result)).Findings(rule.Note)
	for i := range result.Findings {
		f := &result.Findings[i]
		isRefused := len(f.Fixes) > 0 && state.Refuses(shown[i].Fingerprint())
		if isRefused {
			refused++
		}
		if !isRefused && isIn(f.File.Path) {
			continue
		}
		f.Fixes = nil
		for _, at := range f.Places() {
			at.Fixes = nil
		}
	}
	return refused
}

// fixedPrints returns the fingerprints of the findings that are there before and not
// after, sorted.
func (p *proposer) fixedPrints(outcome *fix.Outcome) []string {
	left := map[string]bool{}
	for _, f := range view.New(p.w.Viewed(outcome.After)).Findings(rule.Note) {
		left[f.Fingerprint()] = true
	}
	var prints []string
	for _, f := range view.New(p.w.Viewed(outcome.Before)).Findings(rule.Note) {
		if print := f.Fingerprint(); !left[print] {
			prints = append(prints, print)
		}
	}
	slices.Sort(prints)
	return slices.Compact(prints)
}

// commits returns the commit of each step.
func (p *proposer) commits(steps []fix.Step) []pullrequest.Commit {
	modeOf := func(string) string { return "100644" }
	if revision, ok := p.w.Options.Source.(*source.Objects); ok {
		modeOf = revision.Mode
	}
	var commits []pullrequest.Commit
	for _, s := range steps {
		c := pullrequest.Commit{Message: p.style.Message(s.Check.ID, s.Check.Title, s.Check.URL(), len(s.Made))}
		for _, f := range s.Files {
			c.Files = append(c.Files, github.Blob{Path: f.Path, Mode: modeOf(f.Path), Content: f.New})
		}
		commits = append(commits, c)
	}
	return commits
}
