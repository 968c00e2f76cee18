package mcp

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Wanted is a question to a registry: all of a package or an image, or one version of it.
type Wanted struct {
	Kind identity.Kind
	Name string
	// Version is the one version, or the tag of an image; "" asks for all versions with
	// the times at which they were published.
	Version string
}

// Registries are what registries say of the packages of a repository.
type Registries struct {
	// Packages has the answer to each question; without an answer there is no key.
	Packages map[Wanted]*Published
	// Servers are what the MCP registry says of servers by their names there, in their
	// newest versions.
	Servers map[string]*Published
	// Tools are what registries of tools say of the locked ones.
	Tools map[WantedTool]*PublishedTool
	// Advisories are the identifiers of what OSV knows about exact versions.
	Advisories map[Wanted][]string
	// Settled is the last moment at which a release was published that is old enough to
	// be taken.
	Settled time.Time
}

// WantedOf returns the question about a package that a server is started with, false if a registry
// cannot know it: an image without an owner is a local build, a digest is a hash already, and if
// the launch names its own registry, other registries do not know the package.
func WantedOf(pkg identity.Fetched) (w Wanted, ok bool) {
	w = Wanted{Kind: pkg.Kind, Name: pkg.Name}
	if _, found := secret.NextReference(pkg.Name+pkg.Version.Text, 0); found {
		return w, false // something else decides which
	}
	if len(secret.Find(pkg.Name)) > 0 {
		return w, false // no other registry gets it
	}
	switch pkg.Kind {
	case identity.NPM, identity.PyPI, identity.NuGet:
		if pkg.Version.Kind == identity.Exact {
			w.Version = pkg.Version.Release()
		}
		return w, !pkg.NamesSource
	case identity.OCI:
		w.Version = cmp.Or(pkg.Version.Text, "latest")
		return w, pkg.Version.Kind != identity.Exact && !IsLocalImage(pkg.Name)
	}
	return w, false
}

// IsRegistryName reports whether the MCP registry may have a server of that name: it has
// a namespace, one slash and a name of letters, digits, dots, hyphens and underscores.
func IsRegistryName(name string) bool {
	namespace, rest, _ := strings.Cut(name, "/")
	return (&Naming{Others: ".-"}).Takes(namespace) && (&Naming{Others: "._-"}).Takes(rest) && len(secret.Find(name)) == 0
}

// IsNamespace reports whether a text can be the part before the slash of such a name: one
// in reverse-DNS form, of at least two parts.
func IsNamespace(text string) bool {
	first, last := strings.Trim(text[:min(len(text), 1)], ".-"), strings.Trim(text[max(len(text)-1, 0):], ".-")
	return strings.Contains(text, ".") && first != "" && last != "" && IsRegistryName(text+"/x")
}

// IsLocalImage reports whether an image cannot be one that a registry serves: one that
// belongs to this machine, and one without an owner. The images that Docker Hub has
// without an owner hold systems and languages, no servers, so that such a name is the
// tag of a local build.
func IsLocalImage(name string) bool {
	return strings.HasPrefix(name, "docker.io/library/") || strings.HasPrefix(name, "localhost/")
}

// Of returns what its registry says about a package, nil if none was asked or none answered.
func (r *Registries) Of(pkg identity.Fetched) *Published {
	if r == nil {
		return nil
	}
	w, ok := WantedOf(pkg)
	if !ok {
		return nil
	}
	return r.Packages[w]
}

// Published is what a registry says of a package or an image.
type Published struct {
	// Registry is the host that was asked, with its port if that is not the default.
	Registry string
	// Name is the package as its owner writes it, if its registry ignores case; "" if that is the
	// name in the question.
	Name string
	// IsUnknown reports that the registry has no package of that name.
	IsUnknown bool
	// Releases are those that were asked for, in the order of the registry.
	Releases []Release
	// IsWhole reports that Releases are all that there are: what is not among them
	// does not exist.
	IsWhole bool
	// Latest is the version that a launcher takes if the launch names none, "" if the registry does
	// not say.
	Latest string
	// Tags are the versions of the tags of an npm package; nil if the registry does not say.
	Tags map[string]string
}

// Release is one version of a package, or the image of a tag.
type Release struct {
	// Version is the version as the registry writes it, the tag of an image.
	Version string
	// At is when it was published, zero where the registry does not say.
	At time.Time
	// Hashes hold what is fetched, as the registry gives them: one in the form of
	// Subresource Integrity for a package of npm or NuGet ("sha512-" and base64), one
	// "sha256:" and hex for each file of a package of PyPI, sorted, and the digest of an
	// image, of its index where it has several platforms.
	Hashes []string
	// Weak hold it by algorithms that can be forged ("sha1:" and hex): enough to see that
	// something else is locked.
	Weak []string
	// IsWithdrawn reports that it should no longer be used: deprecated (npm, NuGet), yanked (PyPI).
	// Reason is what its owner says about it, "" for nothing.
	IsWithdrawn bool
	Reason      string
}

// Release returns the release of a version, nil if there is none.
func (p *Published) Release(version string) *Release {
	i := slices.IndexFunc(p.Releases, func(r Release) bool { return r.Version == version })
	if i < 0 {
		return nil
	}
	return &p.Releases[i]
}

// WantedTool is a question to a registry of tools: one locked tool.
type WantedTool struct {
	// Cloud is the address that the project's own file names, "" where none does.
	Cloud string
	// Name is the tool's full name without the hash at its end, Hash that hash, and
	// Integrity what was locked; "" for none.
	Name, Hash, Integrity string
}

// PublishedTool is what a registry of tools says of one.
type PublishedTool struct {
	// Registry is the host that was asked, as in Published.
	Registry string
	// IsUnknown reports that the registry has no tool of that name.
	IsUnknown bool
	// Hash are the four digits at the end of the tool's full name today, Integrity its whole hash
	// in any form; "" if the registry does not say.
	Hash, Integrity string
}

// Cloud returns the address that a project's tool talks to, "" where none of its files
// says.
func (p *Project) Cloud() string {
	for _, d := range p.Documents {
		if d.Role == InUse && d.Cloud.Text != "" {
			return d.Cloud.Text
		}
	}
	return ""
}

// WantedToolOf returns the question about a locked tool at a URL, false if its full name cannot be
// one, or its key is that of another tool.
func WantedToolOf(cloud string, entry *LockEntry) (w WantedTool, ok bool) {
	w = WantedTool{Cloud: cloud, Name: entry.Tools.FullName, Hash: entry.Tools.NameHash.Text}
	parts := strings.Split(w.Name, ".")
	for _, part := range parts {
		ok = IsToolPart(part)
		if !ok {
			break
		}
	}
	isOther := entry.Name != w.Name && entry.Name != w.Name+"."+w.Hash
	if !ok || len(parts) != 4 || isOther || w.Hash != "" && !IsToolHash(w.Hash) {
		return w, false
	}
	if text := entry.Pin.Integrity.Text; len(text) <= maxIntegrity && (&Naming{Others: ":+/=_-"}).Takes(text) {
		w.Integrity = text
	}
	return w, true
}

// maxIntegrity is the length of the longest hash that is sent back to its source.
const maxIntegrity = 200

// IsToolPart reports whether a text is a part of the full name of a tool of Casys PML: a
// letter or underscore, then letters, digits, underscores and hyphens
// (src/capabilities/fqdn.ts).
func IsToolPart(part string) bool {
	if part == "" || part[0] == '-' || '0' <= part[0] && part[0] <= '9' {
		return false
	}
	return (&Naming{Others: "_-"}).Takes(part)
}

// IsToolHash reports whether a text is the hash at the end of such a name: four
// hexadecimal digits in lower case.
func IsToolHash(hash string) bool {
	return len(hash) == 4 && strings.Trim(hash, "0123456789abcdef") == ""
}
