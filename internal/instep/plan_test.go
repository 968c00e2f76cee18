package instep_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// planned returns the text of a file as it is planned, and what its entries do not say: ""
// where nothing is written.
func planned(t *testing.T, p *place, path string) (text string, losses []mcp.Loss) {
	t.Helper()
	var changes []edit.Change
	for _, g := range p.repo.Groups {
		for _, file := range g.Files {
			if file.Path != path {
				continue
			}
			changes, losses = file.Plan.Changes, file.Plan.Losses
			for _, c := range file.Cells {
				if len(file.Plan.Changes) == 0 {
					changes, losses = append(changes, c.Plan.Changes...), append(losses, c.Plan.Losses...)
				}
			}
		}
	}
	if len(changes) == 0 {
		return "", losses
	}
	edits, err := edit.Lower(changes)
	require.NoError(t, err)
	return string(edit.Apply([]byte(p.texts[path]), edits)), losses
}

// TestPlan shows what becomes of a file of Cursor that follows one of Claude Code.
func TestPlan(t *testing.T) {
	const source = `{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}, "c": {"command": "c"}}}`
	for name, test := range map[string]struct{ source, file, want string }{
		"one behind another": {`{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}`, `{"mcpServers": {"a": {"command": "a"}}}`,
			`{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}`},
		"one in front of another": {`{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}`, `{"mcpServers": {"b": {"command": "b"}}}`,
			`{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}`},
		"one between":           {source, `{"mcpServers": {"a": {"command": "a"}, "c": {"command": "c"}}}`, source},
		"two at the beginning":  {source, `{"mcpServers": {"c": {"command": "c"}}}`, source},
		"two at the end":        {source, `{"mcpServers": {"a": {"command": "a"}}}`, source},
		"next to its own":       {source, `{"mcpServers": {"x": {"command": "x"}, "a": {"command": "a"}, "y": {"command": "y"}}}`, `{"mcpServers": {"x": {"command": "x"}, "a": {"command": "a"}, "b": {"command": "b"}, "c": {"command": "c"}, "y": {"command": "y"}}}`},
		"behind all of its own": {source, `{"mcpServers": {"x": {"command": "x"}}}`, `{"mcpServers": {"x": {"command": "x"}, "a": {"command": "a"}, "b": {"command": "b"}, "c": {"command": "c"}}}`},
		"a part alone":          {`{"mcpServers": {"a": {"command": "a", "args": ["1"]}}}`, `{"mcpServers": {"a": {"command": "a", "args": ["2"], "autoApprove": ["x"]}}}`, `{"mcpServers": {"a": {"command": "a", "args": ["1"], "autoApprove": ["x"]}}}`},
		"a header of a bridge that the file lacks": {
			`{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "https://a.acme.dev/mcp", "--header", "X-Mode:1"]}}}`,
			`{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "https://a.acme.dev/mcp"]}}}`,
			`{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "https://a.acme.dev/mcp", "--header", "X-Mode:1"]}}}`,
		},
		"another program": {`{"mcpServers": {"a": {"command": "a"}}}`, `{"mcpServers": {"a": {"command": "b"}}}`, `{"mcpServers": {"a": {"command": "a"}}}`},
	} {
		p := placeOf(t, "-- .mcp.json --\n"+test.source+"\n-- .cursor/mcp.json --\n"+test.file+"\n")
		p.fill(following(".mcp.json", ".cursor/mcp.json"))
		got, losses := planned(t, p, ".cursor/mcp.json")
		assert.Equal(t, strings.Join(strings.Fields(test.want), ""), strings.Join(strings.Fields(got), ""), name)
		assert.Empty(t, losses, name)
	}
}

// TestPlanOfNewFile: a missing or empty file gets all missing servers at once, except what its
// client cannot express.
func TestPlanOfNewFile(t *testing.T) {
	const source = "-- .mcp.json --\n" + `{"mcpServers": {"a": {"command": "a"}, "hub": {"type": "sse", "url": "https://hub.acme.dev/sse"}, "b": {"command": "b"}}}` + "\n"
	want := "[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.b]\ncommand = \"b\"\n"
	for name, archive := range map[string]string{"not there": source, "empty": source + "-- .codex/config.toml --\n"} {
		p := placeOf(t, archive)
		p.fill(following(".mcp.json", ".codex/config.toml"))
		file := p.repo.Groups[0].Files[1]
		plans := []mcp.Plan{file.Plan}
		if file.Document != nil { // the file is written whole for every entry
			plans = append(plans, file.Cells[0].Plan, file.Cells[2].Plan)
		}
		for _, plan := range plans {
			require.Len(t, plan.Changes, 1, name)
			edits, err := edit.Lower(plan.Changes)
			require.NoError(t, err)
			assert.Equal(t, want, edits[0].New, name)
			assert.Empty(t, plan.Losses, name)
		}
	}

	// A client that takes no file with nothing but servers in it gets none.
	p := placeOf(t, source)
	p.fill(following(".mcp.json", "recipe.yaml"))
	require.Len(t, p.repo.Groups, 1)
	assert.Equal(t, mcp.Missing, p.repo.Groups[0].Files[1].Cells[0].State)
	text, _ := planned(t, p, "recipe.yaml")
	assert.Empty(t, text)
}

// TestPlanUnsayable: an entry that would be another server is not written, with a reason. If parts
// of one are written, what its client cannot express stays as it is.
func TestPlanUnsayable(t *testing.T) {
	p := placeOf(t, "-- .mcp.json --\n"+`{"mcpServers": {"hub": {"type": "sse", "url": "https://hub.acme.dev/sse"}}}`+"\n-- .codex/config.toml --\nmodel = \"x\"\n")
	p.fill(following(".mcp.json", ".codex/config.toml"))
	text, _ := planned(t, p, ".codex/config.toml")
	assert.Empty(t, text)
	assert.Contains(t, reasons(p.repo.Groups[0].Files[1].Cells[0].Losses), mcp.NotSpoken)

	p = placeOf(t, "-- .mcp.json --\n"+`{"mcpServers": {"a": {"command": "a", "args": ["1"], "env": {"MODE": "${OTHER}"}}}}`+"\n-- .codex/config.toml --\n[mcp_servers.a]\ncommand = \"a\"\nargs = [\"2\"]\n")
	p.fill(following(".mcp.json", ".codex/config.toml"))
	text, losses := planned(t, p, ".codex/config.toml")
	assert.Equal(t, "[mcp_servers.a]\ncommand = \"a\"\nargs = [\"1\"]\n", text)
	assert.Empty(t, losses)

	// The same with another program writes the whole entry, which cannot be.
	p = placeOf(t, "-- .mcp.json --\n"+`{"mcpServers": {"a": {"command": "a", "env": {"MODE": "${OTHER}"}}}}`+"\n-- .codex/config.toml --\n[mcp_servers.a]\ncommand = \"b\"\n")
	p.fill(following(".mcp.json", ".codex/config.toml"))
	text, losses = planned(t, p, ".codex/config.toml")
	assert.Empty(t, text)
	assert.Contains(t, reasons(losses), mcp.NotExpanded)

	// And so does a URL instead of a program.
	p = placeOf(t, "-- .mcp.json --\n"+`{"mcpServers": {"a": {"type": "http", "url": "https://hub.acme.dev/mcp", "headers": {"X-Mode": "a ${OTHER}"}}}}`+"\n-- .codex/config.toml --\n[mcp_servers.a]\ncommand = \"b\"\n")
	p.fill(following(".mcp.json", ".codex/config.toml"))
	text, _ = planned(t, p, ".codex/config.toml")
	assert.Empty(t, text)
}

// TestPlanOfEach: what cannot be written of one entry keeps no other from being written.
func TestPlanOfEach(t *testing.T) {
	p := placeOf(t, "-- .mcp.json --\n"+`{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b", "env": {"MODE": "${OTHER}"}}, "c": {"command": "c", "env": {"MODE": "${MODE:-x}"}}}}`+"\n-- .codex/config.toml --\nmodel = \"x\"\n")
	p.fill(following(".mcp.json", ".codex/config.toml"))
	cells := p.repo.Groups[0].Files[1].Cells
	require.Equal(t, []mcp.CellState{mcp.Missing, mcp.NotSayable, mcp.Missing}, []mcp.CellState{cells[0].State, cells[1].State, cells[2].State})
	assert.NotEmpty(t, cells[0].Plan.Changes)
	assert.Empty(t, cells[0].Plan.Losses)
	assert.Empty(t, cells[1].Plan.Changes)
	assert.NotEmpty(t, cells[2].Plan.Changes)
	assert.Equal(t, []mcp.LossReason{mcp.NoDefault}, reasons(cells[2].Plan.Losses), "it is written without its default")
}

// TestPlanOfParts: where parts of an entry are written, what its client cannot say of others
// stays, and what it cannot say of those decides.
func TestPlanOfParts(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   string
		losses []mcp.LossReason
	}{
		"a variable that stays":         {`"args": ["1"], "env": {"MODE": "${OTHER}"}`, "args = [\"1\"]\n", nil},
		"a variable without a default":  {`"args": ["1"], "env": {"MODE": "${MODE:-x}"}`, "args = [\"1\"]\n", []mcp.LossReason{mcp.NoDefault}}, // it may be empty then
		"a variable in what is written": {`"args": ["${OTHER}"]`, "", []mcp.LossReason{mcp.NotExpanded}},
	} {
		p := placeOf(t, "-- .mcp.json --\n"+`{"mcpServers": {"a": {"command": "a", `+test.source+"}}}\n-- .codex/config.toml --\n[mcp_servers.a]\ncommand = \"a\"\nargs = [\"2\"]\n")
		p.fill(following(".mcp.json", ".codex/config.toml"))
		text, losses := planned(t, p, ".codex/config.toml")
		assert.Equal(t, test.want, strings.TrimPrefix(text, "[mcp_servers.a]\ncommand = \"a\"\n"), name)
		assert.Equal(t, test.losses, reasons(losses), name)
	}
}

func reasons(losses []mcp.Loss) (reasons []mcp.LossReason) {
	for _, l := range losses {
		reasons = append(reasons, l.Reason)
	}
	return reasons
}

// TestSecrets: a credential is written as its variable.
func TestSecrets(t *testing.T) {
	entry := func(args string) string {
		return `{"mcpServers": {"a": {"command": "a", "args": [` + args + `], "env": {"API_TOKEN": "` + token + `"}}}}`
	}
	for name, test := range map[string]struct {
		file, want string
	}{
		"missing":         {`{"mcpServers": {}}`, `{"mcpServers": {"a": {"command": "a", "args": ["1"], "env": {"API_TOKEN": "${env:API_TOKEN}"}}}}`},
		"another version": {`{"mcpServers": {"a": {"command": "a", "args": ["2"]}}}`, `{"mcpServers": {"a": {"command": "a", "args": ["1"], "env": {"API_TOKEN": "${env:API_TOKEN}"}}}}`},
		"in step":         {entry(`"1"`), ""},
	} {
		p := placeOf(t, "-- .mcp.json --\n"+entry(`"1"`)+"\n-- .cursor/mcp.json --\n"+test.file+"\n")
		problems := instep.Fill(instep.Input{
			Repo: p.repo, Index: format.Known(), Groups: []mcp.GroupSettings{following(".mcp.json", ".cursor/mcp.json")}, Read: p.read, Repository: p.inRepository,
		})
		require.Empty(t, problems)
		text, losses := planned(t, p, ".cursor/mcp.json")
		assert.Equal(t, strings.Join(strings.Fields(test.want), ""), strings.Join(strings.Fields(text), ""), name)
		for _, l := range losses {
			assert.Equal(t, mcp.SecretLeftOut, l.Reason, name)
		}
	}
}
