// Package judged compares mcplumb's output for a fixed set of public repositories with a
// maintainer's judgment of each finding and of each hunk of a fix. The verdicts are tables
// written by hand (test/ecosystem/*.tsv), so that a change that adds, removes, or regrades
// a finding is seen before it lands.
package judged

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The verdicts on a finding. A row without a judgment has Unjudged.
const (
	Right     = "right"      // true and useful, at the right place, with the right advice
	BadlySaid = "badly-said" // true and useful, but the advice, severity, wording or place is wrong
	Noise     = "noise"      // true, but a maintainer would shrug
	Wrong     = "wrong"      // false
	Unjudged  = "?"
)

// The verdicts on a hunk of a fix.
const (
	Merge  = "merge"  // as it is
	Edit   = "edit"   // the right change, to be adapted by hand
	Refuse = "refuse" // not wanted
)

// The states of an expected problem.
const (
	Found  = "found"
	Missed = "missed"
)

// A Verdict is a maintainer's judgment of the findings of one rule at one place.
type Verdict struct {
	Repository string // OWNER/NAME
	Severity   string // of the finding
	Rule       string
	Path       string
	Place      string // LINE:COLUMN, 1-based
	// Count is how many findings there are at the place. A row with none is kept for what
	// was not right, so that it is recognized when it comes back.
	Count   int
	Verdict string
	Reason  string // required where the verdict is not Right
	Message string // for the reader; no part of the key
}

// An Expected is a problem that a person found in a file without looking at mcplumb's
// output.
type Expected struct {
	Repository string
	Path       string
	Line       int      // 1-based; 0 is anywhere in the file
	Rules      []string // any of these rules may report it
	// Severity is error or warning; note if the problem is in a file that nothing reads,
	// for which a note is enough.
	Severity string
	State    string
	Cause    string
}

// A Hunk is a maintainer's judgment of one hunk of a patch.
type Hunk struct {
	Repository string
	Mode       string // safe, or unsafe for what only --fix=unsafe changes
	Path       string
	Line       int    // first line of the hunk in the old file, 1-based
	Digest     string // of the lines that are added and removed: see hunks
	Verdict    string
	Reason     string
}

// Tables are all verdicts.
type Tables struct {
	Verdicts []Verdict
	Expected []Expected
	Hunks    []Hunk
	// Repositories has the commit of each repository by its name.
	Repositories map[string]string
}

// The files of the tables in their directory, and their first lines.
const (
	verdictsFile     = "verdicts.tsv"
	expectedFile     = "expected.tsv"
	fixesFile        = "fixes.tsv"
	repositoriesFile = "repositories.tsv"

	verdictsHead     = "repository\tseverity\trule\tpath\tplace\tcount\tverdict\treason\tmessage"
	expectedHead     = "repository\tpath\tline\trule\tseverity\tstate\tcause"
	fixesHead        = "repository\tmode\tpath\tline\tdigest\tverdict\treason"
	repositoriesHead = "repository\tcommit"
)

// Read returns the tables of a directory. A row that is not well formed is an error that
// names file and line.
func Read(dir string) (*Tables, error) {
	t := &Tables{Repositories: map[string]string{}}
	err := errors.Join(
		rows(dir, verdictsFile, verdictsHead, func(row []string) error {
			v := Verdict{Repository: row[0], Severity: row[1], Rule: row[2], Path: row[3], Place: row[4], Verdict: row[6], Reason: row[7], Message: row[8]}
			var err error
			v.Count, err = strconv.Atoi(row[5])
			t.Verdicts = append(t.Verdicts, v)
			return errors.Join(err, v.valid())
		}),
		rows(dir, expectedFile, expectedHead, func(row []string) error {
			e := Expected{Repository: row[0], Path: row[1], Rules: strings.Split(row[3], "|"), Severity: row[4], State: row[5], Cause: row[6]}
			var err error
			e.Line, err = strconv.Atoi(row[2])
			t.Expected = append(t.Expected, e)
			return errors.Join(err, oneOf("state", e.State, Found, Missed), oneOf("severity", e.Severity, "error", "warning", "note"))
		}),
		rows(dir, fixesFile, fixesHead, func(row []string) error {
			h := Hunk{Repository: row[0], Mode: row[1], Path: row[2], Digest: row[4], Verdict: row[5], Reason: row[6]}
			var err error
			h.Line, err = strconv.Atoi(row[3])
			t.Hunks = append(t.Hunks, h)
			return errors.Join(err, h.valid())
		}),
		rows(dir, repositoriesFile, repositoriesHead, func(row []string) error {
			t.Repositories[row[0]] = row[1]
			return nil
		}),
	)
	return t, err
}

func (v Verdict) valid() error {
	if v.Verdict != Right && v.Verdict != Unjudged && v.Reason == "" {
		return fmt.Errorf("%q has no reason", v.Verdict)
	}
	return oneOf("verdict", v.Verdict, Right, BadlySaid, Noise, Wrong, Unjudged)
}

func (h Hunk) valid() error {
	if h.Verdict != Merge && h.Verdict != Unjudged && h.Reason == "" {
		return fmt.Errorf("%q has no reason", h.Verdict)
	}
	return oneOf("verdict", h.Verdict, Merge, Edit, Refuse, Unjudged)
}

// oneOf returns an error if value is not among words.
func oneOf(what, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return fmt.Errorf("unknown %s %q", what, value)
}

// rows calls read with the fields of every line of a table after the first, which must be
// head.
func rows(dir, file, head string, read func([]string) error) error {
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] != head {
		return fmt.Errorf("%s: the first line is not %q", file, head)
	}
	columns := strings.Count(head, "\t") + 1
	for i, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		err := fmt.Errorf("%d fields in place of %d", len(fields), columns)
		if len(fields) == columns {
			err = read(fields)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
	}
	return nil
}

// Write writes the tables of findings, problems and hunks into a directory, sorted.
func (t *Tables) Write(dir string) error {
	verdicts := slices.SortedFunc(slices.Values(t.Verdicts), func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path), comparePlaces(a.Place, b.Place), cmp.Compare(a.Rule, b.Rule))
	})
	expected := slices.SortedFunc(slices.Values(t.Expected), func(a, b Expected) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), slices.Compare(a.Rules, b.Rules), cmp.Compare(a.Cause, b.Cause))
	})
	fixes := slices.SortedFunc(slices.Values(t.Hunks), func(a, b Hunk) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Digest, b.Digest))
	})
	return errors.Join(
		write(dir, verdictsFile, verdictsHead, verdicts, func(v Verdict) []any {
			return []any{v.Repository, v.Severity, v.Rule, v.Path, v.Place, v.Count, v.Verdict, v.Reason, v.Message}
		}),
		write(dir, expectedFile, expectedHead, expected, func(e Expected) []any {
			return []any{e.Repository, e.Path, e.Line, strings.Join(e.Rules, "|"), e.Severity, e.State, e.Cause}
		}),
		write(dir, fixesFile, fixesHead, fixes, func(h Hunk) []any {
			return []any{h.Repository, h.Mode, h.Path, h.Line, h.Digest, h.Verdict, h.Reason}
		}),
	)
}

// write writes one table. Tabs and line breaks of a field become spaces.
func write[T any](dir, file, head string, table []T, fields func(T) []any) error {
	b := bytes.NewBufferString(head + "\n")
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	for _, row := range table {
		for i, field := range fields(row) {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(clean.Replace(fmt.Sprint(field)))
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(filepath.Join(dir, file), b.Bytes(), 0o644)
}

// comparePlaces orders LINE:COLUMN by number.
func comparePlaces(a, b string) int {
	var left, right [2]int
	// A text that is not a place counts as 0:0 and sorts first.
	_, _ = fmt.Sscanf(a, "%d:%d", &left[0], &left[1])
	_, _ = fmt.Sscanf(b, "%d:%d", &right[0], &right[1])
	return slices.Compare(left[:], right[:])
}
