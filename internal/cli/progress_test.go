package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
)

// watched is a run at a terminal whose clock is the test's.
type watched struct {
	app    app
	stderr bytes.Buffer
	ticks  chan time.Time
	vars   map[string]string
	ended  int // how many tickers were stopped
}

func newWatched(vars map[string]string) *watched {
	w := &watched{ticks: make(chan time.Time), vars: vars}
	w.app.env = Env{
		Stdout: io.Discard, Stderr: &w.stderr,
		Getenv:     func(name string) string { return w.vars[name] },
		IsTerminal: func(io.Writer) bool { return true },
		Ticker:     func(time.Duration) (<-chan time.Time, func()) { return w.ticks, func() { w.ended++ } },
	}
	return w
}

// run watches a run while the clock ticks so often.
func (w *watched) run(ticks int) {
	stop := w.app.watch(&lint.Progress{})
	for range ticks {
		w.ticks <- time.Time{}
	}
	stop()
}

// TestProgress holds that a run of more than a second is shown on one line, which
// is gone in the end, and a short one not at all.
func TestProgress(t *testing.T) {
	for ticks, want := range map[int]int{0: 0, 1: 0, 3: 0, 4: 1, 6: 3} {
		w := newWatched(nil)
		w.run(ticks)
		assert.Equal(t, want, strings.Count(w.stderr.String(), "\rmcplumb: "), ticks)
		assert.Empty(t, strings.Join(screen(w.stderr.String()), ""), "the line is erased after %d ticks", ticks)
		assert.Equal(t, 1, w.ended)
	}
}

// TestProgressShrinks holds that nothing of a longer line stays behind a shorter
// one.
func TestProgressShrinks(t *testing.T) {
	w := newWatched(nil)
	lines := []string{"reading 999 of 1000 files", "checking 1 of 3 projects", "x"}
	next := 0
	stop := w.app.watch(stringer(func() string { next++; return lines[next-1] }))
	for range patience - 1 + len(lines) {
		w.ticks <- time.Time{}
	}
	stop()
	var shown []string
	text := w.stderr.String()
	for at := range text {
		if text[at] == '\r' {
			shown = append(shown, strings.Join(screen(text[:at]), ""))
		}
	}
	shown = append(shown, strings.Join(screen(text), ""))
	assert.Equal(t, []string{"", "mcplumb: reading 999 of 1000 files", "mcplumb: checking 1 of 3 projects", "mcplumb: x", "", ""}, shown)
}

type stringer func() string

func (s stringer) String() string { return s() }

// TestNoProgress checks where no progress is shown: with redirected output, in a CI job, on a
// terminal that cannot move the cursor back.
func TestNoProgress(t *testing.T) {
	for name, change := range map[string]func(*watched){
		"redirected": func(w *watched) { w.app.env.IsTerminal = func(to io.Writer) bool { return to != w.app.env.Stderr } },
		"CI":         func(w *watched) { w.vars = map[string]string{"CI": "true"} },
		"dumb":       func(w *watched) { w.vars = map[string]string{"TERM": "dumb"} },
		"no clock":   func(w *watched) { w.app.env.Ticker = nil },
	} {
		w := newWatched(nil)
		change(w)
		w.run(0)
		assert.Zero(t, w.ended, name)
		assert.Empty(t, w.stderr.String(), name)
	}
}

// screen returns the lines that a terminal shows of a text.
func screen(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		var shown []byte
		for part := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "\r") {
			shown = append([]byte(part), shown[min(len(part), len(shown)):]...)
		}
		if left := strings.TrimRight(string(shown), " "); left != "" {
			lines = append(lines, left)
		}
	}
	return lines
}

// TestCollector holds that only what reads a repository, or the records of many, tunes the
// collector, and never where the person has done so.
func TestCollector(t *testing.T) {
	dir, record := t.TempDir(), `{"version": 1, "repository": "github.com/acme/api", "servers": [], "findings": [], "errors": []}`
	require.NoError(t, os.Mkdir(filepath.Join(dir, "records"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "records", "api.json"), []byte(record), 0o644))
	for _, test := range []struct {
		args []string
		vars map[string]string
		want string
	}{
		{[]string{"check"}, nil, "1200 % 440 MB"},
		{[]string{"list"}, nil, "1200 % 440 MB"},
		{[]string{"check", "--online"}, nil, "1200 % 440 MB100 % 8796093022207 MB"},
		{[]string{"baseline", "--output", "b.json"}, nil, "1200 % 440 MB"},
		{[]string{"fleet", "report", "records"}, nil, "50 % 8796093022207 MB"},
		{[]string{"rules"}, nil, ""},
		{[]string{"explain", "alias-drift"}, nil, ""},
		{[]string{"check"}, map[string]string{"GOGC": "50"}, ""},
		{[]string{"check"}, map[string]string{"GOMEMLIMIT": "100MiB"}, ""},
	} {
		tuned := ""
		code := Main(t.Context(), Env{
			Args: test.args, Stdout: io.Discard, Stderr: io.Discard, Dir: dir, Now: time.Now,
			Getenv:     func(name string) string { return test.vars[name] },
			IsTerminal: func(io.Writer) bool { return false },
			LookPath:   func(string) (string, error) { return "", io.EOF },
			TuneGC:     func(percent int, limit int64) { tuned += fmt.Sprintf("%d %% %d MB", percent, limit>>20) },
		})
		assert.Zero(t, code, test.args)
		assert.Equal(t, test.want, tuned, "%v %v", test.args, test.vars)
	}
}
