package main

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the counts of announced.tsv, without the lines of which no case differs any more")

// TestRecordsAreOfTheCases holds that every generated case has a record, and that there are
// no other records: scripts/clients-judge writes them.
func TestRecordsAreOfTheCases(t *testing.T) {
	for _, c := range clients() {
		records, _, err := recorded(".", c)
		require.NoError(t, err)
		cases := c.cases()
		require.Len(t, records, len(cases), c.id)
		for i, want := range cases {
			got := records[i]
			require.Equal(t, of(want), record{ID: got.ID, Path: got.Path, Text: got.Text, Name: got.Name}, "%s %s", c.id, want.ID)
		}
	}
}

// TestSaysWhatClientsSay compares mcplumb's results with what released clients did, in
// every case that is not announced. An announced difference that no longer exists also
// fails.
func TestSaysWhatClientsSay(t *testing.T) {
	announced, err := readAnnounced("announced.tsv")
	require.NoError(t, err)
	counts := make([]int, len(announced))
	for _, c := range clients() {
		records, version, err := recorded(".", c)
		require.NoError(t, err)
		all, err := differences(c, records)
		require.NoError(t, err)
		for _, d := range all {
			i := slices.IndexFunc(announced, func(a announcement) bool { return a.covers(d) })
			if i >= 0 {
				counts[i]++
				continue
			}
			assert.Fail(t, "a difference that is not announced", "%s %s: %s %s\n%s\n%s says: %s %s\nmcplumb says: %q",
				c.title, version, d.kind, d.record.ID, d.record.Text, c.title, d.record.answer(), d.record.Reason, d.said)
		}
		t.Logf("%s %s: %d cases, mcplumb says the same in %d", c.title, version, len(records), len(records)-len(all))
	}
	if *update {
		var left []announcement
		for i, a := range announced {
			if a.count = counts[i]; a.count > 0 {
				left = append(left, a)
			}
		}
		require.NoError(t, writeAnnounced("announced.tsv", left))
		return
	}
	for i, a := range announced {
		assert.Equal(t, a.count, counts[i], "%s: %s %v: announced for other cases than differ; -update writes the count", a.client, a.kind, a.patterns)
	}
}

// TestCausesAreTried holds that there are cases for errors that were found once.
func TestCausesAreTried(t *testing.T) {
	causes := map[string][]string{
		"claude-code": {
			"encoding/bom", "encoding/line-comment", "encoding/trailing-comma", "switch/disabled=true", "switch/enabled=false", "member/ws.oauth=*", "duplicate/member-bad-good",
			"reserved/Claude_in_Chrome", "reserved/claude.ai", "reserved/__proto__", "member/*=null", "type/url=stdio", "type/command=http", "type/empty-command-beside-url",
			"member/*.tools=*", "member/*.toolPermissions=*", "member/*.oauth={*", "member/*.discoveryCache=*", "member/*.bareElicitationCapability=*", "member/*.timeout=-1", "root/bare",
			"variable/*=nested-default", "variable/*=nested-default-twice", "variable/*=default-dash", "variable/*=file", "variable/*=project-dir",
		},
		"codex": {
			"name/io.github.acme/mcp", "name/@acme/mcp", "name/a:b", "name/a+b", "switch/disabled=true", "member/*.auth=*", "member/*.default_tools_approval_mode=*",
			"tools/approval_mode=*", "member/*.startup_readiness=*", "member/*.omit_tools_from=*", "member/*.tool_input_schema_max_bytes=*", "member/*.http_headers_helper*",
			"member/*.environment_id=*", "member/*.env_vars=[{*", "member/*.startup_timeout_sec=nan", "member/*.tool_timeout_sec=-1", "member/*.startup_timeout_ms=*",
			"member/*.oauth={*", "member/*.tools={x*", "shape/entry=*", "shape/mcp_servers=*", "shape/array-of-tables", "switch/off-args", "switch/off-both", "switch/off-name",
			"shape/unquoted-dot", "shape/Command", "shape/URL", "shape/only-type", "member/*.name=5", "member/http.url=\"ftp*", "root/key=mcp-servers", "name/${SET}",
		},
	}
	for _, c := range clients() {
		for _, pattern := range causes[c.id] {
			assert.True(t, slices.ContainsFunc(c.cases(), func(tried testCase) bool { return like(pattern, tried.ID) }), "%s: no case for %s", c.id, pattern)
		}
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		is            bool
	}{
		{"a/b", "a/b", true},
		{"a/b", "a/bc", false},
		{"a/*", "a/b=c", true},
		{"*=null", "member/stdio.command=null", true},
		{"*=null", "member/stdio.command=nul", false},
		{"a*b*c", "a1b2c", true},
		{"a*b*c", "a1c2b", false},
		{"ab*ba", "aba", false},
	} {
		assert.Equal(t, c.is, like(c.pattern, c.text), "%s %s", c.pattern, c.text)
	}
}
