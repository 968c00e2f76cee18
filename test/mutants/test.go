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
	"time"
)

// outcome is what became of a mutant.
type outcome int

const (
	killed   outcome = iota // a test failed
	late                    // the tests took too long, which counts as noticed
	survived                // every test passed
	broken                  // it does not compile
	outcomes
)

func (o outcome) String() string { return [...]string{"killed", "too late", "SURVIVED", "broken"}[o] }

// rules is the directory of the rules, whose tests notice most mistakes anywhere.
const rules = "checks"

// tester runs the tests of the tree at root with mutants. Which tests noticed the
// last mutants it keeps in mind: they notice most of the next ones.
type tester struct {
	root  string
	limit time.Duration // for the tests of one package
	// others are the directories of all packages below root, with slashes, if their tests
	// also run; nil if only the tests of the changed package run.
	others []string

	lock    sync.Mutex
	killers map[string][]string // tests by directory, the latest first
}

// newTester returns a tester that runs only the tests of the changed package.
func newTester(root string, limit time.Duration) *tester {
	return &tester{root: root, limit: limit, killers: map[string][]string{}}
}

// askAll has the tests of every package asked.
func (t *tester) askAll() error {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "./...")
	list.Dir = t.root
	dirs, err := list.Output()
	if err != nil {
		return err
	}
	for dir := range strings.Lines(string(dirs)) {
		below, err := filepath.Rel(t.root, strings.TrimSpace(dir))
		if err != nil {
			return err
		}
		t.others = append(t.others, filepath.ToSlash(below))
	}
	return nil
}

// unchanged runs the tests of the packages in dirs, or of all that would run, without a
// change: it is an error if one fails, or takes longer than the limit.
func (t *tester) unchanged(dirs []string) error {
	if t.others != nil {
		dirs = t.others
	}
	if log, err := t.goTest("", dirs); err != nil {
		return fmt.Errorf("the tests fail as they are, or take longer than %v:\n%s", t.limit, log)
	}
	return nil
}

// try runs the tests with one mutant. dir is a directory for it, which is created and
// removed.
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

// judge runs the tests of the changed package. With all packages it continues, until one
// fails, with the tests of the rules with few random projects, all others, and the rules
// with the usual number of projects. Most mutants do not survive until the second step, and
// hardly any until the third. A mutant of a rule meets that rule's own fixtures first.
func (t *tester) judge(work, overlay, file string) outcome {
	own := path.Dir(file)
	alone := []string{own}
	if t.others != nil && own != rules {
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
			if log, err := t.run(binary, dir, "-test.run", "^TestFixtures$/^"+ruleOf(file)+"$"); err != nil {
				return outcomeOf(log)
			}
		}
		if o := t.notices(binary, dir, few); o != survived {
			return o
		}
	}
	if t.others == nil {
		return survived
	}
	others := slices.DeleteFunc(slices.Clone(t.others), func(dir string) bool { return slices.Contains(alone, dir) })
	if log, err := t.goTest(overlay, others); err != nil {
		return outcomeOf(log)
	}
	if log, err := t.run(filepath.Join(work, rules+".test"), rules, "-test.run", "Projects$"); err != nil {
		return outcomeOf(log)
	}
	return survived
}

// outcomeOf returns why tests failed, by the log that they printed.
func outcomeOf(log string) outcome {
	if strings.Contains(log, "panic: test timed out after ") {
		return late
	}
	return killed
}

// ruleOf returns the rule that a file of the rules' package may hold.
func ruleOf(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(path.Base(file), ".go"), "_", "-")
}

// notices runs the tests of a package, those that noticed other mutants first. A package
// without tests, for which go makes no binary, notices nothing.
func (t *tester) notices(binary, dir string, args []string) outcome {
	if _, err := os.Stat(binary); err != nil {
		return survived
	}
	if known := t.known(dir); len(known) > 0 {
		log, err := t.run(binary, dir, append([]string{"-test.run", "^(" + strings.Join(known, "|") + ")$"}, args...)...)
		if err != nil {
			t.learn(dir, log)
			return outcomeOf(log)
		}
	}
	log, err := t.run(binary, dir, args...)
	if err == nil {
		return survived
	}
	t.learn(dir, log)
	return outcomeOf(log)
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

// run runs a test binary in its directory until a test fails, and returns its output.
func (t *tester) run(binary, dir string, args ...string) (string, error) {
	command := exec.Command(binary, append([]string{"-test.failfast", "-test.timeout=" + t.limit.String()}, args...)...)
	command.Dir = filepath.Join(t.root, filepath.FromSlash(dir))
	out, err := command.CombinedOutput()
	return string(out), err
}

// goTest runs the tests of packages with an overlay, none if it is empty, and returns their
// output. For packages that the change does not reach, go uses its cache.
func (t *tester) goTest(overlay string, dirs []string) (string, error) {
	if len(dirs) == 0 {
		return "", nil
	}
	args := []string{"test", "-failfast", "-vet=off", "-timeout", t.limit.String()}
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
