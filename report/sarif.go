package report

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// sarifSchema is the address of the schema that GitHub's documentation names.
const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

// sourceRoot is the base of all paths: the root of the repository. It is the
// name that GitHub's own examples use; the run does not say where the root is,
// so that the same tree gives the same bytes.
const sourceRoot = "%SRCROOT%"

// MaxShownResults is how many results of an analysis GitHub code scanning shows, the most
// severe first (docs: "SARIF support for code scanning").
const MaxShownResults = 5_000

// The limits of GitHub code scanning (docs: "SARIF support for code scanning"
// and its table of limits). A file beyond one is refused as a whole.
const (
	maxResults     = 25_000
	maxDescription = 1024 // characters of a rule's descriptions
	maxPlaces      = 100  // related locations of a result; the most that GitHub keeps
)

// WriteSARIF writes SARIF 2.1.0 for code scanning: every finding of at least a severity, the
// most severe first, and returns how many there was no room for. Suppressed findings are not
// in it, because GitHub would show them as open alerts. Code scanning compares an upload with
// the last one of the same category; "" leaves that to the upload.
func WriteSARIF(w io.Writer, v *view.View, lowest rule.Severity, category string) (omitted int, err error) {
	findings := gravestFirst(v.Findings(lowest))
	omitted = max(0, len(findings)-maxResults)
	out := sarifReport(v, findings, maxResults)
	if category != "" {
		// The text before the last slash is the category (docs: "SARIF support for code
		// scanning", runAutomationDetails).
		id := category + "/"
		out.Runs[0].AutomationDetails = &sarif.RunAutomationDetails{ID: &id}
	}
	return omitted, encodeJSON(w, out) // the library's own writers leave raw what a terminal acts upon
}

// writeSARIF writes every finding, including those not shown to people.
func writeSARIF(w io.Writer, v *view.View, _ Options) error {
	_, err := WriteSARIF(w, v, rule.Off, "")
	return err
}

// sarifReport returns the report as one run. GitHub refuses two runs of one
// tool in a file.
func sarifReport(v *view.View, findings []view.Finding, limit int) *sarif.Report {
	s := sarifWriter{
		rules:  map[*rule.Rule]int{},
		escape: strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`),
	}
	rules := checks.All()
	for i, c := range rules {
		s.rules[c] = i
	}

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
			Tool:        sarif.Tool{Driver: sarifDriver(v.Tool, rules)},
			Invocations: []*sarif.Invocation{s.invocation(v, omitted)},
			ColumnKind:  "unicodeCodePoints",
			Results:     results,
		}},
	}
}

// sarifDriver describes the tool with all its rules: the list must not depend
// on what was found.
func sarifDriver(tool view.Tool, rules []*rule.Rule) *sarif.ToolComponent {
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
func sarifRule(c *rule.Rule) *sarif.ReportingDescriptor {
	page := c.Page()
	general, _, _ := strings.Cut(section(page, "What it finds"), "\n### ") // what follows is about one tool's files
	description := folded(general)
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
		WithHelpURI(c.URL()).
		WithHelp(sarif.NewMultiformatMessageString(page).WithMarkdown(page)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevel(c.Severity))).
		WithProperties(ruleProperties(c))
}

// ruleProperties are what GitHub filters and sorts alerts by, from the front
// matter of the rule's page.
func ruleProperties(c *rule.Rule) sarif.Properties {
	severity := c.Severity.String()
	if c.Severity == rule.Note {
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

func sarifLevel(s rule.Severity) string {
	switch s {
	case rule.Error:
		return "error"
	case rule.Warning:
		return "warning"
	}
	return "note"
}

// sarifWriter turns findings into results.
type sarifWriter struct {
	rules  map[*rule.Rule]int
	escape *strings.Replacer
}

func (s sarifWriter) result(f view.Finding) *sarif.Result {
	related, more := f.Related(maxPlaces)
	result := sarif.NewRuleResult(f.Rule().ID).
		WithLevel(sarifLevel(f.Severity())).
		WithMessage(sarif.NewTextMessage(s.message(f, related, more))).
		WithLocations([]*sarif.Location{sarif.NewLocationWithPhysicalLocation(physicalLocation(f.Place()))}).
		WithPartialFingerPrints(fingerprints(f))
	if index, known := s.rules[f.Rule()]; known {
		result.WithRuleIndex(index)
	}
	for i, r := range related {
		location := sarif.NewLocationWithPhysicalLocation(physicalLocation(r.Place)).WithId(i + 1)
		if text := s.text(r.Message); text != "" {
			location.WithDescriptionText(text)
		}
		result.AddRelatedLocation(location)
	}
	for _, fix := range f.Fixes() {
		if fix := s.fix(fix); fix != nil {
			result.AddFix(fix)
		}
	}
	return result
}

// message returns what was found as the first sentence, which is all that
// GitHub shows in lists, and links to the first related places: it shows no place
// that the message does not link. more counts those beyond related.
func (s sarifWriter) message(f view.Finding, related []view.Related, more int) string {
	if len(related) == 0 {
		return s.text(withSee(f))
	}
	linked := related[:min(len(related), maxRelated)]
	links := make([]string, len(linked))
	for i, r := range linked {
		place := view.NewText(fmt.Sprintf("%s:%d", r.Place.Path().FromRoot().Plain(), r.Place.Line()))
		links[i] = fmt.Sprintf("%s [%s](%d)", s.text(r.Message), s.text(place), i+1)
	}
	text := s.text(withSee(f)) + ". See: " + strings.Join(links, ", ")
	if more += len(related) - len(linked); more > 0 {
		text += ", and " + Count(more, "more place")
	}
	return text
}

// text returns a text of the repository as plain text of SARIF, without a link
// in it. SARIF 2.1.0, 3.11.6, wants the three characters of a link escaped in a
// link's text only, but GitHub's own CodeQL does it everywhere
// (vscode-codeql, sarif-utils.ts). Braces are left as they are: they mean
// something only in a message with arguments.
func (s sarifWriter) text(text view.Text) string {
	return s.escape.Replace(shorten(text.String(), maxMessage))
}

func fingerprints(f view.Finding) map[string]any {
	prints := map[string]any{"mcplumb/v1": f.Fingerprint()}
	if hash := f.LineHash(); hash != "" {
		prints["primaryLocationLineHash"] = hash
	}
	return prints
}

// physicalLocation returns the part of a place on its first line: GitHub shows
// an alert in a pull request only if all of its lines are part of the change.
func physicalLocation(p view.Place) *sarif.PhysicalLocation {
	return sarif.NewPhysicalLocation().WithArtifactLocation(artifactLocation(p.Path())).WithRegion(region(p.FirstLine()))
}

func artifactLocation(path view.Path) *sarif.ArtifactLocation {
	return sarif.NewSimpleArtifactLocation(relativeURI(filepath.ToSlash(path.FromRoot().Plain()))).WithUriBaseId(sourceRoot)
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
func region(p view.Place) *sarif.Region {
	start, end := p.Start(view.CodePoints), p.End(view.CodePoints)
	return sarif.NewRegion().
		WithStartLine(start.Line).WithStartColumn(start.Column).
		WithEndLine(end.Line).WithEndColumn(end.Column)
}

// fix returns nil for a fix that cannot be written down.
func (s sarifWriter) fix(fix view.Fix) *sarif.Fix {
	edits, ok := fix.Edits()
	if !ok || len(edits) == 0 || !areExpressible(edits) {
		return nil
	}
	out := sarif.NewFix().WithDescriptionText(s.text(fix.Label()))
	changes := map[view.Path]*sarif.ArtifactChange{}
	for _, edit := range edits {
		change := changes[edit.Place.Path()]
		if change == nil {
			change = sarif.NewArtifactChange(artifactLocation(edit.Place.Path()))
			changes[edit.Place.Path()] = change
			out.AddArtifactChanges(change)
		}
		replacement := sarif.NewReplacement(region(edit.Place))
		if text := edit.Text.Plain(); text != "" {
			replacement.WithInsertedContent(sarif.NewArtifactContent().WithText(text))
		}
		change.WithReplacement(replacement)
	}
	return out
}

// invocation says whether everything was checked, and what the settings keep from
// being found.
func (s sarifWriter) invocation(v *view.View, omitted int) *sarif.Invocation {
	problems := v.Problems()
	invocation := sarif.NewInvocation().WithExecutionSuccess(len(problems) == 0)
	for _, p := range problems {
		notification := sarif.NewNotification().WithLevel("error")
		text := p.Message
		if !p.Path.IsZero() {
			path := p.Path.FromRoot().Plain()
			text = view.NewText(path + ": " + p.Message.Plain())
			if filepath.IsLocal(path) {
				notification.AddLocation(sarif.NewLocationWithPhysicalLocation(
					sarif.NewPhysicalLocation().WithArtifactLocation(artifactLocation(p.Path))))
			}
		}
		invocation.AddTToolExecutionNotification(notification.WithTextMessage(s.text(text)))
	}
	for _, notice := range v.Notices() {
		invocation.AddTToolExecutionNotification(sarif.NewNotification().WithLevel("warning").WithTextMessage(s.text(notice)))
	}
	if old := v.Summary.Old; old > 0 {
		invocation.AddTToolExecutionNotification(sarif.NewNotification().WithLevel("note").WithTextMessage(notNew(old) + "."))
	}
	if omitted > 0 {
		invocation.AddTToolExecutionNotification(sarif.NewNotification().WithLevel("warning").WithTextMessage(
			fmt.Sprintf("%s left out: GitHub code scanning refuses more than %d results. The most severe are here.",
				Count(omitted, "finding"), maxResults)))
	}
	return invocation
}
