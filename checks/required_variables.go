package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// reportLacking reports entries without variables and headers that the manifest which publishes
// their server requires. Most clients pass their own environment on, so that it is a note, unless
// only listed variables are passed on.
func reportLacking(p *rule.Pass) {
	published := map[string]*mcp.Server{}
	for doc := range p.Documents() {
		for _, s := range doc.Servers {
			if key := s.Identity.Key(); doc.Publishes && key != "" && published[key] == nil && len(s.Extra().Requires) > 0 {
				published[key] = s
			}
		}
	}
	if len(published) == 0 {
		return
	}
	for doc := range p.Documents() {
		loaders := doc.Loaders()
		if doc.Publishes || doc.Sample || len(loaders) == 0 {
			continue
		}
		for _, s := range doc.Servers {
			if wants := published[s.Identity.Key()]; wants != nil && compare.IsRunning(s) {
				reportLackingEntry(p, s, wants, loaders[0])
			}
		}
	}
}

func reportLackingEntry(p *rule.Pass, s, wants *mcp.Server, c *mcp.Client) {
	lacking, isComplete := lackedBy(s, wants.Extra().Requires)
	if isComplete {
		return
	}
	var names []string
	for _, r := range lacking {
		names = append(names, r.Name.Text)
	}
	f := rule.At(s)
	f.Help = "set what is missing, unless it is in the environment of the client"
	switch {
	case lacking[0].IsHeader:
		f.Help = "add what is missing, unless the client signs in by itself"
	case s.Resolved().Parts().Container != nil:
		f.Severity = rule.Warning
		f.Help = `add "-e" and the name to the options: the container gets no other variables`
	case len(c.EnvBy) > 0:
		f.Severity = rule.Warning
		f.Help = wording.Say("list what is missing in %s: %s passes on only what is listed", c.EnvBy[0], c.Title)
	}
	f.Message = wording.Say("%q has no %s, which %s requires", s.Name, wording.JoinWith(wording.Few(names), "and no"), wants.Document.File.Path)
	f.Related = []rule.Related{{File: wants.Document.File, Span: lacking[0].Name.Span, Message: "required here"}}
	p.Report(f)
}

// lackedBy returns the required values that an entry does not have. mcplumb cannot tell what a
// file of variables or a command for headers sets.
func lackedBy(s *mcp.Server, required []mcp.Required) (lacking []mcp.Required, isComplete bool) {
	l := &s.Launch
	isFile := func(w identity.Word) bool { return strings.HasPrefix(w.Text, "--env-file") }
	if l.EnvFile.Text != "" || slices.ContainsFunc(l.Args, isFile) || s.Extra().HeadersHelper.Text != "" {
		return nil, true
	}
	e := s.Resolved()
	parts, config := e.Parts(), e.Config()
	variables, headers := map[string]bool{}, map[string]bool{}
	give := func(words ...identity.Word) {
		for _, w := range words {
			variables[w.Text] = true
		}
	}
	switch container := parts.Container; {
	case container == nil:
		give(namesOf(parts.Env)...)
		give(l.PassEnv...)
	case container.Image.Text == "":
		return nil, true // it runs already
	default:
		give(namesOf(container.Env)...)
		give(container.Handed...)
	}
	for _, h := range config.Headers {
		headers[h.Name] = true
	}
	for _, r := range required {
		if !r.IsHeader && !variables[r.Name.Text] || r.IsHeader && !headers[strings.ToLower(r.Name.Text)] {
			lacking = append(lacking, r)
		}
	}
	return lacking, len(lacking) == 0
}

func namesOf(pairs []identity.Pair) []identity.Word {
	var names []identity.Word
	for _, p := range pairs {
		names = append(names, p.Name)
	}
	return names
}
