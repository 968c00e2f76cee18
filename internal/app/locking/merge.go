package locking

import (
	"fmt"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/source"
)

// UnmergedError is the error of a merge that was not made: the file of our side is as it was.
type UnmergedError struct{ Err error }

func (e *UnmergedError) Error() string {
	return fmt.Sprintf("%s was not merged, and our side is unchanged: %v", lock.Name, e.Err)
}

func (e *UnmergedError) Unwrap() error { return e.Err }

// Merge merges two changes of a lockfile, as a merge driver of git does: from the files that
// git has written for the common ancestor, our side and theirs, as absolute paths, into the
// file of our side. It returns a sentence for each conflict, which the file then marks with
// the lines of a merge.
func Merge(base, ours, theirs string) (conflicts []string, err error) {
	was, err := readSide("the ancestor", base, true)
	if err != nil {
		return nil, &UnmergedError{err}
	}
	a, err := readSide("our side", ours, false)
	if err != nil {
		return nil, &UnmergedError{err}
	}
	b, err := readSide("their side", theirs, false)
	if err != nil {
		return nil, &UnmergedError{err}
	}
	merged := lock.Merge(was, a, b)
	if err := source.WriteFile(filepath.Dir(ours), ours, source.Writing(merged.Bytes())); err != nil {
		return nil, &UnmergedError{err}
	}
	return merged.Conflicts, nil
}

// readSide reads a file of a merge. The ancestor's is empty if there was no file, and has the
// marks of a merge if it is itself the merge of several.
func readSide(name, path string, isAncestor bool) (*lock.Lock, error) {
	content, err := source.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, source.Explain(err))
	}
	parse := lock.Parse
	switch {
	case isAncestor && len(content) == 0:
		return nil, nil
	case isAncestor && lock.IsConflicted(content):
		parse = lock.ParseConflicted
	}
	l, err := parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}
