package github

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// upload uploads to a server that answers with the handlers, one after the other, the last
// repeatedly. It returns how often it was asked and how long the waits would have been.
func upload(t *testing.T, a Analysis, handlers ...http.HandlerFunc) (calls int, waits []time.Duration, err error) {
	t.Helper()
	calls, waits, _, err = watched(t, a, handlers...)
	return calls, waits, err
}

// watched is upload that tells as well whether GitHub has processed the report.
func watched(t *testing.T, a Analysis, handlers ...http.HandlerFunc) (calls int, waits []time.Duration, processed bool, err error) {
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
	processed, err = a.Upload(t.Context())
	return calls, waits, processed, err
}

func sample() Analysis {
	return Analysis{Access: Access{Token: strings.Repeat("t", 12), Repository: "acme/web"}, Commit: strings.Repeat("1", 40), Ref: "refs/pull/7/merge", SARIF: []byte(`{"runs":[]}`)}
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

var (
	taken     = says(202, `{"id":"1","url":"https://example.com/1"}`)
	processed = says(200, `{"processing_status":"complete"}`)
)

func TestUpload(t *testing.T) {
	var got map[string]string
	calls, waits, err := upload(t, sample(), func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "POST /api/v3/repos/acme/web/code-scanning/sarifs", r.Method+" "+r.URL.Path)
		assert.Equal(t, "Bearer "+strings.Repeat("t", 12), r.Header.Get("Authorization"))
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&got))
		taken(w, r)
	}, processed)
	require.NoError(t, err)
	assert.Equal(t, 2, calls)
	assert.Equal(t, []time.Duration{watchPause}, waits)
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
			"the token may not upload: the job needs the permission security-events: write (403: Resource not accessible by integration)"},
		{404, `{"message":"Not Found"}`, "GitHub cannot find the repository, or the token may not see it: the job needs the permission security-events: write (404: Not Found)"},
		{400, `{"message":"Invalid SARIF"}`, "GitHub answers 400: Invalid SARIF"},
		{400, `{"message":"Bad Request","errors":["rule ids are missing",{"resource":"Sarif","field":"ref","code":"invalid"}]}`,
			"GitHub answers 400: Bad Request; rule ids are missing; Sarif ref invalid"},
		{422, `{"message":"ref does not exist: ` + strings.Repeat("t", 12) + `"}`, "GitHub answers 422: ref does not exist: ***"},
		{200, `<html>sign in</html>`, "the answer 200 is not that of an upload which GitHub has taken"},
		{200, `{"id":"1"}`, "the answer 200 is not that of an upload which GitHub has taken"},
		{204, ``, "the answer 204 is not that of an upload which GitHub has taken"},
		{202, `<html>`, "the answer 202 is not that of an upload which GitHub has taken"},
		{413, `<html>`, "GitHub answers 413: "},
	} {
		calls, _, err := upload(t, sample(), says(c.status, c.body))
		assert.EqualError(t, err, c.want)
		assert.Equal(t, 1, calls, "nothing that will not pass is tried again")
	}
}

func TestUploadTriesAgain(t *testing.T) {
	calls, waits, err := upload(t, sample(), says(502, "<html>"), says(429, `{"message":"slow down"}`), taken, processed)
	require.NoError(t, err)
	assert.Equal(t, 4, calls)
	assert.Equal(t, []time.Duration{2 * time.Second, time.Minute, watchPause}, waits)

	calls, _, err = upload(t, sample(), says(503, `{"message":"down"}`))
	assert.EqualError(t, err, "GitHub answers 503: down")
	assert.Equal(t, 3, calls)

	a := sample()
	a.API = "http://127.0.0.1:1"
	_, waits, err = upload(t, a)
	assert.ErrorContains(t, err, "no answer: ")
	assert.Len(t, waits, 2)

	a.Wait = func(context.Context, time.Duration) error { return errors.New("over") }
	_, err = a.Upload(t.Context())
	assert.ErrorContains(t, err, "no answer: ")
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
		calls, _, err := upload(t, a, taken, processed)
		assert.EqualError(t, err, "the API, the token, the repository, or the commit is missing")
		assert.Zero(t, calls)
	}
}

// limited is an answer that asks to wait.
func limited(status int, message string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		says(status, message)(w, r)
	}
}

// TestUploadWaitsAsAsked holds that GitHub's own word on when to come back counts,
// and that a limit is not taken for a missing permission.
func TestUploadWaitsAsAsked(t *testing.T) {
	secondary := `{"message":"You have exceeded a secondary rate limit.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`
	primary := []string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1767225640", "Date", "Thu, 01 Jan 2026 00:00:00 GMT"}
	for name, c := range map[string]struct {
		first http.HandlerFunc
		want  time.Duration
	}{
		"429 with seconds":    {limited(429, `{}`, "Retry-After", "7"), 7 * time.Second},
		"503 with seconds":    {limited(503, `{}`, "Retry-After", "30"), 30 * time.Second},
		"the primary limit":   {limited(403, `{"message":"API rate limit exceeded"}`, primary...), 40 * time.Second},
		"a secondary limit":   {limited(403, secondary, "Retry-After", "60"), time.Minute},
		"one without seconds": {limited(403, secondary), time.Minute},
	} {
		calls, waits, err := upload(t, sample(), c.first, taken, processed)
		assert.NoError(t, err, name)
		assert.Equal(t, 3, calls, name)
		assert.Equal(t, []time.Duration{c.want, watchPause}, waits, name)
	}
	calls, waits, err := upload(t, sample(), limited(403, `{"message":"API rate limit exceeded"}`, "Retry-After", "3600"))
	assert.EqualError(t, err, "the rate limit of GitHub is reached (403: API rate limit exceeded)")
	assert.Equal(t, 1, calls, "it does not wait for an hour")
	assert.Empty(t, waits)
}

// TestUploadIsWatched holds that an upload which GitHub took counts only if GitHub can process
// it, and that nothing waits forever.
func TestUploadIsWatched(t *testing.T) {
	pending := says(200, `{"processing_status":"pending"}`)
	calls, waits, done, err := watched(t, sample(), taken, pending, says(502, "<html>"), says(404, `{}`), processed)
	require.NoError(t, err)
	assert.True(t, done)
	assert.Equal(t, 5, calls)
	assert.Len(t, waits, 4)

	_, _, _, err = watched(t, sample(), taken, pending, says(200, `{"processing_status":"failed","errors":["too many alerts","no default branch"]}`))
	assert.EqualError(t, err, "GitHub could not process the report: too many alerts; no default branch")
	_, _, _, err = watched(t, sample(), taken, says(200, `{"processing_status":"failed"}`))
	assert.EqualError(t, err, "GitHub could not process the report")

	calls, _, done, err = watched(t, sample(), taken, pending)
	require.NoError(t, err)
	assert.False(t, done)
	assert.Equal(t, 1+watchTimes, calls)

	calls, _, done, err = watched(t, sample(), taken, says(403, `{"message":"Resource not accessible by integration"}`))
	require.NoError(t, err)
	assert.False(t, done)
	assert.Equal(t, 2, calls, "a token that may not look will not be allowed to")
}

// TestUploadHangs holds that an answer which does not come is given up, and asked
// for again.
func TestUploadHangs(t *testing.T) {
	a := sample()
	a.AnswerTime = 20 * time.Millisecond
	hang := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server see that the other side has gone
		<-r.Context().Done()
	}
	_, waits, err := upload(t, a, hang)
	assert.EqualError(t, err, "no answer: context deadline exceeded")
	assert.Len(t, waits, 2, "between three attempts") // a slow machine gives one up before the server sees it
}

// TestUploadIsNoOtherRequest holds that a redirect does not make a question of an
// upload.
func TestUploadIsNoOtherRequest(t *testing.T) {
	calls, waits, err := upload(t, sample(), func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	assert.ErrorContains(t, err, "the API points elsewhere")
	assert.Equal(t, 1, calls)
	assert.Empty(t, waits)
}

func TestUploadIsTooLarge(t *testing.T) {
	a := sample()
	a.SARIF = make([]byte, maxUpload+1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(a.SARIF) // nothing that could be compressed
	calls, _, err := upload(t, a, taken)
	assert.ErrorContains(t, err, "bytes when it is compressed, and GitHub takes 10485760 at most")
	assert.Zero(t, calls)
}
