package action

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// uploadTime is how long an upload may take, with all attempts and until GitHub has processed
// it; answerTime is how long one answer may.
const (
	uploadTime = 5 * time.Minute
	answerTime = 30 * time.Second
)

// upload sends the report to code scanning, and reports whether GitHub took it.
// That it does not is no reason to fail: the findings are in the log. place says
// why paths are wrong.
func (s *step) upload(ctx context.Context, in *inputs, result *Result, place string, sarif []byte) bool {
	if place == "" {
		place = s.partial(ctx, in, result)
	}
	commit, ref, err := s.analysed(ctx, in, result.Root)
	processed := false
	switch {
	case place != "":
		err = errors.New(place)
	case err != nil:
	case len(result.View.Problems()) > 0:
		err = errors.New("something could not be checked, and code scanning would close its alerts")
	default:
		limited, cancel := context.WithTimeout(ctx, uploadTime)
		defer cancel()
		analysis := &github.Analysis{
			Access: s.access(), Commit: commit, Ref: ref, SARIF: sarif,
		}
		processed, err = analysis.Upload(limited)
	}
	if err != nil {
		s.annotate(rule.Warning, "not uploaded to code scanning: "+err.Error())
		return false
	}
	s.sayUploaded(in.category, ref, processed)
	return true
}

// access is what the job has to speak to GitHub.
func (s *step) access() github.Access {
	return github.Access{
		API: s.Getenv("GITHUB_API_URL"), Token: s.Getenv("INPUT_TOKEN"), Repository: s.Getenv("GITHUB_REPOSITORY"),
		Wait: s.Wait, AnswerTime: answerTime,
	}
}

// sayUploaded says in the log where the alerts are.
func (s *step) sayUploaded(category, ref string, processed bool) {
	query := "is:open tool:mcplumb"
	if pull, found := strings.CutPrefix(ref, "refs/pull/"); found {
		number, _, _ := strings.Cut(pull, "/")
		query += " pr:" + number
	} else if branch, found := strings.CutPrefix(ref, "refs/heads/"); found {
		query += " branch:" + branch
	}
	server := strings.TrimSuffix(s.Getenv("GITHUB_SERVER_URL"), "/")
	if server == "" {
		server = "https://github.com"
	}
	state := ""
	if !processed {
		state = ", which GitHub has still to process"
	}
	category = strings.ReplaceAll(view.NewText(category).String(), "##[", "# #[") // an old form of a workflow command
	_, _ = fmt.Fprintf(s.Log, "uploaded to code scanning as the category %s%s: %s/%s/security/code-scanning?query=%s\n",
		category, state, server, s.Getenv("GITHUB_REPOSITORY"), url.QueryEscape(query))
}
