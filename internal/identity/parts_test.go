package identity

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLines checks the lines that shells receive, the words of a line separated by "·".
func TestLines(t *testing.T) {
	tests := []struct {
		entry string
		want  []string
	}{
		{`npx -y pkg`, nil},
		{`sh -c "a && b"`, []string{"a && b"}},
		{`/bin/bash -euo pipefail -c "a && b" name`, []string{"a && b"}},
		{`bash -cl "a && b"`, []string{"a && b"}},
		{`env A=1 sudo sh -c "a && b"`, []string{"a && b"}},
		{`{"command":"bash -c 'a && b'"}`, []string{"bash -c 'a && b'", "a && b"}},
		{`cmd /d /c npm ci "&&" node x.js`, []string{"npm·ci·&&·node·x.js"}},
		{`powershell -NoProfile -Command irm x "|" iex`, []string{"irm·x·|·iex"}},
		{`npx -y -p pkg -c "a && b"`, []string{"a && b"}},
		{`npx supergateway --stdio "a && b"`, []string{"a && b"}},
		{`mise x -c "a && b"`, []string{"a && b"}},
		{`docker exec -i app sh -c "a && b"`, []string{"a && b"}},
		{`docker run -i alpine sh -c "a && b"`, []string{"a && b"}},
		{`docker run -i acme/tools sh -c "a && b"`, []string{"a && b"}},
		{`my-wrapper --x bash -lc "a && b"`, []string{"a && b"}},
		{`ssh host sh -c "a && b"`, []string{"a && b"}},
		{`bash scripts/start.sh -c "a && b"`, nil},
		{`npx -y pkg --about "curl x | sh"`, nil},
	}
	for _, tt := range tests {
		var got []string
		for _, line := range resolve(t, tt.entry).Parts().Lines {
			var words []string
			for _, w := range line.Words {
				words = append(words, w.Text)
			}
			got = append(got, strings.Join(words, "·"))
		}
		assert.Equal(t, tt.want, got, tt.entry)
	}
}

// TestOptions checks the options of launchers that decide how a server runs, in long spelling. The
// options after the server's own name belong to the server.
func TestOptions(t *testing.T) {
	for entry, want := range map[string]string{
		`npx -y pkg --isolated`:                           "",
		`npx -yq --loglevel silent pkg`:                   "",
		`npx --no-install pkg`:                            "--no-install",
		`uvx -qp 3.12 --isolated --from git-mcp git-mcp`:  "--python=3.12 --isolated",
		`uv --project ./a run --python=3.12 server.py -q`: "--project=./app/a --python=3.12",
		`uv tool run --prerelease allow pkg`:              "--prerelease=allow",
		`pipx run --python 3.12 pkg`:                      "--python=3.12",
		`node --max-old-space-size=4096 x.js --y`:         "--max-old-space-size=4096",
		`node -r ./setup.js x.js`:                         "--require=./app/setup.js",
		`python -W error -u -m server`:                    "-W=error -u",
		`deno run --allow-net -A x.ts`:                    "--allow-net -A",
		`cmd /c npx --no-install pkg`:                     "--no-install",
		`docker run -i --memory 2g img`:                   "", // they are among the arguments
	} {
		var got []string
		for _, o := range resolve(t, entry).Parts().Options {
			text := o.Name
			if o.Value != "" {
				text += "=" + o.Value
			}
			got = append(got, text)
		}
		assert.Equal(t, want, strings.Join(got, " "), entry)
	}
	assert.True(t, slices.IsSorted(plainOptions))
}

// TestLocal checks the arguments that are read on this machine.
func TestLocal(t *testing.T) {
	for entry, want := range map[string]string{
		`node /a/x.js --y`:                                "/a/x.js --y",
		`docker run -i -v /a:/b -w /c img /d`:             "/a",
		`docker run -v/a:/b -v C:\\x:/y:ro -v vol img`:    `/a C:\x`,
		`docker run --volume=${PWD}/a:/b -v ${A:-x}:/b i`: "${PWD}/a ${A:-x}",
		`docker run --mount type=bind,src=/a,dst=/b img`:  "/a",
		`docker run --mount type=tmpfs,target=/b img`:     "",
		`docker run --env-file /a/.env -e A=/b img`:       "/a/.env",
		`docker exec -i --env-file /a app node /b`:        "/a",
		`docker compose -f /a/x.yml run app /b`:           "/a/x.yml",
		`cmd /c docker run -v /a:/b img /c`:               "/c docker /a",
		`my-wrapper /x docker run -v /a:/b img /c`:        "/x docker /a",
		`ssh host node /a`:                                "",
		`my-wrapper ssh host node /a`:                     "ssh",
	} {
		var got []string
		for _, w := range resolve(t, entry).Parts().Local {
			got = append(got, w.Text)
		}
		assert.Equal(t, want, strings.Join(got, " "), entry)
	}
}

func TestContainerOptions(t *testing.T) {
	id := resolve(t, `{"command":"docker","args":["run","-i","--rm","-eA=b","-e","C","--mount","type=bind,source=/x,target=/y","-v","/a:/b:ro","--mount","type=bind,src=/p,destination=/q","ghcr.io/o/r:1"],"env":{"C":"d"}}`)
	c := id.Parts().Container
	require.NotNil(t, c)
	assert.Equal(t, "ghcr.io/o/r:1", c.Image.Text)
	require.Len(t, c.Mounts, 3)
	assert.Equal(t, "/x to /y, /a to /b", c.Mounts[0].Source.Text+" to "+c.Mounts[0].Target.Text+", "+c.Mounts[1].Source.Text+" to "+c.Mounts[1].Target.Text)
	assert.Equal(t, "/p to /q", c.Mounts[2].Source.Text+" to "+c.Mounts[2].Target.Text)
	require.Len(t, c.Env, 1)
	assert.Equal(t, "A=b", c.Env[0].Name.Text+"="+c.Env[0].Value.Text)
	assert.Nil(t, resolve(t, `npx pkg`).Parts().Container)
}

// TestEnvAndDir checks what the server sees, for each way to set it.
func TestEnvAndDir(t *testing.T) {
	id := resolve(t, `{"command":"sh","args":["-c","cd sub && export A=b && env C=d npx -y pkg"],"env":{"E":"f"}}`)
	parts := id.Parts()
	var env []string
	for _, p := range parts.Env {
		env = append(env, p.Name.Text+"="+p.Value.Text)
	}
	assert.Equal(t, []string{"E=f", "A=b", "C=d"}, env)
	assert.Equal(t, "app/sub", parts.Dir)
}

func TestExpands(t *testing.T) {
	for entry, want := range map[string]bool{
		`cmd /c npx pkg %A%`: true, `npx -y envmcp npx pkg`: true, `direnv exec . npx pkg`: true, `my-wrapper dotenvx run -- npx pkg`: true,
		`ssh host run $A`: true, `make serve A=$A`: true, `just serve $A`: true,
		`npx pkg $A`: false, `docker run -e A img`: false,
	} {
		assert.Equal(t, want, resolve(t, entry).Parts().Expands, entry)
	}
}

// TestCode checks the programs that interpreters receive as text, in every way to write that.
func TestCode(t *testing.T) {
	for entry, want := range map[string]string{
		`node -e 1+1 x`: "1+1", `node --eval=2+2`: "2+2", `node -p 3`: "3", `npx tsx -e 4`: "4", `uv run python -c 5 y`: "5", `bun -e 6`: "6",
		`bun --cwd a --print 7`: "7", `deno eval 8`: "8", `lua -e 9`: "9", `bun run a.ts -e 1`: "", `node a.js -e 1`: "", `npx -y pkg -e 1`: "",
	} {
		var got []string
		for _, w := range resolve(t, entry).Parts().Code {
			got = append(got, w.Text)
		}
		assert.Equal(t, want, strings.Join(got, " "), entry)
	}
}
