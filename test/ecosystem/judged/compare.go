package judged

import (
	"maps"
	"slices"
)

// A Difference is how mcplumb's current output differs from the tables.
type Difference struct {
	Unjudged []Verdict  // findings that have no verdict
	Gone     []Verdict  // right ones that no longer exist
	Back     []Verdict  // wrong, noisy or badly said ones that had gone
	Changed  []Change   // findings that have another severity
	Improved []Verdict  // wrong, noisy or badly said ones that no longer exist
	Lost     []Expected // problems that were found
	Gained   []Expected // problems that were missed
	NewHunks []Hunk     // hunks that have no verdict
	OldHunks []Hunk     // hunks to merge that are no longer made
	Absent   []string   // repositories that could not be read
}

// A Change is a finding that now has another severity.
type Change struct {
	Verdict
	Now string
}

// Fails reports whether a person must review the change before it lands. New and lost notes
// are only listed.
func (d *Difference) Fails() bool {
	weighs := func(v Verdict) bool { return v.Severity != "note" }
	return slices.ContainsFunc(d.Unjudged, weighs) || slices.ContainsFunc(d.Gone, weighs) || slices.ContainsFunc(d.Back, weighs) ||
		len(d.Changed)+len(d.Lost)+len(d.NewHunks)+len(d.OldHunks) > 0
}

// key identifies a judged finding.
type key struct{ repository, severity, rule, path, place string }

func (v *Verdict) key() key { return key{v.Repository, v.Severity, v.Rule, v.Path, v.Place} }

// hunkKey identifies a judged hunk.
type hunkKey struct{ repository, mode, path, digest string }

func (h *Hunk) key() hunkKey { return hunkKey{h.Repository, h.Mode, h.Path, h.Digest} }

// Compare returns how the records differ from the tables, and the updated tables: rows
// without a judgment have the verdict Unjudged. It does not change repositories without a
// record.
func Compare(t *Tables, records []Record) (*Difference, *Tables) {
	d, next := &Difference{}, &Tables{Repositories: t.Repositories}
	looked := map[string]*Record{}
	for i := range records {
		looked[records[i].Repository] = &records[i]
	}
	for _, name := range slices.Sorted(maps.Keys(t.Repositories)) {
		if looked[name] == nil {
			d.Absent = append(d.Absent, name)
		}
	}
	said, judgedKeys := findings(records), map[key]bool{}
	for _, v := range t.Verdicts {
		judgedKeys[v.key()] = true
	}
	for _, v := range t.Verdicts {
		if looked[v.Repository] == nil {
			next.Verdicts = append(next.Verdicts, v)
			continue
		}
		now := said[v.key()]
		if now == nil {
			now = atOtherSeverity(said, judgedKeys, v)
		}
		if now != nil {
			delete(said, now.key())
		}
		next.Verdicts = append(next.Verdicts, d.settle(v, now)...)
	}
	for _, now := range said {
		d.Unjudged = append(d.Unjudged, *now)
		next.Verdicts = append(next.Verdicts, *now)
	}
	for _, e := range t.Expected {
		if r := looked[e.Repository]; r != nil {
			e = d.expect(e, r)
		}
		next.Expected = append(next.Expected, e)
	}
	next.Hunks = d.compareHunks(t.Hunks, looked)
	sortDifference(d)
	return d, next
}

// findings returns the findings, by key, as rows without verdicts.
func findings(records []Record) map[key]*Verdict {
	said := map[key]*Verdict{}
	for i := range records {
		for _, f := range records[i].Check.Findings {
			v := Verdict{
				Repository: records[i].Repository, Severity: f.Severity, Rule: f.Rule, Path: f.Path, Place: f.place(),
				Count: 1, Verdict: Unjudged, Message: f.Message,
			}
			if other := said[v.key()]; other != nil {
				other.Count++
				continue
			}
			said[v.key()] = &v
		}
	}
	return said
}

// atOtherSeverity returns the finding of the rule at the place of a row with another
// severity, nil if each such finding has a row of its own.
func atOtherSeverity(said map[key]*Verdict, judgedKeys map[key]bool, v Verdict) *Verdict {
	for _, v.Severity = range order {
		if now := said[v.key()]; now != nil && !judgedKeys[v.key()] {
			return now
		}
	}
	return nil
}

// settle compares a row with the current finding at its place, nil for none, and returns
// the rows of the next table.
func (d *Difference) settle(was Verdict, now *Verdict) []Verdict {
	next := was
	switch {
	case now == nil && was.Verdict == Right:
		d.Gone = append(d.Gone, was)
		return nil
	case now == nil && was.Verdict == Unjudged:
		return nil
	case now == nil:
		if was.Count > 0 {
			d.Improved = append(d.Improved, was)
		}
		next.Count = 0
		return []Verdict{next}
	case was.Verdict == Unjudged:
		d.Unjudged = append(d.Unjudged, *now)
	case was.Count == 0:
		d.Back = append(d.Back, *now)
	case was.Severity != now.Severity:
		d.Changed = append(d.Changed, Change{was, now.Severity})
	case was.Count < now.Count:
		d.Unjudged = append(d.Unjudged, *now)
	}
	if was.Severity != now.Severity && was.Verdict != Unjudged {
		next.Reason, next.Verdict = was.Verdict+" as "+was.Severity+": "+was.Reason, Unjudged
	}
	next.Severity, next.Count, next.Message = now.Severity, now.Count, now.Message
	return []Verdict{next}
}

// expect returns the row with its state of now.
func (d *Difference) expect(e Expected, r *Record) Expected {
	found := slices.ContainsFunc(r.Check.Findings, func(f Finding) bool { return answers(&f, &e) })
	switch {
	case found && e.State == Missed:
		e.State = Found
		d.Gained = append(d.Gained, e)
	case !found && e.State == Found:
		e.State = Missed
		d.Lost = append(d.Lost, e)
	}
	return e
}

// answers reports whether a finding reports an expected problem, at its own place or at one
// of its related places.
func answers(f *Finding, e *Expected) bool {
	if f.Severity == "note" && e.Severity != "note" || !slices.Contains(e.Rules, f.Rule) {
		return false
	}
	for _, p := range append([]Place{{f.Path, f.Line}}, f.Related...) {
		if p.Path == e.Path && (e.Line == 0 || p.Line == e.Line) {
			return true
		}
	}
	return false
}

// compareHunks returns the hunks of now, each with its verdict.
func (d *Difference) compareHunks(judged []Hunk, looked map[string]*Record) []Hunk {
	verdicts := map[hunkKey]Hunk{}
	var next []Hunk
	for _, h := range judged {
		if looked[h.Repository] == nil {
			next = append(next, h)
			continue
		}
		verdicts[h.key()] = h
	}
	seen := map[hunkKey]bool{}
	for _, r := range looked {
		for _, h := range hunks(r) {
			was, judged := verdicts[h.key()]
			if judged {
				h.Verdict, h.Reason = was.Verdict, was.Reason
			}
			if h.Verdict == Unjudged && !seen[h.key()] {
				d.NewHunks = append(d.NewHunks, h)
			}
			if !seen[h.key()] {
				next = append(next, h)
			}
			seen[h.key()] = true
		}
	}
	for key, h := range verdicts {
		if !seen[key] && h.Verdict == Merge {
			d.OldHunks = append(d.OldHunks, h)
		}
	}
	return next
}
