package installed

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// TestWhatWorkflowsWrite reads lines of workflows as projects have them: those that write a
// manifest, and those that only read one.
func TestWhatWorkflowsWrite(t *testing.T) {
	for line, want := range map[string]string{
		`jq --arg v "$V" '.version = $v' server.json > tmp.json && mv tmp.json server.json`: "server.json",
		`mv server.tmp.json server.json`: "server.json",
		`run: jq '.version = "${{ needs.m.outputs.version }}"' server.json > server.json.tmp && mv server.json.tmp server.json`: "server.json",
		`echo $(jq --arg v "$V" '.version = $v' server.json) > server.json`:                                                     "server.json",
		`jq .version=1 x > "packages/server/server.json"`:                                                                       "server.json",
		`cp server.new packages/a/server.json`:                                                                                  "server.json",
		`fs.writeFileSync('server.json', JSON.stringify(manifest, null, 2));`:                                                   "server.json",
		`node -e "const p='packages/server/server.json'; fs.writeFileSync(p, s)"`:                                               "server.json",
		`python -c "json.dump(d, open('server.json', 'w'))"`:                                                                    "server.json",
		`sed -i "s/0.0.0/$V/" gemini-extension.json`:                                                                            "gemini-extension.json",
		`yq -i ".version = strenv(V)" manifest.json`:                                                                            "manifest.json",
		`jq . server.json | sponge server.json`:                                                                                 "server.json",
		`run: node scripts/sync-server-json.mjs`:                                                                                "server.json",
		`node scripts/sync-server-json.mjs --check`:                                                                             "",
		`VERSION=$(jq -r .version server.json)`:                                                                                 "",
		`jq -r .version server.json > version.txt`:                                                                              "",
		`jq . server.json > /dev/null || {`:                                                                                     "",
		`jq '.version' server.json > server.json.tmp`:                                                                           "",
		`echo "::error::server.json version != package version"`:                                                                "",
		`node -e "JSON.parse(fs.readFileSync('server.json','utf8')).version"`:                                                   "",
		`git add package.json server.json`:                                                                                      "",
		`cat server.json`:                                                                                                       "",
		`mv my-server.json.bak x`:                                                                                               "",
		`npm version --no-git-tag-version "$TAG"`:                                                                               "npm",
		`uv version "$TAG"`:                                                                                                     "pypi",
		`jq .version=1 package.json > p && mv p package.json`:                                                                   "npm package.json",
		`cargo set-version "$TAG"`:                                                                                              "cargo",
		`npm --version`:                                                                                                         "",
	} {
		w := written{map[string]bool{}, map[identity.Kind]bool{}}
		w.line(line)
		found := slices.Sorted(maps.Keys(w.files))
		for kind := range w.raises {
			found = append(found, string(kind))
		}
		slices.Sort(found)
		assert.Equal(t, want, strings.Join(found, " "), line)
	}
}
