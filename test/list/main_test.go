package main

import (
	"strings"
	"testing"
)

// TestCheckTable breaks a good table in one way after another.
func TestCheckTable(t *testing.T) {
	const good = "| Name | Place |\n| --- | --- |\n| `a\\|b` | `x` |\n| ``c`d`` (disabled) |  |\n"
	if err := checkTable([]byte(good), 2); err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct{ old, new, want string }{
		{"| `a", "\n| `a", "not one block"},
		{"| ``c", "| `x` | `y` |\n| ``c", "3 rows"},
		{"``c`d``", "<b>c</b>", "RawHTML"},
		{"``c`d``", "[c](d)", "Link"},
		{"``c`d``", "https://h.test", "AutoLink"},
		{"``c`d``", "*c*", "Emphasis"},
		{"``c`d``", "c `d`", "no code span"},
	} {
		err := checkTable([]byte(strings.Replace(good, change.old, change.new, 1)), 2)
		if err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%q: got %v, want %q", change.new, err, change.want)
		}
	}
}

// TestBOM breaks a good bill of materials in one place after another.
func TestBOM(t *testing.T) {
	const good = `{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
  "components": [{"bom-ref": "npm:a@1", "type": "application", "name": "a",
    "hashes": [{"alg": "SHA-256", "content": "0000000000000000000000000000000000000000000000000000000000000000"}],
    "externalReferences": [{"type": "vcs", "url": "https://h.test/r"}]}],
  "services": [{"bom-ref": "url:https://h.test", "name": "h", "endpoints": ["https://h.test"]}]}`
	schema, err := cyclonedxSchema()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(schema, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"CycloneDX"`, `"SPDX"`}, {`"application"`, `"server"`}, {`"SHA-256"`, `"sha256"`}, {`"0000`, `"`},
		{`["https://h.test"]`, `["https://${HOST}/ x"]`}, {`"https://h.test/r"`, `"https://h.test/{r}"`}, {`"name": "h",`, ``},
	} {
		if err := validate(schema, []byte(strings.Replace(good, change[0], change[1], 1))); err == nil {
			t.Errorf("%s is valid", change[1])
		}
	}
	twice := bom{Components: []part{{Ref: "a"}, {Ref: "a"}}}
	if twice.problems(serverList{}) == nil {
		t.Error("a reference may come twice")
	}
}
