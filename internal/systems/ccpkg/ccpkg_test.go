package ccpkg_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// TestCCPkgInvariants follows the invariants that ccpkg's specification has for
// its lockfile. Each case is the lockfile's packages and shared servers, a
// .mcp.json's servers, templates of unpacked packages, and the findings of all
// rules as "rule severity subject".
//
// Of K09 the hash over the configured values (config_hash) can be judged by its form
// only: the specification does not say over which text it is made. K12 needs a cache and is in TestCCPkgPackages.
func TestCCPkgInvariants(t *testing.T) {
	sum := "sha256:" + strings.Repeat("a", 64)
	pkg := func(more string) string {
		return `{"version": "1.0.0", "scope": "project", "source": "https://packages.corp.internal/p.ccpkg"` + more + `}`
	}
	whole := pkg(`, "checksum": "` + sum + `", "linked": false`)
	both := linttest.Files{"a": whole, "b": whole}
	server := func(origin, version, by, active string) string {
		return fmt.Sprintf(`{"origin": %q, "version": %s, "declared_by": %s, "active_source": %s, "dedup": true}`, origin, version, by, active)
	}
	c7 := func(version, by, active string) string {
		return server("command::npx -y c7-mcp@"+version, `"`+version+`"`, by, active)
	}
	good := linttest.Files{"c7": c7("1.2.0", `["a"]`, `"a"`)}
	npx := func(args string) string { return `{"command": "npx", "args": [` + args + `]}` }
	host := linttest.Files{"c7": npx(`"-y", "c7-mcp@1.2.0"`)}
	only := func(origin string) linttest.Files { return linttest.Files{"s": server(origin, "null", `["a"]`, `"a"`)} }

	for _, c := range []struct {
		id                     string
		packages, shared, host map[string]string
		templates              map[string]string // servers by package
		want                   []string
	}{
		{"in order", both, good, host, nil, nil},
		{"a server of no package is in it", both, good, linttest.Files{"c7": host["c7"], "time": `{"command": "uvx", "args": ["mcp-server-time"]}`}, nil, nil},
		{"K02 not installed", linttest.Files{"b": whole}, good, host, nil, []string{"invalid-lockfile error c7", "stale-lock-entry note c7"}},
		{"K02 one is not installed", both, linttest.Files{"c7": c7("1.2.0", `["a", "gone"]`, `"a"`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K02 empty", both, linttest.Files{"c7": c7("1.2.0", `[]`, `null`)}, host, nil, []string{"invalid-lockfile error c7", "stale-lock-entry note c7"}},
		{"K02 empty, and yet an active one", both, linttest.Files{"c7": c7("1.2.0", `[]`, `"a"`)}, host, nil, []string{"invalid-lockfile error c7", "stale-lock-entry note c7"}},
		{"K02 twice", both, linttest.Files{"c7": c7("1.2.0", `["a", "a"]`, `"a"`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K02 an invalid name", both, linttest.Files{"c7": c7("1.2.0", `["a", ""]`, `"a"`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K02 absent", both, linttest.Files{"c7": `{"origin": "command::npx -y c7-mcp@1.2.0", "version": "1.2.0"}`}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K03", both, linttest.Files{"c7": c7("1.2.0", `["a"]`, `"b"`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K03 null", both, linttest.Files{"c7": c7("1.2.0", `["a", "b"]`, `null`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K03 null, unpacked", both, linttest.Files{"c7": c7("1.2.0", `["a"]`, `null`)}, host, linttest.Files{"a": linttest.Object(host)}, []string{"invalid-lockfile error c7"}},
		{"K03 absent", both, linttest.Files{"c7": `{"origin": "command::npx -y c7-mcp@1.2.0", "version": "1.2.0", "declared_by": ["a"]}`}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K03 null for separate copies", both, linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a"]`, `null`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"]}, nil, nil},
		{"K04 dedup", both, linttest.Files{"c7": strings.Replace(good["c7"], `"dedup": true`, `"dedup": "no"`, 1)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K04 origin", both, only("npx -y c7-mcp"), nil, nil, []string{"invalid-lockfile error s"}},
		{"K04 plain http", both, only("http://packages.corp.internal/s.mcpb"), nil, nil, []string{"invalid-lockfile error s"}},
		{"K04 nothing behind it", both, only("command::"), nil, nil, []string{"invalid-lockfile error s"}},
		{"K04 a bundle", both, only("bundle::mcp/server.mcpb"), nil, nil, nil},
		{"K04 a URL", both, only("https://packages.corp.internal/s.mcpb"), nil, nil, nil},
		{"K04 dedup is true if it is missing", both, linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `, "dedup": true`, "", 1)}, host,
			linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.10.0"`) + `}`}, []string{"invalid-lockfile error c7", "invalid-lockfile error c7"}},
		{"K05", both, good, linttest.Files{"c7": npx(`"-y", "other-mcp"`)}, nil, []string{"config-changed warning c7"}},
		{"K05 arguments", both, good, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.2.0", "--verbose"`)}, nil, []string{"config-changed warning c7"}},
		{"K05 the version is taken out", both, good, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.3.0"`)}, nil, []string{"version-conflict warning c7"}},
		{"K05 a blank in an argument", both, only("command::tool --title a b"), linttest.Files{"s": `{"command": "tool", "args": ["--title", "a b"]}`}, nil, nil},
		{"K05 a marker is filled in", both, only("command::tool --api ${config.API}"), linttest.Files{"s": `{"command": "tool", "args": ["--api", "https://api.corp.internal"]}`}, nil, nil},
		{"K05 a bundle is unpacked somewhere", both, only("bundle::mcp/server.mcpb"), linttest.Files{"s": `{"command": "node", "args": ["out/server.js"]}`}, nil, nil},
		{"K06", both, good, linttest.Files{"time": `{"command": "uvx", "args": ["mcp-server-time"]}`}, nil, []string{"missing-server warning c7"}},
		{"K06 without any client file", both, good, nil, nil, nil},
		{"K06 under another name", both, good, linttest.Files{"docs": host["c7"]}, nil, []string{"alias-drift warning docs"}},
		{"K06 merged", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "merged_mcp_servers": ["c7", "lost"]`)}, good, host, nil, []string{"missing-server warning lost"}},
		{"K07", both, linttest.Files{"c7": server("command::npx -y c7-mcp@1.2.0", `"1.3.0"`, `["a"]`, `"a"`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K07 no version in the origin", both, linttest.Files{"c7": server("command::npx -y c7-mcp", `"1.3.0"`, `["a"]`, `"a"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp"`)}, nil, nil},
		{"K07 no version beside that of an npm package", both, linttest.Files{"c7": server("command::npx -y c7-mcp@1.2.0", "null", `["a"]`, `"a"`)}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K07 not even a null", both, linttest.Files{"c7": `{"origin": "command::npx -y c7-mcp@1.2.0", "declared_by": ["a"], "active_source": "a"}`}, host, nil, []string{"invalid-lockfile error c7"}},
		{"K07 no version beside that of an npm package, unpacked", both, linttest.Files{"c7": server("command::npx -y c7-mcp@1.2.0", "null", `["a"]`, `"a"`)}, host, linttest.Files{"a": linttest.Object(host)}, []string{"invalid-lockfile error c7"}},
		{"K07 no version beside that of a URL", both, only("https://packages.corp.internal/1.2.0/s.mcpb"), nil, nil, []string{"invalid-lockfile error s"}},
		{"K07 v1 in a URL is no version", both, only("https://packages.corp.internal/v1/s.mcpb"), nil, nil, nil},
		{"K07 no version beside the tag of an image", both, only("command::docker run -i --rm acme/s:1.2.0"), nil, linttest.Files{"a": `{"s": {"command": "docker", "args": ["run", "-i", "--rm", "acme/s:1.2.0"]}}`}, nil},
		{"K07 no version beside a tag of git", both, only("command::npx -y github:acme/s#v1.2.0"), nil, linttest.Files{"a": `{"s": ` + npx(`"-y", "github:acme/s#v1.2.0"`) + `}`}, nil},
		{"K07 no version beside that of a Go module", both, only("command::go run acme.dev/s@v1.2.0"), nil, linttest.Files{"a": `{"s": {"command": "go", "args": ["run", "acme.dev/s@v1.2.0"]}}`}, nil},
		{"K07 no version beside that of PyPI", both, only("command::uvx s-mcp==1.2.0"), nil, linttest.Files{"a": `{"s": {"command": "uvx", "args": ["s-mcp==1.2.0"]}}`}, nil},
		{"K08 no checksum", linttest.Files{"a": pkg(`, "checksum": null, "linked": false`)}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K08 linked with a checksum", linttest.Files{"a": `{"scope": "project", "source": "link:/src/a", "checksum": "` + sum + `", "linked": true}`}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K08 a link that is not linked", linttest.Files{"a": `{"scope": "project", "source": "link:/src/a", "checksum": null, "linked": false}`}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K08 linked", linttest.Files{"a": `{"scope": "project", "source": "link:/src/a", "checksum": null, "linked": true}`}, nil, nil, nil, []string{"invalid-lockfile warning "}},
		{"K09 the dash of others", linttest.Files{"a": pkg(`, "checksum": "sha256-` + sum[7:] + `"`)}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K09 a digit too many", linttest.Files{"a": pkg(`, "checksum": "` + sum + `a"`)}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K09 elided", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "config_hash": "sha256:f7e8d9c0..."`)}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K09 a remote source", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "remote_sources": {"s": {"url": "http://packages.corp.internal/s"}}`)}, nil, nil, nil,
			[]string{"invalid-lockfile error ", "invalid-lockfile error "}},
		{"K09 a source over http", linttest.Files{"a": `{"scope": "project", "source": "http://packages.corp.internal/a.ccpkg", "checksum": "` + sum + `"}`}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K09 in capitals", linttest.Files{"a": `{"scope": "project", "source": "HTTP://packages.corp.internal/a.ccpkg", "checksum": "` + sum + `"}`}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K09 a remote source in capitals", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "remote_sources": {"s": {"url": "HTTPS://packages.corp.internal/s", "checksum": "` + sum + `"}}`)}, nil, nil, nil, nil},
		{"K10", linttest.Files{"a": `{"scope": "user", "source": "https://packages.corp.internal/a.ccpkg", "checksum": "` + sum + `"}`}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"K11 a secret in the origin", both, only("command::tool --token ghp_" + strings.Repeat("a1B2", 9)), nil, nil, []string{"hardcoded-secret error s"}},
		{"K11 the marker of a secret", both, only("command::tool --token ${secret.TOKEN}"), nil, nil, nil},
		{"K13 the lower version", both, linttest.Files{"c7": c7("1.2.0", `["a", "b"]`, `"a"`)}, host, linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.10.0"`) + `}`},
			[]string{"invalid-lockfile error c7", "invalid-lockfile error c7"}},
		{"K13 the higher version", both, linttest.Files{"c7": c7("1.10.0", `["a", "b"]`, `"b"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.10.0"`)},
			linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.10.0"`) + `}`}, nil},
		{"K13 equal: the first", both, linttest.Files{"c7": c7("1.2.0", `["a", "b"]`, `"b"`)}, host, linttest.Files{"a": linttest.Object(host), "b": linttest.Object(host)}, []string{"invalid-lockfile error c7"}},
		{"K13 a prerelease is lower", both, linttest.Files{"c7": c7("1.3.0", `["a", "b"]`, `"b"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.3.0"`)},
			linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp@1.3.0-rc.1"`) + `}`, "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.3.0"`) + `}`}, nil},
		{"K13 a prerelease does not win", both, linttest.Files{"c7": c7("1.3.0-rc.1", `["a", "b"]`, `"a"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.3.0-rc.1"`)},
			linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp@1.3.0-rc.1"`) + `}`, "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.3.0"`) + `}`},
			[]string{"invalid-lockfile error c7", "invalid-lockfile error c7"}},
		{"K13 what stands behind a plus does not count", both, linttest.Files{"c7": c7("1.2.0+a", `["a", "b"]`, `"a"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.2.0+a"`)},
			linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp@1.2.0+a"`) + `}`, "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.2.0+b"`) + `}`}, nil},
		{"K13 null is lowest", both, linttest.Files{"s": server("bundle::s.mcpb", `"0.1.0"`, `["a", "b"]`, `"b"`)}, nil,
			linttest.Files{"a": `{"s": {"bundle": "s.mcpb"}}`, "b": `{"s": {"bundle": "s.mcpb", "version": "0.1.0"}}`}, nil},
		{"K13 one is not committed", both, linttest.Files{"c7": c7("1.2.0", `["a", "b"]`, `"b"`)}, host, linttest.Files{"a": linttest.Object(host)}, nil},
		{"K13 the version of one is not told", both, linttest.Files{"c7": server("command::npx -y c7-mcp", `"1.3.0"`, `["a", "b"]`, `"b"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp"`)},
			linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp"`) + `}`, "b": `{"c7": ` + npx(`"-y", "c7-mcp"`) + `}`}, nil},
		{"K13 the version of one is not told, and none is locked that could be lower", both, linttest.Files{"c7": server("command::npx -y c7-mcp", `"latest"`, `["a", "b"]`, `"a"`)}, linttest.Files{"c7": npx(`"-y", "c7-mcp"`)},
			linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp"`) + `}`}, nil},
		{"K13 the example of the specification", linttest.Files{"plugin-a": whole, "plugin-b": whole}, linttest.Files{"context7": server("command::npx -y @anthropic/context7-mcp", `"1.3.0"`, `["plugin-a", "plugin-b"]`, `"plugin-b"`)},
			linttest.Files{"context7": npx(`"-y", "@anthropic/context7-mcp"`)},
			linttest.Files{"plugin-a": `{"context7": ` + npx(`"-y", "@anthropic/context7-mcp"`) + `}`, "plugin-b": `{"context7": ` + npx(`"-y", "@anthropic/context7-mcp"`) + `}`}, nil},
		{"K13 a v is no other version", both, linttest.Files{"c7": server("command::npx -y c7-mcp@1.2.0", `"v1.2.0"`, `["a"]`, `"a"`)}, host, linttest.Files{"a": linttest.Object(host)}, nil},
		{"K13 the version is reported once", both, linttest.Files{"c7": server("command::npx -y c7-mcp@1.2.0", `"1.0.0"`, `["a"]`, `"a"`)}, host, linttest.Files{"a": linttest.Object(host)}, []string{"invalid-lockfile error c7"}},
		{"K14", both, good, host, linttest.Files{"a": linttest.Object(host), "b": linttest.Object(host)}, []string{"invalid-lockfile error c7"}},
		{"K14 the other way round", both, linttest.Files{"c7": c7("1.2.0", `["a", "b"]`, `"a"`)}, host, linttest.Files{"a": linttest.Object(host), "b": `{}`}, []string{"invalid-lockfile error c7"}},
		{"K14 the other way round, of separate copies", both, linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)},
			linttest.Files{"c7#a": host["c7"], "c7#b": host["c7"]}, linttest.Files{"a": linttest.Object(host), "b": `{}`}, nil},
		{"K14 the other way round, of one that is gone", both, linttest.Files{"c7": c7("1.2.0", `["a", "gone"]`, `"a"`)}, host, linttest.Files{"a": linttest.Object(host), "gone": `{"other": {"command": "other"}}`}, []string{"invalid-lockfile error c7"}},
		{"K14 another server of that name", both, good, host, linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"other"`) + `}`}, []string{"name-conflict error c7"}},
		{"R4.3 two packages, one name", both, nil, nil, linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"other"`) + `}`}, []string{"name-conflict error c7"}},
		{"R4.3 word by word", both, nil, nil, linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"c7-mcp@1.2.0"`) + `}`}, []string{"name-conflict error c7"}},
		{"R4.3 another bundle", both, nil, nil, linttest.Files{"a": `{"s": {"bundle": "mcp/s.mcpb"}}`, "b": `{"s": {"bundle": "mcp/t.mcpb"}}`}, []string{"name-conflict error s"}},
		{"R4.3 another address", both, nil, nil, linttest.Files{"a": `{"s": {"source": "https://packages.corp.internal/s.mcpb", "checksum": "` + sum + `"}}`,
			"b": `{"s": {"source": "https://mirror.corp.internal/s.mcpb", "checksum": "` + sum + `"}}`}, []string{"name-conflict error s"}},
		{"R4.3 a package against the lockfile", both, good, host, linttest.Files{"b": `{"c7": ` + npx(`"other"`) + `}`}, []string{"name-conflict error c7"}},
		{"R4.3 a package against a client file", both, nil, linttest.Files{"c7": npx(`"other"`)}, linttest.Files{"a": linttest.Object(host)}, []string{"name-conflict error c7"}},
		{"R4.3 a package and the entry that was made of it", both, nil, linttest.Files{"c7": npx(`"-y", "c7-mcp@1.2.0", "--key", "k"`)},
			linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp@1.2.0", "--key", "${config.KEY}"`) + `}`}, []string{"invalid-lockfile warning c7"}},
		{"R4.3 a package and a local build", both, nil, linttest.Files{"c7": `{"command": "node", "args": ["dist/c7.js"]}`}, linttest.Files{"a": linttest.Object(host)}, nil},
		{"R4.3 what lies about of a package that is gone", linttest.Files{"a": whole}, nil, nil, linttest.Files{"a": linttest.Object(host), "gone": `{"c7": ` + npx(`"other"`) + `}`}, []string{"invalid-lockfile warning c7"}},
		{"step 10b: a server that no package has recorded", linttest.Files{"a": whole}, nil, host, linttest.Files{"a": linttest.Object(host)}, []string{"invalid-lockfile warning c7"}},
		{"step 10b: a server that the client file lacks as well", linttest.Files{"a": whole}, good, host, linttest.Files{"a": `{"c7": ` + host["c7"] + `, "time": ` + npx(`"time"`) + `}`}, []string{"invalid-lockfile warning time"}},
		{"step 10b: merged", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "merged_mcp_servers": ["c7"]`)}, nil, host, linttest.Files{"a": linttest.Object(host)}, nil},
		{"step 10b: merged under the package's own name", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "merged_mcp_servers": ["a::c7"]`)}, nil, linttest.Files{"a::c7": host["c7"]}, linttest.Files{"a": linttest.Object(host)}, nil},
		{"R4.2 two versions, not shared yet", both, nil, nil, linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.10.0"`) + `}`},
			[]string{"version-conflict warning c7"}},
		{"R4.2 versions next to the origin", both, nil, nil, linttest.Files{"a": `{"s": {"bundle": "s.mcpb", "version": "1.0.0"}}`, "b": `{"s": {"bundle": "s.mcpb", "version": "1.1.0"}}`},
			[]string{"invalid-lockfile warning s", "invalid-lockfile warning s"}},
		{"R4.2 one is not pinned", both, nil, nil, linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp"`) + `}`}, nil},
		{"R4.2 the first is not pinned", both, nil, nil, linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp"`) + `}`, "b": linttest.Object(host)}, nil},
		{"R4.2 the first is not pinned, the second at a tag", both, nil, nil, linttest.Files{"a": `{"c7": ` + npx(`"-y", "c7-mcp"`) + `}`, "b": `{"c7": ` + npx(`"-y", "c7-mcp@latest"`) + `}`}, nil},
		{"R4.3 the name that is proposed", both, good, linttest.Files{"c7": host["c7"], "b::c7": npx(`"-y", "other-mcp@1.0.0"`)}, nil, nil},
		{"dedup false: a copy for each package", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"]}, nil, nil},
		{"dedup false: a copy of a bundle", both, linttest.Files{"s": strings.Replace(only("bundle::mcp/server.mcpb")["s"], `"dedup": true`, `"dedup": false`, 1)},
			linttest.Files{"s#a": `{"command": "node", "args": ["out/server.js"]}`}, nil, nil},
		{"dedup false: a bundle under the names of the design document", both, linttest.Files{"s": strings.Replace(only("bundle::mcp/server.mcpb")["s"], `"dedup": true`, `"dedup": false`, 1)},
			linttest.Files{"a::s": `{"command": "node", "args": ["out/server.js"]}`}, nil, nil},
		{"dedup false: two copies", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"], "c7#b": host["c7"]}, nil, nil},
		{"dedup false: the names of the design document", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"a::c7": host["c7"], "b::c7": host["c7"]}, nil, nil},
		{"dedup false: a version for each package", both,
			linttest.Files{"c7": strings.Replace(c7("1.3.0", `["a", "b"]`, `"b"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"], "c7#b": npx(`"-y", "c7-mcp@1.3.0"`)},
			linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"-y", "c7-mcp@1.3.0"`) + `}`}, nil},
		{"R4.3 a package called docs is no example", linttest.Files{"a": whole, "docs": whole}, nil, nil, linttest.Files{"a": linttest.Object(host), "docs": `{"c7": ` + npx(`"other"`) + `}`},
			[]string{"name-conflict error c7"}},
		{"dedup false: a package that is not listed", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"]}, linttest.Files{"a": linttest.Object(host), "b": linttest.Object(host)}, nil},
		{"dedup false: different servers of one name", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"], "c7#b": npx(`"other"`)},
			linttest.Files{"a": linttest.Object(host), "b": `{"c7": ` + npx(`"other"`) + `}`}, nil},
		{"dedup false: a package that went with its copy", linttest.Files{"a": whole},
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"c7#a": host["c7"]}, linttest.Files{"a": linttest.Object(host)}, nil},
		{"dedup false: no copy is left", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)}, linttest.Files{"time": npx(`"-y", "time@1.0.0"`)}, nil, []string{"missing-server warning c7"}},
		{"dedup false: of this server alone", both,
			linttest.Files{"c7": strings.Replace(c7("1.2.0", `["a", "b"]`, `"a"`), `"dedup": true`, `"dedup": false`, 1)},
			linttest.Files{"c7#a": host["c7"], "c7#b": host["c7"], "time#a": npx(`"-y", "time@1.0.0"`), "time#b": npx(`"-y", "time@1.0.0"`)}, nil, []string{"duplicate-server warning time#b"}},
		{"no-dedup: a copy for each package in the client file", linttest.Files{"a": pkg(`, "checksum": "` + sum + `", "merged_mcp_servers": ["a::c7"]`), "b": pkg(`, "checksum": "` + sum + `", "merged_mcp_servers": ["b::c7"]`)}, nil,
			linttest.Files{"a::c7": host["c7"], "b::c7": host["c7"]}, linttest.Files{"a": linttest.Object(host), "b": linttest.Object(host)}, []string{"duplicate-server warning b::c7"}},
		{"a copy beside the shared server", both, linttest.Files{"c7": c7("1.2.0", `["a", "b"]`, `"a"`)}, linttest.Files{"c7": host["c7"], "b::c7": host["c7"]}, nil, []string{"duplicate-server warning c7"}},
		{"a package that is none", linttest.Files{"a": "1"}, nil, nil, nil, []string{"invalid-lockfile error "}},
		{"a server that is none", both, linttest.Files{"s": "[]"}, nil, nil, []string{"invalid-lockfile error s"}},
	} {
		t.Run(c.id, func(t *testing.T) {
			files := linttest.Files{".ccpkg/ccpkg-lock.json": `{"lockfile_version": 1, "packages": ` + linttest.Object(c.packages) + `, "shared_mcp_servers": ` + linttest.Object(c.shared) + `}`}
			if c.host != nil {
				files[".mcp.json"] = `{"mcpServers": ` + linttest.Object(c.host) + `}`
			}
			for name, servers := range c.templates {
				files[".ccpkg/plugins/"+name+"/mcp/.mcp.json"] = `{"mcpServers": ` + servers + `}`
			}
			assert.Equal(t, c.want, linttest.Graded(linttest.LintFiles(t, files)))
		})
	}
}

// TestCCPkgPackages compares the lockfile with the unpacked packages and with the archives next to
// it.
func TestCCPkgPackages(t *testing.T) {
	lock := func(version string) string {
		pkg := `{"version": "` + version + `", "scope": "project", "source": "https://packages.corp.internal/p.ccpkg", "checksum": "sha256:` + strings.Repeat("a", 64) + `"}`
		return `{"lockfile_version": 1, "packages": {"a": ` + pkg + `, "b": ` + pkg + `, "skills": ` + pkg + `},
			"shared_mcp_servers": {"c7": {"origin": "command::c7", "version": null, "declared_by": ["a", "b"], "active_source": "a", "dedup": true}}}`
	}
	manifest := func(name, version, more string) string {
		return `{"spec_version": "2026-02-14", "name": "` + name + `", "version": "` + version + `"` + more + `}`
	}
	const (
		archives = ".ccpkg/cache/archives/"
		plugin   = ".ccpkg/plugins/a/"
	)
	for _, c := range []struct {
		id    string
		files linttest.Files
		want  []string
	}{
		{"K12 no cache", nil, nil},
		{"K12 all are there", linttest.Files{archives + "a-1.0.0.ccpkg": "PK", archives + "b-1.0.0.ccpkg": "PK"}, nil},
		{"K12 one is not", linttest.Files{archives + "a-1.0.0.ccpkg": "PK"}, []string{"invalid-lockfile warning "}},
		{"K12 another version", linttest.Files{archives + "a-1.0.0.ccpkg": "PK", archives + "b-0.9.0.ccpkg": "PK"}, []string{"invalid-lockfile warning "}},
		{"the manifest agrees", linttest.Files{plugin + "manifest.json": manifest("a", "1.0.0", "")}, nil},
		{"another version is unpacked", linttest.Files{plugin + "manifest.json": manifest("a", "1.1.0", "")}, []string{"invalid-lockfile error "}},
		{"an invalid name", linttest.Files{plugin + "manifest.json": manifest("A", "1.0.0", "")}, []string{"invalid-name warning "}},
		{"the manifest of something else", linttest.Files{plugin + "manifest.json": `{"name": "A", "version": "3"}`}, nil},
		{"the template is elsewhere", linttest.Files{
			plugin + "manifest.json":    manifest("a", "1.0.0", `, "components": {"mcp": "servers/all.json"}`),
			plugin + "servers/all.json": `{"mcpServers": {"c7": {"command": "other"}}}`,
		}, []string{"name-conflict error c7"}},
		{"servers of other protocols", linttest.Files{plugin + "lsp/.lsp.json": `{"lspServers": {"c7": {"command": "other"}}, "go": {"command": "gopls"}}`}, nil},
		{"a template that is nowhere", linttest.Files{plugin + "manifest.json": manifest("a", "1.0.0", `, "components": {"mcp": "../../../../gone.json"}`)}, nil},
	} {
		t.Run(c.id, func(t *testing.T) {
			files := linttest.Files{".ccpkg/ccpkg-lock.json": lock("1.0.0")}
			maps.Copy(files, c.files)
			assert.Equal(t, c.want, linttest.Graded(linttest.LintFiles(t, files)))
		})
	}
}

// TestCCPkgLockfiles holds K01 and what is no lockfile, at the three places.
func TestCCPkgLockfiles(t *testing.T) {
	for _, c := range []struct {
		id, lock string
		want     []string
	}{
		{"empty", "", []string{"invalid-lockfile warning "}},
		{"K01", `{"lockfile_version": 1}`, nil},
		{"K01 absent", `{"packages": {}}`, []string{"invalid-lockfile error "}},
		{"K01 another", `{"lockfile_version": 2, "packages": {"a": 1}}`, []string{"invalid-lockfile error "}},
		{"K01 a string", `{"lockfile_version": "1"}`, []string{"invalid-lockfile error "}},
		{"no JSON", `{`, []string{"syntax-error error "}},
		{"a conflict", "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> main\n}", []string{"invalid-lockfile error "}},
		{"a list", `[]`, []string{"invalid-lockfile error "}},
		{"servers in a list", `{"lockfile_version": 1, "shared_mcp_servers": []}`, []string{"invalid-lockfile error "}},
	} {
		for _, path := range []string{".ccpkg/ccpkg-lock.json", "ccpkg-lock.json", ".claude/ccpkg-lock.json"} {
			t.Run(c.id+" "+path, func(t *testing.T) {
				assert.Equal(t, c.want, linttest.Graded(linttest.LintFiles(t, linttest.Files{path: c.lock})))
			})
		}
	}
}
