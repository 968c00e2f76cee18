package policy

import (
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/source"
)

// Filter decides which paths are read.
type Filter struct {
	exclude glob.Index
	rules   []filterRule
}

// filterRule is one named path with the patterns that do not apply below it, because they
// cover the path itself, which the user named.
type filterRule struct {
	path  string
	aside map[int]bool
}

// NewFilter returns the filter of the paths that were named, without what the
// settings exclude.
func NewFilter(settings *Settings, paths []string) Filter {
	var f Filter
	for i, text := range settings.Exclude {
		if pattern, err := glob.Parse(text); err == nil {
			f.exclude.Add(pattern, i)
		}
	}
	for _, path := range paths {
		rule := filterRule{path: path, aside: map[int]bool{}}
		f.exclude.Covering(path, func(id int) bool {
			rule.aside[id] = true
			return true
		})
		f.rules = append(f.rules, rule)
	}
	return f
}

// Wants reports whether a path is below a named one that does not exclude it.
func (f *Filter) Wants(path string) bool {
	for _, rule := range f.rules {
		if source.Within(rule.path, path) && !f.excludes(rule, path) {
			return true
		}
	}
	return false
}

func (f *Filter) excludes(rule filterRule, path string) bool {
	excluded := false
	f.exclude.Covering(path, func(id int) bool {
		excluded = !rule.aside[id]
		return !excluded
	})
	return excluded
}
