package registries_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ossf/osv-schema/bindings/go/osvschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"
	"osv.dev/bindings/go/api"
)

// maxBatch is how many questions OSV takes at once (google.github.io/osv.dev, "POST
// /v1/querybatch").
const maxBatch = 1000

// osv is a double of OSV. It accepts a batch of queries that matches OSV's own definition
// of its API, without extra members, and answers by that definition; its advisories are
// valid for OSV's schema.
type osv struct {
	t          *testing.T
	advisories []*osvschema.Vulnerability
	// batches has the number of questions of each request.
	batches []int
	// pageSize is how many advisories it names at once, 0 for all.
	pageSize int
}

// startOSV returns a double that knows some advisories, and its address.
func startOSV(t *testing.T, advisories ...string) (double *osv, address string) {
	t.Helper()
	double = &osv{t: t}
	schema := osvSchema(t)
	for _, text := range advisories {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(document), text)
		advisory := &osvschema.Vulnerability{}
		require.NoError(t, protojson.Unmarshal([]byte(text), advisory), text)
		double.advisories = append(double.advisories, advisory)
	}
	server := httptest.NewServer(double)
	t.Cleanup(server.Close)
	return double, server.URL
}

// osvSchema is the schema of advisories (ossf/osv-schema, validation/schema.json).
func osvSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open(program(t, "OSV_SCHEMA"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	document, err := jsonschema.UnmarshalJSON(file)
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("osv.json", document))
	schema, err := compiler.Compile("osv.json")
	require.NoError(t, err)
	return schema
}

func (o *osv) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	asked := &api.BatchQuery{}
	if err == nil {
		err = protojson.Unmarshal(body, asked) // it refuses members that the definition does not have
	}
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/v1/querybatch" || r.Header.Get("Content-Type") != "application/json":
		o.refuse(w, fmt.Sprintf("%s %s as %s", r.Method, r.URL.Path, r.Header.Get("Content-Type")))
	case err != nil:
		o.refuse(w, err.Error())
	case len(asked.GetQueries()) == 0 || len(asked.GetQueries()) > maxBatch:
		o.refuse(w, fmt.Sprintf("%d questions at once", len(asked.GetQueries())))
	default:
		o.batches = append(o.batches, len(asked.GetQueries()))
		answer := &api.BatchVulnerabilityList{}
		for _, q := range asked.GetQueries() {
			answer.Results = append(answer.Results, o.about(w, q))
		}
		content, err := protojson.Marshal(answer)
		if err != nil {
			o.t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(content)
	}
}

// refuse answers a malformed query as OSV does, and fails the test: mcplumb must not send
// one.
func (o *osv) refuse(w http.ResponseWriter, why string) {
	o.t.Errorf("OSV would refuse: %s", why)
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, `{"code": 3, "message": "Invalid query."}`)
}

// about returns a page of the advisories for a package at a version: identifiers and times,
// because batches have no more.
func (o *osv) about(w http.ResponseWriter, q *api.Query) *api.VulnerabilityList {
	ecosystems := []string{"npm", "PyPI", "NuGet"}
	if q.GetVersion() == "" || q.GetPackage().GetName() == "" || !slices.Contains(ecosystems, q.GetPackage().GetEcosystem()) {
		o.refuse(w, q.String())
	}
	var known []*osvschema.Vulnerability
	for _, advisory := range o.advisories {
		isAbout := func(a *osvschema.Affected) bool {
			return a.GetPackage().GetEcosystem() == q.GetPackage().GetEcosystem() && a.GetPackage().GetName() == q.GetPackage().GetName() &&
				slices.Contains(a.GetVersions(), q.GetVersion())
		}
		if slices.ContainsFunc(advisory.GetAffected(), isAbout) {
			known = append(known, &osvschema.Vulnerability{Id: advisory.GetId(), Modified: advisory.GetModified()})
		}
	}
	var from int
	if token := q.GetPageToken(); token != "" {
		if _, err := fmt.Sscanf(token, "from %d", &from); err != nil {
			o.refuse(w, "the page "+token)
		}
	}
	page := &api.VulnerabilityList{Vulns: known[min(from, len(known)):]}
	if o.pageSize > 0 && len(page.GetVulns()) > o.pageSize {
		page.Vulns, page.NextPageToken = page.GetVulns()[:o.pageSize], fmt.Sprintf("from %d", from+o.pageSize)
	}
	return page
}

// advisory writes an advisory about one version of a package.
func advisory(id, ecosystem, name, version string) string {
	modified, _ := protojson.Marshal(timestamppb.New(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))) // a time is always JSON
	return fmt.Sprintf(`{"schema_version": "1.7.0", "id": %q, "modified": %s, "summary": "It loses notes",
		"affected": [{"package": {"ecosystem": %q, "name": %q}, "versions": [%q]}]}`, id, modified, ecosystem, name, version)
}

// TestOSV queries once for all packages at their exact versions, and again for advisories
// that do not fit into one answer; an advisory is reported for each server that runs its
// package.
func TestOSV(t *testing.T) {
	double, address := startOSV(t,
		advisory("GHSA-aaaa-bbbb-cccc", "npm", "@acme/notes", "1.0.0"),
		advisory("CVE-2026-0001", "npm", "@acme/notes", "1.0.0"),
		advisory("GHSA-dddd-eeee-ffff", "npm", "@acme/notes", "1.0.0"),
		advisory("MAL-2026-1", "PyPI", "stolen-mcp", "2.0"),
		advisory("GHSA-gggg-hhhh-jjjj", "NuGet", "Acme.Notes", "3.0.0"),
	)
	double.pageSize = 2
	all := httptest.NewServer(http.HandlerFunc(everything))
	t.Cleanup(all.Close)
	dir := repository(t, map[string]string{
		".mcp.json": servers(map[string][]string{
			"notes":  {"npx", "-y", "@acme/notes@1.0.0"},
			"fixed":  {"npx", "-y", "@acme/notes@1.0.1"},
			"stolen": {"uvx", "stolen-mcp==2.0"},
			"feed":   {"dnx", "Acme.Notes@3.0.0", "--yes"},
			"image":  {"docker", "run", "-i", strings.TrimPrefix(all.URL, "http://") + "/acme/notes:1"},
		}),
		".mcplumb.yaml": "registries: {npm: '" + all.URL + "', pypi: '" + all.URL + "', nuget: '" + all.URL + "/index.json', osv: '" + address + "'}\n",
	})
	vulnerable, silent := check(t, dir, "vulnerable-package")
	require.Empty(t, silent)
	require.Len(t, vulnerable, 2)
	require.Contains(t, vulnerable["notes"].Message, "npm:@acme/notes 1.0.0 is vulnerable (CVE-2026-0001, and 2 more)")
	require.Contains(t, vulnerable["feed"].Message, "GHSA-gggg-hhhh-jjjj")
	require.Equal(t, []int{4, 1}, double.batches, "one request, and one for the second page")

	malicious, _ := check(t, dir, "malicious-package")
	require.Len(t, malicious, 1)
	require.Contains(t, malicious["stolen"].Message, "MAL-2026-1")
}

// TestOSVBatches asks about more packages than OSV takes at once.
func TestOSVBatches(t *testing.T) {
	double, address := startOSV(t, advisory("GHSA-aaaa-bbbb-cccc", "npm", "notes1001", "1.0.0"))
	all := httptest.NewServer(http.HandlerFunc(everything))
	t.Cleanup(all.Close)
	many := map[string][]string{}
	for i := range maxBatch + 5 {
		name := fmt.Sprint("notes", i)
		many[name] = []string{"npx", "-y", name + "@1.0.0"}
	}
	dir := repository(t, map[string]string{
		".mcp.json": servers(many), ".mcplumb.yaml": "registries: {npm: '" + all.URL + "', osv: '" + address + "'}\n",
	})
	vulnerable, silent := check(t, dir, "vulnerable-package")
	require.Empty(t, silent)
	require.Len(t, vulnerable, 1)
	require.Contains(t, vulnerable, "notes1001")
	require.Equal(t, []int{maxBatch, 5}, double.batches)
}

// everything is a registry of npm, PyPI, NuGet, and images that has every requested
// package.
func everything(w http.ResponseWriter, r *http.Request) {
	version := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	name := strings.Trim(r.URL.Path, "/")
	file := strings.ReplaceAll(name, "-", "_") + "-2.0.tar.gz"
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"version": version, "schemaVersion": 2, "files": []any{map[string]any{"filename": file, "hashes": map[string]string{}}},
		"resources": []any{map[string]string{"@id": "http://" + r.Host + "/all/", "@type": "RegistrationsBaseUrl/3.6.0"}},
		"items":     []any{map[string]any{"items": []any{map[string]any{"catalogEntry": map[string]string{"version": "3.0.0", "id": "Acme.Notes"}}}}},
	})
}
