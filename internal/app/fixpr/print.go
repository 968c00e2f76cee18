package fixpr

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/pullrequest"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// printProposal prints what a run without --dry-run would propose.
func (p *proposer) printProposal(proposal *pullrequest.Proposal, plan pullrequest.Result) error {
	if len(proposal.Commits) == 0 && plan == (pullrequest.Result{Operation: pullrequest.Unchanged}) {
		return nil
	}
	p.hasReported = true
	var out bytes.Buffer
	fmt.Fprintf(&out, "branch: %s, for %s at %.12s\n", view.NewText(proposal.Branch), view.NewText(proposal.Base), proposal.On)
	if p.hub != nil {
		fmt.Fprintf(&out, "what to do: %s\n", saidOf(plan))
	}
	for _, c := range proposal.Commits {
		title, _, _ := strings.Cut(c.Message, "\n")
		fmt.Fprintf(&out, "commit: %s\n", title)
		for _, f := range c.Files {
			fmt.Fprintf(&out, "  %s\n", view.NewText(f.Path))
		}
	}
	if len(proposal.Commits) > 0 {
		fmt.Fprintf(&out, "title: %s\n\n%s\n", proposal.Title, proposal.Body)
	}
	_, err := p.Out.Write(out.Bytes())
	return source.WriteFailed("standard output", err)
}

// printResult prints what was done, in a line.
func (p *proposer) printResult(branch string, result pullrequest.Result) error {
	if result == (pullrequest.Result{Operation: pullrequest.Unchanged}) {
		return nil
	}
	p.hasReported = true
	_, err := fmt.Fprintf(p.Out, "%s: %s\n", view.NewText(branch), saidOf(result))
	return source.WriteFailed("standard output", err)
}

// saidOf says what was done, or would be.
func saidOf(result pullrequest.Result) string {
	text := result.Operation
	if result.Operation == pullrequest.Unchanged {
		text = "nothing to do"
	}
	if result.Number > 0 {
		text += fmt.Sprintf(", #%d %s", result.Number, result.URL)
	}
	if result.Why != "" {
		text += ": " + result.Why
	}
	return view.NewText(text).String()
}
