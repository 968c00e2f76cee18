package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// standardStream is the name of standard input and output on a command line.
const standardStream = "-"

// outputError says that a report could not be written.
type outputError struct {
	to  string
	err error
}

func (e *outputError) Error() string { return fmt.Sprintf("cannot write %s: %v", e.to, e.err) }
func (e *outputError) Unwrap() error { return e.err }

// outputFailed returns err as an *outputError, or nil.
func outputFailed(to string, err error) error {
	if err == nil {
		return nil
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err // to names the path already
	}
	return &outputError{to, err}
}

// write sends a report to a file, or to standard output if file is "" or "-".
func (a *app) write(file string, write func(io.Writer) error) error {
	if file == "" || file == standardStream {
		return outputFailed("standard output", write(a.env.Stdout))
	}
	target := file
	if !filepath.IsAbs(file) {
		target = filepath.Join(a.env.Dir, file)
	}
	return outputFailed(file, source.WriteFile(a.repository(), target, write))
}

// writeInside writes what the repository itself has a place for, a path from the root that
// messages call shown.
func (a *app) writeInside(path, shown string, write func(io.Writer) error) error {
	return outputFailed(shown, source.WriteInside(a.repository(), path, write))
}

// repository returns the root of the repository that is worked on, out of which no
// output is led; of a command that works on none that around the current
// directory.
func (a *app) repository() string {
	if a.root != "" {
		return a.root
	}
	place, err := source.Find(a.env.Dir, nil, policy.SettingsName)
	if err != nil {
		return ""
	}
	return place.Root
}
