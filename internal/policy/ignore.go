package policy

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ignore hides findings of one rule. It comes from the settings or from a
// comment.
type ignore struct {
	rule string
	// The place that unused-ignore reports.
	file  *syntax.File
	place syntax.Span
	// Of the settings: globs and names, "" for any.
	glob, server string
	// void says why it hides nothing, "" if nothing is wrong with it; it goes on
	// after "this ignore".
	void string
	// quiet ones are not reported: they stand in a test's data or in an example,
	// where most rules are silent.
	quiet bool
	used  bool
}

// ignores are all ignores of a run.
type ignores struct {
	all []*ignore
	// settings are those of the settings by rule, comments those of comments by
	// the line they stand for.
	settings map[string][]*ignore
	comments map[ignoredLine][]*ignore
	// paths are the files with such comments: only there lines matter.
	paths map[string]bool
	// void remembers what misnamed has said.
	void map[string]string
}

// ignoredLine is a line of a file for which one rule is ignored.
type ignoredLine struct {
	path string
	line int
	rule string
}

// collectIgnores returns the ignores of the settings and of the comments of all
// files that were read. today, as 2006-01-02, tells which have expired.
func collectIgnores(settings *Settings, repo *mcp.Repo, today string) *ignores {
	all := &ignores{
		settings: map[string][]*ignore{}, comments: map[ignoredLine][]*ignore{},
		paths: map[string]bool{}, void: map[string]string{},
	}
	for _, entry := range settings.Ignores {
		one := &ignore{rule: entry.Rule, file: settings.file, place: entry.place, glob: entry.Path, server: entry.Server}
		if entry.Until != "" && entry.Until < today {
			one.void = "has expired on " + entry.Until
		}
		all.all = append(all.all, one)
		all.settings[entry.Rule] = append(all.settings[entry.Rule], one)
	}
	for _, project := range repo.Projects {
		for _, doc := range project.Documents {
			all.addComments(doc)
		}
	}
	return all
}

// addComments adds the ignores of a file's comments.
func (all *ignores) addComments(doc *mcp.Document) {
	var next map[int]int // once it is needed
	for _, span := range doc.Surface.Comments {
		found, ok := readDirective(string(doc.File.Bytes[span.Start:span.End]))
		if !ok {
			continue
		}
		if next == nil {
			next = afterComments(doc)
		}
		line := doc.File.LineAt(span.Start)
		if after, alone := next[line]; alone {
			line = after
		}
		for _, word := range found.rules {
			one := &ignore{
				rule: word.text, file: doc.File, void: found.void, quiet: doc.Role != mcp.InUse,
				place: syntax.Span{Start: span.Start + word.start, End: span.Start + word.start + len(word.text)},
			}
			if one.void == "" {
				one.void = all.misnamed(word.text)
			}
			all.all = append(all.all, one)
			at := ignoredLine{doc.File.Path, line, word.text}
			all.comments[at] = append(all.comments[at], one)
			all.paths[doc.File.Path] = true
		}
	}
}

// misnamed says why an ignore of a rule of that name is void, or "".
func (all *ignores) misnamed(rule string) string {
	void, known := all.void[rule]
	if known {
		return void
	}
	if rule == checks.UnusedIgnore.ID {
		void = "cannot hide " + rule + ": turn that rule off in the settings"
	} else if checks.ByID(rule) == nil {
		void = fmt.Sprintf("names the unknown rule %q: %s", rule, spelling.Hint(rule, ruleIDs()))
	}
	all.void[rule] = void
	return void
}

// afterComments returns for every line that holds nothing but comments the next
// one that holds more, or nothing at all: the line that a comment there stands
// for.
func afterComments(doc *mcp.Document) map[int]int {
	next := map[int]int{}
	for _, span := range slices.Backward(doc.Surface.Comments) {
		if !standsAlone(doc.File, span) {
			continue
		}
		first, last := doc.File.LineAt(span.Start), doc.File.LineAt(span.End)
		after, known := next[last+1]
		if !known {
			after = last + 1
		}
		for line := first; line <= last; line++ {
			next[line] = after
		}
	}
	return next
}

// standsAlone reports whether nothing stands beside a comment.
func standsAlone(file *syntax.File, span syntax.Span) bool {
	_, start := file.Line(file.LineAt(span.Start))
	last, lastStart := file.Line(file.LineAt(span.End))
	return isBlank(file.Bytes[start:span.Start]) && isBlank(file.Bytes[min(span.End, lastStart+len(last)):lastStart+len(last)])
}

func isBlank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// hide takes out of the findings what is ignored and returns the rest. An
// ignore that is void hides nothing; the finding then names it.
func (all *ignores) hide(findings []checks.Finding) []checks.Finding {
	if len(all.all) == 0 {
		return findings
	}
	var kept []checks.Finding
	for _, f := range findings {
		hidden := false
		for _, one := range all.matching(&f) {
			one.used = true
			if one.void == "" {
				hidden = true
			} else if one.file != nil {
				f.Related = append(f.Related[:len(f.Related):len(f.Related)],
					checks.Related{File: one.file, Span: one.place, Message: "this ignore " + one.void})
			}
		}
		if !hidden {
			kept = append(kept, f)
		}
	}
	return kept
}

// matching returns the ignores that mean a finding, void ones too.
func (all *ignores) matching(f *checks.Finding) []*ignore {
	var found []*ignore
	for _, one := range all.settings[f.Check.ID] {
		if (one.glob == "" || covers(one.glob, f.File.Path)) && (one.server == "" || one.server == f.Server) {
			found = append(found, one)
		}
	}
	if all.paths[f.File.Path] {
		line := f.File.LineAt(f.Span.Start)
		found = append(found, all.comments[ignoredLine{f.File.Path, line, f.Check.ID}]...)
	}
	return found
}

// unused reports the ignores that are void, and those that have hidden nothing
// although the rule was judged.
func (all *ignores) unused(judged func(rule string) bool) []checks.Finding {
	check := checks.UnusedIgnore
	var findings []checks.Finding
	for _, one := range all.all {
		message := ""
		switch {
		case one.quiet || one.file == nil:
		case one.void != "":
			message = "this ignore " + one.void
		case !one.used && judged(one.rule):
			message = fmt.Sprintf("this ignore hides nothing: %s finds nothing here", one.rule)
		}
		if message != "" {
			findings = append(findings, checks.Finding{
				Check: check, Severity: check.Severity, File: one.file, Span: one.place, Message: message,
			})
		}
	}
	return findings
}
