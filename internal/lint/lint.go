// Package lint runs the rules over a repository. Every step is a function of what the step before
// returned:
//
//	Discover  which files there are to read          discover.go
//	Read      files become documents, or findings    read.go
//	Link      how documents refer to each other      package link
//	Facts     what is known from elsewhere           packages installed and instep, mentioned.go, Options.Ask
//	Check     every rule on every project            check.go
//	Refine    which findings remain, and how         refine.go
//	Grade     which safe fixes are unsafe here       grade.go
//	Mention   what texts say that fixes do not know  mentions.go
//
// It knows no command line, no environment, no clock and no disk. Its caller provides what it needs
// of them.
package lint

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Options say what to check.
type Options struct {
	// Source is where files come from.
	Source source.Tree
	// Targets are the files and directories to report, from the root; none means the root. Files
	// are read regardless of their names, as are the files that they are compared with.
	Targets []string
	// Listed reports that Source knows its files without looking for them, as git
	// does. Elsewhere only the directories above the targets are searched for what
	// these are compared with, at the paths that formats name.
	Listed bool
	// Current is the current directory, from the root: a user who is in a directory of test data
	// and names a file there means that file.
	Current string
	// Settings are those of the repository, nil for none.
	Settings *policy.Settings
	// Baseline holds findings that are not reported, nil for none.
	Baseline *policy.Baseline
	// Checks are the rules to run, regardless of the settings; nil means all that the settings do
	// not disable.
	Checks []*rule.Rule
	// Narrowed reports that this run excludes files that others read, so that it
	// cannot tell which ignores are needed.
	Narrowed bool
	// NoIgnore reports what is ignored as well, and no ignores.
	NoIgnore bool
	// NoComments disables ignores in comments.
	NoComments bool
	// Always is the ID of a rule whose findings neither ignores nor the baseline hide, ""
	// for none.
	Always string
	// Base is what is compared with, nil for nothing: only what is new since then is
	// reported, and rules see what there was.
	Base source.Tree
	// BaseRev is what people call the base, "" for nothing.
	BaseRev string
	// BaseSettings are the settings of the base, nil if unknown.
	BaseSettings *policy.Settings
	// Ask asks registries about what was read and stores their answers in it. It returns a sentence
	// about each registry that did not answer. Its error is that of the context: then the run goes
	// on with the facts so far. Nil asks no registry.
	Ask func(context.Context, *mcp.Repo) (silent []string, err error)
	// Policies are managed lists of servers that clients follow.
	Policies []*allow.Policy
	// Approved is the catalog of the organization, nil for none; Ask may leave another one.
	Approved *mcp.Approved
	// Today is the date, as 2006-01-02, that tells which ignores have expired;
	// without it none has.
	Today string
	// Compares requests the client files of each project side by side if the settings name no files
	// to keep in sync.
	Compares bool
	// Kept is what the previous run over nearly the same files left, nil for nothing, and with a
	// base: facts that it does not have are left in it for the next run. Changed are the files that
	// may differ from that run, sorted, nil for any. Edited are those that a person is editing: if
	// one does not parse, its last text that did counts for others.
	Kept    *Kept
	Changed []string
	Edited  map[string]bool
	// atBase is what ignores are compared with, nil for nothing.
	atBase *policy.AtBase
	// all also reports what is outside of the targets, as far as it was read.
	all bool
	// Progress gets how far the run is; nil if that is not shown.
	Progress *Progress
	// manifests notes the files that may decide what servers run, when two trees are compared.
	manifests *installed.Beside
}

// Result is what a run found.
type Result struct {
	// Repo is the part that was requested, Whole everything that was read.
	Repo, Whole *mcp.Repo
	// Findings are sorted by path, place, rule and message.
	Findings []rule.Finding
	// Unmerged are the findings before those that are one problem were joined, and before
	// a base has left any out.
	Unmerged []rule.Finding
	// Errors say what was not checked, sorted by path. They do not stop a run.
	Errors []FileError
	// Silent are those of Errors that say that a registry did not answer.
	Silent []FileError
	// Full are those of Errors that say that there is more than there is room for.
	Full []FileError
	// Nested are the repositories within this one, from the root, that were not
	// looked into: submodules that are checked out, and others.
	Nested []string
	// Groups are the files to show side by side, without groups that have no file among the
	// targets.
	Groups []*mcp.Group
	// Files and Servers count what was read.
	Files, Servers int
	// Suppressed counts the findings that ignores and the baseline hide.
	Suppressed int
	// Old counts the findings that are not reported because the base also has them.
	Old int
	// BaseProjects counts the projects of the base that were read, because a change
	// concerns them.
	BaseProjects int
	// Change is the summary of the change, nil without a base; Before is the part of the base that
	// was read for it.
	Change *compare.Summary
	Before *mcp.Repo
	// Covers reports whether the targets include a file.
	Covers func(path string) bool
	// Known counts the files among the targets whose paths a format knows, regardless of their
	// contents. Excluded are those that were not read because of the settings, sorted.
	Known    int
	Excluded []string
	// Notices say, in a sentence each, what the settings keep from being found.
	Notices []string
}

// FileError says why a file, or a rule on a project, was not checked.
type FileError struct {
	Path    string // from the root
	Message string
}

func (e *FileError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Run checks a repository. Its error is that of the context.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Settings == nil {
		o.Settings = &policy.Settings{}
	}
	if o.Base != nil {
		o.Kept = nil
		return runSince(ctx, o)
	}
	g, err := gather(ctx, o, nil)
	if err != nil {
		return nil, err
	}
	ctx = g.detached(ctx)
	result, err := judge(ctx, o, g, nil)
	if err != nil {
		return nil, err
	}
	grade(ctx, o, result.Findings)
	err = annotateMentions(ctx, o, g.scope, result.Findings)
	if err == nil && o.Kept != nil {
		o.Kept.keep(&o, g)
	}
	return result, err
}

// gathered is what was read, before any rule runs.
type gathered struct {
	scope *scope
	found discovered
	files files
	repo  *mcp.Repo
	// notices report what the settings name without effect.
	notices []string
	// full reports that more differs between files to keep in sync than there is room for.
	full []FileError
	// silent says which registries did not answer.
	silent []FileError
	// touched are the directories of projects whose servers run by files that changed in addition
	// to their own.
	touched map[string]bool
	// known is what rules are known to report about projects, by directory, and outcomes what they
	// have reported.
	known, outcomes map[string]outcome
	// isHurried reports that the user stopped the run while registries were asked.
	isHurried bool
}

// detached returns the context to go on with: a user who does not want to wait for registries still
// wants to know what else was found.
func (g *gathered) detached(ctx context.Context) context.Context {
	if g.isHurried {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// gather reads a repository. Of the files to read, keep may leave some only; nil
// keeps all.
func gather(ctx context.Context, o Options, keep func(*discovered)) (*gathered, error) {
	if o.Kept != nil {
		if g, err := o.Kept.again(ctx, &o); g != nil || err != nil {
			return g, err
		}
	}
	scope, err := newScope(ctx, o)
	if err != nil {
		return nil, err
	}
	g := &gathered{scope: scope}
	o.Progress.begin(stepDiscover, 0)
	if g.found, err = discover(ctx, scope); err != nil {
		return nil, err
	}
	if keep != nil {
		keep(&g.found)
	}
	if g.files, err = read(ctx, scope, g.found.candidates, &o); err != nil {
		return nil, err
	}
	for _, part := range g.files.parts {
		part.Document.IsPersonal = part.Document.Scope == mcp.ScopeUser || g.found.isPersonal
	}
	g.repo = link.Repo(g.files.parts)
	g.repo.Policies, g.repo.Approved, g.repo.StaleBefore = o.Policies, o.Approved, staleBefore(o)
	o.Progress.begin(stepFacts, 0)
	unread, err := o.fill(ctx, g.repo)
	if err != nil {
		return nil, err
	}
	g.files.addUnread(scope, unread)
	g.compareGroups(ctx, o)
	if err := g.readMentions(ctx, o, everyProject); err != nil {
		return nil, err
	}
	g.ask(ctx, o)
	if o.Kept != nil {
		g.known = o.Kept.knownAfter(&o, g)
	}
	return g, nil
}

func everyProject(*mcp.Project) bool { return true }

// fill notes what is installed.
func (o *Options) fill(ctx context.Context, repo *mcp.Repo) ([]installed.Unread, error) {
	if o.Kept != nil {
		return o.Kept.fill(ctx, o, repo, everyProject)
	}
	return installed.Fill(ctx, o.Source, repo)
}

// ask asks registries, if that is wanted. What one does not say stays unknown: it is no
// finding, but something that was not checked.
func (g *gathered) ask(ctx context.Context, o Options) {
	if o.Ask == nil {
		return
	}
	o.Progress.begin(stepAsk, 0)
	silent, err := o.Ask(ctx, g.repo)
	for _, sentence := range silent {
		g.silent = append(g.silent, FileError{Message: sentence})
	}
	if g.isHurried = err != nil; g.isHurried {
		g.silent = append(g.silent, FileError{Message: "stopped before all registries had answered: what they would say is not reported"})
	}
}

// judge runs the rules over what was read. base is what they compare it with, nil for
// nothing.
func judge(ctx context.Context, o Options, g *gathered, base *compare.Base) (*Result, error) {
	scope, files := g.scope, &g.files
	rules := rulesOf(o)
	checked, err := g.check(ctx, base, rules, o.Progress)
	if err != nil {
		return nil, err
	}
	if o.Kept != nil {
		checked.findings = files.withoutStale(own(checked.findings))
	}
	checked.findings = g.withoutLocal(checks.WithoutLesser(checks.DropCovered(g.repo, rules, checked.findings)))
	part := scope.narrowed(g.repo, files.asked)
	result := &Result{
		Repo: part, Whole: g.repo, Groups: g.sideBySide(o), Files: files.count, Servers: countServers(part), Nested: scope.unentered(g.found.nested),
		Covers: func(path string) bool { return scope.isWhole() || files.asked[path] || scope.asks(path) },
		Known:  g.found.asked, Excluded: g.found.excluded,
		Full:   append(checked.full, g.full...),
		Errors: sortErrors(slices.Concat(scope.errorsWithin(g.found.errors), files.errors, g.silent, scope.errorsWithin(checked.errors))),
		Silent: g.silent,
	}
	isRead := scope.isWhole() && !o.Narrowed && !g.found.guessed && len(files.findings) == 0 && !slices.ContainsFunc(result.Errors, func(e FileError) bool { return e.Path != "" })
	result.Unmerged, result.Suppressed = refine(o, rules, run{
		repo: g.repo, unread: files.findings, found: scope.reported(checked.findings, files.asked),
		whole: isRead && len(result.Errors) == 0, isRead: isRead, paths: g.found.paths(),
	})
	// Findings about the policy itself are in the settings, or in a comment.
	result.Unmerged = scope.reported(result.Unmerged, files.asked)
	if o.Checks != nil {
		result.Unmerged = slices.DeleteFunc(result.Unmerged, func(f rule.Finding) bool { return !o.asks(f.Rule) })
	}
	result.Unmerged = withoutShared(g.repo, result.Unmerged)
	result.Findings = rule.Merge(result.Unmerged)
	result.Notices = append(notices(o, result), g.notices...)
	return result, nil
}

// notices says what the settings keep from being found as a whole: a change that
// switches the linter off would otherwise look like a clean repository.
func notices(o Options, r *Result) []string {
	var notices []string
	if n := len(r.Excluded); n > 0 && r.Files == 0 && len(r.Errors) == 0 {
		files := fmt.Sprintf("all %d files", n)
		if n == 1 {
			files = "the only file"
		}
		notices = append(notices, "nothing was checked: the settings exclude "+files+" that mcplumb would read")
	}
	if severity, set := o.Settings.Rules[checks.SyntaxError.ID]; set && severity == rule.Off && o.Checks == nil {
		notices = append(notices, "the settings turn "+checks.SyntaxError.ID+" off: a file that does not parse is not reported")
	}
	return notices
}

// HasUnread reports whether the servers of a file are unknown, because it does not parse.
func (r *Result) HasUnread() bool {
	return slices.ContainsFunc(r.Findings, func(f rule.Finding) bool { return f.Rule == checks.SyntaxError && f.Severity > rule.Note })
}

// Only returns a result with the findings of some rules and those of the linter itself;
// with all of them for nil.
func (r *Result) Only(rules []*rule.Rule) *Result {
	o, only := Options{Checks: rules}, *r
	isOther := func(f rule.Finding) bool { return !o.asks(f.Rule) }
	only.Unmerged = slices.DeleteFunc(slices.Clone(r.Unmerged), isOther)
	only.Findings = slices.DeleteFunc(slices.Clone(r.Findings), isOther)
	return &only
}

// asks reports whether findings of a rule were requested. Those of the linter itself always are.
func (o *Options) asks(rule *rule.Rule) bool {
	return o.Checks == nil || rule.Run == nil || slices.Contains(o.Checks, rule)
}

// rulesOf returns the rules to run. Whether an ignore hides anything is only known
// where the rule that it names has run.
func rulesOf(o Options) []*rule.Rule {
	if o.Checks == nil {
		return o.Settings.Checks()
	}
	if slices.Contains(o.Checks, checks.UnusedIgnore) {
		return checks.Join(o.Checks, o.Settings.Checks())
	}
	return o.Checks
}

// List reads a repository as Run does; with no Checks it runs none.
func List(ctx context.Context, o Options) (*Result, error) {
	if o.Checks == nil {
		o.Checks, o.NoIgnore = []*rule.Rule{}, true
	}
	return Run(ctx, o)
}

// countServers counts the entries of all files. One that has several names counts
// as the one that tells most of it.
func countServers(repo *mcp.Repo) int {
	count := 0
	most := map[*syntax.File]int{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if more := len(d.Servers) - most[d.File]; more > 0 {
				most[d.File] += more
				count += more
			}
		}
	}
	return count
}

// staleBefore returns the date before which the settings accept no last validation in a lockfile,
// "" if they do not limit it or the date is unknown.
func staleBefore(o Options) string {
	today, err := time.Parse(time.DateOnly, o.Today)
	if err != nil || o.Settings == nil || o.Settings.MaxLockAge == nil {
		return ""
	}
	return today.AddDate(0, 0, -*o.Settings.MaxLockAge).Format(time.DateOnly)
}
