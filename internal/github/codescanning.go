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

	"github.com/google/go-github/v60/github"
)

// maxUpload is how many bytes of gzip GitHub takes (docs: "SARIF support for code
// scanning", its table of limits).
const maxUpload = 10 << 20

// Analysis is a SARIF report of one commit.
type Analysis struct {
	Access
	Commit string // 40 hexadecimal digits
	Ref    string // refs/heads/NAME or refs/pull/N/merge
	SARIF  []byte
}

// Upload sends the report to code scanning and waits until GitHub has processed it; processed
// is false if that takes too long. Its error says what the workflow can do about it, if
// anything, and never contains the token.
func (a *Analysis) Upload(ctx context.Context) (processed bool, err error) {
	if _, _, _, err = a.client(); errors.Is(err, errUnknown) || a.Commit == "" || a.Ref == "" {
		return false, errors.New("the API, the token, the repository, or the commit is missing")
	} else if err != nil {
		return false, err
	}
	content, err := packed(a.SARIF)
	if err != nil {
		return false, err
	}
	id, err := a.send(ctx, &github.SarifAnalysis{CommitSHA: &a.Commit, Ref: &a.Ref, Sarif: &content})
	if err == nil {
		processed, err = a.watch(ctx, id)
	}
	return processed && err == nil, a.hide(err)
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

// send uploads until GitHub takes it or will not, and returns the ID it gives to
// the upload.
func (a *Analysis) send(ctx context.Context, analysis *github.SarifAnalysis) (id string, err error) {
	answer, err := a.ask(ctx, http.MethodPost, "", analysis)
	if err != nil {
		return "", uploadError(answer, err)
	}
	return accepted(answer)
}

// accepted returns the ID of an upload that GitHub has taken. A proxy may answer
// in its place.
func accepted(r *answer) (id string, err error) {
	if r.StatusCode != http.StatusAccepted || r.ID == "" {
		return "", fmt.Errorf("the answer %d is not that of an upload which GitHub has taken", r.StatusCode)
	}
	return r.ID, nil
}
