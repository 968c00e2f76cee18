package reputation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// askedFor returns a package as an entry requests it, within a range.
func askedFor(kind identity.Kind, within string) identity.Fetched {
	return identity.Fetched{Kind: kind, Name: "notes", Version: identity.Version{Kind: identity.Range, Text: within}}
}

// TestTakenOfRange says which release a launcher takes of a range today, and which is the
// one to pin to. dotnet takes the lowest of an interval that is listed, and the highest
// that a version floats to; npx and uvx take the highest.
func TestTakenOfRange(t *testing.T) {
	then := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	said := &mcp.Published{Releases: []mcp.Release{
		{Version: "1.10.0", At: then}, {Version: "1.0.0", IsWithdrawn: true}, {Version: "1.1.0", At: then}, {Version: "2.0.0", At: then},
	}}
	for _, tt := range []struct {
		kind                identity.Kind
		within, taken, best string
	}{
		{identity.NuGet, "[1.0,2.0)", "1.1.0", "1.10.0"}, // 1.0.0 is no longer listed
		{identity.NuGet, "1.*", "1.10.0", "1.10.0"},
		{identity.NuGet, "[3.0,4.0)", "", ""},
		{identity.NPM, "^1.0.0", "1.10.0", "1.10.0"},
		{identity.PyPI, ">=1,<2", "1.10.0", "1.10.0"},
	} {
		pkg := askedFor(tt.kind, tt.within)
		assert.Equal(t, tt.taken, versionOrNone(compare.TakenRelease(said, pkg)), tt.within)
		assert.Equal(t, tt.best, versionOrNone(SettledRelease(said, pkg, then)), tt.within)
	}
}

// TestTakenIsNoPreview holds that what PyPI has for those who develop a package is neither
// what uvx takes of it nor what to pin it to.
func TestTakenIsNoPreview(t *testing.T) {
	then := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	said := &mcp.Published{Releases: []mcp.Release{{Version: "1.2.0", At: then}, {Version: "1.3.0.dev1", At: then}, {Version: "1.3.0rc1", At: then}}}
	pkg := identity.Fetched{Kind: identity.PyPI, Name: "notes"}
	assert.Equal(t, "1.2.0", versionOrNone(compare.TakenRelease(said, pkg)))
	assert.Equal(t, "1.2.0", versionOrNone(SettledRelease(said, pkg, then)))
}

func versionOrNone(r *mcp.Release) string {
	if r == nil {
		return ""
	}
	return r.Version
}

// TestAdmits holds that a range may be malware if one of the malicious versions is in it, in
// any ecosystem.
func TestAdmits(t *testing.T) {
	const form = `[{"id": "MAL-1", "affected": [
		{"package": {"ecosystem": "npm", "name": "notes"}, "versions": ["1.5.0"], "ranges": [{"events": [{"introduced": "1.5.0"}]}]},
		{"package": {"ecosystem": "PyPI", "name": "notes"}, "versions": ["1.5.0"], "ranges": [{"events": [{"introduced": "1.5.0"}]}]},
		{"package": {"ecosystem": "NuGet", "name": "notes"}, "versions": ["1.5.0"], "ranges": [{"events": [{"introduced": "1.5.0"}]}]}]}]`
	index, err := parseAdvisories([]byte(form))
	require.NoError(t, err)
	for _, tt := range []struct {
		kind   identity.Kind
		within string
		want   bool
	}{
		{identity.NPM, "^1.0.0", true},
		{identity.NPM, "~1.4.0", false},
		{identity.PyPI, ">=1,<2", true},
		{identity.PyPI, "~=1.4.0", false},
		{identity.NuGet, "[1.0,2.0)", true},
		{identity.NuGet, "[1.0,1.5)", false},
		{identity.NuGet, "1.4.*", false},
	} {
		malware := index[packageName{tt.kind, "notes"}]
		require.Len(t, malware, 1)
		assert.Equal(t, tt.want, admits(askedFor(tt.kind, tt.within), malware[0]), tt.within)
	}
}
