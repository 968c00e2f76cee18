package format

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// gooseRecipe are recipes: an agent with its extensions as a list.
var gooseRecipe = &shape.Format{
	Name: "goose-recipe", Scope: mcp.ScopeAgent,
	Paths: []string{
		"recipe.yaml", "recipe.yml", "goose-recipe*.yaml", "goose-recipe.yaml", ".goose/recipes/*.yaml", ".goose/recipes/*.yml",
		".agents/recipes/*.yaml", ".agents/recipes/*.yml", "recipes/*.yaml", "recipes/*.yml",
	},
	Keys: []string{"extensions"}, Marks: []string{"extensions:"}, Roots: []string{},
	Skip:  isGooseBuiltin,
	Parse: (*syntax.Parser).YAML, Read: readRecipe, Finish: finishGooseRecipe,
}

// finishGooseRecipe adds the description, because serde accepts no extension with an address
// without one. Goose itself writes an empty one (crates/goose/src/agents/extension.rs,
// ExtensionConfig; config/extensions.rs, DEFAULT_EXTENSION_DESCRIPTION).
func finishGooseRecipe(d *shape.Draft) {
	if d.Server.Launch.IsRemote() {
		d.Set("description", edit.String(""))
	}
}

// readRecipe reads a recipe. Goose accepts only one that has a title and a task (block/goose
// documentation, recipe reference); other recipes are about packages, or food. No extension of a
// recipe has a member that disables it (crates/goose/src/recipe/recipe_extension_adapter.rs).
func readRecipe(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	if !top.Get("title").IsString() || !top.Get("instructions").IsString() && !top.Get("prompt").IsString() {
		return nil
	}
	doc := shape.ReadServers(in)
	if doc != nil {
		for _, s := range doc.Servers {
			s.ForgetSwitch()
		}
	}
	return doc
}
