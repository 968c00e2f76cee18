package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/source"
)

// ReadLock returns the lock that there is and its bytes, nil for none.
func (w *Workspace) ReadLock(ctx context.Context) (*lock.Lock, []byte, error) {
	file, err := w.Options.Source.Read(ctx, lock.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s", lock.Name, source.Explain(err))
	}
	parse := lock.Parse
	if lock.IsConflicted(file.Content) {
		parse = lock.ParseConflicted
	}
	known, err := parse(file.Content)
	return known, file.Content, err
}

// Contents returns what reads files of the repository, by their paths from the root.
func (w *Workspace) Contents(ctx context.Context) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		file, err := w.Options.Source.Read(ctx, path)
		return file.Content, err
	}
}
