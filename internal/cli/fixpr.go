package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// The words of --group.
const (
	groupOne     = "one"
	groupProject = "project"
)

// defaultFixBranch is the branch that fixes go to.
const defaultFixBranch = "mcplumb/fix"

// fixPRFlags are the flags of fix-pr.
type fixPRFlags struct {
	dryRun, draft, online    bool
	signOff, workflows       bool
	safety, group            *choice
	branch, base, repository string
	labels, assignees        []string
	config, baseline         string
	isOnGitHub               bool // nobody has named another server
}

func (a *app) fixPRCommand() *cobra.Command {
	f := fixPRFlags{branch: defaultFixBranch}
	cmd := &cobra.Command{
		Use:   "fix-pr [PATH…]",
		Short: "Keep a pull request on GitHub with all fixes",
		Long: `Keep one pull request open that has the fixes of the commit which is checked
out: it is opened, held to what there is to mend, and closed when nothing is
left. Each rule has a commit of its own. Nothing here is changed; the commits
are made on GitHub. With paths, what is below them has a pull request and a
branch of its own.

Commits of other people on its branch stop it. What was in one that somebody
has closed is not proposed again.

The token is in GITHUB_TOKEN or GH_TOKEN; it needs contents: write and
pull-requests: write. GITHUB_REPOSITORY and GITHUB_API_URL say where, else the
remote origin and github.com.

Exit codes: 0 done, or there was nothing to do; 2 wrong usage or settings; 3
GitHub does not do it, or something could not be checked.`,
		Example: `  mcplumb fix-pr --dry-run             what would be proposed
  mcplumb fix-pr --label dependencies  open it, or bring it up to date`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.fixPR(cmd.Context(), &f, paths) },
	}
	safe, unsafe := checks.Safe.String(), checks.Unsafe.String()
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print branch, commits, title and body, and write nothing")
	f.safety = addChoice(cmd, "fix-safety", "the fixes to make: those that are safe, or all", safe, safe, unsafe)
	f.group = addChoice(cmd, "group", "one pull request, or one for each project that has something to mend", groupOne, groupOne, groupProject)
	cmd.Flags().Var((*filled)(&f.branch), "branch", "the `NAME` of the branch; with --group project the beginning of it")
	cmd.Flags().Var((*filled)(&f.base), "base", "the `BRANCH` that it is for, by default the one that is checked out")
	cmd.Flags().Var((*filled)(&f.repository), "repository", "the repository on GitHub, as `OWNER/NAME`")
	cmd.Flags().BoolVar(&f.draft, "draft", false, "open it as a draft")
	cmd.Flags().StringArrayVar(&f.labels, "label", nil, "give a new one the `LABEL`; repeatable")
	cmd.Flags().StringArrayVar(&f.assignees, "assignee", nil, "assign a new one to `USER`; repeatable")
	cmd.Flags().BoolVar(&f.online, "online", false, "ask registries, as check does: some fixes need to know")
	cmd.Flags().BoolVar(&f.signOff, "signoff", false, "have the author of the commits, whose token it is, sign them off")
	cmd.Flags().BoolVar(&f.workflows, "workflows", false, "mend files below .github/workflows, too: the token may write workflows")
	addConfig(cmd, &f.config)
	cmd.Flags().Var((*filled)(&f.baseline), "baseline", "leave alone what is in the baseline `FILE`")
	return cmd
}

// fixPR keeps the pull requests of a repository.
func (a *app) fixPR(ctx context.Context, f *fixPRFlags, paths []string) error {
	event := a.env.Getenv("GITHUB_EVENT_NAME")
	isPull := strings.HasPrefix(event, "pull_request")
	if isPull && !f.dryRun {
		return fmt.Errorf("fix-pr writes nothing for the event %s: what it mends is a branch of the repository", event)
	}
	get := a.env.Getenv
	access := github.Access{
		API: cmp.Or(get("GITHUB_API_URL"), "https://api.github.com"), Token: cmp.Or(get("GITHUB_TOKEN"), get("GH_TOKEN")),
		Repository: cmp.Or(f.repository, get("GITHUB_REPOSITORY")), Wait: a.outside().Pause, AnswerTime: 30 * time.Second,
	}
	f.isOnGitHub = get("GITHUB_API_URL") == ""
	if isPull {
		f.base = cmp.Or(f.base, get("GITHUB_BASE_REF"))
	} else if get("GITHUB_REF_TYPE") != "tag" {
		f.base = cmp.Or(f.base, get("GITHUB_REF_NAME"))
	}
	_, err := a.keepPullRequests(ctx, f, paths, access)
	return err
}

// keepPullRequests keeps the pull requests of a repository, and returns what it did.
func (a *app) keepPullRequests(ctx context.Context, f *fixPRFlags, paths []string, access github.Access) ([]pullrequest.Result, error) {
	place, err := workspace.Find(a.outside(), workspace.Request{Paths: paths})
	if err != nil {
		return nil, err
	}
	if !place.Git {
		return nil, errors.New("fix-pr needs a git repository")
	}
	head, err := a.outside().Git().Head(ctx, place.Root)
	if err != nil {
		return nil, fmt.Errorf("git does not say which commit is checked out: %w", err)
	}
	w, err := a.open(ctx, workspace.Request{Paths: paths, Config: f.config, Baseline: f.baseline, Known: true, Rev: head})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if f.online {
		if err := w.AskRegistries(ctx, workspace.Asking{Approved: true}); err != nil {
			return nil, err
		}
	}
	p := &proposer{app: a, flags: f, w: w, on: head}
	if err := p.connect(ctx, access); err != nil {
		return nil, err
	}
	err = p.run(ctx)
	return p.results, err
}

// proposer keeps the pull requests of one repository.
type proposer struct {
	*app
	flags *fixPRFlags
	w     *workspace.Workspace
	on    string
	base  string
	// hub is the repository on GitHub, nil where a dry run has no token.
	hub     *github.Repository
	style   pullrequest.Style
	dirs    []string // of the projects, nil where they do not count
	told    bool     // something was said
	results []pullrequest.Result
}

// connect finds out where the repository is on GitHub, and which branch is to be mended.
func (p *proposer) connect(ctx context.Context, access github.Access) error {
	git := p.outside().Git()
	origin := ""
	if access.Repository == "" {
		origin = git.Origin(ctx, p.w.Root)
		access.Repository = repositoryIn(origin)
	}
	p.base = cmp.Or(p.flags.base, git.CurrentBranch(ctx, p.w.Root))
	switch {
	case access.Token == "" && p.flags.dryRun:
		p.style = pullrequest.StyleOf(git.Titles(ctx, p.w.Root, 50))
		return nil
	case access.Token == "":
		return errors.New("fix-pr needs a token in GITHUB_TOKEN or GH_TOKEN")
	case !strings.Contains(access.Repository, "/"):
		return errors.New("which repository on GitHub this is is not known: name it with --repository OWNER/NAME")
	case p.flags.isOnGitHub && isElsewhere(origin):
		return fmt.Errorf("the remote origin is at %s, and not at github.com: name its API with GITHUB_API_URL, as in https://HOST/api/v3", hostIn(origin))
	}
	hub, err := access.Open(ctx)
	if err != nil {
		return err
	}
	p.hub, p.base = hub, cmp.Or(p.base, hub.DefaultBranch)
	if isQueue := strings.HasPrefix(p.base, "gh-readonly-queue/"); isQueue || p.base == p.flags.branch || strings.HasPrefix(p.base, p.flags.branch+"-") {
		return fmt.Errorf("%s is no branch to mend: run it on the one that the fixes are for", p.base)
	}
	titles, err := hub.Titles(ctx, p.on, 50)
	if errors.Is(err, github.ErrNoCommit) && p.flags.dryRun {
		titles = git.Titles(ctx, p.w.Root, 50)
	} else if errors.Is(err, github.ErrNoCommit) {
		return fmt.Errorf("GitHub does not have the commit %.12s: push it first", p.on)
	} else if err != nil {
		return err
	}
	p.style = pullrequest.StyleOf(titles)
	return nil
}

// repositoryIn returns owner and name in the address of a clone, "" if it is none of
// GitHub's form.
func repositoryIn(origin string) string {
	path := strings.TrimSuffix(strings.TrimSuffix(origin, "/"), ".git")
	path = strings.ReplaceAll(path, ":", "/")
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts[len(parts)-2:], "/")
}

// isElsewhere reports whether the address of a clone names a server that is not
// github.com, which must not be sent the token of that. A name without a dot may be one that
// only the settings of ssh know.
func isElsewhere(origin string) bool {
	host := hostIn(origin)
	return strings.Contains(host, ".") && host != "github.com" && !strings.HasSuffix(host, ".github.com")
}

// hostIn returns the host in the address of a clone, "" if it has none: it is a URL, or
// HOST:PATH with or without a user.
func hostIn(origin string) string {
	if strings.Contains(origin, "://") {
		u, err := url.Parse(origin)
		if err != nil {
			return ""
		}
		return strings.ToLower(u.Hostname())
	}
	before, _, found := strings.Cut(origin, ":")
	if !found || strings.Contains(before, "/") {
		return ""
	}
	return strings.ToLower(before[strings.LastIndex(before, "@")+1:])
}

// run brings one pull request up to date, or one for each project. Those of branches that
// are no longer used, because projects have gone or the flag has changed, are closed.
func (p *proposer) run(ctx context.Context) error {
	branches := map[string]string{p.flags.branch: ""} // the directory of their projects
	if p.isPart() && p.flags.branch == defaultFixBranch {
		dir := strings.Join(p.w.Options.Targets, " ")
		branches = map[string]string{p.flags.branch + "-" + slug(dir): dir}
	}
	if p.flags.group.value == groupProject {
		fixable, err := p.fixableProjects(ctx)
		if err != nil {
			return err
		}
		clear(branches)
		for dir := range fixable {
			branches[p.flags.branch+"-"+slug(dir)] = dir
		}
	}
	for _, branch := range slices.Sorted(maps.Keys(branches)) {
		dir := branches[branch]
		err := p.keep(ctx, branch, dir, func(file string) bool { return p.dirs == nil || p.projectOf(file) == dir })
		if err != nil {
			return err
		}
	}
	if err := p.closeOthers(ctx, branches); err != nil || p.told {
		return err
	}
	_, err := fmt.Fprintln(p.env.Stdout, "there is nothing to mend")
	return source.WriteFailed("standard output", err)
}

// fixableProjects returns the directories of the projects that have something to mend.
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
		if f := &first.Findings[i]; slices.ContainsFunc(f.Places(), func(at *checks.Finding) bool { return len(at.Fixes) > 0 }) {
			fixable[p.projectOf(f.File.Path)] = true
		}
	}
	return fixable, nil
}

// isPart reports whether only a part of the repository is looked at.
func (p *proposer) isPart() bool { return !slices.Contains(p.w.Options.Targets, "") }

// closeOthers closes the pull requests of ours for the same base from branches that are
// not among those that are used. A run for a part of the repository leaves them to others.
func (p *proposer) closeOthers(ctx context.Context, used map[string]string) error {
	if p.hub == nil || p.isPart() {
		return nil
	}
	open, err := p.hub.OpenPullRequests(ctx, p.flags.branch)
	if err != nil {
		return err
	}
	for _, branch := range slices.Sorted(maps.Keys(open)) {
		_, isUsed := used[branch]
		if isUsed || !pullrequest.IsOurs(open[branch]) || open[branch].Base != p.base || branch != p.flags.branch && !strings.HasPrefix(branch, p.flags.branch+"-") {
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
	for at := range mcp.Upwards(directory(file)) {
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
		p.told = true
		return nil // what could not be checked may be what is left
	case p.flags.dryRun:
		return p.printProposal(proposal, state.Plan(proposal))
	}
	result, err := pullrequest.Apply(ctx, p.hub, state, proposal)
	p.results = append(p.results, result)
	if err != nil {
		return p.ofWorkflows(proposal, err)
	}
	return p.printResult(branch, result)
}

// propose works out what there is to mend, and reports whether everything could be
// checked.
func (p *proposer) propose(ctx context.Context, state *pullrequest.State, isIn func(file string) bool) (*pullrequest.Proposal, bool, error) {
	refused, counted := 0, false
	steps, outcome, err := fix.Steps(ctx, fix.Options{
		Source: p.w.Options.Source, Allow: p.allowed(), Refuses: p.refuses(),
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
	p.printProblems(v)
	if len(outcome.Before.Errors) > 0 {
		p.code = exitIncomplete
	}
	if err := p.printHeldBack(outcome); err != nil {
		return nil, false, err
	}
	proposal := &pullrequest.Proposal{
		Branch: state.Branch, Base: p.base, On: p.on, Labels: p.flags.labels, Assignees: p.flags.assignees,
		Draft: p.flags.draft, SignOff: p.flags.signOff, Commits: p.commits(steps), Fixes: p.fixedPrints(outcome),
	}
	m := &fixedResult{Outcome: outcome}
	var body bytes.Buffer
	err = report.WritePullRequest(&body, report.PullRequest{Fixes: m.shown(v, nil, true), Safety: p.allowed(), Refused: refused})
	proposal.Body = body.String()
	return proposal, len(outcome.Before.Errors) == 0, err
}

// ofWorkflow is why a file is not changed that stands where workflows do: GitHub takes a
// commit with one from no token without a permission that a job cannot have, and refuses
// all of it (docs: "Permissions required for GitHub Apps", workflows).
const ofWorkflow = "GitHub lets no job change what is below .github/workflows: mcplumb check --fix does it, or --workflows with a token that may"

// refuses returns what says why files are not to be changed.
func (p *proposer) refuses() func(path string) string {
	refuses := p.w.Refuses()
	return func(path string) string {
		if !p.flags.workflows && strings.HasPrefix(path, ".github/workflows/") {
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
				return fmt.Errorf("%w: a token that may not write workflows changes nothing below .github/workflows, so leave out --workflows (fix-workflows in the action)", err)
			}
		}
	}
	return err
}

// printHeldBack says how many fixes are held back because of where their files stand: a
// run with no others has no pull request to say it in.
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
	p.told = true
	_, err := fmt.Fprintf(p.env.Stdout, "%s held back: %s\n", counted(held, "fix")+" "+isOrAre(held), ofWorkflow)
	return source.WriteFailed("standard output", err)
}

// allowed is what may be done.
func (p *proposer) allowed() checks.Safety {
	if p.flags.safety.value == checks.Unsafe.String() {
		return checks.Unsafe
	}
	return checks.Safe
}

// withhold takes the fixes from findings that are not to be mended here: those of other
// projects, and those that people have refused, which it counts.
func (p *proposer) withhold(result *lint.Result, state *pullrequest.State, isIn func(file string) bool) (refused int) {
	shown := view.New(p.w.Viewed(result)).Findings(checks.Note)
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
	for _, f := range view.New(p.w.Viewed(outcome.After)).Findings(checks.Note) {
		left[f.Fingerprint()] = true
	}
	var prints []string
	for _, f := range view.New(p.w.Viewed(outcome.Before)).Findings(checks.Note) {
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

// printProposal prints what a run without --dry-run would propose.
func (p *proposer) printProposal(proposal *pullrequest.Proposal, plan pullrequest.Result) error {
	if len(proposal.Commits) == 0 && plan == (pullrequest.Result{Operation: pullrequest.Unchanged}) {
		return nil
	}
	p.told = true
	var out bytes.Buffer
	fmt.Fprintf(&out, "branch: %s, for %s at %.12s\n", view.NewText(proposal.Branch), view.NewText(proposal.Base), proposal.On)
	if p.hub != nil {
		fmt.Fprintf(&out, "what to do: %s\n", saidOf(plan))
	}
	for _, c := range proposal.Commits {
		title, _, _ := strings.Cut(c.Message, "\n")
		fmt.Fprintf(&out, "commit: %s\n", title)
		for _, f := range c.Files {
			fmt.Fprintf(&out, "  %s\n", view.NewText(f.Path))
		}
	}
	if len(proposal.Commits) > 0 {
		fmt.Fprintf(&out, "title: %s\n\n%s\n", proposal.Title, proposal.Body)
	}
	_, err := p.env.Stdout.Write(out.Bytes())
	return source.WriteFailed("standard output", err)
}

// printResult prints what was done, in a line.
func (p *proposer) printResult(branch string, result pullrequest.Result) error {
	if result == (pullrequest.Result{Operation: pullrequest.Unchanged}) {
		return nil
	}
	p.told = true
	_, err := fmt.Fprintf(p.env.Stdout, "%s: %s\n", view.NewText(branch), saidOf(result))
	return source.WriteFailed("standard output", err)
}

// saidOf says what was done, or would be.
func saidOf(result pullrequest.Result) string {
	text := result.Operation
	if result.Operation == pullrequest.Unchanged {
		text = "nothing to do"
	}
	if result.Number > 0 {
		text += fmt.Sprintf(", #%d %s", result.Number, result.URL)
	}
	if result.Why != "" {
		text += ": " + result.Why
	}
	return view.NewText(text).String()
}
