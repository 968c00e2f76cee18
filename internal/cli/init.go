package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
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
with everything that settings can say in comments. A file that is there is never
overwritten.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.init() },
	}
}

func (a *app) init() error {
	place, err := source.Find(a.env.Dir, nil, policy.SettingsName)
	if err != nil {
		return err
	}
	path := filepath.Join(place.Root, policy.SettingsName)
	shown := terminal.Escape((&workspace{Workspace: place}).paths().Seen(path))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: it stays as it is", shown)
	}
	if err == nil {
		_, err = f.Write(startingSettings)
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		_, err = fmt.Fprintf(a.env.Stdout, "wrote %s: see %sdocs/settings.md\n", shown, "https://github.com/mcplumb/mcplumb/blob/main/")
	}
	return outputFailed(shown, err)
}
