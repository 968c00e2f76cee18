package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
)

// Loosened says, in a sentence each, what settings hide that others did not.
func Loosened(was, now *Settings) []string {
	var changes []string
	for _, c := range checks.All() {
		before, after := was.of(c), now.of(c)
		switch {
		case after == checks.Off && before != checks.Off:
			changes = append(changes, c.ID+" is off")
		case after < before:
			changes = append(changes, fmt.Sprintf("%s is a %s, and was a %s", c.ID, after, before))
		}
	}
	for _, pattern := range now.Exclude {
		if !slices.Contains(was.Exclude, pattern) {
			changes = append(changes, pattern+" is excluded")
		}
	}
	for _, ignore := range now.Ignores {
		if !slices.ContainsFunc(was.Ignores, func(known Ignore) bool { return known.hides() == ignore.hides() }) {
			changes = append(changes, ignore.Rule+" is ignored"+ignore.where())
		}
	}
	if len(changes) == 0 {
		return nil
	}
	const shown = 10
	if more := len(changes) - shown; more > 0 {
		changes = append(changes[:shown], fmt.Sprintf("and %d more", more))
	}
	return []string{"the settings hide more than those of the base: " + strings.Join(changes, ", ")}
}

// of returns the severity that a rule has, checks.Off if it does not run. A rule that
// the settings do not name keeps its own, whatever that is.
func (s *Settings) of(c *checks.Check) checks.Severity {
	if severity, set := s.Rules[c.ID]; set {
		return severity
	}
	return c.Severity
}

// hides is what an ignore hides, without the reason for it.
func (i Ignore) hides() Ignore {
	return Ignore{Rule: i.Rule, Path: i.Path, Server: i.Server, Until: i.Until}
}

// where says where an ignore counts.
func (i Ignore) where() string {
	switch {
	case i.Path != "" && i.Server != "":
		return fmt.Sprintf(" of %q in %s", i.Server, i.Path)
	case i.Path != "":
		return " in " + i.Path
	case i.Server != "":
		return fmt.Sprintf(" of %q", i.Server)
	}
	return ""
}
