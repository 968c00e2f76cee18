package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/report"
)

// comment keeps the comment of the pull request up to date, if there is one and the input wants
// it. What GitHub does not do fails no step: the summary of the job says the same.
func (s *step) comment(ctx context.Context, in *inputs, result *Result, o report.Options) {
	event := s.Getenv("GITHUB_EVENT_NAME")
	pull := s.event().PullRequest
	access := s.access()
	switch {
	case !in.comment:
		return
	case event == "pull_request_target":
		s.annotate(rule.Warning, "no comment for pull_request_target: the checkout may be from a stranger, and the token may write")
		return
	case !strings.HasPrefix(event, "pull_request") || pull.Number == 0:
		_, _ = fmt.Fprintln(s.Log, "no comment: the event has no pull request")
		return
	case access.Token == "":
		s.annotate(rule.Warning, "no comment: there is no token")
		return
	}
	var text bytes.Buffer
	if err := report.WriteMarkdown(&text, result.View, o); err != nil {
		s.annotate(rule.Warning, "no comment: "+err.Error())
		return
	}
	brought := result.View.Brought()
	m := pullrequest.Remark{
		Part: strings.Join(append([]string{filepath.ToSlash(in.part)}, in.paths...), "\n"), Text: text.String(),
		Says: len(result.View.Findings(o.Severity)) > 0 || len(result.View.Problems()) > 0 || brought != nil && brought.Len() > 0,
	}
	limited, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	operation, why, err := keepRemark(limited, access, &m, pull.Number, pull.Head.SHA)
	var failure *github.Failure
	isFork := !strings.EqualFold(pull.Head.Repo.FullName, access.Repository)
	switch {
	case isFork && errors.As(err, &failure) && failure.IsForbidden():
		s.annotateOnce(rule.Note, "comment", "no comment: the pull request is from a fork, for which the token may only read; the job summary has the same content")
	case err != nil:
		s.annotate(rule.Warning, "no comment: "+err.Error())
	case why != "":
		_, _ = fmt.Fprintf(s.Log, "no comment: %s\n", why)
	default:
		_, _ = fmt.Fprintf(s.Log, "comment: %s\n", operation)
	}
}

func keepRemark(ctx context.Context, access github.Access, m *pullrequest.Remark, number int, head string) (operation, why string, err error) {
	hub, err := access.Open(ctx)
	if err != nil {
		return "", "", err
	}
	hub.Needs = "pull-requests: write"
	return m.Keep(ctx, hub, number, head)
}

// sources says where people can open the files of a report: in the commit that is checked out,
// if that belongs to the repository of the workflow.
func (s *step) sources(ctx context.Context, in *inputs, result *Result, place string) report.Sources {
	repository, server := s.Getenv("GITHUB_REPOSITORY"), strings.TrimSuffix(s.Getenv("GITHUB_SERVER_URL"), "/")
	if place != "" || !result.Git || repository == "" || server == "" {
		return report.Sources{}
	}
	commit, _, err := s.analysed(ctx, in, result.Root)
	if err != nil || !isCommit(commit) {
		return report.Sources{}
	}
	files := server + "/" + repository + "/blob/"
	sources := report.Sources{Now: files + commit + "/"}
	if isCommit(result.BaseCommit) {
		sources.Base = files + result.BaseCommit + "/"
	}
	return sources
}
