// Command list checks what "mcplumb list" writes, in each of its formats:
//
//	go run . -schema SCHEMA [-fleet FILE] NAME…
//
// For every NAME the servers in NAME.json, as --format json wrote them, are
// valid against SCHEMA; NAME.cdx.json is valid against the schema of CycloneDX
// and has every server; NAME.md is one table with a row for every server and
// nothing but text in it. FILE is valid against the schema of CycloneDX.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

func main() {
	schemaFile := flag.String("schema", "", "the schema of --format json, a `FILE`")
	fleetFile := flag.String("fleet", "", "a bill of materials of fleet report, a `FILE`")
	flag.Parse()
	own, err := jsonschema.NewCompiler().Compile(*schemaFile)
	if err != nil {
		fail(err)
	}
	cyclonedx, err := cyclonedxSchema()
	if err != nil {
		fail(err)
	}
	failed, total := 0, 0
	if *fleetFile != "" {
		var b bom
		if err := read(*fleetFile, cyclonedx, &b); err != nil {
			fail(err)
		}
	}
	for _, name := range flag.Args() {
		servers, err := check(name, own, cyclonedx)
		if err != nil {
			failed++
			fmt.Printf("%s: %v\n", name, err)
		}
		total += servers
	}
	fmt.Printf("%d of %d lists are valid, with %d servers\n", flag.NArg()-failed, flag.NArg(), total)
	if failed > 0 || flag.NArg() == 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "list:", err)
	os.Exit(2)
}

// check checks the formats of one repository and returns how many servers it
// has.
func check(name string, own, cyclonedx *jsonschema.Schema) (int, error) {
	var list serverList
	if err := read(name+".json", own, &list); err != nil {
		return 0, err
	}
	var b bom
	if err := read(name+".cdx.json", cyclonedx, &b); err != nil {
		return 0, err
	}
	markdown, err := os.ReadFile(name + ".md")
	if err != nil {
		return 0, err
	}
	return len(list.Servers), errors.Join(b.problems(list), checkTable(markdown, len(list.Servers)))
}

// read reads a JSON file that must be valid against a schema.
func read(file string, schema *jsonschema.Schema, into any) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := validate(schema, content); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return json.Unmarshal(content, into)
}

func validate(schema *jsonschema.Schema, content []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// cyclonedxSchema is the schema of CycloneDX 1.6 that comes with the library of
// CycloneDX.
func cyclonedxSchema() (*jsonschema.Schema, error) {
	download := exec.Command("go", "mod", "download", "-json", "github.com/CycloneDX/cyclonedx-go@v0.12.0")
	out, err := download.Output()
	var library struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &library)
	}
	if err != nil {
		return nil, fmt.Errorf("find cyclonedx-go: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.RegisterFormat(&jsonschema.Format{Name: "iri-reference", Validate: checkIRI})
	for id, file := range map[string]string{
		"bom-1.6.schema.json": "bom-1.6.schema.json", "spdx.schema.json": "spdx.schema.json",
		"jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		content, err := os.ReadFile(filepath.Join(library.Dir, "schema", file))
		if err != nil {
			return nil, err
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := compiler.AddResource("http://cyclonedx.org/schema/"+id, document); err != nil {
			return nil, err
		}
	}
	return compiler.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
}

// checkIRI checks the characters of an IRI reference (RFC 3987), which the
// library does not.
func checkIRI(value any) error {
	reference, ok := value.(string)
	if !ok {
		return nil
	}
	characters := regexp.MustCompile(`^([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2}|[^\x00-\x7f])*$`)
	if !characters.MatchString(reference) {
		return errors.New("not an IRI reference")
	}
	_, err := url.Parse(reference)
	return err
}

// serverList is the part of --format json that is compared.
type serverList struct {
	Servers []struct {
		Name, Identity, Path string
		Line                 int
	}
}

// bom is the part of CycloneDX that is compared.
type bom struct {
	SerialNumber         string
	Metadata             struct{ Timestamp string }
	Components, Services []part
}

type part struct {
	Ref        string `json:"bom-ref"`
	Properties []struct{ Name, Value string }
}

// problems checks what the schema cannot: references are unique, every server is in the
// part of its identity, and nothing changes from run to run.
func (b bom) problems(list serverList) error {
	var problems []error
	if b.SerialNumber != "" || b.Metadata.Timestamp != "" {
		problems = append(problems, errors.New("a serial number or a date"))
	}
	seen := map[string]bool{}
	places := map[string]bool{}
	for _, p := range append(b.Components, b.Services...) {
		if p.Ref == "" || seen[p.Ref] {
			problems = append(problems, fmt.Errorf("bom-ref %q is empty or comes twice", p.Ref))
		}
		seen[p.Ref] = true
		identity := ""
		for _, property := range p.Properties {
			switch property.Name {
			case "mcplumb:identity":
				identity = property.Value
			case "mcplumb:path":
				places[identity+" "+property.Value] = true
			}
		}
	}
	for _, s := range list.Servers {
		if place := fmt.Sprintf("%s %s:%d", s.Identity, s.Path, s.Line); s.Identity != "" && !places[place] {
			problems = append(problems, fmt.Errorf("%q is not in the bill of materials", place))
		}
	}
	return errors.Join(problems...)
}

// checkTable checks that Markdown is one table with so many rows, in which
// there are only texts and code spans.
func checkTable(markdown []byte, rows int) error {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	document := parser.Parse(text.NewReader(markdown))
	// A table that was a paragraph first is counted twice by ChildCount.
	block := document.FirstChild()
	if block == nil || block.NextSibling() != nil {
		return errors.New("not one block")
	}
	if rows == 0 {
		if block.Kind() != ast.KindParagraph {
			return errors.New("no paragraph")
		}
		return nil
	}
	table, ok := block.(*east.Table)
	if !ok {
		return fmt.Errorf("a %s, not a table", block.Kind())
	}
	if got := table.ChildCount() - 1; got != rows {
		return fmt.Errorf("%d rows for %d servers", got, rows)
	}
	// goldmark cuts rows that are too long, so this also counts the lines.
	if lines := bytes.Count(markdown, []byte("\n")); lines != rows+2 {
		return fmt.Errorf("%d lines for %d servers", lines, rows)
	}
	columns := table.FirstChild().ChildCount()
	return ast.Walk(table, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case east.KindTable, ast.KindText, ast.KindCodeSpan:
		case east.KindTableHeader, east.KindTableRow:
			if n.ChildCount() != columns {
				return ast.WalkStop, fmt.Errorf("a row has %d cells, not %d", n.ChildCount(), columns)
			}
		case east.KindTableCell:
			// Every cell except that of the clients is one code span at most.
			if code := bytes.Count(n.Lines().Value(markdown), []byte("`")); code > 0 && n.FirstChild().Kind() != ast.KindCodeSpan {
				return ast.WalkStop, fmt.Errorf("a cell is no code span: %s", n.Lines().Value(markdown))
			}
		default:
			return ast.WalkStop, fmt.Errorf("a %s in a cell", n.Kind())
		}
		return ast.WalkContinue, nil
	})
}
