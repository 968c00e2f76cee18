package cli

import (
	"fmt"
	"time"
)

// A run that takes longer than patience ticks is shown to the person who waits for it.
const (
	tick     = 250 * time.Millisecond
	patience = 4
)

// watch shows how far a run is, on a line of its own that is erased in the end.
// Only a person sees it, at a terminal and not in the log of a CI job.
func (a *app) watch(progress fmt.Stringer) (stop func()) {
	isWatched := a.env.Ticker != nil && a.env.IsTerminal(a.env.Stderr) && a.env.Getenv("CI") == "" && a.env.Getenv("TERM") != "dumb"
	if !isWatched {
		return func() {}
	}
	ticks, stopTicks := a.env.Ticker(tick)
	done, erased := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(erased)
		width, count := 0, 0
		// Spaces erase the line on every terminal; what cannot be shown is no error.
		show := func(line string) {
			_, _ = fmt.Fprintf(a.env.Stderr, "\r%-*s", width, line)
			width = len(line)
		}
		for {
			select {
			case <-done:
				if width > 0 {
					show("")
					_, _ = fmt.Fprint(a.env.Stderr, "\r")
				}
				return
			case <-ticks:
				if count++; count >= patience {
					show("mcplumb: " + progress.String())
				}
			}
		}
	}()
	return func() {
		stopTicks()
		close(done)
		<-erased
	}
}
