package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a settings file with every setting as a comment",
		Long: `Create .mcplumb.yaml in the root of the repository around the current directory,
with every setting as a comment. If the files of several clients share servers,
mcplumb lists those files as candidates for in-step. An existing file is never
overwritten.`,
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
	isThere := fmt.Errorf("%s already exists and stays unchanged", shown)
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
		_, err = f.Write(policy.Starting(groups))
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
		_, err = fmt.Fprintf(a.env.Stdout, "%s share some servers%s: to keep them in sync, remove the # before in-step there\n",
			terminal.Escape(strings.Join(groups[0].Files, ", ")), others)
	}
	return source.WriteFailed(shown, err)
}

// proposed returns the groups of files that the repository may want to keep in sync.
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
