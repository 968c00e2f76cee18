package cli

import "github.com/spf13/cobra"

func (a *app) fleetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Check the repositories of an organization",
		Long: `Check many repositories and report on all of them: which servers they run, at
which versions, and under which names. docs/fleet.md shows it as a workflow.`,
	}
	cmd.AddCommand(a.fleetReposCommand(), a.fleetCheckCommand(), a.fleetReportCommand())
	return showHelp(cmd)
}
