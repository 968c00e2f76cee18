// Package report writes what a view shows, one output format per file.
//
// A view has hidden every credential; each format escapes other hostile text in its own way.
// The package serves the program's own commands and promises nothing to others: its signatures
// are made of internal types.
package report

import (
	"io"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// Options are the choices of the person who reads the output.
type Options struct {
	// Severity is the lowest severity that people are shown. Formats for
	// machines carry every finding.
	Severity rule.Severity
	// Lower is what people write before a severity to be shown more, "" for the
	// flag.
	Lower string
	// AllNotes shows every note like any other finding, where people would be
	// shown only some of each rule.
	AllNotes bool
	// Quiet leaves out the summary of texts.
	Quiet bool
	// Hint ends texts with the command that explains a rule: the reader can run
	// it.
	Hint bool
	// Statistics counts the findings of each rule: instead of the findings in formats for
	// people, along with them in JSON.
	Statistics bool
	// Color allows colors in formats for terminals.
	Color bool
	// Links allows links to the pages of rules, for terminals.
	Links bool
	// ByPath keeps texts in the order of places, where the most severe would come first.
	ByPath bool
	// Sources say where people can open the files.
	Sources Sources
	// Width is how many columns the terminal has, 0 where that is unknown.
	Width int
}

// Format is one way to write what was found.
type Format struct {
	Name  string
	Write func(io.Writer, *view.View, Options) error
	// ShowsHidden reports that the format has a place for what is not reported: the notices,
	// and how many findings are not new.
	ShowsHidden bool
}

// All returns the formats of check; the first is the default.
func All() []*Format {
	return []*Format{
		{Name: "text", Write: WriteText, ShowsHidden: true},
		{Name: "concise", Write: writeConcise},
		{Name: "json", Write: WriteJSON, ShowsHidden: true},
		{Name: "sarif", Write: writeSARIF, ShowsHidden: true},
		{Name: "github", Write: func(w io.Writer, v *view.View, o Options) error { return WriteGitHub(w, v, o, Annotations{}) }, ShowsHidden: true},
		{Name: "markdown", Write: WriteMarkdown, ShowsHidden: true},
		{Name: "rdjson", Write: writeRDJSON},
		{Name: "gitlab", Write: writeGitLab},
		{Name: "junit", Write: writeJUnit},
	}
}

// ListFormat is one way to write the servers of a repository.
type ListFormat struct {
	Name string
	// Rules are the IDs of the checks whose findings the format shows.
	Rules []string
	// Compares reports that the format shows files side by side.
	Compares bool
	Write    func(io.Writer, *view.View, Options) error
}

// ListFormats returns the formats of list; the first is the default.
func ListFormats() []*ListFormat {
	return []*ListFormat{
		{Name: "text", Write: listText},
		{Name: "json", Write: anyWidth(ListJSON)},
		{Name: "markdown", Write: anyWidth(listMarkdown)},
		{Name: "cyclonedx", Write: anyWidth(listCycloneDX)},
		{Name: "mermaid", Rules: mapRules(), Write: anyWidth(listMermaid)},
		{Name: "matrix", Compares: true, Write: anyWidth(listMatrix)},
		{Name: "matrix-markdown", Compares: true, Write: anyWidth(listMatrixMarkdown)},
	}
}

// anyWidth is what writes a format that does not ask for options.
func anyWidth(write func(io.Writer, *view.View) error) func(io.Writer, *view.View, Options) error {
	return func(w io.Writer, v *view.View, _ Options) error { return write(w, v) }
}

// homepage is where the project lives.
const homepage = "https://github.com/mcplumb/mcplumb"

// maxRelated is how many related places of one finding people are shown; the
// others are counted.
const maxRelated = 5
