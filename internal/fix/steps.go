package fix

import (
	"context"
	"maps"
	"slices"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// Step is what the fixes of one rule change in what the steps before it have left.
type Step struct {
	Check *rule.Rule
	// Files are those that change, sorted by path.
	Files []File
	Made  []Made
}

// maxPasses is how often all rules have a turn: a fix of one may leave what another
// can fix.
const maxPasses = 3

// Steps fixes a tree as Run does, one rule after the other in the order in which Run
// comes to them, and returns what each changes. The outcome is that of all steps together.
func Steps(ctx context.Context, o Options) ([]Step, *Outcome, error) {
	whole, err := Run(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	var steps []Step
	var made []Made
	contents, last := map[string][]byte{}, whole
	for range maxPasses {
		if len(last.Made) == 0 {
			break
		}
		for _, check := range rulesOf(last.Made) {
			one := o
			one.Source = source.Overlay(o.Source, maps.Clone(contents))
			one.Fixes = func(c *rule.Rule) bool { return c == check }
			outcome, err := Run(ctx, one)
			if err != nil {
				return nil, nil, err
			}
			if len(outcome.Files) == 0 {
				continue
			}
			for _, f := range outcome.Files {
				contents[f.Path] = f.New
			}
			steps = append(steps, Step{check, outcome.Files, outcome.Made})
			made = append(made, outcome.Made...)
		}
		rest := o
		rest.Source = source.Overlay(o.Source, maps.Clone(contents))
		if last, err = Run(ctx, rest); err != nil {
			return nil, nil, err
		}
	}
	addBrings(made, whole.Before, last.Before)
	return steps, &Outcome{
		Files: filesOf(steps), Made: made, Left: last.Left, Rounds: len(steps), Before: whole.Before, After: last.Before,
	}, nil
}

// rulesOf returns the rules of fixes, in the order of their first ones.
func rulesOf(made []Made) []*rule.Rule {
	var rules []*rule.Rule
	for i := range made {
		if c := made[i].Finding.Rule; !slices.Contains(rules, c) {
			rules = append(rules, c)
		}
	}
	return rules
}

// filesOf returns what steps change together, sorted by path.
func filesOf(steps []Step) []File {
	first, now := map[string][]byte{}, map[string][]byte{}
	for _, s := range steps {
		for _, f := range s.Files {
			if _, known := first[f.Path]; !known {
				first[f.Path] = f.Old
			}
			now[f.Path] = f.New
		}
	}
	var files []File
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if string(first[path]) != string(now[path]) || first[path] == nil {
			files = append(files, File{path, first[path], now[path]})
		}
	}
	return files
}
