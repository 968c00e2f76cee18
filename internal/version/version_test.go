package version_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/version"
)

// TestCompare orders versions as the registry of each ecosystem does.
func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		system      version.System
		lower, than string
	}{
		{version.Semantic, "1.9.0", "1.10.0"},
		{version.Semantic, "v1.9.0", "v1.10.0"}, // tags of images
		{version.Semantic, "1.0.0-rc.1", "1.0.0"},
		{version.NPM, "=1.9.0", "v1.10.0"},
		{version.NPM, "1.0.0-alpha.2", "1.0.0-alpha.10"},
		{version.PyPI, "1.0rc1", "1.0"},
		{version.PyPI, "1.0.dev1", "1.0a1"},
		{version.PyPI, "1.0", "1.0.post1"},
		{version.PyPI, "2024.1", "1!0.1"}, // an epoch is higher than any number
		{version.NuGet, "1.2.3", "1.2.3.1"},
		{version.NuGet, "1.0.0-Alpha", "1.0.0-beta"}, // in any case
		{version.Go, "v1.9.0", "v1.10.0"},
		{version.Go, "v1.2.3-0.20240101000000-abcdefabcdef", "v1.2.3"}, // a commit before the release
		{version.Go, "1.3.0", "v1.4.0"},                                // as OSV writes the first
		{version.NPM, "latest", "0.0.1"},                               // no version at all
		{version.NPM, "1.x", "0.0.1"},                                  // more than one
	} {
		assert.Equal(t, -1, tt.system.Compare(tt.lower, tt.than), "%s < %s", tt.lower, tt.than)
		assert.Equal(t, 1, tt.system.Compare(tt.than, tt.lower), "%s > %s", tt.than, tt.lower)
	}
}

// TestCanon gives all spellings of a release one text, and other releases another.
func TestCanon(t *testing.T) {
	canon := func(system version.System, text string) string {
		v, err := system.Parse(text)
		require.NoError(t, err, text)
		return v.Canon()
	}
	for _, tt := range []struct {
		system version.System
		a, b   string
		same   bool
	}{
		{version.NPM, "v1.2.3", "1.2.3+build", true},
		{version.PyPI, "1.0", "1.0.0", true},
		{version.PyPI, "1.0rc1", "1.0-RC.1", true},
		{version.PyPI, "1.0", "1.0+local", false},
		{version.NuGet, "1.2", "1.2.0.0", true},
		{version.NuGet, "1.0.0-Beta", "1.0.0-beta", true},
		{version.Go, "v1.2.3", "1.2.3", true},
		{version.Go, "v2.0.0+incompatible", "v2.0.0", true},
		{version.Semantic, "1.2.3", "1.2.4", false},
	} {
		assert.Equal(t, tt.same, canon(tt.system, tt.a) == canon(tt.system, tt.b), "%s and %s", tt.a, tt.b)
	}
}

// TestContains reads ranges as the launchers of each ecosystem do.
func TestContains(t *testing.T) {
	for _, tt := range []struct {
		system  version.System
		text    string
		in, out []string
	}{
		{version.NPM, "^1.2.3", []string{"1.2.3", "1.9.0"}, []string{"1.2.2", "2.0.0", "1.3.0-rc.1", "latest"}},
		{version.NPM, "1.2.3", []string{"1.2.3", "v1.2.3"}, []string{"1.2.4"}},
		{version.PyPI, ">=1.2,<2", []string{"1.2", "1.9.post1"}, []string{"1.1", "2.0", "1.3rc1"}},
		{version.PyPI, "~=1.4.2", []string{"1.4.9"}, []string{"1.5.0"}},
		// NuGet's interval, which npm has no word for.
		{version.NuGet, "[1.2,2.0)", []string{"1.2.0", "1.9.9.9"}, []string{"1.1.0", "2.0.0", "2.0.0-beta"}},
		{version.NuGet, "(,1.0]", []string{"0.9.0", "1.0.0"}, []string{"1.0.1"}},
		{version.NuGet, "[1.0]", []string{"1.0.0"}, []string{"1.0.1"}},
		// A version alone is the least that NuGet takes; npm would take no other.
		{version.NuGet, "1.2.3", []string{"1.2.3", "1.2.4", "5.0.0"}, []string{"1.2.2"}},
		// A version that floats is the newest of those that it is written for.
		{version.NuGet, "1.*", []string{"1.0.0", "1.10.0"}, []string{"0.9.0", "2.0.0", "10.0.0", "1.5.0-beta"}},
		{version.NuGet, "1.2.3.*", []string{"1.2.3", "1.2.3.4"}, []string{"1.2.4"}},
		{version.NuGet, "1.2.3-Beta*", []string{"1.2.3-beta2", "1.2.3"}, []string{"1.2.3-rc", "1.2.4"}},
		{version.NuGet, "*-*", []string{"3.0.0", "3.0.0-beta"}, nil},
		// go run x@v1.2 is the newest v1.2.x, not what a go.mod means by it.
		{version.Go, "v1.2", []string{"v1.2.0", "v1.2.9"}, []string{"v1.3.0", "v2.0.0", "v1.1.9"}},
	} {
		r, err := tt.system.ParseRange(tt.text)
		require.NoError(t, err, tt.text)
		for _, text := range tt.in {
			assert.True(t, r.Contains(text), "%s is in %s", text, tt.text)
		}
		for _, text := range tt.out {
			assert.False(t, r.Contains(text), "%s is not in %s", text, tt.text)
		}
	}
	for system, text := range map[version.System]string{version.NPM: "[1.0,2.0)", version.PyPI: "1.2", version.NuGet: "^1.2.3", version.Go: "semver:x"} {
		_, err := system.ParseRange(text)
		assert.Error(t, err, text)
	}
}

// TestTakesLowest checks which ranges take the lowest version.
func TestTakesLowest(t *testing.T) {
	for _, tt := range []struct {
		system version.System
		text   string
		want   bool
	}{
		{version.NuGet, "[1.2,2.0)", true},
		{version.NuGet, "1.*", false},
		{version.NPM, "^1.2.3", false},
		{version.PyPI, ">=1", false},
	} {
		r, err := tt.system.ParseRange(tt.text)
		require.NoError(t, err, tt.text)
		assert.Equal(t, tt.want, r.TakesLowest(), tt.text)
	}
}

// TestShape tells one version from a range and from a word, by their forms.
func TestShape(t *testing.T) {
	for _, tt := range []struct {
		system              version.System
		exact, ranges, word []string
	}{
		{version.Semantic, []string{"1.2.3", "v1.2.3", "=1.2.3", "1.2.3-rc.1+b"}, nil, []string{"", "1.2", "^1.2.3", "stable", "1.2.3-", "1.2.3-é"}},
		{version.NPM, []string{"1.2.3", "v1.2.3-rc.1"}, []string{"1.2", "1.x", "^1.2.3", "1.2.3 || 2", "x", "*"}, []string{"", "latest", "next"}},
		{version.PyPI, []string{"1.2", "1!2.0rc1", "1.2.post1+local"}, []string{">=1.2", "==1.2", "1.2.*"}, []string{"", "latest"}},
		{version.NuGet, []string{"1.2", "1.2.3.4", "1.2.3-beta"}, []string{"1.*", "[1.0,2.0)", "1.2.3-*"}, []string{"", "latest"}},
		{version.Go, []string{"v1.2.3", "v1.2.3-0.20240101000000-abcdefabcdef"}, []string{"v1", "v1.2"}, []string{"", "1.2.3", "latest", "main"}},
	} {
		for _, text := range tt.exact {
			assert.True(t, tt.system.IsExact(text) && !tt.system.IsRange(text), "%q is one version", text)
		}
		for _, text := range tt.ranges {
			assert.True(t, !tt.system.IsExact(text) && tt.system.IsRange(text), "%q is a range", text)
		}
		for _, text := range tt.word {
			assert.True(t, !tt.system.IsExact(text) && !tt.system.IsRange(text), "%q is neither", text)
		}
	}
	assert.True(t, version.IsSemantic("1.2.999999999999999999"))
	assert.False(t, version.IsSemantic("1.2.9999999999999999999"), "it does not fit into 64 bits")
}

// TestIsPreview says what comes before a release, and what is no release at all.
func TestIsPreview(t *testing.T) {
	for _, tt := range []struct {
		system             version.System
		text               string
		isPreview, isFinal bool
	}{
		{version.NPM, "1.2.3", false, true},
		{version.NPM, "1.2.3-rc.1", true, false},
		{version.NPM, "1.2.3+build", false, false},
		{version.PyPI, "1.3.0rc1", true, false},
		{version.PyPI, "1.3.0.dev1", true, false},
		{version.PyPI, "1.3.0.post1", false, true},
		{version.PyPI, "1.3.0+local", false, false},
		{version.NuGet, "1.2.3-beta", true, false},
	} {
		v, err := tt.system.Parse(tt.text)
		require.NoError(t, err, tt.text)
		assert.Equal(t, tt.isPreview, v.IsPreview(), tt.text)
		assert.Equal(t, tt.isFinal, v.IsRelease(), tt.text)
	}
}
