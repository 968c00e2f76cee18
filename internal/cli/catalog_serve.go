package cli

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/vetting"
	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/serve"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// lookEvery is how often mcplumb checks the files for changes.
const lookEvery = 2 * time.Second

func (a *app) catalogServeCommand() *cobra.Command {
	var f catalogFlags
	address := "127.0.0.1:8787"
	var hosts []string
	cmd := &cobra.Command{
		Use:   "serve [PATH]",
		Short: "Serve the catalog over HTTP",
		Long: `Serve the catalog of the repository around PATH over HTTP, read-only and from
memory, until interrupted. The catalog is rebuilt when files change. If that
fails, mcplumb prints the reason and keeps serving the last one.

On an address of this machine it answers only to localhost and such names, and
only their pages may read the answers. --host adds the name of a server that
forwards to it. There is no authentication: on any other address, everyone who
can reach it can read the catalog, and so can every page.

Exit codes:
  0  interrupted
  2  wrong usage or settings
  3  a file or the lockfile could not be read, or it cannot listen on the
     address`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			return a.serveCatalog(cmd.Context(), &f, paths, address, hosts)
		},
	}
	cmd.Flags().Var((*filled)(&address), "addr", "listen on `HOST:PORT`")
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "also answer to the name `HOST`; repeatable")
	f.add(cmd)
	return cmd
}

func (a *app) serveCatalog(ctx context.Context, f *catalogFlags, paths []string, address string, hosts []string) error {
	if !serve.IsAddress(address) {
		return fmt.Errorf("--addr must be HOST:PORT, not %q", address)
	}
	v, err := a.vet(ctx, f, paths)
	if v == nil {
		return err
	}
	a.printLeft(v.Left)
	l, err := serve.Listen(ctx, address)
	if err != nil {
		a.printError(fmt.Errorf("cannot listen on %s: %w", address, err))
		a.code = exitIncomplete
		return nil
	}
	l.Names = serve.NamesOf(address, hosts)
	if !l.IsLoopback() {
		fmt.Fprintf(a.env.Stderr, "mcplumb: no authentication: everyone who can reach %s can read the catalog\n", l.Addr())
	}
	if _, err := fmt.Fprintf(a.env.Stdout, "%s on http://%s/\n", report.Count(v.Catalog.Len(), "server"), l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	var current atomic.Pointer[catalog.Catalog]
	current.Store(v.Catalog)
	if a.env.Ticker != nil {
		ticks, stop := a.env.Ticker(lookEvery)
		defer stop()
		go v.KeepFresh(ctx, ticks, func(fresh *vetting.Vetted) {
			current.Store(fresh.Catalog)
			a.printLeft(fresh.Left)
			fmt.Fprintf(a.env.Stderr, "mcplumb: the catalog has changed: %s\n", report.Count(fresh.Catalog.Len(), "server"))
		}, func(why string) {
			fmt.Fprintf(a.env.Stderr, "mcplumb: the catalog is unchanged: %s\n", view.NewText(why))
		})
	}
	return l.Run(ctx, func(r catalog.Request) catalog.Answer { return current.Load().Answer(r) })
}
