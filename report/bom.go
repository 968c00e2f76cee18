package report

// A bill of materials in JSON, as far as it is written here (CycloneDX 1.6,
// https://cyclonedx.org/docs/1.6/json/). The library of CycloneDX makes the program 0.3 MB
// bigger: its types read and write XML, too. scripts/list holds what is
// written against the schema.

type bill struct {
	Schema      string         `json:"$schema"`
	Format      string         `json:"bomFormat"`
	SpecVersion string         `json:"specVersion"`
	Version     int            `json:"version"`
	Metadata    bomMetadata    `json:"metadata"`
	Components  []bomComponent `json:"components"`
	Services    []bomService   `json:"services"`
}

type bomMetadata struct {
	Tools bomTools `json:"tools"`
}

type bomTools struct {
	Components []bomComponent `json:"components"`
}

// The types of components.
const (
	bomApplication = "application"
	bomContainer   = "container"
)

type bomComponent struct {
	Ref        string         `json:"bom-ref,omitempty"`
	Type       string         `json:"type"`
	Group      string         `json:"group,omitempty"`
	Name       string         `json:"name"`
	Version    string         `json:"version,omitempty"`
	Hashes     []bomHash      `json:"hashes,omitempty"`
	PackageURL string         `json:"purl,omitempty"`
	References []bomReference `json:"externalReferences,omitempty"`
	Properties []bomProperty  `json:"properties,omitempty"`
	Evidence   *bomEvidence   `json:"evidence,omitempty"`
}

type bomService struct {
	Ref        string         `json:"bom-ref"`
	Name       string         `json:"name"`
	Endpoints  []string       `json:"endpoints,omitempty"`
	References []bomReference `json:"externalReferences,omitempty"`
	Properties []bomProperty  `json:"properties"`
}

type bomHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type bomReference struct {
	URL  string `json:"url"`
	Type string `json:"type"`
}

type bomProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type bomEvidence struct {
	Occurrences []bomOccurrence `json:"occurrences"`
}

type bomOccurrence struct {
	Location string `json:"location,omitempty"`
	Line     int    `json:"line"`
	Symbol   string `json:"symbol,omitempty"`
}
