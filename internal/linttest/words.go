package linttest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Grave returns what is more than a note, as Graded does.
func Grave(findings []rule.Finding) []string {
	return Graded(slices.DeleteFunc(slices.Clone(findings), func(f rule.Finding) bool { return f.Severity < rule.Warning }))
}

// Place writes where a span begins: path:line:column.
func Place(file *syntax.File, span syntax.Span) string {
	p := file.Position(span.Start, syntax.CodePoints)
	return fmt.Sprintf("%s:%d:%d", file.Path, p.Line, p.Column)
}

// ShowAll writes the findings of all rules as expected reports hold them.
func ShowAll(findings []rule.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(Place(f.File, f.Span) + ": " + f.Severity.String() + " " + f.Rule.ID + ": " + f.Text() + "\n")
	}
	return b.String()
}

// Graded returns the findings of all rules as "rule severity subject", sorted.
func Graded(findings []rule.Finding) []string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Rule.ID+" "+f.Severity.String()+" "+f.Server)
	}
	slices.Sort(list)
	return list
}

// SubjectsOf writes the findings of some rules as "rule subject", in order.
func SubjectsOf(findings []rule.Finding, rules ...string) []string {
	var list []string
	for _, f := range findings {
		for _, rule := range rules {
			if f.Rule.ID == rule {
				list = append(list, rule+" "+f.Server)
			}
		}
	}
	return list
}
