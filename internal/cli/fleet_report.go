package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/organization"
	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

func (a *app) fleetReportCommand() *cobra.Command {
	outputs := &outputs{}
	var previous string
	cmd := &cobra.Command{
		Use:   "report DIR…",
		Short: "Report on the records of all repositories",
		Long: `Merge the records that fleet check has written to one or more directories, and
report on all of them: what runs where, at which versions and under which names,
what is found in how many repositories, and what no repository can see by itself.

The rules over the repositories are org-name-conflict (one name, different
servers), org-alias-drift (one server, different names) and org-version-spread
(one package, different versions).

Of a repository with several records that of the newest commit counts. With
--previous the servers that are new and gone are reported, too. Records of another
version of mcplumb that this one cannot read are named and left out.

Exit codes: 0 reported, whatever is found; 2 wrong usage; 3 a record could not be
read, or the report not be written.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return a.reportFleet(cmd.Context(), dirs, previous, outputs)
		},
	}
	for _, format := range report.FleetFormats() {
		outputs.words = append(outputs.words, format.Name)
	}
	cmd.Flags().VarP(outputs, "format", "f", "output format, repeatable: "+strings.Join(outputs.words, ", ")+"; the first by default")
	completeWords(cmd, "format", outputs.words)
	cmd.Flags().Var((*filled)(&previous), "previous", "report what is new and gone since the records in `DIR`")
	return cmd
}

// reportFleet merges records and writes the reports.
func (a *app) reportFleet(ctx context.Context, dirs []string, previous string, chosen *outputs) error {
	a.collectEarly()
	f, err := a.readFleet(ctx, dirs)
	if err != nil {
		return err
	}
	a.printNotRead(f)
	if len(f.Repositories) == 0 && len(f.Unread) == 0 {
		return fmt.Errorf("%s: there are no records of mcplumb fleet check", strings.Join(dirs, ", "))
	}
	if previous != "" {
		before, err := a.readFleet(ctx, []string{previous})
		if err != nil {
			return fmt.Errorf("--previous: %w", err)
		}
		a.notice(before.Unread, "--previous: ", "what is new and gone there is not told")
		f.Compare(before)
	}
	formats := report.FleetFormats()
	for _, out := range chosen.chosen(formats[0].Name) {
		format := formats[slices.IndexFunc(formats, func(f *report.FleetFormat) bool { return f.Name == out.format })]
		err := a.write(out.file, func(to io.Writer) error {
			return format.Write(to, f, view.Tool{Name: "mcplumb", Version: a.env.Version})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// printNotRead says which records could not be read. Those of another version are named
// once: after an update of mcplumb there may be many, and the run is to stay green, unless
// there are no others.
func (a *app) printNotRead(f *fleet.Fleet) {
	var others []fleet.Problem
	for _, p := range f.Unread {
		if p.IsOfOther {
			others = append(others, p)
			continue
		}
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s: %s\n", view.NewText(p.Path), view.NewText(p.Message))
		a.code = exitIncomplete
	}
	a.notice(others, "", "the report is without it")
	if len(f.Repositories) == 0 && len(others) > 0 {
		a.code = exitIncomplete
	}
}

// notice says in one line that records could not be read, and what follows from that.
func (a *app) notice(unread []fleet.Problem, before, follows string) {
	if len(unread) == 0 {
		return
	}
	more := ""
	if n := len(unread) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	fmt.Fprintf(a.env.Stderr, "mcplumb: %s%s%s: %s; %s\n", before, view.NewText(unread[0].Path), more, view.NewText(unread[0].Message), follows)
}

// readFleet reads the records in directories, and says which repositories have several.
func (a *app) readFleet(ctx context.Context, dirs []string) (*fleet.Fleet, error) {
	f, twice, err := organization.ReadRecords(ctx, a.outside(), dirs)
	if len(twice) > 0 {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s more than one record, as %s: that of the newest commit counts\n",
			countedHave(len(twice)), view.NewText(twice[0]))
	}
	return f, err
}

// countedHave says how many repositories have something.
func countedHave(n int) string {
	if n == 1 {
		return "1 repository has"
	}
	return fmt.Sprintf("%d repositories have", n)
}
