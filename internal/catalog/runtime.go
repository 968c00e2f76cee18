package catalog

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// runtime is the command line between a launcher and its package.
type runtime struct {
	// Args are the words in front of the package, without those that clients write
	// themselves.
	Args []string
	// Base is the address of the registry that the package is from, "" where nothing says.
	Base string
}

// hints are the launchers whose words in front of a package the MCP registry has, which
// starts every package of a kind with one (runtimeHint).
var hints = map[identity.Kind]string{identity.NPM: "npx", identity.PyPI: "uvx", identity.OCI: "docker"}

// setRuntime sets the part of the command line before the package, which is the argument at an
// index, and reports whether that is complete.
func (s *Server) setRuntime(of *mcp.Server, at int) bool {
	e, words := of.Resolved(), slices.Clone(s.Args[:at])
	isBehind := func(o identity.Option) bool { return o.Span.Start > of.Identity.Span.Start }
	isVariable := func(d identity.Deciding) bool { return !strings.HasPrefix(d.Name, "-") }
	if s.Command != hints[of.Identity.Kind] || len(e.Addresses) > 0 || e.Dir() != "" || slices.ContainsFunc(words, secret.HasReference) ||
		slices.ContainsFunc(e.Parts().Options, isBehind) || slices.ContainsFunc(e.Code(), isVariable) {
		return false
	}
	if s.Command == "docker" {
		if len(words) == 0 || words[0] != "run" {
			return false
		}
		// VS Code writes run -i --rm (mcpManagementService.ts, getMcpServerConfigurationFromManifest).
		words = slices.DeleteFunc(words[1:], func(word string) bool { return word == "-i" || word == "--interactive" || word == "--rm" })
		s.Runtime.Args = words
		return true
	}
	if slices.ContainsFunc(words, saysPackage) {
		return false // the argument after the package would be its program, and the catalog has no field for it
	}
	s.Runtime.Base, s.Runtime.Args = cutRegistry(words)
	return true
}

// saysPackage reports whether a word is an option that names the package to run from, so
// that the first argument is a program of it.
func saysPackage(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return slices.Contains([]string{"--from", "--spec", "--package", "-p"}, name)
}

// cutRegistry takes the option that names the registry out of the words in front of a
// package: clients write it themselves.
func cutRegistry(words []string) (base string, rest []string) {
	for i, word := range words {
		name, value, isOne := strings.Cut(word, "=")
		if name != "--registry" && name != "--index-url" && name != "--default-index" {
			continue
		}
		end := i + 1
		if !isOne && end < len(words) {
			value, end = words[end], end+1
		}
		if ascii.HasPrefixFold(value, "https://") || ascii.HasPrefixFold(value, "http://") {
			return value, slices.Concat(words[:i], words[end:])
		}
	}
	return "", words
}
