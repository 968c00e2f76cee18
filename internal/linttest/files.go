// Package linttest holds what tests of rules share. Tests alone import it.
package linttest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// CommandOf is the entry of a command with arguments.
func CommandOf(command string, args ...string) map[string]any {
	return map[string]any{"command": command, "args": args}
}

// NPXOf is the entry of a package that npx starts.
func NPXOf(args ...string) map[string]any {
	return CommandOf("npx", append([]string{"-y"}, args...)...)
}

// Files keeps the cases short.
type Files = map[string]string

// Object writes a JSON object with its keys in order.
func Object(members map[string]string) string {
	var parts []string
	for name, value := range members {
		parts = append(parts, fmt.Sprintf("%q: %s", name, value))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

// SampleFiles returns the files of a directory by their paths below it.
func SampleFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}
