package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// advisorySource is the file that people write, advisoryTable the one built into the
// program.
const (
	advisorySource = "checks/advisories.yaml"
	advisoryTable  = "internal/reputation/advisories.json"
)

// schemaVersion is the version of the OSV schema whose words the table uses.
const schemaVersion = "1.7.0"

// advisory is one record of the OSV schema, as far as the table has it.
type advisory struct {
	SchemaVersion string      `yaml:"-" json:"schema_version"`
	ID            string      `yaml:"id" json:"id"`
	Modified      string      `yaml:"modified" json:"modified"`
	Aliases       []string    `yaml:"aliases" json:"aliases,omitempty"`
	Summary       string      `yaml:"summary" json:"summary"`
	Affected      []affected  `yaml:"affected" json:"affected"`
	References    []reference `yaml:"references" json:"references"`
	// Severity is a word, because OSV's own field accepts only scores.
	Severity string    `yaml:"severity" json:"-"`
	OnlyWith []string  `yaml:"only_with" json:"-"`
	Specific *specific `yaml:"-" json:"database_specific,omitempty"`
}

// specific has the members that OSV does not define.
type specific struct {
	Severity string   `json:"severity,omitempty"`
	OnlyWith []string `json:"only_with,omitempty"`
}

// severities are the levels of GitHub's advisories.
var severities = []string{"critical", "high", "medium", "low"}

type affected struct {
	Package  osvPackage `yaml:"package" json:"package"`
	Ranges   []osvRange `yaml:"ranges" json:"ranges,omitempty"`
	Versions []string   `yaml:"versions" json:"versions,omitempty"`
}

type osvPackage struct {
	Ecosystem string `yaml:"ecosystem" json:"ecosystem"`
	Name      string `yaml:"name" json:"name"`
	Purl      string `yaml:"-" json:"purl"`
}

type osvRange struct {
	Type   string     `yaml:"type" json:"type"`
	Events []osvEvent `yaml:"events" json:"events"`
}

// osvEvent has exactly one member.
type osvEvent struct {
	Introduced   string `yaml:"introduced" json:"introduced,omitempty"`
	Fixed        string `yaml:"fixed" json:"fixed,omitempty"`
	LastAffected string `yaml:"last_affected" json:"last_affected,omitempty"`
}

type reference struct {
	Type string `yaml:"type" json:"type"`
	URL  string `yaml:"url" json:"url"`
}

// advisories returns the table of advisories in OSV form, one a line, made from
// its source.
func advisories() (string, error) {
	source, err := os.ReadFile(advisorySource)
	if err != nil {
		return "", err
	}
	records, err := parseAdvisories(source)
	if err != nil {
		return "", fmt.Errorf("%s: %w", advisorySource, err)
	}
	var b bytes.Buffer
	for i, record := range records {
		line, err := json.Marshal(record)
		if err != nil {
			return "", err
		}
		b.WriteString([]string{"[\n", ",\n"}[min(i, 1)])
		b.Write(line)
	}
	b.WriteString("\n]\n")
	return b.String(), nil
}

// parseAdvisories reads the source and adds the members that follow from it.
func parseAdvisories(source []byte) ([]advisory, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	decoder.KnownFields(true)
	var records []advisory
	if err := decoder.Decode(&records); err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(any)); err != io.EOF {
		return nil, fmt.Errorf("something follows the list")
	}
	var ids []string
	for i := range records {
		record := &records[i]
		if slices.Contains(ids, record.ID) {
			return nil, fmt.Errorf("%s is there twice", record.ID)
		}
		ids = append(ids, record.ID)
		record.SchemaVersion = schemaVersion
		record.Modified += "T00:00:00Z"
		if record.Severity != "" {
			if !slices.Contains(severities, record.Severity) {
				return nil, fmt.Errorf("%s: unknown severity %q", record.ID, record.Severity)
			}
		}
		if record.Severity != "" || len(record.OnlyWith) > 0 {
			record.Specific = &specific{strings.ToUpper(record.Severity), record.OnlyWith}
		}
		for j := range record.Affected {
			p := &record.Affected[j].Package
			p.Purl = identity.Purl(&identity.Identity{Kind: identity.Ecosystem(p.Ecosystem), Name: p.Name})
			if p.Purl == "" {
				return nil, fmt.Errorf("%s: unknown ecosystem %q", record.ID, p.Ecosystem)
			}
		}
	}
	return records, nil
}
