package action

import (
	"context"
	"errors"
	"time"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/github"
)

// uploadTime is how long an upload may take, all attempts together.
const uploadTime = 2 * time.Minute

// upload sends the report to code scanning, and reports whether GitHub took it.
// That it does not is no reason to fail: the findings are in the log.
func (s *step) upload(ctx context.Context, result *Result, sarif []byte) bool {
	commit, ref, err := s.analysed(ctx, result.Root)
	switch {
	case err != nil:
	case len(result.View.Problems()) > 0:
		err = errors.New("something could not be checked, and code scanning would close its alerts")
	default:
		limited, cancel := context.WithTimeout(ctx, uploadTime)
		defer cancel()
		analysis := &github.Analysis{
			API: s.Getenv("GITHUB_API_URL"), Token: s.Getenv("INPUT_TOKEN"), Repository: s.Getenv("GITHUB_REPOSITORY"),
			Commit: commit, Ref: ref, SARIF: sarif, Wait: s.Wait,
		}
		err = analysis.Upload(limited)
	}
	if err != nil {
		s.annotate(checks.Warning, "not uploaded to code scanning: "+err.Error())
		return false
	}
	return true
}
