package syncing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

// All is the word for all clients that have a file in addition to the source.
const All = "all"

// Writable returns the IDs of the clients that servers can be written for.
func Writable() []string {
	var ids []string
	for _, c := range instep.Writable() {
		ids = append(ids, c.ID)
	}
	return ids
}

// groupFrom returns the group of a source and the files of clients, nil where there is nothing
// more to do and the result says why.
func (r *Result) groupFrom(ctx context.Context, o *Options) (*mcp.GroupSettings, error) {
	clients, err := clientsNamed(o.To)
	if err != nil {
		return nil, err
	}
	w, from := r.Workspace, r.Targets[0]
	if file, err := w.Options.Source.Read(ctx, from); err == nil {
		from = cmp.Or(file.Real, from) // a link leads to it
	}
	w.Options.Targets = []string{"", from} // with any name
	found, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	source := documentOf(found.Repo, from)
	if source == nil {
		return nil, r.refuseSource(found, from, o)
	}
	if err := hasServers(source, o.Servers); err != nil {
		return nil, err
	}
	files, err := r.filesFor(clients, instep.NewClientFiles(source, func(path string) bool {
		_, err := w.Options.Source.Stat(ctx, path)
		return err == nil
	}))
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return &mcp.GroupSettings{Source: from, Files: append([]string{from}, files...), Servers: o.Servers, Literal: true}, nil
}

// clientsNamed returns the clients of the names that --to has, none for all.
func clientsNamed(names []string) ([]*mcp.Client, error) {
	writable := Writable()
	var clients []*mcp.Client
	for _, name := range names {
		switch {
		case name == All && len(names) > 1:
			return nil, fmt.Errorf("--to %s cannot be combined with another client", All)
		case name == All:
			return nil, nil
		case slices.Contains(writable, name):
			if c := mcp.ClientByID(name); !slices.Contains(clients, c) {
				clients = append(clients, c)
			}
		case mcp.ClientByID(name) != nil:
			return nil, fmt.Errorf("--to %s: %s has no project file that mcplumb can write: use one of %s", name, mcp.ClientByID(name).Title, strings.Join(writable, ", "))
		default:
			return nil, fmt.Errorf("--to %s: unknown client: %s", name, spelling.Hint(name, append(slices.Clone(writable), All)))
		}
	}
	return clients, nil
}

// documentOf returns the document of a path that clients load servers from, nil if there
// is none.
func documentOf(repo *mcp.Repo, path string) *mcp.Document {
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.File.Path == path && d.Lock == nil && len(d.Servers) > 0 {
				return d
			}
		}
	}
	return nil
}

// refuseSource says why there are no servers to write: as an error of the file if it could
// not be read.
func (r *Result) refuseSource(found *lint.Result, from string, o *Options) error {
	for _, f := range found.Findings {
		if f.Rule == checks.SyntaxError && f.File.Path == from {
			found.Errors = append(found.Errors, lint.FileError{Path: from, Message: "does not parse: " + f.Message})
		}
	}
	found.Findings = nil
	if slices.ContainsFunc(found.Errors, func(e lint.FileError) bool { return e.Path == from }) {
		r.Found = found
		return nil
	}
	return fmt.Errorf("--from %s: the file has no servers", o.From)
}

// hasServers says which of the servers that were named are not there.
func hasServers(source *mcp.Document, names []string) error {
	var known []string
	for _, s := range source.Servers {
		known = append(known, s.Name)
	}
	for _, name := range names {
		if pattern, err := glob.Parse(name); err == nil && !glob.IsPlain(name) && !slices.ContainsFunc(known, pattern.Matches) {
			return fmt.Errorf("--server %s: %s has no such server", name, source.File.Path)
		}
		if !strings.ContainsAny(name, `*?[{\`) && !slices.Contains(known, name) {
			return fmt.Errorf("--server %s: %s has no such server: %s", name, source.File.Path, spelling.Hint(name, known))
		}
	}
	return nil
}

// filesFor returns the files of clients, of all that have one for none.
func (r *Result) filesFor(clients []*mcp.Client, found *instep.ClientFiles) (files []string, err error) {
	if clients == nil {
		if files, r.NotWritten = found.All(); len(files) == 0 {
			r.Alone = found.Source.File.Path
		}
		return files, nil
	}
	for _, c := range clients {
		file, err := found.File(c)
		if err != nil {
			return nil, fmt.Errorf("--to %s: %w", c.ID, err)
		}
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files, nil
}
