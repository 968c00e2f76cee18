package parallel_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/parallel"
)

// TestFor calls the work once for every index, so that each writes its own result.
func TestFor(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]int, n)
		require.NoError(t, parallel.For(t.Context(), n, func(i int) { calls[i]++ }))
		for i, times := range calls {
			assert.Equal(t, 1, times, "%d of %d", i, n)
		}
	}
}

// TestForEveryProcessor has as many calls at once as there are processors: each of them waits
// until all others have begun, and there is no other work.
func TestForEveryProcessor(t *testing.T) {
	n := runtime.GOMAXPROCS(0)
	var begun atomic.Int64
	all := make(chan struct{})
	require.NoError(t, parallel.For(t.Context(), n, func(int) {
		if int(begun.Add(1)) == n {
			close(all)
		}
		<-all
	}))
	assert.EqualValues(t, n, begun.Load())
}

// TestForStops makes no further call once the context ends, and returns its error.
func TestForStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int64
	err := parallel.For(ctx, 1_000_000, func(int) {
		calls.Add(1)
		cancel()
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.LessOrEqual(t, calls.Load(), int64(runtime.GOMAXPROCS(0)), "one on each processor had begun")

	called := false
	assert.ErrorIs(t, parallel.For(ctx, 3, func(int) { called = true }), context.Canceled)
	assert.False(t, called)

	// That it ends with the last call is an error, too: the results may be cut short.
	ctx, cancel = context.WithCancel(t.Context())
	assert.ErrorIs(t, parallel.For(ctx, 1, func(int) { cancel() }), context.Canceled)
}
