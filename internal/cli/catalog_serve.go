package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/serve"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// lookEvery is how often files are looked at for changes, and rereadAfter after how many
// looks without one all of them are read, for those that are new.
const (
	lookEvery   = 2 * time.Second
	rereadAfter = 15
)

func (a *app) catalogServeCommand() *cobra.Command {
	var f catalogFlags
	address := "127.0.0.1:8787"
	cmd := &cobra.Command{
		Use:   "serve [PATH]",
		Short: "Answer for the catalogue over HTTP",
		Long: `Answer for the catalogue of the repository around PATH over HTTP, read-only and
from memory, until it is interrupted. When files of the repository change it is
made again; where that fails the last one stays, and the reason is said.

Nobody is asked who he is: what listens on another address than this machine's
own offers the catalogue to everybody who reaches it.

Exit codes: 0 it was interrupted; 2 wrong usage or settings; 3 a file or the
lockfile could not be read, or the address cannot be listened on.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			f.paths = paths
			return a.serveCatalog(cmd.Context(), &f, address)
		},
	}
	cmd.Flags().Var((*filled)(&address), "addr", "listen on `HOST:PORT`")
	f.add(cmd)
	return cmd
}

func (a *app) serveCatalog(ctx context.Context, f *catalogFlags, address string) error {
	if !serve.IsAddress(address) {
		return fmt.Errorf("--addr must be HOST:PORT, not %q", address)
	}
	v, err := a.vet(ctx, f)
	if err != nil {
		return a.refused(err)
	}
	a.printLeft(v.left)
	l, err := serve.Listen(ctx, address)
	if err != nil {
		a.printError(fmt.Errorf("cannot listen on %s: %w", address, err))
		a.code = exitIncomplete
		return nil
	}
	if !l.IsLoopback() {
		fmt.Fprintf(a.env.Stderr, "mcplumb: everybody who reaches %s can read the catalogue: nobody is asked who he is\n", l.Addr())
	}
	if _, err := fmt.Fprintf(a.env.Stdout, "%s on http://%s/\n", report.Count(v.catalog.Len(), "server"), l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	var current atomic.Pointer[catalog.Catalog]
	current.Store(v.catalog)
	if a.env.Ticker != nil {
		ticks, stop := a.env.Ticker(lookEvery)
		defer stop()
		go a.keepFresh(ctx, f, v, stampOf(v.watched), ticks, current.Store)
	}
	return l.Run(ctx, func(r catalog.Request) catalog.Answer { return current.Load().Answer(r) })
}

// keepFresh makes the catalogue again when its files are no longer as they were seen.
func (a *app) keepFresh(ctx context.Context, f *catalogFlags, v *vetted, seen string, ticks <-chan time.Time, replace func(*catalog.Catalog)) {
	looks, last := 0, ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		now := stampOf(v.watched)
		if looks++; now == seen && looks < rereadAfter {
			continue
		}
		seen, looks = now, 0
		fresh, err := a.vet(ctx, f)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if said := err.Error(); said != last {
				last = said
				fmt.Fprintf(a.env.Stderr, "mcplumb: the catalogue stays as it was: %s\n", view.NewText(said))
			}
			continue
		case fresh.catalog.Sum() != v.catalog.Sum():
			replace(fresh.catalog)
			a.printLeft(fresh.left)
			fmt.Fprintf(a.env.Stderr, "mcplumb: the catalogue has changed: %s\n", report.Count(fresh.catalog.Len(), "server"))
		}
		if !slices.Equal(fresh.watched, v.watched) {
			seen = stampOf(fresh.watched)
		} // else what changed since they were looked at is seen the next time
		v, last = fresh, ""
	}
}

// stampOf returns what changes when one of some files does.
func stampOf(paths []string) string {
	var stamp []byte
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			stamp = append(stamp, "-\n"...)
			continue
		}
		stamp = fmt.Appendf(stamp, "%d %d\n", info.Size(), info.ModTime().UnixNano())
	}
	return string(stamp)
}
