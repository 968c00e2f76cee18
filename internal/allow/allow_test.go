package allow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// parsed reads settings that have no mistakes.
func parsed(t *testing.T, name, text string) *allow.Policy {
	t.Helper()
	file := syntax.NewFile(name, []byte(text))
	tree, err := new(syntax.Parser).JSON(file)
	require.NoError(t, err)
	p, mistakes := allow.Read(tree.Root, "")
	require.Empty(t, mistakes)
	p.Name, p.File = name, file
	p.IsManaged = !strings.HasPrefix(name, ".claude/")
	return p
}

// started and reached are servers.
func started(name string, command ...string) *allow.Server {
	return &allow.Server{Name: name, Command: command}
}
func reached(name, url string) *allow.Server {
	return &allow.Server{Name: name, IsRemote: true, URL: url}
}

// TestJudge checks what each client does with a server: the rules that both have, and each
// difference between them. What decides is the beginning of the last step.
func TestJudge(t *testing.T) {
	const (
		notes = `{"serverCommand": ["npx", "-y", "notes@1.2.0"]}`
		wiki  = `{"serverUrl": "https://wiki.acme.dev/*"}`
	)
	notesServer := started("notes", "npx", "-y", "notes@1.2.0")
	wikiServer := reached("wiki", "https://wiki.acme.dev/mcp")
	admits, none, denies := "allows it", `no entry in "allowedMcpServers" (m.json:1:2) matches`, "denies it"
	const several = `none of 2 entries in "allowedMcpServers" (m.json:1:2) matches`
	for name, c := range map[string]struct {
		settings string
		server   *allow.Server
		claude   allow.Verdict
		copilot  allow.Verdict
		why      [2]string // of Claude Code and of Copilot; one for both
	}{
		"no lists":                        {`{"hooks": {}}`, notesServer, allow.Allowed, allow.Allowed, [2]string{}},
		"nothing is denied":               {`{"deniedMcpServers": []}`, notesServer, allow.Allowed, allow.Allowed, [2]string{`"allowedMcpServers" is not set`, "no variable"}},
		"nothing is allowed":              {`{"allowedMcpServers": []}`, notesServer, allow.Blocked, allow.Blocked, [2]string{`"allowedMcpServers" (m.json:1:2) is an empty list`}},
		"the exact command":               {`{"allowedMcpServers": [` + notes + `]}`, notesServer, allow.Allowed, allow.Allowed, [2]string{admits, "no variable"}},
		"one argument is another":         {`{"allowedMcpServers": [` + notes + `]}`, started("notes", "npx", "-y", "notes@1.2.1"), allow.Blocked, allow.Blocked, [2]string{none}},
		"one argument more":               {`{"allowedMcpServers": [` + notes + `]}`, started("notes", "npx", "-y", "notes@1.2.0", "--all"), allow.Blocked, allow.Blocked, [2]string{none}},
		"one argument less":               {`{"allowedMcpServers": [` + notes + `]}`, started("notes", "npx", "notes@1.2.0"), allow.Blocked, allow.Blocked, [2]string{none}},
		"no wildcards in commands":        {`{"allowedMcpServers": [{"serverCommand": ["npx", "*"]}]}`, started("notes", "npx", "notes"), allow.Blocked, allow.Blocked, [2]string{none}},
		"a command of two words in one":   {`{"allowedMcpServers": [{"serverCommand": ["npx notes"]}]}`, started("notes", "npx", "notes"), allow.Blocked, allow.Blocked, [2]string{none}},
		"denied before allowed":           {`{"deniedMcpServers": [` + notes + `], "allowedMcpServers": [` + notes + `]}`, notesServer, allow.Blocked, allow.Blocked, [2]string{denies}},
		"denied by its name":              {`{"deniedMcpServers": [{"serverName": "notes"}], "allowedMcpServers": [` + notes + `]}`, notesServer, allow.Blocked, allow.Blocked, [2]string{denies}},
		"another name is denied":          {`{"deniedMcpServers": [{"serverName": "Notes"}, {"serverName": "note*"}]}`, notesServer, allow.Allowed, allow.Allowed, [2]string{}},
		"an address is no command":        {`{"allowedMcpServers": [` + wiki + `]}`, notesServer, allow.Blocked, allow.Blocked, [2]string{none}},
		"a command is no address":         {`{"allowedMcpServers": [` + notes + `]}`, wikiServer, allow.Blocked, allow.Blocked, [2]string{none}},
		"a name":                          {`{"allowedMcpServers": [{"serverName": "notes"}]}`, notesServer, allow.Allowed, allow.Allowed, [2]string{}},
		"a name next to other commands":   {`{"allowedMcpServers": [{"serverName": "notes"}, {"serverCommand": ["uvx", "x"]}]}`, notesServer, allow.Blocked, allow.Allowed, [2]string{several, "no variable"}},
		"a name next to addresses":        {`{"allowedMcpServers": [{"serverName": "notes"}, ` + wiki + `]}`, notesServer, allow.Allowed, allow.Allowed, [2]string{}},
		"an address' name":                {`{"allowedMcpServers": [{"serverName": "wiki"}, {"serverUrl": "https://x.dev/*"}]}`, wikiServer, allow.Blocked, allow.Allowed, [2]string{several, "no variable"}},
		"an address' name by commands":    {`{"allowedMcpServers": [{"serverName": "wiki"}, ` + notes + `]}`, wikiServer, allow.Allowed, allow.Allowed, [2]string{}},
		"a denied name next to commands":  {`{"deniedMcpServers": [{"serverName": "notes"}, {"serverCommand": ["uvx", "x"]}]}`, notesServer, allow.Blocked, allow.Blocked, [2]string{denies}},
		"a path below":                    {`{"allowedMcpServers": [` + wiki + `]}`, wikiServer, allow.Allowed, allow.Allowed, [2]string{}},
		"no path":                         {`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev"}]}`, wikiServer, allow.Allowed, allow.Blocked, [2]string{admits, none}},
		"no path in both":                 {`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev"}]}`, reached("wiki", "https://wiki.acme.dev/"), allow.Allowed, allow.Allowed, [2]string{}},
		"a root is a path":                {`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev/"}]}`, wikiServer, allow.Blocked, allow.Blocked, [2]string{none}},
		"any subdomain":                   {`{"allowedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`, wikiServer, allow.Allowed, allow.Allowed, [2]string{}},
		"no subdomain":                    {`{"allowedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`, reached("wiki", "https://acme.dev/mcp"), allow.Blocked, allow.Blocked, [2]string{none}},
		"a wildcard stays in the host":    {`{"allowedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`, reached("wiki", "https://evil.dev/x.acme.dev/"), allow.Blocked, allow.Blocked, [2]string{none}},
		"a user before the host":          {`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev*"}]}`, reached("wiki", "https://wiki.acme.dev@evil.dev/"), allow.Blocked, allow.Blocked, [2]string{none}},
		"any scheme":                      {`{"allowedMcpServers": [{"serverUrl": "*://wiki.acme.dev/*"}]}`, reached("wiki", "http://wiki.acme.dev/mcp"), allow.Allowed, allow.Allowed, [2]string{}},
		"another scheme":                  {`{"allowedMcpServers": [` + wiki + `]}`, reached("wiki", "http://wiki.acme.dev/mcp"), allow.Blocked, allow.Blocked, [2]string{none}},
		"any port":                        {`{"allowedMcpServers": [{"serverUrl": "http://localhost:*/*"}]}`, reached("wiki", "http://localhost:3000/mcp"), allow.Allowed, allow.Allowed, [2]string{}},
		"another port":                    {`{"allowedMcpServers": [` + wiki + `]}`, reached("wiki", "https://wiki.acme.dev:8443/mcp"), allow.Blocked, allow.Blocked, [2]string{none}},
		"the usual port":                  {`{"allowedMcpServers": [` + wiki + `]}`, reached("wiki", "https://wiki.acme.dev:443/mcp"), allow.Allowed, allow.Allowed, [2]string{}},
		"letters of a host":               {`{"allowedMcpServers": [{"serverUrl": "HTTPS://Wiki.ACME.dev/*"}]}`, wikiServer, allow.Allowed, allow.Allowed, [2]string{}},
		"letters of a path":               {`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev/MCP"}]}`, wikiServer, allow.Blocked, allow.Blocked, [2]string{none}},
		"a dot behind the host":           {`{"deniedMcpServers": [` + wiki + `]}`, reached("wiki", "https://wiki.acme.dev./mcp"), allow.Blocked, allow.Blocked, [2]string{denies}},
		"a fragment":                      {`{"deniedMcpServers": [{"serverUrl": "https://wiki.acme.dev/mcp"}]}`, reached("wiki", "https://wiki.acme.dev/mcp#x"), allow.Blocked, allow.Blocked, [2]string{denies}},
		"an escaped host":                 {`{"deniedMcpServers": [{"serverUrl": "https://evil.dev/*"}]}`, reached("wiki", "https://%65vil.dev/mcp"), allow.Blocked, allow.Blocked, [2]string{denies}},
		"a host in other letters":         {`{"deniedMcpServers": [{"serverUrl": "https://Bücher.dev/*"}]}`, reached("wiki", "https://xn--bcher-kva.dev/mcp"), allow.Blocked, allow.Blocked, [2]string{denies}},
		"a path that leads upwards":       {`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev/team/*"}]}`, reached("wiki", "https://wiki.acme.dev/team/%2E./admin"), allow.Open, allow.Open, [2]string{admits}},
		"every address":                   {`{"allowedMcpServers": [{"serverUrl": "*"}]}`, wikiServer, allow.Allowed, allow.Allowed, [2]string{}},
		"a pattern without a scheme":      {`{"allowedMcpServers": [{"serverUrl": "*.acme.dev/*"}]}`, wikiServer, allow.Open, allow.Open, [2]string{admits}},
		"a variable in both":              {`{"allowedMcpServers": [{"serverCommand": ["${HOME}/bin/notes"]}]}`, started("notes", "${HOME}/bin/notes"), allow.Allowed, allow.Blocked, [2]string{admits, "its command contains ${HOME}"}},
		"a variable in the list":          {`{"allowedMcpServers": [{"serverCommand": ["${HOME}/bin/notes"]}]}`, started("notes", "/home/ada/bin/notes"), allow.Open, allow.Blocked, [2]string{admits, none}},
		"a variable in the server":        {`{"allowedMcpServers": [{"serverCommand": ["/home/ada/bin/notes"]}]}`, started("notes", "${HOME}/bin/notes"), allow.Open, allow.Blocked, [2]string{admits, none}},
		"a variable that cannot fit":      {`{"allowedMcpServers": [{"serverCommand": ["/opt/bin/notes"]}]}`, started("notes", "${HOME}/bin/wiki"), allow.Blocked, allow.Blocked, [2]string{none}},
		"a variable that may be denied":   {`{"deniedMcpServers": [{"serverCommand": ["npx", "notes@1.2.0"]}]}`, started("notes", "npx", "notes@${VERSION:-1.3.0}"), allow.Open, allow.Blocked, [2]string{denies, "contains ${VERSION:-1.3.0}"}},
		"a bare variable is no variable":  {`{"allowedMcpServers": [{"serverCommand": ["npx", "$NAME"]}]}`, started("notes", "npx", "$NAME"), allow.Allowed, allow.Blocked, [2]string{admits, "its command contains $NAME"}},
		"a variable in a path":            {`{"allowedMcpServers": [` + wiki + `]}`, reached("wiki", "https://wiki.acme.dev/${TEAM}/mcp"), allow.Allowed, allow.Blocked, [2]string{admits, "its address contains ${TEAM}"}},
		"a variable in a host":            {`{"allowedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`, reached("wiki", "https://${TEAM}.acme.dev/mcp"), allow.Open, allow.Blocked, [2]string{admits, "its address contains ${TEAM}"}},
		"a variable is all of it":         {`{"allowedMcpServers": [` + wiki + `]}`, reached("wiki", "${WIKI_URL}"), allow.Open, allow.Blocked, [2]string{admits, none}},
		"what a client fills in":          {`{"allowedMcpServers": [{"serverName": "notes"}]}`, &allow.Server{Name: "notes", Command: []string{"node", "${workspaceFolder}/x.js"}, Filled: []string{"workspaceFolder"}}, allow.Allowed, allow.Open, [2]string{admits, "contains ${workspaceFolder}"}},
		"what a person is asked for":      {`{"allowedMcpServers": [{"serverName": "notes"}]}`, started("notes", "npx", "${input:package}"), allow.Allowed, allow.Open, [2]string{admits, "contains ${input:package}"}},
		"a list that teams may override":  {`{"allowedMcpServers": {"overridable": [` + notes + `]}}`, notesServer, allow.Open, allow.Allowed, [2]string{"it may not follow the lists in m.json:1:24", "no variable"}},
		"a name of two words":             {`{"allowedMcpServers": [{"serverName": "my notes"}]}`, started("my notes", "npx"), allow.Open, allow.Allowed, [2]string{"it may not follow the lists in m.json:1:39", "no variable"}},
		"a name of two words is denied":   {`{"deniedMcpServers": [{"serverName": "my notes"}]}`, started("my notes", "npx"), allow.Blocked, allow.Blocked, [2]string{denies}},
		"a credential is not shown":       {`{"allowedMcpServers": []}`, started("notes", "npx", "notes", "--token=ghp_"+strings.Repeat("a1B2", 9)), allow.Blocked, allow.Blocked, [2]string{`"allowedMcpServers" (m.json:1:2) is an empty list`}},
		"what may be filled in so":        {`{"allowedMcpServers": [{"serverCommand": ["node", "/src/x.js"]}]}`, &allow.Server{Name: "notes", Command: []string{"node", "${workspaceFolder}/x.js"}, Filled: []string{"workspaceFolder"}}, allow.Open, allow.Open, [2]string{admits}},
		"a default in a host":             {`{"allowedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`, reached("wiki", "https://${TEAM:-all}.acme.dev/mcp"), allow.Open, allow.Blocked, [2]string{admits, "its address contains ${TEAM:-all}"}},
		"an empty address":                {`{"allowedMcpServers": [` + wiki + `]}`, reached("wiki", ""), allow.Blocked, allow.Blocked, [2]string{none}},
		"no command":                      {`{"allowedMcpServers": [` + notes + `]}`, started("notes"), allow.Blocked, allow.Blocked, [2]string{none}},
		"a host of addresses with colons": {`{"allowedMcpServers": [{"serverUrl": "http://[::1]:*/*"}]}`, reached("wiki", "http://[::1]:80/mcp"), allow.Allowed, allow.Allowed, [2]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			policies := []*allow.Policy{parsed(t, "m.json", c.settings)}
			for i, client := range allow.Clients() {
				d := allow.Judge(client, policies, c.server)
				want := []allow.Verdict{c.claude, c.copilot}[i]
				require.Equal(t, want, d.Verdict, "%s: %s", client, d.Last())
				if why := c.why[i]; why != "" {
					assert.Contains(t, d.Last().String(), why, client)
				} else if c.why[0] != "" && i == 1 {
					assert.Contains(t, d.Last().String(), c.why[0], client)
				}
				for _, step := range d.Steps {
					assert.NotContains(t, step.String(), "%!")
					assert.NotContains(t, step.String(), "a1B2a1B2")
				}
			}
		})
	}
}

// TestJudgeSeveral checks what clients do with several files: one union for Claude Code, the
// intersection for Copilot, and a denial of any of them for both.
func TestJudgeSeveral(t *testing.T) {
	notes, wiki := `{"allowedMcpServers": [{"serverName": "notes"}]}`, `{"allowedMcpServers": [{"serverName": "wiki"}]}`
	doubt := `{"allowedMcpServers": [{"serverName": "my notes"}, {"serverName": "notes"}]}`
	for name, c := range map[string]struct {
		files           map[string]string
		claude, copilot allow.Verdict
		isManaged       bool // of Claude Code
	}{
		"two lists, one admits": {map[string]string{"a.json": notes, "b.json": wiki}, allow.Allowed, allow.Blocked, false},
		"two lists, both admit": {map[string]string{"a.json": notes, "b.json": notes}, allow.Allowed, allow.Allowed, false},
		"none next to a list":   {map[string]string{"a.json": notes, "b.json": `{}`}, allow.Allowed, allow.Allowed, false},
		"one denies":            {map[string]string{"a.json": notes, "b.json": `{"deniedMcpServers": [{"serverName": "notes"}]}`}, allow.Blocked, allow.Blocked, true},
		// Copilot reads no list of a project.
		"the project allows more": {map[string]string{"a.json": wiki, ".claude/settings.json": notes}, allow.Allowed, allow.Blocked, false},
		"the project allows more in vain": {
			map[string]string{"a.json": `{"allowManagedMcpServersOnly": true, ` + wiki[1:], ".claude/settings.json": notes}, allow.Blocked, allow.Blocked, true,
		},
		"the project cannot say so":          {map[string]string{"a.json": wiki, ".claude/settings.json": `{"allowManagedMcpServersOnly": true, ` + notes[1:]}, allow.Allowed, allow.Blocked, false},
		"only managed lists, and none":       {map[string]string{"a.json": `{"allowManagedMcpServersOnly": true}`, ".claude/settings.json": wiki}, allow.Allowed, allow.Allowed, false},
		"the project allows less":            {map[string]string{".claude/settings.json": wiki}, allow.Blocked, allow.Allowed, false},
		"the project denies":                 {map[string]string{"a.json": notes, ".claude/settings.json": `{"deniedMcpServers": [{"serverName": "notes"}]}`}, allow.Blocked, allow.Allowed, false},
		"the project denies what is blocked": {map[string]string{"a.json": wiki, ".claude/settings.json": `{"deniedMcpServers": [{"serverName": "notes"}]}`}, allow.Blocked, allow.Blocked, true},
		"the project denies what it allows":  {map[string]string{"a.json": wiki, ".claude/settings.json": `{"deniedMcpServers": [{"serverName": "notes"}], ` + notes[1:]}, allow.Blocked, allow.Blocked, false},
		"a doubt next to a denial":           {map[string]string{"a.json": doubt, "b.json": `{"deniedMcpServers": [{"serverName": "notes"}]}`}, allow.Blocked, allow.Blocked, true},
		"a doubt next to a list":             {map[string]string{"a.json": doubt, "b.json": wiki}, allow.Open, allow.Blocked, true},
		"a command wants one everywhere":     {map[string]string{"a.json": notes, "b.json": `{"allowedMcpServers": [{"serverCommand": ["uvx", "x"]}, {"serverName": "notes"}]}`}, allow.Blocked, allow.Allowed, true},
	} {
		t.Run(name, func(t *testing.T) {
			var policies []*allow.Policy
			for _, file := range []string{"a.json", "b.json", ".claude/settings.json"} {
				if text, found := c.files[file]; found {
					policies = append(policies, parsed(t, file, text))
				}
			}
			server := started("notes", "npx", "-y", "notes@1.2.0")
			d := allow.Judge(allow.ClaudeCode, policies, server)
			assert.Equal(t, c.claude, d.Verdict, d.Last())
			assert.Equal(t, c.isManaged, d.IsManaged)
			d = allow.Judge(allow.Copilot, policies, server)
			assert.Equal(t, c.copilot, d.Verdict, d.Last())
		})
	}
}

// TestPolicyOfOneClient is no policy of the other.
func TestPolicyOfOneClient(t *testing.T) {
	p := parsed(t, "m.json", `{"allowedMcpServers": []}`)
	p.Client = allow.Copilot
	server := started("notes", "npx")
	assert.Equal(t, allow.Allowed, allow.Judge(allow.ClaudeCode, []*allow.Policy{p}, server).Verdict)
	assert.Equal(t, allow.Blocked, allow.Judge(allow.Copilot, []*allow.Policy{p}, server).Verdict)
}

// TestSteps reads as the client goes.
func TestSteps(t *testing.T) {
	p := parsed(t, "managed-settings.json", `{
  "allowedMcpServers": [
    {"serverName": "notes"},
    {"serverCommand": ["npx", "-y", "notes@1.2.0"]}
  ],
  "deniedMcpServers": [{"serverName": "wiki"}]
}`)
	d := allow.Judge(allow.ClaudeCode, []*allow.Policy{p}, started("notes", "npx", "-y", "notes@1.3.0"))
	var steps []string
	for _, s := range d.Steps {
		steps = append(steps, s.String())
	}
	assert.Equal(t, []string{
		`"deniedMcpServers" does not name it (1 entry)`,
		`none of 2 entries in "allowedMcpServers" (managed-settings.json:2:3) matches "npx -y notes@1.3.0"; ` +
			`serverName "notes" (managed-settings.json:3:5) has its name, but names do not count in a list with a serverCommand (managed-settings.json:4:5); ` +
			`serverCommand "npx -y notes@1.2.0" (managed-settings.json:4:5) is another command: every word counts`,
	}, steps)
}

// TestOpenSteps names what a decision depends on.
func TestOpenSteps(t *testing.T) {
	for text, c := range map[string]struct {
		server *allow.Server
		want   string
	}{
		`{"allowedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`:         {reached("wiki", "https://${TEAM}.acme.dev/mcp"), "depends on the value of ${TEAM}"},
		`{"allowedMcpServers": [{"serverCommand": ["${HOME}/bin/notes"]}]}`:      {started("notes", "/home/ada/bin/notes"), "depends on the value of ${HOME}"},
		`{"allowedMcpServers": [{"serverUrl": "https://wiki.acme.dev/team/*"}]}`: {reached("wiki", "https://wiki.acme.dev/team/../x"), "depends on how its path is resolved, which leads upwards"},
		`{"allowedMcpServers": [{"serverUrl": "*.acme.dev/*"}]}`:                 {reached("wiki", "https://wiki.acme.dev/mcp"), "depends on what a pattern without a scheme matches"},
		`{"deniedMcpServers": [{"serverUrl": "https://*.acme.dev/*"}]}`:          {reached("wiki", "${WIKI}"), "still denies it depends on the value of ${WIKI}"},
	} {
		d := allow.Judge(allow.ClaudeCode, []*allow.Policy{parsed(t, "m.json", text)}, c.server)
		assert.Equal(t, allow.Open, d.Verdict)
		assert.True(t, strings.HasSuffix(d.Last().String(), c.want), d.Last())
	}
}

// TestDecisionsShowNoCredential: what is one by the option before it, by the parameter or by
// the place of a default is hidden as check hides it, in a server and in a list.
func TestDecisionsShowNoCredential(t *testing.T) {
	token := "Zq7t" + "K9vLx2WmR4" + "bN8sYd3HcP"
	long := strings.Repeat("--flag=abcdefgh ", 11) // what is cut off later is nothing to know a credential by
	for name, c := range map[string]struct {
		settings string
		server   *allow.Server
		shown    string
	}{
		"a default behind an option":   {`{"allowedMcpServers": []}`, started("x", "npx", "a@1.0.0", "--token", "${TOK:-"+token+"}"), "--token ${TOK:-***}"},
		"a default of a parameter":     {`{"allowedMcpServers": []}`, reached("x", "https://x.dev/mcp?api_key=${K:-"+token+"}"), "api_key=${K:-***}"},
		"a default of a password":      {`{"allowedMcpServers": []}`, reached("x", "https://ada:${K:-"+token+"}@x.dev/mcp"), "https://ada:${K:-***}@x.dev/mcp"},
		"a default in a list":          {`{"allowedMcpServers": [{"serverCommand": ["npx", "--token", "${TOK:-` + token + `}"]}]}`, started("x", "npx", "--token", "${TOK}"), "${TOK:-***}"},
		"an address in a list":         {`{"deniedMcpServers": [{"serverUrl": "https://x.dev/mcp?api_key=${K:-` + token + `}"}]}`, reached("x", "https://x.dev/mcp?api_key=${K}"), "api_key=${K:-***}"},
		"a default that decides":       {`{"deniedMcpServers": [{"serverCommand": ["npx", "--token", "x"]}]}`, started("x", "npx", "--token", "${K:-"+token+"}"), "${K:-***}"},
		"a token right before the end": {`{"allowedMcpServers": []}`, started("x", "npx", long, "x"+token[:20]), "--flag=abcdefgh"},
	} {
		t.Run(name, func(t *testing.T) {
			policies := []*allow.Policy{parsed(t, "m.json", c.settings)}
			said := c.server.String()
			for _, client := range allow.Clients() {
				d := allow.Judge(client, policies, c.server)
				for _, step := range d.Steps {
					said += "\n" + step.String()
				}
			}
			assert.Contains(t, said, c.shown)
			assert.NotContains(t, said, token[:8])
		})
	}
}

// TestReadMistakes says each at its place, and reads nothing else of settings.
func TestReadMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                  `1: settings must be an object like {"allowedMcpServers": []}`,
		`{"allowedMCPServers": []}`:           `2: unknown member "allowedMCPServers": did you mean "allowedMcpServers"?`,
		`{"allowedMcpServes": []}`:            `2: unknown member "allowedMcpServes": did you mean "allowedMcpServers"?`,
		`{"denyMcpServers": []}`:              `2: unknown member "denyMcpServers": did you mean "deniedMcpServers"?`,
		`{"allowManagedMcpServerOnly": true}`: `2: unknown member "allowManagedMcpServerOnly": did you mean "allowManagedMcpServersOnly"?`,
		`{"disabledMcpServers": [], "enabledMcpServers": [], "disabledMcpjsonServers": []}`: ``,
		`{"allowManagedHooksOnly": true, "allowAllClaudeAiMcps": true}`:                     ``,
		`{"deniedMcpServers": [], "deniedMcpServers": []}`:                                  `26: deniedMcpServers stands here a second time: clients need not agree which of the two counts`,
		`{"allowedMcpServers": {}}`:                                                         `23: allowedMcpServers must be a list like [{"serverUrl": "https://mcp.example.com/*"}], not object`,
		`{"deniedMcpServers": {"overridable": 1}}`:                                          `38: deniedMcpServers must be a list like [{"serverUrl": "https://mcp.example.com/*"}], not number`,
		`{"deniedMcpServers": ["notes"]}`:                                                   `23: an entry must have exactly one of serverName, serverCommand and serverUrl, and this is a string`,
		`{"deniedMcpServers": [{}]}`:                                                        `23: an entry must have exactly one of serverName, serverCommand and serverUrl, and this has 0`,
		`{"deniedMcpServers": [{"serverURL": "x"}]}`:                                        `24: unknown member "serverURL": did you mean "serverUrl"?`,
		`{"deniedMcpServers": [{"serverName": ""}]}`:                                        `38: serverName must be the name of a server`,
		`{"deniedMcpServers": [{"serverUrl": 7}]}`:                                          `37: serverUrl must be a string like "https://mcp.example.com/*"`,
		`{"deniedMcpServers": [{"serverCommand": "x"}]}`:                                    `41: serverCommand must be a list of strings like ["npx", "-y", "notes@1.2.0"]`,
		`{"deniedMcpServers": [{"serverCommand": []}]}`:                                     `41: serverCommand must be a list of strings like ["npx", "-y", "notes@1.2.0"]`,
		`{"allowManagedMcpServersOnly": "yes"}`:                                             `32: allowManagedMcpServersOnly must be true or false, not string`,
		`{"deniedMcpServers": [{"serverUrl": "***********"}]}`:                              `37: serverUrl has more than 2000 bytes or 10 wildcards`,
		`{"deniedMcpServers": [{"serverName": "a", "serverUrl": "b"}]}`:                     `23: an entry must have exactly one of serverName, serverCommand and serverUrl, and this has 2`,
		`{"mcpServers": {}, "enabledMcpjsonServers": [], "allowedMcpTools": 1}`:             ``,
		`{"deniedMcpServers": [{"serverName": "claude.ai Slack"}], "hooks": [1]}`:           ``,
	} {
		t.Run(text, func(t *testing.T) {
			file := syntax.NewFile("m.json", []byte(text))
			tree, err := new(syntax.Parser).JSON(file)
			require.NoError(t, err)
			_, mistakes := allow.Read(tree.Root, "")
			var got []string
			for _, m := range mistakes {
				got = append(got, fmt.Sprintf("%d: %s", m.Span.Start+1, m.Text))
			}
			assert.Equal(t, want, strings.Join(got, "\n"))
		})
	}
}

// TestReadForClaude takes what only Copilot knows for a mistake.
func TestReadForClaude(t *testing.T) {
	for _, text := range []string{`{"allowedMcpServers": {"overridable": []}}`, `{"allowedMcpServers": [{"serverName": "claude.ai Slack"}]}`} {
		tree, err := new(syntax.Parser).JSON(syntax.NewFile("m.json", []byte(text)))
		require.NoError(t, err)
		_, mistakes := allow.Read(tree.Root, allow.ClaudeCode)
		assert.Len(t, mistakes, 1, text)
		_, mistakes = allow.Read(tree.Root, allow.Copilot)
		assert.Empty(t, mistakes, text)
	}
}

// TestExclusive checks what Claude Code loads along with a managed-mcp.json
// (code.claude.com/docs/en/managed-mcp, "Exclusive control"), and that no other file counts as
// one.
func TestExclusive(t *testing.T) {
	const managed = `{"mcpServers": {"wiki": {"url": "https://wiki.acme.dev/mcp"}, "notes": {"type": "stdio", "command": "node", "args": ["notes.js"]}}}`
	wiki, notes := reached("w", "https://wiki.acme.dev/mcp"), started("n", "node", "notes.js")
	other, file := started("notes", "node", "notes.js", "--all"), parsed(t, "m.json", managed)
	for server, want := range map[*allow.Server]allow.Verdict{wiki: allow.Allowed, notes: allow.Allowed, other: allow.Blocked} {
		d := allow.Judge(allow.ClaudeCode, []*allow.Policy{file}, server)
		require.Equal(t, want, d.Verdict, server.Name)
		require.Equal(t, want == allow.Blocked, d.IsManaged)
		require.Equal(t, allow.Allowed, allow.Judge(allow.Copilot, []*allow.Policy{file}, server).Verdict)
	}
	none := parsed(t, "m.json", `{"mcpServers": {}}`)
	require.Equal(t, allow.Blocked, allow.Judge(allow.ClaudeCode, []*allow.Policy{none}, wiki).Verdict)

	project, settings := parsed(t, ".claude/settings.json", managed), parsed(t, "s.json", `{"mcpServers": {}, "deniedMcpServers": []}`)
	require.Equal(t, allow.Allowed, allow.Judge(allow.ClaudeCode, []*allow.Policy{project, settings}, other).Verdict)
}
