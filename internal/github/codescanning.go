// Package github speaks to GitHub's API. It is handed its address, its token and
// its patience; it knows no environment.
package github

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// uploadAttempts is how often an upload is tried while GitHub is out of order.
const uploadAttempts = 3

// Analysis is a SARIF report of one commit.
type Analysis struct {
	API        string // as GITHUB_API_URL: https://api.github.com
	Token      string
	Repository string // owner/name
	Commit     string // 40 hexadecimal digits
	Ref        string // refs/heads/NAME or refs/pull/N/merge
	SARIF      []byte
	// Wait waits between two attempts, or returns the error of the context.
	Wait func(context.Context, time.Duration) error
}

// Upload sends the report to code scanning. Its error says what a workflow can
// do about it, where it can.
func (a *Analysis) Upload(ctx context.Context) error {
	owner, name, found := strings.Cut(a.Repository, "/")
	base, err := url.Parse(strings.TrimSuffix(a.API, "/") + "/")
	switch {
	case err != nil:
		return err
	case !found || base.Host == "" || a.Token == "" || a.Commit == "" || a.Ref == "":
		return errors.New("the API, the token, the repository or the commit is not known")
	}
	content, err := packed(a.SARIF)
	if err != nil {
		return err
	}
	client := github.NewClient(&http.Client{CheckRedirect: sameHost}).WithAuthToken(a.Token)
	client.BaseURL = base
	analysis := &github.SarifAnalysis{CommitSHA: &a.Commit, Ref: &a.Ref, Sarif: &content}
	for attempt := 1; ; attempt++ {
		_, response, err := client.CodeScanning.UploadSarif(ctx, owner, name, analysis)
		if err == nil {
			return nil
		}
		if attempt == uploadAttempts || !mayPass(response) {
			return uploadError(response, err)
		}
		if waitErr := a.Wait(ctx, time.Duration(attempt)*2*time.Second); waitErr != nil {
			return uploadError(response, err)
		}
	}
}

// packed returns a report as the API takes it (docs: "Upload an analysis as SARIF
// data").
func packed(sarif []byte) (string, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(sarif)
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), nil
}

// sameHost refuses to be sent to another host: the token would go with it.
func sameHost(next *http.Request, before []*http.Request) error {
	if len(before) > 5 || next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme {
		return errors.New("the API points elsewhere")
	}
	return nil
}

// mayPass reports whether a failure may be gone at the next attempt: no answer,
// or one that says so.
func mayPass(r *github.Response) bool {
	return r == nil || r.StatusCode >= 500 || r.StatusCode == http.StatusTooManyRequests
}

// uploadError says what a failure means. The library's text has the address and
// what GitHub says.
func uploadError(r *github.Response, err error) error {
	if r == nil {
		return fmt.Errorf("no answer: %w", err)
	}
	var answer *github.ErrorResponse
	said := err.Error()
	if errors.As(err, &answer) {
		said = answer.Message
	}
	switch r.StatusCode {
	case http.StatusForbidden, http.StatusNotFound:
		if strings.Contains(said, "must be enabled") {
			return fmt.Errorf("code scanning is not enabled for this repository (%d: %s)", r.StatusCode, said)
		}
		return fmt.Errorf("the token may not: the job needs the permission security-events: write (%d: %s)", r.StatusCode, said)
	}
	return fmt.Errorf("GitHub answers %d: %s", r.StatusCode, said)
}
