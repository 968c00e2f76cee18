package ccpkg_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// A product is one server in all the forms in which packages may ask for it, from
// one package manager.
type product struct {
	// write returns the template's entry for a version, in one of the forms;
	// tells reports that the form shows the version.
	forms []productForm
	// unread reports that the specification does not have the version extracted from it:
	// it may be null.
	unread bool
}

type productForm struct {
	write func(version string) map[string]any
	tells bool
}

// products are what the packages of a random project bring.
var products = []product{
	{forms: []productForm{
		{func(v string) map[string]any { return linttest.NPXOf("one-mcp@" + v) }, true},
		{func(v string) map[string]any { return linttest.NPXOf("one-mcp@^" + v) }, false},
		{func(string) map[string]any { return linttest.NPXOf("one-mcp@latest") }, false},
		{func(string) map[string]any { return linttest.NPXOf("one-mcp") }, false},
	}},
	{forms: []productForm{
		{func(v string) map[string]any { return linttest.NPXOf("@acme/two@"+v, "--api", "${config.API}") }, true},
		{func(string) map[string]any { return linttest.NPXOf("@acme/two@next", "--api", "${config.API}") }, false},
	}},
	{unread: true, forms: []productForm{
		{func(v string) map[string]any { return linttest.CommandOf("uvx", "three-mcp=="+v) }, true},
		{func(v string) map[string]any { return linttest.CommandOf("uvx", "three-mcp>="+v) }, false},
		{func(string) map[string]any { return linttest.CommandOf("uvx", "three-mcp@latest") }, false},
	}},
	{unread: true, forms: []productForm{
		{func(v string) map[string]any { return dockerOf("ghcr.io/acme/four:" + v) }, true},
		{func(v string) map[string]any { return dockerOf("ghcr.io/acme/four:v" + v) }, true},
		{func(string) map[string]any { return dockerOf("ghcr.io/acme/four:stable") }, false},
		{func(string) map[string]any { return dockerOf("ghcr.io/acme/four@sha256:" + strings.Repeat("4", 64)) }, false},
	}},
	{unread: true, forms: []productForm{
		{func(v string) map[string]any { return linttest.NPXOf("github:acme/five#v" + v) }, true},
		{func(string) map[string]any { return linttest.NPXOf("github:acme/five#main") }, false},
	}},
	{forms: []productForm{{func(v string) map[string]any { return sourceOf("https://dl.acme.dev/six/" + v + "/six.mcpb") }, true}}},
	{forms: []productForm{{func(string) map[string]any { return bundleOf("mcp/seven.mcpb") }, false}}},
	{forms: []productForm{{func(string) map[string]any { return linttest.CommandOf("eight-server", "--stdio") }, false}}},
}

// versionsInOrder are versions, each higher than the one before.
var versionsInOrder = []string{"0.9.0", "1.0.0", "1.2.0", "1.10.0", "2.0.0"}

// ccServer is a server as one package adds it: what it is, at which version, and whether the
// template shows that.
type ccServer struct {
	product, version int
	tells            bool
	entry            map[string]any
}

// ccShared is a shared server of the lockfile.
type ccShared struct {
	origin, version, active string
	by                      []string
	product                 int
}

// ccProject is a project that ccpkg has installed packages into.
type ccProject struct {
	packages []string
	brings   map[string]map[string]ccServer // by package, then by key
	shared   map[string]*ccShared
	host     map[string]any
}

// randomCCProject installs up to four packages one after the other, as the specification has it for
// packages that never add different servers under one key: what has a higher version replaces the
// shared server, anything else joins those that declare it. ccpkg knows every version, if not from
// the template then from a registry or the bundle itself.
func randomCCProject(random *rand.Rand) *ccProject {
	p := &ccProject{brings: map[string]map[string]ccServer{}, shared: map[string]*ccShared{}, host: map[string]any{}}
	for _, name := range []string{"alpha", "beta", "gamma", "delta"}[:1+random.IntN(4)] {
		p.packages = append(p.packages, name)
		p.brings[name] = map[string]ccServer{}
		for product, key := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight"} {
			if random.IntN(4) == 0 {
				p.install(name, key, randomCCServer(random, product))
			}
		}
	}
	for key, s := range p.shared {
		p.host[key] = hostEntry(key, p.brings[s.active][key].entry)
	}
	return p
}

func randomCCServer(random *rand.Rand, product int) ccServer {
	form, version := linttest.OneOf(random, products[product].forms), random.IntN(len(versionsInOrder))
	return ccServer{product, version, form.tells, form.write(versionsInOrder[version])}
}

func (p *ccProject) install(name, key string, s ccServer) {
	p.brings[name][key] = s
	shared := p.shared[key]
	if shared == nil {
		shared = &ccShared{product: s.product}
		p.shared[key] = shared
	}
	shared.by = append(shared.by, name)
	if shared.active == "" || s.version > p.brings[shared.active][key].version {
		shared.active, shared.origin, shared.version = name, originText(s.entry), versionsInOrder[s.version]
	}
}

// hostEntry is what ccpkg writes into a client's file: the command with its
// variables filled in, and of a bundle how it is started where it was unpacked.
func hostEntry(key string, entry map[string]any) map[string]any {
	if entry["command"] == nil {
		return linttest.CommandOf("node", "out/"+key+"/server.js")
	}
	var args []string
	for _, arg := range entry["args"].([]string) {
		args = append(args, strings.ReplaceAll(arg, "${config.API}", "https://api.acme.dev"))
	}
	return linttest.CommandOf(entry["command"].(string), args...)
}

func (p *ccProject) files() linttest.Files {
	packages, shared := map[string]any{}, map[string]any{}
	for _, name := range p.packages {
		packages[name] = map[string]any{
			"version": "1.0.0", "scope": "project", "source": "https://dl.acme.dev/" + name + ".ccpkg",
			"linked": false, "checksum": "sha256:" + strings.Repeat("0a", 32),
		}
	}
	for key, s := range p.shared {
		shared[key] = map[string]any{"origin": s.origin, "version": orNil(s.version), "declared_by": s.by, "active_source": s.active, "dedup": true}
	}
	files := linttest.Files{
		".ccpkg/ccpkg-lock.json": linttest.ToJSON(map[string]any{"lockfile_version": 1, "packages": packages, "shared_mcp_servers": shared}),
		".mcp.json":              linttest.ToJSON(map[string]any{"mcpServers": p.host}),
	}
	for name, servers := range p.brings {
		entries := map[string]any{}
		for key, s := range servers {
			entries[key] = s.entry
		}
		files[".ccpkg/plugins/"+name+"/mcp/.mcp.json"] = linttest.ToJSON(map[string]any{"mcpServers": entries})
	}
	return files
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// keys returns the keys of shared servers in order.
func (p *ccProject) keys() []string {
	var keys []string
	for key := range p.shared {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// highest returns the first of the highest version among the packages whose template shows it, and
// whether all templates do.
func (p *ccProject) highest(key string) (name string, all bool) {
	all = true
	for _, by := range p.shared[key].by {
		switch s := p.brings[by][key]; {
		case !s.tells:
			all = false
		case name == "" || s.version > p.brings[name][key].version:
			name = by
		}
	}
	return name, all
}

// A mutation breaks one shared server of a project, and returns what the specification then says
// about it; ok is false if it does not apply.
type mutation func(random *rand.Rand, p *ccProject, key string) (want []string, ok bool)

// ccMutations are what people and merges do to a project.
var ccMutations = map[string]mutation{
	// K02
	"a declarer that is not installed": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		p.shared[key].by = append(p.shared[key].by, "gone")
		return []string{"invalid-lockfile " + key}, true
	},
	"a declarer twice": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		p.shared[key].by = append(p.shared[key].by, p.shared[key].by[0])
		return []string{"invalid-lockfile " + key}, true
	},
	"no declarer": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		p.shared[key].by = []string{}
		return []string{"invalid-lockfile " + key}, true
	},
	// K03
	"a source that declares nothing": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		p.shared[key].active = "gone"
		return []string{"invalid-lockfile " + key}, true
	},
	// K05: what a client's file says of an unpacked bundle is not written anywhere.
	"another argument": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		entry := p.host[key].(map[string]any)
		if strings.Contains(p.shared[key].origin, "${config.") || !strings.HasPrefix(p.shared[key].origin, "command::") {
			return nil, false
		}
		entry["args"] = append(entry["args"].([]string), "--verbose")
		return []string{"config-changed " + key}, true
	},
	// K06
	"no entry in the client's file": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		delete(p.host, key)
		return []string{"missing-server " + key}, true
	},
	// K07, K13: a version that contradicts the origin or a template that tells its own.
	"a lower version": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		s := p.shared[key]
		s.version = "0.1.0"
		if name, _ := p.highest(key); name == "" && !p.brings[s.active][key].tells {
			return nil, true // which one is right is not known
		}
		return []string{"invalid-lockfile " + key}, true
	},
	"no version": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		s := p.shared[key]
		s.version = ""
		if name, _ := p.highest(key); name == "" || products[s.product].unread && p.brings[s.active][key].tells {
			return nil, true
		}
		return []string{"invalid-lockfile " + key}, true
	},
	// K13: a source that is known not to be the highest.
	"another source": func(random *rand.Rand, p *ccProject, key string) ([]string, bool) {
		s := p.shared[key]
		s.active = linttest.OneOf(random, s.by)
		name, all := p.highest(key)
		if name != "" && s.active != name && (all || p.brings[s.active][key].tells) {
			return []string{"invalid-lockfile " + key}, true
		}
		return nil, true
	},
	// K14
	"a declarer that is not listed": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		s := p.shared[key]
		i := slices.IndexFunc(s.by, func(name string) bool { return name != s.active })
		if i < 0 {
			return nil, false
		}
		s.by = slices.Delete(s.by, i, i+1)
		return []string{"invalid-lockfile " + key}, true
	},
	// R4.6
	"the source was removed": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		s := p.shared[key]
		for _, other := range p.keys() {
			if other != key && slices.Contains(p.shared[other].by, s.active) {
				return nil, false // more would break than this
			}
		}
		p.packages = slices.DeleteFunc(p.packages, func(name string) bool { return name == s.active })
		delete(p.brings, s.active)
		return []string{"invalid-lockfile " + key}, true
	},
	// R4.3
	"another server under the key": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		s := p.shared[key]
		i := slices.IndexFunc(s.by, func(name string) bool { return name != s.active })
		if i < 0 {
			return nil, false
		}
		p.brings[s.by[i]][key] = ccServer{entry: linttest.NPXOf("other-mcp@9.0.0")}
		return []string{"name-conflict " + key}, true
	},
	// R4.2: two versions of one server that are not settled yet; step 10b: one that no
	// package has recorded.
	"not shared": func(_ *rand.Rand, p *ccProject, key string) ([]string, bool) {
		texts := map[string]bool{}
		for _, name := range p.shared[key].by {
			texts[originText(p.brings[name][key].entry)] = true
		}
		delete(p.shared, key)
		delete(p.host, key)
		isOne := len(texts) == 1
		delete(texts, originText(linttest.NPXOf("one-mcp"))) // has no version
		switch {
		case isOne:
			return []string{"invalid-lockfile " + key}, true
		case len(texts) > 1:
			return []string{"version-conflict " + key}, true
		}
		return nil, true
	},
}

// TestCCPkgProjects checks that random projects which ccpkg has installed have no findings, and
// that each change that may happen to them is reported as such and as nothing else.
func TestCCPkgProjects(t *testing.T) {
	names := make([]string, 0, len(ccMutations))
	for name := range ccMutations {
		names = append(names, name)
	}
	slices.Sort(names)
	linttest.Agree(t, func(random *rand.Rand) linttest.Project {
		p := randomCCProject(random)
		keys := p.keys()
		if len(keys) == 0 || random.IntN(2) == 0 {
			return linttest.Project{Files: p.files(), Want: nil}
		}
		want, ok := ccMutations[linttest.OneOf(random, names)](random, p, linttest.OneOf(random, keys))
		for !ok {
			p = randomCCProject(random)
			if keys = p.keys(); len(keys) > 0 {
				want, ok = ccMutations[linttest.OneOf(random, names)](random, p, linttest.OneOf(random, keys))
			}
		}
		return linttest.Project{Files: p.files(), Want: want}
	}, linttest.GraveSaid)
}
