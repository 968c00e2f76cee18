package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/vetting"
	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/view"
)

// catalogFlags are the flags of catalog build and catalog serve.
type catalogFlags struct {
	vetting.Options
	failOn *choice
}

func (a *app) catalogCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "catalog",
		Short: "Publish vetted servers as a read-only registry",
		Long: `Publish the servers that the repository has vetted as a read-only registry: as
static files, or over HTTP. Clients read it as the MCP registry (API v0.1) or as
a registry of Casys PML, people as a page.

A server is vetted if it is enabled, mcplumb.lock records it unchanged with a
hash, and mcplumb check has no finding for it at or above --fail-on. Servers
that are left out are listed with the reason.`,
	}
	cmd.AddCommand(a.catalogBuildCommand(), a.catalogServeCommand(), a.catalogPolicyCommand())
	return showHelp(cmd)
}

// add adds the flags that both commands have.
func (f *catalogFlags) add(cmd *cobra.Command) {
	f.failOn = addChoice(cmd, "fail-on", "set the lowest severity of a finding that keeps a server out", "warning", "note", "warning", "error", never)
	addConfig(cmd, &f.Config)
	addFetch(cmd, &f.Online)
}

// printLeft says what is not offered, and why.
func (a *app) printLeft(left []catalog.LeftOut) {
	for _, l := range left {
		from := "left out"
		if l.From != "" {
			from = "not in " + l.From
		}
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(fmt.Sprintf("%s: %s: %s: %s", l.Path, l.Server, from, l.Why)))
	}
}

// vet checks a repository and makes the catalog of what it has vetted. It is nil where not
// everything could be read, which was printed then.
func (a *app) vet(ctx context.Context, f *catalogFlags, paths []string) (*vetting.Vetted, error) {
	a.relaxGC()
	f.Paths, f.FailOn, f.Log = paths, f.failOn.or, a.env.Stderr
	v, err := vetting.Vet(ctx, a.outside(), f.Options)
	var unread *vetting.UnreadError
	if errors.As(err, &unread) {
		a.printError(err)
		a.code = exitIncomplete
		return nil, nil
	}
	return v, err
}
