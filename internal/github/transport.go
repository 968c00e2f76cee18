package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Access says where GitHub is and who asks.
type Access struct {
	API        string // as GITHUB_API_URL: https://api.github.com
	Token      string
	Repository string // owner/name
	// Wait waits between two attempts, or returns the error of the context.
	Wait func(context.Context, time.Duration) error
	// AnswerTime is how long one answer may take, 0 for no limit.
	AnswerTime time.Duration
}

// errUnknown says that something which every request needs was not given.
var errUnknown = errors.New("the API, the token, or the repository is missing")

// client returns a client of the library for the repository.
func (a *Access) client() (c *github.Client, owner, name string, err error) {
	owner, name, found := strings.Cut(a.Repository, "/")
	if !found || a.Token == "" {
		return nil, "", "", errUnknown
	}
	c, err = a.connection()
	return c, owner, name, err
}

// connection returns a client of the library, which sends the token if there is one.
func (a *Access) connection() (*github.Client, error) {
	base, err := url.Parse(strings.TrimSuffix(a.API, "/") + "/")
	switch {
	case err != nil:
		return nil, err
	case base.Host == "":
		return nil, errUnknown
	}
	c := github.NewClient(&http.Client{
		Transport: &transport{next: http.DefaultTransport, wait: a.Wait, answerTime: a.AnswerTime}, CheckRedirect: sameHost,
	})
	if a.Token != "" {
		c = c.WithAuthToken(a.Token)
	}
	c.BaseURL = base
	return c, nil
}

// hide takes the token out of an error.
func (a *Access) hide(err error) error {
	if err == nil || a.Token == "" || !strings.Contains(err.Error(), a.Token) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), a.Token, "***"))
}

// attempts is how often something is asked while GitHub is out of order.
const attempts = 3

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 64 << 20

// transport is below all requests: it asks again where GitHub is out of order or says to
// come back later.
type transport struct {
	next       http.RoundTripper
	wait       func(context.Context, time.Duration) error
	answerTime time.Duration
}

// RoundTrip is that of http.RoundTripper. An answer has been read when it is returned.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := t.once(r)
		pause, again := pauseAfter(response, err, attempt)
		limited := response != nil && isLimited(response)
		if !again || attempt == attempts || !limited && !isRepeatable(r) || t.wait(r.Context(), pause) != nil {
			return response, err
		}
	}
}

// once sends a request, whose body can be had again, and reads the answer.
func (t *transport) once(r *http.Request) (*http.Response, error) {
	ctx, cancel := r.Context(), context.CancelFunc(func() {})
	if t.answerTime > 0 {
		ctx, cancel = context.WithTimeout(ctx, t.answerTime)
	}
	defer cancel()
	sent := r.Clone(ctx)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		sent.Body = body
	}
	response, err := t.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(content))
	return response, nil
}

// isRepeatable reports whether a request does the same when GitHub has had it
// already. Objects of git are named by what they are, and an upload replaces the one
// before.
func isRepeatable(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodPatch, http.MethodDelete:
		return true
	}
	for _, made := range []string{"/git/blobs", "/git/trees", "/git/commits", "/code-scanning/sarifs"} {
		if strings.HasSuffix(r.URL.Path, made) {
			return true
		}
	}
	return false
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
func pauseAfter(r *http.Response, err error, attempt int) (pause time.Duration, again bool) {
	pause = time.Duration(attempt) * 2 * time.Second
	if r == nil {
		return pause, !errors.Is(err, context.Canceled)
	}
	limited := isLimited(r)
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
func isLimited(r *http.Response) bool {
	switch r.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return r.Header.Get("Retry-After") != "" || r.Header.Get("X-RateLimit-Remaining") == "0" ||
			strings.Contains(strings.ToLower(messageOf(r)), "rate limit")
	}
	return false
}

// messageOf returns what GitHub says in an answer, which can be read again.
func messageOf(r *http.Response) string {
	content, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(content))
	var said struct{ Message string }
	if err != nil || json.Unmarshal(content, &said) != nil {
		return ""
	}
	return said.Message
}

// said returns what GitHub says of a failure, with everything it found wrong. The
// library's own text has the address.
func said(err error) string {
	var answer *github.ErrorResponse
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var sending *url.Error
	switch {
	case errors.As(err, &primary):
		return primary.Message
	case errors.As(err, &secondary):
		return secondary.Message
	case errors.As(err, &sending):
		return sending.Err.Error()
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
