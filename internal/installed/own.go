package installed

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// own notes which packages and images that entries fetch without an exact version the
// repository itself publishes.
func (m *maker) own(ctx context.Context, p *mcp.Project) {
	for _, d := range p.Documents {
		if d.Role == mcp.Fixture || d.Scope == mcp.ScopeRegistry {
			continue
		}
		for _, s := range d.Servers {
			for pkg := range s.Identity.Packages() {
				key := pkg.String()
				if _, known := p.Facts.Own[key]; known || pkg.Version.Kind == identity.Exact {
					continue
				}
				if p.Facts.Own == nil {
					p.Facts.Own = map[string]bool{}
				}
				p.Facts.Own[key] = m.published[key] || m.makes(ctx, pkg) || pkg.Kind == identity.OCI && m.self().isImage(pkg.Name)
			}
		}
	}
}

// publishedIn returns the packages and images that the manifests of the MCP registry in a
// repository publish.
func publishedIn(repo *mcp.Repo) map[string]bool {
	published := map[string]bool{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if !d.Publishes || d.Manifest == nil || d.Role != mcp.InUse {
				continue
			}
			for _, pkg := range d.Manifest.Packages {
				published[mcp.PackageKey(pkg.Kind, pkg.Name)] = true
			}
		}
	}
	return published
}

// makes reports whether a directory of the repository makes a package and does not keep
// it to itself. Installed packages and test data are not the repository's own.
func (m *maker) makes(ctx context.Context, pkg identity.Fetched) bool {
	file := fileOf(pkg.Kind)
	if file == "" {
		return false
	}
	dirs := m.names()[mcp.PackageKey(pkg.Kind, pkg.Name)]
	return len(dirs) <= maxOfOneName && slices.ContainsFunc(dirs, func(dir string) bool {
		p := m.at(ctx, path.Join(dir, file))
		return p != nil && !p.Private && isOwnPath(p.File.Path)
	})
}

// isOwnPath reports whether a manifest is neither of an installed package nor test data.
func isOwnPath(file string) bool {
	return format.RoleOf(file) != mcp.Fixture && !slices.ContainsFunc(strings.Split(file, "/"), func(part string) bool {
		return part == "node_modules" || part == "vendor" || part == "site-packages"
	})
}

// self is what the root of a repository says of itself.
type self struct {
	// address is owner/name where its source is, "" where nothing says.
	address string
	// names are those of the project; makesImage reports that an image is built at
	// the root.
	names      []string
	makesImage bool
}

// isImage reports whether an image is the repository's own: its path in the registry is that of the
// repository at its host, or it has the name of the project that builds one.
func (s *self) isImage(name string) bool {
	parts := strings.Split(strings.ToLower(name), "/")
	if len(parts) < 2 {
		return false
	}
	last := parts[len(parts)-1]
	return s.address != "" && s.address == parts[len(parts)-2]+"/"+last || s.makesImage && slices.Contains(s.names, last)
}

// readSelf reads what the root of the repository says of itself: its manifests, and the
// title of its README.
func (m *maker) readSelf(ctx context.Context) *self {
	s := &self{}
	for _, file := range []string{"Dockerfile", "Containerfile"} {
		_, err := m.tree.Stat(ctx, file)
		s.makesImage = s.makesImage || err == nil
	}
	for _, file := range packageFiles {
		_, root := m.parse(ctx, file)
		if root == nil {
			continue
		}
		p := nameIn(file, root)
		s.add(p.Name[strings.LastIndexByte(p.Name, '/')+1:])
		for _, source := range []*syntax.Node{root.Get("repository"), root.At("repository", "url"), root.At("package", "repository"),
			root.At("project", "urls", "repository"), root.At("project", "urls", "Repository")} {
			s.isAt(textOf(source))
		}
	}
	for line := range strings.Lines(m.text(ctx, "go.mod")) {
		if module, found := strings.CutPrefix(line, "module "); found {
			s.isAt("https://" + strings.TrimSpace(module))
		}
	}
	for line := range strings.Lines(m.text(ctx, "README.md")) {
		if title, found := strings.CutPrefix(line, "# "); found {
			s.add(strings.TrimSpace(title))
			break
		}
	}
	return s
}

// text returns the content of a file, "" if there is none.
func (m *maker) text(ctx context.Context, file string) string {
	read, err := m.tree.Read(ctx, file)
	if err != nil {
		return ""
	}
	return string(read.Content)
}

func (s *self) add(name string) {
	if name != "" {
		s.names = append(s.names, strings.ToLower(name))
	}
}

// isAt notes the address of the repository, if a text is one: the first counts.
func (s *self) isAt(address string) {
	_, rest, found := strings.Cut(strings.TrimSuffix(strings.ToLower(address), ".git"), "://")
	parts := strings.Split(rest, "/")
	if !found || len(parts) < 3 {
		return
	}
	if s.address == "" {
		s.address = parts[1] + "/" + parts[2]
	}
	s.add(parts[2])
}
