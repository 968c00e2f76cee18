package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// BaselineName is the name of the baseline that mcplumb writes in the root of a repository,
// unless the user names another file.
const BaselineName = ".mcplumb-baseline.json"

// baselineEntry is a finding of a baseline. What counts is the fingerprint; the
// rest is there for people who review it.
type baselineEntry struct {
	Rule        string `json:"rule"`
	Path        string `json:"path"`
	Server      string `json:"server,omitempty"`
	Fingerprint string `json:"fingerprint"`
	// Count is how many findings have this fingerprint.
	Count int `json:"count"`
}

// NewBaseline returns findings as the content of a baseline: JSON with an entry on every line,
// sorted, so that a change of it can be reviewed. It contains no line number and no
// credential, not even as a hash. So it cannot tell a credential from the next one in its
// place: findings about credentials are left out, and reported until the credential is gone.
// The findings are those before any were joined, because the next run may find only some of
// them. Of the old baseline, which may be nil, entries stay for files that this run did not
// read, for which covers is false; entries that no longer match are dropped.
func NewBaseline(findings []rule.Finding, old *Baseline, covers func(path string) bool) (content []byte, change Change) {
	entries := baselineEntries(findings)
	if old != nil {
		entries, change = old.keep(entries, covers)
	}
	return writeBaseline(entries), change
}

// Change says how many findings of an old baseline were kept, and how many are
// gone.
type Change struct{ Kept, Dropped int }

// keep adds to the entries of a run those of the old baseline that it says nothing
// of.
func (b *Baseline) keep(entries []baselineEntry, covers func(path string) bool) (all []baselineEntry, change Change) {
	now := map[string]int{}
	for _, entry := range entries {
		now[entry.Fingerprint] = entry.Count
	}
	for _, entry := range b.entries {
		if covers(entry.Path) {
			change.Dropped += max(entry.Count-now[entry.Fingerprint], 0)
			continue
		}
		change.Kept += entry.Count
		entries = append(entries, entry.baselineEntry)
	}
	sortEntries(entries)
	return entries, change
}

// writeBaseline returns sorted entries as the content of a baseline.
func writeBaseline(entries []baselineEntry) []byte {
	var out bytes.Buffer
	out.WriteString("{\n  \"version\": 1,\n  \"findings\": [")
	for i, entry := range entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		line, err := json.Marshal(entry)
		if err != nil {
			panic(err) // strings and a number
		}
		out.Write(line)
	}
	if len(entries) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes()
}

// baselineEntries counts findings by fingerprint.
func baselineEntries(findings []rule.Finding) []baselineEntry {
	byPrint := map[string]int{}
	var entries []baselineEntry
	var spans secret.Spans
	for i := range findings {
		f := &findings[i]
		if f.Secret {
			continue
		}
		fingerprint := f.Fingerprint(&spans)
		at, known := byPrint[fingerprint]
		if !known {
			at = len(entries)
			byPrint[fingerprint] = at
			entries = append(entries, baselineEntry{f.Rule.ID, f.File.Path, secret.Mask(f.Server), fingerprint, 0})
		}
		entries[at].Count++
	}
	sortEntries(entries)
	return entries
}

// sortEntries sorts the entries of a baseline by path, rule and server.
func sortEntries(entries []baselineEntry) {
	slices.SortFunc(entries, func(a, b baselineEntry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Server, b.Server), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
}

// Baseline is a baseline that was read: findings that are known.
type Baseline struct {
	file    *syntax.File // nil if it is on another volume than the root
	entries []*known
	byPrint map[string]*known
}

// known is an entry with its place in the file.
type known struct {
	baselineEntry
	place syntax.Span
}

// maxCount is how often a finding may be in a baseline: as good as always, and two of
// them still fit in an int.
const maxCount = 1_000_000_000

// ParseBaseline reads a baseline. Messages call the file name; findings call it
// path, which is from the root, or "" if there is no way to it. The error is an
// *Error.
func ParseBaseline(name, path string, content []byte) (*Baseline, error) {
	file := syntax.NewFile(name, content)
	wrong := func(at syntax.Span, format string, args ...any) error {
		position := file.Position(at.Start, syntax.CodePoints)
		return &Error{Path: name, Line: position.Line, Column: position.Column, Message: fmt.Sprintf(format, args...)}
	}
	tree, err := syntax.ParseJSON(file)
	var mistake *syntax.Error
	switch {
	case errors.As(err, &mistake):
		return nil, wrong(mistake.Span, "not valid JSON: %s", mistake.Message(secret.Mask))
	case err != nil:
		return nil, &Error{Path: name, Message: err.Error()}
	}
	version, findings := tree.Root.Get("version"), tree.Root.Get("findings")
	if version == nil || version.Text != "1" || findings == nil || findings.Kind != syntax.Array {
		return nil, wrong(tree.Root.Value, "not a baseline of version 1, as mcplumb baseline writes one")
	}
	b := &Baseline{byPrint: map[string]*known{}}
	if path != "" {
		b.file = syntax.NewFile(path, content)
	}
	for _, n := range findings.Nodes {
		entry, fingerprint := &known{}, n.Get("fingerprint")
		count := 0
		if n.Get("count") != nil {
			count, _ = strconv.Atoi(n.Get("count").Text)
			count = min(count, maxCount)
		}
		if !fingerprint.IsString() || fingerprint.Text == "" || count < 1 {
			return nil, wrong(n.Value, "an entry needs a fingerprint and a count of at least 1")
		}
		entry.Fingerprint, entry.Count, entry.place = fingerprint.Text, count, fingerprint.Value
		for key, field := range map[string]*string{"rule": &entry.Rule, "path": &entry.Path, "server": &entry.Server} {
			if value := n.Get(key); value.IsString() {
				*field = value.Text
			}
		}
		if first := b.byPrint[entry.Fingerprint]; first != nil {
			first.Count = min(first.Count+count, maxCount) // two branches may have added the same one
			continue
		}
		b.entries = append(b.entries, entry)
		b.byPrint[entry.Fingerprint] = entry
	}
	return b, nil
}

// MoreThan counts the findings that a baseline hides and another one does not; nil hides nothing.
func (b *Baseline) MoreThan(was *Baseline) int {
	if b == nil {
		return 0
	}
	more := 0
	for _, entry := range b.entries {
		known := 0
		if was != nil && was.byPrint[entry.Fingerprint] != nil {
			known = was.byPrint[entry.Fingerprint].Count
		}
		more += max(entry.Count-known, 0)
	}
	return more
}

// hide removes from the sorted findings those in the baseline, as often as it contains them, but no
// credential, which an older baseline may contain. It returns the rest, and how many each entry
// has hidden.
func (b *Baseline) hide(findings []rule.Finding) (kept []rule.Finding, hidden map[*known]int) {
	hidden = map[*known]int{}
	var spans secret.Spans
	for i := range findings {
		var entry *known
		if !findings[i].Secret {
			entry = b.byPrint[findings[i].Fingerprint(&spans)]
		}
		if entry == nil || hidden[entry] >= entry.Count {
			kept = append(kept, findings[i])
			continue
		}
		hidden[entry]++
	}
	return kept, hidden
}

// maxStale is how many of the entries that hide less than they could are named.
const maxStale = 20

// stale reports in one finding the entries that hide less than they could,
// although their rule was judged: they would hide the next such finding.
func (b *Baseline) stale(hidden map[*known]int, judged func(rule string) bool) []rule.Finding {
	var stale []*known
	for _, entry := range b.entries {
		if hidden[entry] < entry.Count && judged(entry.Rule) {
			stale = append(stale, entry)
		}
	}
	if len(stale) == 0 || b.file == nil {
		return nil
	}
	check := checks.UnusedIgnore
	finding := rule.Finding{
		Rule: check, Severity: check.Severity, File: b.file, Span: stale[0].place,
		Message: fmt.Sprintf("%d of %d entries of the baseline no longer %s anything", len(stale), len(b.entries), hides(len(stale))),
		Help:    "run mcplumb baseline to write the baseline again",
	}
	for _, entry := range stale[1:min(len(stale), maxStale)] {
		finding.Related = append(finding.Related, rule.Related{
			File: b.file, Span: entry.place, Message: fmt.Sprintf("this one of %s in %s hides nothing either", entry.Rule, entry.Path),
		})
	}
	return []rule.Finding{finding}
}

// hides is the verb that goes with so many entries.
func hides(entries int) string {
	if entries == 1 {
		return "hides"
	}
	return "hide"
}
