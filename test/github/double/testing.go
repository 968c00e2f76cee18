package double

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Token is the token that doubles of tests accept.
var Token = "ghs_" + strings.Repeat("D0uBle", 6)

// New starts a double of acme/web with a commit of files on its branch main. When
// the test ends, GitHub's descriptions must have allowed every request and git
// finds the repository whole.
func New(t testing.TB, files map[string]*File) *Double {
	t.Helper()
	npm, err := descriptions()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	repo := &repository{dir: dir}
	if _, err := repo.git("init", "--bare", "--quiet", "--initial-branch=main"); err != nil {
		t.Fatal(err)
	}
	d, err := Start(Options{
		Repository: dir, Token: Token,
		OpenAPI: filepath.Join(npm, "openapi/generated/api.github.com.json"),
		GraphQL: filepath.Join(npm, "graphql-schema/schema.graphql"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = d.Close()
		for _, violation := range d.Violations() {
			t.Errorf("GitHub's description does not allow it: %s", violation)
		}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
	first, err := d.commitOn("alice", "", "Begin\n", files)
	if err == nil {
		err = d.move("refs/heads/main", zero, first)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// descriptions finds where npm installed GitHub's descriptions (scripts/github).
func descriptions() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		npm := filepath.Join(dir, "npm/node_modules/@octokit")
		if _, err := os.Stat(npm); err == nil {
			return npm, nil
		}
	}
	return "", errors.Join(err, errors.New("GitHub's descriptions are not installed: scripts/github does it"))
}
