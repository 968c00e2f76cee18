package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/shape"
)

// sample is a small repository.
type sample struct {
	name  string
	files map[string]string
	paths []string // sorted
}

// fewest is how many samples there are at least: an empty list would find nothing.
const fewest = 300

// load returns the samples of formats and systems, the fixtures of rules, and the demo,
// those of a project together.
func load(root string) ([]*sample, error) {
	testdata := filepath.Join(root, "testdata")
	var samples []*sample
	for _, add := range []func(string) ([]*sample, error){formats, fixtures, trees} {
		some, err := add(testdata)
		if err != nil {
			return nil, err
		}
		samples = append(samples, some...)
	}
	if len(samples) < fewest {
		return nil, fmt.Errorf("%d samples in %s, at least %d were to be there", len(samples), testdata, fewest)
	}
	for _, s := range samples {
		for name := range s.files {
			s.paths = append(s.paths, name)
		}
		slices.Sort(s.paths)
	}
	return samples, nil
}

// formats are the samples of formats, at a path where they are read.
func formats(testdata string) (samples []*sample, err error) {
	for _, f := range format.All() {
		files, err := filepath.Glob(filepath.Join(testdata, "formats", f.Name, "*"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			samples = append(samples, &sample{name: file, files: map[string]string{place(f, path.Base(file)): string(content)}})
		}
	}
	return samples, nil
}

// place returns a path of a format, with the extension of the sample if one has it.
func place(f *shape.Format, base string) string {
	at := slices.IndexFunc(f.Paths, func(p string) bool { return path.Ext(p) == path.Ext(base) })
	return strings.ReplaceAll(f.Paths[max(at, 0)], "*", "x")
}

// fixtures are the files of the fixtures of rules.
func fixtures(testdata string) (samples []*sample, err error) {
	files, err := filepath.Glob(filepath.Join(testdata, "checks", "*", "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		s := &sample{name: file, files: map[string]string{}}
		for _, f := range archive.Files {
			if f.Name != "want" && !strings.HasPrefix(f.Name, "fixed/") {
				s.files[f.Name] = string(f.Data)
			}
		}
		if len(s.files) > 0 {
			samples = append(samples, s)
		}
	}
	return samples, nil
}

// trees are the samples of source systems, and the demo.
func trees(testdata string) (samples []*sample, err error) {
	dirs, err := filepath.Glob(filepath.Join(testdata, "systems", "*", "*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range append(dirs, filepath.Join(testdata, "demo")) {
		s := &sample{name: dir, files: map[string]string{}}
		err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			below, err := filepath.Rel(dir, file)
			s.files[filepath.ToSlash(below)] = string(content)
			return err
		})
		if err != nil {
			return nil, err
		}
		if s.files["."] == "" { // want.txt is a file, no tree
			samples = append(samples, s)
		}
	}
	return samples, nil
}
