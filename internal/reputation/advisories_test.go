package reputation

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/package-url/packageurl-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// TestAdvisoryTable holds the table to what the OSV schema demands of a record,
// and to what the rules build on.
func TestAdvisoryTable(t *testing.T) {
	var records []struct {
		SchemaVersion string `json:"schema_version"`
		ID, Summary   string
		Modified      time.Time
		Aliases       []string
		Affected      []struct {
			Package  struct{ Ecosystem, Name, Purl string }
			Versions []string
			Ranges   []struct {
				Type   string
				Events []map[string]string
			}
		}
		References []struct{ Type, URL string }
		Specific   struct {
			Severity string
			OnlyWith []string `json:"only_with"`
		} `json:"database_specific"`
	}
	decoder := json.NewDecoder(strings.NewReader(string(advisoryTable)))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&records))
	require.NotEmpty(t, records)

	id := regexp.MustCompile(`^(CVE-\d{4}-\d{4,}|GHSA(-[0-9a-z]{4}){3}|PYSEC-\d{4}-\d+|MAL-\d{4}-\d+|MCPLUMB-\d{4}-\d+)$`)
	types := map[string]string{"npm": "SEMVER", "Go": "SEMVER", "PyPI": "ECOSYSTEM"}
	seen := map[string]bool{}
	for _, r := range records {
		for _, name := range append([]string{r.ID}, r.Aliases...) {
			assert.Regexp(t, id, name)
			assert.False(t, seen[name], "%s is there twice", name)
			seen[name] = true
		}
		assert.Equal(t, "1.7.0", r.SchemaVersion, r.ID)
		assert.False(t, r.Modified.IsZero(), r.ID)
		assert.NotEmpty(t, r.Summary, r.ID)
		assert.NotContains(t, r.Summary, ". ", "%s: a summary is one phrase", r.ID)
		assert.NotContains(t, r.Summary, ": ", "%s: a finding has its own colon", r.ID)
		assert.False(t, strings.HasSuffix(r.Summary, "."), r.ID)
		require.NotEmpty(t, r.References, r.ID)
		for _, ref := range r.References {
			assert.Contains(t, []string{"ADVISORY", "WEB"}, ref.Type, r.ID)
			assert.True(t, strings.HasPrefix(ref.URL, "https://"), r.ID)
		}
		assert.Contains(t, []string{"", "CRITICAL", "HIGH", "MEDIUM", "LOW"}, r.Specific.Severity, r.ID)
		require.NotEmpty(t, r.Affected, r.ID)
		for _, a := range r.Affected {
			_, err := packageurl.FromString(a.Package.Purl)
			assert.NoError(t, err, r.ID)
			require.NotEmpty(t, a.Ranges, r.ID)
			for _, events := range a.Ranges {
				assert.Equal(t, types[a.Package.Ecosystem], events.Type, r.ID)
				require.NotEmpty(t, events.Events, r.ID)
				assert.Contains(t, events.Events[0], "introduced", "%s: a range begins with introduced", r.ID)
				for _, e := range events.Events {
					assert.Len(t, e, 1, "%s: an event says one thing", r.ID)
				}
			}
		}
	}
}

// TestAdvisoryVersions parses the table and holds the events of every range to
// being in the order of versions, which affects relies on.
func TestAdvisoryVersions(t *testing.T) {
	index, err := parseAdvisories(advisoryTable)
	require.NoError(t, err)
	for name, list := range index {
		for _, a := range list {
			for _, events := range a.ranges {
				for i, e := range events[1:] {
					before := events[i].version
					assert.True(t, before == nil || before.Compare(e.version) < 0, "%s %s", name.name, a.id)
				}
			}
		}
	}
}

func TestParseAdvisoriesRefuses(t *testing.T) {
	const form = `[{"id": "X-1", "affected": [{"package": {"ecosystem": "npm", "name": "x"}, "ranges": [{"events": [%]}]}]}]`
	for _, event := range []string{`{"introduced": "x"}`, `{"limit": "1.0.0"}`, `1`} {
		_, err := parseAdvisories([]byte(strings.Replace(form, "%", event, 1)))
		assert.Error(t, err, event)
	}
	_, err := parseAdvisories([]byte(strings.Replace(form, "%", `{"introduced": "1.0.0"}`, 1)))
	assert.NoError(t, err)
}

// TestAffects decides the examples of the OSV schema's events, and versions that
// are written in another way than in the table.
func TestAffects(t *testing.T) {
	tests := []struct {
		kind    identity.Kind
		name    string
		version string
		want    bool
	}{
		{identity.NPM, "mcp-remote", "0.0.5-0", false},
		{identity.NPM, "mcp-remote", "0.0.5", true},
		{identity.NPM, "mcp-remote", "=0.1.15", true},
		{identity.NPM, "mcp-remote", "0.1.16-0", true}, // before the release that fixed it
		{identity.NPM, "mcp-remote", "0.1.16", false},
		{identity.NPM, "mcp-remote", "0.15.1", false}, // no text comparison
		{identity.NPM, "@modelcontextprotocol/server-filesystem", "0.6.3", true},
		{identity.NPM, "@modelcontextprotocol/server-filesystem", "2.4.0", false},
		{identity.NPM, "@modelcontextprotocol/server-filesystem", "2025.7.1", true}, // MCPLUMB-2026-1
		{identity.NPM, "@modelcontextprotocol/server-filesystem", "2026.9.1", false},
		{identity.NPM, "@modelcontextprotocol/server-everything", "2.3.1", false},
		{identity.NPM, "@modelcontextprotocol/server-everything", "1.0.0", true},
		{identity.PyPI, "mcp", "1.22", true},
		{identity.PyPI, "mcp", "1.28.1", false},
		{identity.PyPI, "mcp", "1.28", true}, // is 1.28.0
		{identity.PyPI, "mcp", "2.0.0", false},
		{identity.PyPI, "mcp", "1.28.1rc1", true},
		{identity.PyPI, "mcp", "1.28.1.post1", false},
		{identity.PyPI, "fastmcp", "3.2.0.dev1", true},
		{identity.NPM, "@modelcontextprotocol/sdk", "1.25.3", true},
		{identity.NPM, "@modelcontextprotocol/sdk", "1.26.0", false},
		{identity.Go, "github.com/modelcontextprotocol/go-sdk", "v1.3.1", true},
		{identity.Go, "github.com/modelcontextprotocol/go-sdk", "v1.4.0", false},
		{identity.NPM, "postmark-mcp", "1.0.15", false},
		{identity.NPM, "postmark-mcp", "1.0.16", true},
		{identity.NPM, "postmark-mcp", "2.0.0", true}, // there is no fixed version
	}
	for _, tt := range tests {
		v, err := tt.kind.System().Parse(tt.version)
		require.NoError(t, err, tt.version)
		list := advisoriesFor(tt.kind, tt.name)
		require.NotEmpty(t, list, tt.name)
		assert.Equal(t, tt.want, anyAffects(list, v), "%s %s", tt.name, tt.version)
	}
}

// TestFirstFixed takes no version that another advisory is about, and none for
// malware.
func TestFirstFixed(t *testing.T) {
	one, err := identity.NPM.System().Parse("0.0.1")
	require.NoError(t, err)
	for name, want := range map[string]string{
		"mcp-remote": "0.1.16", "@modelcontextprotocol/server-filesystem": "2.4.0", "mcp-server-kubernetes": "3.9.0",
		"@modelcontextprotocol/inspector": "0.16.6", "postmark-mcp": "", "nobody-knows-it": "",
	} {
		assert.Equal(t, want, firstFixed(advisoriesFor(identity.NPM, name), one), name)
	}
}

// TestFirstFixedOfLines uses the fix in the same line of versions: 1.5.0 is no help for 2.1.0.
// For a version above every fix, such as a former date, it is the lowest fix.
func TestFirstFixedOfLines(t *testing.T) {
	const form = `[{"id": "X-1", "affected": [{"package": {"ecosystem": "npm", "name": "x"}, "ranges": [
		{"events": [{"introduced": "2.0.0"}, {"fixed": "2.3.0"}]},
		{"events": [{"introduced": "0"}, {"fixed": "1.5.0"}]},
		{"events": [{"introduced": "3.0.0"}, {"fixed": "3.1.0"}]},
		{"events": [{"introduced": "2025.1.1"}]}]}]}]`
	index, err := parseAdvisories([]byte(form))
	require.NoError(t, err)
	for version, want := range map[string]string{
		"1.0.0": "1.5.0", "1.4.9": "1.5.0", "2.0.0": "2.3.0", "2.1.0": "2.3.0", "3.0.0": "3.1.0", "2025.3.28": "1.5.0",
	} {
		v, err := identity.NPM.System().Parse(version)
		require.NoError(t, err, version)
		assert.Equal(t, want, firstFixed(index[packageName{identity.NPM, "x"}], v), version)
	}
}

// BenchmarkParseAdvisories measures what the first package costs.
func BenchmarkParseAdvisories(b *testing.B) {
	for b.Loop() {
		if _, err := parseAdvisories(advisoryTable); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkJudgePackages measures what every package costs: nothing is published about
// nineteen of twenty.
func BenchmarkJudgePackages(b *testing.B) {
	packages := make([]identity.Fetched, 20000)
	for i := range packages {
		packages[i] = identity.Fetched{Kind: identity.NPM, Name: "@acme/server", Version: identity.Version{Kind: identity.Exact, Text: "1.2.3"}}
		if i%20 == 0 {
			packages[i].Name, packages[i].Version.Text = "mcp-remote", "0.1.29"
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range packages {
			if JudgeVulnerable(packages[i], "", nil) != nil || JudgeMalicious(packages[i], "") != nil {
				b.Fatal("found something")
			}
		}
	}
}
