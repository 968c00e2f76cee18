package report

import (
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// bomSchema is the schema of CycloneDX 1.6: the newest version that the
// programs which read one widely know.
const bomSchema = "http://cyclonedx.org/schema/bom-1.6.schema.json"

// listCycloneDX writes a bill of materials: every package, image and program
// that is a server or the bridge to one is a component, every URL a service. It
// has no serial number and no date, so that the same tree gives the same bytes.
func listCycloneDX(w io.Writer, list *List, _ Options) error {
	components, services := []cdx.Component{}, []cdx.Service{}
	parts := bomParts(listedServers(list.Repo))
	for _, ref := range slices.Sorted(maps.Keys(parts)) {
		if p := parts[ref]; p.id.Kind == identity.URL {
			services = append(services, p.service(ref))
		} else {
			components = append(components, p.component(ref))
		}
	}
	return encodeJSON(w, &cdx.BOM{
		JSONSchema: bomSchema, BOMFormat: cdx.BOMFormat, SpecVersion: cdx.SpecVersion1_6, Version: 1,
		Metadata: &cdx.Metadata{Tools: &cdx.ToolsChoice{Components: &[]cdx.Component{
			{Type: cdx.ComponentTypeApplication, Name: list.Tool.Name, Version: list.Tool.Version},
		}}},
		Components: &components,
		Services:   &services,
	})
}

// bomPart is one component or service, with the servers that run it.
type bomPart struct {
	// id is what they run; its version is the one that is known to run, if any.
	id      identity.Identity
	servers []listed
}

// bomParts returns the parts by their references. What a placeholder stands for
// is none.
func bomParts(servers []listed) map[string]*bomPart {
	parts := map[string]*bomPart{}
	add := func(s listed) {
		id := s.Identity
		if id.Kind == identity.None {
			return
		}
		id.Version = knownVersion(s)
		ref := bomRef(&id)
		if parts[ref] == nil {
			parts[ref] = &bomPart{id: id}
		}
		parts[ref].servers = append(parts[ref].servers, s)
	}
	for _, s := range servers {
		add(s)
		if bridge, ok := bridgeOf(s); ok {
			add(bridge)
		}
	}
	return parts
}

// bridgeOf returns the package that a server's URL is reached through as a
// server of that name and place, false if there is none.
func bridgeOf(s listed) (listed, bool) {
	b := s.Identity.Bridge
	if b == nil || b.Source != identity.NPM && b.Source != identity.PyPI {
		return listed{}, false
	}
	server := *s.Server
	server.Identity = identity.Identity{Kind: b.Source, Name: b.Name, Version: b.Version, Launcher: s.Identity.Launcher}
	return listed{Server: &server, isBridge: true}, true
}

// bomRef is the reference of a part: unique, as far as it can be shown.
func bomRef(id *identity.Identity) string {
	ref := id.String()
	if id.Version.Text != "" {
		ref += "@" + id.Version.Text
	}
	return strings.ToValidUTF8(secret.Mask(ref), "\ufffd")
}

// knownVersion returns the version that a server runs: the exact one it asks
// for, else the one it is locked at. A range or tag is no version, but an image
// has no other name for it than its tag.
func knownVersion(s listed) identity.Version {
	version := s.Identity.Version
	if s.Identity.Kind == identity.OCI && version.Kind == identity.Tag {
		return version
	}
	if version = exactly(version); version.Text == "" && isLockedAs(s, &s.Identity) {
		return exactly(s.lock.Target.Identity.Version)
	}
	return version
}

func exactly(v identity.Version) identity.Version {
	if v.Kind != identity.Exact {
		return identity.Version{}
	}
	return v
}

// isLockedAs reports whether the entry that a server is locked as is about that
// identity.
func isLockedAs(s listed, id *identity.Identity) bool {
	return s.lock != nil && s.lock.Target.Identity.Kind == id.Kind && s.lock.Target.Identity.Name == id.Name
}

// component returns the part as a component.
func (p *bomPart) component(ref string) cdx.Component {
	c := cdx.Component{
		BOMRef: ref, Type: cdx.ComponentTypeApplication,
		Name: secret.Mask(p.id.Name), Version: secret.Mask(p.id.Version.Text),
		PackageURL: shownPurl(&p.id),
		Properties: p.properties(),
		Evidence:   &cdx.Evidence{Occurrences: p.occurrences()},
	}
	if group, name, ok := strings.Cut(c.Name, "/"); ok && p.id.Kind == identity.NPM {
		c.Group, c.Name = group, name
	}
	if p.id.Kind == identity.OCI || p.id.Kind == identity.Container {
		c.Type = cdx.ComponentTypeContainer
	}
	if hashes := p.hashes(); len(hashes) > 0 {
		c.Hashes = &hashes
	}
	c.ExternalReferences = p.repositories()
	return c
}

// service returns the part as a service that is reached over the network.
func (p *bomPart) service(ref string) cdx.Service {
	address := secret.Mask(p.id.Name)
	s := cdx.Service{BOMRef: ref, Name: address, Properties: p.properties(), ExternalReferences: p.repositories()}
	if endpoint := plainURL(address); endpoint != "" {
		s.Endpoints = &[]string{endpoint}
	}
	return s
}

// plainURL returns a URL without user, query and fragment as CycloneDX wants it
// (an IRI reference), "" if it is none: variables may stand where no URL has
// them.
func plainURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	plain := u.String()
	if strings.ContainsAny(plain, "\"<>\\^`{|} ") || strings.ContainsAny(u.EscapedPath(), "[]") {
		return ""
	}
	return plain
}

// hashes returns the hashes that lockfiles have for the version of the part.
func (p *bomPart) hashes() []cdx.Hash {
	var hashes []cdx.Hash
	for _, s := range p.servers {
		if !isLockedAs(s, &p.id) || p.id.Version.Text == "" || s.lock.Target.Identity.Version.Text != p.id.Version.Text {
			continue
		}
		algorithm, digest := checks.Digest(s.lock)
		if digest == "" {
			continue
		}
		// "sha512" is "SHA-512" in CycloneDX.
		name := cdx.HashAlgorithm("SHA-" + strings.TrimPrefix(algorithm, "sha"))
		if hash := (cdx.Hash{Algorithm: name, Value: digest}); !slices.Contains(hashes, hash) {
			hashes = append(hashes, hash)
		}
	}
	return hashes
}

// repositories returns the source repositories that are known, nil for none.
func (p *bomPart) repositories() *[]cdx.ExternalReference {
	var references []cdx.ExternalReference
	for _, s := range p.servers {
		repository := plainURL(secret.Mask(s.repository))
		known := func(r cdx.ExternalReference) bool { return r.URL == repository }
		if repository != "" && !slices.ContainsFunc(references, known) {
			references = append(references, cdx.ExternalReference{Type: cdx.ERTypeVCS, URL: repository})
		}
	}
	if references == nil {
		return nil
	}
	return &references
}

// occurrences returns the places where the part is configured.
func (p *bomPart) occurrences() *[]cdx.EvidenceOccurrence {
	occurrences := make([]cdx.EvidenceOccurrence, len(p.servers))
	for i, s := range p.servers {
		line := s.Document.File.LineAt(s.NameSpan.Start)
		occurrences[i] = cdx.EvidenceOccurrence{Location: s.Document.File.Path, Line: &line, Symbol: secret.Mask(s.Name)}
	}
	return &occurrences
}

// properties returns what CycloneDX has no field for. A name comes once for
// every value, in the order of the repository.
func (p *bomPart) properties() *[]cdx.Property {
	var properties []cdx.Property
	add := func(name, value string) {
		property := cdx.Property{Name: "mcplumb:" + name, Value: secret.Mask(value)}
		if value != "" && !slices.Contains(properties, property) {
			properties = append(properties, property)
		}
	}
	add("identity", p.id.String())
	if p.servers[0].isBridge {
		add("role", "bridge")
	}
	for _, property := range p.serverProperties() {
		for _, s := range p.servers {
			for _, value := range property.values(s) {
				add(property.name, value)
			}
		}
	}
	if !slices.ContainsFunc(p.servers, func(s listed) bool { return !s.Disabled }) {
		add("disabled", "true")
	}
	return &properties
}

// serverProperty is something about a server that CycloneDX has no field for.
type serverProperty struct {
	name   string
	values func(listed) []string
}

func (p *bomPart) serverProperties() []serverProperty {
	one := func(value func(listed) string) func(listed) []string {
		return func(s listed) []string { return []string{value(s)} }
	}
	return []serverProperty{
		{"name", one(func(s listed) string { return s.Name })},
		{"path", one(func(s listed) string { return Options{}.line(s.Document.File, s.NameSpan) })},
		{"client", func(s listed) []string { return clientIDs(s.Document) }},
		{"selector", func(s listed) []string { return s.Identity.Selector }},
		{"requested", one(func(s listed) string {
			if s.Identity.Version.Text == p.id.Version.Text {
				return ""
			}
			return s.Identity.Version.Text
		})},
		{"transport", one(func(s listed) string { return s.Identity.Transport })},
		{"launcher", one(func(s listed) string { return s.Identity.Launcher })},
		{"bridge", one(func(s listed) string { return s.Identity.BridgeName() })},
		{"lock", one(func(s listed) string {
			if s.lock == nil {
				return ""
			}
			return Options{}.line(s.lock.Document.File, s.lock.NameSpan)
		})},
	}
}
