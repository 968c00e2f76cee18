package workspace

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/mcplumb/mcplumb/internal/source"
)

// Env is the outside, as far as opening a repository needs it.
type Env struct {
	// Dir is the current directory, absolute.
	Dir string
	// Environ are the variables as NAME=value; Getenv returns one of them.
	Environ []string
	Getenv  func(name string) string
	// LookPath finds a program.
	LookPath func(name string) (string, error)
	Now      func() time.Time
	// Wait waits, or returns the error of the context; nil waits in real time.
	Wait func(context.Context, time.Duration) error
	// Proxy returns the proxy that requests to registries go through, nil for none.
	Proxy func(*url.URL) (*url.URL, error)
	// GitHubFile returns a file of a repository (OWNER/NAME) at a commit, for settings that extend it.
	GitHubFile func(ctx context.Context, repository, path, commit string) ([]byte, error)
	// Watch shows how far a run is until stop is called; nil shows nothing.
	Watch func(progress fmt.Stringer) (stop func())
	// Version is the program's own.
	Version string
}

// Git returns how git is started. One that was only found in the current
// directory is refused by LookPath: a repository could bring its own.
func (e *Env) Git() source.Git {
	git := source.Git{Environ: e.Environ}
	if program, err := e.LookPath("git"); err == nil {
		git.Program = program
	}
	return git
}

// Pause waits, or returns the error of the context.
func (e *Env) Pause(ctx context.Context, pause time.Duration) error {
	if e.Wait != nil {
		return e.Wait(ctx, pause)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Today returns the date in UTC, as settings write dates.
func (e *Env) Today() string { return e.Now().UTC().Format(time.DateOnly) }

// Absolute returns a path as seen from the current directory.
func (e *Env) Absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.Dir, path)
}
