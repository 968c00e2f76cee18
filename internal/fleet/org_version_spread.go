package fleet

import "fmt"

// orgVersionSpread finds one package at several versions: how many repositories have each.
func orgVersionSpread() *Rule {
	return &Rule{ID: "org-version-spread", Title: "one package runs at several versions", Severity: "note", Run: runOrgVersionSpread}
}

func runOrgVersionSpread(f *Fleet) []OrgFinding {
	var found []OrgFinding
	packages := f.places(func(s *Server) bool { return s.IsPackage() && isStarted(s) })
	for _, g := range groupBy(packages, func(p Place) string { return p.Server.Identity }) {
		versions := groupBy(g.places, func(p Place) string { return p.Server.Pinned() })
		var pinned []Place // in the order of the repositories
		for _, p := range g.places {
			if p.Server.Pinned() != "" {
				pinned = append(pinned, p)
			}
		}
		// Several versions in one repository are what version-conflict tells.
		if len(versions) < 2 || repositoriesOf(pinned) < 2 {
			continue
		}
		var each []string
		for _, v := range versions {
			each = append(each, fmt.Sprintf("%s in %d", v.text, v.repositories))
		}
		finding := OrgFinding{Rule: "org-version-spread", Severity: "note", Identity: g.text}
		finding.at(pinned)
		finding.Message = fmt.Sprintf("%s is pinned to %d versions in %s: %s", g.text, len(versions), inRepositories(finding.Repositories), enumerated(each))
		if n := repositoriesOf(unpinned(g.places)); n > 0 {
			finding.Message += fmt.Sprintf("; not pinned in %d", n)
		}
		found = append(found, finding)
	}
	return found
}

// isStarted reports whether a server is enabled, and not an entry of a registry or of a
// lockfile.
func isStarted(s *Server) bool {
	return !s.Disabled && s.Scope != "registry" && s.Scope != "lock" && s.Scope != "settings"
}

// unpinned returns the places of packages without a fixed version.
func unpinned(places []Place) []Place {
	var left []Place
	for _, p := range places {
		if p.Server.IsPackage() && p.Server.Pinned() == "" {
			left = append(left, p)
		}
	}
	return left
}
