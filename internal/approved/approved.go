// Package approved reads the servers that a catalog holds: the answers of one at an address,
// or the files of one in a directory.
package approved

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// page is a page of servers of an MCP registry (its OpenAPI description, v0.1). Next to each server
// is what mcplumb's own catalog says about it.
type page struct {
	Servers  []listing `json:"servers"`
	Metadata struct {
		NextCursor string `json:"nextCursor"`
	} `json:"metadata"`
}

// listing is one version of a server.
type listing struct {
	Server struct {
		Name     string   `json:"name"`
		Packages []pkg    `json:"packages"`
		Remotes  []remote `json:"remotes"`
		Meta     struct {
			Provided struct {
				Identity  string   `json:"identity"`
				Selector  []string `json:"selector"`
				Version   string   `json:"version"`
				Integrity string   `json:"integrity"`
				Launches  []string `json:"launches"`
				IsOther   bool     `json:"otherRegistry"`
			} `json:"io.modelcontextprotocol.registry/publisher-provided"`
		} `json:"_meta"`
	} `json:"server"`
	Meta struct {
		Official struct {
			Status   string `json:"status"`
			IsLatest *bool  `json:"isLatest"`
		} `json:"io.modelcontextprotocol.registry/official"`
	} `json:"_meta"`
}

// isOffered reports whether the version can be used without a choice: it is the latest one, and has
// one way to run it. Of several ways a person must choose.
func (l *listing) isOffered() bool {
	official := l.Meta.Official
	return len(l.Server.Packages)+len(l.Server.Remotes) == 1 && official.Status != "deprecated" && (official.IsLatest == nil || *official.IsLatest)
}

// pkg is a package of a server, remote an address of one.
type (
	pkg struct {
		RegistryType string  `json:"registryType"`
		Base         string  `json:"registryBaseUrl"`
		Identifier   string  `json:"identifier"`
		Version      string  `json:"version"`
		Runtime      []input `json:"runtimeArguments"`
		Arguments    []input `json:"packageArguments"`
		Environment  []input `json:"environmentVariables"`
	}
	remote struct {
		Type    string  `json:"type"`
		URL     string  `json:"url"`
		Headers []input `json:"headers"`
	}
	// input is an argument, a variable or a header.
	input struct {
		Type  string `json:"type"`
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// errNoCatalog says that a text is no page of servers.
var errNoCatalog = errors.New("it is not a list of servers of an MCP registry (v0.1)")

// Add adds the servers on a page of a catalog, and returns where the next page goes
// on, "" for the last one.
func Add(all *mcp.Approved, body []byte) (next string, err error) {
	var p page
	if json.Unmarshal(body, &p) != nil || p.Servers == nil {
		return "", errNoCatalog
	}
	for _, l := range p.Servers {
		s := l.Server
		if l.Meta.Official.Status == "deleted" {
			continue
		}
		own, isOffered := s.Meta.Provided, l.isOffered()
		server := mcp.ApprovedServer{
			Name: s.Name, Selector: own.Selector, KnowsSelector: true, Version: own.Version, Integrity: own.Integrity,
			Launches: own.Launches, NamesSource: own.IsOther,
		}
		// note notes one way to run the server.
		note := func(launch *identity.Launch, id identity.Identity, way mcp.ApprovedServer) {
			if isOffered && launch != nil {
				way.Launch = launch
			}
			switch {
			case own.Identity == "" && id.Kind != identity.None:
				all.Add(id.String(), way)
			case own.Identity == id.String(): // else it would be another server
				server.Launch = way.Launch
			}
		}
		for _, p := range s.Packages {
			id := p.identity()
			note(p.launch(), id, mcp.ApprovedServer{Name: s.Name, Version: id.Version.Text})
		}
		for _, r := range s.Remotes {
			id := identity.Resolve(&identity.Launch{URL: identity.Word{Text: r.URL}}, &identity.Context{})
			if id.Kind == identity.URL {
				note(r.launch(), id, mcp.ApprovedServer{Name: s.Name, Selector: id.Selector, KnowsSelector: true})
			}
		}
		if own.Identity != "" {
			all.Add(own.Identity, server)
		}
	}
	return p.Metadata.NextCursor, nil
}

// words returns the words with which a launcher starts a package, nil for an unknown kind. Those of
// runtime come before the package.
func (p *pkg) words(runtime ...string) []string {
	words := mcp.PublishedCommand(p.RegistryType, p.Identifier, p.Version)
	if words == nil || p.Identifier == "" {
		return nil
	}
	return slices.Insert(words, len(words)-1, runtime...)
}

// identity returns what a package of an MCP registry is when its launcher starts it.
func (p *pkg) identity() identity.Identity {
	words := p.words()
	if words == nil {
		return identity.Identity{}
	}
	return identity.Resolve(launchOf(words), &identity.Context{})
}

// launch returns how a client starts a package. It returns nil if a person must choose words, or if
// the package is from a registry of its own.
func (p *pkg) launch() *identity.Launch {
	before, isKnown := words(p.Runtime)
	behind, areKnown := words(p.Arguments)
	for _, v := range p.Environment {
		if p.RegistryType == "oci" && !slices.Contains(before, v.Name) {
			before = append(before, "-e", v.Name)
		}
	}
	start := p.words(before...)
	if start == nil || !isKnown || !areKnown || p.Base != "" {
		return nil
	}
	launch := launchOf(append(start, behind...))
	launch.Env = pairs(p.Environment)
	return launch
}

// launch returns how a client reaches an address, nil if a person must fill in a part of it.
func (r *remote) launch() *identity.Launch {
	transport := map[string]string{"streamable-http": "http", "sse": "sse"}[r.Type]
	if transport == "" || r.URL == "" || strings.Contains(r.URL, "{") {
		return nil
	}
	return &identity.Launch{URL: identity.Word{Text: r.URL}, Transport: transport, Headers: pairs(r.Headers)}
}

// words returns arguments as they are written; ok is false if one is missing, or has a variable.
func words(args []input) (all []string, ok bool) {
	for _, a := range args {
		switch {
		case strings.Contains(a.Value, "{"):
			return nil, false
		case a.Type == "named" && a.Name != "":
			if all = append(all, a.Name); a.Value != "" {
				all = append(all, a.Value)
			}
		case a.Value == "":
			return nil, false
		default:
			all = append(all, a.Value)
		}
	}
	return all, true
}

// pairs returns variables or headers without their values, which are the user's own.
func pairs(inputs []input) []identity.Pair {
	var all []identity.Pair
	for _, i := range inputs {
		all = append(all, identity.Pair{Name: identity.Word{Text: i.Name}})
	}
	return all
}

// launchOf returns what a command line starts.
func launchOf(words []string) *identity.Launch {
	launch := &identity.Launch{Command: identity.Word{Text: words[0]}}
	for _, word := range words[1:] {
		launch.Args = append(launch.Args, identity.Word{Text: word})
	}
	return launch
}
