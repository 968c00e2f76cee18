package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// promptRegistryLock is the lockfile of bundles (schemas/lockfile.schema.json; its
// local twin in local-only mode). It says nothing about servers: it is read so
// that a file which the tool could not use is found, and a hash that is missing.
var promptRegistryLock = &Format{
	Name: "prompt-registry-lock", Scope: mcp.ScopeLock, Dedicated: true,
	Paths: []string{"prompt-registry.lock.json", "prompt-registry.local.lock.json"},
	Parse: parseLockfile, Read: readPromptRegistryLock,
}

func readPromptRegistryLock(in *Input) *mcp.Document {
	top := in.Tree.Root
	if top == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	bundles := in.lockObject(doc, "bundles")
	if doc.Problems != nil {
		return doc
	}
	if version := top.Get("version"); version != nil && (!version.IsString() || !isBundleLockVersion(version.Text)) {
		doc.Problems = append(doc.Problems, invalidLock(version.Value, "the version of the lockfile is no three numbers such as 2.0.0"))
	}
	var hashes []*syntax.Node // of every file, nil where there is none
	for _, bundle := range members(bundles) {
		problems, files := bundleProblems(bundle)
		doc.Problems = append(doc.Problems, problems...)
		hashes = append(hashes, files...)
	}
	doc.Problems = append(doc.Problems, hashProblems(bundles, hashes)...)
	return doc
}

// isBundleLockVersion reports whether a text is three numbers. Which of them the
// tool knows is not asked: 1.0.0 and 2.0.0 are about, and each release adds
// fields.
func isBundleLockVersion(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) == 3 && !slices.ContainsFunc(parts, func(p string) bool { return p == "" || strings.Trim(p, "0123456789") != "" })
}

// bundleProblems judges one bundle and returns the hashes of its files, each as
// the file's own node where it has none.
func bundleProblems(bundle *syntax.Node) ([]mcp.Problem, []*syntax.Node) {
	if bundle.Kind != syntax.Object {
		return []mcp.Problem{invalidLock(bundle.Value, "the bundle %q is an object, this is %s", bundle.Name, article(bundle.Kind))}, nil
	}
	var problems []mcp.Problem
	for _, m := range []struct {
		name string
		kind syntax.Kind
	}{{"version", syntax.String}, {"sourceId", syntax.String}, {"sourceType", syntax.String}, {"checksum", syntax.String}, {"files", syntax.Array}} {
		if p := wrongKind(bundle, m.name, m.kind); p != nil {
			problems = append(problems, *p)
		} else if bundle.Get(m.name) == nil && m.name != "checksum" {
			problems = append(problems, invalidLock(bundle.Key, "the bundle %q has no %s", bundle.Name, m.name))
		}
	}
	files := bundle.Get("files")
	if files == nil || files.Kind != syntax.Array {
		return problems, nil
	}
	var hashes []*syntax.Node
	for _, file := range files.Nodes {
		switch hash := file.Get("checksum"); {
		case !file.Get("path").IsString():
			problems = append(problems, invalidLock(file.Value, "a file of the bundle %q has no path", bundle.Name))
		case hash == nil:
			hashes = append(hashes, file)
		default:
			hashes = append(hashes, hash)
		}
	}
	return problems, hashes
}

// hashProblems judges the hashes of files: 64 hex digits in lower case. Where
// none has one there is one problem for all.
func hashProblems(bundles *syntax.Node, hashes []*syntax.Node) []mcp.Problem {
	var missing, broken []mcp.Problem
	for _, n := range hashes {
		switch {
		case n.Name != "checksum" || n.Kind == syntax.Null || n.IsString() && n.Text == "":
			missing = append(missing, mcp.Problem{
				Kind: mcp.MissingHash, Span: n.Value, Minor: true,
				Message: "this file has no checksum: a change goes unnoticed",
			})
		case !n.IsString() || len(n.Text) != 64 || strings.Trim(n.Text, "0123456789abcdef") != "":
			broken = append(broken, mcp.Problem{
				Kind: mcp.InvalidHash, Span: n.Value,
				Message: "the checksum of a file is 64 hex digits in lower case, without anything before them",
			})
		}
	}
	if len(missing) > 1 && len(missing) == len(hashes) {
		return []mcp.Problem{{
			Kind: mcp.MissingHash, Span: bundles.Key, Minor: true,
			Message: fmt.Sprintf("none of the %d files in this lockfile has a checksum: a change goes unnoticed", len(missing)),
		}}
	}
	return append(missing, broken...)
}
