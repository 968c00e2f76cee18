package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// sarifSchema is the address of the schema that GitHub's documentation names.
const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

// sourceRoot is the base of all paths: the root of the repository. It is the
// name that GitHub's own examples use; the run does not say where the root is,
// so that the same tree gives the same bytes.
const sourceRoot = "%SRCROOT%"

// The limits of GitHub code scanning (docs: "SARIF support for code scanning"
// and its table of limits). A file beyond one is refused as a whole.
const (
	maxResults     = 25_000
	maxDescription = 1024 // characters of a rule's descriptions
	maxPlaces      = 100  // related locations of a result; GitHub keeps no more
)

// writeSARIF writes SARIF 2.1.0 for code scanning: every finding, whatever its
// severity, the gravest first. Suppressed findings are not in it, because
// GitHub would show them as open alerts.
func writeSARIF(w io.Writer, r *Report, o Options) error {
	out := sarifReport(r, maxResults)
	if o.Category != "" {
		// What stands before the last slash is the category (docs: "SARIF support
		// for code scanning", runAutomationDetails).
		id := o.Category + "/"
		out.Runs[0].AutomationDetails = &sarif.RunAutomationDetails{ID: &id}
	}
	return encodeSARIF(w, out)
}

// encodeSARIF writes the report as JSON. The library's own writers leave raw
// what a terminal acts upon. Standard output may be the log of a workflow, so
// no line holds an old workflow command either.
func encodeSARIF(w io.Writer, r *sarif.Report) error {
	var out bytes.Buffer
	if err := encodeJSON(&out, r); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(out.Bytes(), []byte("##["), []byte(`##\u005b`)))
	return err
}

// sarifReport returns the report as one run. GitHub refuses two runs of one
// tool in a file.
func sarifReport(r *Report, limit int) *sarif.Report {
	s := sarifWriter{
		rules:  map[string]int{},
		hashes: map[*syntax.File][]string{},
		hidden: &r.hidden,
		escape: strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`),
	}
	rules := checks.All()
	for i, c := range rules {
		s.rules[c.ID] = i
	}

	findings := gravestFirst(r.Findings)
	omitted := len(findings) - limit
	if omitted > 0 {
		findings = findings[:limit]
	}
	results := make([]*sarif.Result, len(findings)) // never null, even if empty
	for i, f := range findings {
		results[i] = s.result(f)
	}
	return &sarif.Report{
		Version: string(sarif.Version210),
		Schema:  sarifSchema,
		Runs: []*sarif.Run{{
			Tool:        sarif.Tool{Driver: sarifDriver(r.Tool, rules)},
			Invocations: []*sarif.Invocation{s.invocation(r.Errors, omitted)},
			ColumnKind:  "unicodeCodePoints",
			Results:     results,
		}},
	}
}

// sarifDriver describes the tool with all its rules: the list must not depend
// on what was found.
func sarifDriver(tool Tool, rules []*checks.Check) *sarif.ToolComponent {
	driver := sarif.NewDriver(tool.Name).WithInformationURI(homepage)
	if version := strings.TrimPrefix(tool.Version, "v"); version != "" {
		driver.WithVersion(version)
		if isSemanticVersion(version) {
			driver.WithSemanticVersion(version)
		}
	}
	for _, c := range rules {
		driver.AddRule(sarifRule(c))
	}
	return driver
}

// isSemanticVersion follows semver.org closely enough to tell a release from
// "dev".
func isSemanticVersion(version string) bool {
	return regexp.MustCompile(`^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`).MatchString(version)
}

// sarifRule describes a rule with the text of its page.
func sarifRule(c *checks.Check) *sarif.ReportingDescriptor {
	page := c.Page()
	description := folded(section(page, "What it finds"))
	if description == "" {
		description = c.Title
	}
	if page == "" {
		page = c.Title
	}
	return sarif.NewRule(c.ID).
		WithName(pascalCase(c.ID)).
		WithShortDescription(sarif.NewMultiformatMessageString(sentence(c.Title))).
		WithFullDescription(sarif.NewMultiformatMessageString(shorten(description, maxDescription))).
		WithHelpURI(ruleURL(c)).
		WithHelp(sarif.NewMultiformatMessageString(page).WithMarkdown(page)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevel(c.Severity))).
		WithProperties(ruleProperties(c))
}

// ruleProperties are what GitHub filters and sorts alerts by, from the front
// matter of the rule's page.
func ruleProperties(c *checks.Check) sarif.Properties {
	severity := c.Severity.String()
	if c.Severity == checks.Note {
		severity = "recommendation" // GitHub's word for it
	}
	meta := c.Meta()
	properties := sarif.Properties{
		"tags":             append([]string{"mcp"}, meta.Tags...),
		"precision":        meta.Precision,
		"problem.severity": severity,
	}
	if meta.SecuritySeverity != "" {
		// A string: GitHub refuses a file with anything but a number in it.
		properties["security-severity"] = meta.SecuritySeverity
	}
	return properties
}

// pascalCase returns an ID as SARIF wants a rule's readable name: AliasDrift.
func pascalCase(id string) string {
	var b strings.Builder
	for _, word := range strings.Split(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// sentence returns a title as a sentence.
func sentence(title string) string {
	r, size := utf8.DecodeRuneInString(title)
	return strings.ToUpper(string(r)) + title[size:] + "."
}

// section returns the text below a heading of a page.
func section(page, heading string) string {
	_, text, _ := strings.Cut("\n"+page, "\n## "+heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return strings.TrimSpace(text)
}

// folded joins the lines of every paragraph and list item, because plain text
// is shown with its line breaks.
func folded(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case b.Len() == 0:
		case line == "":
			b.WriteByte('\n')
			continue
		case strings.HasSuffix(b.String(), "\n"), strings.HasPrefix(line, "- "), strings.HasPrefix(line, "|"):
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return strings.TrimSpace(b.String())
}

func sarifLevel(s checks.Severity) string {
	switch s {
	case checks.Error:
		return "error"
	case checks.Warning:
		return "warning"
	}
	return "note"
}

// sarifWriter turns findings into results.
type sarifWriter struct {
	rules  map[string]int
	hashes map[*syntax.File][]string // line hashes of the files seen so far
	hidden *secret.Spans
	escape *strings.Replacer
}

func (s sarifWriter) result(f *checks.Finding) *sarif.Result {
	result := sarif.NewRuleResult(f.Check.ID).
		WithLevel(sarifLevel(f.Severity)).
		WithMessage(sarif.NewTextMessage(s.message(f))).
		WithLocations([]*sarif.Location{sarif.NewLocationWithPhysicalLocation(physicalLocation(f.File, f.Span))}).
		WithPartialFingerPrints(s.fingerprints(f))
	if index, known := s.rules[f.Check.ID]; known {
		result.WithRuleIndex(index)
	}
	for i, related := range f.Related[:min(len(f.Related), maxPlaces)] {
		location := sarif.NewLocationWithPhysicalLocation(physicalLocation(related.File, related.Span)).WithId(i + 1)
		if text := s.text(related.Message); text != "" {
			location.WithDescriptionText(text)
		}
		result.AddRelatedLocation(location)
	}
	for _, fix := range f.Fixes {
		if fix := s.fix(fix); fix != nil {
			result.AddFix(fix)
		}
	}
	return result
}

// message returns what was found as the first sentence, which is all that
// GitHub shows in lists, and links to the related places: it shows no place
// that the message does not link.
func (s sarifWriter) message(f *checks.Finding) string {
	related := f.Related[:min(len(f.Related), maxRelated)]
	if len(related) == 0 {
		return s.text(f.Message)
	}
	links := make([]string, len(related))
	for i, r := range related {
		place := fmt.Sprintf("%s:%d", r.File.Path, r.File.LineAt(r.Span.Start))
		links[i] = fmt.Sprintf("%s [%s](%d)", s.text(r.Message), s.text(place), i+1)
	}
	text := s.text(f.Message) + ". See: " + strings.Join(links, ", ")
	if more := len(f.Related) - len(related); more > 0 {
		text += ", and " + count(more, "more place")
	}
	return text
}

// text returns a text of the repository as plain text of SARIF, without a link
// in it. SARIF 2.1.0, 3.11.6, wants the three characters of a link escaped in a
// link's text only, but GitHub's own CodeQL does it everywhere
// (vscode-codeql, sarif-utils.ts). Braces are left as they are: they mean
// something only in a message with arguments.
func (s sarifWriter) text(text string) string {
	return s.escape.Replace(shorten(Escape(secret.Mask(text)), maxMessage))
}

func (s sarifWriter) fingerprints(f *checks.Finding) map[string]any {
	prints := map[string]any{"mcplumb/v1": f.Fingerprint(s.hidden)}
	hashes, seen := s.hashes[f.File]
	if !seen {
		hashes = lineHashes(f.File.Bytes)
		s.hashes[f.File] = hashes
	}
	if line := f.File.LineAt(f.Span.Start); line <= len(hashes) {
		prints["primaryLocationLineHash"] = hashes[line-1]
	}
	return prints
}

// physicalLocation returns the part of a span on its first line: GitHub shows
// an alert in a pull request only if all of its lines are part of the change.
func physicalLocation(file *syntax.File, span syntax.Span) *sarif.PhysicalLocation {
	line, start := file.Line(file.LineAt(span.Start))
	span.End = max(min(span.End, start+len(line)), span.Start)
	return sarif.NewPhysicalLocation().WithArtifactLocation(artifactLocation(file.Path)).WithRegion(region(file, span))
}

func artifactLocation(path string) *sarif.ArtifactLocation {
	return sarif.NewSimpleArtifactLocation(relativeURI(path)).WithUriBaseId(sourceRoot)
}

// relativeURI returns a path as a relative URI. A colon is escaped as well:
// before the first slash it would end a scheme.
func relativeURI(path string) string {
	const plain = "-._~!$&'()*+,;=@/"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(plain, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// region gives all four numbers: the library omits what is missing, and each
// has another default.
func region(file *syntax.File, span syntax.Span) *sarif.Region {
	start, end := file.Position(span.Start, syntax.CodePoints), file.Position(span.End, syntax.CodePoints)
	return sarif.NewRegion().
		WithStartLine(start.Line).WithStartColumn(start.Column).
		WithEndLine(end.Line).WithEndColumn(end.Column)
}

// fix returns nil for a fix that cannot be written down.
func (s sarifWriter) fix(fix checks.Fix) *sarif.Fix {
	if len(fix.Edits) == 0 || holdsSecret(fix) {
		return nil
	}
	out := sarif.NewFix().WithDescriptionText(s.text(fixTitle(fix)))
	changes := map[*syntax.File]*sarif.ArtifactChange{}
	for _, edit := range fix.Edits {
		if !isExpressible(edit) {
			return nil
		}
		change := changes[edit.File]
		if change == nil {
			change = sarif.NewArtifactChange(artifactLocation(edit.File.Path))
			changes[edit.File] = change
			out.AddArtifactChanges(change)
		}
		replacement := sarif.NewReplacement(region(edit.File, edit.Span))
		if edit.New != "" {
			replacement.WithInsertedContent(sarif.NewArtifactContent().WithText(edit.New))
		}
		change.WithReplacement(replacement)
	}
	return out
}

// isExpressible reports whether lines, columns and JSON can say what an edit
// does. A byte order mark has no column, and JSON holds Unicode only.
func isExpressible(edit syntax.Edit) bool {
	start, end := edit.File.Position(edit.Span.Start, syntax.CodePoints), edit.File.Position(edit.Span.End, syntax.CodePoints)
	return utf8.ValidString(edit.New) && (start != end || edit.Span.Start == edit.Span.End)
}

// invocation says whether everything was checked.
func (s sarifWriter) invocation(errors []Error, omitted int) *sarif.Invocation {
	invocation := sarif.NewInvocation().WithExecutionSuccess(len(errors) == 0)
	for _, e := range errors {
		notification := sarif.NewNotification().WithLevel("error")
		text := e.Message
		if e.Path != "" {
			text = e.Path + ": " + e.Message
		}
		if e.Path != "" && filepath.IsLocal(e.Path) {
			notification.AddLocation(sarif.NewLocationWithPhysicalLocation(
				sarif.NewPhysicalLocation().WithArtifactLocation(artifactLocation(filepath.ToSlash(e.Path)))))
		}
		invocation.AddTToolExecutionNotification(notification.WithTextMessage(s.text(text)))
	}
	if omitted > 0 {
		invocation.AddTToolExecutionNotification(sarif.NewNotification().WithLevel("warning").WithTextMessage(
			fmt.Sprintf("%s left out: GitHub code scanning refuses more than %d results. The gravest are here.",
				count(omitted, "finding"), maxResults)))
	}
	return invocation
}
