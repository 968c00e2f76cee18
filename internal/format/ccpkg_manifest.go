package format

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ccpkgManifest is how an installed package describes itself: its name, its version, and the
// place of its template.
var ccpkgManifest = &shape.Format{
	Name: "ccpkg-manifest", Scope: mcp.ScopeRegistry, Linked: ccpkgTemplate,
	Paths: []string{".ccpkg/plugins/*/manifest.json"},
	Keys:  []string{"spec_version"}, Roots: []string{}, Parse: (*syntax.Parser).JSON, Read: readCCPkgManifest,
}

// readCCPkgManifest reads a manifest. Packages of other kinds also have a file of this name, but
// without the version of ccpkg's specification.
func readCCPkgManifest(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	name := top.Get("name")
	if !top.Get("spec_version").IsString() || !name.IsString() {
		return nil
	}
	doc := in.Document()
	doc.Bundle = &mcp.Bundle{
		Name:     packageOf(in.File.Path),
		Manifest: &mcp.Package{Name: name.Text, NameSpan: name.Value, Version: shape.Word(top.Get("version"))},
	}
	for _, setting := range shape.Members(top.Get("config")) {
		doc.Bundle.Manifest.Settings = append(doc.Bundle.Manifest.Settings, setting.Name)
	}
	if !isPackageName(name.Text) {
		doc.Refusals = append(doc.Refusals, refusesPackageName(name.Value, name.Text))
	}
	if template := top.At("components", "mcp"); shape.IsFilled(template) {
		doc.Links = []mcp.Link{{Path: path.Join(mcp.Parent(in.File.Path), template.Text), Span: template.Value}}
	}
	return doc
}
