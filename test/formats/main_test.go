package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// good are reports of a repository with one file and one warning in it. A letter of two
// bytes precedes the token.
func good() map[string]string {
	return map[string]string{
		"repository/a.json": "{\n\"é\": \"b\"}\n",
		"report.diff": "diff --git a/a.json b/a.json\nnew file mode 100644\n--- /dev/null\n+++ b/a.json\n@@ -0,0 +1,2 @@\n" +
			"+{\n+\"é\": \"b\"}\n",
		"report.json": `{"summary": {"warnings": 1}, "errors": [], "findings": [{"rule": "r", "severity": "warning", "message": "a message",
  "path": "a.json", "line": 2, "column": 6, "endLine": 2, "endColumn": 9, "fingerprint": "1"}]}`,
		"report.rdjson": `{"source": {"name": "mcplumb"}, "diagnostics": [{"message": "a message", "severity": "WARNING",
  "location": {"path": "a.json", "range": {"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 10}}},
  "code": {"value": "r", "url": "https://github.com/mcplumb/mcplumb/blob/main/docs/rules/r.md"},
  "suggestions": [{"range": {"start": {"line": 2, "column": 7}, "end": {"line": 3, "column": 1}}, "text": ""}]}]}`,
		"report.gitlab": `[{"description": "a message", "check_name": "r", "fingerprint": "1", "severity": "minor",
  "location": {"path": "a.json", "lines": {"begin": 2}}}]`,
		"report.xml": `<testsuites><testsuite name="a.json"><testcase classname="mcplumb.r" name="n" file="a.json" line="2">
<failure message="a message" type="warning">
a.json:2:6: warning: a message [r]
</failure></testcase></testsuite></testsuites>`,
		"report.md": "### mcplumb\n\n| | place | what | rule |\n|---|---|---|---|\n| warning | 2:6 | a message | [r] [(wrong?)](https://github.com/mcplumb/mcplumb/issues/new?fingerprint=1&rule=r&template=wrong-finding.yml) |\n\n" +
			"[r]: https://github.com/mcplumb/mcplumb/blob/main/docs/rules/r.md\n",
	}
}

func problem(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "repository"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := readReports(dir)
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// TestCheck breaks good reports in one place after another.
func TestCheck(t *testing.T) {
	if got := problem(t, good()); got != "" {
		t.Fatal(got)
	}
	for _, change := range []struct{ file, old, new, want string }{
		{"report.rdjson", `"line": 2, "column": 7}, "end": {"line": 2`, `"line": 1, "column": 1}, "end": {"line": 2`, "comments too few"},
		{"report.rdjson", `"column": 10`, `"column": 13`, "not in the file"},
		{"report.rdjson", `"column": 7}, "end": {"line": 2`, `"column": 3}, "end": {"line": 2`, "not in the file"}, // within é
		{"report.rdjson", `"line": 3, "column": 1`, `"line": 3, "column": 2`, "not in the file"},
		{"report.rdjson", `"code"`, `"core"`, "the rule's address"},
		{"report.rdjson", `WARNING`, `INFO`, "comments too few"},
		{"report.rdjson", `WARNING`, `FATAL`, "comments too few"},
		{"report.rdjson", `a message`, `<img src=x>`, "<img>"},
		{"report.rdjson", `a message`, `cc @octocat`, "more than text"},
		{"report.diff", `b/a.json`, `b/b.json`, "comments too few"},
		{"report.gitlab", `"1"`, `""`, "fingerprint"},
		{"report.gitlab", `"begin"`, `"start"`, "not its place"},
		{"report.gitlab", `minor`, `warning`, "severity"},
		{"report.gitlab", `"a.json"`, `"./a.json"`, "not its place"},
		{"report.gitlab", `a message`, ``, "description"},
		{"report.gitlab", `[{`, "\ufeff[{", "byte order mark"},
		{"report.xml", `a message" type`, `another" type`, "no test"},
		{"report.xml", `a message [r]`, `another [r]`, "no test"},
		{"report.xml", `a message" type`, "\x01\" type", "illegal character"},
		{"report.xml", `failure`, `skipped`, "1 tests skipped, not 0"},
		{"report.xml", `</testsuite>`, `<testcase classname="mcplumb.r" name="n"/></testsuite>`, "two tests"},
		{"report.md", `a message`, `a <b>message</b>`, "<b>"},
		{"report.md", `a message`, `a | message`, "no row"},
		{"report.md", `a message`, `see #12`, "more than text"},
		{"report.md", `a message`, `www.example.com`, "<a> has href"},
		{"report.md", `&rule=r`, `&rule=s`, "<a> has href"},
		{"report.md", `### mcplumb`, strings.Repeat("x", maxComment), "no comment of that size"},
	} {
		files := good()
		changed := strings.Replace(files[change.file], change.old, change.new, -1)
		if changed == files[change.file] {
			t.Errorf("%s has no %q", change.file, change.old)
		}
		files[change.file] = changed
		if got := problem(t, files); !strings.Contains(got, change.want) {
			t.Errorf("%s, %s: got %q, want %q", change.file, change.new, got, change.want)
		}
	}
}
