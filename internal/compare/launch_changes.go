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
	// Installs are what is now installed in addition to it, Settings what decides which code runs,
	// Digest that of its image at the same tag, Reach what its container can access, Handed the
	// variables that a URL gets in headers, in words.
	Installs, Settings, Digest, Reach, Handed []string
	// Args are the arguments of its program that changed, in words, Address what changed in its
	// URL, Older that its version is lower, Given and Taken the variables that it now gets, and
	// those that it no longer gets.
	Args, Address, Older, Given, Taken []string
	// Opened are the rules that kept tools of it from being used, or asked about them, and are gone.
	Opened []string
	// IsWide reports that the container gets at the host now, in a way in which it did not.
	IsWide bool
	// At is the package that is installed.
	At identity.Word
	// Side is what files outside the configuration now decide differently.
	Side []SideChange
}

// isNothing reports whether nothing has changed.
func (a *LaunchChange) isNothing() bool {
	return len(a.Installs)+len(a.Settings)+len(a.Digest)+len(a.Reach)+len(a.Handed)+len(a.Args)+len(a.Address)+len(a.Older)+len(a.Opened)+len(a.Given)+len(a.Taken)+len(a.Side) == 0
}

// RunsOther reports whether other code may run with the server than at the base. Another digest
// at a tag that moves is what a bot brings every week.
func (a *LaunchChange) RunsOther() bool {
	return len(a.Installs)+len(a.Settings) > 0 || a.IsWide || slices.ContainsFunc(a.Side, func(c SideChange) bool { return !c.IsScript })
}

// alter notes how a server runs otherwise than all of those of the base that are the
// same.
func (c *Changes) alter(x *nameIndex, s *mcp.Server, same []*mcp.Server) {
	if len(same) == 0 || x.isAsBefore(s, same) {
		return
	}
	was := same[0]
	if i := slices.IndexFunc(same, func(other *mcp.Server) bool { return other.Name == s.Name }); i >= 0 {
		was = same[i]
	}
	a := x.changeOf(was, s)
	c.Altered[s] = &a
}

// isAsBefore reports whether one of the servers of the base that are the same as one of
// today ran as it does.
func (x *nameIndex) isAsBefore(s *mcp.Server, same []*mcp.Server) bool {
	return slices.ContainsFunc(same[:min(len(same), MaxSpellings)], func(was *mcp.Server) bool {
		a := x.changeOf(was, s)
		return a.isNothing()
	})
}

// changeOf compares how one program runs at the base and today. What an additional entry of the
// same program gets says nothing about this one: config-drift compares the two.
func (x *nameIndex) changeOf(was, now *mcp.Server) LaunchChange {
	a := launchChangeOf(was, now)
	if x.isStillThere(was, now) {
		a.Args, a.Address, a.Older, a.Given, a.Taken, a.Opened = nil, nil, nil, nil, nil, nil
	}
	return a
}

// isStillThere reports whether a server of the base is still in its place, and is a different one
// than one of today.
func (x *nameIndex) isStillThere(was, now *mcp.Server) bool {
	if !x.base.concerns(was.Document.Project.Dir) {
		return true
	}
	places, today := placesOf(was), placesOf(now)
	return slices.ContainsFunc(places, func(at namePlace) bool { return x.today[at] }) &&
		!slices.ContainsFunc(places, func(at namePlace) bool { return slices.Contains(today, at) })
}

// launchChangeOf compares how one program runs at the base and today.
func launchChangeOf(was, now *mcp.Server) LaunchChange {
	var a LaunchChange
	if a.Side, a.Opened = changedSides(was, now), opened(was, now); isSameLaunch(was, now) {
		return a
	}
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
	isCode := func(l mcp.Launch) bool { return l.Kind == mcp.LaunchSetting || l.Kind == mcp.LaunchHelper }
	isReach := func(l mcp.Launch) bool { return l.Kind == mcp.LaunchReach }
	a.Settings, a.Digest = changedSettings(decidingOf(was, isCode), decidingOf(now, isCode)), changedDigest(was, now)
	a.Handed = newlyHanded(was, now)
	a.Args, a.Older = changedArguments(was, now), lowered(&was.Identity, &now.Identity)
	a.Address = changedSettings(queryOf(was), queryOf(now))
	isDefault := func(l mcp.Launch) bool { return l.Kind == mcp.LaunchDefault }
	a.Args = append(a.Args, changedSettings(decidingOf(was, isDefault), decidingOf(now, isDefault))...)
	if len(a.Address) > 0 {
		a.At.Span = cmp.Or(a.At.Span, now.Identity.Span)
	}
	a.Given, a.Taken = changedVariables(was, now)
	before, after := decidingOf(was, isReach), decidingOf(now, isReach)
	a.Reach = changedSettings(before, after)
	for _, name := range after.names {
		a.IsWide = a.IsWide || slices.ContainsFunc(after.values[name], func(value string) bool {
			return identity.IsWide(name, value) && !slices.Contains(before.values[name], value)
		})
	}
	return a
}

// isSameLaunch reports whether an entry of a file says what it said at the base, so that there is
// nothing to compare. Most changes have few other entries.
func isSameLaunch(was, now *mcp.Server) bool {
	a, b := &was.Launch, &now.Launch
	from, to := was.Document, now.Document
	isSame := func(a, b identity.Word) bool { return a.Text == b.Text }
	isSamePair := func(a, b identity.Pair) bool { return isSame(a.Name, b.Name) && isSame(a.Value, b.Value) }
	return from.File.Path == to.File.Path && from.Format == to.Format && from.Project.Dir == to.Project.Dir && len(from.Answers)+len(to.Answers) == 0 &&
		isSame(a.Command, b.Command) && isSame(a.URL, b.URL) && isSame(a.Cwd, b.Cwd) && isSame(a.EnvFile, b.EnvFile) && a.Transport == b.Transport &&
		isSame(was.Extra().HeadersHelper, now.Extra().HeadersHelper) &&
		slices.EqualFunc(a.Args, b.Args, isSame) && slices.EqualFunc(a.PassEnv, b.PassEnv, isSame) &&
		slices.EqualFunc(a.Env, b.Env, isSamePair) && slices.EqualFunc(a.Headers, b.Headers, isSamePair)
}

// newlyHanded returns the variables that a server at a URL gets today and did not get at the base:
// its operator reads their values.
func newlyHanded(was, now *mcp.Server) []string {
	if now.Identity.Kind != identity.URL {
		return nil
	}
	before := handedTo(was)
	return slices.DeleteFunc(handedTo(now), func(name string) bool { return slices.Contains(before, name) })
}

// handedTo returns the names of the variables in the headers of a server, and of those that are
// its token, in their order.
func handedTo(s *mcp.Server) []string {
	var names []string
	for _, header := range s.Resolved().Config().Headers {
		for ref, ok := secret.NextReference(header.Value, 0); ok; ref, ok = secret.NextReference(header.Value, ref.End) {
			if ref.Name != "" && !slices.Contains(names, ref.Name) {
				names = append(names, ref.Name)
			}
		}
	}
	return names
}

// queryOf returns the parameters in the query of a URL, by which one host distinguishes its
// servers. Of a credential, it returns only the name: another value is another account. Parameters
// that only say where a visitor came from do not count.
func queryOf(s *mcp.Server) deciding {
	all := deciding{values: map[string][]string{}}
	if s.Identity.Kind != identity.URL {
		return all
	}
	for _, parameter := range s.Identity.Selector {
		name, value, _ := strings.Cut(parameter, "=")
		switch {
		case isTracking(name):
		case value == "***", secret.IsSecretParameter(name), secret.IsSecretName(name):
			all.add(name, "")
		default:
			all.add(name, value)
		}
	}
	return all
}

// isTracking reports whether a parameter is one that advertisements add: utm_source, gclid.
func isTracking(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "utm_") || strings.HasSuffix(name, "clid") || name == "msclkid"
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

// decidingOf returns those launches of a server that are settings of one kind.
func decidingOf(s *mcp.Server, isKind func(mcp.Launch) bool) deciding {
	all := deciding{values: map[string][]string{}}
	for _, l := range s.Launches() {
		if isKind(l) {
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
	return []string{wording.Say("the digest of %s is now %s (it was %s)", tag, today, then)}
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
			words = append(words, wording.Say("%s is now %s (it was %s)", name, shownValues(name, values), shownValues(name, was.values[name])))
		}
	}
	for _, name := range was.names {
		if now.values[name] == nil {
			words = append(words, wording.Say("%s is no longer set (it was %s)", name, shownValues(name, was.values[name])))
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
		if value == "" {
			return "set"
		}
		value = secret.Mask(value)
		if secret.IsSecret(name, value) {
			value = "***"
		}
		shown[i] = wording.Say("%q", wording.Beginning(value, MaxValue))
	}
	return wording.JoinWords(wording.Few(shown))
}
