package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// found does as Renovate's regex manager does with the strategy "recursive", in RE2,
// which is what Renovate uses: it returns the pins of a file as
// "path datasource package version@digest". test/renovate has Renovate itself do it.
func found(t *testing.T, m *customManager, path, content string) []string {
	t.Helper()
	require.Len(t, m.MatchStrings, 2)
	file := strings.TrimSuffix(strings.TrimPrefix(m.ManagerFilePatterns[0], "/"), "/i")
	if !regexp.MustCompile("(?i)" + file).MatchString(path) {
		return nil
	}
	find, narrow := regexp.MustCompile(m.MatchStrings[0]), regexp.MustCompile(m.MatchStrings[1])
	var pins []string
	for _, at := range find.FindAllStringSubmatchIndex(content, -1) {
		groups := map[string]string{}
		for i, name := range find.SubexpNames() {
			if name != "" && at[2*i] >= 0 {
				groups[name] = content[at[2*i]:at[2*i+1]]
			}
		}
		name, version := expand(m.DepName, groups), expand(m.CurrentValue, groups)
		if name == "" {
			continue
		}
		part := narrow.FindString(content[at[0]:at[1]])
		assert.Regexp(t, `^\S*`+regexp.QuoteMeta(name), part, "what Renovate rewrites begins elsewhere")
		pin := path + " " + m.Datasource + " " + name + " " + version
		if digest := groups["currentDigest"]; digest != "" {
			pin += "@" + digest
		}
		pins = append(pins, pin)
	}
	return pins
}

// expand fills a template of Renovate's.
func expand(template string, groups map[string]string) string {
	return regexp.MustCompile(`{{(\w+)}}`).ReplaceAllStringFunc(template, func(text string) string {
		return groups[strings.Trim(text, "{}")]
	})
}

func presetForTest(t *testing.T) *preset {
	t.Helper()
	text, err := renovatePreset(format.All(), mcp.Clients())
	require.NoError(t, err)
	var p preset
	require.NoError(t, json.Unmarshal([]byte(text), &p))
	return &p
}

func TestRenovatePreset(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/renovate.txtar")
	require.NoError(t, err)
	p := presetForTest(t)
	var got []string
	for _, f := range archive.Files[:len(archive.Files)-1] {
		for i := range p.CustomManagers {
			got = append(got, found(t, &p.CustomManagers[i], f.Name, string(f.Data))...)
		}
	}
	slices.Sort(got)
	assert.Equal(t, string(archive.Files[len(archive.Files)-1].Data), strings.Join(got, "\n")+"\n")
}

// TestRenovateLanguages compares the language of every path with the one that its format
// parses: in a file read as another language, no pin is found.
func TestRenovateLanguages(t *testing.T) {
	texts := map[string]string{
		inJSON.name: `{"a": "b"}`,
		inTOML.name: "a = 'b'\n",
		inYAML.name: "a:\n  - b\n",
	}
	for _, f := range format.All() {
		if !hasPins(f) {
			continue
		}
		for _, path := range slices.Concat(f.Paths, f.Home) {
			name := languageOf(path)
			if name == inFrontMatter.name {
				assert.True(t, f.Markdown, path)
				continue
			}
			assert.False(t, f.Markdown, path)
			_, err := f.Parse(new(syntax.Parser), syntax.NewFile(path, []byte(texts[name])))
			assert.NoError(t, err, "%s is no %s", path, name)
		}
	}
}

func TestTextBut(t *testing.T) {
	pattern := regexp.MustCompile("^" + textBut("lock") + "$")
	for text, want := range map[string]bool{
		"lock": false, "": false, "a/b": false,
		"l": true, "lo": true, "loc": true, "locks": true, "block": true, "lick": true, "team": true,
	} {
		assert.Equal(t, want, pattern.MatchString(text), text)
	}
}
