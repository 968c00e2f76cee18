package lint

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// change is one row of the tables below testdata/changes.
type change struct {
	table, title, kind string
	// level is the highest level that the rule should report, "" for any; but is the level
	// that it reports instead, for a reason that the table gives, "" for the same level.
	level, rule, but string
	was, now         map[string]string
}

// maxExceptions is how many rows may have a level other than the one they should have.
const maxExceptions = 0

// TestChanges compares every change of the tables below testdata/changes with its base.
// testdata/changes/README.md describes how a table is written. The expected level of each
// change was decided before the program was run on it.
func TestChanges(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "changes", "*.txtar"))
	require.NoError(t, err)
	var all []change
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		all = append(all, changesIn(t, strings.TrimSuffix(filepath.Base(path), ".txtar"), archive)...)
	}
	assert.GreaterOrEqual(t, len(all), 150)
	count := map[string]int{}
	titles := map[string]bool{}
	for i := range all {
		c := &all[i]
		assert.False(t, titles[c.table+c.title], "two rows are %q", c.title)
		titles[c.table+c.title] = true
		level, rules, said := c.levelOf(t)
		if c.but == "" {
			assert.True(t, level == c.level && (c.rule == "" || slices.Contains(rules, c.rule)), "%s: %s: %s must be %s %s, and is %s\n%s", c.table, c.kind, c.title, c.level, c.rule, level, said)
		} else {
			assert.Equal(t, c.but, level, "%s: %s: the exception says otherwise\n%s", c.table, c.title, said)
			count["exceptions"]++
			continue
		}
		count[c.kind]++
		count[c.kind+" "+level]++
	}
	t.Log(count)
	assert.Zero(t, count["hostile-code nothing"]+count["hostile-reach nothing"]+count["new nothing"], "hostile changes that are not reported")
	assert.LessOrEqual(t, count["exceptions"], maxExceptions)
	warned := count["hostile-code warning"] + count["hostile-code error"]
	assert.GreaterOrEqual(t, warned*10, count["hostile-code"]*9, "%d of %d changes that run other code are warnings", warned, count["hostile-code"])
	assert.Equal(t, count["harmless"], count["harmless nothing"], "harmless changes that are reported")
}

// levelOf returns the highest level of the new findings, the rules that found it, and all
// messages.
func (c *change) levelOf(t *testing.T) (level string, rules []string, said string) {
	t.Helper()
	settings := func(files map[string]string) *policy.Settings {
		s, err := policy.ParseSettings(policy.SettingsName, policy.SettingsName, []byte(files[policy.SettingsName]))
		require.NoError(t, err)
		return s
	}
	result, err := Run(t.Context(), Options{
		Source: source.Memory(c.now), Base: source.Memory(c.was), Settings: settings(c.now), BaseSettings: settings(c.was),
	})
	require.NoError(t, err)
	require.Empty(t, result.Errors, c.title)
	level = "nothing"
	var highest rule.Severity
	for i := range result.Findings {
		f := &result.Findings[i]
		said += fmt.Sprintf("\t%s: %s %s: %s\n", f.File.Path, f.Severity, f.Rule.ID, f.Text())
		if level == "nothing" || f.Severity > highest {
			level, highest, rules = f.Severity.String(), f.Severity, nil
		}
		if f.Severity == highest {
			rules = append(rules, f.Rule.ID)
		}
	}
	return level, rules, said
}

// changesIn reads one table: its files are the base of all rows of the file "changes".
func changesIn(t *testing.T, table string, archive *txtar.Archive) []change {
	t.Helper()
	base, rows := map[string]string{}, ""
	for _, f := range archive.Files {
		if f.Name == "changes" {
			rows = string(f.Data)
		} else {
			base[f.Name] = string(f.Data)
		}
	}
	var all []change
	for _, line := range strings.Split(rows, "\n") {
		switch {
		case strings.TrimSpace(line) == "", line[0] == '#':
		case line[0] == ' ':
			all[len(all)-1].apply(t, strings.TrimSpace(line))
		default:
			cells := strings.SplitN(line, " | ", 3)
			require.Len(t, cells, 3, line)
			level, id, _ := strings.Cut(strings.TrimSpace(cells[1]), " ")
			all = append(all, change{
				table: table, title: cells[2], kind: strings.TrimSpace(cells[0]), level: level, rule: strings.TrimSpace(id), was: with(base), now: with(base),
			})
			require.Contains(t, []string{"hostile-code", "hostile-reach", "new", "harmless"}, all[len(all)-1].kind, line)
		}
	}
	return all
}

// apply makes one edit of a row.
func (c *change) apply(t *testing.T, edit string) {
	t.Helper()
	if text, ok := strings.CutPrefix(edit, "but "); ok {
		level, reason, _ := strings.Cut(text, ": ")
		require.NotEmpty(t, reason, "an exception says why: %s", edit)
		c.but = level
		return
	}
	if text, ok := strings.CutPrefix(edit, "was "); ok {
		edited(t, c.was, text)
		edited(t, c.now, text)
		return
	}
	edited(t, c.now, edit)
}

// edited makes one edit in files.
func edited(t *testing.T, files map[string]string, edit string) {
	t.Helper()
	replace := func(path, old, text string) {
		require.Equal(t, 1, strings.Count(files[path], old), "%s holds %q once", path, old)
		files[path] = strings.Replace(files[path], old, text, 1)
	}
	if path, ok := strings.CutSuffix(edit, " gone"); ok {
		require.Contains(t, files, path)
		delete(files, path)
	} else if from, to, ok := strings.Cut(edit, " -> "); ok && !strings.Contains(from, " ") {
		require.Contains(t, files, from)
		files[to] = files[from]
		delete(files, from)
	} else if path, line, ok := strings.Cut(edit, " = "); ok && !strings.Contains(path, " ") {
		files[path] = line + "\n"
	} else if path, line, ok := strings.Cut(edit, " & "); ok && !strings.Contains(path, " ") {
		files[path] += line + "\n"
	} else {
		path, text, _ := strings.Cut(edit, ": ")
		if old, after, ok := strings.Cut(text, " += "); ok {
			replace(path, old, old+after)
		} else {
			old, now, ok := strings.Cut(text, " =>")
			require.True(t, ok, "no edit: %s", edit)
			replace(path, old, strings.TrimPrefix(now, " "))
		}
	}
}
