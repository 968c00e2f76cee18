package cli

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/vetting"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/report"
)

func (a *app) catalogBuildCommand() *cobra.Command {
	var f catalogFlags
	var out, address string
	cmd := &cobra.Command{
		Use:   "build [PATH]",
		Short: "Write the catalog as static files",
		Long: `Write the catalog of the repository around PATH as static files, for any web
server. It writes the directory as a whole: files of an earlier catalog are
removed, and a directory with other files is refused.

Exit codes:
  0  written
  2  wrong usage or settings
  3  a file or the lockfile could not be read, or nothing could be written`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if address != "" && !isWebAddress(address) {
				return fmt.Errorf("--address must be a URL of https or http, not %q", address)
			}
			v, err := a.vet(cmd.Context(), &f, paths)
			if v == nil {
				return err
			}
			return a.writeCatalog(v, out, strings.TrimRight(address, "/"))
		},
	}
	cmd.Flags().VarP((*filled)(&out), "out", "o", "write to the directory `DIR`")
	cmd.Flags().Var((*filled)(&address), "address", "show the `URL` of the registry on the page")
	f.add(cmd)
	out = "mcplumb-catalog"
	return cmd
}

// isWebAddress reports whether a text is the address of a site.
func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.RawQuery+u.Fragment == ""
}

// writeCatalog writes the files of a catalog, which will be served at an address.
func (a *app) writeCatalog(v *vetting.Vetted, out, address string) error {
	a.printLeft(v.Left)
	if err := v.Write(a.absolute(out), address); err != nil {
		return source.WriteFailed(out, err)
	}
	_, err := fmt.Fprintf(a.env.Stdout, "%s: %s\n", out, report.Count(v.Catalog.Len(), "server"))
	return err
}
