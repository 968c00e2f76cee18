// Package parallel shares work among the processors.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls work for 0..n-1 on every processor. Each call owns the index it is
// given and writes its results there, so nothing is locked and the order is that
// of the input. Once the context ends no further call is made, and its error is
// returned.
func For(ctx context.Context, n int, work func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
