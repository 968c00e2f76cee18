package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/vetting"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/report"
)

func (a *app) catalogBuildCommand() *cobra.Command {
	var f catalogFlags
	var out string
	cmd := &cobra.Command{
		Use:   "build [PATH]",
		Short: "Write the catalogue as static files",
		Long: `Write the catalogue of the repository around PATH as static files, for any web
server. The directory is written as a whole: what a catalogue had there before is
gone, and one with other files is refused.

Exit codes: 0 written; 2 wrong usage or settings; 3 a file or the lockfile could
not be read, or nothing could be written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			v, err := a.vet(cmd.Context(), &f, paths)
			if v == nil {
				return err
			}
			return a.writeCatalog(v, out)
		},
	}
	cmd.Flags().VarP((*filled)(&out), "out", "o", "write to the directory `DIR`, by default mcplumb-catalog")
	f.add(cmd)
	out = "mcplumb-catalog"
	return cmd
}

// writeCatalog writes the files of a catalogue.
func (a *app) writeCatalog(v *vetting.Vetted, out string) error {
	a.printLeft(v.Left)
	if err := v.Write(a.absolute(out)); err != nil {
		return source.WriteFailed(out, err)
	}
	_, err := fmt.Fprintf(a.env.Stdout, "%s: %s\n", out, report.Count(v.Catalog.Len(), "server"))
	return err
}
