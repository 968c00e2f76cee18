package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// How long GitHub has for looking at an upload: so many questions with a pause
// before each.
const (
	watchTimes = 24
	watchPause = 5 * time.Second
)

// The states of an upload, except pending (docs: "Get information about a SARIF upload").
const (
	complete = "complete"
	failed   = "failed"
)

// watch waits until GitHub has processed an upload. Its error says why GitHub refuses an
// upload that it received. If that takes too long, the caller knows only that GitHub received
// it.
func (a *Analysis) watch(ctx context.Context, id string) (processed bool, err error) {
	for range watchTimes {
		if a.Wait(ctx, watchPause) != nil {
			return false, nil
		}
		r, err := a.ask(ctx, http.MethodGet, "/"+url.PathEscape(id), nil)
		switch {
		case err != nil:
			if r != nil && !isLimit(r.Response, err) && r.StatusCode < http.StatusInternalServerError && r.StatusCode != http.StatusNotFound {
				return false, nil // the token may upload, but not look
			}
		case r.Status == complete:
			return true, nil
		case r.Status == failed:
			return false, rejected(r.Errors)
		}
	}
	return false, nil
}

// rejected says why GitHub refuses an upload after it took it.
func rejected(reasons []string) error {
	if len(reasons) == 0 {
		return errors.New("GitHub could not process the report")
	}
	return fmt.Errorf("GitHub could not process the report: %s", strings.Join(reasons, "; "))
}
