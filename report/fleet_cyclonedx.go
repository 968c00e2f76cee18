package report

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/view"
)

// fleetCycloneDX writes a bill of materials of all repositories: every package, image and
// program that is a server is a component, once for each version, every URL a service. The
// places are those of the servers, each path behind the name of its repository.
func fleetCycloneDX(w io.Writer, f *fleet.Fleet, tool view.Tool) error {
	parts := map[string][]fleet.Place{}
	for _, r := range f.Repositories {
		for i := range r.Servers {
			if s := &r.Servers[i]; s.Identity != "" {
				ref := strings.ToValidUTF8(s.Identity, "\ufffd")
				if version := s.Pinned(); version != "" {
					ref += "@" + strings.ToValidUTF8(version, "\ufffd")
				}
				parts[ref] = append(parts[ref], fleet.Place{Record: r, Server: s})
			}
		}
	}
	refs := slices.Sorted(maps.Keys(parts))
	out := bufio.NewWriter(w)
	j := &jsonLines{out: visibleWriter{out}}
	j.field("$schema", bomSchema)
	j.field("bomFormat", cyclonedx.BOMFormat)
	j.field("specVersion", cyclonedx.SpecVersion1_6)
	j.field("version", 1)
	j.field("metadata", bomMetadata(tool))
	add, end := j.list("components")
	for _, ref := range refs {
		if places := parts[ref]; places[0].Server.Kind != "url" {
			add(fleetComponent(ref, places))
		}
	}
	end()
	add, end = j.list("services")
	for _, ref := range refs {
		if places := parts[ref]; places[0].Server.Kind == "url" {
			add(fleetService(ref, places))
		}
	}
	end()
	if err := j.end(); err != nil {
		return err
	}
	return out.Flush()
}

func fleetComponent(ref string, places []fleet.Place) cyclonedx.Component {
	s := places[0].Server
	properties := fleetProperties(places)
	c := cyclonedx.Component{
		BOMRef: ref, Type: cyclonedx.ComponentTypeApplication, Name: strings.TrimPrefix(s.Identity, s.Kind+":"), Version: s.Pinned(),
		Properties: &properties,
	}
	// A purl without a version is of another thing than one that is locked at some.
	if strings.Contains(s.Purl, "@") == (c.Version != "") || s.Kind == "oci" {
		c.PackageURL = s.Purl
	}
	if group, name, ok := strings.Cut(c.Name, "/"); ok && s.Kind == "npm" {
		c.Group, c.Name = group, name
	}
	if s.Kind == "oci" || s.Kind == "container" {
		c.Type = cyclonedx.ComponentTypeContainer
	}
	occurrences := make([]cyclonedx.EvidenceOccurrence, len(places))
	for i, p := range places {
		occurrences[i] = cyclonedx.EvidenceOccurrence{Location: fleetPath(p), Line: &p.Server.Line, Symbol: p.Server.Name}
	}
	c.Evidence = &cyclonedx.Evidence{Occurrences: &occurrences}
	return c
}

func fleetService(ref string, places []fleet.Place) cyclonedx.Service {
	properties := fleetProperties(places)
	for _, p := range places { // a service has no evidence
		properties = append(properties, cyclonedx.Property{Name: "mcplumb:path", Value: fleetPath(p)})
	}
	address := strings.TrimPrefix(places[0].Server.Identity, "url:")
	return cyclonedx.Service{BOMRef: ref, Name: address, Endpoints: endpoints(address), Properties: &properties}
}

// fleetPath returns where a server is configured, with its repository.
func fleetPath(p fleet.Place) string { return p.Record.Repository + "/" + p.Server.Path }

// fleetProperties returns what CycloneDX has no field for, each value once.
func fleetProperties(places []fleet.Place) []cyclonedx.Property {
	var properties distinct[cyclonedx.Property]
	properties.add(cyclonedx.Property{Name: "mcplumb:identity", Value: places[0].Server.Identity})
	isOff := true
	for _, p := range places {
		s := p.Server
		if s.Name != "" {
			properties.add(cyclonedx.Property{Name: "mcplumb:name", Value: s.Name})
		}
		for _, client := range s.Clients {
			properties.add(cyclonedx.Property{Name: "mcplumb:client", Value: client})
		}
		if s.Version != "" && s.Version != s.Pinned() {
			properties.add(cyclonedx.Property{Name: "mcplumb:requested", Value: s.Version})
		}
		properties.add(cyclonedx.Property{Name: "mcplumb:repository", Value: p.Record.Repository})
		isOff = isOff && s.Disabled
	}
	if isOff {
		properties.add(cyclonedx.Property{Name: "mcplumb:disabled", Value: "true"})
	}
	return properties.list
}
