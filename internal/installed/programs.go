package installed

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// programsBeside returns the programs of an npm package whose names its own does
// not tell, for lockfiles that name no programs. From "bin" of the packages, looked
// up on 2026-11-22.
func programsBeside(name string) []string {
	switch name {
	case "@modelcontextprotocol/inspector":
		return []string{"mcp-inspector"}
	case "@modelcontextprotocol/server-everything", "@modelcontextprotocol/server-filesystem",
		"@modelcontextprotocol/server-memory", "@modelcontextprotocol/server-sequential-thinking":
		return []string{"mcp-" + strings.TrimPrefix(name, "@modelcontextprotocol/")}
	case "@playwright/test":
		return []string{"playwright"}
	}
	return nil
}

// bringLikely notes the programs of a package that a project depends on, as far as
// they are known where the lockfile names none.
func (p *pins) bringLikely(name string) {
	for _, program := range programsBeside(name) {
		if _, known := p.programs[program]; !known {
			p.programs[program] = strings.Clone(name)
		}
	}
	if scope, program, isScoped := strings.Cut(name, "/"); isScoped && strings.HasPrefix(scope, "@") {
		p.likely[strings.Clone(program)] = true
	}
}

// maybe returns that a scoped package may bring a program, nil where none does:
// most programs are called as their package without its scope.
func (p *pins) maybe(name string) *mcp.InstalledPackage {
	if !p.likely[name] {
		return nil
	}
	return &mcp.InstalledPackage{Name: name, File: p.path, IsUnknown: true}
}
