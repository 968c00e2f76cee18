package vetting

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"
)

// rereadAfter is after how many looks without a change all files are read, for those that
// are new.
const rereadAfter = 15

// KeepFresh rebuilds the catalog when a tick finds that its files have changed, until the
// context ends. It calls replace with a catalog that differs, and fail with the reason if it
// cannot make one, but not repeatedly with the same reason.
func (v *Vetted) KeepFresh(ctx context.Context, ticks <-chan time.Time, replace func(*Vetted), fail func(why string)) {
	seen, looks, last := v.stamp, 0, ""
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
		fresh, err := Vet(ctx, v.env, v.options)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if why := err.Error(); why != last {
				last = why
				fail(why)
			}
			continue
		case fresh.Catalog.Sum() != v.Catalog.Sum():
			replace(fresh)
		}
		if !slices.Equal(fresh.watched, v.watched) {
			seen = fresh.stamp
		} // else the next tick sees what changed since the check
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
