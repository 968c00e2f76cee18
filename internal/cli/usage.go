package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// columns is the width of a terminal that flags are explained in.
const columns = 80

// printUsage says how a command is called, in the order of cobra, with its flags
// wrapped. A template of cobra would do the same, and make the linker keep every
// method of every type: 3 MB.
func printUsage(c *cobra.Command) error {
	var b strings.Builder
	own, inherited := c.LocalFlags(), c.InheritedFlags()
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		b.WriteString("\n\nExamples:\n" + c.Example)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\nAvailable Commands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if own.HasAvailableFlags() {
		b.WriteString("\n\nFlags:\n" + strings.TrimRight(own.FlagUsagesWrapped(columns), "\n"))
	}
	if inherited.HasAvailableFlags() {
		b.WriteString("\n\nGlobal Flags:\n" + strings.TrimRight(inherited.FlagUsagesWrapped(columns), "\n"))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	b.WriteByte('\n')
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}
