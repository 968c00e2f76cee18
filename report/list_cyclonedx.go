package report

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/view"
)

// bomSchema is the schema of CycloneDX 1.6: the newest version that the
// programs which read one widely know.
const bomSchema = "http://cyclonedx.org/schema/bom-1.6.schema.json"

// listCycloneDX writes a bill of materials: every package, image and program
// that is a server or the bridge to one is a component, every URL a service. It
// has no serial number and no date, so that the same tree gives the same bytes.
func listCycloneDX(w io.Writer, v *view.View) error {
	components, services := []bomComponent{}, []bomService{}
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
	return encodeJSON(w, &bill{
		Schema: bomSchema, Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata:   bomMetadata{bomTools{[]bomComponent{{Type: bomApplication, Name: v.Tool.Name, Version: v.Tool.Version}}}},
		Components: components, Services: services,
	})
}

// bomPart is one component or service of the bill: what is the same for several
// servers, once for each.
type bomPart []view.Component

// component returns the part as a component.
func (p bomPart) component(ref string) bomComponent {
	id := p[0].Identity
	c := bomComponent{
		Ref: ref, Type: bomApplication,
		Name: id.Name().Plain(), Version: id.Version().Plain(),
		PackageURL: id.Purl().Plain(),
		Properties: p.properties(),
		Evidence:   &bomEvidence{p.occurrences()},
	}
	if group, name, ok := strings.Cut(c.Name, "/"); ok && id.IsNPM() {
		c.Group, c.Name = group, name
	}
	if id.IsContainer() {
		c.Type = bomContainer
	}
	c.Hashes, c.References = p.hashes(), p.repositories()
	return c
}

// service returns the part as a service that is reached over the network.
func (p bomPart) service(ref string) bomService {
	address := p[0].Identity.Name().Plain()
	s := bomService{Ref: ref, Name: address, Properties: p.properties(), References: p.repositories()}
	if endpoint := plainURL(address); endpoint != "" {
		s.Endpoints = []string{endpoint}
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
func (p bomPart) hashes() []bomHash {
	var hashes distinct[bomHash]
	for _, c := range p {
		algorithm, digest := c.Hash()
		if digest == "" {
			continue
		}
		// "sha512" is "SHA-512" in CycloneDX.
		hashes.add(bomHash{Algorithm: "SHA-" + strings.TrimPrefix(algorithm, "sha"), Content: digest})
	}
	return hashes.list
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

// repositories returns the source repositories that are known, nil for none.
func (p bomPart) repositories() []bomReference {
	var urls distinct[string]
	for _, c := range p {
		if repository := plainURL(c.Server.Repository().Plain()); repository != "" {
			urls.add(repository)
		}
	}
	var references []bomReference
	for _, repository := range urls.list {
		references = append(references, bomReference{URL: repository, Type: "vcs"})
	}
	return references
}

// occurrences returns the places where the part is configured.
func (p bomPart) occurrences() []bomOccurrence {
	occurrences := make([]bomOccurrence, len(p))
	for i, c := range p {
		place := c.Server.Place()
		occurrences[i] = bomOccurrence{Location: place.Path().FromRoot().Plain(), Line: place.Line(), Symbol: c.Server.Name().Plain()}
	}
	return occurrences
}

// properties returns what CycloneDX has no field for. A name comes once for
// every value, in the order of the repository.
func (p bomPart) properties() []bomProperty {
	var properties distinct[bomProperty]
	add := func(name, value string) {
		if value != "" {
			properties.add(bomProperty{Name: "mcplumb:" + name, Value: value})
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
	return properties.list
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
