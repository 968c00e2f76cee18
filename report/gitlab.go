package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// gitlabIssue is an entry of a GitLab Code Quality report (GitLab's
// documentation, "Code Quality report format"). GitLab stops reading at the
// first entry that its schema refuses (gitlab, code_climate.rb).
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// writeGitLab writes a Code Quality report, which GitLab shows in merge
// requests: an array of issues, empty when there is nothing to show. Paths are
// from the root of the repository, as GitLab wants them.
func writeGitLab(w io.Writer, v *view.View, o Options) error {
	issues := []gitlabIssue{}
	prints := map[string]int{}
	for _, f := range v.Findings(rule.Off) {
		// Findings that are not shown count as well, so that a fingerprint does not depend on
		// what is shown.
		fingerprint := uniqueFingerprint(prints, f.Fingerprint())
		if f.Severity() < o.Severity {
			continue
		}
		issue := gitlabIssue{
			Description: gitlabDescription(f),
			CheckName:   f.Rule().ID,
			Fingerprint: fingerprint,
			Severity:    gitlabSeverity(f.Severity()),
			Location:    gitlabLocation{Path: f.Place().Path().FromRoot().Plain()},
		}
		issue.Location.Lines.Begin = f.Place().Line()
		issues = append(issues, issue)
	}
	return encodeJSON(w, issues)
}

// uniqueFingerprint returns a fingerprint that none before has: of several
// issues with one fingerprint GitLab keeps the last only. seen counts them.
func uniqueFingerprint(seen map[string]int, fingerprint string) string {
	seen[fingerprint]++
	if n := seen[fingerprint]; n > 1 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", fingerprint, n))
		return hex.EncodeToString(sum[:])[:len(fingerprint)]
	}
	return fingerprint
}

// gitlabSeverity returns GitLab's word. "critical" and "blocker" are left to
// tools that know what a defect costs.
func gitlabSeverity(s rule.Severity) string {
	switch s {
	case rule.Error:
		return "major"
	case rule.Warning:
		return "minor"
	}
	return "info"
}

// gitlabDescription is all that GitLab shows of an issue along with its place: what was found,
// and the related places.
func gitlabDescription(f view.Finding) string {
	related, more := f.Related(maxRelated)
	var places []string
	for _, r := range related {
		places = append(places, fmt.Sprintf("%s:%d: %s", r.Place.Path().FromRoot(), r.Place.Line(), r.Message))
	}
	if more > 0 {
		places = append(places, "and "+Count(more, "more place"))
	}
	text := withSee(f).String()
	if len(places) > 0 {
		text += " (" + strings.Join(places, "; ") + ")"
	}
	return shorten(text, maxMessage)
}
