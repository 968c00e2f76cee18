package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// gooseRecipe are recipes: an agent with its extensions as a list.
var gooseRecipe = &Format{
	Name: "goose-recipe", Scope: mcp.ScopeAgent,
	Paths: []string{"recipe.yaml", "recipe.yml", ".goose/recipes/*.yaml", ".goose/recipes/*.yml", "goose-recipe*.yaml", "goose-recipe.yaml"},
	Keys:  []string{"extensions"}, Marks: []string{"extensions"}, Roots: []string{},
	Skip:  isGooseBuiltin,
	Parse: (*syntax.Parser).YAML, Read: readServers,
}
