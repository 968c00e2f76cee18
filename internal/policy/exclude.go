package policy

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/mcplumb/mcplumb/internal/source"
)

// Filter decides which paths are read.
type Filter struct {
	rules []filterRule
}

// filterRule is one named path with the patterns that hold below it: one that
// covers the path itself is set aside, since the path was asked for by name.
type filterRule struct {
	path  string
	globs []string
}

// NewFilter returns the filter of the paths that were named, without what the
// settings exclude.
func NewFilter(settings *Settings, paths []string) Filter {
	var f Filter
	for _, path := range paths {
		rule := filterRule{path: path}
		for _, glob := range settings.Exclude {
			if !covers(glob, path) {
				rule.globs = append(rule.globs, glob)
			}
		}
		f.rules = append(f.rules, rule)
	}
	return f
}

// Wants reports whether a path is below a named one that does not exclude it.
func (f Filter) Wants(path string) bool {
	for _, rule := range f.rules {
		if source.Within(rule.path, path) && !rule.excludes(path) {
			return true
		}
	}
	return false
}

func (r filterRule) excludes(path string) bool {
	for _, glob := range r.globs {
		if covers(glob, path) {
			return true
		}
	}
	return false
}

// covers reports whether a valid glob matches a path or a directory above it.
func covers(glob, path string) bool {
	for path != "" {
		if ok, _ := doublestar.Match(glob, path); ok {
			return true
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return false
}
