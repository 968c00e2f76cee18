package consent

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// Approvals are the places of a project where clients are asked to start a
// server or to run its tools, by its name alone; "" is for every server. Of each
// document and name it is the first.
type Approvals map[string][]approvalPlace

type approvalPlace struct {
	doc      *mcp.Document
	approval mcp.Approval
}

func ApprovalsOf(project *mcp.Project) Approvals {
	places := Approvals{}
	for doc := range reads.Used(project) {
		for _, a := range doc.Approvals {
			named := places[a.Server]
			if a.Tool != "" || len(named) > 0 && named[len(named)-1].doc == doc {
				continue
			}
			places[a.Server] = append(named, approvalPlace{doc, a})
		}
	}
	return places
}

// trust returns the places that approve a server, or something that it does, by its name.
func (places Approvals) trust(project *mcp.Project, s *mcp.Server) []rule.Related {
	if s.Document.Scope != mcp.ScopeProject {
		return nil
	}
	var trusted []rule.Related
	loaders := s.Document.Loaders()
	for _, place := range places[s.Name] {
		if slices.Contains(loaders, place.approval.Client) {
			trusted = append(trusted, rule.Related{File: place.doc.File, Span: place.approval.Span, Message: "this name is approved here"})
		}
	}
	for _, name := range namesInTools(s.Name) {
		for _, m := range project.References[name] {
			isLoader := func(c *mcp.Client) bool { return c.Reading(m.Document.Format) != nil }
			isKnown := slices.ContainsFunc(trusted, func(r rule.Related) bool { return r.File == m.Document.File })
			if m.Permits && reads.Present.Has(m.Document) && slices.ContainsFunc(loaders, isLoader) && !isKnown {
				trusted = append(trusted, rule.Related{File: m.Document.File, Span: m.Span, Message: "a tool of this name is permitted here"})
			}
		}
	}
	return trusted
}

// trustInAll returns the places that approve a server as they do every one.
func (places Approvals) trustInAll(s *mcp.Server) []rule.Related {
	if s.Document.Scope != mcp.ScopeProject {
		return nil
	}
	var trusted []rule.Related
	loaders := s.Document.Loaders()
	for _, place := range places[""] {
		if slices.Contains(loaders, place.approval.Client) {
			trusted = append(trusted, rule.Related{File: place.doc.File, Span: place.approval.Span, Message: "every server is approved here"})
		}
	}
	return trusted
}

// namesInTools returns the names that a server has in permissions.
func namesInTools(name string) []string {
	if as := mcp.InTools(name); as != name {
		return []string{name, as}
	}
	return []string{name}
}

// Relate adds to a finding the places that approve a server by its name, regardless of what it
// runs.
func (places Approvals) Relate(f *rule.Finding, s *mcp.Server) {
	if s.Document.Scope != mcp.ScopeProject {
		return
	}
	loaders := s.Document.Loaders()
	for _, name := range []string{s.Name, ""} {
		for _, place := range places[name] {
			if slices.Contains(loaders, place.approval.Client) {
				f.Relate(rule.Related{File: place.doc.File, Span: place.approval.Span, Message: "this name is approved here"})
			}
		}
	}
}
