package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// rules is the directory of the rules, whose tests notice most mistakes anywhere.
const rules = "checks"

// tester runs the tests of the tree at root with mutants. Which tests noticed the
// last mutants it keeps in mind: they notice most of the next ones.
type tester struct {
	root     string
	packages []string // their directories below root, with slashes

	lock    sync.Mutex
	killers map[string][]string // tests by directory, the latest first
}

// newTester lists the packages of a tree and runs all tests as they are: it is an
// error if one fails.
func newTester(root string) (*tester, error) {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "./...")
	list.Dir = root
	dirs, err := list.Output()
	if err != nil {
		return nil, err
	}
	t := &tester{root: root, killers: map[string][]string{}}
	for dir := range strings.Lines(string(dirs)) {
		below, err := filepath.Rel(root, strings.TrimSpace(dir))
		if err != nil {
			return nil, err
		}
		t.packages = append(t.packages, filepath.ToSlash(below))
	}
	if log, err := t.goTest("", t.packages); err != nil {
		return nil, fmt.Errorf("the tests fail as they are:\n%s", log)
	}
	return t, nil
}

// try runs the tests with one mutant. dir is a directory of its own for it,
// which is made and removed.
func (t *tester) try(dir string, m mutant) (outcome, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return broken, err
	}
	defer os.RemoveAll(dir)
	original := filepath.Join(t.root, filepath.FromSlash(m.file))
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
	return t.judge(dir, file, m.file), nil
}

// judge runs, until one fails, the tests of the changed package, those of the rules
// with few random projects, all others, and the rules with as many projects as
// always. Most mutants do not live to see the second, and hardly any the third. Those of
// a rule meet its own fixtures first.
func (t *tester) judge(work, overlay, file string) outcome {
	own := path.Dir(file)
	alone := []string{own}
	if own != rules {
		alone = append(alone, rules)
	}
	for _, dir := range alone {
		binary := filepath.Join(work, path.Base(dir)+".test")
		build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, "./"+dir)
		build.Dir = t.root
		if build.Run() != nil {
			return broken
		}
		var few []string
		if dir == rules {
			few = []string{"-projects", "50"}
			if _, err := t.run(binary, dir, "-test.run", "^TestFixtures$/^"+ruleOf(file)+"$"); err != nil {
				return killed
			}
		}
		if t.notices(binary, dir, few) {
			return killed
		}
	}
	others := slices.DeleteFunc(slices.Clone(t.packages), func(dir string) bool { return slices.Contains(alone, dir) })
	if _, err := t.goTest(overlay, others); err != nil {
		return killed
	}
	if _, err := t.run(filepath.Join(work, rules+".test"), rules, "-test.run", "Projects$"); err != nil {
		return killed
	}
	return survived
}

// ruleOf returns the rule that a file of the rules' package may hold.
func ruleOf(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(path.Base(file), ".go"), "_", "-")
}

// notices reports whether a test of a package fails. Those that noticed other mutants
// run first. A package without tests, of which go makes no binary, notices nothing.
func (t *tester) notices(binary, dir string, args []string) bool {
	if _, err := os.Stat(binary); err != nil {
		return false
	}
	if known := t.known(dir); len(known) > 0 {
		log, err := t.run(binary, dir, append([]string{"-test.run", "^(" + strings.Join(known, "|") + ")$"}, args...)...)
		if err != nil {
			t.learn(dir, log)
			return true
		}
	}
	log, err := t.run(binary, dir, args...)
	if err != nil {
		t.learn(dir, log)
	}
	return err != nil
}

// mostKnown is how many tests run before all the others.
const mostKnown = 5

// known returns the tests of a package that noticed a mutant, the latest first.
func (t *tester) known(dir string) []string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return slices.Clone(t.killers[dir])
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// learn keeps in mind which test failed.
func (t *tester) learn(dir, log string) {
	found := failure.FindStringSubmatch(log)
	if found == nil {
		return // it panicked, or took too long
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	others := slices.DeleteFunc(t.killers[dir], func(name string) bool { return name == found[1] })
	t.killers[dir] = append([]string{found[1]}, others[:min(len(others), mostKnown-1)]...)
}

// run runs a test binary in its directory until a test fails, and returns what it
// printed.
func (t *tester) run(binary, dir string, args ...string) (string, error) {
	command := exec.Command(binary, append([]string{"-test.failfast", "-test.timeout=5m"}, args...)...)
	command.Dir = filepath.Join(t.root, filepath.FromSlash(dir))
	out, err := command.CombinedOutput()
	return string(out), err
}

// goTest runs the tests of packages with an overlay, none if it is empty, and returns
// what they printed. What the change does not reach, go has in its cache.
func (t *tester) goTest(overlay string, dirs []string) (string, error) {
	if len(dirs) == 0 {
		return "", nil
	}
	args := []string{"test", "-failfast", "-vet=off", "-timeout", "5m"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	command := exec.Command("go", args...)
	command.Dir = t.root
	out, err := command.CombinedOutput()
	return string(out), err
}
