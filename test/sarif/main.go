// Command sarif checks SARIF files: against the schema of the standard, and
// against what GitHub code scanning wants beyond it.
//
//	go run . FILE…
//	go run . -log [-allow RULE]… FILE…
//
// With -log the files are what Microsoft's SARIF Multitool wrote about others;
// every error and warning in them counts that is not allowed. With -schema they
// are any JSON, checked against that schema.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	var allowed []string
	isLog := flag.Bool("log", false, "read logs of the SARIF Multitool")
	flag.Func("allow", "a `RULE` of the SARIF Multitool that may be broken", func(rule string) error {
		allowed = append(allowed, rule)
		return nil
	})
	schemaFile := flag.String("schema", "", "check against the schema in `FILE`")
	flag.Parse()

	check := func(content []byte) error { return checkLog(content, allowed) }
	switch {
	case *schemaFile != "":
		schema, err := jsonschema.NewCompiler().Compile(*schemaFile)
		if err != nil {
			fmt.Fprintln(os.Stderr, "sarif:", err)
			os.Exit(2)
		}
		check = func(content []byte) error { return checkJSON(schema, content) }
	case !*isLog:
		schema, err := loadSchema()
		if err != nil {
			fmt.Fprintln(os.Stderr, "sarif:", err)
			os.Exit(2)
		}
		check = func(content []byte) error { return checkReport(schema, content) }
	}
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "sarif: no files")
		os.Exit(2)
	}
	failed := 0
	for _, name := range flag.Args() {
		content, err := os.ReadFile(name)
		if err == nil {
			err = check(content)
		}
		if err != nil {
			failed++
			fmt.Printf("%s: %v\n", name, err)
		}
	}
	fmt.Printf("%d of %d files are valid\n", flag.NArg()-failed, flag.NArg())
	if failed > 0 {
		os.Exit(1)
	}
}

// checkJSON checks any JSON against a schema.
func checkJSON(schema *jsonschema.Schema, content []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// schemaURL is the ID of the schema: SARIF 2.1.0 with its errata.
const schemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// loadSchema takes the schema of the standard out of go-sarif v3, which holds
// it as a constant that it does not export.
func loadSchema() (*jsonschema.Schema, error) {
	// Nothing imports the module, so no build has downloaded it.
	out, err := exec.Command("go", "mod", "download", "-json", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		return nil, fmt.Errorf("download go-sarif v3: %w: %s", err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, err
	}
	name := filepath.Join(module.Dir, "pkg", "report", "v210", "sarif", "schema.go")
	text, err := constant(name, "schema")
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(schemaURL, document); err != nil {
		return nil, err
	}
	return compiler.Compile(schemaURL)
}

// constant returns a string constant of a Go file.
func constant(file, name string) (string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return "", err
	}
	if object := parsed.Scope.Lookup(name); object != nil {
		if spec, ok := object.Decl.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				return strconv.Unquote(literal.Value)
			}
		}
	}
	return "", fmt.Errorf("%s has no string constant %s", file, name)
}

// checkReport checks a report of mcplumb.
func checkReport(schema *jsonschema.Schema, content []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return err
	}
	if err := schema.Validate(document); err != nil {
		return err
	}
	var r report
	if err := json.Unmarshal(content, &r); err != nil {
		return err
	}
	return errors.Join(r.problems()...)
}

// report is the part of SARIF that GitHub reads.
type report struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID               string
					ShortDescription message
					FullDescription  message
					Help             message
					Properties       properties
				}
			}
		}
		Results           *[]result
		ColumnKind        string
		AutomationDetails any
	}
}

type message struct{ Text string }

// properties are what GitHub filters and sorts alerts by.
type properties struct {
	Tags             []string
	Precision        string
	SecuritySeverity any `json:"security-severity"`
}

// check wants a score, as text, of security rules and of no others: GitHub
// refuses a file with anything but a number in it.
func (p properties) check() error {
	if p.Precision == "" || len(p.Tags) == 0 {
		return errors.New("it has no precision or no tags")
	}
	text, isText := p.SecuritySeverity.(string)
	score, err := strconv.ParseFloat(text, 64)
	isScore := isText && err == nil && score > 0 && score <= 10
	if slices.Contains(p.Tags, "security") != isScore || !isScore && p.SecuritySeverity != nil {
		return fmt.Errorf("security-severity is %v and the tags are %v", p.SecuritySeverity, p.Tags)
	}
	return nil
}

type result struct {
	RuleID              string
	RuleIndex           *int
	Level               string
	Message             message
	Locations           []location
	RelatedLocations    []location
	PartialFingerprints map[string]string
	Suppressions        any
}

type location struct {
	ID               int
	PhysicalLocation struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
}

// problems returns what GitHub would refuse, ignore or show badly
// (docs.github.com, "SARIF support for code scanning").
func (r report) problems() (problems []error) {
	problem := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if len(r.Runs) != 1 {
		problem("%d runs, GitHub refuses two of one tool", len(r.Runs))
		return problems
	}
	run := r.Runs[0]
	if run.Results == nil {
		problem("no results, not even an empty list")
		return problems
	}
	if len(*run.Results) > 25_000 {
		problem("%d results, GitHub refuses more than 25,000", len(*run.Results))
	}
	if run.ColumnKind != "unicodeCodePoints" {
		problem("columnKind is %q", run.ColumnKind)
	}
	if run.AutomationDetails != nil {
		problem("automationDetails would override the category that the user chose")
	}
	rules := run.Tool.Driver.Rules
	for _, rule := range rules {
		short, full := rule.ShortDescription.Text, rule.FullDescription.Text
		if short == "" || full == "" || rule.Help.Text == "" || len(short) > 1024 || len(full) > 1024 {
			problem("rule %s: a description is missing or has more than 1,024 characters", rule.ID)
		}
		if err := rule.Properties.check(); err != nil {
			problem("rule %s: %w", rule.ID, err)
		}
	}
	for i, result := range *run.Results {
		if result.RuleIndex == nil || *result.RuleIndex >= len(rules) || rules[*result.RuleIndex].ID != result.RuleID {
			problem("result %d: its ruleIndex is not that of %s", i, result.RuleID)
		}
		if result.Message.Text == "" || result.Level == "" || len(result.Locations) != 1 || result.Suppressions != nil {
			problem("result %d: wants a message, a level, one location and no suppressions", i)
		}
		if result.PartialFingerprints["primaryLocationLineHash"] == "" || result.PartialFingerprints["mcplumb/v1"] == "" {
			problem("result %d: a fingerprint is missing", i)
		}
		for _, l := range slices.Concat(result.Locations, result.RelatedLocations) {
			if err := l.check(); err != nil {
				problem("result %d: %w", i, err)
			}
		}
		for _, l := range result.RelatedLocations[:min(len(result.RelatedLocations), 5)] {
			if !strings.Contains(result.Message.Text, fmt.Sprintf("](%d)", l.ID)) {
				problem("result %d: no link to related location %d, GitHub would not show it", i, l.ID)
			}
		}
	}
	return problems
}

func (l location) check() error {
	artifact, region := l.PhysicalLocation.ArtifactLocation, l.PhysicalLocation.Region
	uri, err := url.Parse(artifact.URI)
	if err != nil {
		return err
	}
	if uri.Path == "" || uri.IsAbs() || uri.Host != "" || strings.HasPrefix(uri.Path, "/") || artifact.URIBaseID != "%SRCROOT%" {
		return fmt.Errorf("%q is not relative to the root of the repository", artifact.URI)
	}
	if region.StartLine < 1 || region.StartColumn < 1 || region.EndLine != region.StartLine || region.EndColumn < region.StartColumn {
		return fmt.Errorf("%s: not a region of one line: %+v", artifact.URI, region)
	}
	return nil
}

// checkLog returns the errors and warnings of a log of the Multitool, whose
// exit code is always 0.
func checkLog(content []byte, allowed []string) error {
	// The Multitool writes a byte order mark.
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex *int
				Level     string // absent: a warning
				Message   struct {
					ID        string
					Arguments []string
				}
				Locations []location
			}
			Invocations []struct {
				ExecutionSuccessful        *bool
				ToolExecutionNotifications []struct {
					Level   string
					Message message
				}
			}
		}
	}
	if err := json.Unmarshal(content, &log); err != nil {
		return err
	}
	if len(log.Runs) == 0 {
		return errors.New("the Multitool wrote no run")
	}
	var problems []error
	for _, run := range log.Runs {
		for _, r := range run.Results {
			id := r.RuleID
			if id == "" && r.RuleIndex != nil && *r.RuleIndex < len(run.Tool.Driver.Rules) {
				id = run.Tool.Driver.Rules[*r.RuleIndex].ID
			}
			if r.Level == "note" || slices.Contains(allowed, id) {
				continue
			}
			var place location
			if len(r.Locations) > 0 {
				place = r.Locations[0]
			}
			problems = append(problems, fmt.Errorf("%s:%d: %s %s %q", place.PhysicalLocation.ArtifactLocation.URI,
				place.PhysicalLocation.Region.StartLine, id, r.Message.ID, r.Message.Arguments))
		}
		for _, invocation := range run.Invocations {
			if invocation.ExecutionSuccessful != nil && !*invocation.ExecutionSuccessful {
				problems = append(problems, errors.New("the Multitool failed"))
			}
			for _, n := range invocation.ToolExecutionNotifications {
				if n.Level == "error" {
					problems = append(problems, errors.New(n.Message.Text))
				}
			}
		}
	}
	return errors.Join(problems...)
}
