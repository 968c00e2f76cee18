package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/joshdk/go-junit"
)

// checkJUnit reads the report with a reader of JUnit's XML. No two tests may be
// the same to GitLab, which tells them by suite, class and name.
func checkJUnit(r *reports, content []byte) error {
	suites, err := junit.Ingest(content)
	if err != nil {
		return err
	}
	got := map[junit.Status]int{}
	seen := map[[3]string]bool{}
	for _, suite := range suites {
		if len(suite.Tests) == 0 {
			return fmt.Errorf("the suite %q has no tests", suite.Name)
		}
		for _, test := range suite.Tests {
			got[test.Status]++
			key := [3]string{suite.Name, test.Classname, test.Name}
			if seen[key] || test.Name == "" || test.Classname == "" {
				return fmt.Errorf("two tests are %q", key)
			}
			seen[key] = true
		}
	}
	want := map[junit.Status]int{
		junit.StatusFailed: r.Summary.Errors + r.Summary.Warnings, junit.StatusSkipped: r.Summary.Notes, junit.StatusError: len(r.Errors),
	}
	if len(r.Findings)+len(r.Errors) == 0 {
		want[junit.StatusPassed] = 1
	}
	for _, status := range []junit.Status{junit.StatusPassed, junit.StatusSkipped, junit.StatusFailed, junit.StatusError} {
		if got[status] != want[status] {
			return fmt.Errorf("%d tests %s, not %d", got[status], status, want[status])
		}
	}
	for _, f := range r.Findings {
		if f.Severity != "note" && isPlain(f.Message+f.Path) && !hasFailure(suites, f) {
			return fmt.Errorf("no test of %s:%d says %q", f.Path, f.Line, f.Message)
		}
	}
	return nil
}

// hasFailure reports whether a test case has a finding's text, both in the message and in
// the content: some readers show the one and some the other.
func hasFailure(suites []junit.Suite, f finding) bool {
	for _, suite := range suites {
		for _, test := range suite.Tests {
			var failure junit.Error
			if suite.Name == f.Path && test.Classname == "mcplumb."+f.Rule && errors.As(test.Error, &failure) &&
				test.Properties["file"] == f.Path && test.Properties["line"] == fmt.Sprint(f.Line) &&
				failure.Message == f.Message && failure.Type == f.Severity &&
				strings.Contains(failure.Body, fmt.Sprintf("%s:%d:%d: %s: %s [%s]\n", f.Path, f.Line, f.Column, f.Severity, f.problem(), f.Rule)) &&
				(f.Help == "" || len(f.Fixes) > 0 || strings.Contains(failure.Body, "\n  help: "+f.Help+"\n")) &&
				(f.See == "" || strings.Contains(failure.Body, "\n  see: "+f.See+"\n")) {
				return true
			}
		}
	}
	return false
}
