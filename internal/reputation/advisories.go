package reputation

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/version"
)

// advisoryTable is what is published about packages, in OSV form. `make
// generate` writes it from advisories.yaml.
//
//go:embed advisories.json
var advisoryTable []byte

// advisory is what one advisory says of one package.
type advisory struct {
	// id is the number people know it by: CVE before GHSA, MAL- for malware,
	// MCPLUMB- for what notes of a release say and no one advisory.
	id string
	// summary is one phrase, link a page with more.
	summary, link string
	// severity is the advisory's own word, "" where it is not known.
	severity string
	// onlyWith are options and variables, one of which must be set for the advisory to matter;
	// nil if it always matters.
	onlyWith []string
	malware  bool
	ranges   [][]event
	// versions are affected in addition to those in the ranges.
	versions []*version.Version
}

// isNote reports whether only the notes of a release say it.
func (a *advisory) isNote() bool { return strings.HasPrefix(a.id, "MCPLUMB-") }

// event is where a range begins or ends, in the order of versions.
type event struct {
	kind    eventKind
	version *version.Version // nil for the beginning of all versions
}

// eventKind is what an event of OSV does to a range.
type eventKind uint8

const (
	introduced   eventKind = iota // the version is the first affected one
	fixed                         // the version is the first that is not affected
	lastAffected                  // the version is the last affected one
)

// advisoriesFor returns what is published about a package. Nothing is parsed before the first
// call.
func advisoriesFor(kind identity.Kind, name string) []*advisory {
	return advisories()[packageName{kind, name}]
}

// packageName is what the table of advisories is indexed by.
type packageName struct {
	kind identity.Kind
	name string
}

var advisories = sync.OnceValue(func() map[packageName][]*advisory {
	index, err := parseAdvisories(advisoryTable)
	if err != nil {
		return nil // a test holds the table to being valid
	}
	return index
})

// record is a record of the OSV schema, as far as the rules need it.
type record struct {
	ID       string
	Aliases  []string
	Summary  string
	Specific struct {
		Severity string
		OnlyWith []string `json:"only_with"`
	} `json:"database_specific"`
	References []struct{ URL string }
	Affected   []struct {
		Package  struct{ Ecosystem, Name string }
		Ranges   []struct{ Events []map[string]string }
		Versions []string
	}
}

// parseAdvisories reads a table of advisories and indexes it by package.
func parseAdvisories(table []byte) (map[packageName][]*advisory, error) {
	var records []record
	if err := json.Unmarshal(table, &records); err != nil {
		return nil, err
	}
	index := map[packageName][]*advisory{}
	for _, r := range records {
		for _, affected := range r.Affected {
			kind := identity.Ecosystem(affected.Package.Ecosystem)
			a := &advisory{
				id: r.knownAs(), summary: r.Summary, link: r.link(),
				severity: strings.ToLower(r.Specific.Severity), onlyWith: r.Specific.OnlyWith, malware: strings.HasPrefix(r.ID, "MAL-"),
			}
			for _, events := range affected.Ranges {
				parsed, err := parseEvents(kind, events.Events)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", r.ID, err)
				}
				a.ranges = append(a.ranges, parsed)
			}
			for _, text := range affected.Versions {
				v, err := kind.System().Parse(text)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", r.ID, err)
				}
				a.versions = append(a.versions, v)
			}
			name := packageName{kind, affected.Package.Name}
			index[name] = append(index[name], a)
		}
	}
	return index, nil
}

// knownAs returns the number by which people know an advisory.
func (r *record) knownAs() string {
	for _, alias := range r.Aliases {
		if strings.HasPrefix(alias, "CVE-") {
			return alias
		}
	}
	return r.ID
}

// link returns the page that the record refers to, "" for none.
func (r *record) link() string {
	if len(r.References) == 0 {
		return ""
	}
	return r.References[0].URL
}

// parseEvents reads the events of one range.
func parseEvents(kind identity.Kind, events []map[string]string) ([]event, error) {
	names := map[string]eventKind{"introduced": introduced, "fixed": fixed, "last_affected": lastAffected}
	var parsed []event
	for _, e := range events {
		for name, text := range e {
			what, known := names[name]
			if !known {
				return nil, fmt.Errorf("unknown event %q", name)
			}
			if what == introduced && text == "0" {
				parsed = append(parsed, event{kind: introduced})
				continue
			}
			v, err := kind.System().Parse(text)
			if err != nil {
				return nil, err
			}
			parsed = append(parsed, event{what, v})
		}
	}
	return parsed, nil
}

// affects reports whether a version is in one of the ranges or listed. The
// events decide, in their order, as the OSV schema says.
func (a *advisory) affects(v *version.Version) bool {
	for _, listed := range a.versions {
		if v.Compare(listed) == 0 {
			return true
		}
	}
	for _, events := range a.ranges {
		if inRange(events, v) {
			return true
		}
	}
	return false
}

// mattersTo reports whether a launch sets what the advisory depends on; nil is any launch.
func (a *advisory) mattersTo(l *identity.Launch) bool {
	isGiven := func(name string) bool {
		return slices.ContainsFunc(l.Args, func(w identity.Word) bool { return w.Text == name || strings.HasPrefix(w.Text, name+"=") }) ||
			slices.ContainsFunc(l.Env, func(p identity.Pair) bool { return p.Name.Text == name })
	}
	return len(a.onlyWith) == 0 || l == nil || slices.ContainsFunc(a.onlyWith, isGiven)
}

func inRange(events []event, v *version.Version) bool {
	in := false
	for _, e := range events {
		switch {
		case e.kind == introduced && (e.version == nil || v.Compare(e.version) >= 0):
			in = true
		case e.kind == fixed && v.Compare(e.version) >= 0, e.kind == lastAffected && v.Compare(e.version) > 0:
			in = false
		}
	}
	return in
}

// affectsNewest reports whether no version ends the advisory: the newest version is affected,
// for any version.
func (a *advisory) affectsNewest() bool {
	for _, events := range a.ranges {
		if events[len(events)-1].kind == introduced {
			return true
		}
	}
	return false
}

// AdvisoriesAgainst returns the advisories, of malware or of vulnerabilities, that affect a
// package at the one version that the entry requests. Without one version nothing is certain,
// so it returns none.
func AdvisoriesAgainst(p identity.Fetched, malware bool) []*advisory {
	if !compare.IsOneVersion(p.Version) {
		return nil
	}
	all := advisoriesFor(p.Kind, p.Name)
	if len(all) == 0 {
		return nil
	}
	v, err := p.Kind.System().Parse(p.Version.Text)
	if err != nil {
		return nil
	}
	var affecting []*advisory
	for _, a := range all {
		if a.malware == malware && a.affects(v) {
			affecting = append(affecting, a)
		}
	}
	return affecting
}

// firstFixed returns the lowest version above v which fixes something and is affected
// by nothing itself, or "". Where no such version is above v, it is the lowest of all:
// the versions of some packages were dates once.
func firstFixed(all []*advisory, v *version.Version) string {
	var above, lowest *version.Version
	for _, a := range all {
		for _, events := range a.ranges {
			for _, e := range events {
				if e.kind != fixed || anyAffects(all, e.version) {
					continue
				}
				lowest = lower(lowest, e.version)
				if e.version.Compare(v) > 0 {
					above = lower(above, e.version)
				}
			}
		}
	}
	switch {
	case above != nil:
		return above.String()
	case lowest != nil:
		return lowest.String()
	}
	return ""
}

// lower returns the lower of two versions; a may be nil for none.
func lower(a, b *version.Version) *version.Version {
	if a != nil && a.Compare(b) <= 0 {
		return a
	}
	return b
}

func anyAffects(all []*advisory, v *version.Version) bool {
	for _, a := range all {
		if a.affects(v) {
			return true
		}
	}
	return false
}

// rank orders advisories, the most severe first, then those without a severity, then those without a
// number.
func (a *advisory) rank() int {
	grades := []string{"critical", "high", "medium", "low"}
	switch at := slices.Index(grades, a.severity); {
	case a.isNote():
		return len(grades) + 1
	case at < 0:
		return len(grades)
	default:
		return at
	}
}
