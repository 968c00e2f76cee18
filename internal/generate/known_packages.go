package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// knownSource is the file that people write, knownTable the one built into the program.
const (
	knownSource = "checks/known_packages.yaml"
	knownTable  = "internal/reputation/known_packages.json"
)

// knownPackages are the facts about packages, other than their advisories.
type knownPackages struct {
	Scopes []struct {
		Ecosystem string   `yaml:"ecosystem" json:"ecosystem"`
		Name      string   `yaml:"name" json:"name"`
		Begins    string   `yaml:"begins" json:"begins,omitempty"`
		LookedUp  string   `yaml:"looked_up" json:"looked_up"`
		Sources   []string `yaml:"sources" json:"-"`
		Packages  []string `yaml:"packages" json:"packages"`
	} `yaml:"scopes" json:"scopes"`
	Missing []struct {
		Ecosystem string `yaml:"ecosystem" json:"ecosystem"`
		Name      string `yaml:"name" json:"name"`
		LookedUp  string `yaml:"looked_up" json:"looked_up"`
		Instead   string `yaml:"instead" json:"instead"`
	} `yaml:"missing" json:"missing"`
	Archived []struct {
		Ecosystem  string `yaml:"ecosystem" json:"ecosystem"`
		Name       string `yaml:"name" json:"name"`
		Since      string `yaml:"since" json:"since"`
		Source     string `yaml:"source" json:"-"`
		Instead    string `yaml:"instead" json:"instead,omitempty"`
		Hole       string `yaml:"hole" json:"hole,omitempty"`
		HoleSource string `yaml:"hole_source" json:"hole_source,omitempty"`
		Until      string `yaml:"until" json:"until,omitempty"`
	} `yaml:"archived" json:"archived"`
}

// knownPackageTable returns the table of known packages, made from its source.
func knownPackageTable() (string, error) {
	source, err := os.ReadFile(knownSource)
	if err != nil {
		return "", err
	}
	known, err := parseKnownPackages(source)
	if err != nil {
		return "", fmt.Errorf("%s: %w", knownSource, err)
	}
	table, err := json.MarshalIndent(known, "", " ")
	return string(table) + "\n", err
}

// parseKnownPackages reads the source. Every fact has its day and its package a
// registry, and no package is there twice.
func parseKnownPackages(source []byte) (*knownPackages, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	decoder.KnownFields(true)
	known := new(knownPackages)
	if err := decoder.Decode(known); err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(any)); err != io.EOF {
		return nil, fmt.Errorf("something follows")
	}
	seen := map[string]bool{}
	check := func(list, ecosystem, name, day string) error {
		key := list + " " + ecosystem + " " + name
		if seen[key] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[key] = true
		if identity.Ecosystem(ecosystem) == identity.None {
			return fmt.Errorf("%s: unknown ecosystem %q", name, ecosystem)
		}
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return fmt.Errorf("%s: %q is no day", name, day)
		}
		return nil
	}
	for _, s := range known.Scopes {
		if err := check("scope", s.Ecosystem, s.Name, s.LookedUp); err != nil {
			return nil, err
		}
		for _, name := range s.Packages {
			if err := check("package", s.Ecosystem, s.Name+"/"+name, s.LookedUp); err != nil {
				return nil, err
			}
		}
	}
	for _, m := range known.Missing {
		if err := check("package", m.Ecosystem, m.Name, m.LookedUp); err != nil {
			return nil, err
		}
	}
	for _, a := range known.Archived {
		if err := check("archived", a.Ecosystem, a.Name, a.Since); err != nil {
			return nil, err
		}
	}
	return known, nil
}
