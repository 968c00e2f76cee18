package main

import (
	"strings"
	"testing"
)

const good = `{"version": "2.1.0", "runs": [{
  "tool": {"driver": {"name": "mcplumb", "rules": [
    {"id": "a", "shortDescription": {"text": "A."}, "fullDescription": {"text": "A."}, "help": {"text": "A."},
     "properties": {"tags": ["lock", "security"], "precision": "high", "security-severity": "7.5"}}]}},
  "columnKind": "unicodeCodePoints",
  "results": [{"ruleId": "a", "ruleIndex": 0, "level": "note", "message": {"text": "see [b](1)"},
    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b.json", "uriBaseId": "%SRCROOT%"},
      "region": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 1}}}],
    "relatedLocations": [{"id": 1, "physicalLocation": {"artifactLocation": {"uri": "b.json", "uriBaseId": "%SRCROOT%"},
      "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 9}}}],
    "partialFingerprints": {"primaryLocationLineHash": "1:1", "mcplumb/v1": "2"}}]}]}`

// TestCheckReport breaks a good report in one place after another.
func TestCheckReport(t *testing.T) {
	schema, err := loadSchema()
	if err != nil {
		t.Fatal(err)
	}
	if err := checkReport(schema, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct{ old, new, want string }{
		{`"version": "2.1.0"`, `"version": "2.0.0"`, "jsonschema"},
		{`{"text": "A."}, "fullDescription"`, `null, "fullDescription"`, "jsonschema"},
		{`"results"`, `"suppressions": [], "results"`, "jsonschema"},
		{`a%20b.json`, `a b%zz`, "jsonschema"},
		{`"help": {"text": "A."}`, `"help": {"text": ""}`, "a description is missing"},
		{`"precision": "high", `, ``, "no precision"},
		{`"7.5"`, `"high"`, "security-severity"},
		{`"7.5"`, `7.5`, "security-severity"},
		{`"7.5"`, `"0.0"`, "security-severity"},
		{`, "security-severity": "7.5"`, ``, "security-severity"},
		{`"lock", "security"`, `"lock"`, "security-severity"},
		{`"ruleIndex": 0`, `"ruleIndex": 1`, "ruleIndex"},
		{`"level": "note", `, ``, "wants a message, a level"},
		{`"runs": [{`, `"runs": [{"tool": {"driver": {"name": "x"}}, "results": []}, {`, "2 runs"},
		{`a%20b.json`, `/a.json`, "not relative"},
		{`a%20b.json`, `https://x/a.json`, "not relative"},
		{`"endLine": 2`, `"endLine": 3`, "region of one line"},
		{`[b](1)`, `[b](2)`, "no link"},
		{`"primaryLocationLineHash": "1:1", `, ``, "fingerprint"},
		{`"columnKind"`, `"automationDetails": {"id": "x"}, "columnKind"`, "automationDetails"},
		{`"unicodeCodePoints"`, `"utf16CodeUnits"`, "columnKind"},
	} {
		bad := strings.Replace(good, change.old, change.new, 1)
		if err := checkReport(schema, []byte(bad)); bad == good || err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%s: got %v, want %q", change.new, err, change.want)
		}
	}
}

func TestCheckLog(t *testing.T) {
	log := "\ufeff" + `{"runs": [{"tool": {"driver": {"rules": [{"id": "R1"}]}}, "results": [
	  {"ruleId": "R2", "level": "note"}, {"ruleIndex": 0}, {"ruleId": "R3", "level": "error"}]}]}`
	if err := checkLog([]byte(log), []string{"R1", "R3"}); err != nil {
		t.Error(err)
	}
	for _, allowed := range []string{"R1", "R3"} {
		if err := checkLog([]byte(log), []string{allowed}); err == nil {
			t.Errorf("only %s was allowed", allowed)
		}
	}
	failed := `{"runs": [{"invocations": [{"executionSuccessful": false}]}]}`
	if err := checkLog([]byte(failed), nil); err == nil {
		t.Error("the Multitool had failed")
	}
	if err := checkLog([]byte(`{"runs": []}`), nil); err == nil {
		t.Error("there was no run")
	}
}
