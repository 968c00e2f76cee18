package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/app/check"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// syncFlags are the flags of sync.
type syncFlags struct {
	from, config string
	to, servers  []string
	check, diff  bool
	color        *choice
}

func (a *app) syncCommand() *cobra.Command {
	var f syncFlags
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Write the same servers into the files of several clients",
		Long: `Bring the files that in-step in the settings names to hold the same servers,
each in the words of its client: a server that is missing is written, of one
that differs what differs. What only one client knows of a server stays, and so
do comments. A credential is never copied.

With --from and --to it is done once, without settings: every server of FILE
goes to the files of other clients in its project, to the one that is there or
a new one.

Exit codes: 0 in step, 1 something is out of step, as after a run that could
not mend it, 2 wrong usage or settings, 3 a file could not be checked or
written, or the run was stopped.`,
		Example: `  mcplumb sync                               what the settings ask for
  mcplumb sync --check                       write nothing, and say what differs
  mcplumb sync --from .mcp.json --to vscode,codex
  mcplumb sync --from .mcp.json --to all     to every client with a file here`,
		Args: noPaths,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sync(cmd.Context(), &f) },
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and say what is not in step")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print what would change as a patch, and write nothing")
	cmd.Flags().Var((*filled)(&f.from), "from", "the `FILE` whose servers the others are to have")
	cmd.Flags().StringSliceVar(&f.to, "to", nil, "the `CLIENT` to write them for, as mcplumb list names it, or all for those that have a file beside FILE; repeatable")
	cmd.Flags().StringSliceVar(&f.servers, "server", nil, "only the server `NAME` of FILE, or those of a pattern such as internal-*; repeatable")
	f.color = addColor(cmd)
	addConfig(cmd, &f.config)
	completeWith(cmd, "to", func() []string { return append(writableClients(), allClients) })
	return cmd
}

// writableClients returns the IDs of the clients that servers can be written for.
func writableClients() []string {
	var ids []string
	for _, c := range instep.Writable() {
		ids = append(ids, c.ID)
	}
	return ids
}

// noPaths says how a file is named where somebody gives it as check takes it.
func noPaths(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("sync takes no PATH: the settings name the files, or --from %s --to CLIENT", args[0])
}

// refuse says which flags do not go together.
func (f *syncFlags) refuse() error {
	switch {
	case f.from != "" && len(f.to) == 0:
		return errors.New("--from needs --to CLIENT, or --to all for those that have a file beside it")
	case f.from == "" && len(f.to) > 0:
		return errors.New("--to needs --from FILE, whose servers are to be written")
	case f.from == "" && len(f.servers) > 0:
		return errors.New("--server goes with --from FILE: in the settings a group has its servers")
	}
	return nil
}

func (a *app) sync(ctx context.Context, f *syncFlags) error {
	if err := f.refuse(); err != nil {
		return err
	}
	r := workspace.Request{Config: f.config, Known: f.from == "", Adjust: asked}
	if f.from != "" {
		r.Paths = []string{f.from}
	}
	w, err := a.open(ctx, r)
	if err != nil {
		return err
	}
	defer w.Close()
	if w.Options.Targets = nil; f.from != "" {
		group, err := a.groupFrom(ctx, w, f)
		if err != nil || group == nil {
			return err
		}
		w.Adjust(func(s *policy.Settings) { asked(s); s.InStep = []mcp.GroupSettings{*group} })
	}
	if len(w.Options.Settings.InStep) == 0 {
		return a.refuseNoGroup(ctx, w)
	}
	w.Options.Checks = []*checks.Rule{checks.OutOfStep}
	return a.bringInStep(ctx, w, f)
}

// asked makes a rule count that was asked for by name, as grave as it is by itself: the
// exit code tells whether files are in step.
func asked(s *policy.Settings) { delete(s.Rules, checks.OutOfStep.ID) }

// bringInStep mends, or shows, what is out of step in the groups of the workspace, and
// says how it stands then.
func (a *app) bringInStep(ctx context.Context, w *workspace.Workspace, f *syncFlags) error {
	c := &checkFlags{
		outputs: &outputs{}, severity: &choice{value: checks.Note.String()}, color: f.color, quiet: true,
		rules: []string{checks.OutOfStep.ID}, // of which nothing is left out
		fix:   fixFlags{diff: f.diff, allow: &choice{value: checks.Safe.String(), given: !f.check && !f.diff}},
	}
	result, mended, err := check.LintOrFix(ctx, w, c.fix.asked())
	if err != nil {
		return err
	}
	ofGroups(result, w.Options.Settings.InStep)
	v := view.New(w.Viewed(result))
	a.printProblems(v)
	for _, notice := range v.Notices() { // beside findings of one rule there is no summary
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", notice)
	}
	c.quiet = false
	if err := a.printFixed(c, w, v, mended); err != nil {
		return err
	}
	c.quiet = true
	if err := a.report(c, w, v, checks.Warning.String()); err != nil {
		return err
	}
	a.printIgnored(ctx, w, result.Repo.Groups)
	a.code = exitCode(result, checks.Warning.String())
	return a.printStep(w, result, f)
}

// printIgnored names the files of groups that git ignores. They are in step on this machine
// alone: a clone has none of them.
func (a *app) printIgnored(ctx context.Context, w *workspace.Workspace, groups []*mcp.Group) {
	var files []string
	for _, g := range groups {
		for _, file := range g.Files {
			files = append(files, file.Path)
		}
	}
	if !w.Git || w.Env.Git().Program == "" || len(files) == 0 {
		return
	}
	ignored, err := w.Env.Git().Ignored(ctx, w.Root, files)
	if err != nil {
		fmt.Fprintf(a.env.Stderr, "mcplumb: git does not say of all files whether it ignores them: %v\n", err)
	}
	for _, name := range ignored {
		fmt.Fprintf(a.env.Stderr, "mcplumb: git ignores %s, so nobody gets it with the repository\n", terminal.Escape(w.Shown(name)))
	}
}

// ofGroups leaves in a result what is out of step. A file of a group that does not parse
// was not compared.
func ofGroups(r *lint.Result, groups []mcp.GroupSettings) {
	found := r.Findings
	r.Findings = nil
	for _, f := range found {
		switch {
		case f.Rule == checks.OutOfStep:
			r.Findings = append(r.Findings, f)
		case f.Rule == checks.SyntaxError && f.Severity > checks.Note && slices.ContainsFunc(groups, func(g mcp.GroupSettings) bool { return instep.Names(&g, f.File.Path) }):
			r.Errors = append(r.Errors, lint.FileError{Path: f.File.Path, Message: "does not parse: " + f.Message})
		}
	}
}

// printStep says in a line how it stands: beside a patch, and where the output is for a
// program, on standard error.
func (a *app) printStep(w *workspace.Workspace, result *lint.Result, f *syncFlags) error {
	line := ""
	switch a.code {
	case exitOK:
		line = inStepLine(result.Repo.Groups)
	case exitFindings:
		line = outOfStepLine(result.Findings, f)
	default:
		return nil // what is wrong is said
	}
	to := a.env.Stdout
	if f.diff || a.standardFormat(w.Options.Settings.Preferences.Format) != "text" {
		to = a.env.Stderr
	}
	_, err := fmt.Fprintln(to, line)
	return source.WriteFailed("standard output", err)
}

// inStepLine says how much is in step.
func inStepLine(groups []*mcp.Group) string {
	servers, unsayable, files := 0, 0, map[string]bool{}
	for _, g := range groups {
		for _, row := range g.Rows {
			if slices.ContainsFunc(row.Cells, func(c *mcp.Cell) bool { return c.State == mcp.NotSayable }) {
				unsayable++
			} else {
				servers++
			}
		}
		for _, file := range g.Files {
			files[file.Path] = true
		}
	}
	line := fmt.Sprintf("in step: %s in %s", report.Count(servers, "server"), report.Count(len(files), "file"))
	switch {
	case len(files) == 0:
		return "in step: there are not two files here to compare"
	case unsayable == 0:
		return line
	case servers == 0:
		return "in step: each file holds what its client can have, and no server can be in all of them"
	case unsayable == 1:
		return line + "; 1 more is not in all of them, because a client cannot have it"
	}
	return line + fmt.Sprintf("; %d more are not in all of them, because a client cannot have them", unsayable)
}

// outOfStepLine says how much is not, and what mends it.
func outOfStepLine(findings []checks.Finding, f *syncFlags) string {
	places, mendable := 0, 0
	for _, one := range findings {
		if one.Severity < checks.Warning {
			continue
		}
		places++
		if slices.ContainsFunc(one.Fixes, func(fix checks.Fix) bool { return fix.Safety == checks.Safe }) {
			mendable++
		}
	}
	line := "out of step: " + report.Count(places, "finding")
	if mendable > 0 && (f.check || f.diff) {
		line += fmt.Sprintf(", %d mended without --%s", mendable, f.dryRun())
	}
	return line
}

// dryRun is the flag by which nothing is written.
func (f *syncFlags) dryRun() string {
	if f.diff {
		return "diff"
	}
	return "check"
}

// refuseNoGroup says how files are named that are to be in step, with those that are here.
func (a *app) refuseNoGroup(ctx context.Context, w *workspace.Workspace) error {
	w.Options.Checks = nil
	result, err := w.List(ctx)
	if err != nil {
		return err
	}
	group, once := exampleGroup(result.Repo)
	return fmt.Errorf("the settings name no files that are to be in step: write in-step: [%s] in %s, or %s for this once",
		groupInYAML(&group), policy.SettingsName, once)
}

// exampleGroup returns a group of the files that are here, and how to write them once.
func exampleGroup(repo *mcp.Repo) (group mcp.GroupSettings, once string) {
	if proposed := instep.Propose(repo); len(proposed) > 0 {
		return proposed[0], "mcplumb sync --from " + proposed[0].Source + " --to all"
	}
	source, other, client := ".mcp.json", ".vscode/mcp.json", "vscode"
	if file := instep.Richest(repo); file != "" {
		source = file
	}
	if source == other {
		other, client = ".mcp.json", "claude-code"
	}
	return mcp.GroupSettings{Files: []string{source, other}, Source: source}, fmt.Sprintf("mcplumb sync --from %s --to %s", source, client)
}

// groupInYAML writes a group in one line.
func groupInYAML(g *mcp.GroupSettings) string {
	files := make([]string, len(g.Files))
	for i, name := range g.Files {
		files[i] = policy.InYAML(name)
	}
	text := fmt.Sprintf("{files: [%s], source: %s", strings.Join(files, ", "), policy.InYAML(g.Source))
	if g.PerProject {
		text += ", per-project: true"
	}
	return text + "}"
}
