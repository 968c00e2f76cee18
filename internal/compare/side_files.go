package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// SideChange is a place in a file outside the configuration that changes, since the base, which
// code a server runs.
type SideChange struct {
	// Words say what has changed, Name the setting and its file.
	Words, Name string
	// File has the place today, nil if it no longer exists.
	File *syntax.File
	Span syntax.Span
	// IsScript reports that it is a script of the repository that the server runs, and Script its
	// text: that is read as other code of the repository is.
	IsScript bool
	Script   string
}

// maxSideChanges is how many changes of one server are kept: fewer are shown.
const maxSideChanges = 20

// IsBeside reports whether only files outside the configuration have changed.
func (a *LaunchChange) IsBeside() bool {
	other := *a
	other.Side = nil
	return len(a.Side) > 0 && other.isNothing()
}

// besideWords says what files outside the configuration decide differently: settings and packages,
// and the scripts that a server runs.
func besideWords(changes []SideChange) (settings, scripts []string) {
	for _, c := range changes {
		if c.IsScript {
			scripts = append(scripts, c.Words)
		} else {
			settings = append(settings, c.Words)
		}
	}
	return settings, scripts
}

// changedSides compares what files outside the configuration decide about one server.
func changedSides(was, now *mcp.Server) []SideChange {
	before, after := sidesOf(was), sidesOf(now)
	if len(before)+len(after) == 0 {
		return nil
	}
	had, has := sidesByKey(was, before), sidesByKey(now, after)
	var changes []SideChange
	for _, side := range after {
		if old := had[sideKey(now, side)]; len(changes) < maxSideChanges && decidesOtherwise(old, side, before) {
			changes = append(changes, sideChange(old, side))
		}
	}
	for _, side := range before {
		if len(changes) < maxSideChanges && isGone(side, has[sideKey(was, side)]) {
			changes = append(changes, sideChange(side, nil))
		}
	}
	return changes
}

// sidesOf returns what files outside the configuration decide about a server. What they say more
// than once counts once: the elements of a list.
func sidesOf(s *mcp.Server) []*mcp.Side {
	var sides []*mcp.Side
	places := map[string]int{}
	for _, side := range s.Document.Project.Facts.Sides[s] {
		key := sideKey(s, side)
		at, known := places[key]
		if !known {
			places[key] = len(sides)
			sides = append(sides, side)
			continue
		}
		both := *sides[at] // which other servers share
		both.Value += ", " + side.Value
		both.Means += "\x00" + side.Means
		sides[at] = &both
	}
	return sides
}

func sidesByKey(s *mcp.Server, sides []*mcp.Side) map[string]*mcp.Side {
	byKey := map[string]*mcp.Side{}
	for _, side := range sides {
		byKey[sideKey(s, side)] = side
	}
	return byKey
}

// sideKey tells settings apart by their files, seen from the project, which may have moved. A
// variable is the same in every file, and so is what any lockfile says.
func sideKey(s *mcp.Server, side *mcp.Side) string {
	switch {
	case side.Kind == mcp.SideSetting && side.File != nil:
		return side.Name + "\x00" + belowProject(s, side.File.Path)
	case side.Kind == mcp.SideFiles:
		return belowProject(s, side.Name)
	}
	return side.Name
}

// belowProject returns a path as seen from the directory of a server's project.
func belowProject(s *mcp.Server, path string) string {
	if dir := s.Document.Project.Dir; dir != "" {
		return strings.TrimPrefix(path, dir+"/")
	}
	return path
}

// decidesOtherwise reports whether a place decides something other than at the base, where before
// is all that decided then.
func decidesOtherwise(was, now *mcp.Side, before []*mcp.Side) bool {
	switch now.Kind {
	case mcp.SideHash:
		return was != nil && was.Value != "" && isOtherHash(was, now)
	case mcp.SideSource:
		return now.Means != "" && isOtherSource(was, now, before)
	case mcp.SideFiles:
		return was == nil || was.Means != now.Means && (was.Of == now.Of || was.Of == "")
	}
	return was == nil && now.Means != "" || was != nil && was.Means != now.Means
}

// isOtherHash reports whether the hash of a package is another one, or gone. Another version has
// another hash, and an additional or replacing stronger one is an improvement.
func isOtherHash(was, now *mcp.Side) bool {
	switch {
	case now.Value == "":
		return true
	case was.Of != now.Of || was.Value == now.Value:
		return false
	}
	old, new := HashesIn(identity.Word{Text: was.Value}), HashesIn(identity.Word{Text: now.Value})
	if len(old) == 0 { // of another form, as Yarn's own
		prefixOld, _, _ := strings.Cut(was.Value, "/")
		prefixNew, _, _ := strings.Cut(now.Value, "/")
		return prefixOld == prefixNew
	}
	change, _, _ := ChangeOfHashes(old, new, true)
	return change != HashKept && change != HashStronger // which a newer package manager writes
}

// isOtherSource reports whether a lockfile has a package from elsewhere. One that it did not have is
// from elsewhere if nothing else was from there.
func isOtherSource(was, now *mcp.Side, before []*mcp.Side) bool {
	if was != nil {
		return was.Means != now.Means
	}
	for _, side := range before {
		if side.Kind == mcp.SideSource && len(side.Hosts) > 0 {
			isFrom := func(host string) bool { return strings.HasPrefix(now.Means, "https://"+host) }
			return !slices.ContainsFunc(side.Hosts, isFrom)
		}
	}
	return false
}

// isGone reports whether what decided at the base no longer exists, so that the default decides. A
// package that is no longer locked or committed is fetched as its entry says.
func isGone(was, now *mcp.Side) bool {
	switch was.Kind {
	case mcp.SideSetting, mcp.SideVariable, mcp.SideScript:
		return now == nil && was.Means != ""
	}
	return false
}

// sideChange says how a place decides differently; now is nil for one that no longer exists.
func sideChange(was, now *mcp.Side) SideChange {
	side := now
	if now == nil {
		side = was
	}
	c := SideChange{Name: side.Name, IsScript: side.Kind == mcp.SideScript}
	if side.Kind != mcp.SideFiles && side.File != nil {
		c.Name = wording.Say("%s in %s", side.Name, side.File.Path)
	}
	if now != nil {
		c.File, c.Span = now.File, now.Span
		if c.IsScript {
			c.Script = now.Value
		}
	}
	switch {
	case side.Kind == mcp.SideFiles && was == nil:
		c.Words = wording.Say("%s is now in the repository (it was not)", c.Name)
	case side.Kind == mcp.SideFiles:
		c.Words = wording.Say("%s has other files than at the base", c.Name)
	case now == nil:
		c.Words = wording.Say("%s is no longer set (it was %s)", c.Name, shownSide(was))
	case side.Kind == mcp.SideHash:
		c.Words = hashWords(c.Name, was.Value, now.Value)
	default:
		c.Words = wording.Say("%s is now %s (it was %s)", c.Name, shownSide(now), shownSide(was))
	}
	return c
}

// hashWords says how a hash has changed.
func hashWords(name, was, now string) string {
	old, new := HashesIn(identity.Word{Text: was}), HashesIn(identity.Word{Text: now})
	if further, isFurther := FurtherHash(old, new); isFurther && IsSameHash(was, now) {
		from, to := ShownHashes(was, further.Text)
		return wording.Say("%s is still %s, and now also has %s", name, from, to)
	}
	from, to := ShownHashes(was, now)
	if from == "" || to == "" && now != "" {
		from, to = wording.Beginning(was, MaxValue), wording.Beginning(now, MaxValue)
	}
	to = cmp.Or(to, "not set")
	return wording.Say("%s is now %s (it was %s)", name, to, from)
}

// shownSide shows a value, masked.
func shownSide(side *mcp.Side) string {
	if side == nil || side.Value == "" {
		return "not set"
	}
	return shownValues(side.Name, []string{side.Value})
}
