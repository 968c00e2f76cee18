package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// checkGitLab reads a Code Quality report as GitLab does: it drops an issue with a repeated
// fingerprint and stops at the first with a missing field (gitlab,
// lib/gitlab/ci/reports/codequality_reports.rb and
// app/validators/json_schemas/codeclimate.json). It also checks the further requirements of
// the documentation ("Code Quality report format").
func checkGitLab(r *reports, content []byte) error {
	if bytes.HasPrefix(content, []byte("\ufeff")) || !utf8.Valid(content) {
		return errors.New("it has a byte order mark or is not UTF-8")
	}
	var issues []map[string]any
	if err := json.Unmarshal(content, &issues); err != nil {
		return err
	}
	if issues == nil || len(issues) != len(r.Findings) {
		return fmt.Errorf("%d issues of %d findings", len(issues), len(r.Findings))
	}
	seen := map[string]bool{}
	for i, issue := range issues {
		f := r.Findings[i]
		description, _ := issue["description"].(string)
		fingerprint, _ := issue["fingerprint"].(string)
		severity, _ := issue["severity"].(string)
		location, _ := issue["location"].(map[string]any)
		path, _ := location["path"].(string)
		lines, _ := location["lines"].(map[string]any)
		begin, _ := lines["begin"].(float64)
		switch {
		case description == "" || isPlain(f.Message) && !strings.HasPrefix(description, f.Message):
			return fmt.Errorf("issue %d: the description %q does not say %q", i, description, f.Message)
		case fingerprint == "" || seen[fingerprint]:
			return fmt.Errorf("issue %d: the fingerprint %q is not its own", i, fingerprint)
		case severity != map[string]string{"error": "major", "warning": "minor", "note": "info"}[f.Severity]:
			return fmt.Errorf("issue %d: severity %q", i, severity)
		case path != f.Path || begin != float64(f.Line):
			return fmt.Errorf("issue %d: %q:%v is not its place", i, path, begin)
		case issue["check_name"] != f.Rule:
			return fmt.Errorf("issue %d: check_name %v", i, issue["check_name"])
		}
		seen[fingerprint] = true
		if _, _, err := r.repositoryFile(path); err != nil {
			return err
		}
	}
	return nil
}
