package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// JUnit's XML has no specification. What is written here is what the readers
// have in common (github.com/testmoapp/junitxml), and what the parsers of
// Jenkins and GitLab need.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

// junitCounts are attributes of a suite and of the whole. A time is expected,
// but the same tree gives the same bytes.
type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Time     int `xml:"time,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Cases []junitCase `xml:"testcase"`
}

type junitCase struct {
	ClassName string       `xml:"classname,attr"`
	Name      string       `xml:"name,attr"`
	File      string       `xml:"file,attr,omitempty"`
	Line      int          `xml:"line,attr,omitempty"`
	Time      int          `xml:"time,attr"`
	Failure   *junitResult `xml:"failure"`
	Error     *junitResult `xml:"error"`
	Skipped   *junitResult `xml:"skipped"`
}

// junitResult holds everything twice, because some readers show the message
// only and others the text only.
type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a test report: a suite for every file that has findings and
// a failed test for every finding. Notes are skipped tests, which readers show
// and do not count as failures. What could not be checked are tests with
// errors. Without any of these there is one test, which passed: readers take a
// report without tests for a broken run.
func writeJUnit(w io.Writer, r *Report, o Options) error {
	out := junitSuites{Name: r.Tool.Name}
	j := junitWriter{o: Options{Show: o.Show}, secrets: &r.hidden, hidden: secretSpans(r.Findings), suites: map[string]*junitSuite{}, names: map[string]int{}, out: &out}
	for _, f := range shown(r, o) {
		j.finding(f)
	}
	for _, e := range r.Errors {
		j.problem(e)
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
	return encodeXML(w, out)
}

// encodeXML writes a value as an XML document. Standard output may be the log
// of a workflow, so no line holds an old workflow command.
func encodeXML(w io.Writer, value any) error {
	text, err := xml.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte(oldCommand), []byte("#&#35;["))
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// junitWriter fills the suites, which it finds by name.
type junitWriter struct {
	o       Options
	secrets *secret.Spans
	hidden  map[*syntax.File][]syntax.Span
	suites  map[string]*junitSuite
	names   map[string]int // how often a test's name was used
	out     *junitSuites
}

// finding adds a finding as a test of its file. Jenkins groups tests by the
// class name, whose part before the last dot is a package, and GitLab needs
// names that differ (gitlab, junit.rb).
func (j junitWriter) finding(f *checks.Finding) {
	t := textWriter{o: j.o}
	c := junitCase{
		ClassName: "mcplumb." + f.Check.ID,
		Name:      f.Check.ID + " at " + t.place(f.File, f.Span),
		File:      Escape(f.File.Path),
		Line:      f.File.LineAt(f.Span.Start),
	}
	result := &junitResult{
		Message: shorten(Escape(secret.Mask(f.Message)), maxMessage),
		Type:    f.Severity.String(),
		Text:    "\n" + plainText(func(t textWriter) { t.secrets, t.hidden = j.secrets, j.hidden; t.finding(f) }, j.o) + "\n",
	}
	if f.Severity == checks.Note {
		c.Skipped = result
	} else {
		c.Failure = result
	}
	j.add(Escape(f.File.Path), c)
}

// problem adds something that could not be checked.
func (j junitWriter) problem(e Error) {
	message := Escape(secret.Mask(e.Message))
	name := "not checked"
	if e.Path != "" {
		name = j.o.show(e.Path)
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
