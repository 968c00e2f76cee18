package fleet

import (
	"slices"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/glob"
)

// Candidate is a repository that a fleet may have.
type Candidate struct {
	Name, Clone               string // "acme/api", "https://github.com/acme/api.git"
	Size                      int    // of its objects, in kilobytes
	IsArchived, IsFork, IsOff bool
	Visibility                string
	Topics                    []string
	Pushed                    time.Time
}

// Choice says which candidates are wanted. The zero value wants those that are neither
// archived nor forks.
type Choice struct {
	// Include and Exclude are patterns of names with their owner, in small letters: GitHub
	// does not tell names apart by their case. Without any to include all are.
	Include, Exclude []glob.Pattern
	// Topics and Visibilities are the wanted ones, any of which is enough; none means all.
	Topics, Visibilities []string
	Archived, Forks      bool
	// PushedSince leaves out what was pushed to before, zero leaves out none.
	PushedSince time.Time
}

// LeftOut counts candidates that are not wanted, by the reason.
type LeftOut struct {
	Reason string
	Count  int
}

// Of returns the candidates that are wanted, in their order, and how many are not. A
// repository that GitHub has disabled cannot be read and is left out.
func (c *Choice) Of(all []Candidate) (chosen []Candidate, left []LeftOut) {
	for _, r := range all {
		reason := c.against(&r)
		if reason == "" {
			chosen = append(chosen, r)
			continue
		}
		i := slices.IndexFunc(left, func(l LeftOut) bool { return l.Reason == reason })
		if i < 0 {
			i, left = len(left), append(left, LeftOut{Reason: reason})
		}
		left[i].Count++
	}
	return chosen, left
}

// against says why a candidate is not wanted, "" if it is.
func (c *Choice) against(r *Candidate) string {
	matches := func(p glob.Pattern) bool { return matches(p, r) }
	hasTopic := func(topic string) bool { return slices.Contains(r.Topics, topic) }
	switch {
	case r.IsOff:
		return "disabled"
	case r.IsArchived && !c.Archived:
		return "archived"
	case r.IsFork && !c.Forks:
		return "forked"
	case len(c.Include) > 0 && !slices.ContainsFunc(c.Include, matches):
		return "not included"
	case slices.ContainsFunc(c.Exclude, matches):
		return "excluded"
	case len(c.Topics) > 0 && !slices.ContainsFunc(c.Topics, hasTopic):
		return "without the topic"
	case len(c.Visibilities) > 0 && !slices.Contains(c.Visibilities, r.Visibility):
		return "of another visibility"
	case r.Pushed.Before(c.PushedSince):
		return "without a recent push"
	}
	return ""
}

// Idle returns the patterns to include that none of the candidates has, by their places in
// Include.
func (c *Choice) Idle(all []Candidate) []int {
	var idle []int
	for i, p := range c.Include {
		if !slices.ContainsFunc(all, func(r Candidate) bool { return matches(p, &r) }) {
			idle = append(idle, i)
		}
	}
	return idle
}

func matches(p glob.Pattern, r *Candidate) bool { return p.Matches(strings.ToLower(r.Name)) }
