package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestInputNames: an input is found by the variable with the same name, unless another input also
// has that name.
func TestInputNames(t *testing.T) {
	words := func(texts ...string) (all []identity.Word) {
		for _, text := range texts {
			all = append(all, identity.Word{Text: text})
		}
		return all
	}
	names := mcp.NameInputs(words("githubToken", "api-key", "apiKey", "level"), map[string]bool{"githubToken": true, "api-key": true})
	assert.Equal(t, "githubToken", names.Like("GITHUB_TOKEN", true))
	assert.Equal(t, "githubToken", names.Like("GITHUB_TOKEN", false))
	assert.Equal(t, "level", names.Like("LEVEL", false))
	assert.Empty(t, names.Like("LEVEL", true), "it shows what is typed")
	assert.Empty(t, names.Like("API_KEY", false), "there are two")
	assert.Equal(t, "api-key", names.Like("API_KEY", true), "of which one hides it")
	assert.Empty(t, names.Like("OTHER", false))
	assert.Empty(t, mcp.NameInputs(nil, nil).Like("LEVEL", false))
}
