package workspace

import (
	"path"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// Unsaved is what an editor has of a file before it is saved.
type Unsaved struct {
	Path    string // from the current directory
	Content []byte
}

// Find finds the workspace of a request. A file that is not saved yet need not exist, but its
// directory must. For a revision, neither needs to exist on disk.
func Find(env *Env, r Request) (source.Workspace, error) {
	if r.Unsaved == nil {
		place, err := source.Find(env.Dir, r.Paths, policy.SettingsName)
		if err != nil && r.Rev != "" {
			if around, ok := findAround(env, r.Paths); ok {
				return around, nil
			}
		}
		return place, err
	}
	place, err := source.Find(env.Dir, []string{filepath.Dir(r.Unsaved.Path)}, policy.SettingsName)
	if err == nil {
		place.Targets[0] = path.Join(place.Targets[0], filepath.Base(r.Unsaved.Path))
	}
	return place, err
}

// findAround finds the workspace of the current directory, with paths in it that need
// not be there.
func findAround(env *Env, paths []string) (place source.Workspace, ok bool) {
	place, err := source.Find(env.Dir, nil, policy.SettingsName)
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
