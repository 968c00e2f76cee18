package cli

import (
	"io"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// standardStream is the name of standard input and output on a command line.
const standardStream = "-"

// write sends a report to a file, or to standard output if file is "" or "-".
func (a *app) write(file string, write func(io.Writer) error) error {
	if file == "" || file == standardStream {
		return source.WriteFailed("standard output", write(a.env.Stdout))
	}
	return source.WriteFailed(file, source.WriteFile(a.repository(), a.absolute(file), write))
}

// writeInside writes what the repository itself has a place for, a path from the root that
// messages call shown.
func (a *app) writeInside(path, shown string, write func(io.Writer) error) error {
	return source.WriteFailed(shown, source.WriteInside(a.repository(), path, write))
}

// repository returns the root of the repository that the command works on, which no output may
// leave through a link; for a command that works on none, the one around the current
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

// absolute returns a path as seen from the current directory.
func (a *app) absolute(path string) string { return a.outside().Absolute(path) }
