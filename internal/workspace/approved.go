package workspace

import (
	"context"
	"path"
	"path/filepath"

	"github.com/mcplumb/mcplumb/internal/approved"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
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
	all := &mcp.Approved{Source: place}
	if _, err := approved.Add(all, content); err != nil {
		return nil, &policy.Error{Path: shown, Message: err.Error()}
	}
	return all, nil
}
