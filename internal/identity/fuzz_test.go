package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// launchOf reads fuzz input: words separated by newlines, with a prefix where
// they are no arguments.
func launchOf(text string) *Launch {
	l := &Launch{}
	offset := 1
	for i, line := range strings.Split(text, "\n") {
		w := Word{Text: line, Span: syntax.Span{Start: offset, End: offset + len(line) + 2}}
		offset = w.Span.End + 1
		field, rest, _ := strings.Cut(line, ">")
		name, value, _ := strings.Cut(rest, "=")
		pair := Pair{Word{Text: name}, Word{Text: value}}
		switch {
		case i == 0:
			l.Command = w
		case field == "env":
			l.Env = append(l.Env, pair)
		case field == "header":
			l.Headers = append(l.Headers, pair)
		case field == "cwd":
			l.Cwd = w.From(len(line) - len(rest))
		case field == "envFile":
			l.EnvFile = w.From(len(line) - len(rest))
		case field == "url":
			l.URL = w.From(len(line) - len(rest))
		case field == "type":
			l.Transport = rest
		default:
			l.Args = append(l.Args, w)
		}
	}
	return l
}

func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"npx\n-y\n@scope/pkg@1.2.3\nmcp\n--x", "npx\n-c\nnode x", "uvx\n--from\ngit+https://github.com/o/r@v1#subdirectory=x\ntool",
		"docker\nrun\n-ieK=V\n-v${PWD}:/x\nnode:20\nnpx\npkg", "sh\n-c\nif [ -f x ]; then . x; fi; export A=\"b c\" && exec 2>&1; nvm use 2 | y", "powershell\n-c\n& 'a'; $env:B='c'",
		"my\ndocker\nrun\n-v\n:x:y\n--mount\n,=,src=", "sh\n-lc\ncd x && exec npx 'a b' \"$(c d)\" 2>/dev/null", "cmd\n/c\nnpx -y pkg", "Cmd /C",
		"npx\nmcp-remote\nhttps://u:p@h/x?a=b&token=c#f\n--header\nA:${B}\nenv>B=c", "\nurl>https://[::1]:80/x/\nheader>A=b\ntype>sse",
		"node\n../a/${workspaceFolder}/b\\c\ncwd>${X}/y", "python\n-um\na.b", "deno\nrun\n-A\nnpm:@a/b@1/c", "wsl\n-e\nenv\n-S\na=b c\nd",
		"uv\nrun\n--with\nx\nx", "dnx\nA@1\n--\nb", "nix\nrun\ngithub:a/b/c#d", "go\nrun\na.b/c@v1", "C:\\a b\\node.exe\nx", "supergateway\n--stdio\nnpx supergateway --stdio 'x y'", "x\ncwd\nurl", "x\nenvFile>${A}/.env",
		"bash\n-c\n{ a=(b); (cd x || { exit 1; }); [[ -f x ]] && export A=\"$B\"; eval \"$(fnm env)\"; } && npx -y $'pkg' ${A:-b} {c,d} ${input:x} <<<y",
		"zsh\n-c\ncase x in a) npx b;; *) for i in 1; do ! uvx $i & done;; esac; f() { time a |& b `c`; }", "ksh\n-c\nnpx -y p$((1 + 2)) ~/x >|y", "fish\n-c\ncd x; and npx y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, again := resolved(launchOf(text), &repository), resolved(launchOf(text), &repository)
		if a.Key() != again.Key() || a.ConfigKey() != again.ConfigKey() {
			t.Errorf("not equal to itself: %q", text)
		}
		for _, s := range []syntax.Span{a.Span, a.Version.Span} {
			if s.Start < 0 || s.End < s.Start || s.End > 4*len(text)+8 {
				t.Errorf("span %v of %q", s, text)
			}
		}
		for _, line := range a.Parts().Lines {
			line.Commands()
			line.Tokens()
		}
		Purl(a.Identity)
		Short(text)
	})
}

func BenchmarkResolve(b *testing.B) {
	entries := []string{
		`npx -y @upstash/context7-mcp@1.0.14`,
		`{"command":"npx","args":["-y","pkg"],"env":{"API_KEY":"${API_KEY}"}}`,
		`npx -y @modelcontextprotocol/server-filesystem ${workspaceFolder}/data`,
		`{"type":"http","url":"https://mcp.linear.app/mcp"}`,
		`npx -y mcp-remote https://mcp.linear.app/sse --header "Authorization: Bearer ${TOKEN}"`,
		`uvx --from git+https://github.com/oraios/serena serena start-mcp-server --context ide`,
		`docker run -i --rm -e TOKEN -v ${workspaceFolder}:/work ghcr.io/github/github-mcp-server stdio`,
		`node ${workspaceFolder}/dist/index.js`,
		`cmd /c npx -y pkg@latest mcp`,
		`uv --directory ${CLAUDE_PLUGIN_ROOT} run server.py`,
	}
	launches := make([]*Launch, len(entries))
	for i, entry := range entries {
		launches[i], _ = parse(b, entry)
	}
	b.Run("mix", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			Resolve(launches[i%len(launches)], &repository)
			i++
		}
	})
	b.Run("npx", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Resolve(launches[0], &repository)
		}
	})
}

// TestHostileNesting checks that launchers within launchers come to an end, with any kind of
// launcher as the last.
func TestHostileNesting(t *testing.T) {
	for _, part := range []string{"docker exec a", "docker run node", "bun x", "npx pnpm dlx", "uv run", "poetry run", "uvx uv run", "mise x npm:a --",
		"docker run ghcr.io/sparfenyuk/mcp-proxy", "sail npx", "ddev exec", "sudo env", "sh -c"} {
		words := strings.Fields(strings.Repeat(part+" ", 5000))
		l := &Launch{Command: Word{Text: words[0]}}
		for _, w := range words[1:] {
			l.Args = append(l.Args, Word{Text: w})
		}
		id := resolved(l, &repository)
		assert.NotEmpty(t, id.Kind, part)
		id.Parts()
		assert.NotEmpty(t, id.ConfigKey()+id.Key())
	}
}
