package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// record writes the record of a repository of the organization acme, with more fields.
func record(t testing.TB, dir, name, fields string) {
	t.Helper()
	write(t, dir, "github.com/acme/"+name+".json", fmt.Sprintf(`{"version": 1, "tool": {"name": "mcplumb", "version": "1.2.3"}, "repository": "github.com/acme/%s", "url": "https://github.com/acme/%s",
 "commit": "%s", "time": "2026-11-20T10:00:00Z", "read": "2026-11-21", %s}`, name, name, strings.Repeat("c", 40), fields))
}

const (
	exaServer   = `{"name": "search", "identity": "npm:exa-mcp-server", "kind": "npm", "package": "exa-mcp-server", "version": "1.0.0", "purl": "pkg:npm/exa-mcp-server@1.0.0", "clients": ["claude-code"], "scope": "project", "path": ".mcp.json", "line": 3, "column": 5, "disabled": false}`
	braveServer = `{"name": "search", "identity": "npm:@brave/brave-search-mcp-server", "kind": "npm", "clients": ["cursor", "vscode"], "purl": "pkg:npm/%40brave/brave-search-mcp-server", "scope": "project", "path": "a b/.cursor/mcp.json", "line": 7, "column": 5, "disabled": false}`
	wikiServer  = `{"name": "wiki", "identity": "url:https://wiki.acme.dev/mcp", "kind": "url", "clients": ["cursor"], "scope": "project", "path": ".cursor/mcp.json", "line": 9, "column": 5, "disabled": false}`
	secretFound = `{"rule": "hardcoded-secret", "severity": "error", "message": "a token is written into the file", "path": ".mcp.json", "line": 5, "column": 9, "endLine": 5, "endColumn": 20, "server": "search", "fingerprint": "0123456789abcdef0123456789abcdef"}`
)

// fleetRecords writes the records of two shards, and those of the day before.
func fleetRecords(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	record(t, dir+"/one", "api", `"servers": [`+exaServer+`], "findings": [`+secretFound+`], "errors": []`)
	record(t, dir+"/one", "web", `"servers": [`+exaServer+`, `+wikiServer+`], "findings": [], "errors": [{"path": "mcp.json", "message": "is larger than 5 MiB"}]`)
	record(t, dir+"/two", "app", `"servers": [`+braveServer+`], "findings": [], "errors": []`)
	write(t, dir, "two/github.com/acme/gone.json", `{"version": 1, "tool": {"name": "mcplumb", "version": "1.2.3"}, "repository": "github.com/acme/gone", "url": "", "failed": "it could not be fetched: no such repository", "servers": [], "findings": [], "errors": []}`)
	write(t, dir, "two/.state.json", `this is no record`)
	write(t, dir, "two/README.md", `nor this`)
	record(t, dir+"/before", "api", `"servers": [`+strings.ReplaceAll(exaServer, "1.0.0", "0.9.0")+`], "findings": [], "errors": []`)
	record(t, dir+"/before", "old", `"servers": [`+exaServer+`], "findings": [], "errors": []`)
	return dir
}

// reported returns a report that must succeed in silence.
func reported(t *testing.T, dir string, args ...string) string {
	t.Helper()
	code, stdout, stderr := run(t, dir, append([]string{"fleet", "report"}, args...)...)
	require.Empty(t, stderr)
	require.Equal(t, 0, code)
	return stdout
}

// validFleet holds a report to its schema, and returns it.
func validFleet(t *testing.T, text string) (report map[string]any) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(moduleRoot(t), "docs", "fleet.schema.json"))
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(document))
	require.NoError(t, json.Unmarshal([]byte(text), &report))
	return report
}

func TestFleetReportJSON(t *testing.T) {
	report := validFleet(t, reported(t, fleetRecords(t), "one", "two", "--previous", "before", "--format", "json"))
	assert.Equal(t, map[string]any{
		"repositories": 4.0, "failed": 1.0, "servers": 4.0, "identities": 3.0, "unpinned": 1.0, "malicious": 0.0, "errors": 1.0,
		"findings": map[string]any{"error": 1.0, "warning": 0.0, "note": 0.0},
		"rules":    []any{map[string]any{"rule": "hardcoded-secret", "severity": "error", "count": 1.0, "repositories": 1.0}},
	}, report["summary"])
	conflict := report["orgFindings"].([]any)[0].(map[string]any)
	assert.Equal(t, `"search" is npm:exa-mcp-server in 2 repositories, but npm:@brave/brave-search-mcp-server in 1`, conflict["message"])
	assert.Equal(t, "https://github.com/acme/app/blob/"+strings.Repeat("c", 40)+"/a%20b/.cursor/mcp.json#L7", conflict["places"].([]any)[0].(map[string]any)["url"])
	changes := report["changes"].(map[string]any)
	assert.Equal(t, []any{"github.com/acme/app", "github.com/acme/gone", "github.com/acme/web"}, changes["newRepositories"])
	assert.Equal(t, []any{"github.com/acme/old"}, changes["goneRepositories"])
	assert.Equal(t, "0.9.0", changes["versions"].([]any)[0].(map[string]any)["before"])
	assert.Len(t, changes["new"], 3)
	assert.Equal(t, true, changes["new"].([]any)[0].(map[string]any)["first"], "no repository had npm:@brave/brave-search-mcp-server before")
}

func TestFleetReportMarkdown(t *testing.T) {
	blob := "blob/" + strings.Repeat("c", 40)
	assert.Equal(t, `### MCP servers of 4 repositories

Read on 2026-11-21. The newest commit is of 2026-11-20.

| Repositories | Not read | Servers | Different | Not pinned | Errors | Warnings | Notes |
| --- | --- | --- | --- | --- | --- | --- | --- |
| 4 | 2 | 4 | 3 | 1 | 1 | 0 | 0 |

#### Errors

| Repository | Place | Server | Rule | Finding |
| --- | --- | --- | --- | --- |
| `+"`github.com/acme/api` | [`.mcp.json:5`](https://github.com/acme/api/"+blob+"/.mcp.json#L5) | `search` | `hardcoded-secret`"+` | **New**: a token is written into the file |

#### New and gone

Since the previous report: 3 servers new, 1 gone, 1 at another version; 3 repositories new, 1 gone; 1 finding new, 0 gone.

##### New repositories

| Repository |
| --- |
| `+"`github.com/acme/app`"+` |
| `+"`github.com/acme/gone`"+` |
| `+"`github.com/acme/web`"+` |

##### Gone repositories

| Repository |
| --- |
| `+"`github.com/acme/old`"+` |

##### New servers that no repository had

| Server | Version | Name | Place |
| --- | --- | --- | --- |
| `+"`npm:@brave/brave-search-mcp-server` |  | `search` | [`github.com/acme/app/a b/.cursor/mcp.json:7`](https://github.com/acme/app/"+blob+`/a%20b/.cursor/mcp.json#L7) |
| `+"`url:https://wiki.acme.dev/mcp` |  | `wiki` | [`github.com/acme/web/.cursor/mcp.json:9`](https://github.com/acme/web/"+blob+`/.cursor/mcp.json#L9) |

##### Other new servers

| Server | Version | Name | Place |
| --- | --- | --- | --- |
| `+"`npm:exa-mcp-server` | `1.0.0` | `search` | [`github.com/acme/web/.mcp.json:3`](https://github.com/acme/web/"+blob+`/.mcp.json#L3) |

##### Servers at another version

| Server | Before | Version | Name | Place |
| --- | --- | --- | --- | --- |
| `+"`npm:exa-mcp-server` | `0.9.0` | `1.0.0` | `search` | [`github.com/acme/api/.mcp.json:3`](https://github.com/acme/api/"+blob+`/.mcp.json#L3) |

##### Gone servers

| Server | Version | Name | Place |
| --- | --- | --- | --- |
| `+"`npm:exa-mcp-server` | `1.0.0` | `search` | [`github.com/acme/old/.mcp.json:3`](https://github.com/acme/old/"+blob+`/.mcp.json#L3) |

#### One name stands for different servers (`+"`org-name-conflict`"+`)

| Finding | Repositories | First place |
| --- | --- | --- |
| "search" is `+"`npm:exa-mcp-server` in 2 repositories, but `npm:@brave/brave-search-mcp-server` in 1 | 1 | [`github.com/acme/app/a b/.cursor/mcp.json:7`](https://github.com/acme/app/"+blob+`/a%20b/.cursor/mcp.json#L7) |

#### Servers by repositories

| Server | Repositories | Names | Versions | Not pinned in |
| --- | --- | --- | --- | --- |
| `+"`npm:exa-mcp-server` | 2 | `search` ×2 | `1.0.0` ×2 |  |"+`
| `+"`npm:@brave/brave-search-mcp-server` | 1 | `search` ×1 |  | 1 |"+`
| `+"`url:https://wiki.acme.dev/mcp` | 1 | `wiki` ×1 |  |  |"+`

#### Findings

| Rule | Severity | Findings | Repositories |
| --- | --- | --- | --- |
| `+"`hardcoded-secret`"+` | error | 1 | 1 |

#### Not read

| Repository | Why | Shown |
| --- | --- | --- |
| `+"`github.com/acme/gone`"+` | it could not be fetched: no such repository | nothing |
| `+"`github.com/acme/web` | [`mcp.json`](https://github.com/acme/web/"+blob+`/mcp.json): is larger than 5 MiB |  |
`, reported(t, fleetRecords(t), "one", "two", "--previous", "before"))
}

// TestFleetReportMarkdownChanges names what is in several files of a repository once.
func TestFleetReportMarkdownChanges(t *testing.T) {
	dir := t.TempDir()
	record(t, dir+"/now", "api", `"servers": [`+exaServer+`, `+strings.ReplaceAll(exaServer, ".mcp.json", ".cursor/mcp.json")+`, `+wikiServer+`], "findings": [], "errors": []`)
	record(t, dir+"/before", "api", `"servers": [], "findings": [], "errors": []`)
	markdown := reported(t, dir, "now", "--previous", "before")
	blob := "https://github.com/acme/api/blob/" + strings.Repeat("c", 40)
	assert.Equal(t, []string{
		"| `npm:exa-mcp-server` | `1.0.0` | `search` | [`github.com/acme/api/.mcp.json:3`](" + blob + "/.mcp.json#L3) and 1 place more |",
		"| `url:https://wiki.acme.dev/mcp` |  | `wiki` | [`github.com/acme/api/.cursor/mcp.json:9`](" + blob + "/.cursor/mcp.json#L9) |",
	}, section(t, markdown, "New servers that no repository had"))
}

// found is a finding of a record.
func found(rule, severity, message, fingerprint string) string {
	return fmt.Sprintf(`{"rule": %q, "severity": %q, "message": %q, "path": ".mcp.json", "line": 5, "column": 9, "endLine": 5, "endColumn": 20, "server": "mail", "identity": "npm:postmark-mcp", "fingerprint": %q}`, rule, severity, message, fingerprint)
}

// section returns a section of a report in Markdown without the head of its table.
func section(t *testing.T, report, title string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(report, "# "+title+"\n\n")
	require.True(t, ok, report)
	rest, _, _ = strings.Cut(rest, "\n####")
	return strings.Split(strings.TrimSpace(rest), "\n")[2:]
}

// TestFleetReportGravest checks that the most severe findings come first, each with its place:
// malicious packages regardless of a repository's settings, then errors, the new ones first,
// then those of the more severe rule; and that the report counts those left out.
func TestFleetReportGravest(t *testing.T) {
	dir := t.TempDir()
	var old, now []string
	for i := range 60 {
		old = append(old, found("syntax-error", "error", fmt.Sprintf("broken %d", i), fmt.Sprintf("s%d", i)))
	}
	now = append(now, old...)
	now = append(now, found("insecure-url", "warning", "plain http", "w"), found("hardcoded-secret", "error", "an old credential", "h"),
		found("syntax-error", "error", "a new one", "n1"), found("integrity-changed", "error", "another file", "n2"), found("malicious-package", "note", "it steals mail", "m"))
	old = append(old, found("hardcoded-secret", "error", "an old credential", "h"))
	record(t, dir+"/now", "api", `"servers": [], "findings": [`+strings.Join(now, ",")+`], "errors": []`)
	record(t, dir+"/now", "web", `"servers": [], "findings": [`+found("malicious-package", "error", "a new thief", "m2")+`], "errors": []`)
	record(t, dir+"/before", "api", `"servers": [], "findings": [`+strings.Join(append(old, found("malicious-package", "note", "it steals mail", "m")), ",")+`], "errors": []`)
	report := reported(t, dir, "now", "--previous", "before")
	numbers, _, _ := strings.Cut(report, "\n#### ")
	assert.Contains(t, numbers, "| Malicious packages | Repositories |")
	assert.Contains(t, numbers, "\n| 2 | 2 |")
	at := func(name string) string {
		return "[`.mcp.json:5`](https://github.com/acme/" + name + "/blob/" + strings.Repeat("c", 40) + "/.mcp.json#L5)"
	}
	assert.Equal(t, []string{
		"| `github.com/acme/web` | " + at("web") + " | `mail` | `malicious-package` | **New**: a new thief |",
		"| `github.com/acme/api` | " + at("api") + " | `mail` | `malicious-package` | it steals mail |",
	}, section(t, report, "Malicious packages"))
	errors := section(t, report, "Errors")
	require.Len(t, errors, 52)
	var first []string
	for _, row := range errors[:4] {
		first = append(first, strings.Join(strings.Split(row, " | ")[3:], " | "))
	}
	assert.Equal(t, []string{
		"`integrity-changed` | **New**: another file |", "`syntax-error` | **New**: a new one |", "`hardcoded-secret` | an old credential |", "`syntax-error` | broken 0 |",
	}, first)
	assert.Equal(t, []string{"", "**and 13 more**, which the other formats have"}, errors[50:])
	var fresh []string
	for _, f := range validFleet(t, reported(t, dir, "now", "--previous", "before", "--format", "json"))["findings"].([]any) {
		if f := f.(map[string]any); f["new"] == true {
			fresh = append(fresh, f["message"].(string)+" "+f["identity"].(string))
		}
	}
	assert.Equal(t, []string{"plain http npm:postmark-mcp", "a new one npm:postmark-mcp", "another file npm:postmark-mcp", "a new thief npm:postmark-mcp"}, fresh)
	assert.Less(t, strings.Index(report, "#### Malicious packages"), strings.Index(report, "#### Errors"))
	assert.Less(t, strings.Index(report, "#### Errors"), strings.Index(report, "Since the previous report"))
}

// TestFleetReportFitsASummary holds that what GitHub drops whole, a job summary of more than
// 1 MiB, does not come about, and that every finding that has no room is counted.
func TestFleetReportFitsASummary(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("a|`<b", 500)
	for i := range 30 {
		var findings []string
		for j := range 100 {
			findings = append(findings, strings.ReplaceAll(found("malicious-package", "error", long, fmt.Sprint(i, j)), ".mcp.json", strings.Repeat("d|<é>", 200)+"/.mcp.json"))
		}
		servers := strings.ReplaceAll(exaServer, ".mcp.json", long) + "," + strings.ReplaceAll(braveServer, "search", long)
		record(t, dir+"/now", fmt.Sprintf("%s%d", strings.Repeat("r", 150), i), `"servers": [`+servers+`], "findings": [`+strings.Join(findings, ",")+`], "errors": []`)
	}
	record(t, dir+"/before", "other", `"servers": [], "findings": [], "errors": []`)
	report := reported(t, dir, "now", "--previous", "before")
	assert.Less(t, len(report), 1<<20-100_000)
	rows := section(t, report, "Malicious packages")
	shown := len(rows) - 2
	assert.Greater(t, shown, 50)
	assert.Equal(t, fmt.Sprintf("**and %d more** (%[1]d of them new), which the other formats have", 3000-shown), rows[shown+1])
}

// TestFleetReportIsOfADay holds that every report says on which day its repositories were
// read, and which could not be read since, from the records alone.
func TestFleetReportIsOfADay(t *testing.T) {
	dir := fleetRecords(t)
	record(t, dir+"/two", "late", `"servers": [], "findings": [], "errors": []`)
	write(t, dir, "two/github.com/acme/late.json", strings.Replace(read(t, dir, "two/github.com/acme/late.json"), `"read": "2026-11-21"`, `"read": "2026-11-20"`, 1))
	for name, day := range map[string]string{"slow": `"read": "2026-11-02", `, "slower": ``} {
		record(t, dir+"/two", name, `"failed": "it took longer than 15 minutes", "servers": [`+exaServer+`], "findings": [], "errors": []`)
		file := "two/github.com/acme/" + name + ".json"
		write(t, dir, file, strings.Replace(read(t, dir, file), `"read": "2026-11-21", `, day, 1))
	}
	markdown := reported(t, dir, "one", "two")
	assert.Contains(t, markdown, "\nRead on 2026-11-21. The newest commit is of 2026-11-20. 1 repository is shown as known on 2026-11-20. 1 repository is shown as known on 2026-11-02. 1 repository is shown as known before.\n")
	assert.Equal(t, []string{
		"| `github.com/acme/gone` | it could not be fetched: no such repository | nothing |",
		"| `github.com/acme/slow` | it took longer than 15 minutes | as known on 2026-11-02 |",
		"| `github.com/acme/slower` | it took longer than 15 minutes | as known before |",
		"| `github.com/acme/web` | [`mcp.json`](https://github.com/acme/web/blob/" + strings.Repeat("c", 40) + "/mcp.json): is larger than 5 MiB |  |",
	}, section(t, markdown, "Not read"))
	report := validFleet(t, reported(t, dir, "one", "two", "--format", "json"))
	assert.Equal(t, "2026-11-21", report["read"])
	days := map[string]any{}
	for _, r := range report["repositories"].([]any) {
		days[r.(map[string]any)["repository"].(string)] = r.(map[string]any)["read"]
	}
	assert.Equal(t, map[string]any{
		"github.com/acme/api": "2026-11-21", "github.com/acme/app": "2026-11-21", "github.com/acme/web": "2026-11-21", "github.com/acme/late": "2026-11-20",
		"github.com/acme/slow": "2026-11-02", "github.com/acme/slower": nil, "github.com/acme/gone": nil,
	}, days)
}

// TestFleetReportAfterAnUpdate checks that records of another version of mcplumb stop
// nothing: those that this version can read are used, others are named once, and nothing in
// their repositories is reported as new or gone.
func TestFleetReportAfterAnUpdate(t *testing.T) {
	dir := fleetRecords(t)
	for _, name := range []string{"web", "app"} { // whose fields are others
		write(t, dir, "before/github.com/acme/"+name+".json", `{"version": 2, "repository": {"name": "`+name+`"}}`)
	}
	write(t, dir, "before/half.json", `{`)
	code, stdout, stderr := run(t, dir, "fleet", "report", "one", "two", "--previous", "before", "--format", "json")
	assert.Equal(t, 0, code)
	assert.Equal(t, "mcplumb: --previous: "+filepath.Join("before", "github.com", "acme", "app.json")+" (and 2 more): it is a record of version 2, and this mcplumb knows version 1; new and removed servers there are not reported\n", stderr)
	changes := validFleet(t, stdout)["changes"].(map[string]any)
	assert.NotContains(t, changes, "updatedFrom", "most that can be read are of one version")
	assert.Equal(t, []any{"github.com/acme/gone"}, changes["newRepositories"], "api is known, app and web are unknown")
	assert.Empty(t, changes["new"])
	assert.Len(t, changes["versions"], 1, "an older record is used")

	for _, name := range []string{"api", "old"} {
		file := "before/github.com/acme/" + name + ".json"
		write(t, dir, file, strings.Replace(read(t, dir, file), `"version": "1.2.3"`, `"version": "1.1.0"`, 1))
	}
	_, stdout, _ = run(t, dir, "fleet", "report", "one", "two", "--previous", "before", "--format", "json")
	assert.Equal(t, "1.1.0", validFleet(t, stdout)["changes"].(map[string]any)["updatedFrom"])
	_, stdout, _ = run(t, dir, "fleet", "report", "one", "two", "--previous", "before")
	assert.Contains(t, stdout, "\nMost previous records are of mcplumb `1.1.0`: findings may be new since the rules are.\n")

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "before", "github.com", "acme", "api.json")))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "before", "github.com", "acme", "old.json")))
	code, stdout, _ = run(t, dir, "fleet", "report", "one", "two", "--previous", "before", "--format", "json")
	assert.Equal(t, 0, code)
	assert.NotContains(t, validFleet(t, stdout), "changes", "nothing is known of before")

	// What is carried over by other means is left out, and counts as not read.
	require.NoError(t, os.Remove(filepath.Join(dir, "before", "half.json")))
	code, stdout, stderr = run(t, dir, "fleet", "report", "one", "before")
	assert.Equal(t, 0, code)
	assert.Equal(t, "mcplumb: "+filepath.Join("before", "github.com", "acme", "app.json")+" (and 1 more): it is a record of version 2, and this mcplumb knows version 1; the report is without it\n", stderr)
	assert.Len(t, section(t, stdout, "Not read"), 3, "two records, and a file of one that could be read")
	code, _, _ = run(t, dir, "fleet", "report", "before")
	assert.Equal(t, 3, code, "there is nothing to report")
}

func TestFleetReportCSV(t *testing.T) {
	text := reported(t, fleetRecords(t), "one", "two", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 5)
	assert.Equal(t, []string{"repository", "name", "identity", "kind", "selector", "version", "pinned", "clients", "scope", "disabled", "rules", "path", "line", "commit", "time", "read", "url"}, rows[0])
	commit := strings.Repeat("c", 40)
	assert.Equal(t, []string{
		"github.com/acme/api", "search", "npm:exa-mcp-server", "npm", "", "1.0.0", "1.0.0", "claude-code", "project", "false", "hardcoded-secret",
		".mcp.json", "3", commit, "2026-11-20T10:00:00Z", "2026-11-21", "https://github.com/acme/api/blob/" + commit + "/.mcp.json#L3",
	}, rows[1])
	assert.Equal(t, 5, strings.Count(text, "\r\n"))
}

func TestFleetReportCycloneDX(t *testing.T) {
	var bom struct {
		Components []struct {
			Ref      string `json:"bom-ref"`
			Purl     string
			Group    string
			Evidence struct {
				Occurrences []struct{ Location, Symbol string }
			}
		}
		Services []struct{ Endpoints []string }
	}
	require.NoError(t, json.Unmarshal([]byte(reported(t, fleetRecords(t), "one", "two", "--format", "cyclonedx")), &bom))
	require.Len(t, bom.Components, 2)
	assert.Equal(t, "npm:@brave/brave-search-mcp-server", bom.Components[0].Ref)
	assert.Equal(t, "@brave", bom.Components[0].Group)
	assert.Equal(t, "pkg:npm/exa-mcp-server@1.0.0", bom.Components[1].Purl)
	require.Len(t, bom.Components[1].Evidence.Occurrences, 2)
	assert.Equal(t, "github.com/acme/web/.mcp.json", bom.Components[1].Evidence.Occurrences[1].Location)
	require.Len(t, bom.Services, 1)
	assert.Equal(t, []string{"https://wiki.acme.dev/mcp"}, bom.Services[0].Endpoints)
}

// TestFleetReportIsTheSame checks that the same records give the same bytes, in any
// order of their directories.
func TestFleetReportIsTheSame(t *testing.T) {
	dir := fleetRecords(t)
	for _, format := range []string{"json", "markdown", "csv", "cyclonedx", "html"} {
		assert.Equal(t, reported(t, dir, "one", "two", "--format", format), reported(t, dir, "two", "one", "--format", format), format)
	}
}

// TestFleetReportErrors checks the messages about errors, and that the rest is reported.
func TestFleetReportErrors(t *testing.T) {
	dir := fleetRecords(t)
	write(t, dir, "two/github.com/acme/half.json", `{"version": 1, "repository": "github.com/acme/half"`)
	code, stdout, stderr := run(t, dir, "fleet", "report", "one", "two", "--format", "json")
	assert.Equal(t, 3, code)
	assert.Equal(t, "mcplumb: "+filepath.Join("two", "github.com", "acme", "half.json")+": it is not a record of mcplumb fleet check: unexpected end of JSON input\n", stderr)
	report := validFleet(t, stdout)
	assert.Equal(t, 4.0, report["summary"].(map[string]any)["repositories"])
	assert.Contains(t, report["errors"], map[string]any{"path": filepath.Join("two", "github.com", "acme", "half.json"), "message": "it is not a record of mcplumb fleet check: unexpected end of JSON input"})

	for _, c := range []struct {
		args   []string
		stderr string
	}{
		{[]string{"nowhere"}, "mcplumb: nowhere: no such file or directory\n"},
		{[]string{"one", "--previous", "nowhere"}, "mcplumb: --previous: nowhere: no such file or directory\n"},
		{[]string{"two/README.md"}, "mcplumb: two/README.md: it is not a directory\n"},
		{[]string{"empty"}, "mcplumb: empty: no records of mcplumb fleet check found\n"},
		{[]string{"one", "--format", "xml"}, "mcplumb: --format \"xml\": "},
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "empty"), 0o755))
		code, stdout, stderr := run(t, dir, append([]string{"fleet", "report"}, c.args...)...)
		assert.Equal(t, 2, code)
		assert.Empty(t, stdout)
		assert.True(t, strings.HasPrefix(stderr, c.stderr), stderr)
	}
}

// TestFleetReportOfALink checks that the argument may be a link to a directory, and that a link
// among the records is not read as a record.
func TestFleetReportOfALink(t *testing.T) {
	dir := fleetRecords(t)
	require.NoError(t, os.Symlink("one", filepath.Join(dir, "link")))
	write(t, dir, "secret.json", "not for a report")
	require.NoError(t, os.Symlink(filepath.Join(dir, "secret.json"), filepath.Join(dir, "one", "x.json")))
	assert.Equal(t, reported(t, dir, "one"), reported(t, dir, "link"))
}

// TestFleetReportMerges holds which record of a repository counts.
func TestFleetReportMerges(t *testing.T) {
	dir := fleetRecords(t)
	code, stdout, stderr := run(t, dir, "fleet", "report", "one", "before", "--format", "csv")
	assert.Equal(t, 0, code)
	assert.Equal(t, "mcplumb: 1 repository has more than one record, such as github.com/acme/api: the newest commit counts\n", stderr)
	assert.Equal(t, 1, strings.Count(stdout, `"github.com/acme/api"`))
}

// hostileTexts are what names may be that mean no good.
func hostileTexts() []string {
	return []string{
		"<script>window.canary=1</script>", "</script><script>window.canary=1</script>", "<!--<script>", "`]]>\u2028", "=HYPERLINK(\"http://evil.dev\")", "+1", "-1", "@SUM(A1)", "x;=1+1",
		"\u202egnp.exe", "::error::no", "##[error]no", "a|b\nc", "[x](http://evil.dev) @acme #1", "\x1b[31mred", "\t=1",
	}
}

// TestHostileFleet checks that any content of a record stays text in every format.
func TestHostileFleet(t *testing.T) {
	dir := t.TempDir()
	for i, text := range hostileTexts() {
		name, err := json.Marshal(text)
		require.NoError(t, err)
		write(t, dir, fmt.Sprintf("in/%d.json", i), strings.ReplaceAll(`{"version": 1, "repository": X, "url": "https://github.com/acme/x", "commit": "cc", "failed": X, "errors": [{"path": X, "message": X}],
 "servers": [{"name": X, "identity": X, "kind": "npm", "version": X, "purl": X, "path": X, "line": 1, "scope": X, "clients": [X], "selector": [X]}],
 "findings": [{"rule": X, "severity": "error", "message": X, "path": X, "line": 1, "server": X, "fingerprint": X}]}`, "X", string(name)))
	}
	validFleet(t, reported(t, dir, "in", "--format", "json"))
	for _, format := range []string{"json", "markdown", "csv", "cyclonedx", "html"} {
		text := reported(t, dir, "in", "--format", format)
		for _, harm := range []string{"\u202e", "\u2028", "\x1b", "##[", "\n::"} {
			assert.False(t, strings.Contains(text, harm), "%s: %q", format, harm)
		}
	}
	page := reported(t, dir, "in", "--format", "html")
	assert.Equal(t, 2, strings.Count(page, "</script"), "the data and the script")
	assert.Equal(t, 2, strings.Count(page, "<script"))
	assert.False(t, strings.Contains(page, "<!--"))
	rows, err := csv.NewReader(strings.NewReader(reported(t, dir, "in", "--format", "csv"))).ReadAll()
	require.NoError(t, err)
	for _, row := range rows {
		for _, cell := range row {
			assert.NotRegexp(t, `^[=+\-@\t\r]|;\s*[=+\-@]`, cell)
		}
	}
	for line := range strings.Lines(reported(t, dir, "in")) {
		// Outside of code nothing is left that means something, other than links to lines.
		outside := ""
		line = regexp.MustCompile(`\]\(https://github\.com/acme/x/blob/cc/[^ ()<>|\x60]*#L1\) \|`).ReplaceAllString(line, "")
		for i, part := range strings.Split(strings.ReplaceAll(line, "``", ""), "`") {
			if i%2 == 0 {
				outside += part
			}
		}
		assert.NotRegexp(t, `<script|\]\(http|@acme|<!--`, outside)
	}
}

// BenchmarkFleetReport merges 10,000 repositories with 200,000 servers and writes a report.
func BenchmarkFleetReport(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		var servers, findings []string
		for j := range 20 {
			n := (i*7 + j*13) % 400
			servers = append(servers, fmt.Sprintf(`{"name": "tool-%d", "identity": "npm:@acme/tool-%d", "kind": "npm", "package": "@acme/tool-%d", "version": "1.%d.0", "purl": "pkg:npm/%%40acme/tool-%d@1.%d.0", "clients": ["claude-code"], "format": "claude-code", "scope": "project", "path": ".mcp.json", "line": %d, "column": 5, "transport": "stdio", "launcher": "npx", "disabled": false}`, n, n, n, i%9, n, i%9, j*4+3))
			findings = append(findings, fmt.Sprintf(`{"rule": "alias-drift", "severity": "warning", "message": "\"tool-%d\" is the server that mcp.json calls \"tool\" (npm:@acme/tool-%d): rename it to \"tool\"", "path": ".mcp.json", "line": %d, "column": 5, "endLine": 3, "endColumn": 12, "server": "tool-%d", "identity": "npm:@acme/tool-%d", "fingerprint": "%032x"}`, n, n, j*4+3, n, n, i*20+j))
		}
		record(b, dir, fmt.Sprintf("r%d", i), `"servers": [`+strings.Join(servers, ",")+`], "findings": [`+strings.Join(findings, ",")+`], "errors": []`)
	}
	for _, format := range []string{"json", "markdown", "html"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				code, _, stderr := runUntil(b.Context(), dir, "fleet", "report", ".", "--format", format+"=out")
				require.Equal(b, 0, code, stderr)
				runtime.GC()
			}
		})
	}
}
