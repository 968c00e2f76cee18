package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// outcome is what became of a mutant.
type outcome int

const (
	killed   outcome = iota // a test failed
	survived                // every test passed
	broken                  // it does not compile
	outcomes
)

func (o outcome) String() string { return [...]string{"killed", "SURVIVED", "broken"}[o] }

// tryOne runs the tests with one mutant. dir is a directory of its own for it,
// which is made and removed.
func tryOne(root, dir string, m mutant) (outcome, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return broken, err
	}
	defer os.RemoveAll(dir)
	original := filepath.Join(root, filepath.FromSlash(m.file))
	text, err := os.ReadFile(original)
	if err != nil {
		return broken, err
	}
	changed := filepath.Join(dir, "changed.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return broken, err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(changed, []byte(m.apply(string(text))), 0o600), os.WriteFile(file, overlay, 0o600)); err != nil {
		return broken, err
	}
	result, _ := test(root, file, stages(path.Dir(m.file)))
	return result, nil
}

// stages are the arguments of go test, one after the other: the tests of the
// changed package, those of the rules with few random projects, and all. Most
// mutants do not live to see the second, and hardly any the third.
func stages(dir string) [][]string {
	rules := []string{"./checks", "-projects", "50"}
	if dir == "checks" {
		return [][]string{rules, {"./..."}}
	}
	return [][]string{{"./" + dir}, rules, {"./..."}}
}

// test runs the tests with an overlay, none if it is empty, stage by stage until
// one fails. It returns what go test printed, too.
func test(root, overlay string, stages [][]string) (outcome, string) {
	for _, stage := range stages {
		args := []string{"test", "-failfast", "-vet=off", "-timeout", "5m"}
		if overlay != "" {
			args = append(args, "-overlay", overlay)
		}
		var out bytes.Buffer
		command := exec.Command("go", append(args, stage...)...)
		command.Dir, command.Stdout, command.Stderr = root, &out, &out
		if err := command.Run(); err != nil {
			if strings.Contains(out.String(), "[build failed]") {
				return broken, out.String()
			}
			return killed, out.String()
		}
	}
	return survived, ""
}
