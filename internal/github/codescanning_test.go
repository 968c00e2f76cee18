package github

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// upload uploads to a server that answers with the handlers, one after the
// other, the last for ever. It returns how often it was asked and how long the
// waits would have been.
func upload(t *testing.T, a Analysis, handlers ...http.HandlerFunc) (calls int, waits []time.Duration, err error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		handlers[min(calls, len(handlers))-1](w, r)
	}))
	defer server.Close()
	if a.API == "" {
		a.API = server.URL + "/api/v3"
	}
	a.Wait = func(ctx context.Context, d time.Duration) error {
		waits = append(waits, d)
		return ctx.Err()
	}
	err = a.Upload(t.Context())
	return calls, waits, err
}

func sample() Analysis {
	return Analysis{Token: "t", Repository: "acme/web", Commit: strings.Repeat("1", 40), Ref: "refs/pull/7/merge", SARIF: []byte(`{"runs":[]}`)}
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

var accepted = answer(202, `{"id":"1","url":"https://example.com/1"}`)

func TestUpload(t *testing.T) {
	var got map[string]string
	calls, waits, err := upload(t, sample(), func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "POST /api/v3/repos/acme/web/code-scanning/sarifs", r.Method+" "+r.URL.Path)
		assert.Equal(t, "Bearer t", r.Header.Get("Authorization"))
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&got))
		accepted(w, r)
	})
	require.NoError(t, err)
	assert.Equal(t, 1, calls)
	assert.Empty(t, waits)
	assert.Equal(t, strings.Repeat("1", 40), got["commit_sha"])
	assert.Equal(t, "refs/pull/7/merge", got["ref"])
	unzipped, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(got["sarif"])))
	require.NoError(t, err)
	sarif, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	assert.Equal(t, `{"runs":[]}`, string(sarif))
}

func TestUploadRefused(t *testing.T) {
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{403, `{"message":"Code Security must be enabled for this repository to use code scanning."}`,
			"code scanning is not enabled for this repository (403: Code Security must be enabled for this repository to use code scanning.)"},
		{403, `{"message":"Resource not accessible by integration"}`,
			"the token may not: the job needs the permission security-events: write (403: Resource not accessible by integration)"},
		{404, `{"message":"Not Found"}`, "the token may not: the job needs the permission security-events: write (404: Not Found)"},
		{400, `{"message":"Invalid SARIF"}`, "GitHub answers 400: Invalid SARIF"},
		{413, `<html>`, "GitHub answers 413: "},
	} {
		calls, _, err := upload(t, sample(), answer(c.status, c.body))
		assert.EqualError(t, err, c.want)
		assert.Equal(t, 1, calls, "nothing that will not pass is tried again")
	}
}

func TestUploadTriesAgain(t *testing.T) {
	calls, waits, err := upload(t, sample(), answer(502, "<html>"), answer(429, `{"message":"slow down"}`), accepted)
	require.NoError(t, err)
	assert.Equal(t, 3, calls)
	assert.Equal(t, []time.Duration{2 * time.Second, 4 * time.Second}, waits)

	calls, _, err = upload(t, sample(), answer(503, `{"message":"down"}`))
	assert.EqualError(t, err, "GitHub answers 503: down")
	assert.Equal(t, 3, calls)

	a := sample()
	a.API = "http://127.0.0.1:1"
	_, waits, err = upload(t, a)
	assert.ErrorContains(t, err, "no answer: ")
	assert.Len(t, waits, 2)

	a.Wait = func(context.Context, time.Duration) error { return errors.New("over") }
	assert.ErrorContains(t, a.Upload(t.Context()), "no answer: ")
}

// TestUploadKeepsItsToken holds that no other host is sent the token.
func TestUploadKeepsItsToken(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	defer other.Close()
	_, _, err := upload(t, sample(), func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	assert.ErrorContains(t, err, "the API points elsewhere")
}

func TestUploadNeedsToKnow(t *testing.T) {
	for _, change := range []func(*Analysis){
		func(a *Analysis) { a.Repository = "acme" },
		func(a *Analysis) { a.Token = "" },
		func(a *Analysis) { a.Commit = "" },
		func(a *Analysis) { a.Ref = "" },
		func(a *Analysis) { a.API = "nonsense" },
	} {
		a := sample()
		change(&a)
		calls, _, err := upload(t, a, accepted)
		assert.EqualError(t, err, "the API, the token, the repository or the commit is not known")
		assert.Zero(t, calls)
	}
}
