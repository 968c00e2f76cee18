package sameness

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// repository is the context of the tests: a project in "app" whose clients
// know these path variables.
var repository = identity.Context{Dir: "app", Vars: map[string]string{
	"workspaceFolder": "app", "CLAUDE_PROJECT_DIR": "app", "CLAUDE_PLUGIN_ROOT": "app/plugin", "extensionPath": "app/.gemini/extensions/x",
	"__dirname": "app/bundle",
}}

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

// parse reads an entry: a JSON object, or a command line whose words are quoted as a shell
// does.
func parse(t testing.TB, text string) *identity.Launch {
	var e entry
	if strings.HasPrefix(text, "{") {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&e), text)
	} else {
		commands, ok := shell.NewLine(shell.Posix, identity.Word{Text: text}).Commands()
		require.True(t, ok && len(commands) == 1, text)
		e.Command = commands[0].Words[0].Text
		for _, w := range commands[0].Words[1:] {
			e.Args = append(e.Args, w.Text)
		}
	}
	end := 0
	word := func(text string) identity.Word { // in quotes, each in a place of its own
		if text == "" {
			return identity.Word{}
		}
		start := end + 1
		end = start + len(text) + len(`""`)
		return identity.Word{Text: text, Span: syntax.Span{Start: start, End: end}}
	}
	pairs := func(values map[string]string) (pairs []identity.Pair) {
		for name, value := range values {
			pairs = append(pairs, identity.Pair{Name: word(name), Value: word(value)})
		}
		return pairs
	}
	l := &identity.Launch{
		Transport: e.Type, Command: word(e.Command), EnvFile: word(e.EnvFile), Cwd: word(e.Cwd), URL: word(e.URL),
		Env: pairs(e.Env), Headers: pairs(e.Headers),
	}
	for _, arg := range e.Args {
		l.Args = append(l.Args, word(arg))
	}
	for _, name := range e.PassEnv {
		l.PassEnv = append(l.PassEnv, word(name))
	}
	return l
}

func resolve(t testing.TB, text string) identity.Resolved {
	return resolved(parse(t, text), &repository)
}

func resolved(l *identity.Launch, ctx *identity.Context) identity.Resolved {
	id := identity.Resolve(l, ctx)
	return identity.Resolved{Identity: &id, Launch: l, Context: ctx}
}

func FuzzCompare(f *testing.F) {
	for _, seed := range []string{
		"npx\n-y\n@scope/pkg@1.2.3", "docker\nrun\nacme/pkg", "uvx\npkg", "pkg\n--token\n${A}", "docker\nexec\na\npkg", "node\n/a/b/pkg.js", "sh\n-c\na && b",
	} {
		f.Add(seed, "npx\npkg")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		launch := func(text string) *identity.Launch {
			command, args, _ := strings.Cut(text, "\n")
			l := &identity.Launch{Command: identity.Word{Text: command}}
			for _, arg := range strings.Split(args, "\n") {
				l.Args = append(l.Args, identity.Word{Text: arg})
			}
			return l
		}
		a, again, b := resolved(launch(first), &repository), resolved(launch(first), &repository), resolved(launch(second), &repository)
		if a.Kind != identity.None && Compare(a, again) != Equal {
			t.Errorf("not equal to itself: %q", first)
		}
		if Compare(a, b) != Compare(b, a) {
			t.Errorf("not symmetric: %q %q", first, second)
		}
	})
}
