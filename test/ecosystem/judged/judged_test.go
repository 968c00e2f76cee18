package judged

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said is mcplumb's output for acme/shop, a repository with one file.
func said(findings ...Finding) []Record {
	return []Record{{Repository: "acme/shop", Check: Document{Findings: findings}}}
}

func secret(line, column int) Finding {
	return Finding{Rule: "hardcoded-secret", Severity: "error", Message: "a token", Path: ".mcp.json", Line: line, Column: column}
}

func verdict(place, word, reason string) Verdict {
	return Verdict{"acme/shop", "error", "hardcoded-secret", ".mcp.json", place, 1, word, reason, "a token"}
}

func TestNothingChanges(t *testing.T) {
	tables := &Tables{Verdicts: []Verdict{verdict("4:9", Right, "")}}
	d, now := Compare(tables, said(secret(4, 9)))
	assert.False(t, d.Fails())
	assert.Equal(t, tables.Verdicts, now.Verdicts)
	assert.Contains(t, Markdown(d, now), "\nNothing.\n")
}

func TestNewFindingNeedsAVerdict(t *testing.T) {
	d, now := Compare(&Tables{}, said(secret(4, 9)))
	assert.True(t, d.Fails())
	assert.Equal(t, []Verdict{verdict("4:9", Unjudged, "")}, now.Verdicts)
	assert.Contains(t, Markdown(d, now), "### Findings without a verdict (1)\n\n- error hardcoded-secret: `` acme/shop .mcp.json:4:9 `` `` a token ``\n")

	// It fails until a person has judged the row that -update wrote.
	d, _ = Compare(now, said(secret(4, 9)))
	assert.True(t, d.Fails())

	// A new note is listed and does not fail.
	note := secret(4, 9)
	note.Severity = "note"
	d, _ = Compare(&Tables{}, said(note))
	assert.False(t, d.Fails())
	assert.Len(t, d.Unjudged, 1)
}

func TestTwoOfARuleAtOnePlace(t *testing.T) {
	tables := &Tables{Verdicts: []Verdict{verdict("4:9", Right, "")}}
	d, now := Compare(tables, said(secret(4, 9), secret(4, 9)))
	assert.True(t, d.Fails(), "the second one is new")
	assert.Equal(t, 2, now.Verdicts[0].Count)
}

func TestRightFindingIsLost(t *testing.T) {
	d, now := Compare(&Tables{Verdicts: []Verdict{verdict("4:9", Right, "")}}, said())
	assert.True(t, d.Fails())
	assert.Len(t, d.Gone, 1)
	assert.Empty(t, now.Verdicts)
}

func TestWrongFindingGoesAndComesBack(t *testing.T) {
	d, now := Compare(&Tables{Verdicts: []Verdict{verdict("4:9", Wrong, "a placeholder")}}, said())
	assert.False(t, d.Fails(), "this is what a fix is for")
	assert.Len(t, d.Improved, 1)
	require.Len(t, now.Verdicts, 1)
	assert.Zero(t, now.Verdicts[0].Count, "it is remembered")
	assert.Zero(t, Sum(now.ByRule(), "error").All(), "and not counted")

	d, _ = Compare(now, said(secret(4, 9)))
	assert.True(t, d.Fails())
	assert.Len(t, d.Back, 1)
}

func TestOtherSeverityIsJudgedAnew(t *testing.T) {
	warning := secret(4, 9)
	warning.Severity = "warning"
	d, now := Compare(&Tables{Verdicts: []Verdict{verdict("4:9", Right, "")}}, said(warning))
	assert.True(t, d.Fails())
	assert.Contains(t, Markdown(d, now), "→ warning")
	assert.Equal(t, Unjudged, now.Verdicts[0].Verdict)
}

func TestTwoSeveritiesAtOnePlace(t *testing.T) {
	warning := secret(4, 9)
	warning.Severity = "warning"
	of := verdict("4:9", Right, "")
	of.Severity = "warning"
	tables := &Tables{Verdicts: []Verdict{verdict("4:9", Right, ""), of}}
	d, now := Compare(tables, said(secret(4, 9), warning))
	assert.False(t, d.Fails(), "one for each of two clients")
	assert.Equal(t, tables.Verdicts, now.Verdicts)
}

func TestExpectedProblems(t *testing.T) {
	expected := Expected{"acme/shop", ".cursor/mcp.json", 7, []string{"hardcoded-secret", "unresolved-variable"}, "error", Missed, "a token"}
	other := secret(4, 9)
	other.Related = []Place{{".cursor/mcp.json", 7}}
	d, now := Compare(&Tables{Expected: []Expected{expected}}, said(other))
	assert.Len(t, d.Gained, 1, "one finding names every file that holds the token")
	assert.Equal(t, Found, now.Expected[0].State)

	d, _ = Compare(now, said(secret(4, 9)))
	assert.Len(t, d.Lost, 1)
	assert.True(t, d.Fails())

	other.Severity = "note"
	d, _ = Compare(now, said(other))
	assert.Len(t, d.Lost, 1, "a note does not say it")

	now.Expected[0].Severity = "note"
	d, _ = Compare(now, said(other))
	assert.Empty(t, d.Lost, "unless the problem is worth no more")
}

// patch changes two places of one file. The second one has a line that looks like a header.
const patch = `diff --git a/.mcp.json b/.mcp.json
--- a/.mcp.json
+++ b/.mcp.json
@@ -1,3 +1,3 @@
 {
-  "a": 1
+  "a": 2
 }
@@ -9 +9,2 @@
---- b
+++++ c
+d
`

func TestHunks(t *testing.T) {
	both := hunks(&Record{Repository: "acme/shop", Safe: patch[:strings.Index(patch, "@@ -9")], Unsafe: patch})
	require.Len(t, both, 2)
	assert.Equal(t, "safe .mcp.json 1", both[0].Mode+" "+both[0].Path+" "+string(rune('0'+both[0].Line)))
	assert.Equal(t, "unsafe .mcp.json 9", both[1].Mode+" "+both[1].Path+" "+string(rune('0'+both[1].Line)))
	// printf '%s\n%s' '-  "a": 1' '+  "a": 2' | sha256sum
	assert.Equal(t, "a55aa7921dc8", both[0].Digest)
	// printf '%s\n%s\n%s' '---- b' '+++++ c' '+d' | sha256sum
	assert.Equal(t, "0f7b2f8c47d2", both[1].Digest)
}

func TestHunksAreJudged(t *testing.T) {
	records := []Record{{Repository: "acme/shop", Safe: patch}}
	d, now := Compare(&Tables{}, records)
	assert.Len(t, d.NewHunks, 2)
	assert.True(t, d.Fails())
	for i := range now.Hunks {
		now.Hunks[i].Verdict = Merge
	}
	d, now = Compare(now, records)
	assert.False(t, d.Fails())
	assert.Equal(t, FixTally{Merge: 2}, now.Fixes("safe"))

	d, _ = Compare(now, said())
	assert.Len(t, d.OldHunks, 2)
	assert.True(t, d.Fails(), "a good fix is not lost unnoticed")
}

func TestRepositoriesThatAreGone(t *testing.T) {
	tables := &Tables{
		Repositories: map[string]string{"acme/shop": "1", "acme/gone": "2"},
		Verdicts:     []Verdict{{"acme/gone", "error", "syntax-error", "a.json", "1:1", 1, Right, "", "m"}},
	}
	d, now := Compare(tables, said())
	assert.Equal(t, []string{"acme/gone"}, d.Absent)
	assert.False(t, d.Fails())
	assert.Equal(t, tables.Verdicts, now.Verdicts)
}

func TestMessagesAreNoMarkdown(t *testing.T) {
	f := secret(1, 1)
	f.Message = "`` [x](https://example.com)\n# head"
	d, now := Compare(&Tables{}, said(f))
	assert.Contains(t, Markdown(d, now), "`` '' [x](https://example.com) # head ``\n")
}

func TestTablesAreReadAsWritten(t *testing.T) {
	dir := t.TempDir()
	tables := &Tables{
		Verdicts:     []Verdict{verdict("4:9", Right, ""), verdict("12:1", Noise, "a copy")},
		Expected:     []Expected{{"acme/shop", ".mcp.json", 3, []string{"a", "b"}, "warning", Missed, "cause"}},
		Hunks:        []Hunk{{"acme/shop", "safe", ".mcp.json", 3, "0123456789ab", Edit, "the name is odd"}},
		Repositories: map[string]string{"acme/shop": "1"},
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, repositoriesFile), []byte("repository\tcommit\nacme/shop\t1\n"), 0o644))
	require.NoError(t, tables.Write(dir))
	read, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, tables, read)
}

func TestBadRows(t *testing.T) {
	for text, message := range map[string]string{
		"a/b\terror\tx\tp\t1:1\t1\tgood\tr\tm":  `verdicts.tsv:2: unknown verdict "good"`,
		"a/b\terror\tx\tp\t1:1\t1\twrong\t\tm":  `verdicts.tsv:2: "wrong" has no reason`,
		"a/b\terror\tx\tp\t1:1\tone\tright\t\t": `verdicts.tsv:2: strconv.Atoi: parsing "one": invalid syntax`,
		"a/b\terror":                            `verdicts.tsv:2: 2 fields in place of 9`,
	} {
		dir := t.TempDir()
		for file, lines := range map[string]string{
			verdictsFile: verdictsHead + "\n" + text + "\n", expectedFile: expectedHead, fixesFile: fixesHead, repositoriesFile: repositoriesHead,
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(lines), 0o644))
		}
		_, err := Read(dir)
		assert.EqualError(t, err, message)
	}
}

func TestFigures(t *testing.T) {
	tables := &Tables{
		Verdicts: []Verdict{verdict("1:1", Right, ""), verdict("2:1", BadlySaid, "r"), verdict("3:1", Noise, "r")},
		Expected: []Expected{{State: Found, Rules: []string{"a"}}, {State: Missed, Rules: []string{"a"}}},
		Hunks:    []Hunk{{Mode: "safe", Verdict: Merge}, {Mode: "unsafe", Verdict: Refuse}},
	}
	text := Figures(tables)
	assert.Contains(t, text, "| errors and warnings that are true and useful | 2 of 3 | 66.6 % |\n")
	assert.Contains(t, text, "| of these well said: severity, place and advice | 1 of 3 | 33.3 % |\n")
	assert.Contains(t, text, "| expected problems that are found | 1 of 2 | 50.0 % |\n")
	assert.Contains(t, text, "| unsafe fixes that would be merged, by hunk | 0 of 1 | 0.0 % |\n")
	d, _ := Compare(tables, nil)
	assert.Contains(t, Markdown(d, tables), "| hardcoded-secret | error | 3 | 1 | 1 | 1 | 0 | 66.6 % |\n")
	assert.Equal(t, "hardcoded-secret", BelowFloor(tables)[0].Rule)
}
