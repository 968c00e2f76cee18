package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// RoleOf returns what a path says a file is for. The path is slash-separated
// and relative to the directory the user named, so that linting an examples
// directory judges it in full. Whole segments count, and a few endings that say
// it for sure: a project called my-test-app is not a test.
func RoleOf(file string) mcp.Role {
	role := mcp.InUse
	rest := strings.ToLower(file)
	for {
		segment, after, more := strings.Cut(rest, "/")
		switch {
		case more && isFixtureDir(segment):
			return mcp.Fixture
		case more && isExampleDir(segment), !more && isExampleFile(segment):
			role = mcp.Example
		}
		if !more {
			return role
		}
		rest = after
	}
}

func isFixtureDir(segment string) bool {
	switch strings.Trim(segment, "_.") {
	case "test", "tests", "testing", "testdata", "test-data", "test_data", "test-resources",
		"fixture", "fixtures", "test-fixtures", "test_fixtures", "testfixtures",
		"mock", "mocks", "spec", "e2e", "snapshots":
		return true
	}
	return hasSuffix(segment, ".test", ".tests", "-tests", "_tests", "-fixtures", "_fixtures")
}

func isExampleDir(segment string) bool {
	switch strings.Trim(segment, "_.") {
	case "example", "examples", "sample", "samples", "template", "templates",
		"boilerplate", "boilerplates", "scaffold", "scaffolds", "scaffolding", "skeleton", "skeletons",
		"doc", "docs", "documentation",
		"archive", "archives", "archived", "backup", "backups", "bak":
		return true
	}
	// A cookiecutter or Yeoman template has a variable for a directory.
	return strings.Contains(segment, "{{") ||
		hasPrefix(segment, "example-", "examples-", "sample-", "samples-") ||
		hasSuffix(segment, "-example", "-examples", "-sample", "-samples", "-template", "-templates")
}

// isExampleFile looks for a word of its own in a file's name: mcp.example.json,
// .mcp-sample.json, mcp.json.template.
func isExampleFile(name string) bool {
	if hasSuffix(name, ".bak", ".backup", ".old", ".orig", ".disabled", ".dist") {
		return true
	}
	for _, word := range []string{"example", "sample", "template", "tmpl"} {
		if isWordOf(name, word) {
			return true
		}
	}
	return false
}

// isWordOf reports whether a word stands in a name between dots, dashes,
// underscores or its ends.
func isWordOf(name, word string) bool {
	for from := 0; ; {
		i := strings.Index(name[from:], word)
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(word)
		if (start == 0 || isSeparator(name[start-1])) && (end == len(name) || isSeparator(name[end])) {
			return true
		}
		from = end
	}
}

func isSeparator(c byte) bool { return c == '.' || c == '-' || c == '_' }

// SampleEndings returns the words behind the last dot of a name that say that the
// file is to be copied and filled in: config.toml.example.
func SampleEndings() []string { return []string{"example", "sample", "template", "tmpl", "dist"} }

// withoutSample returns a path without such an ending.
func withoutSample(file string) string {
	dot := strings.LastIndexByte(file, '.')
	if dot > 0 && file[dot-1] != '/' && slices.Contains(SampleEndings(), strings.ToLower(file[dot+1:])) {
		return file[:dot]
	}
	return file
}
