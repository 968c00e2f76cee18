package judged

import (
	"cmp"
	"slices"
)

// A Tally counts verdicts.
type Tally struct{ Right, BadlySaid, Noise, Wrong, Unjudged int }

// All is how many findings were judged.
func (t Tally) All() int { return t.Right + t.BadlySaid + t.Noise + t.Wrong }

// Precision is the share of findings that are true and useful, 0 to 1, and 1 without any.
func (t Tally) Precision() float64 { return share(t.Right+t.BadlySaid, t.All()) }

// WellSaid is the share of findings that are right as they stand, 0 to 1.
func (t Tally) WellSaid() float64 { return share(t.Right, t.All()) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func (t *Tally) add(verdict string, n int) {
	switch verdict {
	case Right:
		t.Right += n
	case BadlySaid:
		t.BadlySaid += n
	case Noise:
		t.Noise += n
	case Wrong:
		t.Wrong += n
	default:
		t.Unjudged += n
	}
}

// A RuleTally is the tally of one rule at one severity.
type RuleTally struct {
	Rule, Severity string
	Tally
}

// order puts errors before warnings before notes.
var order = []string{"error", "warning", "note"}

// ByRule returns the tally of every rule at every severity, errors first, by name.
func (t *Tables) ByRule() []RuleTally {
	var all []RuleTally
	for _, v := range t.Verdicts {
		i := slices.IndexFunc(all, func(r RuleTally) bool { return r.Rule == v.Rule && r.Severity == v.Severity })
		if i < 0 {
			i, all = len(all), append(all, RuleTally{Rule: v.Rule, Severity: v.Severity})
		}
		all[i].add(v.Verdict, v.Count)
	}
	all = slices.DeleteFunc(all, func(r RuleTally) bool { return r.Tally == Tally{} })
	slices.SortFunc(all, func(a, b RuleTally) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Severity), slices.Index(order, b.Severity)), cmp.Compare(a.Rule, b.Rule))
	})
	return all
}

// Sum adds up the tallies of some severities.
func Sum(all []RuleTally, severities ...string) Tally {
	var sum Tally
	for _, r := range all {
		if slices.Contains(severities, r.Severity) {
			sum.Right += r.Right
			sum.BadlySaid += r.BadlySaid
			sum.Noise += r.Noise
			sum.Wrong += r.Wrong
			sum.Unjudged += r.Unjudged
		}
	}
	return sum
}

// Recall returns how many of the expected problems are found.
func (t *Tables) Recall() (found, all int) {
	for _, e := range t.Expected {
		if e.State == Found {
			found++
		}
	}
	return found, len(t.Expected)
}

// A FixTally counts the verdicts on hunks.
type FixTally struct{ Merge, Edit, Refuse, Unjudged int }

// Fixes returns the verdicts on the hunks of a mode.
func (t *Tables) Fixes(mode string) FixTally {
	var tally FixTally
	for _, h := range t.Hunks {
		if h.Mode != mode {
			continue
		}
		switch h.Verdict {
		case Merge:
			tally.Merge++
		case Edit:
			tally.Edit++
		case Refuse:
			tally.Refuse++
		default:
			tally.Unjudged++
		}
	}
	return tally
}
