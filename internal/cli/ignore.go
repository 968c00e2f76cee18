package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/approving"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// ignoreFlags are the flags of ignore.
type ignoreFlags struct {
	reason, until, path, config string
	online                      bool
}

func (a *app) ignoreCommand() *cobra.Command {
	var f ignoreFlags
	cmd := &cobra.Command{
		Use:   "ignore RULE [SERVER] --reason WHY",
		Short: "Ignore today's findings of a rule in the settings",
		Long: `Ignore the findings of RULE for SERVER, or for every server. This adds ignores
to .mcplumb.yaml, creating the file if necessary: one for each file and server
that has a finding today, with the reason. Findings of the rule elsewhere, and
later ones about another server, are still reported.

See mcplumb explain RULE first: most findings are easy to fix.`,
		Example: `  mcplumb ignore insecure-url docs --reason "public pages, no login"
  mcplumb ignore unpinned-package --until 2027-01-31 --reason "next sprint"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 || strings.TrimSpace(args[0]) == "" {
				return errors.New("ignore needs a rule, and may have one server: mcplumb ignore RULE [SERVER] --reason WHY")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.ignore(cmd.Context(), &f, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return describedRules(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().Var((*filled)(&f.reason), "reason", "record `WHY` the findings may stay")
	cmd.Flags().Var((*filled)(&f.until), "until", "ignore them until the last `DAY`, such as 2027-01-31")
	cmd.Flags().Var((*filled)(&f.path), "path", "write one ignore for the files that the `PATTERN` matches, instead of one for each file")
	addConfig(cmd, &f.config)
	addFetch(cmd, &f.online)
	return cmd
}

func (a *app) ignore(ctx context.Context, f *ignoreFlags, args []string) error {
	check, err := findRule(args[0])
	if err != nil {
		return err
	}
	if !policy.IsReason(f.reason) {
		return errors.New("ignore needs a reason: --reason says why the findings may stay")
	}
	env := a.outside()
	if f.until != "" {
		switch _, err := time.Parse(time.DateOnly, f.until); {
		case err != nil:
			return fmt.Errorf("--until %q: give a day such as 2027-01-31", f.until)
		case f.until < env.Today():
			return fmt.Errorf("--until %s is over: an ignore would hide nothing", f.until)
		}
	}
	a.relaxGC()
	asked := approving.Ignoring{Rule: check, Path: f.path, Reason: f.reason, Until: f.until, Config: f.config, Online: f.online}
	if len(args) > 1 {
		asked.Server = args[1]
	}
	done, err := approving.Ignore(ctx, env, asked)
	if err != nil {
		return err
	}
	a.printProblems(done.View)
	if done.IsIncomplete {
		a.code = exitIncomplete
	}
	text := fmt.Sprintf("ignored in %s:\n", done.Settings)
	for _, i := range done.Ignores {
		text += "  " + i.Rule
		if i.Server != "" {
			text += fmt.Sprintf(" of %q", i.Server)
		}
		text += " in " + i.Path + "\n"
	}
	for line := range strings.Lines(text) {
		if _, err := fmt.Fprintln(a.env.Stdout, view.NewText(strings.TrimSuffix(line, "\n"))); err != nil {
			return source.WriteFailed("standard output", err)
		}
	}
	return nil
}
