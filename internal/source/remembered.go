package source

import (
	"context"
	"sync"
)

// maxRemembered is how big a file may be to be kept in memory.
const maxRemembered = 256 << 10

// Remembered is a tree that is asked once for each path.
type Remembered struct {
	Tree
	reads, stats, reals sync.Map // answered, by path
}

// answered is what a tree said.
type answered[T any] struct {
	value T
	err   error
}

// Remember returns a tree as it is now: what was asked of it is not asked again, but what is
// listed, and what is in large files. What ends with the context is not kept.
func Remember(tree Tree) *Remembered { return &Remembered{Tree: tree} }

// Forget has a file asked for again, by any of its names.
func (r *Remembered) Forget(path string) {
	r.reads.Range(func(name, said any) bool {
		if name == path || said.(answered[File]).value.Real == path {
			r.reads.Delete(name)
			r.stats.Delete(name)
		}
		return true
	})
	r.stats.Delete(path)
}

// once returns the remembered answer for a path, and asks for it the first time.
func once[T any](ctx context.Context, all *sync.Map, path string, ask func(context.Context, string) (T, error), keep func(T) bool) (T, error) {
	if known, ok := all.Load(path); ok {
		a := known.(answered[T])
		return a.value, a.err
	}
	value, err := ask(ctx, path)
	if ctx.Err() == nil && keep(value) {
		all.Store(path, answered[T]{value, err})
	}
	return value, err
}

func always[T any](T) bool { return true }

func (r *Remembered) Read(ctx context.Context, path string) (File, error) {
	return once(ctx, &r.reads, path, r.Tree.Read, func(f File) bool { return len(f.Content) <= maxRemembered })
}

func (r *Remembered) Stat(ctx context.Context, path string) (Kind, error) {
	return once(ctx, &r.stats, path, r.Tree.Stat, always)
}

func (r *Remembered) Real(ctx context.Context, dir string) (string, error) {
	return once(ctx, &r.reals, dir, r.Tree.Real, always)
}
