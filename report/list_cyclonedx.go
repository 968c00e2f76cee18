package report

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"

	"github.com/mcplumb/mcplumb/internal/view"
)

// listCycloneDX writes a bill of materials: every package, image and program
// that is a server or the bridge to one is a component, every URL a service. It
// has no serial number and no date, so that the same tree gives the same bytes.
func listCycloneDX(w io.Writer, v *view.View) error {
	components, services := []cyclonedx.Component{}, []cyclonedx.Service{}
	parts := map[string]bomPart{}
	for _, c := range v.Components() {
		ref := c.Ref().Plain()
		parts[ref] = append(parts[ref], c)
	}
	for _, ref := range slices.Sorted(maps.Keys(parts)) {
		if p := parts[ref]; p[0].Identity.IsURL() {
			services = append(services, p.service(ref))
		} else {
			components = append(components, p.component(ref))
		}
	}
	return encodeJSON(w, &cyclonedx.BOM{
		JSONSchema: bomSchema, BOMFormat: cyclonedx.BOMFormat, SpecVersion: cyclonedx.SpecVersion1_6, Version: 1,
		Metadata: bomMetadata(v.Tool), Components: &components, Services: &services,
	})
}

// bomPart is one component or service of the bill: what is the same for several
// servers, once for each.
type bomPart []view.Component

// component returns the part as a component.
func (p bomPart) component(ref string) cyclonedx.Component {
	id := p[0].Identity
	c := cyclonedx.Component{
		BOMRef: ref, Type: cyclonedx.ComponentTypeApplication,
		Name: id.Name().Plain(), Version: id.Version().Plain(),
		PackageURL: id.Purl().Plain(), Hashes: p.hashes(), ExternalReferences: p.repositories(),
		Properties: p.properties(),
		Evidence:   &cyclonedx.Evidence{Occurrences: p.occurrences()},
	}
	if group, name, ok := strings.Cut(c.Name, "/"); ok && id.IsNPM() {
		c.Group, c.Name = group, name
	}
	if id.IsContainer() {
		c.Type = cyclonedx.ComponentTypeContainer
	}
	return c
}

// service returns the part as a service that is reached over the network.
func (p bomPart) service(ref string) cyclonedx.Service {
	address := p[0].Identity.Name().Plain()
	return cyclonedx.Service{BOMRef: ref, Name: address, Endpoints: endpoints(address), Properties: p.properties(), ExternalReferences: p.repositories()}
}

// endpoints returns the address of a service, none where it is no URL.
func endpoints(address string) *[]string {
	endpoint := plainURL(address)
	if endpoint == "" {
		return nil
	}
	return &[]string{endpoint}
}

// plainURL returns a URL without user, query and fragment as CycloneDX wants it (an IRI
// reference), "" if it is not one: variables may be where no URL can have them.
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
func (p bomPart) hashes() *[]cyclonedx.Hash {
	var hashes distinct[cyclonedx.Hash]
	for _, c := range p {
		algorithm, digest := c.Hash()
		if digest == "" {
			continue
		}
		// "sha512" is "SHA-512" in CycloneDX.
		hashes.add(cyclonedx.Hash{Algorithm: cyclonedx.HashAlgorithm("SHA-" + strings.TrimPrefix(algorithm, "sha")), Value: digest})
	}
	return orNone(hashes.list)
}

// distinct is a list without repeats. What is compared by the list at first is
// found in a map where there is much of it.
type distinct[T comparable] struct {
	list  []T
	known map[T]bool
}

// fewValues is how many values a list is searched through.
const fewValues = 16

func (d *distinct[T]) add(value T) {
	if len(d.list) < fewValues {
		if !slices.Contains(d.list, value) {
			d.list = append(d.list, value)
		}
		return
	}
	if d.known == nil {
		d.known = map[T]bool{}
		for _, v := range d.list {
			d.known[v] = true
		}
	}
	if !d.known[value] {
		d.known[value] = true
		d.list = append(d.list, value)
	}
}

// repositories returns the source repositories that are known.
func (p bomPart) repositories() *[]cyclonedx.ExternalReference {
	var references distinct[cyclonedx.ExternalReference]
	for _, c := range p {
		if repository := plainURL(c.Server.Repository().Plain()); repository != "" {
			references.add(cyclonedx.ExternalReference{URL: repository, Type: cyclonedx.ERTypeVCS})
		}
	}
	return orNone(references.list)
}

// occurrences returns the places where the part is configured.
func (p bomPart) occurrences() *[]cyclonedx.EvidenceOccurrence {
	occurrences := make([]cyclonedx.EvidenceOccurrence, len(p))
	for i, c := range p {
		place := c.Server.Place()
		line := place.Line()
		occurrences[i] = cyclonedx.EvidenceOccurrence{Location: place.Path().FromRoot().Plain(), Line: &line, Symbol: c.Server.Name().Plain()}
	}
	return &occurrences
}

// properties returns what CycloneDX has no field for. A name comes once for
// every value, in the order of the repository.
func (p bomPart) properties() *[]cyclonedx.Property {
	var properties distinct[cyclonedx.Property]
	add := func(name, value string) {
		if value != "" {
			properties.add(cyclonedx.Property{Name: "mcplumb:" + name, Value: value})
		}
	}
	add("identity", p[0].Identity.Text().Plain())
	if p[0].IsBridge {
		add("role", "bridge")
	}
	for _, property := range serverProperties() {
		for _, c := range p {
			for _, value := range property.values(c) {
				add(property.name, value)
			}
		}
	}
	if !slices.ContainsFunc(p, func(c view.Component) bool { return !c.Server.IsOff() }) {
		add("disabled", "true")
	}
	return &properties.list
}

// serverProperty is something about a server that CycloneDX has no field for.
type serverProperty struct {
	name   string
	values func(view.Component) []string
}

func serverProperties() []serverProperty {
	one := func(value func(view.Component) view.Text) func(view.Component) []string {
		return func(c view.Component) []string { return []string{value(c).Plain()} }
	}
	return []serverProperty{
		{"name", one(func(c view.Component) view.Text { return c.Server.Name() })},
		{"path", one(func(c view.Component) view.Text { return bomPlace(c.Server.Place()) })},
		{"client", func(c view.Component) []string { return clientIDs(c.Server) }},
		{"selector", func(c view.Component) []string { return plain(c.Identity.Selector()) }},
		{"requested", one(func(c view.Component) view.Text { return c.Requested })},
		{"transport", one(func(c view.Component) view.Text { return c.Identity.Transport() })},
		{"launcher", one(func(c view.Component) view.Text { return c.Identity.Launcher() })},
		{"bridge", one(func(c view.Component) view.Text { return c.Identity.Bridge() })},
		{"lock", one(func(c view.Component) view.Text {
			lock, ok := c.Server.Lock()
			if !ok {
				return view.Text{}
			}
			return bomPlace(lock.Place)
		})},
	}
}

// bomPlace returns path:line from the root.
func bomPlace(p view.Place) view.Text {
	return view.NewText(fmt.Sprintf("%s:%d", p.Path().FromRoot().Plain(), p.Line()))
}
