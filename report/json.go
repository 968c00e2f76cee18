package report

import (
	"io"
	"math"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// jsonVersion is the version of the JSON formats. It changes when a field
// changes its meaning or goes, not when one is added.
const jsonVersion = 1

type jsonReport struct {
	Version int         `json:"version"`
	Tool    jsonTool    `json:"tool"`
	Summary jsonSummary `json:"summary"`
	// Changes are what a change brings, nil where nothing was compared.
	Changes  *[]jsonBroughtRow `json:"changes,omitempty"`
	Findings []jsonFinding     `json:"findings"`
	Errors   []jsonError       `json:"errors"`
	// Notices say what the settings keep from being found.
	Notices []string `json:"notices,omitempty"`
	// Statistics are there on demand.
	Statistics []jsonCount `json:"statistics,omitempty"`
}

// jsonBroughtRow is one thing that a change brings.
type jsonBroughtRow struct {
	Kind   string `json:"kind"`
	Server string `json:"server,omitempty"`
	jsonRange
	AtBase bool     `json:"atBase,omitempty"`
	From   string   `json:"from,omitempty"`
	To     string   `json:"to,omitempty"`
	What   []string `json:"what,omitempty"`
	More   int      `json:"more,omitempty"`
}

// jsonCount is how many findings of one severity a rule has.
type jsonCount struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Count    int    `json:"count"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonSummary struct {
	Files      int `json:"files"`
	Servers    int `json:"servers"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Notes      int `json:"notes"`
	Suppressed int `json:"suppressed"`
	Old        int `json:"old,omitempty"`
	Fixable    int `json:"fixable"`
}

type jsonError struct {
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// jsonRange is a place: from 1, columns in code points, a byte order mark being none,
// ends exclusive.
type jsonRange struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Help     string `json:"help,omitempty"`
	See      string `json:"see,omitempty"`
	jsonRange
	Server      string        `json:"server,omitempty"`
	Identity    string        `json:"identity,omitempty"`
	Fingerprint string        `json:"fingerprint"`
	Related     []jsonRelated `json:"related,omitempty"`
	MoreRelated int           `json:"moreRelated,omitempty"`
	Fixes       []jsonFix     `json:"fixes,omitempty"`
	Duplicate   *jsonTwin     `json:"duplicate,omitempty"`
	Approval    *jsonApproval `json:"approval,omitempty"`
}

// jsonApproval is a hash that needs approval, with the field names of Casys PML's design.
type jsonApproval struct {
	Required     bool   `json:"approvalRequired"`
	Type         string `json:"approvalType"`
	FQDN         string `json:"fqdn"`
	OldHash      string `json:"oldHash"`
	NewHash      string `json:"newHash"`
	OldIntegrity string `json:"oldIntegrity"`
	NewIntegrity string `json:"newIntegrity"`
	OldFetchedAt string `json:"oldFetchedAt,omitempty"`
	Description  string `json:"description"`
	WorkflowID   string `json:"workflowId"`
}

type jsonTwin struct {
	Of             string `json:"duplicateOf"`
	Bundle         string `json:"bundleId,omitempty"`
	OriginalBundle string `json:"originalBundleId,omitempty"`
}

type jsonRelated struct {
	jsonRange
	Message string `json:"message"`
}

type jsonFix struct {
	Title  string     `json:"title"`
	Safety string     `json:"safety"`
	Edits  []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	jsonRange
	Text string `json:"text"`
}

// WriteJSON writes the report for programs: every finding of any severity.
func WriteJSON(w io.Writer, v *view.View, o Options) error {
	findings := v.Findings(rule.Off)
	out := jsonReport{
		Version: jsonVersion, Tool: jsonTool(v.Tool), Summary: jsonSummary(v.Summary),
		Findings: make([]jsonFinding, len(findings)),
		Errors:   problemsJSON(v),
		Changes:  broughtJSON(v.Brought()),
	}
	for i, f := range findings {
		out.Findings[i] = findingJSON(f)
	}
	out.Notices = plain(v.Notices())
	if o.Statistics {
		for _, c := range countRules(findings, true) {
			out.Statistics = append(out.Statistics, jsonCount{c.rule.ID, c.severity.String(), c.count})
		}
	}
	return encodeJSON(w, out)
}

// broughtJSON is what a change brings.
func broughtJSON(b *view.Brought) *[]jsonBroughtRow {
	if b == nil {
		return nil
	}
	out := make([]jsonBroughtRow, b.Len())
	for i, row := range b.Rows(math.MaxInt) {
		out[i] = jsonBroughtRow{
			Kind: row.Kind, Server: row.Server.Plain(), jsonRange: rangeJSON(row.Place), AtBase: row.AtBase,
			From: row.From.Plain(), To: row.To.Plain(), What: plain(row.What), More: row.More,
		}
	}
	return &out
}

// problemsJSON are what could not be checked, no fewer than none.
func problemsJSON(v *view.View) []jsonError {
	out := []jsonError{}
	for _, p := range v.Problems() {
		out = append(out, jsonError{p.Path.FromRoot().Plain(), p.Message.Plain()})
	}
	return out
}

func findingJSON(f view.Finding) jsonFinding {
	out := jsonFinding{
		Rule:        f.Rule().ID,
		Severity:    f.Severity().String(),
		Message:     f.Message().Plain(),
		Help:        f.Help().Plain(),
		See:         f.See().Plain(),
		jsonRange:   rangeJSON(f.Place()),
		Server:      f.Server().Plain(),
		Identity:    f.Identity().Plain(),
		Fingerprint: f.Fingerprint(),
	}
	if d, ok := f.Duplicate(); ok {
		out.Duplicate = &jsonTwin{d.Of.Plain(), d.Bundle.Plain(), d.OriginalBundle.Plain()}
	}
	if a, ok := f.Approval(); ok {
		out.Approval = &jsonApproval{
			Required: a.Required, Type: "integrity", FQDN: a.Identity.Plain(),
			OldHash: a.OldShort.Plain(), NewHash: a.NewShort.Plain(), OldIntegrity: a.Old.Plain(), NewIntegrity: a.New.Plain(),
			OldFetchedAt: a.OldFetched.Plain(), Description: out.Message, WorkflowID: out.Fingerprint,
		}
	}
	related, more := f.Related(math.MaxInt)
	out.MoreRelated = more
	for _, r := range related {
		out.Related = append(out.Related, jsonRelated{rangeJSON(r.Place), r.Message.Plain()})
	}
	for _, fix := range f.Fixes() {
		if edits, ok := fix.Edits(); ok && areExpressible(edits) {
			out.Fixes = append(out.Fixes, jsonFix{fix.Title().Plain(), fix.Safety().String(), editsJSON(edits)})
		}
	}
	return out
}

func editsJSON(edits []view.Edit) []jsonEdit {
	out := make([]jsonEdit, len(edits))
	for i, e := range edits {
		out[i] = jsonEdit{rangeJSON(e.Place), e.Text.Plain()}
	}
	return out
}

func rangeJSON(p view.Place) jsonRange {
	start, end := p.Start(view.CodePoints), p.End(view.CodePoints)
	return jsonRange{p.Path().FromRoot().Plain(), start.Line, start.Column, end.Line, end.Column}
}
