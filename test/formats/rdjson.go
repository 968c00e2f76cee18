package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/reviewdog/reviewdog"
	"github.com/reviewdog/reviewdog/filter"
	"github.com/reviewdog/reviewdog/parser"
	"github.com/reviewdog/reviewdog/proto/rdf"
	"github.com/reviewdog/reviewdog/service/commentutil"
)

// comments collects what reviewdog would post.
type comments []*reviewdog.Comment

func (c *comments) Post(_ context.Context, comment *reviewdog.Comment) error {
	*c = append(*c, comment)
	return nil
}

func (*comments) ShouldPrependGitRelDir() bool { return false }

// checkRDJSON runs reviewdog over a change that adds every file: each finding must become a
// comment at its place, and the comment must be harmless.
func checkRDJSON(r *reports, content []byte) error {
	diff, err := os.ReadFile(filepath.Join(r.dir, "report.diff"))
	if err != nil {
		return err
	}
	var posted comments
	dog := reviewdog.NewReviewdog("mcplumb", parser.NewRDJSONParser(), &posted,
		reviewdog.NewDiffString(string(diff), 1), filter.ModeAdded, reviewdog.FailLevelNone)
	if err := dog.Run(context.Background(), bytes.NewReader(content)); err != nil {
		return err
	}
	wanted := map[string]int{}
	for _, f := range r.Findings {
		if _, known, err := r.repositoryFile(f.Path); err != nil {
			return err
		} else if known {
			wanted[fmt.Sprintf("%s:%d %s %s", f.Path, f.Line, f.Rule, f.Severity)]++
		}
	}
	for _, comment := range posted {
		d := comment.Result.Diagnostic
		severity := map[rdf.Severity]string{rdf.Severity_ERROR: "error", rdf.Severity_WARNING: "warning", rdf.Severity_INFO: "note"}[d.GetSeverity()]
		wanted[fmt.Sprintf("%s:%d %s %s", d.GetLocation().GetPath(), d.GetLocation().GetRange().GetStart().GetLine(), d.GetCode().GetValue(), severity)]--
		if err := r.checkComment(comment); err != nil {
			return fmt.Errorf("%s: %w", d.GetLocation().GetPath(), err)
		}
	}
	for place, count := range wanted {
		if count != 0 {
			return fmt.Errorf("%s: %d comments too few", place, count)
		}
	}
	return nil
}

func (r *reports) checkComment(comment *reviewdog.Comment) error {
	d := comment.Result.Diagnostic
	if d.GetMessage() == "" || d.GetSource().GetName() != "mcplumb" || d.GetCode().GetUrl() == "" {
		return fmt.Errorf("%v: wants a message, a source and the rule's address", d)
	}
	content, _, err := r.repositoryFile(d.GetLocation().GetPath())
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	if err := checkRange(lines, d.GetLocation().GetRange()); err != nil {
		return err
	}
	if got, want := comment.Result.SourceLines[int(d.GetLocation().GetRange().GetStart().GetLine())], string(lines[d.GetLocation().GetRange().GetStart().GetLine()-1]); !comment.Result.InDiffContext || strings.TrimRight(got, "\r\n") != strings.TrimRight(want, "\r\n") {
		return fmt.Errorf("the comment is at %q, not at %q", got, want)
	}
	for _, s := range d.GetSuggestions() {
		if err := checkRange(lines, s.GetRange()); err != nil {
			return err
		}
	}
	page, err := render(commentutil.MarkdownComment(comment))
	if err != nil {
		return err
	}
	return checkPage(page, map[string]bool{
		d.GetCode().GetUrl():                     true,
		"https://github.com/reviewdog/reviewdog": true, // reviewdog signs its comments
	})
}

// checkRange holds that a range is within the file and splits no character.
func checkRange(lines [][]byte, r *rdf.Range) error {
	offset := func(p *rdf.Position) (int, bool) {
		if p.GetLine() < 1 || int(p.GetLine()) > len(lines) || p.GetColumn() < 1 || int(p.GetColumn()) > len(lines[p.GetLine()-1])+1 {
			return 0, false
		}
		line := lines[p.GetLine()-1]
		at := int(p.GetColumn()) - 1
		if at < len(line) && utf8.Valid(line) && !utf8.RuneStart(line[at]) {
			return 0, false
		}
		for _, before := range lines[:p.GetLine()-1] {
			at += len(before)
		}
		return at, true
	}
	start, ok := offset(r.GetStart())
	end, endOK := offset(r.GetEnd())
	if !ok || !endOK || end < start {
		return fmt.Errorf("the range %v is not in the file", r)
	}
	return nil
}
