package cli

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// startingSettings is what init writes: everything that settings can say, in
// comments.
//
//go:embed init.yaml
var startingSettings []byte

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a settings file with everything it can say, in comments",
		Long: `Write .mcplumb.yaml to the root of the repository around the current directory,
with everything that settings can say in comments. Files of several clients that
hold some of the same servers are named there as files to keep in step. A file
that is there is never overwritten.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context()) },
	}
}

func (a *app) init(ctx context.Context) error {
	place, err := source.Find(a.env.Dir, nil, policy.SettingsName)
	if err != nil {
		return err
	}
	path := filepath.Join(place.Root, policy.SettingsName)
	shown := terminal.Escape(view.NewPaths(place.Root, place.Dir).Seen(path))
	isThere := fmt.Errorf("%s is there already: it stays as it is", shown)
	if _, err := os.Lstat(path); err == nil {
		return isThere
	}
	groups, err := a.proposed(ctx)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return isThere
	}
	if err == nil {
		_, err = f.Write(settingsWith(groups))
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		_, err = fmt.Fprintf(a.env.Stdout, "wrote %s: see %sdocs/settings.md\n", shown, "https://github.com/mcplumb/mcplumb/blob/main/")
	}
	if err == nil && len(groups) > 0 {
		others := ""
		if len(groups) > 1 {
			others = fmt.Sprintf(" (the first of %d such groups)", len(groups))
		}
		_, err = fmt.Fprintf(a.env.Stdout, "%s hold some of the same servers%s: without the # before it, in-step there keeps them in step\n",
			terminal.Escape(strings.Join(groups[0].Files, ", ")), others)
	}
	return source.WriteFailed(shown, err)
}

// proposed returns the groups of files that the repository may want to keep in step.
func (a *app) proposed(ctx context.Context) ([]mcp.GroupSettings, error) {
	w, err := a.open(ctx, workspace.Request{})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	w.Options.Targets = nil
	result, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	return instep.Propose(result.Repo), nil
}

// settingsWith returns the settings that init writes, with groups of files of this
// repository in place of the example.
func settingsWith(groups []mcp.GroupSettings) []byte {
	if len(groups) == 0 {
		return startingSettings
	}
	const key = "#in-step:\n"
	start := bytes.Index(startingSettings, []byte(key))
	end := start + bytes.Index(startingSettings[start:], []byte("\n\n"))
	var b strings.Builder
	b.Write(startingSettings[:start])
	b.WriteString("# These of this repository hold some of the same servers.\n" + key)
	for i, g := range groups {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(groupInComments(&g))
	}
	b.Write(startingSettings[end:])
	return []byte(b.String())
}

// groupInComments writes a group as settings have it, in comments, without the last line
// break.
func groupInComments(g *mcp.GroupSettings) string {
	files := make([]string, len(g.Files))
	for i, name := range g.Files {
		files[i] = inYAML(name)
	}
	text := fmt.Sprintf("#  - files: [%s]\n#    source: %s", strings.Join(files, ", "), inYAML(g.Source))
	if g.PerProject {
		text += "\n#    per-project: true"
	}
	return text
}

// plainInYAML are paths that need no quotes, wherever they stand.
var plainInYAML = regexp.MustCompile(`^[.A-Za-z_][A-Za-z0-9._/-]*$`)

// inYAML writes a path as YAML has it: in quotes where it has to be, which then are those
// of JSON.
func inYAML(path string) string {
	if plainInYAML.MatchString(path) {
		return path
	}
	return strconv.Quote(path)
}
