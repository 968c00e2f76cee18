package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// JUnit's XML has no specification. What is written here is what the readers
// have in common (github.com/testmoapp/junitxml), and what the parsers of
// Jenkins and GitLab need.
type junitSuites struct {
	Name string
	junitCounts
	Suites []*junitSuite
}

// junitCounts are attributes of a suite and of the whole.
type junitCounts struct{ Tests, Failures, Errors, Skipped int }

type junitSuite struct {
	Name string
	junitCounts
	Cases []junitCase
}

type junitCase struct {
	ClassName, Name, File   string
	Line                    int
	Failure, Error, Skipped *junitResult
}

// junitResult holds everything twice, because some readers show the message
// only and others the text only.
type junitResult struct{ Message, Type, Text string }

// writeJUnit writes a test report: a suite for every file that has findings and
// a failed test for every finding. Notes are skipped tests, which readers show
// and do not count as failures. What could not be checked are tests with
// errors. Without any of these there is one test, which passed: readers take a
// report without tests for a broken run.
func writeJUnit(w io.Writer, v *view.View, o Options) error {
	out := junitSuites{Name: v.Tool.Name}
	j := junitWriter{suites: map[string]*junitSuite{}, names: map[string]int{}, out: &out}
	for _, f := range v.Findings(o.Severity) {
		j.finding(f)
	}
	for _, p := range v.Problems() {
		j.problem(p)
	}
	if len(out.Suites) == 0 {
		j.add("mcplumb", junitCase{ClassName: "mcplumb.check", Name: "no problems"})
	}
	for _, s := range out.Suites {
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Errors += s.Errors
		out.Skipped += s.Skipped
	}
	return out.write(w)
}

// write writes the report as XML. What writes any value as XML is 80 kB of program. A time
// is expected, but the same tree gives the same bytes.
func (s *junitSuites) write(w io.Writer) error {
	out := bytes.NewBufferString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	fmt.Fprintf(out, "<testsuites name=\"%s\" %s>\n", xmlText(s.Name), s.junitCounts)
	for _, suite := range s.Suites {
		fmt.Fprintf(out, "  <testsuite name=\"%s\" %s>\n", xmlText(suite.Name), suite.junitCounts)
		for i := range suite.Cases {
			suite.Cases[i].write(out)
		}
		out.WriteString("  </testsuite>\n")
	}
	out.WriteString("</testsuites>\n")
	_, err := w.Write(out.Bytes())
	return err
}

// String returns the counts as attributes.
func (c junitCounts) String() string {
	return fmt.Sprintf(`tests="%d" failures="%d" errors="%d" skipped="%d" time="0"`, c.Tests, c.Failures, c.Errors, c.Skipped)
}

// write writes one test.
func (c *junitCase) write(out *bytes.Buffer) {
	fmt.Fprintf(out, `    <testcase classname="%s" name="%s"`, xmlText(c.ClassName), xmlText(c.Name))
	if c.File != "" {
		fmt.Fprintf(out, ` file="%s"`, xmlText(c.File))
	}
	if c.Line != 0 {
		fmt.Fprintf(out, ` line="%d"`, c.Line)
	}
	out.WriteString(` time="0">`)
	for _, r := range []struct {
		name string
		*junitResult
	}{{"failure", c.Failure}, {"error", c.Error}, {"skipped", c.Skipped}} {
		if r.junitResult != nil {
			fmt.Fprintf(out, "\n      <%s message=\"%s\" type=\"%s\">%s</%[1]s>\n    ", r.name, xmlText(r.Message), xmlText(r.Type), xmlText(r.Text))
		}
	}
	out.WriteString("</testcase>\n")
}

// junitWriter fills the suites, which it finds by name.
type junitWriter struct {
	suites map[string]*junitSuite
	names  map[string]int // how often a test's name was used
	out    *junitSuites
}

// finding adds a finding as a test of its file. Jenkins groups tests by the
// class name, whose part before the last dot is a package, and GitLab needs
// names that differ (gitlab, junit.rb).
func (j junitWriter) finding(f view.Finding) {
	place := f.Place()
	file := place.Path().FromRoot().String()
	c := junitCase{
		ClassName: "mcplumb." + f.Rule().ID,
		Name:      f.Rule().ID + " at " + place.String(),
		File:      file,
		Line:      place.Line(),
	}
	result := &junitResult{
		Message: shorten(f.Message().String(), maxMessage),
		Type:    f.Severity().String(),
		Text:    "\n" + plainText(func(t textWriter) { t.finding(f) }, Options{}) + "\n",
	}
	if f.Severity() == rule.Note {
		c.Skipped = result
	} else {
		c.Failure = result
	}
	j.add(file, c)
}

// problem adds something that could not be checked.
func (j junitWriter) problem(p view.Problem) {
	message, name := p.Message.String(), "not checked"
	if !p.Path.IsZero() {
		name = p.Path.String()
	}
	j.add("incomplete", junitCase{
		ClassName: "mcplumb.incomplete", Name: name,
		Error: &junitResult{Message: message, Type: "incomplete", Text: message},
	})
}

// add adds a test to a suite and counts it.
func (j junitWriter) add(suite string, c junitCase) {
	if j.names[c.Name]++; j.names[c.Name] > 1 {
		c.Name = fmt.Sprintf("%s (%d)", c.Name, j.names[c.Name])
	}
	s := j.suites[suite]
	if s == nil {
		s = &junitSuite{Name: suite}
		j.suites[suite] = s
		j.out.Suites = append(j.out.Suites, s)
	}
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}
