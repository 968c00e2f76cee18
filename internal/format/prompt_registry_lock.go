package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// promptRegistryLock is the lockfile of bundles (schemas/lockfile.schema.json; its
// local twin in local-only mode). It says nothing about servers: it is read so
// that a file which the tool could not use is found, and a hash that is missing.
var promptRegistryLock = &shape.Format{
	Name: "prompt-registry-lock", Scope: mcp.ScopeLock, Dedicated: true,
	Paths: []string{"prompt-registry.lock.json", "prompt-registry.local.lock.json"},
	Parse: (*syntax.Parser).JSON, Read: readPromptRegistryLock,
}

func readPromptRegistryLock(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	doc := in.Document()
	doc.Duplicates = in.Repeats(nil)
	bundles := in.LockObject(doc, "bundles")
	if doc.Refusals != nil {
		return doc
	}
	if version := top.Get("version"); version != nil && (!version.IsString() || !isBundleLockVersion(version.Text)) {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.LockNotNumbers, Span: version.Value, Kind: version.Kind, Got: version.Text})
	}
	var hashes []*syntax.Node // of every file, nil for one without a hash
	for _, bundle := range shape.Members(bundles) {
		doc.Hashed = append(doc.Hashed, bundleHashes(bundle)...)
		refusals, files := refusesBundle(bundle)
		doc.Refusals = append(doc.Refusals, refusals...)
		hashes = append(hashes, files...)
	}
	doc.Refusals = append(doc.Refusals, refusesHashes(bundles, hashes)...)
	return doc
}

// bundleHashes returns a bundle and its files.
func bundleHashes(bundle *syntax.Node) []mcp.Hashed {
	whole := mcp.Hashed{
		Name: bundle.Name, NameSpan: bundle.Key, ID: bundle.Name,
		Pin: mcp.Pin{Version: shape.Word(bundle.Get("version")), Integrity: shape.Word(bundle.Get("checksum")), Fetched: shape.Word(bundle.Get("installedAt")).Text},
	}
	hashed := []mcp.Hashed{whole}
	files := bundle.Get("files")
	if files == nil {
		return hashed
	}
	for _, file := range files.Nodes {
		path := shape.Word(file.Get("path"))
		hashed = append(hashed, mcp.Hashed{
			Name: path.Text, NameSpan: path.Span, ID: bundle.Name + "/" + path.Text, Of: bundle.Name,
			Pin: mcp.Pin{Version: whole.Pin.Version, Integrity: shape.Word(file.Get("checksum")), Fetched: whole.Pin.Fetched},
		})
	}
	return hashed
}

// isBundleLockVersion reports whether a text is three numbers. It accepts any version: 1.0.0 and
// 2.0.0 are in use, and each release adds fields.
func isBundleLockVersion(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) == 3 && !slices.ContainsFunc(parts, func(p string) bool { return p == "" || strings.Trim(p, "0123456789") != "" })
}

// refusesBundle checks one bundle and returns the hashes of its files, each as the file's own
// node if it has no hash.
func refusesBundle(bundle *syntax.Node) (refusals []mcp.Refusal, hashes []*syntax.Node) {
	if bundle.Kind != syntax.Object {
		return []mcp.Refusal{shape.NotObject(mcp.PartBundle, bundle)}, nil
	}
	refusals = shape.WrongKinds(bundle, shape.KindOf("version", syntax.String), shape.KindOf("sourceId", syntax.String), shape.KindOf("sourceType", syntax.String),
		shape.KindOf("checksum", syntax.String), shape.KindOf("files", syntax.Array))
	for _, required := range []string{"version", "sourceId", "sourceType", "files"} {
		if bundle.Get(required) == nil {
			refusals = append(refusals, mcp.Refusal{
				Reason: mcp.PartLacks, Span: bundle.Key, Part: mcp.PartBundle, Name: bundle.Name, Member: required,
			})
		}
	}
	files := bundle.Get("files")
	if files == nil || files.Kind != syntax.Array {
		return refusals, nil
	}
	for _, file := range files.Nodes {
		switch hash := file.Get("checksum"); {
		case !file.Get("path").IsString():
			refusals = append(refusals, mcp.Refusal{Reason: mcp.FileNoPath, Span: file.Value, Name: bundle.Name})
		case hash == nil:
			hashes = append(hashes, file)
		default:
			hashes = append(hashes, hash)
		}
	}
	return refusals, hashes
}

// refusesHashes checks the hashes of files: 64 hex digits in lower case. If no file has one,
// there is one refusal for all.
func refusesHashes(bundles *syntax.Node, hashes []*syntax.Node) []mcp.Refusal {
	var missing, broken []mcp.Refusal
	for _, n := range hashes {
		switch {
		case n.Name != "checksum" || n.Kind == syntax.Null || n.IsString() && n.Text == "":
			missing = append(missing, mcp.Refusal{Reason: mcp.FileNoHash, Span: n.Value})
		case !n.IsString() || len(n.Text) != 64 || !isLowerHex(n.Text):
			broken = append(broken, mcp.Refusal{Reason: mcp.FileHashForm, Span: n.Value, Kind: n.Kind, Got: n.Text})
		}
	}
	if len(missing) > 1 && len(missing) == len(hashes) {
		return []mcp.Refusal{{Reason: mcp.FilesNoHash, Span: bundles.Key, Count: len(missing)}}
	}
	return append(missing, broken...)
}
