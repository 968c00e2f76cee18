package cli

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// standardInput is what an editor has of a file before it is saved.
type standardInput struct {
	path    string // from the current directory
	content []byte
}

// standardInput reads standard input if the only path is "-", else it returns nil.
func (a *app) standardInput(filename string, paths []string) (*standardInput, error) {
	switch isStdin := slices.Contains(paths, standardStream); {
	case isStdin && len(paths) > 1:
		return nil, errors.New("- is standard input: it is checked alone")
	case isStdin && filename == "":
		return nil, errors.New("- is standard input: say with --stdin-filename PATH which file it is")
	case !isStdin && filename != "":
		return nil, errors.New("--stdin-filename is for standard input: mcplumb check - --stdin-filename PATH")
	case !isStdin:
		return nil, nil
	}
	content, err := source.ReadStream(a.env.Stdin)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return &standardInput{filename, content}, nil
}

// find finds the workspace of a request. The file that standard input stands for
// need not be there; its directory has to be. Of what a revision has, nothing needs to be.
func (a *app) find(r request) (source.Workspace, error) {
	if r.stdin == nil {
		place, err := source.Find(a.env.Dir, r.paths, policy.SettingsName)
		if err != nil && r.rev != "" {
			if around, ok := a.findAround(r.paths); ok {
				return around, nil
			}
		}
		return place, err
	}
	place, err := source.Find(a.env.Dir, []string{filepath.Dir(r.stdin.path)}, policy.SettingsName)
	if err == nil {
		place.Targets[0] = path.Join(place.Targets[0], filepath.Base(r.stdin.path))
	}
	return place, err
}

// findAround finds the workspace of the current directory, with paths in it that need
// not be there.
func (a *app) findAround(paths []string) (place source.Workspace, ok bool) {
	place, err := source.Find(a.env.Dir, nil, policy.SettingsName)
	if err != nil {
		return place, false
	}
	place.Targets = nil
	for _, name := range paths {
		if !filepath.IsAbs(name) {
			name = filepath.Join(place.Dir, name)
		}
		target, inside := source.Below(place.Root, filepath.Clean(name))
		if !inside {
			return place, false
		}
		place.Targets = append(place.Targets, target)
	}
	return place, true
}
