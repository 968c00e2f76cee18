package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// RoleOf returns the purpose of a file, from its path. The path is slash-separated and relative
// to the directory the user named, so that linting an examples directory checks it in full. Whole
// segments count, and a few endings that are unambiguous: a project called my-test-app is not a
// test.
func RoleOf(file string) mcp.Role {
	role := mcp.InUse
	file, _ = chezmoiTarget(file) // its templates count as the files that it writes
	rest := strings.ToLower(file)
	for {
		segment, after, more := strings.Cut(rest, "/")
		switch {
		case more && isFixtureDir(segment):
			return mcp.Fixture
		case more && isAsideDir(segment), !more && isAsideFile(segment):
			role = mcp.Aside
		case role == mcp.InUse && (more && isExampleDir(segment) || !more && isExampleFile(segment)):
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
		"doc", "docs", "documentation", "sandbox", "sandboxes", "playground", "playgrounds":
		return true
	}
	// A cookiecutter or Yeoman template has a variable for a directory.
	return strings.Contains(segment, "{{") ||
		hasPrefix(segment, "example-", "examples-", "sample-", "samples-") ||
		hasSuffix(segment, "-example", "-examples", "-sample", "-samples", "-template", "-templates", "-sandbox", "-playground")
}

// isAsideDir reports whether the files in a directory are kept and not used: .trash,
// .harness-disabled, temp_new. A project may be called db-backup or temp-monitor.
func isAsideDir(segment string) bool {
	switch strings.Trim(segment, "_.") {
	case "archive", "archives", "archived", "backup", "backups", "bak", "trash", "disabled", "attic":
		return true
	}
	return hasPrefix(segment, "temp_", "tmp_") || hasSuffix(segment, "-disabled", "_disabled", ".disabled", ".bak", ".backup", ".old", ".orig")
}

// isAsideFile reports so of a file, by its ending.
func isAsideFile(name string) bool {
	return hasSuffix(name, ".bak", ".backup", ".old", ".orig", ".disabled")
}

// isExampleFile looks for a word of its own in a file's name: mcp.example.json,
// .mcp-sample.json, mcp.json.template.
func isExampleFile(name string) bool {
	if hasSuffix(name, ".dist") {
		return true
	}
	for _, word := range []string{"example", "sample", "template", "tmpl"} {
		if isWordOf(name, word) {
			return true
		}
	}
	return false
}

// isWordOf reports whether a word is in a name between dots, dashes, underscores or its ends.
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

// SampleEndings returns the words after the last dot of a name that mark a file to copy and fill
// in: config.toml.example.
func SampleEndings() []string { return []string{"example", "sample", "template", "tmpl", "dist"} }

// withoutSample returns a path without such an ending, or without such a word before the
// ending that says the language: settings.example.json.
func withoutSample(file string) string {
	dot := strings.LastIndexByte(file, '.')
	if isSampleWord(file, dot) {
		return file[:dot]
	}
	if dot > 0 && isSampleWord(file[:dot], strings.LastIndexByte(file[:dot], '.')) {
		return file[:strings.LastIndexByte(file[:dot], '.')] + file[dot:]
	}
	return file
}

// isSampleWord reports whether the part of a name from a dot to its end is such a word.
func isSampleWord(file string, dot int) bool {
	return dot > 0 && file[dot-1] != '/' && slices.Contains(SampleEndings(), strings.ToLower(file[dot+1:]))
}
