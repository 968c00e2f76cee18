//go:build unix

package identity

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oracleLines are lines for "bash -c" and "sh -c", with what they run in bash and in sh:
// "" is opaque. Each is run by the shells that this machine has.
var oracleLines = []struct{ line, bash, sh string }{
	// Words.
	{"npx -y @modelcontextprotocol/server-\\\nfilesystem-evil .", "npm:@modelcontextprotocol/server-filesystem-evil", "npm:@modelcontextprotocol/server-filesystem-evil"},
	{"np\\\nx -y \\\n  pkg", "npm:pkg", "npm:pkg"},
	{"npx -y 'p\\\nkg'", "", ""},
	{"npx -y \"p\\\nkg\"", "npm:pkg", "npm:pkg"},
	{"npx -y a\\\\\\\nb", "", ""},
	{`npx -y 'p'"k"g@1.0.0`, "npm:pkg", "npm:pkg"},
	{`npx -y p\kg`, "npm:pkg", "npm:pkg"},
	{`"npx" -y pkg # evil`, "npm:pkg", "npm:pkg"},
	{`npx -y pkg#evil`, "", ""},
	{`npx -y $'pkg'`, "npm:pkg", ""},
	{`npx -y $'\x65vil'`, "", ""},
	{`npx -y $"pkg"`, "", ""},
	{`npx -y pkg "$(echo ")")"`, "npm:pkg", "npm:pkg"},
	{`npx -y pkg $((1+1)) x`, "npm:pkg", "npm:pkg"},
	{`npx -y pkg $[1+1]`, "npm:pkg", "npm:pkg"},
	{"npx -y pkg `echo a b`", "npm:pkg", "npm:pkg"},
	{`npx -y $(echo evil)`, "", ""},
	{`npx -y "$(echo evil)"`, "", ""},
	{`npx -y pkg$(echo -evil)`, "", ""},
	{`npx --registry $(echo x evil) pkg`, "", ""},
	{`npx --registry "$(echo x evil)" pkg`, "npm:pkg", "npm:pkg"},
	{`npx -{y,-package=evil} pkg`, "", ""},
	{`npx -y {evil,pkg}`, "", ""},
	{`npx -y pkg {a,b}`, "npm:pkg", "npm:pkg"},
	{`npx --registry ev* pkg`, "", ""},
	{`npx --registry evi[k-m] pkg`, "", ""},
	{`npx -y pkg *`, "npm:pkg", "npm:pkg"},
	{`npx --prefix ~ pkg`, "npm:pkg", "npm:pkg"},
	// Variables.
	{`R="x evil"; npx --registry $R pkg`, "", ""},
	{`R="x evil"; npx --registry "$R" pkg`, "npm:pkg", "npm:pkg"},
	{`R="x evil"; npx -y pkg $R`, "npm:pkg", "npm:pkg"},
	{`R=x; npx --registry $R pkg`, "npm:pkg", "npm:pkg"},
	{`R=; npx --registry $R pkg evil`, "", ""},
	{`npx --registry $SPLIT pkg`, "", ""},
	{`S=$SPLIT; npx --registry $S pkg`, "", ""},
	{`: "${R:=x evil}"; npx --registry $R pkg`, "", ""},
	{`printf -v R 'x evil'; npx --registry $R pkg`, "", ""},
	{`IFS=_; R=x_evil; npx --registry $R pkg`, "", ""},
	{`npx --registry ${R:-x evil} pkg`, "", ""},
	{`npx --registry ${R:-x} pkg`, "npm:pkg", "npm:pkg"},
	{`P=evil; npx -y "$P"`, "", ""},
	{`a=(-y evil); npx "${a[@]}" pkg`, "", ""},
	{`a=(x y); npx -y pkg "${a[@]}"`, "npm:pkg", ""},
	{`set -- evil; npx -y "$1"`, "", ""},
	{`set -- -y evil; npx $2`, "", ""},
	{`export A=b C="d e"; npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`A=1 B='2 3' npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`export $(cat .env | xargs) && npx -y pkg`, "npm:pkg", "npm:pkg"},
	// Redirections.
	{`npx -y pkg 2>/dev/null`, "npm:pkg", "npm:pkg"},
	{`npx -y pkg 2>|log`, "npm:pkg", "npm:pkg"},
	{`npx -y pkg >|log`, "", ""},
	{`npx -y pkg <<< x`, "", ""},
	{"npx -y pkg <<X\nevil\nX", "", ""},
	{`npx -y pkg &>x evil`, "", ""},
	{`cd sub &>/dev/null; npx -y pkg`, "npm:pkg", ""},
	{`npx -y pkg <(npx evil)`, "", ""},
	// Lists and groups.
	{`{ npx -y pkg; }`, "npm:pkg", "npm:pkg"},
	{`( npx -y pkg )`, "npm:pkg", "npm:pkg"},
	{`(cd sub && exec npx -y pkg)`, "npm:pkg", "npm:pkg"},
	{`! npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`time npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`cd sub && npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`cd sub || { echo no >&2; exit 1; }; npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`. ./.env && exec npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`if [ -f .env ]; then . ./.env; fi; npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`[[ -d sub ]] && cd sub; npx -y pkg`, "", ""},
	{`[[ -d sub ]] && cd sub && npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`npx -y pkg | cat`, "", ""},
	{`npx -y pkg & wait`, "", ""},
	{`npx -y a || npx -y b`, "", ""},
	{`for p in evil; do npx -y $p; done`, "", ""},
	{`while :; do npx -y pkg; break; done`, "", ""},
	{`case x in x) npx -y pkg;; esac`, "", ""},
	{`((1)) ; npx -y pkg`, "", ""},
	{`((npx evil)) ; npx -y pkg`, "", ""},
	// Commands of the shell.
	{`exec npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`env A=b npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`env -S 'npx -y pkg'`, "npm:pkg", "npm:pkg"},
	{`command npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`command -p npx evil; npx -y pkg`, "", ""},
	{`eval npx -y evil`, "", ""},
	{`eval "$(fnm env) exec npx evil"; npx -y pkg`, "", ""},
	{"eval \"$(fnm env\n echo exec npx evil)\"; npx -y pkg", "", ""},
	{`eval "$(fnm env)"; npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`npx() { command npx -y evil; }; npx -y pkg`, "", ""},
	{`function npx { command npx -y evil; }; npx -y pkg`, "", ""},
	{"shopt -s expand_aliases\nalias npx='npx evil'\nnpx -y pkg", "", ""},
	{`trap 'exec npx evil' DEBUG; npx -y pkg`, "", ""},
	{`trap : EXIT; npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`hash -p "$PWD/evil" npx; npx -y pkg`, "", ""},
	{"source /dev/stdin <<X\nexec npx evil\nX\nnpx -y pkg", "", ""},
	{"exec 3<<X; . /dev/fd/3; npx -y pkg\nexec npx evil\nX", "", ""},
	{`set -eu; npx -y pkg`, "npm:pkg", "npm:pkg"},
	{`set -k; npx -y pkg`, "", ""},
	{`uvx --from 'a-tool[x]' tool`, "pypi:a-tool", "pypi:a-tool"},
	{`uvx mcp-server-\
fetch`, "pypi:mcp-server-fetch", "pypi:mcp-server-fetch"},
}

// TestOracle runs lines in real shells, with programs called npx and uvx that only record their
// arguments. What mcplumb finds in a line must be what those programs received.
func TestOracle(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "work", "sub"), 0o700))
	require.NoError(t, os.Mkdir(bin, 0o700))
	for _, name := range []string{"npx", "uvx"} {
		script := "#!/bin/sh\nprintf '%s\\0' '" + name + "' \"$@\" >>\"$LAUNCHED\"\nprintf '\\n' >>\"$LAUNCHED\"\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(bin, "fnm"), []byte("#!/bin/sh\necho FNM=1\n"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "work", "evil"), []byte("#!/bin/sh\n"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "work", ".env"), []byte("A=b\n"), 0o600))

	for _, shell := range []string{"bash", "sh"} {
		program, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("no %s on this machine", shell)
			continue
		}
		for _, tt := range oracleLines {
			want := tt.bash
			if shell == "sh" {
				want = tt.sh
			}
			split := Pair{Word{Text: "SPLIT"}, Word{Text: "x evil"}}
			l := &Launch{Command: Word{Text: shell}, Args: []Word{{Text: "-c"}, {Text: tt.line}}, Env: []Pair{split}}
			id := Resolve(l, &repository)
			name := shell + " -c " + tt.line
			if id.Kind == Opaque {
				assert.Equal(t, want, "", name)
				continue
			}
			assert.Equal(t, want, id.String(), name)

			launched := filepath.Join(dir, "launched")
			require.NoError(t, os.RemoveAll(launched))
			cmd := exec.Command(program, "-c", tt.line)
			cmd.Dir = filepath.Join(dir, "work")
			cmd.Env = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir, "LAUNCHED=" + launched, "SPLIT=x evil"}
			output, err := cmd.CombinedOutput()
			content, missing := os.ReadFile(launched)
			if missing != nil && err != nil {
				continue // this shell does not know the line: nothing was run
			}
			require.NoError(t, missing, "%s: %s", name, output)
			words := strings.Split(strings.TrimSuffix(string(content), "\x00\n"), "\x00")
			ran := &Launch{Command: Word{Text: words[0]}}
			for _, w := range words[1:] {
				ran.Args = append(ran.Args, Word{Text: w})
			}
			truth := Resolve(ran, &repository)
			assert.Equal(t, truth.String()+"@"+truth.Version.Text, id.String()+"@"+id.Version.Text, "%s ran %q", name, words)
		}
	}
}
