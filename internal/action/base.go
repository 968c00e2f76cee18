package action

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
)

// Base is what findings are compared with: only those that it does not have are
// reported.
type Base struct {
	// Rev is a revision, "" for nothing.
	Rev string
	// IsOfEvent reports that no input named it: if it is not available, all findings are
	// reported, with a notice.
	IsOfEvent bool
}

// none is the input base of those who want all findings.
const none = "none"

// base returns what the input says, or the event. An event that should say it and does
// not is no reason to fail: all findings are reported.
func (s *step) base(ctx context.Context, in *inputs) Base {
	switch in.base {
	case none:
		return Base{}
	case auto:
		rev, problem := s.baseOfEvent(ctx, in.dir)
		if problem != "" {
			s.annotate(rule.Warning, problem+": all findings are reported, but not the changes")
		}
		return Base{Rev: rev, IsOfEvent: true}
	}
	return Base{Rev: in.base}
}

// baseOfEvent returns what an event brings a change to, "" for an event that brings
// none or, with a problem, where that is not known. The author of a pull request
// writes much of what an event says: only commits and the name of a branch are taken
// from it.
func (s *step) baseOfEvent(ctx context.Context, dir string) (rev, problem string) {
	const unsaid = "the event does not say what the change is compared with"
	switch name := s.Getenv("GITHUB_EVENT_NAME"); {
	case strings.HasPrefix(name, "pull_request"):
		rev, problem = s.baseOfPull(ctx, dir)
	case name == "merge_group":
		rev = s.event().MergeGroup.BaseSHA
	case name == "push":
		return s.baseOfPush(unsaid)
	default:
		return "", ""
	}
	if problem == "" && !isCommit(rev) {
		return "", unsaid
	}
	return rev, problem
}

// baseOfPull returns what a pull request would be merged into. For the commit that
// GitHub merges to try that, it is the first parent, which is newer than what the event
// says if the branch has gone on.
func (s *step) baseOfPull(ctx context.Context, dir string) (rev, problem string) {
	pull := s.event().PullRequest
	parents, err := s.Git.Parents(ctx, dir)
	if err == nil && len(parents) == 2 && parents[1] == pull.Head.SHA {
		return parents[0], ""
	}
	head, err := s.Git.Head(ctx, dir)
	if err == nil && head == pull.Base.SHA { // as pull_request_target does by itself
		return "", "the checkout is not the pull request, but its target branch"
	}
	return pull.Base.SHA, ""
}

// baseOfPush returns the branch that others come from: what a push brought before, its
// branch still brings. The default branch itself is compared with nothing.
func (s *step) baseOfPush(unsaid string) (rev, problem string) {
	branch, isBranch := strings.CutPrefix(s.Getenv("GITHUB_REF"), "refs/heads/")
	from := s.event().Repository.DefaultBranch
	switch {
	case !isBranch, branch == from:
		return "", ""
	case from == "":
		return "", unsaid
	}
	return "refs/remotes/origin/" + from, ""
}

// isCommit reports whether a text is the whole name of a commit.
func isCommit(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// sayCompared says in the log what the findings were compared with.
func (s *step) sayCompared(with string) {
	if with != "" {
		_, _ = fmt.Fprintf(s.Log, "compared with %s\n", with)
	}
}
