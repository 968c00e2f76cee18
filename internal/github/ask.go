package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

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

// ask asks once. The answer is nil if there was none. A client of the library
// refuses to ask again after a rate limit, so each request has a new one.
func (u *uploader) ask(ctx context.Context, method, path string, body any) (*answer, error) {
	if u.AnswerTime > 0 {
		limited, cancel := context.WithTimeout(ctx, u.AnswerTime)
		defer cancel()
		ctx = limited
	}
	client := github.NewClient(&http.Client{CheckRedirect: sameHost}).WithAuthToken(u.Token)
	client.BaseURL = u.base
	request, err := client.NewRequest(method, path, body)
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
	a := &answer{}
	if json.Unmarshal(content.Bytes(), a) != nil {
		a = &answer{} // no answer of the API
	}
	a.Response = response
	return a, err
}

// errElsewhere says that a redirect was not followed.
var errElsewhere = errors.New("the API points elsewhere")

// sameHost refuses to be sent to another host: the token would go with it. A
// redirect that makes another request of it (301, 302) is refused, too.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0]
	if len(before) > 5 || next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme || next.Method != first.Method {
		return errElsewhere
	}
	return nil
}

// maxPause is the longest that GitHub may ask to wait before another attempt.
const maxPause = 90 * time.Second

// pauseAfter returns how long to wait before the next attempt, and whether one
// makes sense: there was no answer, or one that says so. GitHub says how long in
// Retry-After, or when its rate limit ends (docs: "Rate limits for the REST API",
// "Exceeding the rate limit").
func pauseAfter(r *answer, err error, attempt int) (pause time.Duration, again bool) {
	pause = time.Duration(attempt) * 2 * time.Second
	if r == nil {
		return pause, !errors.Is(err, errElsewhere)
	}
	limited := isLimited(r, err)
	if !limited && r.StatusCode < http.StatusInternalServerError {
		return 0, false
	}
	if asked, ok := askedPause(r.Header); ok {
		pause = max(asked, 0)
	} else if limited {
		pause = time.Minute
	}
	return pause, pause <= maxPause
}

// askedPause returns how long GitHub asks to wait, false if it does not say.
func askedPause(header http.Header) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	end, err := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil || header.Get("X-RateLimit-Remaining") != "0" {
		return 0, false
	}
	now, err := http.ParseTime(header.Get("Date")) // by the clock that set the end
	return time.Unix(end, 0).Sub(now), err == nil
}

// isLimited reports that too much was asked: more than the rate limit of the token,
// or more than GitHub likes at once.
func isLimited(r *answer, err error) bool {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	return r.StatusCode == http.StatusTooManyRequests || errors.As(err, &primary) || errors.As(err, &secondary) ||
		r.StatusCode == http.StatusForbidden && (r.Header.Get("Retry-After") != "" || strings.Contains(strings.ToLower(said(err)), "rate limit"))
}

// uploadError says what a failure means.
func uploadError(r *answer, err error) error {
	if r == nil {
		return fmt.Errorf("no answer: %w", err)
	}
	status, message := r.StatusCode, said(err)
	switch {
	case isLimited(r, err):
		return fmt.Errorf("the rate limit of GitHub is reached (%d: %s)", status, message)
	case status == http.StatusForbidden && (strings.Contains(message, "must be enabled") || strings.Contains(message, "not enabled")):
		return fmt.Errorf("code scanning is not enabled for this repository (%d: %s)", status, message)
	case status == http.StatusForbidden:
		return fmt.Errorf("the token may not: the job needs the permission security-events: write (%d: %s)", status, message)
	case status == http.StatusNotFound:
		return fmt.Errorf("GitHub knows no such repository, or the token may not see it: the job needs the permission security-events: write (%d: %s)", status, message)
	}
	return fmt.Errorf("GitHub answers %d: %s", status, message)
}

// said returns what GitHub says of a failure, with everything it found wrong. The
// library's own text has the address.
func said(err error) string {
	var answer *github.ErrorResponse
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	switch {
	case errors.As(err, &primary):
		return primary.Message
	case errors.As(err, &secondary):
		return secondary.Message
	case !errors.As(err, &answer):
		return err.Error()
	}
	parts := []string{answer.Message}
	for _, e := range answer.Errors {
		part := e.Message
		if part == "" {
			part = strings.TrimSpace(e.Resource + " " + e.Field + " " + e.Code)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
