package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

func (a *app) explainPolicyCommand() *cobra.Command {
	var r workspace.Request
	cmd := &cobra.Command{
		Use:   "explain-policy SERVER",
		Short: "Explain which clients load a server by managed lists",
		Long: `Walk through what each client does with SERVER, the name of an entry, in every
file that has it: what its lists of allowed and denied servers say, in the order
in which it goes by them. The lists are those of --policy, of policy in the
settings, and of Claude Code's settings in the repository.

Exit codes: 0 it is explained; 2 wrong usage, settings or policies, or no entry
has that name; 3 a file could not be read, or the run was stopped.`,
		Example: `  mcplumb explain-policy notes --policy /etc/claude-code/managed-settings.json
  mcplumb explain-policy notes --policy copilot=.github/managed-settings.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain-policy wants the name of one server: see mcplumb list")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.explainPolicy(cmd.Context(), r, args[0]) },
	}
	addPolicies(cmd, &r.Policies)
	addConfig(cmd, &r.Config)
	return cmd
}

func (a *app) explainPolicy(ctx context.Context, r workspace.Request, name string) error {
	w, err := a.open(ctx, r)
	if err != nil {
		return err
	}
	defer w.Close()
	// What the rule calls a credential is one here, too, whatever the settings say of it.
	w.Options.NoIgnore = true
	if w.Options.Checks, err = selectChecks([]string{"hardcoded-secret"}); err != nil {
		return err
	}
	result, err := w.List(ctx)
	if err != nil {
		return err
	}
	v := view.New(w.Viewed(result))
	a.printProblems(v)
	for _, notice := range v.Notices() {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", notice)
	}
	found, others := entriesNamed(result.Repo, name)
	if len(found) == 0 {
		return unknownServer(name, others)
	}
	var walks []string
	for _, s := range found {
		walks = append(walks, walk(w, v, result.Repo, s))
	}
	if _, err := io.WriteString(a.env.Stdout, strings.Join(walks, "\n")); err != nil {
		return source.WriteFailed("standard output", err)
	}
	if len(result.Errors) > 0 || result.HasUnread() {
		a.code = exitIncomplete
	}
	return nil
}

// entriesNamed returns the entries of a name that clients load, and the names of others.
func entriesNamed(repo *mcp.Repo, name string) (found []*mcp.Server, others []string) {
	for _, p := range repo.Projects {
		for _, d := range p.ClientFiles() {
			for _, s := range d.Servers {
				if s.Name == name {
					found = append(found, s)
				} else {
					others = append(others, s.Name)
				}
			}
		}
	}
	return found, others
}

// unknownServer says that no entry has a name, and which one is near.
func unknownServer(name string, others []string) error {
	hint := "mcplumb list shows those that there are"
	if nearest := spelling.Nearest(name, others); nearest != "" {
		hint = fmt.Sprintf("did you mean %q?", nearest)
	}
	return fmt.Errorf("no file that a client loads has a server %q: %s", name, hint)
}

// walk says what every client of an entry does with it, step by step.
func walk(w *workspace.Workspace, v *view.View, repo *mcp.Repo, s *mcp.Server) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, "%s\n", v.Text(fmt.Sprintf(format, args...)))
	}
	at := s.Document.File.Position(s.NameSpan.Start, syntax.CodePoints)
	line("%s:%d:%d: %q runs %s", w.Shown(s.Document.File.Path), at.Line, at.Column, s.Name, s.Identity.Title())
	if !s.MayBeStarted() {
		line("  it is switched off, whatever lists say")
	}
	policies := checks.PoliciesOf(repo, s.Document.Project)
	without := slices.Clone(s.Document.Loaders())
	for i, d := range checks.Decide(policies, s) {
		if i == 0 {
			line("  lists compare its %s, which is %q", d.Server.What(), d.Server)
		}
		var titles []string
		for _, c := range d.Clients {
			titles = append(titles, c.Title)
			without = slices.DeleteFunc(without, func(other *mcp.Client) bool { return other == c })
		}
		line("  %s: %s", strings.Join(titles, ", "), verdictInWords(d.Verdict))
		for i := range d.Steps {
			line("    %d. %s", i+1, &d.Steps[i])
		}
		if len(d.Steps) == 0 {
			line("    there are no lists for it: --policy FILE names some")
		}
	}
	for _, c := range without {
		line("  %s: reads no such lists, as far as is known", c.Title)
	}
	return b.String()
}

func verdictInWords(v allow.Verdict) string {
	switch v {
	case allow.Blocked:
		return "blocked"
	case allow.Open:
		return "open"
	}
	return "allowed"
}
