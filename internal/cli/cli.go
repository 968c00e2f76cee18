// Package cli is the command line: commands, flags, exit codes, and the words that a
// person reads. The environment, the streams and the clock are handed in, and it hands
// them on, so that tests run the whole program in process.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-multierror"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/mcplumb/mcplumb/internal/app/manual"
	"github.com/mcplumb/mcplumb/internal/built"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/registry"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// The exit codes.
const (
	exitOK         = 0 // nothing at or above --fail-on
	exitFindings   = 1 // findings
	exitUsage      = 2 // wrong usage or settings
	exitIncomplete = 3 // a file or a rule could not be checked; wins over exitFindings
)

// Env is everything the program takes from the outside.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Environ are the variables as NAME=value; Getenv returns one of them.
	Environ []string
	Getenv  func(name string) string
	Now     func() time.Time
	// Dir is the current directory, absolute.
	Dir string
	// IsTerminal reports whether a stream is shown to a person.
	IsTerminal func(io.Writer) bool
	// Columns is how wide the terminal of standard output is, 0 if it is not a terminal; nil
	// if unknown.
	Columns func() int
	// Ticker returns a channel that receives the time every so often, and what
	// stops it; without one no progress is shown.
	Ticker func(every time.Duration) (ticks <-chan time.Time, stop func())
	// TuneGC sets how much the heap may grow between two collections, in percent,
	// and the bytes from which on it is collected more often; nil leaves the
	// collector as it is.
	TuneGC func(percent int, limit int64)
	// Wait waits, or returns the error of the context; nil waits in real time.
	Wait func(context.Context, time.Duration) error
	// Proxy returns the proxy that requests to registries go through, nil for none.
	Proxy func(*url.URL) (*url.URL, error)
	// LookPath finds a program.
	LookPath func(name string) (string, error)
	// Version is the program's own, without a leading v; Commit is what it was built
	// from, "" where the build does not say.
	Version, Commit string
}

// System returns the environment of the process.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // every path will then be reported as it is
	}
	return Env{
		Args:   os.Args[1:],
		Stdin:  os.Stdin,
		Stdout: os.Stdout, Stderr: os.Stderr,
		Environ: os.Environ(), Getenv: os.Getenv,
		Now:        time.Now,
		Dir:        dir,
		IsTerminal: isTerminal,
		Columns:    terminalColumns,
		Ticker:     ticker,
		TuneGC:     tuneGC,
		Proxy:      registry.ProxyOfEnvironment,
		LookPath:   exec.LookPath,
		Version:    Version, Commit: built.Commit(),
	}
}

func ticker(every time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(every)
	return t.C, t.Stop
}

func tuneGC(percent int, limit int64) {
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

func terminalColumns() int {
	columns, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// columns is how wide the terminal is, 0 where that is not known.
func (e *Env) columns() int {
	if e.Columns == nil {
		return 0
	}
	return e.Columns()
}

// Version is the version of the program.
const Version = built.Version

// Main runs the program and returns its exit code.
func Main(ctx context.Context, env Env) int {
	a := &app{env: env, code: exitOK}
	root := a.rootCommand()
	root.SetArgs(env.Args)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	refuseUnknownShells(root)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.fail(err)
	}
	return a.code
}

// Command returns the command tree, for man pages and completions.
func Command() *cobra.Command { return (&app{env: Env{Version: Version}}).rootCommand() }

// app is one run of the program.
type app struct {
	env  Env
	code int
	root string // of the repository that is worked on, "" for none yet
	// token is that of the action for GitHub, "" for those of the environment.
	token string
}

// outside returns what opening a repository takes from the outside.
func (a *app) outside() *workspace.Env {
	return &workspace.Env{
		Dir: a.env.Dir, Environ: a.env.Environ, Getenv: a.env.Getenv, LookPath: a.env.LookPath, Now: a.env.Now,
		Wait: a.env.Wait, Proxy: a.env.Proxy, Watch: a.watch, Version: a.env.Version,
		GitHubFile: a.gitHubFile,
	}
}

// open opens a repository. From now on, no link in it may lead an output out of it.
func (a *app) open(ctx context.Context, r workspace.Request) (*workspace.Workspace, error) {
	a.relaxGC()
	w, err := workspace.Open(ctx, a.outside(), r)
	if err == nil {
		a.root = w.Root
	}
	return w, err
}

// relaxGC makes a short run collect late what it no longer needs, which is
// little: nearly all that it reads it keeps. The limit comes before the heap
// outgrows a small runner.
func (a *app) relaxGC() { a.collect(1200, 440<<20) }

// collectAnswers has a run that asks registries collect as a program does by itself: it keeps
// little of their answers, and waits for them.
func (a *app) collectAnswers() { a.collect(100, math.MaxInt64) }

// collectEarly keeps a report of very many records within half as much memory again as
// these need, which is most of what it has: it takes no longer on two processors.
func (a *app) collectEarly() { a.collect(50, math.MaxInt64) }

// collectSettled returns what an editor's server calls after each check: a large heap is collected
// early, a small one as a program does by itself, which is half as often and halves what a change
// costs at worst.
func (a *app) collectSettled() func() {
	const large = 32 << 20 // bytes
	var mutex sync.Mutex
	last := 0
	return func() {
		heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(heap)
		// The first is what the last collection kept, and does not swing; 0 before any.
		percent := 100
		if cmp.Or(heap[0].Value.Uint64(), heap[1].Value.Uint64()) > large {
			percent = 50
		}
		mutex.Lock()
		defer mutex.Unlock()
		if percent != last {
			last = percent
			a.collect(percent, math.MaxInt64)
		}
	}
}

// collect tunes the collector. A limit that the person has set counts instead.
func (a *app) collect(percent int, limit int64) {
	if a.env.TuneGC != nil && a.env.Getenv("GOGC") == "" && a.env.Getenv("GOMEMLIMIT") == "" {
		a.env.TuneGC(percent, limit)
	}
}

// fail prints the error that ended the run and returns the exit code for it.
func (a *app) fail(err error) int {
	a.printError(err)
	return errorCode(err)
}

// errorCode is the exit code for an error that ends a run.
func errorCode(err error) int {
	var output *source.WriteError
	var asked *github.Failure
	var unfetched *workspace.Unfetched
	switch {
	case errors.As(err, &output), errors.As(err, &asked), errors.As(err, &unfetched), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return exitIncomplete
	}
	return exitUsage
}

// printError prints an error, or each of several, on a line of its own: mistakes that are
// collected for a person are a *multierror.Error. Joined errors are one failure and what
// failed while it was cleaned up after, and so one message.
func (a *app) printError(err error) {
	var several *multierror.Error
	if errors.As(err, &several) {
		for _, one := range several.Errors {
			a.printError(one)
		}
		return
	}
	// What is escaped has no line breaks: no file name can forge a message.
	fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(err.Error()))
}

// rootCommand builds the command tree, afresh for every run.
func (a *app) rootCommand() *cobra.Command {
	asksVersion := false
	root := &cobra.Command{
		Use:   "mcplumb",
		Short: "Lint the MCP server configuration of a repository",
		Long: `mcplumb lints the MCP server configuration of a repository: the files that AI
clients start servers from, such as .mcp.json and .cursor/mcp.json, and the
lockfiles next to them. It works out what each entry really runs, reports
problems at their line and column, and starts nothing.

https://github.com/mcplumb/mcplumb`,
		Example: `  mcplumb check             lint everything below this directory
  mcplumb list              list every server, and what it runs
  mcplumb explain RULE      show what a rule finds, and how to fix it`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && !asksVersion {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asksVersion {
				return a.printVersion()
			}
			return cmd.Help()
		},
	}
	root.Flags().BoolVarP(&asksVersion, "version", "v", false, "print the version")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate(root))
	root.SetHelpCommand(helpCommand(root))
	root.AddCommand(a.checkCommand(), a.listCommand(), a.syncCommand(), a.lockCommand(), a.approveCommand(), a.ignoreCommand(), a.fixPRCommand(), a.catalogCommand(), a.fleetCommand(), a.actionCommand(), a.explainCommand(), a.explainPolicyCommand(), a.rulesCommand(), a.baselineCommand(), a.settingsCommand(), a.initCommand(), a.lspCommand(), a.versionCommand())
	return root
}

// usageTemplate returns the library's template of how a command is called, with its flags
// wrapped where a terminal ends.
func usageTemplate(root *cobra.Command) string {
	return strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", manual.Width))
}

// refuseUnknownShells makes the command completion say which shells it knows, where
// the library would show its help and succeed. The streams must be set.
func refuseUnknownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil || completion == root {
		return
	}
	var shells []string
	for _, c := range completion.Commands() {
		shells = append(shells, c.Name())
	}
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return fmt.Errorf("unknown shell %q: %s", args[0], spelling.Hint(args[0], shells))
	}
}

// unknownCommand says which command was meant. What looks like a path is one.
func unknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		names = append(names, c.Name())
	}
	path := func(name string) string {
		return strings.TrimPrefix(parent.CommandPath()+" "+name, parent.Root().Name()+" ")
	}
	hint := "see " + parent.CommandPath() + " --help"
	if meant := otherNames()[name]; meant != "" && !parent.HasParent() {
		hint = fmt.Sprintf("did you mean %q?", meant)
	} else if nearest := spelling.Nearest(name, names); nearest != "" {
		hint = fmt.Sprintf("did you mean %q?", path(nearest))
	} else if strings.ContainsAny(name, `./\`) {
		hint = fmt.Sprintf("to check a path: mcplumb check %s", name)
	}
	return fmt.Errorf("unknown command %q: %s", path(name), hint)
}

// showHelp makes a command of commands show its help, and refuse others than it has.
func showHelp(cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// otherNames are the names that other linters have for what a command does.
func otherNames() map[string]string {
	return map[string]string{
		"lint": "check", "run": "check", "scan": "check", "validate": "check", "verify": "check", "test": "check",
		"ls": "list", "show": "list", "inventory": "list", "fix": "check --fix", "diff": "check --diff",
	}
}

// helpCommand prints the help of a command, and suggests another name if there is no such
// command.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			cmd, rest, err := root.Find(args)
			if err != nil || cmd == root || len(rest) > 0 {
				return unknownCommand(root, args[0])
			}
			return cmd.Help()
		},
	}
}

// flagError says which flag was meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	case !errors.As(err, &unknown):
		return fmt.Errorf("%w: see %s --help", err, cmd.CommandPath())
	}
	name := unknown.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if nearest := spelling.Nearest(name, names); nearest != "" && unknown.GetSpecifiedShortnames() == "" {
		return fmt.Errorf("unknown flag --%s: did you mean --%s?", name, nearest)
	}
	// A format, named with a flag as in other programs: the flag accepts it, and the run ends.
	if format := cmd.Flags().Lookup("format"); format != nil && format.Value.Set(name) == nil {
		return fmt.Errorf("unknown flag --%s: did you mean --format %s?", name, name)
	}
	return fmt.Errorf("%w: see %s --help", err, cmd.CommandPath())
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the commit if known",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	_, err := io.WriteString(a.env.Stdout, a.versionLine())
	return source.WriteFailed("standard output", err)
}

func (a *app) versionLine() string {
	return built.Named(a.env.Version, a.env.Commit) + "\n"
}
