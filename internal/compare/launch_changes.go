package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// LaunchChange is how a server runs that is the same as at the base.
type LaunchChange struct {
	// Installs are what is installed beside it now, settings what decides which code runs,
	// in words.
	Installs, Settings []string
	// At is the package that is installed.
	At identity.Word
}

// isNothing reports whether nothing has changed.
func (a *LaunchChange) isNothing() bool { return len(a.Installs) == 0 && len(a.Settings) == 0 }

// alter notes how a server runs otherwise than all of those of the base that are the
// same.
func (c *Changes) alter(s *mcp.Server, same []*mcp.Server) {
	if len(same) > 0 && !isAsBefore(s, same) {
		a := launchChangeOf(same[0], s)
		c.Altered[s] = &a
	}
}

// isAsBefore reports whether one of the servers of the base that are the same as one of
// today ran as it does.
func isAsBefore(s *mcp.Server, same []*mcp.Server) bool {
	return slices.ContainsFunc(same[:min(len(same), MaxSpellings)], func(was *mcp.Server) bool {
		a := launchChangeOf(was, s)
		return a.isNothing()
	})
}

// launchChangeOf compares how one program runs at the base and today.
func launchChangeOf(was, now *mcp.Server) LaunchChange {
	var a LaunchChange
	had := map[string]bool{}
	for pkg := range was.Identity.Packages() {
		had[pkg.String()] = true
	}
	for _, from := range was.Identity.Addresses {
		had[from.Text] = true
	}
	for _, pkg := range now.Identity.Fetched {
		if pkg.Beside && !had[pkg.String()] {
			a.At.Span = cmp.Or(a.At.Span, pkg.Span)
			a.Installs = append(a.Installs, pkg.String())
		}
	}
	for _, from := range now.Identity.Addresses {
		if !had[from.Text] {
			a.At.Span = cmp.Or(a.At.Span, from.Span)
			a.Installs = append(a.Installs, secret.Mask(from.Text))
		}
	}
	a.Settings = append(changedSettings(decidingOf(was), decidingOf(now)), changedDigest(was, now)...)
	return a
}

// deciding are the values of what decides which code of a server runs, by name, and the
// names in order.
type deciding struct {
	names  []string
	values map[string][]string
}

// add adds a value.
func (d *deciding) add(name, value string) {
	if d.values[name] == nil {
		d.names = append(d.names, name)
	}
	d.values[name] = append(d.values[name], value)
}

// decidingOf returns what decides which code of a server runs.
func decidingOf(s *mcp.Server) deciding {
	all := deciding{values: map[string][]string{}}
	for _, l := range s.Launches() {
		if l.Kind != mcp.LaunchLine { // which is part of the identity
			all.add(l.Name, l.Value)
		}
	}
	return all
}

// changedDigest says in words that an image has another digest at the tag that it had:
// with another tag it is another version.
func changedDigest(was, now *mcp.Server) []string {
	tag, then := imageOf(was)
	same, today := imageOf(now)
	if tag != same || then == today || then == "" || today == "" {
		return nil
	}
	then, today = ShownHashes(then, today)
	return []string{wording.Say("the digest of %s is %s now and was %s at the base", tag, today, then)}
}

// imageOf returns an image with its tag as written, and its digest.
func imageOf(s *mcp.Server) (tag, digest string) {
	id := &s.Identity
	if id.Kind != identity.OCI {
		return "", ""
	}
	for _, w := range s.Launch.Args {
		if w.Span.Start <= id.Span.Start && id.Span.End <= w.Span.End {
			tag, digest, _ = strings.Cut(w.Text, "@")
		}
	}
	return tag, digest
}

// changedSettings says in words which settings have other values.
func changedSettings(was, now deciding) []string {
	var words []string
	for _, name := range now.names {
		if values := now.values[name]; !slices.Equal(values, was.values[name]) {
			words = append(words, wording.Say("%s is %s now and was %s at the base", name, shownValues(name, values), shownValues(name, was.values[name])))
		}
	}
	for _, name := range was.names {
		if now.values[name] == nil {
			words = append(words, wording.Say("%s is not set now and was %s at the base", name, shownValues(name, was.values[name])))
		}
	}
	return words
}

// MaxValue is how much of a value is shown, in code points.
const MaxValue = 100

// shownValues shows what a setting says, masked.
func shownValues(name string, values []string) string {
	if len(values) == 0 {
		return "not set"
	}
	shown := make([]string, len(values))
	for i, value := range values {
		if i > wording.MaxGiven {
			break // it is only counted
		}
		value = secret.Mask(value)
		if secret.IsSecret(name, value) {
			value = "***"
		}
		shown[i] = wording.Say("%q", wording.Beginning(value, MaxValue))
	}
	return wording.JoinWords(wording.Few(shown))
}
