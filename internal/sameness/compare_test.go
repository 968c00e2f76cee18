package sameness

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
)

func TestCompare(t *testing.T) {
	const token = "a1b2c3d4e5f6"
	const key = "q7w3e9r1t5y8" + "u2i4o6p0"
	tests := []struct {
		name, a, b string
		want       Level
	}{
		// Equal: one server in the spelling of every client.
		{"cursor and opencode", `{"command":"npx","args":["-y","pkg"],"env":{"K":"${env:SOME_KEY}"}}`, `{"command":"npx","args":["-y","pkg"],"env":{"K":"{env:SOME_KEY}"}}`, Equal},
		{"claude and gemini", `{"command":"npx","args":["-y","pkg"],"env":{"K":"${SOME_KEY}"}}`, `{"command":"npx","args":["pkg"],"env":{"K":"$SOME_KEY"}}`, Equal},
		{"gemini on Windows and continue", `{"command":"npx","args":["pkg"],"env":{"K":"%SOME_KEY%"}}`, `{"command":"cmd","args":["/c","npx","-y","pkg"],"env":{"K":"${{ secrets.SOME_KEY }}"}}`, Equal},
		{"codex passes on", `{"command":"npx","args":["pkg"],"passEnv":["K"]}`, `{"command":"npx","args":["pkg"],"env":{"K":"${K}"}}`, Equal},
		{"passed on or not said", `npx pkg`, `{"command":"npx","args":["pkg"],"env":{"K":"${env:K}"}}`, Equal},
		{"input of the same name", `{"command":"npx","args":["pkg"],"env":{"MY_KEY":"${input:my-key}"}}`, `{"command":"npx","args":["pkg"],"env":{"MY_KEY":"${MY_KEY}"}}`, Equal},
		{"input and reference of one name", `{"command":"npx","args":["pkg"],"env":{"K":"${input:my-key}"}}`, `{"command":"npx","args":["pkg"],"env":{"K":"${MY_KEY}"}}`, Equal},
		{"input in capitals", `{"command":"npx","args":["pkg"],"env":{"MY_KEY":"${input:MY_KEY2}"}}`, `{"command":"npx","args":["pkg"],"env":{"MY_KEY":"${MY_KEY2}"}}`, Equal},
		{"launchers", `npx -y pkg`, `pnpm dlx pkg`, Equal},
		{"environments of a project", `vendor/bin/sail artisan boost:mcp`, `php artisan boost:mcp`, Equal},
		{"slashes of Windows", `{"command":"x","env":{"A":"C:\\a\\b"}}`, `{"command":"x","env":{"A":"C:/a/b"}}`, Equal},
		{"wrappers", `npx -y pkg`, `sh -c "exec npx -y pkg"`, Equal},
		{"flag forms of docker", `docker run -it --rm -e K x/y`, `docker run --interactive --tty --env K docker.io/x/y`, Equal},
		{"docker env and client env", `docker run -e K=v x/y`, `{"command":"docker","args":["run","-e","K","x/y"],"env":{"K":"v"}}`, Equal},
		{"path variables", `node ${workspaceFolder}/dist/x.js`, `node ./dist/x.js`, Equal},
		{"path and cwd", `{"command":"node","args":["x.js"],"cwd":"sub"}`, `node sub/x.js`, Equal},
		{"path out of an extension", `node ${extensionPath}/../../../mcp/x.js`, `node mcp/x.js`, Equal},
		{"path arguments", `npx pkg ${workspaceFolder}`, `npx pkg .`, Equal},
		{"python names", `uvx awslabs.aws_x`, `uvx awslabs-aws-x`, Equal},
		{"url spellings", `{"url":"https://H.test/mcp/"}`, `{"url":"https://h.test:443/mcp"}`, Equal},
		{"a variable for the whole url", `{"url":"${DOCS_URL}"}`, `{"url":"${{ secrets.DOCS_URL }}"}`, Equal},
		{"query order", `{"url":"https://h.test/mcp?a=1&b=2"}`, `{"url":"https://h.test/mcp?b=2&a=1"}`, Equal},
		{"header spellings", `{"url":"https://h.test","headers":{"Authorization":"Bearer ${TOKEN}"}}`, `{"url":"https://h.test","headers":{"authorization":"Bearer {env:TOKEN} "}}`, Equal},
		{"opaque text", `sh -c "a && b"`, `sh -c "a && b"`, Equal},
		{"files of variables", `{"command":"x","envFile":"${workspaceFolder}/.env"}`, `{"command":"x","envFile":".env"}`, Equal},
		{"a file of variables is read where the entry stands", `{"command":"npx","args":["pkg"],"cwd":"a","envFile":"./.env"}`, `{"command":"npx","args":["pkg"],"cwd":"a","envFile":"${workspaceFolder}/.env"}`, Equal},
		{"a file of variables for a URL", `{"url":"https://h.test/mcp","envFile":".env"}`, `{"url":"https://h.test/mcp"}`, Equal},
		{"unknown variable, other syntax", `node ${MCP_HOME}/x.js`, `node $MCP_HOME/x.js`, Equal},
		{"two bridges alike", `npx mcp-remote https://h.test --header "A: 1"`, `npx -y mcp-remote@latest https://h.test/ 8787 --debug --header A:1`, Equal},

		// Equivalent.
		{"version", `npx pkg@1.0.0`, `npx pkg@2.0.0`, Equivalent},
		{"version and none", `npx pkg@latest`, `npx pkg`, Equivalent},
		{"image tag", `docker run x/y:1`, `docker run x/y`, Equivalent},
		{"native and bridged", `{"url":"https://h.test/mcp"}`, `npx -y mcp-remote https://h.test/mcp`, Equivalent},
		{"native and bridged with header", `{"url":"https://h.test/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}`, `npx -y mcp-remote https://h.test/mcp --header "Authorization: Bearer ${TOKEN}"`, Equivalent},
		{"native and bridged with env header", `{"url":"https://h.test/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}`,
			`{"command":"npx","args":["mcp-remote","https://h.test/mcp","--header","Authorization:${AUTH}"],"env":{"AUTH":"Bearer ${TOKEN}"}}`, Equivalent},
		{"transport", `{"type":"http","url":"https://h.test/mcp"}`, `{"type":"sse","url":"https://h.test/mcp"}`, Equivalent},
		{"http and https", `{"url":"http://h.test/mcp"}`, `{"url":"https://h.test/mcp"}`, Equivalent},
		{"two bridges", `npx mcp-remote https://h.test/sse`, `uvx mcp-proxy https://h.test/sse`, Equivalent},

		// Undecided.
		{"input of other letters", `{"command":"npx","args":["pkg"],"env":{"K":"${input:clé}"}}`, `{"command":"npx","args":["pkg"],"env":{"K":"${CL_}"}}`, Equal},
		{"input and another name", `{"command":"x","env":{"K":"${input:secret}"}}`, `{"command":"x","env":{"K":"${OTHER}"}}`, Undecided},
		{"placeholder and reference", `{"command":"x","env":{"K":"YOUR_KEY"}}`, `{"command":"x","env":{"K":"${OTHER}"}}`, Undecided},
		{"placeholder and nothing", `{"command":"x","env":{"K":"<key>"}}`, `{"command":"x"}`, Undecided},
		{"file of variables to be filled in", `{"command":"x","envFile":"/path/to/.env"}`, `{"command":"x","envFile":".env"}`, Undecided},
		{"header to be filled in", `{"url":"https://h.test","headers":{"A":"Bearer YOUR_TOKEN"}}`, `{"url":"https://h.test","headers":{"A":"Bearer ${T1}"}}`, Undecided},

		{"credential and reference", `{"command":"x","env":{"API_KEY":"` + key + `"}}`, `{"command":"x","env":{"API_KEY":"${OTHER}"}}`, Undecided},
		{"credential and the variable of its name", `{"command":"x","env":{"API_KEY":"` + key + `"}}`, `{"command":"x","env":{"API_KEY":"${API_KEY}"}}`, Undecided},
		{"credential and a name that is passed on", `{"command":"x","env":{"API_KEY":"` + key + `"}}`, `{"command":"x","passEnv":["API_KEY"]}`, Undecided},
		{"credential and reference in a header", `{"url":"https://h.test","headers":{"Authorization":"Bearer ` + key + `"}}`, `{"url":"https://h.test","headers":{"Authorization":"Bearer ${T}"}}`, Undecided},
		{"credential and reference in an argument", `npx pkg --api-key ` + key, `npx pkg --api-key ${T}`, Undecided},

		// One says all that the other says, and more.
		{"mode by variable", `{"command":"npx","args":["shadcn","mcp"],"env":{"REGISTRY_URL":"https://a.test"}}`, `npx shadcn mcp`, Superset},
		{"one more variable", `{"command":"x","env":{"A":"1"}}`, `{"command":"x","env":{"A":"1","B":"2"}}`, Superset},
		{"one more, one to be filled in", `{"command":"x","env":{"A":"YOUR_KEY"}}`, `{"command":"x","env":{"A":"1","B":"2"}}`, Superset},
		{"literal and reference", `{"command":"x","env":{"TOKEN":"` + token + `"}}`, `{"command":"x","env":{"TOKEN":"${TOKEN}"}}`, Superset},
		{"a file of variables besides", `{"command":"x","env":{"A":"1"}}`, `{"command":"x","env":{"A":"1"},"envFile":".env"}`, Superset},
		{"one more, another value", `{"command":"x","env":{"A":"1"}}`, `{"command":"x","env":{"A":"3","B":"2"}}`, Reconfigured},

		// The same server, configured on purpose in two ways.
		{"two accounts", `{"command":"x","env":{"TOKEN":"${PROD}"}}`, `{"command":"x","env":{"TOKEN":"${STAGING}"}}`, Reconfigured},
		{"two tokens", `{"command":"x","env":{"TOKEN":"` + token + `1"}}`, `{"command":"x","env":{"TOKEN":"` + token + `2"}}`, Reconfigured},
		{"two credentials", `{"command":"x","env":{"API_KEY":"` + key + `1"}}`, `{"command":"x","env":{"API_KEY":"` + key + `2"}}`, Reconfigured},
		{"another scheme before a credential", `{"url":"https://h.test","headers":{"Authorization":"Bearer ` + key + `"}}`, `{"url":"https://h.test","headers":{"Authorization":"Basic ${T}"}}`, Reconfigured},
		{"no credential and a reference in an argument", `npx pkg --space eng`, `npx pkg --space ${S}`, Reconfigured},
		{"variables of either side", `{"command":"x","env":{"A":"1"}}`, `{"command":"x","env":{"B":"1"}}`, Reconfigured},
		{"variable and header of either side", `{"url":"https://h.test","headers":{"A":"1"}}`, `{"url":"https://h.test","env":{"B":"1"}}`, Reconfigured},
		{"two files of variables", `{"command":"x","envFile":"${workspaceFolder}/.env.prod"}`, `{"command":"x","envFile":"${workspaceFolder}/.env.staging"}`, Reconfigured},
		{"variable and file of variables of either side", `{"command":"x","env":{"A":"1"}}`, `{"command":"x","envFile":".env"}`, Reconfigured},
		{"directories", `npx pkg ./a`, `npx pkg ./b`, Reconfigured},
		{"working directories of a package", `{"command":"npx","args":["pkg"],"cwd":"a"}`, `npx pkg`, Reconfigured},
		{"arguments", `npx pkg --a`, `npx pkg --b`, Reconfigured},
		{"mounts", `docker run -v a:/x img/i`, `docker run -v b:/x img/i`, Reconfigured},
		{"url keys", `{"url":"https://h.test/mcp?api_key=` + token + `1"}`, `{"url":"https://h.test/mcp?api_key=` + token + `2"}`, Reconfigured},
		{"url users", `{"url":"https://a:b@h.test/mcp"}`, `{"url":"https://c:d@h.test/mcp"}`, Reconfigured},
		{"headers", `{"url":"https://h.test","headers":{"X":"1"}}`, `{"url":"https://h.test","headers":{"X":"2"}}`, Reconfigured},
		{"secrets in shell text", `sh -c "a && b --token sk-` + token + token + `1"`, `sh -c "a && b --token sk-` + token + token + `2"`, Reconfigured},
		{"doppler environments", `doppler run -c dev -- npx pkg`, `doppler run -c prd -- npx pkg`, Reconfigured},
		{"oauth clients of a bridge", `npx mcp-remote https://h.test --static-oauth-client-info @a.json`, `npx mcp-remote https://h.test --static-oauth-client-info @b.json`, Reconfigured},
		{"paths of a secret", `{"url":"https://mcp.zapier.com/api/mcp/s/` + token + `/mcp"}`, `{"url":"https://mcp.zapier.com/api/mcp/s/` + token + `2/mcp"}`, Reconfigured},

		// One program in two spellings.
		{"sse and mcp", `{"url":"https://mcp.linear.app/sse"}`, `{"url":"https://mcp.linear.app/mcp"}`, SameProgram},
		{"path ends in path", `node mcp/x/server.js`, `node /home/me/repo/app/mcp/x/server.js`, SameProgram},
		{"program and package", `mcp-server-git`, `uvx mcp_server_git`, SameProgram},
		{"image and another package", `docker run ghcr.io/acme/notes`, `npx -y @acme/maps`, Different},
		{"image and package of its name", `docker run ghcr.io/acme/notes-mcp`, `npx -y @acme/notes-mcp`, Related},
		{"file and another package", `node ./bin/notes-mcp.js`, `npx -y maps-mcp`, Different},
		{"file and package of its name", `node ./bin/maps-mcp.js`, `npx -y maps-mcp`, SameProgram},
		{"program and a major version in Go", `notes`, `go run github.com/acme/notes/v2@latest`, SameProgram},
		{"program and repository", `notes-mcp`, `npx -y git+https://github.com/acme/notes-mcp`, SameProgram},
		{"program and npm package", `some-mcp`, `npx @scope/some-mcp`, SameProgram},
		{"program and program of a package", `tool`, `npx -p pkg tool`, SameProgram},
		{"program and file", `server`, `./bin/server`, SameProgram},
		{"program and image", `github-mcp-server stdio`, `docker run ghcr.io/github/github-mcp-server`, SameProgram},
		{"module and package", `python -m mcp_server_fetch`, `uvx mcp-server-fetch`, SameProgram},
		{"sub-module and package", `python -m mcp_server_fetch.main`, `uvx mcp-server-fetch`, SameProgram},
		{"program in a container", `docker exec -i app serena start-mcp-server`, `serena start-mcp-server`, SameProgram},
		{"project's file in a service", `docker compose exec -T app php artisan boost:mcp`, `php artisan boost:mcp`, SameProgram},
		{"smithery", `npx @smithery/cli run @o/exa`, `{"url":"https://server.smithery.ai/@o/exa/mcp"}`, SameProgram},
		{"programs in two places", `{"command":"gh","args":["x"],"cwd":"a"}`, `gh x`, SameProgram},
		{"path of a home", `~/.local/bin/tool-mcp`, `/Users/jo/.local/bin/tool-mcp`, SameProgram},
		{"program and where it is installed", `tool-mcp`, `~/.local/bin/tool-mcp`, SameProgram},
		{"absolute working directory", `php artisan boost:mcp`, `{"command":"php","args":["artisan","boost:mcp"],"cwd":"/home/me/shop"}`, SameProgram},
		{"relative working directory", `node dist/x.js`, `{"command":"node","args":["dist/x.js"],"cwd":"web"}`, SameProgram},
		{"module in another directory", `python -m some_mcp serve --repo .`, `{"command":"python","args":["-m","some_mcp","serve"],"cwd":"/home/me/shop"}`, SameProgram},
		{"script around a package", `./scripts/repomix.sh`, `npx -y repomix --mcp`, SameProgram},
		{"built program and image", `~/go/bin/terraform-mcp-server`, `docker run -i hashicorp/terraform-mcp-server`, SameProgram},

		// Related.
		{"sub-commands", `npx 0xray mcp a`, `npx 0xray mcp b`, Related},
		{"tenants", `{"url":"https://h.test/mcp?project_ref=a"}`, `{"url":"https://h.test/mcp?project_ref=b"}`, Related},
		{"tenants of a bridge", `npx mcp-remote https://h.test --resource https://a.test`, `npx mcp-remote https://h.test --resource https://b.test`, Related},
		{"tenant path", `{"url":"https://mcp.sentry.dev/mcp"}`, `{"url":"https://mcp.sentry.dev/mcp/org/x"}`, Related},
		{"vendor", `npx @upstash/context7-mcp`, `{"url":"https://mcp.context7.com/mcp"}`, Related},
		{"package and image of one name", `uvx mcp-grafana`, `docker run -i grafana/mcp-grafana`, Related},
		{"vendor image", `docker run ghcr.io/github/github-mcp-server`, `npx mcp-remote https://api.githubcopilot.com/mcp/`, Related},
		{"another command of the service", `docker compose exec -T app php artisan boost:mcp`, `php artisan other`, Different},
		{"scripts of one folder", `npm run a`, `npm run b`, Related},
		{"catalog names", `docker mcp gateway run --servers=a,b`, `docker mcp gateway run --servers=b`, Related},

		// Different.
		{"packages", `npx a`, `npx b`, Different},
		{"ecosystems", `npx fetch`, `uvx fetch`, Different},
		{"hosts", `{"url":"https://a.test/mcp"}`, `{"url":"https://b.test/mcp"}`, Different},
		{"ports of this machine", `{"url":"http://localhost:1/mcp"}`, `{"url":"http://localhost:2/mcp"}`, Different},
		{"server in a file and in a package", `node dist/server.js`, `npx @o/server`, Different},
		{"publisher of an endpoint's package", `npx figma-developer-mcp`, `{"url":"https://mcp.figma.com/mcp"}`, Different},
		{"files", `node a/index.js`, `node b/index.js`, Different},
		{"files of one name", `node a/index.js`, `{"command":"node","args":["index.js"],"cwd":"b"}`, Different},
		{"paths that end alike", `node xserver.js`, `node /a/server.js`, Different},
		{"folders by cwd", `{"command":"node","args":["index.js"],"cwd":"a"}`, `{"command":"node","args":["index.js"],"cwd":"b"}`, Different},
		{"opaque texts", `sh -c "a && b"`, `sh -c "a && c"`, Different},
		{"placeholders", `{"url":""}`, `{"url":""}`, Different},
		{"placeholder and itself", `npx "<pkg>"`, `npx "<pkg>"`, Different},
		{"containers", `docker exec a x`, `docker exec b x`, Different},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := resolve(t, tt.a), resolve(t, tt.b)
			assert.Equal(t, tt.want, Compare(a, b), "%s\n%s", summaryWithoutSecrets(a), summaryWithoutSecrets(b))
			assert.Equal(t, tt.want, Compare(b, a), "the other way round")
			if tt.want >= Equivalent {
				assert.Equal(t, a.Key(), b.Key())
				assert.Equal(t, a.ConfigKey(), b.ConfigKey())
			}
		})
	}
}

// summaryWithoutSecrets is enough to see what went wrong.
func summaryWithoutSecrets(id identity.Resolved) string {
	return id.String() + " " + strings.Join(id.Selector, " ")
}

// TestPathVariablePerFile: one text in two plugins is two servers.
func TestPathVariablePerFile(t *testing.T) {
	l := parse(t, `bun run --cwd ${CLAUDE_PLUGIN_ROOT} start`)
	a := resolved(l, &identity.Context{Vars: map[string]string{"CLAUDE_PLUGIN_ROOT": "plugins/discord"}})
	b := resolved(l, &identity.Context{Vars: map[string]string{"CLAUDE_PLUGIN_ROOT": "plugins/telegram"}})
	assert.Equal(t, "file:plugins/discord", a.String())
	assert.Equal(t, Different, Compare(a, b))
}

// TestVariableOfAnotherClient: what two files write alike is one program, though
// only one of their clients fills in the variable.
func TestVariableOfAnotherClient(t *testing.T) {
	l := parse(t, `node ${workspaceFolder}/dist/x.js --root ${workspaceFolder}`)
	knows := resolved(l, &identity.Context{Vars: map[string]string{"workspaceFolder": ""}})
	takesAsWritten := resolved(l, &identity.Context{})
	assert.Equal(t, SameProgram, Compare(knows, takesAsWritten))
	assert.Equal(t, SameProgram, Compare(takesAsWritten, knows))
	assert.Equal(t, knows.Config().Args, takesAsWritten.Knowing(knows).Config().Args)
	assert.NotEqual(t, knows.Config().Args, takesAsWritten.Config().Args)
}

// TestStartedBesideTheFile compares a client that starts programs in the directory of its file
// with one that starts them in the project's: naming the default directory changes nothing.
func TestStartedBesideTheFile(t *testing.T) {
	beside := &identity.Context{Dir: "config", Project: "."}
	launch := func(cwd string, words ...string) *identity.Launch {
		l := &identity.Launch{Command: identity.Word{Text: words[0]}, Cwd: identity.Word{Text: cwd}}
		for _, w := range words[1:] {
			l.Args = append(l.Args, identity.Word{Text: w})
		}
		return l
	}
	for _, words := range [][]string{{"wiki-mcp"}, {"npx", "-y", "wiki-mcp", "./docs"}, {"node", "tools/s.js"}} {
		other := resolved(launch("", words...), &identity.Context{})
		assert.Equal(t, Equal, Compare(other, resolved(launch("..", words...), beside)), "%v", words)
		assert.NotEqual(t, Equal, Compare(other, resolved(launch("../tools", words...), beside)), "%v", words)
	}
	assert.NotEqual(t, Equal, Compare(resolved(launch("", "node", "s.js"), &identity.Context{}), resolved(launch("", "node", "s.js"), beside)))
}

// TestSameValue compares values of configurations where paths may begin in two
// places.
func TestSameValue(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"--x", "--x", true},
		{"./config/a.env", "/var/www/html/config/a.env", true},
		{"artisan", "/var/www/html/artisan", true},
		{"~/notes", "/home/jo/notes", true},
		{"a.env", "b.env", false},
		{"config/a.env", "/var/www/html/other/a.env", false},
		{"/a/x.env", "/b/x.env", false},
		{".", "/var/www/html", false},
		{"", "/var/www/html", false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, SameValue(tt.a, tt.b), "%s and %s", tt.a, tt.b)
		assert.Equal(t, tt.want, SameValue(tt.b, tt.a), "%s and %s", tt.b, tt.a)
	}
}

// TestVendors finds each vendor by the host of the remote server, and checks that no one else
// publishes what it publishes there.
func TestVendors(t *testing.T) {
	require.True(t, slices.IsSortedFunc(vendors, func(a, b vendor) int { return strings.Compare(a.host, b.host) }))
	for _, v := range vendors {
		endpoint := resolve(t, `{"url":"https://`+v.host+`/mcp"}`)
		assert.Equal(t, v.host, vendorAt(endpoint.Identity).host)
		assert.NotEmpty(t, v.source, "%s wants a source", v.host)
		assert.True(t, IsForeign(resolve(t, `npx @somebody/else`).Identity, endpoint.Identity), v.host)
		for _, own := range v.programs {
			kind, name, _ := strings.Cut(own, ":")
			program := &identity.Identity{Kind: identity.Kind(kind), Name: name}
			assert.True(t, related(program, endpoint.Identity), own)
			assert.False(t, IsForeign(program, endpoint.Identity), own)
		}
		for _, own := range v.names {
			kind, name, _ := strings.Cut(own, ":")
			published := &identity.Identity{Kind: identity.Kind(kind), Name: name + "another"}
			assert.False(t, related(published, endpoint.Identity), own)
			assert.False(t, IsForeign(published, endpoint.Identity), own)
		}
	}
}
