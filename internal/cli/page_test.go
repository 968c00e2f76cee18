package cli

import (
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/app/manual"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHelpFits holds that the help of every command fits in eighty columns.
func TestHelpFits(t *testing.T) {
	for _, cmd := range everyCommand(Command()) {
		var out strings.Builder
		cmd.SetOut(&out)
		require.NoError(t, cmd.Help())
		for line := range strings.Lines(out.String()) {
			assert.LessOrEqual(t, terminal.Width(strings.TrimSuffix(line, "\n")), manual.Width, "%s: %s", cmd.CommandPath(), line)
		}
	}
}

// everyCommand returns a command and those below it.
func everyCommand(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		all = append(all, everyCommand(below)...)
	}
	return all
}

// flagVerbs are the words with which the text of a flag begins, after "also".
const flagVerbs = " add allow answer approve assign check choose color copy exit fetch fix ignore leave list listen look make merge name open print query read record report reuse run set show sign skip sort use write "

// TestHelpFollowsTheStyle holds the help to docs/style.md: the first line of a command has a verb
// and its object, in at most 60 characters and without a period; the text of a flag begins with a
// verb, and its default comes last, in parentheses.
func TestHelpFollowsTheStyle(t *testing.T) {
	for _, cmd := range everyCommand(Command()) {
		name := cmd.CommandPath()
		assert.LessOrEqual(t, len(cmd.Short), 60, "%s: %s", name, cmd.Short)
		assert.Regexp(t, `^[A-Z][a-z]+ .*[^.]$`, cmd.Short, name)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" {
				return // the text of the library
			}
			verb, _, _ := strings.Cut(strings.TrimPrefix(f.Usage, "also "), " ")
			assert.Contains(t, flagVerbs, " "+verb+" ", "%s --%s: %s", name, f.Name, f.Usage)
			assert.NotRegexp(t, `\.$|default[^)]*$|\(default[^)]*\).`, f.Usage, "%s --%s", name, f.Name)
		})
	}
}
