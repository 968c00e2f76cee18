package policy

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// Loosened says in sentences what settings hide, or let pass, that others did not, and
// which registries they ask that others did not: a registry says what is known against
// a package. Nil if nothing. An ignore that has expired today, a date as 2006-01-02, hides nothing.
func Loosened(was, now *Settings, today string) []string {
	var changes []string
	for _, c := range checks.All() {
		before, after := was.of(c), now.of(c)
		_, wasSet := was.Rules[c.ID]
		_, isSet := now.Rules[c.ID]
		switch {
		case after == before && isSet && !wasSet && after < rule.Error:
			// Some findings of a rule are more severe than most of them.
			changes = append(changes, fmt.Sprintf("%s is never more than %s", c.ID, after))
		case after == rule.Off && before != rule.Off:
			changes = append(changes, c.ID+" is off")
		case after < before:
			changes = append(changes, fmt.Sprintf("%s goes from %s to %s", c.ID, before, after))
		}
	}
	for _, pattern := range now.Exclude {
		if !slices.Contains(was.Exclude, pattern) {
			changes = append(changes, pattern+" is excluded")
		}
	}
	for _, ignore := range now.Ignores {
		if ignore.Until != "" && today != "" && ignore.Until < today {
			continue
		}
		if !slices.ContainsFunc(was.Ignores, func(known Ignore) bool { return known.hides() == ignore.hides() }) {
			changes = append(changes, ignore.Rule+" is ignored"+ignore.where())
		}
	}
	for _, file := range was.Policies {
		if !slices.ContainsFunc(now.Policies, file.isSame) {
			changes = append(changes, "the policy "+file.Path+" is left out")
		}
	}
	if before := was.Catalog.Approved; before != "" && now.Catalog.Approved == "" {
		changes = append(changes, "the catalog "+before+" is left out")
	}
	changes = append(changes, loosenedGroups(was, now)...)
	changes = append(changes, lowered("fail-on", was.Preferences.FailOn, now.Preferences.FailOn)...)
	changes = append(changes, lowered("severity", was.Preferences.Severity, now.Preferences.Severity)...)
	if before, after := was.minAge(), now.minAge(); after < before {
		changes = append(changes, fmt.Sprintf("min-age goes from %d to %d", before, after))
	}
	switch {
	case was.MaxLockAge == nil:
	case now.MaxLockAge == nil:
		changes = append(changes, fmt.Sprintf("max-lock-age of %d is left out", *was.MaxLockAge))
	case *now.MaxLockAge > *was.MaxLockAge:
		changes = append(changes, fmt.Sprintf("max-lock-age goes from %d to %d", *was.MaxLockAge, *now.MaxLockAge))
	}
	var sentences []string
	if len(changes) > 0 {
		sentences = append(sentences, "the settings hide more than at the base: "+strings.Join(few(changes), ", "))
	}
	if others := otherRegistries(was, now); len(others) > 0 {
		sentences = append(sentences, "the settings query other registries than at the base: "+strings.Join(others, ", "))
	}
	return sentences
}

// otherRegistries names the registries that settings ask and others did not, by their hosts.
func otherRegistries(was, now *Settings) (others []string) {
	for _, name := range RegistryNames() {
		address := now.Registries[name]
		if at, err := url.Parse(address); err == nil && address != "" && address != was.Registries[name] {
			others = append(others, name+" at "+at.Host)
		}
	}
	if place := now.Catalog.Approved; place != "" && was.Catalog.Approved != "" && place != was.Catalog.Approved {
		others = append(others, "the catalog "+place)
	}
	return others
}

// minAge is how many days ago a release must have been published to be taken.
func (s *Settings) minAge() int {
	if s.MinAge == nil {
		return DefaultMinAge
	}
	return *s.MinAge
}

// LoosenedComments says in a sentence which rules the comments of a repository ignore that the
// comments of another did not; nil if none. A file that no longer exists may have moved, along
// with its ignores.
func LoosenedComments(was, now *mcp.Repo) []string {
	type place struct{ rule, path string }
	more := map[place]int{}
	var places []place
	for _, one := range collectIgnores(&Settings{}, now, &names{}, "", false).all {
		if at := (place{one.rule, one.file.Path}); one.void == "" && !one.quiet {
			if more[at]++; more[at] == 1 {
				places = append(places, at)
			}
		}
	}
	moved := map[string]int{} // by rule
	for _, one := range collectIgnores(&Settings{}, was, &names{}, "", false).all {
		switch at := (place{one.rule, one.file.Path}); {
		case one.void != "" || one.quiet:
		case more[at] > 0:
			more[at]--
		default:
			moved[one.rule]++
		}
	}
	var changes []string
	for _, at := range places {
		known := min(more[at], moved[at.rule])
		moved[at.rule] -= known
		if more[at] > known {
			changes = append(changes, at.rule+" in "+at.path)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	return []string{"comments ignore more than at the base: " + strings.Join(few(changes), ", ")}
}

// few returns the first of some changes, and how many more there are.
func few(changes []string) []string {
	const shown = 10
	if more := len(changes) - shown; more > 0 {
		return append(changes[:shown], fmt.Sprintf("and %d more", more))
	}
	return changes
}

// lowered says that a preference, one of the severities or never, lets more pass than
// before. Where it says nothing it is a warning.
func lowered(name, was, now string) []string {
	words := failOnWords()
	was, now = cmp.Or(was, "warning"), cmp.Or(now, "warning")
	if slices.Index(words, now) <= slices.Index(words, was) {
		return nil
	}
	return []string{fmt.Sprintf("%s goes from %s to %s", name, was, now)}
}

// of returns the severity that a rule has, rule.Off if it does not run. A rule that the
// settings do not name keeps its own severity.
func (s *Settings) of(c *rule.Rule) rule.Severity {
	if severity, set := s.Rules[c.ID]; set {
		return severity
	}
	return c.Severity
}

// hides is what an ignore hides, without the reason for it.
func (i Ignore) hides() Ignore {
	return Ignore{Rule: i.Rule, Path: i.Path, Server: i.Server, Identity: i.Identity, Integrity: i.Integrity, Until: i.Until}
}

// where says where an ignore counts.
func (i Ignore) where() string {
	switch {
	case i.Identity != "":
		return fmt.Sprintf(" of %s with the hash %s", i.Identity, i.Integrity)
	case i.Path != "" && i.Server != "":
		return fmt.Sprintf(" of %q in %s", i.Server, i.Path)
	case i.Path != "":
		return " in " + i.Path
	case i.Server != "":
		return fmt.Sprintf(" of %q", i.Server)
	}
	return ""
}
