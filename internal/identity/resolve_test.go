package identity

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// repository is the context of the tests: a project in "app" whose clients
// know these path variables.
var repository = Context{Dir: "app", Vars: map[string]string{
	"workspaceFolder": "app", "CLAUDE_PROJECT_DIR": "app", "CLAUDE_PLUGIN_ROOT": "app/plugin", "extensionPath": "app/.gemini/extensions/x",
	"__dirname": "app/bundle",
}}

// source is the text of a test's entry; words are laid out in it as a JSON file
// would.
type source struct{ text strings.Builder }

// word appends a quoted string and returns it as a word.
func (s *source) word(text string) Word {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	// Writers of configuration do not escape these.
	q := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
	start := s.text.Len()
	s.text.WriteString(q)
	end := s.text.Len()
	s.text.WriteByte(' ')
	return Word{Text: text, Span: syntax.Span{Start: start, End: end}}
}

// entry is a test's entry, as most clients write it.
type entry struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	PassEnv []string          `json:"passEnv"`
	EnvFile string            `json:"envFile"`
	Cwd     string            `json:"cwd"`
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// Parse reads an entry: a JSON object, or a command line whose words are
// separated by single spaces and quoted as a shell does.
func parse(t testing.TB, text string) (*Launch, string) {
	var e entry
	if strings.HasPrefix(text, "{") {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&e), text)
	} else {
		words, ok := shell.NewLine(shell.Posix, Word{Text: text}).Simple()
		require.True(t, ok, text)
		e.Command = words[0].Text
		for _, w := range words[1:] {
			e.Args = append(e.Args, w.Text)
		}
	}
	var s source
	s.text.WriteByte('{') // nothing begins at offset 0
	l := &Launch{Transport: e.Type}
	if e.Command != "" {
		l.Command = s.word(e.Command)
	}
	for _, arg := range e.Args {
		l.Args = append(l.Args, s.word(arg))
	}
	for name, value := range e.Env {
		l.Env = append(l.Env, Pair{s.word(name), s.word(value)})
	}
	for _, name := range e.PassEnv {
		l.PassEnv = append(l.PassEnv, s.word(name))
	}
	for name, value := range e.Headers {
		l.Headers = append(l.Headers, Pair{s.word(name), s.word(value)})
	}
	if e.EnvFile != "" {
		l.EnvFile = s.word(e.EnvFile)
	}
	if e.Cwd != "" {
		l.Cwd = s.word(e.Cwd)
	}
	if e.URL != "" {
		l.URL = s.word(e.URL)
	}
	return l, s.text.String()
}

func resolve(t testing.TB, text string) Resolved {
	l, _ := parse(t, text)
	return resolved(l, &repository)
}

func resolved(l *Launch, ctx *Context) Resolved {
	id := Resolve(l, ctx)
	return Resolved{&id, l, ctx}
}

// summary is what the table below expects: the identity, then the other facts, each with a mark of
// its own.
func summary(id Resolved) string {
	parts := []string{id.String()}
	if id.Kind == None {
		return "none"
	}
	if len(id.Selector) > 0 {
		parts = append(parts, "["+strings.Join(id.Selector, " ")+"]")
	}
	if id.Version.Kind != NoVersion {
		parts = append(parts, [...]string{"", "tag", "range", "exact"}[id.Version.Kind]+"="+id.Version.Text)
	}
	if id.Launcher != "" {
		parts = append(parts, "by="+id.Launcher)
	}
	if id.Bridge != nil {
		parts = append(parts, "via="+id.Bridge.Name)
	}
	if id.Kind == URL && id.Transport != "" {
		parts = append(parts, "over="+id.Transport)
	}
	if id.Bridge != nil && id.Bridge.Options {
		parts = append(parts, "+bridge")
	}
	config := id.Config()
	if id.IsPackage() && config.Dir != "" {
		parts = append(parts, "dir="+config.Dir)
	}
	if len(config.Args) > 0 {
		parts = append(parts, "args="+strings.Join(config.Args, "|"))
	}
	for _, s := range config.Env {
		parts = append(parts, s.Name+"="+s.Value+map[bool]string{true: "?"}[s.Supplied])
	}
	for _, s := range config.Headers {
		parts = append(parts, s.Name+": "+s.Value+map[bool]string{true: "?"}[s.Supplied])
	}
	return strings.Join(parts, " ")
}

// TestPreparations checks that a command that only prepares is not the server.
func TestPreparations(t *testing.T) {
	for _, tool := range []string{"nvm", "fnm", "pyenv", "rbenv", "nodenv", "asdf", "mise", "conda", "mamba", "micromamba", "rvm", "sdk", "module"} {
		id := resolve(t, `{"command":"sh","args":["-c","`+tool+` use x && npx -y pkg"]}`)
		assert.Equal(t, "npm:pkg by=npx", summary(id), tool)
	}
	for _, first := range []string{". ./.venv/bin/activate.ps1", "Set-Location app", "Import-Module x", "$env:A = 'b'"} {
		id := resolve(t, `{"command":"powershell","args":["-Command","`+first+`; npx -y pkg"]}`)
		assert.Contains(t, summary(id), "npm:pkg by=npx", first)
	}
}

func TestResolve(t *testing.T) {
	tests := []struct{ name, entry, want string }{
		// Packages of npm: every launcher, every version.
		{"npx", `npx @upstash/context7-mcp`, "npm:@upstash/context7-mcp by=npx"},
		{"npx -y", `npx -y @upstash/context7-mcp@1.0.14`, "npm:@upstash/context7-mcp exact=1.0.14 by=npx"},
		{"npx --yes=true", `npx --yes=true pkg`, "npm:pkg by=npx"},
		{"npx short options joined", `npx -yq @acme/notes-mcp@1.2.0`, "npm:@acme/notes-mcp exact=1.2.0 by=npx"},
		{"npx short options joined before another", `npx -qy @evil/notes @acme/notes-mcp@1.2.0`, "npm:@evil/notes by=npx args=@acme/notes-mcp@1.2.0"},
		{"npx option of no name", `npx -x @evil/notes pkg`, "npm:@evil/notes [pkg] by=npx"},
		{"npx option that npm does not know", `npx --foo-bar @evil/notes pkg`, "npm:@evil/notes [pkg] by=npx"},
		{"npx option with a value", `npx --loglevel silly --foo=bar -registry https://r.test pkg`, "npm:pkg by=npx args=--registry=https://r.test"},
		{"npx of the repository", `./bin/npx -y pkg`, "file:app/bin/npx args=-y|pkg"},
		{"npx that anyone can replace", `/tmp/evil/npx -y pkg`, "file:/tmp/evil/npx args=-y|pkg"},
		{"bridge of the repository", `./bin/mcp-remote https://a.test/mcp`, "file:app/bin/mcp-remote args=https://a.test/mcp"},
		{"script with a package", `npx -y -p pkg ./evil.sh`, "file:app/evil.sh by=npx"},
		{"script of a shell with a package", `npx -y -p pkg sh -c ./evil.sh`, "file:app/evil.sh by=npx"},
		{"script of node with a package", `npm exec --package=pkg -- node ./evil.js`, "file:app/evil.js by=node"},
		{"called script with a package", `npx -y -p pkg --call=./evil.sh`, "file:app/evil.sh by=npx"},
		{"script of python with a package", `uvx --from wiki-mcp==0.3.1 python evil.py`, "file:app/evil.py by=python"},
		{"module with a package", `uvx --from wiki-mcp python -m wiki_mcp`, "pypi:wiki-mcp [python] by=uvx args=-m|wiki_mcp"},
		{"another package with a package", `npx -p pkg npx -y @evil/notes`, "npm:@evil/notes by=npx"},
		{"npx absolute", `/usr/local/bin/npx -y pkg`, "npm:pkg by=npx"},
		{"npx.cmd", `C:/nodejs/npx.cmd -y pkg`, "npm:pkg by=npx"},
		{"npx upper case", `NPX.CMD -y pkg`, "npm:pkg by=npx"},
		{"npx latest", `npx pkg@latest`, "npm:pkg tag=latest by=npx"},
		{"npx caret", `npx pkg@^1.2.0`, "npm:pkg range=^1.2.0 by=npx"},
		{"npx major", `npx pkg@1`, "npm:pkg range=1 by=npx"},
		{"npx 1.x", `npx pkg@1.x`, "npm:pkg range=1.x by=npx"},
		{"npx 1.2", `npx pkg@1.2`, "npm:pkg range=1.2 by=npx"},
		{"npx number", `npx -y 2048`, "npm:2048 by=npx"},
		{"npx number with a version", `npx -y 2048@1.0.0`, "npm:2048 exact=1.0.0 by=npx"},
		{"npx prerelease", `npx pkg@1.2.3-beta.1`, "npm:pkg exact=1.2.3-beta.1 by=npx"},
		{"npx -p", `npx -y -p pkg other --x`, "npm:pkg [other] by=npx args=--x"},
		{"npx --package=", `npx -y --package=task-master-ai task-master-ai`, "npm:task-master-ai by=npx"},
		{"npx --package --", `npx -y --package @launchdarkly/mcp-server -- mcp start --x y`, "npm:@launchdarkly/mcp-server [mcp start] by=npx args=--x|y"},
		{"npx -p scope", `npx -p @scope/tool@2.0.0 tool`, "npm:@scope/tool exact=2.0.0 by=npx"},
		{"npx value flag", `npx --registry https://r.test -y pkg`, "npm:pkg by=npx args=--registry=https://r.test"},
		{"npx unknown flag", `npx --loglevel silent pkg`, "npm:pkg by=npx"},
		{"npx unknown flag before flag", `npx --foo -y pkg`, "npm:pkg by=npx"},
		{"npx --no-install", `npx --no-install pkg`, "npm:pkg by=npx"},
		{"npx of a repository under the name of a package", `npx -y @acme/n@github:evil/n`, "git:https://github.com/evil/n by=npx"},
		{"npx of a short repository under a name", `npx -y n@evil/n`, "git:https://github.com/evil/n by=npx"},
		{"npx of a git address under a name", `npx -y @acme/n@git+https://github.com/evil/n.git#v1`, "git:https://github.com/evil/n tag=v1 by=npx"},
		{"npx of a directory under a name", `npx -y @acme/n@file:./evil`, "opaque:npx @acme/n@file:./evil by=npx"},
		{"npx of an alias", `npx -y npm:pkg@1.2.3`, "npm:pkg exact=1.2.3 by=npx"},
		{"npx -c with a redirection", `{"command":"npx","args":["-y","-p","pkg","-c","other > x"]}`, "opaque:npx other > x by=npx args=-y|-p|pkg|-c|other > x"},
		{"npx -c without a word", `{"command":"npx","args":["-c"," "]}`, "opaque:npx   by=npx args=-c| "},
		{"an address by its variable", `uvx mcp-proxy ${ACME_ENDPOINT}`, "opaque:${ACME_ENDPOINT} by=uvx via=mcp-proxy"},
		{"a file of variables", `docker run -i --env-file .env ghcr.io/o/r:1`, "oci:ghcr.io/o/r tag=1 by=docker args=--env-file=.env"},
		{"a file of variables in a container", `docker exec -i --env-file .env app node s.js`, "container:app [node s.js] by=docker args=--env-file=.env"},
		{"a repository of this machine", `npx -y git+file:///srv/acme/x`, "git:file:///srv/acme/x by=npx"},
		{"a path variable within a path", `node out/${workspaceFolder}/s.js`, "file:app/out/app/s.js by=node"},
		{"commands in braces", `{"command":"sh","args":["-c","{ npx -y pkg; }"]}`, "npm:pkg by=npx"},
		{"pipx of a file", `pipx run server.py --port 1`, "file:app/server.py by=pipx args=--port|1"},
		{"a script that a shell would find", `{"command":"node","args":["$(npm root -g)/x/s.js"]}`, "opaque:node $(npm root -g)/x/s.js by=node"},
		{"a program with a blank and one argument", `{"command":"my tool","args":["x"]}`, "exec:my tool args=x"},
		{"a tool of .NET", `dotnet tool run acme-mcp --x`, "exec:acme-mcp by=dotnet args=--x"},
		{"a tool of .NET alone", `dotnet tool run acme-mcp`, "exec:acme-mcp by=dotnet"},
		{"a tool of .NET that is fetched", `dotnet tool exec Acme.Mcp`, "nuget:acme.mcp by=dotnet"},
		{"a built program of .NET", `dotnet exec ./bin/acme.dll`, "file:app/bin/acme.dll by=dotnet"},
		{"nothing for .NET", `dotnet exec`, "exec:dotnet by=dotnet args=exec"},
		{"a file of Go", `go run main.go`, "file:app/main.go by=go"},
		{"files of Go", `go run main.go util.go`, "file:app/main.go by=go"},
		{"a directory called path", `nix run path`, "file:app/path by=nix"},
		{"uvx v alone", `uvx pkg==v`, "pypi:pkg range===v by=uvx"},
		{"uvx underscore", `uvx pkg==1.0_1`, "pypi:pkg exact=1.0_1 by=uvx"},
		{"dashes alone", `env --`, "exec:env args=--"},
		{"npx -c", `npx -y -c "node ~/.wallaby/mcp"`, "file:~/.wallaby/mcp by=node"},
		{"npx -p -c", `npx -y -p pkg -c "tool --x"`, "npm:pkg [tool] by=npx args=--x"},
		{"npx sub-commands", `npx -y 0xray mcp code-review --x`, "npm:0xray [mcp code-review] by=npx args=--x"},
		{"npx registry word", `npx shadcn@latest registry:mcp`, "npm:shadcn [registry:mcp] tag=latest by=npx"},
		{"npx path argument", `npx -y @modelcontextprotocol/server-filesystem ${workspaceFolder}/data`, "npm:@modelcontextprotocol/server-filesystem by=npx args=./app/data"},
		{"npx alias", `npx alias@npm:real@1.2.3`, "npm:real exact=1.2.3 by=npx"},
		{"npx github", `npx -y github:NightTrek/Software-planning-mcp#main`, "git:https://github.com/nighttrek/software-planning-mcp tag=main by=npx"},
		{"npx git+https", `npx git+https://github.com/o/r.git#0123456789012345678901234567890123456789`, "git:https://github.com/o/r exact=0123456789012345678901234567890123456789 by=npx"},
		{"npx git+ssh", `npx git+ssh://git@github.com/o/r.git`, "git:https://github.com/o/r by=npx"},
		{"npx owner/name", `npx -y o/r`, "git:https://github.com/o/r by=npx"},
		{"npx tarball", `npx -y https://host.test/pkg.tgz`, "opaque:npx https://host.test/pkg.tgz by=npx"},
		{"npx folder", `npx -y ./packages/server`, "file:app/packages/server by=npx"},
		{"npx variable", `npx -y ${PKG}`, "opaque:npx ${PKG} by=npx"},
		{"npx branch of 40 letters", `npx github:o/r#` + strings.Repeat("G", 40), "git:https://github.com/o/r tag=" + strings.Repeat("G", 40) + " by=npx"},
		{"npx commit", `npx github:o/r#` + strings.Repeat("F", 40), "git:https://github.com/o/r exact=" + strings.Repeat("F", 40) + " by=npx"},
		{"npx one letter", `npx p@2.0.0`, "npm:p exact=2.0.0 by=npx"},
		{"npx gist", `npx gist:11081aaa281#v2`, "git:https://gist.github.com/11081aaa281 tag=v2 by=npx"},
		{"npx gist with its owner", `npx gist:acme/11081aaa281`, "git:https://gist.github.com/11081aaa281 by=npx"},
		{"npx gitlab", `npx gitlab:o/r`, "git:https://gitlab.com/o/r by=npx"},
		{"npx version variable", `npx pkg@${VERSION}`, "npm:pkg tag=${VERSION} by=npx"},
		{"npx --prefix", `npx --prefix sub pkg`, "npm:pkg by=npx"},
		{"npx long sub-command", `npx pkg start-documentation-server-now`, "npm:pkg [start-documentation-server-now] by=npx"},
		{"npx credential is no sub-command", `npx pkg abcdef0123456789abcdef0123456789`, "npm:pkg by=npx args=abcdef0123456789abcdef0123456789"},
		{"npx home argument", `npx pkg ~/data/ ${HOME}/data`, "npm:pkg by=npx args=~/data|~/data"},
		{"npx your", `npx know-your-customer-mcp`, "npm:know-your-customer-mcp by=npx"},
		{"npx alone", `npx`, "exec:npx by=npx"},
		{"npx --", `npx -y -- pkg sub`, "npm:pkg [sub] by=npx"},
		{"npm exec", `npm exec -y pkg -- --x`, "npm:pkg by=npm args=--x"},
		{"npm exec --", `npm exec -- pkg@1.0.0 --x`, "npm:pkg exact=1.0.0 by=npm args=--x"},
		{"npm x", `npm x --package=pkg -- tool`, "npm:pkg [tool] by=npm"},
		{"bunx", `bunx --bun pkg@latest`, "npm:pkg tag=latest by=bunx"},
		{"bun x", `bun x pkg`, "npm:pkg by=bun"},
		{"bunx -p", `bunx -p @angular/cli ng mcp`, "npm:@angular/cli [ng mcp] by=bunx"},
		{"pnpm dlx", `pnpm dlx pkg@1.0.0`, "npm:pkg exact=1.0.0 by=pnpm"},
		{"pnpm --package dlx", `pnpm --package=pkg dlx tool`, "npm:pkg [tool] by=pnpm"},
		{"pnpm dlx --package", `pnpm dlx --package pkg tool`, "npm:pkg [tool] by=pnpm"},
		{"pnpx", `pnpx pkg`, "npm:pkg by=pnpx"},
		{"yarn dlx", `yarn dlx -q -p pkg tool`, "npm:pkg [tool] by=yarn"},
		{"deno npm", `deno run -A npm:@s/p@1.2.3 --x`, "npm:@s/p exact=1.2.3 by=deno args=--x"},
		{"deno npm bin", `deno run -A npm:@s/p@1.2.3/bin`, "npm:@s/p [bin] exact=1.2.3 by=deno"},
		{"deno jsr", `deno run --allow-net=x jsr:@s/p@1`, "jsr:@s/p range=1 by=deno"},
		{"deno x", `deno x -A -p pkg tool`, "npm:pkg [tool] by=deno"},
		{"dx", `dx npm:pkg`, "npm:pkg by=dx"},
		{"deno file", `deno run --allow-all ./main.ts`, "file:app/main.ts by=deno"},
		{"deno without run", `deno -A main.ts`, "file:app/main.ts by=deno"},
		{"deno URL", `deno run https://deno.land/x/y/mod.ts`, "opaque:deno https://deno.land/x/y/mod.ts by=deno"},
		{"deno task", `deno task --cwd sub mcp`, "file:app/sub [mcp] by=deno"},
		{"node_modules", `node ./node_modules/@scope/pkg/dist/index.js --x`, "npm:@scope/pkg by=node args=--x"},
		{"node_modules global", `{"command":"node","args":["C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\pkg\\dist\\index.js"]}`, "npm:pkg by=node"},
		{"node_modules of pnpm", `node node_modules/.pnpm/pkg@1.0.0/node_modules/pkg/cli.js`, "npm:pkg by=node"},
		{"node_modules/.bin", `./node_modules/.bin/some-mcp --x`, "exec:some-mcp args=--x"},
		{"node_modules/.bin/tsx", `./node_modules/.bin/tsx src/server.ts`, "file:app/src/server.ts by=tsx"},

		// Package scripts.
		{"npm run", `npm run mcp --silent -- --x`, "file:app [mcp] by=npm args=--x"},
		{"npm start", `npm --prefix server start`, "file:app/server [start] by=npm"},
		{"npm run --prefix", `npm run --prefix ${CLAUDE_PLUGIN_ROOT} start`, "file:app/plugin [start] by=npm"},
		{"npm run workspace", `npm run start -w @a/b`, "file:app [@a/b start] by=npm"},
		{"pnpm script", `pnpm agent:mcp`, "file:app [agent:mcp] by=pnpm"},
		{"pnpm run", `pnpm -C sub run mcp`, "file:app/sub [mcp] by=pnpm"},
		{"pnpm filter", `pnpm --filter server start`, "file:app [server start] by=pnpm"},
		{"pnpm exec", `pnpm exec tsx src/x.ts`, "file:app/src/x.ts by=tsx"},
		{"pnpm exec program", `pnpm exec some-mcp`, "exec:some-mcp by=pnpm"},
		{"pnpm tsx", `pnpm tsx src/x.ts`, "file:app/src/x.ts by=tsx"},
		{"yarn script", `yarn --cwd sub mcp`, "file:app/sub [mcp] by=yarn"},
		{"yarn run", `yarn run mcp`, "file:app [mcp] by=yarn"},
		{"yarn workspace", `yarn workspace server mcp`, "file:app [server mcp] by=yarn"},
		{"bun run", `bun run --cwd ${CLAUDE_PLUGIN_ROOT} --shell=bun --silent start`, "file:app/plugin [start] by=bun"},
		{"bun run file", `bun run src/index.ts`, "file:app/src/index.ts by=bun"},
		{"bun file", `bun ./index.ts`, "file:app/index.ts by=bun"},

		// Files.
		{"node", `node dist/index.js --port 1`, "file:app/dist/index.js by=node args=--port|1"},
		{"node ./", `node ./dist/../dist/index.js`, "file:app/dist/index.js by=node"},
		{"node options", `node --no-warnings -r ts-node/register --env-file=.env --inspect=9229 index.js`, "file:app/index.js by=node args=--env-file=.env"},
		{"node --import tsx", `node --import tsx src/x.ts`, "file:app/src/x.ts by=node"},
		{"node workspaceFolder", `node ${workspaceFolder}/dist/index.js`, "file:app/dist/index.js by=node"},
		{"node workspaceFolder:name", `node ${workspaceFolder:main}/dist/index.js`, "file:app/dist/index.js by=node"},
		{"node default", `node ${CLAUDE_PROJECT_DIR:-.}/x.js`, "file:app/x.js by=node"},
		{"node PWD", `node $PWD/x.js`, "file:app/x.js by=node"},
		{"node ${/}", `node ${extensionPath}${/}dist${/}x.js`, "file:app/.gemini/extensions/x/dist/x.js by=node"},
		{"node out of extension", `node ${extensionPath}/../../../mcp/x/server.js`, "file:app/mcp/x/server.js by=node"},
		{"node __dirname", `node ${__dirname}/server/index.js`, "file:app/bundle/server/index.js by=node"},
		{"node back-slashes", `{"command":"node","args":[".\\dist\\x.js"]}`, "file:app/dist/x.js by=node"},
		{"node absolute", `node /opt/x/server.js`, "file:/opt/x/server.js by=node"},
		{"node drive", `{"command":"C:\\Program Files\\nodejs\\node.exe","args":["c:\\x\\server.js"]}`, "file:C:/x/server.js by=node"},
		{"node home", `node ${HOME}/x.js`, "file:~/x.js by=node"},
		{"node userHome", `node ${userHome}/x.js`, "file:~/x.js by=node"},
		{"node USERPROFILE", `{"command":"node","args":["%USERPROFILE%\\x.js"]}`, "file:~/x.js by=node"},
		{"node unknown variable", `node ${MCP_HOME}/x.js`, "opaque:node ${MCP_HOME}/x.js by=node"},
		{"node other syntax of it", `node ${env:MCP_HOME}/x.js`, "opaque:node ${MCP_HOME}/x.js by=node"},
		{"node -e", `node -e "require('x')"`, "opaque:node -e require('x') by=node"},
		{"node cwd", `{"command":"node","args":["index.js"],"cwd":"mcp/a"}`, "file:app/mcp/a/index.js by=node"},
		{"node cwd variable", `{"command":"node","args":["index.js"],"cwd":"${workspaceFolder}/mcp/a"}`, "file:app/mcp/a/index.js by=node"},
		{"node cwd absolute", `{"command":"node","args":["index.js"],"cwd":"/home/me/a"}`, "file:/home/me/a/index.js by=node"},
		{"node above", `node ../../other/x.js`, "file:../other/x.js by=node"},
		{"npx tsx", `npx -y tsx tools/mcp/server.ts`, "file:app/tools/mcp/server.ts by=tsx"},
		{"npx tsx version", `npx tsx@4.0.0 x.ts`, "file:app/x.ts by=tsx"},
		{"npx ts-node", `npx ts-node --project tsconfig.json x.ts`, "file:app/x.ts by=ts-node"},
		{"tsx watch", `tsx watch src/x.ts`, "file:app/src/x.ts by=tsx"},
		{"pnpm mcporter", `pnpm mcporter serve --http-url https://h.test/mcp`, "url:https://h.test/mcp by=pnpm via=mcporter"},
		{"npm script of a launcher's name", `npm run deno`, "file:app [deno] by=npm"},
		{"node on a drive", `node a:/x.js`, "file:A:/x.js by=node"},
		{"nodemon", `nodemon --watch src --exec tsx src/x.ts`, "file:app/src/x.ts by=tsx"},
		{"python", `python server.py --x`, "file:app/server.py by=python args=--x"},
		{"python3", `python3 -u ./server.py`, "file:app/server.py by=python"},
		{"python3.12", `/usr/bin/python3.12 server.py`, "file:app/server.py by=python"},
		{"venv", `.venv/bin/python server.py`, "file:app/server.py by=python"},
		{"venv of Windows", `{"command":"venv\\Scripts\\python.exe","args":["server.py"]}`, "file:app/server.py by=python"},
		{"venv below the project", `${workspaceFolder}/.venv/bin/python -m pkg.server`, "exec:pkg.server by=python"},
		{"python -m", `python -m mcp_server_fetch`, "exec:mcp_server_fetch by=python"},
		{"python -um", `python -um pkg`, "exec:pkg by=python"},
		{"python -m cwd", `{"command":"python","args":["-m","src.server"],"cwd":"sub"}`, "exec:src.server [app/sub] by=python"},
		{"python -c", `python -c "import x"`, "opaque:python -c import x by=python"},
		{"python -X", `python -X utf8 -W ignore server.py`, "file:app/server.py by=python"},
		{"py", `py -3.11 server.py`, "file:app/server.py by=python"},
		{"php artisan", `php artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"php options", `php -d memory_limit=-1 -f server.php`, "file:app/server.php by=php"},
		{"php of XAMPP", `{"command":"C:\\XAMPP\\php\\php.exe","args":["artisan","boost:mcp"]}`, "file:app/artisan [boost:mcp] by=php"},
		{"ruby", `ruby -Ilib server.rb`, "file:app/server.rb by=ruby"},
		{"perl", `perl server.pl`, "file:app/server.pl by=perl"},
		{"java -jar", `java -Xmx1g -Dx=y -jar target/server-1.0.jar --x`, "file:app/target/server-1.0.jar by=java args=-Dx=y|--x"},
		{"java class", `java -cp a.jar com.x.Main`, "exec:com.x.Main by=java args=-cp=a.jar"},
		{"script", `bash ./scripts/run.sh --x`, "file:app/scripts/run.sh by=bash args=--x"},
		{"program of the repository", `./bin/server --x`, "file:app/bin/server args=--x"},
		{"program of a plugin", `${CLAUDE_PLUGIN_ROOT}/server`, "file:app/plugin/server"},
		{"absolute program", `/usr/local/bin/foo`, "file:/usr/local/bin/foo"},
		{"home program", `$HOME/go/bin/terraform-mcp-server`, "file:~/go/bin/terraform-mcp-server"},
		{"script named like a launcher", `./docker.sh run x`, "file:app/docker.sh args=run|x"},
		{"relative launcher", `./scripts/npx x`, "file:app/scripts/npx args=x"},
		{"path with spaces", `{"command":"/Applications/My App.app/Contents/MacOS/server"}`, "file:/Applications/My App.app/Contents/MacOS/server"},
		{"go run .", `go run . --x`, "file:app by=go args=--x"},
		{"go run ./cmd", `go run ./cmd/server`, "file:app/cmd/server by=go"},
		{"go run files", `go run main.go util.go --x`, "file:app/main.go by=go args=--x"},
		{"go -C", `go -C sub run .`, "file:app/sub by=go"},
		{"go run package", `go run github.com/o/r/cmd/server@v1.2.3 stdio`, "go:github.com/o/r/cmd/server [stdio] exact=v1.2.3 by=go"},
		{"go run latest", `go run -tags x github.com/o/r@latest`, "go:github.com/o/r tag=latest by=go args=-tags=x"},
		{"cargo run", `cargo run --quiet --release --bin server -- --x`, "file:app [server] by=cargo args=--x"},
		{"cargo manifest", `cargo run --manifest-path crates/mcp/Cargo.toml`, "file:app/crates/mcp by=cargo"},
		{"dotnet run", `dotnet run --project src/Server/Server.csproj --no-build -- --x`, "file:app/src/Server by=dotnet args=--x"},
		{"dotnet run folder", `dotnet run --project src/Server`, "file:app/src/Server by=dotnet"},
		{"dotnet dll", `dotnet bin/Server.dll --x`, "file:app/bin/Server.dll by=dotnet args=--x"},
		{"make", `make -C sub mcp`, "file:app/sub [mcp] by=make"},

		// Packages of PyPI.
		{"uvx", `uvx mcp-server-fetch`, "pypi:mcp-server-fetch by=uvx"},
		{"uvx PEP 503", `uvx awslabs.aws_documentation-mcp-server@latest`, "pypi:awslabs-aws-documentation-mcp-server tag=latest by=uvx"},
		{"uvx @version", `uvx pkg@1.2.3 --x`, "pypi:pkg exact=1.2.3 by=uvx args=--x"},
		{"uvx @range", `uvx pkg@~1.2`, "pypi:pkg range=~1.2 by=uvx"},
		{"uvx ==", `uvx pkg==1.2.3`, "pypi:pkg exact=1.2.3 by=uvx"},
		{"uvx range", `{"command":"uvx","args":["--from","pkg>=1,<2","pkg"]}`, "pypi:pkg range=>=1,<2 by=uvx"},
		{"uvx wildcard", `uvx pkg==1.*`, "pypi:pkg range===1.* by=uvx"},
		{"uvx --from", `uvx --from context-portal-mcp conport-mcp --mode stdio`, "pypi:context-portal-mcp [conport-mcp] by=uvx args=--mode|stdio"},
		{"uvx --from same", `uvx --from redis_mcp_server@latest redis-mcp-server`, "pypi:redis-mcp-server tag=latest by=uvx"},
		{"uvx extras", `{"command":"uvx","args":["--from=pkg[cli]==2.0","pkg"]}`, "pypi:pkg exact=2.0 by=uvx args=[cli]"},
		{"uvx git", `uvx --from git+https://github.com/oraios/serena serena start-mcp-server --context ide`, "git:https://github.com/oraios/serena [start-mcp-server] by=uvx args=--context|ide"},
		{"uvx git ref", `uvx --from git+https://github.com/o/R@v1.0 other`, "git:https://github.com/o/r [other] tag=v1.0 by=uvx"},
		{"uvx git sha", `uvx --from git+https://github.com/o/r@0123456789012345678901234567890123456789#subdirectory=a/b r`, "git:https://github.com/o/r [subdirectory=a/b] exact=0123456789012345678901234567890123456789 by=uvx"},
		{"uvx git user", `uvx --from git+ssh://git@github.com/o/r.git r`, "git:https://github.com/o/r by=uvx"},
		{"uvx direct reference", `{"command":"uvx","args":["--from","name @ git+https://github.com/o/r@v1","name"]}`, "git:https://github.com/o/r [name] tag=v1 by=uvx"},
		{"uvx wheel", `uvx --from https://h.test/x-1.0-py3-none-any.whl x`, "opaque:uvx https://h.test/x-1.0-py3-none-any.whl by=uvx"},
		{"uvx local wheel", `uvx --from ./dist/x.whl x`, "file:app/dist/x.whl [x] by=uvx"},
		{"uvx extras and @", `uvx pkg[a]@1.0`, "pypi:pkg exact=1.0 by=uvx args=[a]"},
		{"uvx folder", `uvx --from . my-server`, "file:app [my-server] by=uvx"},
		{"uvx options", `uvx --python 3.12 -q --with b --with a --refresh pkg`, "pypi:pkg by=uvx args=--with=a|--with=b"},
		{"uvx index", `uvx -i https://i.test pkg`, "pypi:pkg by=uvx args=--index-url=https://i.test"},
		{"uv tool run", `uv tool run --from pkg tool`, "pypi:pkg [tool] by=uvx"},
		{"pipx", `pipx run --no-cache pkg --x`, "pypi:pkg by=pipx args=--x"},
		{"pipx spec", `pipx run --spec pkg==1.0 tool`, "pypi:pkg [tool] exact=1.0 by=pipx"},
		{"uv run file", `uv run --directory sub server.py`, "file:app/sub/server.py by=uv"},
		{"uv --directory", `uv --directory ${CLAUDE_PLUGIN_ROOT} run src/server.py`, "file:app/plugin/src/server.py by=uv"},
		{"uv run python", `uv run python -u server.py`, "file:app/server.py by=python"},
		{"uv run -m", `uv run --project sub -m pkg.server --x`, "exec:pkg.server [app/sub] by=uv args=--x"},
		{"uv run python -m", `uv run python -m pkg.server`, "exec:pkg.server by=python"},
		{"uv run script", `uv --directory sub run my-server --x`, "file:app/sub [my-server] by=uv args=--x"},
		{"uv run --with", `uv run --with mcp-server-x mcp-server-x`, "pypi:mcp-server-x by=uv"},
		{"uv run --with mcp", `uv run --with mcp[cli] mcp run server.py`, "file:app/server.py by=mcp args=--with=mcp[cli]"},
		{"uv run fastmcp", `uv run --with fastmcp fastmcp run server.py:app`, "file:app/server.py [app] by=fastmcp args=--with=fastmcp"},
		{"uv run --script", `uv run --script tool.py --x`, "file:app/tool.py by=uv args=--x"},
		{"uv run -s -q", `uv run -q -s tool.py`, "file:app/tool.py by=uv"},
		{"poetry", `poetry -C sub run my-server`, "file:app/sub [my-server] by=poetry"},
		{"uv run python -m elsewhere", `uv run --project sub python -m pkg.server`, "exec:pkg.server [app/sub] by=python"},
		{"uv run python in a directory", `uv run --project sub python server.py`, "file:app/server.py by=python"},
		{"uv run npx", `uv run npx -y pkg`, "npm:pkg by=npx"},
		{"uv run make", `uv run make serve`, "file:app [serve] by=make"},
		{"uv run dotenv", `uv run --with python-dotenv dotenv -f .env run -- python x.py`, "file:app/x.py by=python args=--with=python-dotenv|dotenv=.env"},
		{"uvx --lfs", `uvx --lfs --from git+https://github.com/o/r tool`, "git:https://github.com/o/r [tool] by=uvx"},
		{"pipx index", `pipx run -i https://pypi.acme.test pkg`, "pypi:pkg by=pipx args=--index-url=https://pypi.acme.test"},
		{"poetry task", `poetry run task serve`, "file:app [serve] by=task"},
		{"poetry python", `poetry run python server.py`, "file:app/server.py by=python"},

		// NuGet, Nix, mise.
		{"dnx", `dnx Azure.Mcp@1.2.3 --yes --source https://s.test -- server start`, "nuget:azure.mcp [server start] exact=1.2.3 by=dnx args=--source=https://s.test"},
		{"dnx --version", `dnx Azure.Mcp --version 1.* --yes`, "nuget:azure.mcp range=1.* by=dnx"},
		{"dnx -y", `dnx -y Azure.Mcp`, "nuget:azure.mcp by=dnx"},
		{"dotnet tool exec", `dotnet tool exec Azure.Mcp@1.0.0 -y -- x`, "nuget:azure.mcp [x] exact=1.0.0 by=dotnet"},
		{"dotnet dnx", `dotnet dnx Azure.Mcp`, "nuget:azure.mcp by=dnx"},
		{"nix run", `nix run github:o/r/v1.0#server -- --x`, "git:https://github.com/o/r [server] tag=v1.0 by=nix args=--x"},
		{"nix run .", `nix run .#server`, "file:app [server] by=nix"},
		{"nix nixpkgs", `nix run nixpkgs#some-mcp`, "exec:some-mcp by=nix"},

		// Containers.
		{"docker", `docker run -i --rm ghcr.io/github/github-mcp-server`, "oci:ghcr.io/github/github-mcp-server by=docker"},
		{"docker library", `docker run markitdown-mcp:latest`, "oci:docker.io/library/markitdown-mcp tag=latest by=docker"},
		{"docker hub", `docker run -it mcp/git`, "oci:docker.io/mcp/git by=docker"},
		{"docker hub spelled out", `docker run -it index.docker.io/mcp/git`, "oci:docker.io/mcp/git by=docker"},
		{"docker name that is not valid", `docker run ghcr.io/acme/srv~1`, "opaque:docker ghcr.io/acme/srv~1 by=docker"},
		{"docker port", `docker run localhost:5000/x:1.0`, "oci:localhost:5000/x tag=1.0 by=docker"},
		{"docker digest", `docker run -i x/y@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`, "oci:docker.io/x/y exact=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef by=docker"},
		{"docker tag and digest", `docker run x/y:1@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`, "oci:docker.io/x/y exact=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef by=docker"},
		{"docker env", `docker run -i --rm -e A=1 -eB=2 --env=C=3 --env D=4 -e PASS -ie E=5 x/y`, "oci:docker.io/x/y by=docker A=1 B=2 C=3 D=4 E=5"},
		{"docker pass-through", `docker run -e TOKEN=${TOKEN} -e X=${env:X} x/y`, "oci:docker.io/x/y by=docker"},
		{"docker other variable", `docker run -e TOKEN=${PROD} x/y`, "oci:docker.io/x/y by=docker TOKEN=${PROD}"},
		{"docker options", `docker run -i --rm --name n --pull always --init -v ${workspaceFolder}:/work -p8080:80 --network host --privileged x/y serve --a b`,
			"oci:docker.io/x/y [serve] by=docker args=--network=host|--privileged|--publish=8080:80|--volume=./app:/work|--a|b"},
		{"docker options, other order", `docker run --network=host -p 8080:80 --volume .:/work --privileged -it x/y serve --a b`,
			"oci:docker.io/x/y [serve] by=docker args=--network=host|--privileged|--publish=8080:80|--volume=./app:/work|--a|b"},
		{"docker volume of Windows", `{"command":"docker","args":["run","-v","c:\\data:/data:ro","x/y"]}`, "oci:docker.io/x/y by=docker args=--volume=C:/data:/data:ro"},
		{"docker home volume", `docker run -v ${HOME}/.aws:/aws x/y`, "oci:docker.io/x/y by=docker args=--volume=~/.aws:/aws"},
		{"docker mount", `docker run --mount type=bind,src=${workspaceFolder},dst=/w x/y`, "oci:docker.io/x/y by=docker args=--mount=type=bind,src=./app,dst=/w"},
		{"docker container run", `docker --context x container run x/y`, "oci:docker.io/x/y by=docker args=docker --context=x"},
		{"docker entrypoint", `docker run --entrypoint tool x/y`, "oci:docker.io/x/y by=docker args=--entrypoint=tool"},
		{"docker node npx", `docker run -i --rm node:20 npx -y pkg@1.0.0`, "npm:pkg exact=1.0.0 by=npx args=image=docker.io/library/node"},
		{"docker entrypoint npx", `docker run --entrypoint npx node:20 -y pkg`, "npm:pkg by=npx args=--entrypoint=npx|image=docker.io/library/node"},
		{"docker uv", `docker run -i ghcr.io/astral-sh/uv:latest uvx pkg`, "pypi:pkg by=uvx args=image=ghcr.io/astral-sh/uv"},
		{"docker node file", `docker run -i -v .:/w -w /w node:20 node server.js`, "oci:docker.io/library/node [node] tag=20 by=docker args=--volume=./app:/w|--workdir=/w|server.js"},
		{"docker tag variable", `docker run x/y:${TAG:-v1/2}`, "oci:docker.io/x/y tag=${TAG:-v1/2} by=docker"},
		{"docker -i=true", `docker run -i=true --rm=true x/y`, "oci:docker.io/x/y by=docker"},
		{"docker create", `docker run -u 1000 --cpus 2 --memory=1g x/y`, "oci:docker.io/x/y by=docker args=--cpus=2|--memory=1g|--user=1000"},
		{"docker variable", `docker run ${IMAGE}`, "opaque:docker ${IMAGE} by=docker"},
		{"podman", `podman run --arch amd64 --secret s -i quay.io/o/r:v1`, "oci:quay.io/o/r tag=v1 by=podman args=--secret=s"},
		{"nerdctl", `nerdctl run -i x/y`, "oci:docker.io/x/y by=nerdctl"},
		{"docker exec", `docker exec -i -e A=1 mcp-serena serena start-mcp-server --x`, "container:mcp-serena [serena start-mcp-server] by=docker args=--x A=1"},
		{"docker exec -m", `docker exec -i c python -m pkg --x`, "container:c [python -m pkg] by=docker args=--x"},
		{"docker compose", `docker compose -f deploy/compose.yml run --rm -T mcp serve`, "container:mcp [compose app/deploy/compose.yml serve] by=docker"},
		{"docker compose project", `docker compose -p other run --rm mcp`, "container:mcp [compose app] by=docker args=--project-name=other"},
		{"docker-compose", `docker-compose exec -T mcp node x.js`, "container:mcp [compose app node x.js] by=docker-compose"},
		{"docker mcp gateway", `docker mcp gateway run --servers=b,a --transport stdio`, "catalog:a,b by=docker"},
		{"docker mcp gateway all", `docker mcp gateway run`, "catalog:* by=docker"},
		{"docker/mcp-gateway", `docker run -i docker/mcp-gateway --servers=a --catalog=x.yaml`, "catalog:a by=docker args=--catalog=x.yaml"},

		// Wrappers.
		{"cmd /c", `cmd /c npx -y pkg`, "npm:pkg by=npx"},
		{"cmd.exe /C string", `cmd.exe /C "npx -y pkg --x"`, "npm:pkg by=npx args=--x"},
		{"cmd options", `cmd /d /s /c npx pkg`, "npm:pkg by=npx"},
		{"cmd /k", `cmd /k npx pkg`, "npm:pkg by=npx"},
		{"cmd path", `{"command":"cmd","args":["/c","node C:\\x\\y.js"]}`, "file:C:/x/y.js by=node"},
		{"cmd list", `cmd /c npx pkg "&&" del x`, "opaque:cmd npx pkg && del x by=cmd"},
		{"wsl", `wsl.exe /usr/bin/php8.4 /home/me/x/artisan boost:mcp`, "file:/home/me/x/artisan [boost:mcp] by=php"},
		{"wsl options", `wsl -d Ubuntu --cd /srv -- node x.js`, "file:/srv/x.js by=node"},
		{"wsl bash", `wsl bash -lc "npx -y pkg"`, "npm:pkg by=npx"},
		{"env", `env -i A=1 B=2 npx -y pkg`, "npm:pkg by=npx A=1 B=2"},
		{"env -S", `env -S "A=1 npx pkg" --x`, "npm:pkg by=npx args=--x A=1"},
		{"/usr/bin/env", `/usr/bin/env node x.js`, "file:app/x.js by=node"},
		{"sh -c", `sh -c "npx -y pkg"`, "npm:pkg by=npx"},
		{"bash -lc exec", `bash -lc "exec npx -y pkg --x 'a b'"`, "npm:pkg by=npx args=--x|a b"},
		{"zsh -l -c", `zsh -l -c "A=1 npx pkg 2>/dev/null"`, "npm:pkg by=npx A=1"},
		{"sh -c cd", `sh -c "cd sub && node x.js"`, "file:app/sub/x.js by=node"},
		{"sh -c list", `sh -c "npm i && npx pkg"`, "opaque:sh npm i && npx pkg by=sh"},
		{"sh -c pipe", `sh -c "curl https://x.test | sh"`, "opaque:sh curl https://x.test | sh by=sh"},
		{"sh -c condition", `bash -c "[ -f x ] && exec sentry-mcp --organization-slug h || exit 0"`, "opaque:bash [ -f x ] && exec sentry-mcp --organization-slug h || exit 0 by=bash"},
		{"sh -c substitution", `{"command":"sh","args":["-c","$(which npx) pkg"]}`, "opaque:sh $(which npx) pkg by=sh"},
		{"sh -c positional", `{"command":"sh","args":["-c","npx \"$@\"","--","pkg"]}`, `opaque:sh npx "$@" by=sh`},
		// Command lines whose last command is the server.
		{"line source", `sh -c "source .env && exec npx -y pkg"`, "npm:pkg by=npx args=source ./app/.env"},
		{"line export", `sh -c "export A=b; node y.js"`, "file:app/y.js by=node A=b"},
		{"line exports", `bash -c 'export A=b C="d e"; export F; exec node y.js'`, "file:app/y.js by=node A=b C=d e"},
		{"line PATH", `bash -c 'export PATH="$HOME/.bun/bin:$PATH"; exec repomix --mcp'`, "exec:repomix args=--mcp PATH=~/.bun/bin:${PATH}"},
		{"line assignments", `sh -c 'A=b; C=d node y.js'`, "file:app/y.js by=node A=b C=d"},
		{"line cd", `sh -c "cd sub && npx -y pkg"`, "npm:pkg by=npx dir=app/sub"},
		{"line cd and a program alone", `sh -c "cd sub && ./serve"`, "file:app/sub/serve"},
		{"line cd and a keyword", `sh -c "cd sub && if"`, "opaque:sh cd sub && if by=sh"},
		{"line cd ;", `sh -c "cd sub; node y.js"`, "file:app/sub/y.js by=node"},
		{"line cd or exit", `sh -c "cd sub || exit 1; node y.js"`, "file:app/sub/y.js by=node"},
		{"line cd twice", `sh -c "cd sub && cd ../other && node y.js"`, "file:app/other/y.js by=node"},
		{"line cd root", `sh -c 'cd "$(git rev-parse --show-toplevel)" && node y.js'`, "file:y.js by=node"},
		{"line cd below root", `sh -c 'cd "$(git rev-parse --show-toplevel)/sub" && node y.js'`, "file:sub/y.js by=node"},
		{"line cd variable", `sh -c "cd ${CLAUDE_PROJECT_DIR:-.} && node y.js"`, "file:app/y.js by=node"},
		{"line nvm", `bash -c '. "$NVM_DIR/nvm.sh" && nvm use 20 && npx -y pkg'`, "npm:pkg by=npx"},
		{"line nvm whole", `bash -lc 'export NVM_DIR="$HOME/.nvm"; [ -s "$NVM_DIR/nvm.sh" ] && \. "$NVM_DIR/nvm.sh"; nvm use --silent 22 >/dev/null 2>&1; exec npx -y pkg'`,
			"npm:pkg by=npx NVM_DIR=~/.nvm"},
		{"line fnm", `zsh -c 'eval "$(fnm env --use-on-cd)" && fnm use 22 && node y.js'`, "file:app/y.js by=node"},
		{"line homebrew", "bash -c 'eval `/opt/homebrew/bin/brew shellenv`; uvx pkg'", "pypi:pkg by=uvx"},
		{"line venv", `bash -c "source .venv/bin/activate && python -m pkg.server"`, "exec:pkg.server by=python"},
		{"line conda", `bash -c "source ~/miniconda3/etc/profile.d/conda.sh && conda activate mcp && python server.py"`, "file:app/server.py by=python"},
		{"line set -a", `bash -c "set -a; source .env; set +a; exec uvx pkg"`, "pypi:pkg by=uvx args=source ./app/.env"},
		{"line set -euo", `bash -euo pipefail -c "set -x; exec uvx pkg"`, "pypi:pkg by=uvx"},
		{"line test", `bash -c "test -f .env && . ./.env; node y.js"`, "file:app/y.js by=node args=source ./app/.env"},
		{"line test and cd", `sh -c "[ -d sub ] && cd sub && node y.js"`, "file:app/sub/y.js by=node"},
		{"line test and exit", `sh -c "[ -f off ] && exit 0; node y.js"`, "file:app/y.js by=node"},
		{"line if", `bash -c "if [ -f .env ]; then . ./.env; fi; node y.js"`, "file:app/y.js by=node args=source ./app/.env"},
		{"line mkdir", `sh -c "mkdir -p ~/.data && uvx pkg"`, "pypi:pkg by=uvx"},
		{"line says something", `sh -c "echo starting >&2; exec uvx pkg 2>>log.txt"`, "pypi:pkg by=uvx"},
		{"line of several", "sh -c 'cd sub\n# the server\nexport A=1\nexec node y.js\n'", "file:app/sub/y.js by=node A=1"},
		{"line exec of output", `sh -c "exec 2>log.txt; node y.js"`, "file:app/y.js by=node"},
		{"line exec -a", `sh -c "exec -a server node y.js"`, "file:app/y.js by=node"},
		{"line in wsl", `wsl bash -lc "cd /mnt/c/x && ./server --x"`, "file:/mnt/c/x/server args=--x"},
		{"line with a comment and quotes", `sh -c "exec npx -y pkg --a='x; y' # not z"`, "npm:pkg by=npx args=--a=x; y"},
		{"cmd line", `cmd /c "cd /d sub && set A=b&& npx -y pkg"`, "npm:pkg by=npx dir=app/sub A=b"},
		{"cmd words", `cmd /c cd sub "&&" chcp 65001 ">nul" "&" call npx -y pkg`, "npm:pkg by=npx dir=app/sub"},
		{"cmd venv", `cmd /c "venv\\Scripts\\activate && python x.py"`, "file:app/x.py by=python"},
		{"powershell line", `powershell -Command "$env:A='b'; $env:C = 'd'; Set-Location sub; & 'node' y.js"`, "file:app/sub/y.js by=node A=b C=d"},
		{"powershell venv", `pwsh -c "& .venv\\Scripts\\Activate.ps1; python x.py"`, "file:app/x.py by=python"},
		// Command lines whose meaning is not certain.
		{"line build", `sh -c "npm run build && node y.js"`, "opaque:sh npm run build && node y.js by=sh"},
		{"line install", `sh -c "pip install -q pkg && pkg"`, "opaque:sh pip install -q pkg && pkg by=sh"},
		{"line or", `sh -c "a || b"`, "opaque:sh a || b by=sh"},
		{"line or server", `sh -c "[ -x a ] || exec b"`, "opaque:sh [ -x a ] || exec b by=sh"},
		{"line pipe", `sh -c "node y.js | tee x"`, "opaque:sh node y.js | tee x by=sh"},
		{"line two servers", `sh -c "a & b"`, "opaque:sh a & b by=sh"},
		{"line in the background", `sh -c "a &"`, "opaque:sh a & by=sh"},
		{"line maybe elsewhere", `sh -c "[ -d sub ] && cd sub; node y.js"`, "opaque:sh [ -d sub ] && cd sub; node y.js by=sh"},
		{"line exit first", `sh -c "exit 0; node y.js"`, "opaque:sh exit 0; node y.js by=sh"},
		{"line in if", `sh -c "if x; then node y.js; fi"`, "opaque:sh if x; then node y.js; fi by=sh"},
		{"line loop", `sh -c "while true; do node y.js; done"`, "opaque:sh while true; do node y.js; done by=sh"},
		{"line brackets", `sh -c "(cd sub; node y.js)"`, "file:app/sub/y.js by=node"},
		{"line brackets before the server", `sh -c "(cd sub); node y.js"`, "opaque:sh (cd sub); node y.js by=sh"},
		{"line function", `sh -c "f() { node y.js; }; f"`, "opaque:sh f() { node y.js; }; f by=sh"},
		{"line alias", `sh -c "alias node=x; node y.js"`, "opaque:sh alias node=x; node y.js by=sh"},
		{"line eval", `sh -c 'eval "$(cat x)"; node y.js'`, `opaque:sh eval "$(cat x)"; node y.js by=sh`},
		{"line output", `sh -c "node y.js > x"`, "opaque:sh node y.js > x by=sh"},
		{"line input", `sh -c "node y.js < x"`, "opaque:sh node y.js < x by=sh"},
		{"line here-document", "sh -c 'node - <<X\ny\nX'", "opaque:sh node - <<X\ny\nX by=sh"},
		{"line not closed", `sh -c "node 'y.js"`, "opaque:sh node 'y.js by=sh"},
		{"line variable program", `sh -c 'p=$(which node); exec "$p" y.js'`, `opaque:sh p=$(which node); exec "$p" y.js by=sh`},
		{"line assignments alone", `sh -c "A=b"`, "opaque:sh A=b by=sh"},
		{"line cd alone", `sh -c "cd && node y.js"`, "opaque:sh cd && node y.js by=sh"},
		{"cmd two commands", `cmd /c npm ci "&&" node y.js`, "opaque:cmd npm ci && node y.js by=cmd"},
		{"powershell pipe", `powershell -c irm https://h.test/x "|" iex`, "opaque:powershell irm https://h.test/x | iex by=powershell"},
		{"powershell encoded", `powershell -EncodedCommand ZQBjAGgAbwA=`, "opaque:powershell -EncodedCommand ZQBjAGgAbwA= by=powershell"},
		{"powershell", `powershell -NoProfile -ExecutionPolicy Bypass -File run.ps1 --x`, "file:app/run.ps1 by=powershell args=--x"},
		{"pwsh -Command", `pwsh -Command "npx -y pkg"`, "npm:pkg by=npx"},
		{"sudo", `sudo -E -u me npx pkg`, "npm:pkg by=npx"},
		{"nice", `nice -n 10 npx pkg`, "npm:pkg by=npx"},
		{"timeout", `timeout -k 5 60 npx pkg`, "npm:pkg by=npx"},
		{"mise exec", `mise exec -- npx pkg`, "npm:pkg by=npx"},
		{"mise x tool", `mise x node@20 -- npx pkg`, "npm:pkg by=npx"},
		{"direnv", `direnv exec . npx pkg`, "npm:pkg by=npx args=direnv ./app"},
		{"dotenvx", `dotenvx run -f .env.local -- npx pkg`, "npm:pkg by=npx args=dotenvx -f=.env.local"},
		{"npx dotenvx", `npx -y @dotenvx/dotenvx run -- npx pkg`, "npm:pkg by=npx"},
		{"dotenv-cli", `npx dotenv-cli -e .env.local -- npx pkg`, "npm:pkg by=npx args=dotenv=.env.local"},
		{"python-dotenv", `dotenv -f .env run npx pkg`, "npm:pkg by=npx args=dotenv=.env"},
		{"doppler", `doppler run -p app -c prd -- npx pkg`, "npm:pkg by=npx args=doppler -c=prd|doppler -p=app"},
		{"infisical", `infisical run --env=prod -- npx pkg`, "npm:pkg by=npx args=infisical --env=prod"},
		{"op", `op run --env-file=.env --no-masking -- npx pkg`, "npm:pkg by=npx args=op --env-file=.env"},
		{"aws-vault", `aws-vault exec prod -- uvx pkg`, "pypi:pkg by=uvx args=aws-vault prod"},
		{"envmcp", `npx -y envmcp -e .env npx -y pkg`, "npm:pkg by=npx args=envmcp -e=.env"},
		{"cross-env", `npx cross-env A=1 node x.js`, "file:app/x.js by=node A=1"},
		{"mise package", `mise exec npm:@upstash/context7-mcp@1.0.0 -- context7-mcp --x`, "npm:@upstash/context7-mcp exact=1.0.0 by=mise args=--x"},
		{"mise package without dashes", `mise x npm:pkg pkg`, "npm:pkg by=mise"},
		{"mise package and runtime", `mise x node@22 npm:pkg@1.0.0 -- tool`, "npm:pkg [tool] exact=1.0.0 by=mise"},
		{"mise package of Python", `mise x pipx:mcp-server-x@2.0 -- mcp-server-x`, "pypi:mcp-server-x exact=2.0 by=mise"},
		{"mise two packages", `mise x npm:a npm:b -- tool`, "exec:tool"},
		{"mise package and launcher", `mise x npm:a -- npx -y pkg`, "npm:pkg by=npx"},
		{"sail", `vendor/bin/sail artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"sail here", `./vendor/bin/sail art boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"sail php", `sail php artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"sail npx", `sail npx -y pkg`, "npm:pkg by=npx"},
		{"sail other", `sail up`, "exec:sail args=up"},
		{"lando", `lando php /app/artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"lando artisan", `lando artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"lando exec", `lando exec appserver -- php artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"lando ssh", `lando ssh -s appserver -c "cd sub && php artisan boost:mcp"`, "file:app/sub/artisan [boost:mcp] by=php"},
		{"ddev", `ddev php artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"ddev artisan", `ddev artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"ddev exec", `ddev exec -d /var/www/html php /var/www/html/artisan boost:mcp`, "file:app/artisan [boost:mcp] by=php"},
		{"ddev exec line", `ddev exec "npx -y pkg"`, "npm:pkg by=npx"},
		{"ddev drush", `ddev drush mcp`, "exec:drush args=mcp"},
		{"conda", `conda run --no-capture-output -n e python x.py`, "file:app/x.py by=python"},
		{"nix develop", `nix develop -c npx pkg`, "npm:pkg by=npx"},
		{"three wrappers", `cmd /c wsl env A=1 bash -c "exec npx -y pkg"`, "npm:pkg by=npx A=1"},
		{"whole line", `{"command":"npx -y pkg --x"}`, "npm:pkg by=npx args=--x"},
		{"whole line of a program", `{"command":"node index.js"}`, "file:app/index.js by=node"},
		{"line and arguments", `{"command":"npx -y","args":["pkg"]}`, "npm:pkg by=npx"},
		{"cmd in one word", `{"command":"cmd /c npx -y pkg"}`, "npm:pkg by=npx"},
		{"doas in the command", `{"command":"doas npx","args":["-y","@acme/server"]}`, "npm:@acme/server by=npx"},
		{"volta in the command", `{"command":"volta run npx","args":["-y","@acme/server"]}`, "npm:@acme/server by=npx"},
		{"task in the command", `{"command":"task serve","args":["--silent"]}`, "file:app [serve] by=task args=--silent"},
		{"just in the command", `{"command":"just serve","args":["--silent"]}`, "file:app [serve] by=just args=--silent"},
		{"pnx in the command", `{"command":"pnx @acme/server@1.2.3"}`, "npm:@acme/server exact=1.2.3 by=pnx"},
		{"sudo in a directory", `sudo -D sub node x.js`, "file:app/sub/x.js by=node"},
		{"conda in a directory", `conda run --cwd sub python x.py`, "file:app/sub/x.py by=python"},
		{"mise in a directory", `mise x --cd sub -- node x.js`, "file:app/sub/x.js by=node"},
		{"docker exec package", `docker exec -i app npx -y pkg@1.0.0`, "npm:pkg exact=1.0.0 by=npx args=container=app"},
		{"docker exec line", `docker exec -i app sh -c "cd /srv && uvx pkg"`, "pypi:pkg by=uvx dir=/srv args=container=app"},
		{"docker compose exec package", `docker compose exec -T app npx -y pkg`, "npm:pkg by=npx args=container=app"},
		{"docker compose exec file", `docker compose exec -T app php artisan boost:mcp`, "container:app [compose app php artisan boost:mcp] by=docker"},
		{"docker in one word", `{"command":"docker run -i --rm mcp/git"}`, "oci:docker.io/mcp/git by=docker"},

		// Remote servers.
		{"url", `{"url":"https://mcp.linear.app/sse"}`, "url:https://mcp.linear.app/sse"},
		{"url type", `{"type":"http","url":"https://mcp.linear.app/mcp"}`, "url:https://mcp.linear.app/mcp over=http"},
		{"url case and slash", `{"url":"HTTPS://MCP.Linear.App:443/Mcp/"}`, "url:https://mcp.linear.app/Mcp"},
		{"url root", `{"url":"https://mcp.socket.dev/"}`, "url:https://mcp.socket.dev"},
		{"url fragment", `{"url":"https://h.test/mcp#x"}`, "url:https://h.test/mcp"},
		{"url user", `{"url":"https://me:pw@h.test/mcp"}`, "url:https://h.test/mcp args=me:pw@"},
		{"url query", `{"url":"https://mcp.supabase.com/mcp?read_only=true&project_ref=abc"}`, "url:https://mcp.supabase.com/mcp [project_ref=abc read_only=true]"},
		{"url query encoded", `{"url":"https://mcp.supabase.com/mcp?features=a%2Cb"}`, "url:https://mcp.supabase.com/mcp [features=a,b]"},
		{"url key", `{"url":"https://mcp.exa.ai/mcp?exaApiKey=abc123def"}`, "url:https://mcp.exa.ai/mcp [exaApiKey=***] args=?exaApiKey=abc123def"},
		{"url key reference", `{"url":"https://mcp.exa.ai/mcp?exaApiKey=$EXA_KEY"}`, "url:https://mcp.exa.ai/mcp [exaApiKey=***] args=?exaApiKey=${EXA_KEY}"},
		{"localhost", `{"url":"http://127.0.0.1:3845/mcp"}`, "url:http://localhost:3845/mcp"},
		{"localhost v6", `{"url":"http://[::1]:3845/mcp/"}`, "url:http://localhost:3845/mcp"},
		{"port 80 of https", `{"url":"https://h.test:80/mcp"}`, "url:https://h.test:80/mcp"},
		{"localhost port 80", `{"url":"http://localhost:80"}`, "url:http://localhost"},
		{"url host variable", `{"url":"https://${HOST}/mcp/"}`, "opaque:https://${HOST}/mcp"},
		{"url default", `{"url":"${MCP_URL:-http://localhost:1/mcp}"}`, "opaque:${MCP_URL:-http://localhost:1/mcp}"},
		{"url port variable", `{"url":"http://localhost:${PORT}/mcp"}`, "opaque:http://localhost:${PORT}/mcp"},
		{"url path variable", `{"url":"https://h.test/${env:TENANT}/mcp"}`, "url:https://h.test/${TENANT}/mcp"},
		{"url whole variable", `{"url":"{env:MCP_URL}"}`, "opaque:${MCP_URL}"},
		{"unix", `{"url":"unix:///tmp/server.sock"}`, "url:unix:///tmp/server.sock"},
		{"pipe", `{"url":"pipe:///pipe/x"}`, "url:pipe:///pipe/x"},
		{"url headers", `{"url":"https://h.test","headers":{"Authorization":" Bearer ${env:TOKEN} ","X-A":"1"}}`, "url:https://h.test authorization: Bearer ${TOKEN} x-a: 1"},
		{"url and command", `{"type":"http","url":"https://h.test","command":"npx"}`, "url:https://h.test over=http"},
		{"command and url", `{"type":"stdio","url":"https://h.test","command":"npx","args":["pkg"]}`, "npm:pkg by=npx"},
		{"no scheme", `{"url":"localhost:3000/mcp"}`, "opaque:localhost:3000/mcp"},
		{"target of fast-agent", `{"command":"https://h.test/mcp"}`, "url:https://h.test/mcp"},

		// Bridges.
		{"mcp-remote", `npx -y mcp-remote https://mcp.linear.app/sse`, "url:https://mcp.linear.app/sse by=npx via=mcp-remote"},
		{"mcp-remote version and port", `npx -y mcp-remote@0.1.29 https://h.test/mcp 3334 --debug --transport http-only --host 127.0.0.1`, "url:https://h.test/mcp by=npx via=mcp-remote over=http"},
		{"mcp-remote bare", `mcp-remote https://h.test/mcp --transport sse-only`, "url:https://h.test/mcp via=mcp-remote over=sse"},
		{"mcp-remote client", `npx -p mcp-remote@latest mcp-remote-client https://h.test/mcp`, "url:https://h.test/mcp by=npx via=mcp-remote"},
		{"mcp-remote bunx", `bunx --bun mcp-remote https://h.test/mcp`, "url:https://h.test/mcp by=bunx via=mcp-remote"},
		{"mcp-remote pnpm", `pnpm dlx mcp-remote@latest https://h.test/mcp 8787 --header X-A:1`, "url:https://h.test/mcp by=pnpm via=mcp-remote x-a: 1"},
		{"mcp-remote yarn", `yarn dlx mcp-remote https://h.test/mcp`, "url:https://h.test/mcp by=yarn via=mcp-remote"},
		{"mcp-remote cmd", `cmd.exe /c npx -y mcp-remote https://h.test/mcp`, "url:https://h.test/mcp by=npx via=mcp-remote"},
		{"mcp-remote node", `node /usr/lib/node_modules/mcp-remote/dist/proxy.js https://h.test/mcp`, "url:https://h.test/mcp by=node via=mcp-remote"},
		{"mcp-remote proxy.js", `node ../mcp-remote/dist/proxy.js https://h.test/mcp`, "url:https://h.test/mcp by=node via=mcp-remote"},
		{"mcp-remote flag first", `npx mcp-remote@0.1.29 --allow-http http://h.test/mcp`, "url:http://h.test/mcp by=npx via=mcp-remote"},
		{"mcp-remote URL flag first", `npx mcp-remote --resource https://a.test/ https://h.test/mcp`, "url:https://h.test/mcp [resource=https://a.test/] by=npx via=mcp-remote +bridge"},
		{"mcp-remote header", `npx mcp-remote https://h.test --header "Authorization: Bearer ${TOKEN}"`, "url:https://h.test by=npx via=mcp-remote authorization: Bearer ${TOKEN}"},
		{"mcp-remote header from env", `{"command":"npx","args":["mcp-remote","https://h.test","--header","Authorization:${AUTH}"],"env":{"AUTH":"Bearer ${TOKEN}","X":"1"}}`,
			"url:https://h.test by=npx via=mcp-remote X=1 authorization: Bearer ${TOKEN}"},
		{"mcp-remote two headers from one variable", `{"command":"npx","args":["mcp-remote","https://h.test","--header","A:${X}","--header","B:${X}"],"env":{"X":"1"}}`,
			"url:https://h.test by=npx via=mcp-remote a: 1 b: 1"},
		{"mcp-remote client info", `npx mcp-remote https://h.test --static-oauth-client-info @info.json --ignore-tool x`,
			"url:https://h.test by=npx via=mcp-remote +bridge args=--ignore-tool=x|--static-oauth-client-info=@info.json"},
		{"mcp-remote authorize", `npx mcp-remote https://h.test?b=1 --authorize-param a=2`, "url:https://h.test [authorize-param=a=2 b=1] by=npx via=mcp-remote +bridge"},
		{"mcp-remote variable", `npx mcp-remote ${MCP_URL}`, "opaque:${MCP_URL} by=npx via=mcp-remote"},
		{"mcp-remote placeholder", `npx mcp-remote https://your-server.com/mcp`, "none"},
		{"mcp-remote without URL", `npx mcp-remote`, "npm:mcp-remote by=npx"},
		{"mcp-remote in a shell", `sh -c "exec mcp-remote 'https://api.githubcopilot.com/mcp/' --header \"Authorization:Bearer $(gh auth token)\""`,
			"url:https://api.githubcopilot.com/mcp via=mcp-remote authorization: Bearer $(gh auth token)"},
		{"mcp-remote in docker", `docker run -i node:20 npx -y mcp-remote https://h.test/mcp`, "url:https://h.test/mcp by=npx via=mcp-remote args=image=docker.io/library/node"},
		{"supergateway sse", `npx -y supergateway --sse https://h.test/sse`, "url:https://h.test/sse by=npx via=supergateway over=sse"},
		{"supergateway http", `bun x supergateway --streamableHttp=https://h.test/mcp --header "A: B" "C: D" --logLevel none`, "url:https://h.test/mcp by=bun via=supergateway over=http a: B c: D"},
		{"supergateway kebab", `npx supergateway --streamable-http ${MCP_URL} --oauth2Bearer abc`, "opaque:${MCP_URL} by=npx via=supergateway authorization: Bearer abc"},
		{"supergateway stdio", `npx supergateway --stdio "npx -y pkg /tmp" --port 8000`, "npm:pkg by=npx args=/tmp"},
		{"supergateway image", `docker run -i supercorp/supergateway --sse https://h.test/sse`, "url:https://h.test/sse by=docker via=supergateway over=sse"},
		{"mcp-proxy URL", `uvx mcp-proxy --transport streamablehttp http://127.0.0.1:3006/mcp`, "url:http://localhost:3006/mcp by=uvx via=mcp-proxy over=http"},
		{"mcp-proxy headers", `uvx mcp-proxy -H Authorization "Bearer x" --headers X-A 1 https://h.test/sse`, "url:https://h.test/sse by=uvx via=mcp-proxy over=sse authorization: Bearer x x-a: 1"},
		{"mcp-proxy environment", `{"command":"mcp-proxy","env":{"SSE_URL":"https://h.test/sse","API_ACCESS_TOKEN":"abc"}}`, "url:https://h.test/sse via=mcp-proxy over=sse authorization: Bearer abc"},
		{"mcp-proxy command", `uvx mcp-proxy --port 8080 -e A 1 -- uvx mcp-server-fetch --x`, "pypi:mcp-server-fetch by=uvx args=--x A=1"},
		{"mcp-proxy pipx", `pipx run mcp-proxy https://h.test/sse`, "url:https://h.test/sse by=pipx via=mcp-proxy over=sse"},
		{"mcp-proxy image", `docker run -i ghcr.io/sparfenyuk/mcp-proxy:latest https://h.test/sse`, "url:https://h.test/sse by=docker via=mcp-proxy over=sse"},
		{"mcp-proxy image with a command", `docker run -i ghcr.io/sparfenyuk/mcp-proxy uvx mcp-server-fetch`, "pypi:mcp-server-fetch by=uvx"},
		{"mcp-proxy image with a file", `docker run -i ghcr.io/sparfenyuk/mcp-proxy python x.py`, "oci:ghcr.io/sparfenyuk/mcp-proxy [python] by=docker args=x.py"},
		{"mcp-proxy module", `python -m mcp_proxy https://h.test/sse`, "url:https://h.test/sse via=mcp-proxy over=sse"},
		{"mcp-proxy npm", `npx mcp-proxy --port 8080 --server stream -- npx -y pkg`, "npm:pkg by=npx"},
		{"mcp-proxy npm command", `npx mcp-proxy --port 8080 tsx x.ts`, "file:app/x.ts by=tsx"},
		{"smithery", `npx -y @smithery/cli@latest run @o/server --key k --config {}`, "smithery:@o/server by=npx args=--config={}|--key=k"},
		{"smithery first", `npx @smithery/cli run --profile p exa`, "smithery:exa by=npx args=--profile=p"},
		{"smithery other", `npx @smithery/cli install x`, "npm:@smithery/cli [install x] by=npx"},
		{"fastmcp URL", `fastmcp run https://h.test/mcp --transport stdio`, "url:https://h.test/mcp via=fastmcp"},
		{"fastmcp file", `fastmcp run server.py --no-banner`, "file:app/server.py by=fastmcp"},
		{"fastmcp uvx", `uvx fastmcp run src/server.py`, "file:app/src/server.py by=fastmcp"},
		{"fastmcp config", `fastmcp run`, "file:app/fastmcp.json by=fastmcp"},
		{"fastmcp npm", `npx fastmcp dev src/x.ts`, "file:app/src/x.ts by=fastmcp"},
		{"fastmcp-remote", `uvx fastmcp-remote https://h.test/mcp --transport sse --auth none --header "A: 1"`, "url:https://h.test/mcp by=uvx via=fastmcp-remote over=sse a: 1"},
		{"mcporter", `npx mcporter serve --http-url https://h.test/mcp`, "url:https://h.test/mcp by=npx via=mcporter"},
		{"mcporter stdio", `npx mcporter call --stdio "bun run ./server.ts"`, "file:app/server.ts by=bun"},
		{"mcporter own", `npx mcporter serve`, "npm:mcporter [serve] by=npx"},

		// Programs, placeholders, nothing at all.
		{"program", `mcp-server-github --x`, "exec:mcp-server-github args=--x"},
		{"program cwd", `{"command":"gh","args":["aw","mcp-server"],"cwd":"sub"}`, "exec:gh [app/sub] args=aw|mcp-server"},
		{"program cwd itself", `{"command":"gh","cwd":"${workspaceFolder}"}`, "exec:gh"},
		{"package cwd", `{"command":"npx","args":["pkg"],"cwd":"sub"}`, "npm:pkg by=npx dir=app/sub"},
		{"only options", `{"command":"--port=8080","args":["--servers=a"]}`, "opaque:--port=8080 args=--servers=a"},
		{"program named like a wrapper", `time --stdio`, "exec:time args=--stdio"},
		{"program in quotes", `{"command":"\"C:\\Program Files\\nodejs\\node.exe\" x.js"}`, "file:app/x.js by=node"},
		{"placeholder template", `npx -y @scope/package-name`, "none"},
		{"variable program", `${MCP_BIN} --x`, "opaque:${MCP_BIN} args=--x"},
		{"empty url", `{"type":"http","url":""}`, "none"},
		{"empty", `{}`, "none"},
		{"placeholder package", `npx -y "<your-mcp-server>"`, "none"},
		{"placeholder scope", `npx -y @your-org/server`, "none"},
		{"placeholder program", `"<path of binary aks-mcp>" --transport stdio`, "none"},
		{"placeholder path", `node /path/to/server.js`, "none"},
		{"placeholder binary", `/path/to/just-mcp --stdio`, "none"},
		{"placeholder folder", `uv --directory /path/to/server run server.py`, "none"},
		{"placeholder cwd", `{"command":"node","args":["x.js"],"cwd":"/path/to/x"}`, "none"},
		{"placeholder url", `{"url":"https://mcp.example.com/api"}`, "none"},
		{"placeholder host", `{"url":"https://<JFROG_URL>/mcp"}`, "none"},
		{"placeholder port", `{"url":"http://localhost:PORT/mcp"}`, "none"},
		{"placeholder image", `docker run -i your-image`, "none"},
		{"placeholder argument only", `npx pkg --key YOUR_KEY /path/to/x`, "npm:pkg by=npx args=--key|YOUR_KEY|/path/to/x"},

		// Variables.
		{"env spellings", `{"command":"x","env":{"A":"${env:B}","B":"$CC","C":"{env:D}","D":"%ENV_E%","E":"${{ secrets.F }}","F":"$env:G","G":"{{HH}}","H":"${I:-j}","I":"${input:my-token}","J":"${user_config.a_b}"}}`,
			"exec:x A=${B} B=${CC} C=${D} D=${ENV_E} E=${F} F=${G} G=${HH} H=${I:-j} I=${MY_TOKEN}? J=${A_B}?"},
		{"env pass-through", `{"command":"x","env":{"A":"${A}","B":"$BB","CC":"$CC","D":"${env:D}","E":"{env:E}","F_G":"${input:f-g}","H":"${H:-}"},"passEnv":["Z"]}`, "exec:x B=${BB}"},
		{"env placeholder", `{"command":"x","env":{"A":"YOUR_KEY","B":"","C":"<token>","D":"real"}}`, "exec:x A=YOUR_KEY? B=? C=<token>? D=real"},
		{"env drive", `{"command":"x","env":{"A":"c:\\Users\\me\\y","B":"C:/Users/me/y"}}`, "exec:x A=C:/Users/me/y B=C:/Users/me/y"},
		{"env path", `{"command":"x","env":{"A":"${workspaceFolder}/x","B":"./x","C":"${CLAUDE_PROJECT_DIR}"}}`, "exec:x A=./app/x B=./app/x C=./app"},
		{"argument spellings", `x --a=${env:TT} ${TT} $TT {env:TT} --p=./q ./q ../q . q/../q`, "exec:x args=--a=${TT}|${TT}|${TT}|${TT}|--p=./app/q|./app/q|./q|./app|q/../q"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := resolve(t, tt.entry)
			assert.Equal(t, tt.want, summary(id), tt.entry)
		})
	}
}

// TestConfigWordsAreTheCallers checks that a caller that clears the words does not change the
// launch.
func TestConfigWordsAreTheCallers(t *testing.T) {
	r := resolve(t, `x --a b`)
	clear(r.ConfigWords())
	assert.Equal(t, []string{"--a", "b"}, r.Config().Args)
}

// TestSpeaksToLauncher distinguishes what launchers and interpreters read from what servers do.
func TestSpeaksToLauncher(t *testing.T) {
	for name, want := range map[string]bool{
		"NODE_OPTIONS": true, "node_env": true, "npm_config_yes": true, "PYTHONUNBUFFERED": true, "HTTPS_PROXY": true, "Path": true,
		"LOG_LEVEL": false, "GITHUB_TOKEN": false, "ZONE": false,
	} {
		assert.Equal(t, want, SpeaksToLauncher(name), name)
	}
}

// TestSpans checks where names and versions are written.
func TestSpans(t *testing.T) {
	tests := []struct{ entry, version, name string }{
		{`npx -y @upstash/context7-mcp@1.0.14`, "1.0.14", `"@upstash/context7-mcp@1.0.14"`},
		{`npx -y --package=@a/b@^1.2.0 tool`, "^1.2.0", "@a/b@^1.2.0"},
		{`npx -y github:o/r#v1`, "v1", `"github:o/r#v1"`},
		{`npx alias@npm:real@1.0.0`, "1.0.0", "real@1.0.0"},
		{`sh -c "exec npx -y pkg@1.2.3 --x"`, "1.2.3", "pkg@1.2.3"},
		{`cmd /c "npx -y 'pkg@1.2.3'"`, "", ""},
		{`uvx --from "pkg[x]==1.0" pkg`, "1.0", `"pkg[x]==1.0"`},
		{`uvx pkg@2.0`, "2.0", `"pkg@2.0"`},
		{`uvx --from git+https://github.com/o/r@main#subdirectory=x r`, "main", `"git+https://github.com/o/r@main#subdirectory=x"`},
		{`docker run -i x/y:1.0`, "1.0", `"x/y:1.0"`},
		{`dnx A.B@1.0.0 --yes`, "1.0.0", `"A.B@1.0.0"`},
		{`dnx A.B --version 1.0.0`, `"1.0.0"`, `"A.B"`},
		{`go run github.com/o/r@v1.0.0`, "v1.0.0", `"github.com/o/r@v1.0.0"`},
		{`deno run npm:@s/p@1.2.3/bin`, "1.2.3", "@s/p@1.2.3"},
		{`nix run github:o/r/v2#x`, "v2", `"github:o/r/v2#x"`},
		{`{"command":"npx -y pkg@1.0.0"}`, "1.0.0", "pkg@1.0.0"},
		{`{"command":"uvx","args":["--from","pkg>1,<2 ; python_version > '3'","pkg"]}`, ">1,<2", `"pkg>1,<2 ; python_version > '3'"`},
	}
	for _, tt := range tests {
		l, text := parse(t, tt.entry)
		id := Resolve(l, &repository)
		if tt.version != "" {
			assert.Equal(t, tt.version, text[id.Version.Span.Start:id.Version.Span.End], tt.entry)
			assert.Equal(t, strings.Trim(tt.version, `"`), id.Version.Text)
			assert.Equal(t, tt.name, text[id.Span.Start:id.Span.End], tt.entry)
		}
	}

	l, text := parse(t, `npx -y mcp-remote@0.1.29 https://h.test/mcp --header "A: \"b\""`)
	id := Resolve(l, &repository)
	assert.Equal(t, `"mcp-remote@0.1.29"`, text[id.Bridge.Span.Start:id.Bridge.Span.End])
	assert.Equal(t, `"https://h.test/mcp"`, text[id.Span.Start:id.Span.End])
	require.Len(t, id.Fetched, 1)
	assert.Equal(t, "0.1.29", text[id.Fetched[0].Version.Span.Start:id.Fetched[0].Version.Span.End])
	assert.Equal(t, Version{}, id.Version)

	// An escape in the word: the version is somewhere in it.
	word := Word{Text: "pkg@1.0.0", Span: span(10, 10+len(`"pkg\u00401.0.0"`))}
	id = Resolve(&Launch{Command: Word{Text: "npx"}, Args: []Word{word}}, &Context{})
	assert.Equal(t, word.Span, id.Version.Span)
	// A plain YAML scalar.
	word = Word{Text: "pkg@1.0.0", Span: span(10, 19)}
	id = Resolve(&Launch{Command: Word{Text: "npx"}, Args: []Word{word}}, &Context{})
	assert.Equal(t, span(14, 19), id.Version.Span)
}
