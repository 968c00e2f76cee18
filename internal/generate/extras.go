package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// writeExtras writes the files that a release has in addition to the program: man pages
// into dir/man, completions into dir/completions. The pages have the day of the release's
// commit (SOURCE_DATE_EPOCH, as reproducible builds have it), or none.
func writeExtras(dir string, day time.Time) error {
	root := cli.Command()
	root.DisableAutoGenTag = true
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	header := &doc.GenManHeader{Title: "MCPLUMB", Section: "1", Source: "mcplumb " + cli.Version, Date: &day}
	if err := doc.GenManTree(root, header, man); err != nil {
		return err
	}
	return writeCompletions(root, completions)
}

func writeCompletions(root *cobra.Command, dir string) error {
	for name, write := range map[string]func(string) error{
		"mcplumb.bash": func(p string) error { return root.GenBashCompletionFileV2(p, true) },
		"mcplumb.zsh":  root.GenZshCompletionFile,
		"mcplumb.fish": func(p string) error { return root.GenFishCompletionFile(p, true) },
		"mcplumb.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
