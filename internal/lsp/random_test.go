package lsp

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestRandomEdits edits the files of a repository ten thousand times, a part of a text at a time,
// with steps back and halves that do not parse. After each hundredth edit it checks that the editor
// receives what check finds in the same bytes.
func TestRandomEdits(t *testing.T) {
	const edits, every = 10_000, 100
	random := rand.New(rand.NewPCG(11, 3))
	files := repository()
	files["sub/.mcp.json"] = files[".mcp.json"]
	files["mcplumb.lock"] = "{}"
	c := connect(t, all, files)
	names := slices.Sorted(maps.Keys(files))
	history := map[string][]string{}
	for _, name := range names {
		c.read(name)
		history[name] = []string{files[name]}
	}
	for i := 1; i <= edits; i++ {
		name := names[random.IntN(len(names))]
		d := c.open[c.uri(name)]
		text := string(d.file.Bytes)
		start := random.IntN(len(text) + 1)
		end := min(start+random.IntN(4), len(text))
		start, end = characterStart(text, start), characterStart(text, end)
		now := []string{"x", `"`, "{", "}", ",", "\n", "é😀", "", "1", ": "}[random.IntN(10)]
		if i%every > every/2 && i%3 > 0 || i%every == 0 { // so that texts parse again
			start, end = 0, len(text)
			all := history[name]
			now = all[random.IntN(len(all))]
		}
		d.version++
		change := map[string]any{"range": span{c.position(d.file, start), c.position(d.file, end)}, "text": now}
		d.file = syntax.NewFile(name, []byte(text[:start]+now+text[end:]))
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": d.uri, "version": d.version}, "contentChanges": []any{change}})
		if json.Valid(d.file.Bytes) && random.IntN(5) == 0 {
			history[name] = append(history[name], string(d.file.Bytes))
		}
		if i%every > 0 {
			continue
		}
		for _, name := range names { // of what does not parse the last good text counts here, and not there
			if d := c.open[c.uri(name)]; !strings.HasSuffix(name, ".json") || !json.Valid(d.file.Bytes) {
				c.edit(name, history[name][0])
			}
		}
		for _, d := range c.open {
			require.NoError(t, os.WriteFile(filepath.Join(c.dir, filepath.FromSlash(d.file.Path)), d.file.Bytes, 0o644))
		}
		if !assert.Equal(t, checked(t, c.dir), c.reported(), "edit %d", i) {
			return
		}
	}
}

// characterStart returns the start of the character that an offset is in.
func characterStart(text string, at int) int {
	for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 {
		at--
	}
	return at
}
