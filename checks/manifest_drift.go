package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/made"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// manifestDrift finds manifests in the repository of a server that have another name or
// version for it than its package has.
var manifestDrift = &rule.Rule{
	ID:       "manifest-drift",
	Title:    "a manifest has another name or version than the package",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.InUse,
	Run:      runManifestDrift,
}

func runManifestDrift(p *rule.Pass) {
	all := made.In(p.Project)
	for doc := range p.Documents() {
		switch {
		case doc.Manifest == nil:
		case len(doc.Manifest.Entries) > 0:
			reportEntries(p, doc)
		case doc.Publishes:
			d := &publication{p: p, doc: doc, Manifest: doc.Manifest, all: all, plain: compare.PlainVersion(wording.Beginning(doc.Manifest.Version.Text, made.MaxVersion)), owners: ownersOf(doc.Manifest)}
			d.packages()
			d.names()
			d.version()
			d.images()
		default:
			reportBundle(p, doc)
		}
	}
	reportOwnPins(p, all)
}

// publication is a manifest of the registry that is compared with the packages that it
// publishes.
type publication struct {
	p   *rule.Pass
	doc *mcp.Document
	*mcp.Manifest
	// all are the packages that the repository makes, sources those of them that the
	// manifest publishes, by their index in Packages.
	all     made.Packages
	sources map[int]*mcp.SourcePackage
	// plain is its version as PlainVersion has it, owners who publishes it.
	plain  string
	owners []string
}

// packages finds the packages that the manifest publishes, and reports a package at another
// version.
func (d *publication) packages() {
	d.sources = map[int]*mcp.SourcePackage{}
	for i, pkg := range d.Packages {
		source := d.all.Named(pkg.Kind, pkg.Name, pkg.Version.Text)
		if source == nil {
			d.identifier(pkg)
			continue
		}
		d.sources[i] = source
		order := made.Compare(pkg.Version.Text, source)
		if order == 0 || d.isStamped() {
			continue
		}
		f := d.at(pkg.Version)
		f.Message = wording.Say("%s is at %s here, but %s", pkg.Name, pkg.Version.Text, made.IsAt(source, order))
		d.report(f, source, pkg.Name, pkg.Version, order)
	}
}

// isStamped reports whether a workflow writes the version when it publishes.
func (d *publication) isStamped() bool { return isStamped(d.p, d.doc) }

func isStamped(p *rule.Pass, doc *mcp.Document) bool {
	return p.Project.Facts.Stamped[path.Base(doc.File.Path)]
}

// at starts a finding at a word of the manifest.
func (d *publication) at(w identity.Word) rule.Finding {
	f := rule.Finding{File: d.doc.File, Span: w.Span, Server: d.Name.Text}
	if len(d.doc.Servers) > 0 {
		f.Identity = d.doc.Servers[0].Identity.Shown()
	}
	return f
}

// report reports a version that differs from the package's. Further changes belong to its
// fix.
func (d *publication) report(f rule.Finding, source *mcp.SourcePackage, what string, version identity.Word, order int, more ...edit.Change) {
	f.Help = made.AsSource(source, version, order)
	f.Related = []rule.Related{made.SeeVersion(source)}
	f.Fixes, f.NoFixReason = made.FollowVersion(d.doc, what, version, source, order)
	for i := range f.Fixes {
		f.Fixes[i].Edits = append(f.Fixes[i].Edits, more...)
	}
	d.p.Report(f)
}

// version reports the version of the manifest itself if it is not that of the packages. The
// registry accepts no version twice: if a manifest names the right packages, its version may be
// higher, or have a label of its own after theirs (modelcontextprotocol.io/registry/versioning).
func (d *publication) version() {
	source, isRight := d.mainSource()
	if source == nil || d.isStamped() {
		return
	}
	order := made.Compare(d.Version.Text, source)
	core, pre := version.Split(d.Version.Text)
	plain, _ := version.Split(source.Version.Text)
	if order == 0 || order > 0 && isRight || pre != "" && core == plain {
		return
	}
	f := d.at(d.Version)
	f.Message = wording.Say("the manifest is at version %s, but %s", d.Version.Text, made.IsAt(source, order))
	along := d.tagsAlong(source)
	if len(along) > rule.MaxRelated {
		f.Help, f.NoFixReason = made.AsSource(source, d.Version, order), "more images have this version than one finding can list"
		f.Related = []rule.Related{made.SeeVersion(source)}
		d.p.Report(f)
		return
	}
	d.report(f, source, "the manifest", d.Version, order, along...)
}

// tagsAlong gives the images whose tag is the version of the manifest that of the package.
func (d *publication) tagsAlong(source *mcp.SourcePackage) []edit.Change {
	var changes []edit.Change
	for _, pkg := range d.Packages {
		if pkg.Kind == identity.OCI && compare.IsVersionNumber(pkg.Version.Text) && d.isAlong(pkg) {
			changes = append(changes, made.WriteAs(d.doc, pkg.Version, source))
		}
	}
	return changes
}

// isAlong reports whether the tag of an image is the version of the manifest.
func (d *publication) isAlong(image mcp.PublishedPackage) bool {
	return compare.PlainVersion(image.Version.Text) == d.plain
}

// mainSource returns the package whose version the manifest should have, nil if there is none or
// several differ, and whether the manifest names one at the right version. For a server without
// packages it is the package that declares the server.
func (d *publication) mainSource() (main *mcp.SourcePackage, isRight bool) {
	for i, pkg := range d.Packages {
		source := d.sources[i]
		if source == nil || source.Version.Text == "" {
			continue
		}
		if main != nil && main != source && main.Version.Text != source.Version.Text {
			return nil, false
		}
		main = source
		isRight = isRight || pkg.Version.Text != "" && made.Compare(pkg.Version.Text, source) == 0
	}
	if main == nil && len(d.sources) == 0 {
		main = d.claimant(identity.NPM)
	}
	return main, isRight
}

// claimant returns the published package next to the manifest that declares the server, nil if
// there is none.
func (d *publication) claimant(kind identity.Kind) *mcp.SourcePackage {
	for _, source := range d.p.Project.Facts.Packages {
		isNear := source.Dir == d.p.Project.Dir || source.Dir == path.Clean(d.Subfolder)
		if source.Kind == kind && isNear && !source.Private && !source.Workspace && made.SaysName(source, d.Name.Text) {
			return source
		}
	}
	return nil
}

// identifier reports a package that the repository does not make, although it makes one
// that declares the server.
func (d *publication) identifier(pkg mcp.PublishedPackage) {
	ofKind := func(other mcp.PublishedPackage) bool { return other.Kind == pkg.Kind }
	if i := slices.IndexFunc(d.Packages, ofKind); slices.ContainsFunc(d.Packages[i+1:], ofKind) {
		return
	}
	if len(d.all[mcp.PackageKey(pkg.Kind, pkg.Name)]) > 0 {
		return // it is private, or several match
	}
	source := d.claimant(pkg.Kind)
	if source == nil {
		return
	}
	f := d.at(pkg.Identifier)
	f.Message = wording.Say("the manifest names the package %s, but %s, which declares %s as its server, makes %s",
		pkg.Identifier.Text, source.File.Path, d.Name.Text, source.Written.Text)
	f.Help = wording.Say("write %s here", source.Written.Text)
	f.Related = []rule.Related{{File: source.File, Span: source.Written.Span, Message: wording.Say("the package is called %s here", source.Written.Text)}}
	f.Fixes = []rule.Fix{{
		Title:  wording.Say("write %s instead of %s", source.Written.Text, pkg.Identifier.Text),
		Safety: rule.Unsafe, Edits: []edit.Change{edit.Rename(d.doc.File, pkg.Identifier.Span, source.Written.Text)},
	}}
	d.p.Report(f)
}

// names reports, once, that packages declare another server than the manifest is of. The
// registry accepts a package only under the name that it declares.
func (d *publication) names() {
	for i, pkg := range d.Packages {
		source := d.sources[i]
		if source == nil || len(source.MCPNames) == 0 || made.SaysName(source, d.Name.Text) || d.Name.Text == "" {
			continue
		}
		said := source.MCPNames[0]
		f := d.at(d.Name)
		f.Message = wording.Say("the server is %s here, but its package %s declares %s in %s, so the registry refuses it",
			d.Name.Text, pkg.Name, said.Text, source.NamesFile.Path)
		f.Help = "use one name in both files"
		f.Related = []rule.Related{{File: source.NamesFile, Span: said.Span, Message: wording.Say("%s declares %s here", source.Written.Text, said.Text)}}
		f.NoFixReason = "only you can tell under which of the two names the registry knows the server"
		d.p.Report(f)
		return
	}
}

// images reports images whose tag is another version than the packages have, if the tag was that
// of the manifest, or else another one than the manifest has.
func (d *publication) images() {
	if d.isStamped() {
		return
	}
	source, _ := d.mainSource()
	for _, pkg := range d.Packages {
		if pkg.Kind != identity.OCI || !compare.IsVersionNumber(pkg.Version.Text) {
			continue
		}
		switch {
		case source != nil && (d.isAlong(pkg) || d.isOwnImage(pkg.Name)):
			if order := made.Compare(strings.TrimPrefix(pkg.Version.Text, "v"), source); order != 0 {
				f := d.at(pkg.Version)
				f.Message = wording.Say("the image %s is at %s here, but %s", pkg.Name, pkg.Version.Text, made.IsAt(source, order))
				d.report(f, source, pkg.Name, pkg.Version, order)
			}
		case source == nil && len(d.sources) == 0 && !d.isAlong(pkg) && d.isOwnImage(pkg.Name):
			d.image(pkg)
		}
	}
}

// image reports an image at another version than the manifest that publishes it.
func (d *publication) image(pkg mcp.PublishedPackage) {
	tag := made.Released(pkg.Kind, pkg.Version.Text)
	own := made.Released(pkg.Kind, d.Version.Text)
	if tag == nil || own == nil || own.IsPreview() || tag.Compare(own) == 0 {
		return
	}
	f := d.at(pkg.Version)
	f.Message = wording.Say("the manifest is at version %s, but its image %s is at %s", d.Version.Text, pkg.Name, pkg.Version.Text)
	f.Help = "give both the same version"
	f.Related = []rule.Related{{File: d.doc.File, Span: d.Version.Span, Message: wording.Say("the manifest is at %s here", d.Version.Text)}}
	f.NoFixReason = "the image may have a version of its own"
	if tag.Compare(own) < 0 {
		asManifest := &mcp.SourcePackage{Kind: pkg.Kind, File: d.doc.File, Version: d.Version}
		f.Fixes, f.NoFixReason = made.FollowVersion(d.doc, pkg.Name, pkg.Version, asManifest, -1)
	}
	d.p.Report(f)
}

// isOwnImage reports whether an image is one of the publisher of the server: the name of the
// server or the address of the repository has the same owner.
func (d *publication) isOwnImage(image string) bool {
	parts := strings.Split(image, "/")
	return len(parts) > 1 && slices.ContainsFunc(d.owners, func(owner string) bool { return strings.EqualFold(owner, parts[len(parts)-2]) })
}

// ownersOf returns who publishes a server: the account on GitHub in its name, and that in
// the address of its repository.
func ownersOf(m *mcp.Manifest) []string {
	var owners []string
	if account, ok := strings.CutPrefix(m.Name.Text, "io.github."); ok {
		owner, _, _ := strings.Cut(account, "/")
		owners = append(owners, owner)
	}
	if _, address, ok := strings.Cut(m.Repository, "://"); ok {
		if parts := strings.SplitN(address, "/", 3); len(parts) == 3 {
			owners = append(owners, parts[1])
		}
	}
	return owners
}

// reportEntries reports entries of a marketplace at another version than the plugin has
// itself. Claude Code uses the plugin's (code.claude.com/docs/en/plugins-reference).
func reportEntries(p *rule.Pass, doc *mcp.Document) {
	if isStamped(p, doc) || p.Project.Facts.Stamped["plugin.json"] {
		return
	}
	for _, entry := range doc.Manifest.Entries {
		plugin := p.Project.Facts.Plugins[entry.Dir]
		own, listed := made.Released(identity.NPM, plugin.Version.Text), made.Released(identity.NPM, entry.Version.Text)
		if own == nil || listed == nil || compare.PlainVersion(plugin.Version.Text) == compare.PlainVersion(entry.Version.Text) {
			continue
		}
		f := rule.Finding{File: doc.File, Span: entry.Version.Span}
		f.Message = wording.Say("the plugin %s is listed at %s here, but %s, from which Claude Code gets the version, is at %s",
			entry.Name.Text, entry.Version.Text, plugin.File.Path, plugin.Version.Text)
		f.Help = wording.Say("write %s here", plugin.Version.Text)
		f.Related = []rule.Related{{File: plugin.File, Span: plugin.Version.Span, Message: wording.Say("the plugin is at %s here", plugin.Version.Text)}}
		f.Fixes = []rule.Fix{{
			Title:  wording.Say("move %s from %s to %s, as in %s", entry.Name.Text, entry.Version.Text, plugin.Version.Text, plugin.File.Path),
			Safety: rule.Unsafe, Edits: []edit.Change{edit.Rename(doc.File, entry.Version.Span, plugin.Version.Text)},
		}}
		p.Report(f)
	}
}

// reportBundle reports a plugin, an extension or a bundle that is at another version than
// the package of its name in its directory. Plugins have parts of their own and may be
// ahead; a bundle holds the package.
func reportBundle(p *rule.Pass, doc *mcp.Document) {
	m := doc.Manifest
	source := made.Bundled(p.Project, m)
	if source == nil || isStamped(p, doc) || doc.Scope == mcp.ScopePlugin && !hasServers(p.Project) {
		return
	}
	order := made.Compare(m.Version.Text, source)
	if order == 0 || order > 0 && doc.Scope == mcp.ScopePlugin {
		return
	}
	f := rule.Finding{File: doc.File, Span: m.Version.Span}
	f.Message = wording.Say("%s is at %s here, but %s", m.Name.Text, m.Version.Text, made.IsAt(source, order))
	f.Help = made.AsSource(source, m.Version, order)
	f.Related = []rule.Related{made.SeeVersion(source)}
	f.Fixes, f.NoFixReason = made.FollowVersion(doc, m.Name.Text, m.Version, source, order)
	p.Report(f)
}

// hasServers reports whether a plugin has a server, in its manifest, in a file that the manifest
// names, or in .mcp.json next to it: mcplumb leaves other plugins alone.
func hasServers(p *mcp.Project) bool {
	return slices.ContainsFunc(p.Documents, func(d *mcp.Document) bool {
		return len(d.Servers) > 0 && (d.Scope == mcp.ScopePlugin || path.Base(d.File.Path) == ".mcp.json")
	})
}

// reportOwnPins reports entries that start the repository's own package at a version that
// it does not have yet.
func reportOwnPins(p *rule.Pass, all made.Packages) {
	if len(all) == 0 {
		return
	}
	copies := &repair.Copies{Project: p.Project}
	for s := range p.Servers() {
		if !s.IsStarted() || s.Document.Publishes {
			continue
		}
		for pkg := range s.Identity.Packages() {
			if pkg.Version.Kind != identity.Exact {
				continue
			}
			if source := all.Named(pkg.Kind, pkg.Name, pkg.Version.Text); source != nil && made.Compare(pkg.Version.Text, source) > 0 {
				reportOwnPin(p, s, pkg, source, copies)
			}
		}
	}
}

func reportOwnPin(p *rule.Pass, s *mcp.Server, pkg identity.Fetched, source *mcp.SourcePackage, copies *repair.Copies) {
	f := rule.At(s)
	f.Span = pkg.Version.Span
	f.Message = wording.Say("%s is pinned to %s here, but %s", pkg.Name, pkg.Version.Text, made.IsAt(source, 1))
	f.Help = made.AsSource(source, identity.Word{Text: pkg.Version.Text}, 1)
	f.Related = []rule.Related{made.SeeVersion(source)}
	f.NoFixReason = repair.KeptBecause(s)
	if repair.IsFixable(s) {
		title := wording.Say("move %s from %s to %s, as in %s", pkg.Name, pkg.Version.Text, source.Version.Text, source.File.Path)
		if edits, ok := repair.WriteVersion(copies.WithCopies(s), pkg, source.Version.Text); ok && len(edits) > 0 {
			f.Fixes = []rule.Fix{{Title: title, Safety: rule.Unsafe, Edits: edits}}
		} else {
			f.NoFixReason = repair.NotWrittenPlainly
		}
	}
	p.Report(f)
}
