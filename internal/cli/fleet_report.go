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
the findings by number of repositories, and what no repository can see by
itself.

The rules across repositories are org-name-conflict (one name, different
servers), org-alias-drift (one server, different names), and org-version-spread
(one package, different versions).

If a repository has several records, the newest commit counts. --previous also
reports new and removed servers. Records of another version of mcplumb that this
version cannot read are named and left out.

Exit codes:
  0  reported, with any findings
  2  wrong usage
  3  a record could not be read, or the report could not be written`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return a.reportFleet(cmd.Context(), dirs, previous, outputs)
		},
	}
	for _, format := range report.FleetFormats() {
		outputs.words = append(outputs.words, format.Name)
	}
	cmd.Flags().VarP(outputs, "format", "f", "choose the output format: "+strings.Join(outputs.words, ", ")+"; repeatable (default "+outputs.words[0]+")")
	completeWords(cmd, "format", outputs.words)
	cmd.Flags().Var((*filled)(&previous), "previous", "also report new and removed servers since the records in `DIR`")
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
		return fmt.Errorf("%s: no records of mcplumb fleet check found", strings.Join(dirs, ", "))
	}
	if previous != "" {
		before, err := a.readFleet(ctx, []string{previous})
		if err != nil {
			return fmt.Errorf("--previous: %w", err)
		}
		a.notice(before.Unread, "--previous: ", "new and removed servers there are not reported")
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

// printNotRead says which records could not be read. Those of another version are named once:
// after an update of mcplumb there may be many, and the run must stay green, unless there are
// no others.
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
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s more than one record, such as %s: the newest commit counts\n",
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
