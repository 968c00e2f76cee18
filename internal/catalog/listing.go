package catalog

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// schemaOfServer is the form in which the MCP registry has servers.
const schemaOfServer = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// listing is a version of a server in the MCP registry (openapi.yaml of its server,
// v1.8.7, ServerResponse).
type listing struct {
	Server serverDetail `json:"server"`
	Meta   listingMeta  `json:"_meta"`

	of *Server
}

type listingMeta struct {
	Official official `json:"io.modelcontextprotocol.registry/official"`
}

type official struct {
	Status          string    `json:"status"`
	StatusChangedAt time.Time `json:"statusChangedAt"`
	PublishedAt     time.Time `json:"publishedAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
	IsLatest        bool      `json:"isLatest"`
}

// serverDetail is what server.schema.json describes.
type serverDetail struct {
	Schema      string         `json:"$schema"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Title       string         `json:"title,omitempty"`
	Repository  *repository    `json:"repository,omitempty"`
	Version     string         `json:"version"`
	Packages    []pkg          `json:"packages,omitempty"`
	Remotes     []remote       `json:"remotes,omitempty"`
	Meta        *publisherMeta `json:"_meta,omitempty"`
}

type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type pkg struct {
	RegistryType string     `json:"registryType"`
	Base         string     `json:"registryBaseUrl,omitempty"`
	Identifier   string     `json:"identifier"`
	Version      string     `json:"version,omitempty"`
	RuntimeHint  string     `json:"runtimeHint,omitempty"`
	Runtime      []argument `json:"runtimeArguments,omitempty"`
	Transport    transport  `json:"transport"`
	Arguments    []argument `json:"packageArguments,omitempty"`
	Environment  []input    `json:"environmentVariables,omitempty"`
}

type transport struct {
	Type string `json:"type"`
}

type argument struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// input is a variable or a header, by its name alone.
type input struct {
	Name       string `json:"name"`
	IsRequired bool   `json:"isRequired"`
	IsSecret   bool   `json:"isSecret,omitempty"`
}

type remote struct {
	Type      string              `json:"type"`
	URL       string              `json:"url"`
	Headers   []input             `json:"headers,omitempty"`
	Variables map[string]variable `json:"variables,omitempty"`
}

type variable struct {
	IsRequired bool `json:"isRequired"`
	IsSecret   bool `json:"isSecret,omitempty"`
}

// publisherMeta says what a server is compared with, for clients of the catalog.
type publisherMeta struct {
	Provided provided `json:"io.modelcontextprotocol.registry/publisher-provided"`
}

type provided struct {
	Identity  string   `json:"identity"`
	Selector  []string `json:"selector,omitempty"`
	Version   string   `json:"version,omitempty"`
	Integrity string   `json:"integrity"`
	// Launches is missing if no entry loads anything else.
	Launches      []string `json:"launches,omitempty"`
	OtherRegistry bool     `json:"otherRegistry,omitempty"`
}

// maxMeta is what a publisher may add, in bytes of JSON (official-registry-requirements.md).
const maxMeta = 4096

// list adds a version of a server to those of the MCP registry.
func (c *Catalog) list(s *Server, isLatest bool) {
	l := &listing{of: s, Server: s.detail(), Meta: listingMeta{official{
		Status: "active", StatusChangedAt: c.at, PublishedAt: c.at, UpdatedAt: c.at, IsLatest: isLatest,
	}}}
	c.listed = append(c.listed, l)
	c.byName[s.registered] = append(c.byName[s.registered], l)
}

// sortListed brings the servers into the order of the MCP registry: by name, then by
// version as text; those of one name the newest first.
func (c *Catalog) sortListed() {
	for _, versions := range c.byName {
		slices.SortFunc(versions, func(a, b *listing) int { return compareVersions(b.of, a.of) })
	}
	slices.SortFunc(c.listed, func(a, b *listing) int {
		return cmp.Or(strings.Compare(a.Server.Name, b.Server.Name), strings.Compare(a.Server.Version, b.Server.Version))
	})
}

// detail returns a server in the form of the MCP registry. One that it has no word for, as
// a program of the repository, has neither packages nor remotes.
func (s *Server) detail() serverDetail {
	d := serverDetail{
		Schema: schemaOfServer, Name: s.registered, Description: s.description(), Title: shortened(s.Name),
		Version: s.registeredVersion(), Repository: repositoryOf(s.Repository),
	}
	if s.Type == HTTP {
		d.Remotes = s.remotes()
	} else {
		d.Packages = s.packages()
	}
	meta := publisherMeta{provided{s.Identity(), s.Selector, s.Version, s.integrity(), s.Launches, s.NamesSource}}
	if len(encode(meta)) <= maxMeta {
		d.Meta = &meta
	}
	return d
}

// maxText is how long titles and descriptions may be, in characters.
const maxText = 100

// integrity returns the hash of a server as the lockfile has it.
func (s *Server) integrity() string { return cmp.Or(s.Integrity, s.Locked) }

// description returns the description of a server, or else what it runs.
func (s *Server) description() string {
	switch {
	case s.Description != "":
		return shortened(s.Description)
	case s.Type == Deno:
		return s.Name
	}
	words := append([]string{s.Identity()}, s.Selector...)
	if s.Version != "" {
		words = append(words, s.Version)
	}
	return shortened(strings.Join(words, " "))
}

// shortened returns the beginning of a text that is too long.
func shortened(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if utf8.RuneCountInString(text) <= maxText {
		return text
	}
	return string([]rune(text)[:maxText-1]) + "…"
}

// registeredVersion returns the version in the MCP registry. If the registry would not accept
// its own, the version is one that changes with the hash.
func (s *Server) registeredVersion() string {
	if isRegisteredVersion(s.Version) {
		return s.Version
	}
	_, digits, _ := strings.Cut(s.hash, "-")
	return "1.0.0+" + digits[:min(len(digits), 8)]
}

// isRegisteredVersion reports whether the MCP registry takes a version: one of at most 255
// characters that is no range, no digest and not "latest". It is a name of a file, too.
func isRegisteredVersion(version string) bool {
	isWildcard := func(part string) bool { return part == "x" || part == "X" }
	return version != "latest" && version != indexName && len(version) <= 255 && (&mcp.Naming{Others: ".+_!-"}).Takes(version) &&
		ascii.IsAlphanumeric(version[0]) && !slices.ContainsFunc(strings.Split(version, "."), isWildcard)
}

// packages returns how a client installs a server, nothing for what the MCP registry does
// not know.
func (s *Server) packages() []pkg {
	if s.IsPartlySaid {
		return nil // installing only what the format can express would run something else
	}
	p := pkg{Identifier: s.Package, Version: s.Version, Transport: transport{"stdio"}, Environment: inputs(s.Environment)}
	switch s.Kind {
	case identity.NPM:
		p.RegistryType, p.RuntimeHint = "npm", "npx"
	case identity.PyPI:
		p.RegistryType, p.RuntimeHint = "pypi", "uvx"
	case identity.NuGet:
		p.RegistryType, p.RuntimeHint = "nuget", "dnx"
	case identity.OCI:
		p.RegistryType, p.RuntimeHint, p.Version = "oci", "docker", ""
		p.Identifier = s.image()
	default:
		return nil
	}
	p.Base, p.Runtime, p.Arguments = s.Runtime.Base, positional(s.Runtime.Args), positional(s.Own)
	return []pkg{p}
}

// positional returns words that are written as they are.
func positional(words []string) []argument {
	var all []argument
	for _, word := range words {
		all = append(all, argument{"positional", word})
	}
	return all
}

// image returns an image with its tag and its digest.
func (s *Server) image() string {
	name := s.Package
	if s.Version != "" && !strings.Contains(s.Version, ":") {
		name += ":" + s.Version
	}
	return name + "@" + strings.Replace(s.Locked, "-", ":", 1)
}

// remotes returns how a client reaches a server, nothing for what the MCP registry does
// not know.
func (s *Server) remotes() []remote {
	r := remote{Type: "streamable-http", Headers: inputs(s.Headers)}
	r.URL, r.Variables = addressTemplate(s.Address)
	switch {
	case !ascii.HasPrefixFold(r.URL, "http://") && !ascii.HasPrefixFold(r.URL, "https://") || strings.ContainsAny(r.URL, " \t\r\n"):
		return nil
	case s.Transport == "sse", s.Transport == "" && strings.HasSuffix(r.URL, "/sse"):
		r.Type = "sse"
	case s.Transport != "" && s.Transport != "http":
		return nil
	}
	return []remote{r}
}

// addressTemplate returns an address as the MCP registry writes it: a variable is its name in
// braces.
func addressTemplate(address string) (string, map[string]variable) {
	var b strings.Builder
	variables := map[string]variable{}
	last := 0
	for {
		ref, found := secret.NextReference(address, last)
		if !found {
			break
		}
		name := "V" + strings.ReplaceAll(folded(ref.Name, "_"), "-", "_")
		if len(name) > 1 && !ascii.IsDigit(name[1]) {
			name = name[1:]
		}
		b.WriteString(address[last:ref.Start] + "{" + name + "}")
		variables[name] = variable{IsRequired: ref.Default == "", IsSecret: secret.IsSecretName(ref.Name)}
		last = ref.End
	}
	return b.String() + address[last:], variables
}

// inputs returns variables or headers that the user must fill in.
func inputs(names []string) []input {
	var all []input
	for _, name := range names {
		all = append(all, input{Name: name, IsRequired: true, IsSecret: secret.IsSecretName(name)})
	}
	return all
}

// repositoryOf returns where the source of a server is, as the MCP registry has it, nil
// where that is not on a host that it knows.
func repositoryOf(address string) *repository {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil || u.RawQuery+u.Fragment != "" || strings.Count(strings.Trim(u.Path, "/"), "/") != 1 {
		return nil
	}
	switch u.Host {
	case "github.com":
		return &repository{address, "github"}
	case "gitlab.com":
		return &repository{address, "gitlab"}
	}
	return nil
}
