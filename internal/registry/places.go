package registry

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Named are addresses that settings name, "" for none.
type Named struct {
	NPM, PyPI, NuGet, MCP, OSV, PML string
}

// Sources are what tells the clients of registries where these are, and who asks there.
type Sources struct {
	// Named are those of mcplumb's own settings; they come first.
	Named Named
	// Environment returns a variable of the environment, "" for one that is not set.
	Environment func(string) string
	// ProjectNPM is the .npmrc of the repository, UserNPM the user's. The author of the
	// first may not be trusted: it says where registries are, and no variable of it is
	// filled in, so that it cannot have a token sent to where it likes.
	ProjectNPM, UserNPM []byte
	// Pip is the user's pip.conf, UV the user's uv.toml, Netrc the user's .netrc, and Docker
	// the user's config.json.
	Pip, UV, Netrc, Docker []byte
	// DefaultNPM asks npm itself for its registry, "" if it cannot be asked.
	DefaultNPM func() string
}

// Places say where registries are.
type Places struct {
	sources Sources
	user    npmConfig
	project npmConfig
	docker  dockerConfig
	// logins are headers for indexes of Python packages, by host.
	logins  map[string]string
	pip, uv indexes
}

// NewPlaces reads what says where registries are.
func NewPlaces(s Sources) Places {
	return Places{
		sources: s,
		user:    readNPMConfig(s.UserNPM, s.Environment),
		project: readNPMConfig(s.ProjectNPM, nil),
		docker:  readDockerConfig(s.Docker),
		logins:  readNetrc(s.Netrc),
		pip:     readPipConfig(s.Pip),
		uv:      readUVConfig(s.UV),
	}
}

// npm returns the registry of a package: that of its scope, else that of all (npm's
// documentation, "scope").
func (p *Places) npm(name string) (place, error) {
	scope := ""
	if strings.HasPrefix(name, "@") {
		scope, _, _ = strings.Cut(name, "/")
	}
	env := p.sources.Environment
	address := cmp.Or(p.project.scopes[scope], p.user.scopes[scope], p.sources.Named.NPM,
		env("npm_config_registry"), env("NPM_CONFIG_REGISTRY"), p.project.registry, p.user.registry)
	own := []string{p.user.scopes[scope], env("npm_config_registry"), env("NPM_CONFIG_REGISTRY"), p.user.registry}
	if address == "" && p.sources.DefaultNPM != nil {
		address = p.sources.DefaultNPM()
		own = append(own, address)
	}
	if address == "" {
		return place{}, &Error{Reason: "npm's registry is unknown: add registries.npm to the settings, or set npm_config_registry"}
	}
	from, err := parsePlace(address, "write a token for it into the .npmrc of your home directory, as npm needs one")
	if err == nil && !from.isAmong(own) {
		from.most = maxForeign
	}
	if err == nil && from.authorization == "" {
		from.logIn(p.user.credentialFor(from.base), own)
	}
	return from, err
}

// logIn has requests to a place carry the user's login. A repository that names the same host
// without encryption, where anyone on the way can read, gets no login. Only users may choose
// that, in their own addresses.
func (p *place) logIn(authorization string, own []string) {
	if isEncrypted(p.base) || p.isAmong(own) {
		p.setLogin(authorization)
	} else if authorization != "" {
		p.login = "it has no encryption, so it gets no token: use https:// in the address that the repository names"
	}
}

// isAmong reports whether one of some addresses is on the same host.
func (p *place) isAmong(own []string) bool {
	return slices.ContainsFunc(own, func(address string) bool {
		u, err := url.Parse(withoutName(address))
		return err == nil && u.Scheme == p.base.Scheme && u.Host == p.base.Host
	})
}

// setLogin sets the header with the user's login, "" for none.
func (p *place) setLogin(authorization string) {
	if p.authorization = authorization; authorization != "" {
		p.sent = ", and the login that was sent may have expired"
	}
}

// isEncrypted reports whether what is sent to a place cannot be read on the way: it is
// encrypted, or stays on this machine.
func isEncrypted(base *url.URL) bool {
	return base.Scheme == "https" || host.DistanceOf(base.Hostname()) == host.Here
}

// pypi returns the indexes that pip and uv search, in their order. What one of them does not
// have another one may.
func (p *Places) pypi() ([]place, error) {
	env, pip, uv := p.sources.Environment, &p.pip, &p.uv
	own := slices.Concat([]string{cmp.Or(env("PIP_INDEX_URL"), env("UV_DEFAULT_INDEX"), env("UV_INDEX_URL"), pip.index, uv.index, "https://pypi.org/simple")},
		strings.Fields(env("PIP_EXTRA_INDEX_URL")), strings.Fields(env("UV_EXTRA_INDEX_URL")), strings.Fields(env("UV_INDEX")), pip.more, uv.more)
	addresses := own
	if p.sources.Named.PyPI != "" {
		addresses = []string{p.sources.Named.PyPI}
	}
	var all []place
	for _, address := range addresses {
		from, err := parsePlace(withoutName(address), "write a user and a password for it into PIP_INDEX_URL, pip.conf or the .netrc of your home directory")
		if err != nil {
			return nil, err
		}
		if !from.isAmong(own) {
			from.most = maxForeign
		}
		if from.authorization == "" {
			from.logIn(p.logins[from.base.Hostname()], own)
		}
		all = append(all, from)
	}
	return all, nil
}

// withoutName returns the address of an index, before which uv has its name
// ("corp=https://…").
func withoutName(index string) string {
	if name, address, found := strings.Cut(index, "="); found && !strings.ContainsAny(name, ":/") {
		return address
	}
	return index
}

func (p *Places) nuget() (place, error) {
	return namedPlace(p.sources.Named.NuGet, "https://api.nuget.org/v3/index.json", "mcplumb reads no NuGet.Config, and has no password for it")
}

func (p *Places) servers() (place, error) {
	return namedPlace(p.sources.Named.MCP, "https://registry.modelcontextprotocol.io", "mcplumb has no token for it")
}

func (p *Places) osv() (place, error) {
	return namedPlace(p.sources.Named.OSV, "https://api.osv.dev", "mcplumb has no token for it")
}

// pml returns the registry of Casys PML that a project names, or the zero place if neither the
// settings, the variables, nor the project name one: mcplumb asks PML's own registry only
// about tools that were fetched from there. The variables are PML's own
// (packages/pml/src/server/pml-context.ts). Its key goes only to the cloud that the user
// names, not to one that a repository names.
func (p *Places) pml(named string) (place, error) {
	env := p.sources.Environment
	address := cmp.Or(p.sources.Named.PML, env("PML_CLOUD_URL"), named)
	if address == "" {
		return place{}, nil
	}
	from, err := parsePlace(address, "set PML_API_KEY to a key, and PML_CLOUD_URL to the address that it is for")
	if err != nil {
		return from, err
	}
	from.most = maxForeign
	own, err := parsePlace(cmp.Or(env("PML_CLOUD_URL"), "https://pml.casys.ai"), "")
	if err == nil && isEncrypted(from.base) && own.base.Scheme == from.base.Scheme && own.base.Host == from.base.Host {
		from.key = env("PML_API_KEY")
	}
	return from, nil
}

// image returns the registry of images on a host. As Docker does, it asks this machine
// without encryption.
func (p *Places) image(name string) (place, error) {
	named := name
	if name == "docker.io" {
		name, named = "registry-1.docker.io", "index.docker.io"
	}
	login := cmp.Or(p.docker.logins[named], p.docker.logins[strings.TrimPrefix(named, "index.")])
	base := &url.URL{Scheme: "https", Host: name}
	if host.DistanceOf(base.Hostname()) == host.Here {
		base.Scheme = "http"
	}
	from := place{base: base, most: maxManifest, login: p.docker.advice(named)}
	if login != "" {
		from.authorization = "Basic " + login
	}
	return from, nil
}

// namedPlace reads the address that the settings of a repository name, or the usual one.
func namedPlace(named, usual, login string) (place, error) {
	from, err := parsePlace(cmp.Or(named, usual), login)
	if err == nil && !from.isAmong([]string{usual}) {
		from.most = maxForeign
	}
	return from, err
}

// parsePlace reads an address, which may hold a user and a password. login says where else
// those are looked for.
func parsePlace(address, login string) (place, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return place{}, &Error{Reason: "the address of a registry is malformed: it must begin with https:// or http://"}
	}
	from := place{base: base, most: maxBody, login: login}
	if user := base.User; user != nil {
		password, _ := user.Password()
		from.setLogin(basic(user.Username(), password))
		base.User = nil
	}
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), ""
	base.RawQuery, base.Fragment = "", ""
	return from, nil
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// npmConfig is what an .npmrc says of registries.
type npmConfig struct {
	registry string
	// scopes have the registries of scopes, by "@scope".
	scopes map[string]string
	// credentials are headers by the address without its scheme that they are for, with
	// a slash at the end.
	credentials map[string]string
}

// readNPMConfig reads an .npmrc: a key, an equals sign and a value on each line
// (npm's documentation, "npmrc"). With no environment a value that names a variable is
// left out.
func readNPMConfig(content []byte, environment func(string) string) npmConfig {
	c := npmConfig{scopes: map[string]string{}, credentials: map[string]string{}}
	users, passwords := map[string]string{}, map[string]string{}
	for _, line := range strings.Split(string(content), "\n") {
		key, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found || strings.HasPrefix(key, "#") || strings.HasPrefix(key, ";") {
			continue
		}
		key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"'`)
		if strings.Contains(value, "${") {
			if environment == nil {
				continue
			}
			if value = expand(value, environment); value == "" {
				continue // without a value there is no token
			}
		}
		at, isOfPlace := strings.CutPrefix(key, "//")
		scope, isOfScope := strings.CutSuffix(key, ":registry")
		switch {
		case key == "registry":
			c.registry = value
		case isOfPlace && strings.HasSuffix(at, ":_authToken"):
			c.credentials[nerf(at, ":_authToken")] = "Bearer " + value
		case isOfPlace && strings.HasSuffix(at, ":_auth"):
			c.credentials[nerf(at, ":_auth")] = "Basic " + value
		case isOfPlace && strings.HasSuffix(at, ":username"):
			users[nerf(at, ":username")] = value
		case isOfPlace && strings.HasSuffix(at, ":_password"):
			passwords[nerf(at, ":_password")] = value
		case isOfScope && strings.HasPrefix(scope, "@"):
			c.scopes[scope] = value
		}
	}
	for at, user := range users {
		if password, err := base64.StdEncoding.DecodeString(passwords[at]); err == nil && c.credentials[at] == "" {
			c.credentials[at] = basic(user, string(password))
		}
	}
	return c
}

// nerf returns the address of a key that is for one place, with a slash at its end.
func nerf(key, member string) string {
	return strings.TrimRight(strings.TrimSuffix(key, member), "/") + "/"
}

// credentialFor returns the header for an address: that of the longest address which it
// is below.
func (c *npmConfig) credentialFor(base *url.URL) string {
	at := base.Host + strings.TrimRight(base.Path, "/") + "/"
	best := ""
	for prefix := range c.credentials {
		if strings.HasPrefix(at, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return c.credentials[best]
}

// indexes are what a file says of indexes of Python packages.
type indexes struct {
	index string
	more  []string
}

// readPipConfig reads the section of a pip.conf that is for all commands. A value goes on
// in lines that begin with a blank.
func readPipConfig(content []byte) (c indexes) {
	section, key := "", ""
	for _, line := range strings.Split(string(content), "\n") {
		value := strings.TrimSpace(line)
		name, rest, isKey := strings.Cut(value, "=")
		switch isMore := line != "" && (line[0] == ' ' || line[0] == '\t'); {
		case strings.HasPrefix(value, "["):
			section, key = strings.Trim(value, "[]"), ""
			continue
		case strings.HasPrefix(value, "#"), strings.HasPrefix(value, ";"):
			continue
		case isKey && !isMore:
			key, value = strings.ReplaceAll(strings.TrimSpace(name), "_", "-"), strings.TrimSpace(rest)
		}
		switch {
		case section != "global":
		case key == "index-url" && value != "":
			c.index = value
		case key == "extra-index-url":
			c.more = append(c.more, strings.Fields(value)...)
		}
	}
	return c
}

// readUVConfig reads the user's uv.toml (docs.astral.sh/uv, "Settings"). What is wrong with
// it uv itself says.
func readUVConfig(content []byte) (c indexes) {
	tree, err := syntax.ParseTOML(syntax.NewFile("uv.toml", content))
	if err != nil {
		return c
	}
	text := func(n *syntax.Node) string {
		if !n.IsString() {
			return ""
		}
		return n.Text
	}
	is := func(n *syntax.Node) bool { return n != nil && n.Kind == syntax.Bool && n.Text == "true" }
	c.index = text(tree.Root.Get("index-url"))
	for _, more := range elements(tree.Root.Get("extra-index-url")) {
		c.more = append(c.more, text(more))
	}
	for _, i := range elements(tree.Root.Get("index")) {
		switch address := text(i.Get("url")); {
		case is(i.Get("default")):
			c.index = address
		case !is(i.Get("explicit")):
			c.more = append(c.more, address)
		}
	}
	return c
}

// elements returns those of a list, none of anything else.
func elements(n *syntax.Node) []*syntax.Node {
	if n == nil || n.Kind != syntax.Array {
		return nil
	}
	return n.Nodes
}

// readNetrc returns who is logged in, by host: words in any lines (curl's documentation,
// "netrc"). pip and uv take from there what no address has in it.
func readNetrc(content []byte) map[string]string {
	logins := map[string]string{}
	machine, login := "", ""
	words := strings.Fields(string(content))
	for i := 0; i+1 < len(words); i++ {
		switch words[i] {
		case "machine":
			machine, login = words[i+1], ""
		case "login":
			login = words[i+1]
		case "password":
			if machine != "" {
				logins[machine] = basic(login, words[i+1])
			}
		default: // "default" has no host
			machine = ""
			continue
		}
		i++
	}
	return logins
}

// dockerConfig is what docker's config.json says of logins.
type dockerConfig struct {
	// logins are by host.
	logins map[string]string
	// helper is the program that keeps those of all hosts, helpers those of single ones.
	helper  string
	helpers map[string]string
}

// advice says where mcplumb looks for a login for a host. It does not read a login from a
// credential helper: it starts no program except git and npm.
func (c *dockerConfig) advice(host string) string {
	if helper := cmp.Or(c.helpers[host], c.helper); helper != "" {
		return "docker keeps the login in docker-credential-" + helper + ", which mcplumb does not run: write it into auths of a config.json, and set DOCKER_CONFIG to the directory of that"
	}
	return "log in to it with docker login"
}

// readDockerConfig returns who is logged in (docs.docker.com, "docker login").
func readDockerConfig(content []byte) dockerConfig {
	var config struct {
		Auths map[string]struct {
			Auth string `json:"auth"`
		} `json:"auths"`
		Store   string            `json:"credsStore"`
		Helpers map[string]string `json:"credHelpers"`
	}
	if json.Unmarshal(content, &config) != nil {
		return dockerConfig{}
	}
	c := dockerConfig{logins: map[string]string{}, helper: config.Store, helpers: config.Helpers}
	for address, login := range config.Auths {
		address = strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
		name, _, _ := strings.Cut(address, "/")
		if login.Auth != "" {
			c.logins[name] = login.Auth
		}
	}
	return c
}

// expand fills in the variables of a value, "${NAME}" or "${NAME?}", as npm does.
func expand(value string, environment func(string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "${")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return b.String()
		}
		b.WriteString(environment(strings.TrimSuffix(name, "?")))
		value = after
	}
}
