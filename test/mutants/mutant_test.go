package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMutants holds which changes a function gets, one a line, and that tables of
// data outside of functions get none.
func TestMutants(t *testing.T) {
	const source = `package p

var table = []string{"left alone"}

func f(list []int, name string) string {
	for i, n := range list {
		if n < 7 && name == "a" || !ok(n) {
			continue
		}
		switch n {
		case 1, 2:
			g(i + n)
		}
	}
	return "hello " + name
}
`
	want := []string{
		"a.go:7: `n < 7 && name == \"a\" || !ok(n)` → `!(n < 7 && name == \"a\" || !ok(n))`",
		"a.go:7: `n < 7 && name == \"a\" || !ok(n)` → `n < 7 && name == \"a\"`",
		"a.go:7: `n < 7 && name == \"a\" || !ok(n)` → `!ok(n)`",
		"a.go:7: `||` → `&&`",
		"a.go:7: `!ok(n)` → `ok(n)`",
		"a.go:7: `&&` → `||`",
		"a.go:7: `n < 7 && name == \"a\"` → `n < 7`",
		"a.go:7: `n < 7 && name == \"a\"` → `name == \"a\"`",
		"a.go:7: `<` → `<=`",
		"a.go:7: `7` → `8`",
		"a.go:7: `==` → `!=`",
		"a.go:7: `\"a\"` → `\"a~\"`",
		"a.go:8: `continue` → `break`",
		"a.go:11: `1,` → ``",
		"a.go:11: `, 2` → ``",
		"a.go:11: `1` → `2`",
		"a.go:11: `2` → `3`",
		"a.go:12: `g(i + n)` → ``", // the body of the case
		"a.go:12: `g(i + n)` → ``", // the call
		"a.go:12: `+` → `-`",
		"a.go:15: `\"hello \"` → `\"hello ~\"`",
	}
	found, err := inFile("a.go", source)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, m.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, m := range found {
		if m.line == 8 && !strings.Contains(m.apply(source), "\t\t\tbreak\n\t\t}\n\t\tswitch") {
			t.Error("the change is not where it was found")
		}
	}
}

// TestDrawIsRepeated holds that a seed always draws the same changes, and another
// seed others.
func TestDrawIsRepeated(t *testing.T) {
	all := make([]mutant, 100)
	for i := range all {
		all[i] = mutant{file: "a.go", start: i}
	}
	if !slices.Equal(draw(all, 10, 1), draw(all, 10, 1)) {
		t.Error("one seed draws differently")
	}
	if slices.Equal(draw(all, 10, 1), draw(all, 10, 2)) {
		t.Error("two seeds draw the same")
	}
	if len(draw(all, 0, 1)) != 100 {
		t.Error("0 does not draw all")
	}
}

// TestOutcomes tries changes that a test of the package notices, of the rules, of
// another package, that none notices and that do not compile, on a small module: asking
// the tests of the package alone, and all. One is tried twice: the test that noticed it
// runs first then.
func TestOutcomes(t *testing.T) {
	const tests = "_test\n\nimport (\n\t\"flag\"\n\t\"testing\"\n\n\t\"example.test/p/half\"\n)\n\nvar _ = flag.Int(\"projects\", 1, \"\")\n\n"
	root := t.TempDir()
	for path, content := range map[string]string{
		"go.mod":              "module example.test/p\n\ngo 1.26.0\n",
		"half/half.go":        "package half\n\nfunc Of(n int) int { return n / 2 }\n",
		"half/half_test.go":   "package half" + tests + "func TestFour(t *testing.T) {\n\tif half.Of(4) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
		"checks/rule_test.go": "package checks" + tests + "func TestSix(t *testing.T) {\n\tif half.Of(6) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
		"report/text_test.go": "package report" + tests + "func TestEight(t *testing.T) {\n\tif half.Of(8) != 4 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "half", "half.go"))
	if err != nil {
		t.Fatal(err)
	}
	alone, everybody := newTester(root, time.Minute), newTester(root, time.Minute)
	if err := everybody.askAll(); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), "n / 2")
	try := func(runner *tester, is string, want outcome) {
		t.Helper()
		got, err := runner.try(filepath.Join(t.TempDir(), "work"), mutant{file: "half/half.go", start: at, end: at + len("n / 2"), is: is})
		if err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", is, got, err, want)
		}
	}
	for _, test := range []struct {
		is       string
		own, all outcome
	}{
		{"n * 2", killed, killed}, {"n * 2", killed, killed}, {"2 + n/8", survived, killed}, {"max(2, n-3)", survived, killed},
		{"min(n/2, 4)", survived, survived}, {"n /", broken, broken},
	} {
		try(alone, test.is, test.own)
		try(everybody, test.is, test.all)
	}
	for _, runner := range []*tester{alone, everybody} {
		if known := runner.known("half"); len(known) != 1 || known[0] != "TestFour" {
			t.Errorf("known: %q", known)
		}
		if err := runner.unchanged([]string{"half"}); err != nil {
			t.Error(err)
		}
	}
	hasty := newTester(root, time.Second)
	try(hasty, "func() int { for { n++ } }()", late)
	if outcomeOf("--- FAIL: TestFour") != killed {
		t.Error("a test that fails is not late")
	}
}
