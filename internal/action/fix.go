package action

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// fix proposes fixes as the input fix says, and returns the outputs for that. What
// GitHub does not do fails no step: the findings are in the log.
func (s *step) fix(ctx context.Context, in *inputs, request Request) []output {
	if in.fix == none {
		return nil
	}
	event := s.Getenv("GITHUB_EVENT_NAME")
	r := FixRequest{Request: request, Access: s.access(), Safety: in.fixSafety, Group: in.fixGroup, Labels: in.fixLabels, SignOff: in.fixSignOff, Workflows: in.fixWorkflows}
	isPull := strings.HasPrefix(event, "pull_request")
	switch {
	case event == "pull_request_target":
		s.annotate(rule.Warning, "no fixes are proposed for pull_request_target: the checkout may be from a stranger, and the token may write")
	case in.fix == suggest && !isPull:
		s.annotate(rule.Warning, "fix: suggest needs a pull request to suggest in, and the event "+event+" has none")
	case in.fix == pullRequest && isPull:
		s.annotate(rule.Warning, "fix: pull-request fixes a branch of the repository, and this is a pull request: fix: suggest suggests in it")
	case r.Token == "":
		s.annotate(rule.Warning, "no fixes are proposed: the token is missing")
	case in.fix == suggest:
		s.suggest(ctx, r)
	default:
		return s.pullRequest(ctx, r)
	}
	return nil
}

// pullRequest keeps the pull request with fixes, and returns the outputs that tell of it.
func (s *step) pullRequest(ctx context.Context, r FixRequest) []output {
	if s.Getenv("GITHUB_REF_TYPE") == "tag" {
		s.annotate(rule.Warning, "no pull request: a tag is checked out, not a branch")
		return nil
	}
	r.Branch = s.Getenv("GITHUB_REF_NAME")
	if main := s.event().Repository.DefaultBranch; main != "" && r.Branch != "" && r.Branch != main {
		s.annotate(rule.Warning, "no pull request: the fixes are for the default branch "+main+", and this is a run for "+r.Branch)
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	results, err := s.FixPullRequest(limited, r)
	switch isThere := slices.ContainsFunc(results, func(r pullrequest.Result) bool { return r.Number > 0 }); {
	case err != nil && isThere:
		s.annotate(rule.Warning, "the pull request is not as it should be: "+err.Error())
	case err != nil:
		s.annotate(rule.Warning, "no pull request: "+err.Error())
	}
	reported := pullrequest.Result{Operation: pullrequest.Unchanged}
	for _, result := range results {
		if result.Why != "" {
			s.annotate(rule.Warning, "the pull request is not updated: "+result.Why)
		}
		if reported.Number == 0 || reported.Operation == pullrequest.Unchanged && result.Operation != pullrequest.Unchanged {
			reported = result
		}
	}
	number := ""
	if reported.Number > 0 {
		number = strconv.Itoa(reported.Number)
	}
	return []output{{"pull-request-operation", reported.Operation}, {"pull-request-number", number}, {"pull-request-url", reported.URL}}
}

// suggest suggests fixes in the pull request of the event, if its branch is one of the
// repository: the token of a fork's may not write.
func (s *step) suggest(ctx context.Context, r FixRequest) {
	pull := s.event().PullRequest
	if pull.Number == 0 || !strings.EqualFold(pull.Head.Repo.FullName, r.Repository) {
		s.annotateOnce(rule.Warning, "fork", "no suggestions: the pull request does not come from a branch of this repository, so the token cannot write to it")
		return
	}
	limited, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	done, outside, err := s.makeSuggestions(limited, r, pull.Number, pull.Head.SHA)
	switch {
	case err != nil:
		s.annotate(rule.Warning, "not everything is suggested: "+err.Error())
	case done.Why != "":
		_, _ = fmt.Fprintf(s.Log, "no suggestions: %s\n", done.Why)
		return
	}
	_, _ = fmt.Fprintf(s.Log, "suggested: %d new, %d already there, %d removed", done.Made, done.Known, done.Removed)
	if done.TooMany > 0 {
		_, _ = fmt.Fprintf(s.Log, ", %d waiting for room", done.TooMany)
	}
	_, _ = fmt.Fprintf(s.Log, "; fixes outside of what the pull request shows: %d\n", outside)
}

func (s *step) makeSuggestions(ctx context.Context, r FixRequest, number int, head string) (done pullrequest.Suggested, outside int, err error) {
	hub, err := r.Open(ctx)
	if err != nil {
		return done, 0, err
	}
	hub.Needs = "pull-requests: write"
	files, err := hub.ChangedFiles(ctx, number)
	if err != nil {
		return done, 0, err
	}
	found, err := s.Suggest(ctx, r, files)
	if err != nil {
		return done, 0, err
	}
	done, err = pullrequest.Suggest(ctx, hub, number, head, found)
	return done, found.Outside, err
}

// judgeLock reports that mcplumb.lock is out of sync, and returns the exit code.
func (s *step) judgeLock(in *inputs, code int) int {
	if code == 0 {
		return 0
	}
	message := "mcplumb.lock is out of sync with the configuration: the log lists the differences; run mcplumb lock to fix them"
	if in.failOn == never {
		s.annotate(rule.Warning, message)
		return 0
	}
	s.annotate(rule.Error, message)
	return code
}
