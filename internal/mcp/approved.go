package mcp

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// Approved are the servers of an organization's catalog.
type Approved struct {
	// Source is where the catalog is, as messages call it.
	Source string
	// Servers are by what they run, as identity.Identity.String writes it.
	Servers map[string][]ApprovedServer
}

// ApprovedServer is one version of one of them.
type ApprovedServer struct {
	// Name is what the catalog calls it.
	Name string
	// Selector tells servers of one package or address apart. KnowsSelector is false where the
	// catalog does not say it: then every one is meant.
	Selector      []string
	KnowsSelector bool
	// Version is "" if the server has none, such as a URL. Integrity is its hash in any form, "" if
	// the catalog has none.
	Version, Integrity string
	// Launches are hashes of what else it may load, where "" means nothing else. An empty list
	// means the same as "" alone. NamesSource reports that its package is from another registry
	// than others'.
	Launches    []string
	NamesSource bool
	// Launch is how a client starts or reaches it, with variables and headers without values; nil
	// where the catalog does not say all of that, and for another version than the latest one.
	Launch *identity.Launch
}

// Add adds a version of a server that runs something.
func (a *Approved) Add(identity string, s ApprovedServer) {
	if a.Servers == nil {
		a.Servers = map[string][]ApprovedServer{}
	}
	a.Servers[identity] = append(a.Servers[identity], s)
}

// Of returns the versions of a server; isKnown reports that there are some, under any selector.
func (a *Approved) Of(identity string, selector []string) (versions []ApprovedServer, isKnown bool) {
	all := a.Servers[identity]
	for _, s := range all {
		if !s.KnowsSelector || slices.Equal(s.Selector, selector) {
			versions = append(versions, s)
		}
	}
	return versions, len(all) > 0
}
