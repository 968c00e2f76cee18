package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

// filled is a flag with a value that must not be empty: that of a variable which
// was never set would otherwise go unnoticed.
type filled string

func (f *filled) String() string { return string(*f) }

// Type is what the help shows instead of the value.
func (f *filled) Type() string { return "string" }

func (f *filled) Set(value string) error {
	if value == "" {
		return errors.New("the value is empty")
	}
	*f = filled(value)
	return nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
	given bool // on the command line
}

// or returns the value that was given, else the preferred one if there is one,
// else that of the program.
func (c *choice) or(preferred string) string {
	if c.given || preferred == "" {
		return c.value
	}
	return preferred
}

func (c *choice) String() string { return c.value }

// Type is what the help shows instead of the value.
func (c *choice) Type() string { return strings.Join(c.words, "|") }

func (c *choice) Set(value string) error {
	if err := spelling.OneOf(value, c.words); err != nil {
		return err
	}
	c.value, c.given = value, true
	return nil
}

// addChoice adds a flag that takes one of a few words, the first by default,
// and completes them.
func addChoice(cmd *cobra.Command, name, usage, value string, words ...string) *choice {
	c := &choice{value: value, words: words}
	cmd.Flags().Var(c, name, usage)
	completeWords(cmd, name, words)
	return c
}

// completeWords makes the shell complete a flag's value.
func completeWords(cmd *cobra.Command, name string, words []string) {
	completeWith(cmd, name, func() []string { return words })
}

// completeWith is completeWords for words that only a shell asks for: every run builds
// all commands. The error is that of a flag that does not exist, which no run can meet.
func completeWith(cmd *cobra.Command, name string, words func() []string) {
	_ = cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
}

// addColor adds the flag --color.
func addColor(cmd *cobra.Command) *choice {
	return addChoice(cmd, "color", "color the text", "auto", "auto", "always", never)
}

// addConfig adds the flag --config.
func addConfig(cmd *cobra.Command, file *string) {
	cmd.Flags().VarP((*filled)(file), "config", "c", "use the settings `FILE` instead of .mcplumb.yaml in the root")
}

// addFetch adds the flag --online to a command that asks no registry.
func addFetch(cmd *cobra.Command, online *bool) {
	cmd.Flags().BoolVar(online, "online", false, "fetch files of other repositories that the settings extend")
}

// output is one --format: a format, and the file it goes to or "".
type output struct{ format, file string }

// outputs is the flag --format, which may be given several times.
type outputs struct {
	list  []output
	words []string
}

func (o *outputs) String() string { return "" }

// Type is what the help shows instead of the value.
func (o *outputs) Type() string { return "FORMAT[=FILE]" }

func (o *outputs) Set(value string) error {
	format, file, toFile := strings.Cut(value, "=")
	if err := spelling.OneOf(format, o.words); err != nil {
		return err
	}
	if toFile && file == "" {
		return fmt.Errorf("the file after = is missing")
	}
	if file == standardStream {
		file = ""
	}
	for _, other := range o.list {
		switch {
		case other.file != file:
		case file == "":
			return fmt.Errorf("two formats go to standard output: give one a file, as in --format %s=FILE", format)
		default:
			return fmt.Errorf("two formats go to %s", file)
		}
	}
	o.list = append(o.list, output{format, file})
	return nil
}

// addOutputs adds the flag --format with the names of the formats, the first of
// which is the default.
func addOutputs(cmd *cobra.Command, words []string) *outputs {
	o := &outputs{words: words}
	cmd.Flags().VarP(o, "format", "f", "choose the output format: "+strings.Join(words, ", ")+"; repeatable (default "+words[0]+")")
	completeWords(cmd, "format", words)
	return o
}

// chosen returns the outputs asked for, or the standard one.
func (o *outputs) chosen(standard string) []output {
	if len(o.list) == 0 {
		return []output{{format: standard}}
	}
	return o.list
}

// selectChecks returns the rules with the IDs, or of the groups, nil for all of
// them. What the linter reports itself cannot be left out: a file that does not
// parse hides everything else in it.
func selectChecks(ids []string) ([]*rule.Rule, error) {
	var selected []*rule.Rule
	for _, id := range ids {
		if group := groupOf(id); len(group) > 0 {
			selected = append(selected, group...)
			continue
		}
		check, err := findRule(id, groupNames()...)
		if err != nil {
			return nil, err
		}
		selected = append(selected, check)
	}
	return selected, nil
}

// groupNames returns what rules are about, each once.
func groupNames() []string {
	var names []string
	for _, c := range checks.All() {
		names = append(names, c.Meta().Tags[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// groupOf returns the rules that are about one thing, as mcplumb rules says it.
func groupOf(about string) []*rule.Rule {
	return slices.DeleteFunc(checks.All(), func(c *rule.Rule) bool { return c.Meta().Tags[0] != about })
}

// addRevisions adds --base and --rev.
func addRevisions(cmd *cobra.Command, base, rev *string) {
	cmd.Flags().Var((*filled)(base), "base", "report only what is new since HEAD left the revision `REV`, as in a pull request")
	cmd.Flags().Var((*filled)(rev), "rev", "check the revision `REV` instead of the files on disk")
}

// addCache adds the flag --cache.
func addCache(cmd *cobra.Command, dir *string) {
	cmd.Flags().Var((*filled)(dir), "cache", "reuse registry answers stored in `DIR` for at most a day, with --online")
}

// errCacheOffline is the error of a cache for which there is nothing to keep.
var errCacheOffline = errors.New("--cache stores answers of registries, so it needs --online")

// addPolicies adds the flag --policy.
func addPolicies(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringArrayVar(files, "policy", nil, "report servers that the managed settings in `FILE` block; for one client, claude-code=FILE or copilot=FILE; repeatable")
}

// addVerbose adds the flag --verbose.
func addVerbose(cmd *cobra.Command, verbose *bool) {
	cmd.Flags().BoolVarP(verbose, "verbose", "v", false, "print to standard error which files were read, with which settings, and which were skipped")
}
