// Package made knows the packages that a repository makes: which of them a name means, and how a
// version that is written elsewhere relates to theirs.
package made

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// IsAt returns at which version a package is. order tells whether another one is higher.
func IsAt(source *mcp.SourcePackage, order int) string {
	verb := "is"
	if order > 0 {
		verb = "is still"
	}
	return wording.Say("%s, from which %s gets the version, %s at %s", source.File.Path, registryOf(source), verb, source.Version.Text)
}

// AsSource is what to do about a version that differs from the package's.
func AsSource(source *mcp.SourcePackage, other identity.Word, order int) string {
	write := wording.Say("write %s here", inPlaceOf(other, source))
	if order > 0 {
		return wording.Say("update %s, or %s", source.File.Path, write)
	}
	return write
}

// registryOf returns what people call the registry of a package.
func registryOf(source *mcp.SourcePackage) string {
	switch source.Kind {
	case identity.NPM:
		return "npm"
	case identity.PyPI:
		return "PyPI"
	}
	return "crates.io"
}

func SeeVersion(source *mcp.SourcePackage) rule.Related {
	return rule.Related{File: source.File, Span: source.Version.Span, Message: wording.Say("%s is at %s here", source.Written.Text, source.Version.Text)}
}

// FollowVersion gives something in a manifest the version of the package. What is ahead
// may be right.
func FollowVersion(doc *mcp.Document, what string, version identity.Word, source *mcp.SourcePackage, order int) ([]rule.Fix, string) {
	if order > 0 {
		return nil, "the manifest is ahead of the package, and only you can tell which of them is right"
	}
	title := wording.Say("move %s from %s to %s, as in %s", what, version.Text, inPlaceOf(version, source), source.File.Path)
	return []rule.Fix{{Title: title, Safety: rule.Unsafe, Edits: []edit.Change{WriteAs(doc, version, source)}}}, ""
}

// WriteAs writes the version of a package instead of another one.
func WriteAs(doc *mcp.Document, version identity.Word, source *mcp.SourcePackage) edit.Change {
	return edit.Rename(doc.File, version.Span, inPlaceOf(version, source))
}

// inPlaceOf returns the version of a package as another one is written: tags have a v or
// none.
func inPlaceOf(version identity.Word, source *mcp.SourcePackage) string {
	if strings.HasPrefix(version.Text, "v") {
		return "v" + strings.TrimPrefix(source.Version.Text, "v")
	}
	return source.Version.Text
}

// Packages are the packages that a repository makes and that a project speaks of, by kind
// and name.
type Packages map[string][]*mcp.SourcePackage

// In returns the packages that a repository makes, as far as a project speaks of them.
func In(p *mcp.Project) Packages {
	all := Packages{}
	for _, source := range p.Facts.Packages {
		all[source.Key()] = append(all[source.Key()], source)
	}
	return all
}

// Named returns the package with a name. It returns nil without one, or if several have the name
// and it is unclear which one is meant; one at the given version is. A package that is published
// nowhere does not count.
func (all Packages) Named(kind identity.Kind, name, version string) *mcp.SourcePackage {
	found := slices.DeleteFunc(slices.Clone(all[mcp.PackageKey(kind, name)]), func(s *mcp.SourcePackage) bool { return s.Private })
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(s *mcp.SourcePackage) bool { return s.Workspace })
	}
	for _, source := range found {
		if Compare(version, source) == 0 {
			return source
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// Compare returns whether a version is lower or higher than that of a package in the repository, as
// -1 or 1. It is 0 for the same release, and if they cannot be compared: one of them is a
// placeholder, the package is on its way to the next release, or its version is raised elsewhere.
func Compare(version string, source *mcp.SourcePackage) int {
	a, b := Released(source.Kind, version), Released(source.Kind, source.Version.Text)
	if a == nil || b == nil || compare.ReleaseOf(source.Kind, identity.Version{Text: version}) == compare.ReleaseOf(source.Kind, identity.Version{Text: source.Version.Text}) {
		return 0
	}
	order := a.Compare(b)
	if b.IsPreview() && !a.IsPreview() || order > 0 && source.Lags {
		return 0
	}
	return order
}

// MaxVersion is how long the version of a release may be, as npm has it.
const MaxVersion = 256

// Released returns a version that can be that of a release, nil for templates, words and
// the version of something that was never released.
func Released(kind identity.Kind, text string) *version.Version {
	if len(text) > MaxVersion || !compare.NamesRelease(text) {
		return nil
	}
	v, err := kind.System().Parse(text)
	if core, _ := version.Split(strings.TrimLeft(text, "v=")); err != nil || strings.Trim(core, "0.") == "" {
		return nil
	}
	return v
}

// SaysName reports whether a package declares a server of the registry.
func SaysName(source *mcp.SourcePackage, name string) bool {
	return slices.ContainsFunc(source.MCPNames, func(w identity.Word) bool { return w.Text == name })
}

// Bundled returns the published package in the directory of a plugin or a bundle that has its name,
// nil without one or if several differ.
func Bundled(p *mcp.Project, m *mcp.Manifest) *mcp.SourcePackage {
	var found *mcp.SourcePackage
	for _, source := range p.Facts.Packages {
		if source.Dir != p.Dir || source.Private || source.Workspace || source.Version.Text == "" || !bearsName(source, m.Name.Text) {
			continue
		}
		if found != nil && found.Version.Text != source.Version.Text {
			return nil
		}
		found = source
	}
	return found
}

// bearsName reports whether a name is the name of a package, or of the server that it
// declares, each without what is before the last slash.
func bearsName(source *mcp.SourcePackage, name string) bool {
	last := func(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]) }
	if last(name) == "" {
		return false
	}
	isLast := func(w identity.Word) bool { return last(w.Text) == last(name) }
	return isLast(source.Written) || slices.ContainsFunc(source.MCPNames, isLast)
}
