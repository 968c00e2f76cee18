package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// answer is what GitHub says to a request about an upload. Members are empty where
// the answer is another one, or none of GitHub's.
type answer struct {
	*github.Response `json:"-"`
	// ID is that of the upload.
	ID string `json:"id"`
	// Status and Errors say how far GitHub is with it, and what it refuses (docs:
	// "Get information about a SARIF upload").
	Status string   `json:"processing_status"`
	Errors []string `json:"errors"`
}

// ask asks about an upload. The answer is nil without one. A client of the library refuses to
// ask again after a rate limit, so each request has a new one.
func (a *Analysis) ask(ctx context.Context, method, path string, body any) (*answer, error) {
	client, owner, name, err := a.client()
	if err != nil {
		return nil, err
	}
	request, err := client.NewRequest(method, "repos/"+owner+"/"+name+"/code-scanning/sarifs"+path, body)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	response, err := client.Do(ctx, request, &content)
	if response == nil {
		return nil, err
	}
	var taken *github.AcceptedError // the library's word for 202
	if errors.As(err, &taken) {
		content.Write(taken.Raw)
		err = nil
	}
	said := &answer{}
	if json.Unmarshal(content.Bytes(), said) != nil {
		said = &answer{} // no answer of the API
	}
	said.Response = response
	return said, err
}

// uploadError says what a failure means.
func uploadError(r *answer, err error) error {
	if r == nil {
		return fmt.Errorf("no answer: %s", said(err))
	}
	status, message := r.StatusCode, said(err)
	switch {
	case isLimit(r.Response, err):
		return fmt.Errorf("the rate limit of GitHub is reached (%d: %s)", status, message)
	case status == http.StatusForbidden && (strings.Contains(message, "must be enabled") || strings.Contains(message, "not enabled")):
		return fmt.Errorf("code scanning is not enabled for this repository (%d: %s)", status, message)
	case status == http.StatusForbidden:
		return fmt.Errorf("the token may not upload: the job needs the permission security-events: write (%d: %s)", status, message)
	case status == http.StatusNotFound:
		return fmt.Errorf("GitHub cannot find the repository, or the token may not see it: the job needs the permission security-events: write (%d: %s)", status, message)
	}
	return fmt.Errorf("GitHub answers %d: %s", status, message)
}

// isLimit reports that an answer, whose body has been read, is that of a rate limit.
func isLimit(r *github.Response, err error) bool {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	return errors.As(err, &primary) || errors.As(err, &secondary) || r.StatusCode == http.StatusTooManyRequests ||
		r.StatusCode == http.StatusForbidden && (r.Header.Get("Retry-After") != "" || strings.Contains(strings.ToLower(said(err)), "rate limit"))
}
