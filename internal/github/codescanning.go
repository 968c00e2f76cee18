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

// maxUpload is how many bytes of gzip GitHub takes (docs: "SARIF support for code
// scanning", its table of limits).
const maxUpload = 10 << 20

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
	// AnswerTime is how long one answer may take, 0 for no limit.
	AnswerTime time.Duration
}

// Upload sends the report to code scanning and waits until GitHub has looked at
// it; processed is false where that takes too long to wait for. Its error says
// what a workflow can do about it, where it can, and never holds the token.
func (a *Analysis) Upload(ctx context.Context) (processed bool, err error) {
	owner, name, found := strings.Cut(a.Repository, "/")
	base, err := url.Parse(strings.TrimSuffix(a.API, "/") + "/")
	switch {
	case err != nil:
		return false, err
	case !found || base.Host == "" || a.Token == "" || a.Commit == "" || a.Ref == "":
		return false, errors.New("the API, the token, the repository or the commit is not known")
	}
	content, err := packed(a.SARIF)
	if err != nil {
		return false, err
	}
	u := &uploader{Analysis: a, base: base, path: "repos/" + owner + "/" + name + "/code-scanning/sarifs"}
	id, err := u.send(ctx, &github.SarifAnalysis{CommitSHA: &a.Commit, Ref: &a.Ref, Sarif: &content})
	if err == nil {
		processed, err = u.watch(ctx, id)
	}
	if err != nil {
		return false, errors.New(strings.ReplaceAll(err.Error(), a.Token, "***"))
	}
	return processed, nil
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
	if out.Len() > maxUpload {
		return "", fmt.Errorf("the report has %d bytes when it is compressed, and GitHub takes %d at most", out.Len(), maxUpload)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), nil
}

// uploader is one upload.
type uploader struct {
	*Analysis
	base *url.URL
	path string // of the uploads of the repository
}

// send uploads until GitHub takes it or will not, and returns the ID it gives to
// the upload.
func (u *uploader) send(ctx context.Context, analysis *github.SarifAnalysis) (id string, err error) {
	for attempt := 1; ; attempt++ {
		answer, err := u.ask(ctx, http.MethodPost, u.path, analysis)
		if err == nil {
			return accepted(answer)
		}
		pause, again := pauseAfter(answer, err, attempt)
		if !again || attempt == uploadAttempts {
			return "", uploadError(answer, err)
		}
		if waitErr := u.Wait(ctx, pause); waitErr != nil {
			return "", uploadError(answer, err)
		}
	}
}

// accepted returns the ID of an upload that GitHub has taken. A proxy may answer
// in its place.
func accepted(r *answer) (id string, err error) {
	if r.StatusCode != http.StatusAccepted || r.ID == "" {
		return "", fmt.Errorf("the answer %d is not that of an upload which GitHub has taken", r.StatusCode)
	}
	return r.ID, nil
}
