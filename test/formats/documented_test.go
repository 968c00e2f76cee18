package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reviewdog/reviewdog"
	"github.com/reviewdog/reviewdog/filter"
	"github.com/reviewdog/reviewdog/parser"
)

// TestDocumentedReviewdog runs reviewdog as docs/ci.md does, with the program that
// scripts/formats has built: reviewdog's own flags, parser, and filter select the findings
// that a change adds from all of mcplumb's findings, and give the exit code that the job
// should have. The command itself cannot be compiled here, because its clients of other
// services are not available.
func TestDocumentedReviewdog(t *testing.T) {
	page, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^(mcplumb .*) \|\n *reviewdog (.*)$`).FindSubmatch(page)
	if lines == nil {
		t.Fatal("docs/ci.md does not show reviewdog")
	}
	flags := flag.NewFlagSet("reviewdog", flag.ContinueOnError)
	// The flags of cmd/reviewdog/main.go in v0.21.1.
	format := flags.String("f", "", "")
	name := flags.String("name", "", "")
	reporter := flags.String("reporter", "local", "")
	diff := flags.String("diff", "", "")
	var mode filter.Mode
	var level reviewdog.FailLevel
	flags.Var(&mode, "filter-mode", "")
	flags.Var(&level, "fail-level", "")
	var arguments []string
	for _, word := range regexp.MustCompile(`(?:[^\s"]|"[^"]*")+`).FindAllString(string(lines[2]), -1) {
		arguments = append(arguments, strings.ReplaceAll(word, `"`, ""))
	}
	if err := flags.Parse(arguments); err != nil || flags.NArg() > 0 {
		t.Fatal(err, flags.Args())
	}
	reads, err := parser.New(&parser.Option{FormatName: *format})
	if err != nil {
		t.Fatal(err)
	}
	if *name != "mcplumb" || *reporter != "local" {
		t.Errorf("-name=%s -reporter=%s", *name, *reporter)
	}

	program, err := filepath.Abs("../../bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", program+":"+os.Getenv("PATH"))
	t.Chdir(t.TempDir())
	shell := func(script string) []byte {
		t.Helper()
		var stderr bytes.Buffer
		cmd := exec.Command("sh", "-ec", script)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", script, err, stderr.String())
		}
		return out
	}
	const before, after = `"before": {"type": "http", "url": "http://before.acme.dev/mcp"}`, `"after": {"type": "http", "url": "http://after.acme.dev/mcp"}`
	commit := `git add -A; git -c user.name=t -c user.email=t@example.com commit -qm x`
	shell(`git init -q; echo '{"mcpServers": {` + "\n" + before + "\n" + `}}' >.mcp.json; ` + commit + `; git update-ref refs/remotes/origin/main HEAD
echo '{"mcpServers": {` + "\n" + after + ",\n" + before + "\n" + `}}' >.mcp.json; ` + commit)

	var posted comments
	dog := reviewdog.NewReviewdog(*name, reads, &posted, reviewdog.NewDiffCmd(exec.Command("sh", "-c", *diff), 1), mode, level)
	failed := dog.Run(t.Context(), bytes.NewReader(shell(string(lines[1]))))
	if failed == nil || !strings.Contains(failed.Error(), "at least one issue") {
		t.Errorf("the job ends with %v", failed)
	}
	if len(posted) != 1 || !strings.Contains(posted[0].Result.Diagnostic.GetMessage(), "after.acme.dev") {
		t.Errorf("posted is %v", posted)
	}

	// Nothing is new against itself.
	posted = nil
	dog = reviewdog.NewReviewdog(*name, reads, &posted, reviewdog.NewDiffString("", 1), mode, level)
	if err := dog.Run(t.Context(), bytes.NewReader(shell(string(lines[1])))); err != nil || len(posted) > 0 {
		t.Errorf("%v, posted is %v", err, posted)
	}
}
