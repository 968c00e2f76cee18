package reputation

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// knownPackageTable is what is known of packages in addition to their advisories. `make
// generate` writes it from known_packages.yaml.
//
//go:embed known_packages.json
var knownPackageTable []byte

// missingPackage is a name that no registry had on a day.
type missingPackage struct {
	Ecosystem, Name string
	// LookedUp is the day, as 2006-01-02.
	LookedUp string `json:"looked_up"`
	// Instead says what to do; "" if the name was not looked up itself and is only missing from
	// its scope.
	Instead string
	// Near is the package of the scope with nearly that name, or "".
	Near string `json:"-"`
}

// archivedPackage is a server that its owner no longer maintains.
type archivedPackage struct {
	Ecosystem, Name string
	// Since is the day on which it was archived, as 2006-01-02.
	Since string
	// Instead is what the owner names in its place, or "".
	Instead string
	// Hole is a published weakness that stays open, or ""; HoleSource is where it
	// is described and Until what to do as long as the server is used.
	Hole       string
	HoleSource string `json:"hole_source"`
	Until      string
}

// knownScope is an npm scope of one owner with all packages of a day whose names begin
// with Begins.
type knownScope struct {
	Ecosystem, Name string
	Begins          string
	LookedUp        string `json:"looked_up"`
	Packages        []string
}

// knownIndex is the table by package and, for scopes, by the scope's name.
type knownIndex struct {
	missing  map[packageName]*missingPackage
	archived map[packageName]*archivedPackage
	scopes   map[packageName]*knownScope
}

// known is the table, which is parsed on first use.
var known = sync.OnceValue(func() knownIndex {
	index, err := parseKnownPackages(knownPackageTable)
	if err != nil {
		return knownIndex{} // a test holds the table to being valid
	}
	return index
})

// parseKnownPackages reads a table of known packages and indexes it.
func parseKnownPackages(table []byte) (knownIndex, error) {
	var all struct {
		Scopes   []knownScope
		Missing  []missingPackage
		Archived []archivedPackage
	}
	index := knownIndex{map[packageName]*missingPackage{}, map[packageName]*archivedPackage{}, map[packageName]*knownScope{}}
	if err := json.Unmarshal(table, &all); err != nil {
		return index, err
	}
	for i, s := range all.Scopes {
		index.scopes[packageName{identity.Ecosystem(s.Ecosystem), s.Name}] = &all.Scopes[i]
	}
	for i, m := range all.Missing {
		index.missing[packageName{identity.Ecosystem(m.Ecosystem), m.Name}] = &all.Missing[i]
	}
	for i, a := range all.Archived {
		index.archived[packageName{identity.Ecosystem(a.Ecosystem), a.Name}] = &all.Archived[i]
	}
	return index, nil
}

// ArchivedFor returns what is known of an archived package, or nil.
func ArchivedFor(pkg identity.Fetched) *archivedPackage {
	return known().archived[packageName{pkg.Kind, pkg.Name}]
}

// MissingFor returns what is known of a package that no registry has, or nil: it was looked up, or it
// is not one of the packages of a scope whose packages are all known.
func MissingFor(pkg identity.Fetched) *missingPackage {
	if found := known().missing[packageName{pkg.Kind, pkg.Name}]; found != nil {
		return found
	}
	name, rest, isScoped := strings.Cut(pkg.Name, "/")
	if !isScoped {
		return nil
	}
	scope := known().scopes[packageName{pkg.Kind, name}]
	if scope == nil || !strings.HasPrefix(rest, scope.Begins) {
		return nil
	}
	for _, there := range scope.Packages {
		if there == rest {
			return nil
		}
	}
	return &missingPackage{Ecosystem: scope.Ecosystem, Name: pkg.Name, LookedUp: scope.LookedUp, Near: scope.near(rest)}
}

// near returns the server of the scope whose name was misspelt, or "". What all of
// them begin with says nothing about the rest.
func (s *knownScope) near(name string) string {
	const prefix = "server-"
	var servers []string
	for _, there := range s.Packages {
		if server, is := strings.CutPrefix(there, prefix); is {
			servers = append(servers, server)
		}
	}
	meant := spelling.Nearest(strings.TrimPrefix(name, prefix), servers)
	if meant == "" {
		return ""
	}
	return s.Name + "/" + prefix + meant
}

// Report words the finding about a package: since when it is archived, what is wrong with it, and
// what to do. A published weakness makes it a warning.
func (a *archivedPackage) Report(f *rule.Finding, pkg identity.Fetched) {
	f.Severity = rule.Note
	f.Message = wording.Say("%s was archived on %s and no longer gets fixes", pkg, a.Since)
	if a.Hole != "" {
		f.Severity, f.See = rule.Warning, a.HoleSource
		f.Message = wording.Say("%s was archived on %s with an unfixed vulnerability: %s", pkg, a.Since, a.Hole)
	}
	switch {
	case a.Instead != "":
		f.Help = "switch to " + a.Instead
	case a.Until != "":
		f.Help = "switch to another server; until then, " + a.Until
	default:
		f.Help = MaintainedHelp
	}
}

// MaintainedHelp is what to do about a server that is no longer maintained.
const MaintainedHelp = "switch to a server that is maintained"

// Severity returns an error for a name that was looked up. Another one of the scope may have been
// published since.
func (m *missingPackage) Severity() rule.Severity {
	if m.Instead == "" {
		return rule.Warning
	}
	return rule.Error
}

// Texts returns what is wrong, and the package to use instead, if that is known.
func (m *missingPackage) Texts(pkg identity.Fetched) (message, help string) {
	if m.Instead != "" {
		return wording.Say("%s does not exist (checked on %s), so the server cannot start", pkg, m.LookedUp), m.Instead
	}
	message = wording.Say("%s did not exist in its scope on %s, so the server cannot start", pkg, m.LookedUp)
	if m.Near != "" {
		return message, wording.Say("did you mean %s?", m.Near)
	}
	return message, "use a package that exists, or ignore this finding if it was published since"
}
