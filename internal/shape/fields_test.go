package shape

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestClientsFitFields compares the table of clients with the members that are read.
func TestClientsFitFields(t *testing.T) {
	for _, c := range mcp.Clients() {
		for _, typ := range slices.Concat(c.Types, c.SomeTypes) {
			assert.Equal(t, typ.Transport, TransportOf(typ.Word), "%s: %s", c.ID, typ.Word)
		}
		fitFields(t, c)
	}
}

// fitFields checks that the entry reader knows every field a client has.
func fitFields(t *testing.T, c *mcp.Client) {
	t.Helper()
	for want, names := range map[field][]string{
		commandField: c.Fields.Command, argsField: c.Fields.Args, envField: c.Fields.Env,
		cwdField: c.Fields.Cwd, headersField: c.Fields.Headers, typeField: c.Fields.Type,
	} {
		for _, name := range names {
			assert.Equal(t, want, fieldOf(name), "%s: %s", c.ID, name)
		}
	}
	for _, u := range c.Fields.URL {
		assert.Equal(t, urlField, fieldOf(u.Name), "%s: %s", c.ID, u.Name)
		assert.Contains(t, allURLs(), u, c.ID)
	}
	if c.Schema != nil {
		fitSchema(t, c)
	}
	switch c.Off {
	case mcp.Off{}, mcp.Off{Key: "disabled", Value: true}, mcp.Off{Key: "enabled", Value: false}, mcp.Off{Key: "enable", Value: false}:
	default:
		t.Errorf("%s: the reader does not know this switch: %v", c.ID, c.Off)
	}
}

// fitSchema checks that a client's schema is in order and has the members that
// the client reads.
func fitSchema(t *testing.T, c *mcp.Client) {
	t.Helper()
	assert.NotEmpty(t, c.Schema.Source, "%s: facts need a source", c.ID)
	assert.Zero(t, c.Fields.CommandKinds, "%s: the schema says it", c.ID)
	assert.True(t, slices.IsSortedFunc(c.Schema.Members, func(a, b mcp.Member) int { return strings.Compare(a.Name, b.Name) }),
		"%s: sort the members by name", c.ID)
	f := c.Fields
	for _, name := range slices.Concat(f.Command, f.Args, f.Env, f.Cwd, urlNames(c), f.Headers, f.Type, f.Bearer) {
		assert.NotNil(t, c.Schema.Member(name), "%s reads %s", c.ID, name)
	}
}

// TestIsNearly checks which names count as a typing error.
func TestIsNearly(t *testing.T) {
	for _, test := range []struct {
		name, word string
		want       bool
	}{
		{"arg", "args", true}, {"Args", "args", true}, {"agrs", "args", true}, {"argz", "args", true}, {"argss", "args", true},
		{"comand", "command", true}, {"server-url", "serverUrl", true}, {"ENV", "env", true}, {"evn", "env", true},
		{"args", "args", true}, {"tags", "args", false}, {"end", "env", false}, {"en", "env", false}, {"envs", "env", false},
		{"description", "command", false}, {"", "env", false}, {"curl", "url", false},
	} {
		assert.Equal(t, test.want, isNearly(test.name, test.word), "%s %s", test.name, test.word)
	}
}
