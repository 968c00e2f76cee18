package workspace

import (
	"context"
	"errors"
	"path"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/registry"
	"github.com/mcplumb/mcplumb/internal/source"
)

// BuiltServers is where a catalog that was built has all of its servers.
const BuiltServers = "v0.1/servers/index.html"

// ReadApproved reads the catalog of the organization where that is a directory. One at an
// address is asked with --online; without, a notice says that it was not.
func (w *Workspace) ReadApproved(ctx context.Context, isOnline bool) error {
	place := w.Options.Settings.Catalog.Approved
	switch {
	case place == "":
		return nil
	case policy.IsAddress(place):
		if !isOnline {
			w.Notices = append(w.Notices, "the catalog "+place+" was not queried: --online queries it")
		}
		return nil
	}
	file := filepath.Join(w.Root, filepath.FromSlash(path.Join(place, BuiltServers)))
	shown := w.Paths().Seen(file)
	content, _, err := w.Read(ctx, file)
	if err != nil {
		return &policy.Error{Path: shown, Message: source.Explain(err) + ": mcplumb catalog build writes such a directory"}
	}
	w.Options.Approved, err = ParseApproved(place, shown, content)
	return err
}

// ParseApproved parses the servers of a catalog at a place, whose file is shown.
func ParseApproved(place, shown string, content []byte) (*mcp.Approved, error) {
	approved := &mcp.Approved{Source: place}
	if _, err := registry.AddApproved(approved, content); err != nil {
		return nil, &policy.Error{Path: shown, Message: err.Error()}
	}
	return approved, nil
}

// approvedAsker returns what asks the catalog of the organization, once, and leaves it in
// repositories. It returns a sentence where there was no answer.
func (w *Workspace) approvedAsker(client *registry.Client, how Asking) func(context.Context, *mcp.Repo) []string {
	place := w.Options.Settings.Catalog.Approved
	if !how.Approved || !policy.IsAddress(place) {
		return func(context.Context, *mcp.Repo) []string { return nil }
	}
	var known *mcp.Approved
	var silence string
	return func(ctx context.Context, repo *mcp.Repo) []string {
		if known == nil && silence == "" {
			var err error
			var failed *registry.Error
			if known, err = client.Approved(ctx, place); errors.As(err, &failed) {
				silence = "the catalog " + place + " does not say which servers are approved: " + failed.Reason
			}
		}
		repo.Approved = known
		if silence != "" {
			return []string{silence}
		}
		return nil
	}
}
