package cli

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
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// allClients is the word that --to takes beside the names of clients.
const allClients = "all"

// groupFrom returns the group that --from and --to ask for, nil where there is nothing
// more to do and that is said.
func (a *app) groupFrom(ctx context.Context, w *workspace.Workspace, f *syncFlags) (*mcp.GroupSettings, error) {
	clients, err := clientsNamed(f.to)
	if err != nil {
		return nil, err
	}
	from := w.Targets[0]
	if file, err := w.Options.Source.Read(ctx, from); err == nil {
		from = cmp.Or(file.Real, from) // a link leads to it
	}
	w.Options.Targets = []string{"", from} // whatever its name
	result, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	source := documentOf(result.Repo, from)
	if source == nil {
		return nil, a.refuseSource(w, result, from, f)
	}
	if err := hasServers(source, f.servers); err != nil {
		return nil, err
	}
	found := instep.NewClientFiles(source, func(path string) bool {
		_, err := w.Options.Source.Stat(ctx, path)
		return err == nil
	})
	files, err := a.filesFor(found, clients)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return &mcp.GroupSettings{Source: from, Files: append([]string{from}, files...), Servers: f.servers, Literal: true}, nil
}

// clientsNamed returns the clients of the names that --to has, none for all.
func clientsNamed(names []string) ([]*mcp.Client, error) {
	writable := writableClients()
	var clients []*mcp.Client
	for _, name := range names {
		switch {
		case name == allClients && len(names) > 1:
			return nil, fmt.Errorf("--to %s goes with no other client", allClients)
		case name == allClients:
			return nil, nil
		case slices.Contains(writable, name):
			if c := mcp.ClientByID(name); !slices.Contains(clients, c) {
				clients = append(clients, c)
			}
		case mcp.ClientByID(name) != nil:
			return nil, fmt.Errorf("--to %s: %s has no file in a project that mcplumb could write. Those that can be written: %s", name, mcp.ClientByID(name).Title, strings.Join(writable, ", "))
		default:
			hint := ""
			if nearest := spelling.Nearest(name, append(slices.Clone(writable), allClients)); nearest != "" {
				hint = fmt.Sprintf(": did you mean %q?", nearest)
			}
			return nil, fmt.Errorf("--to %s: there is no such client%s Those that can be written: %s", name, cmp.Or(hint, "."), strings.Join(writable, ", "))
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

// refuseSource says why there are no servers to write.
func (a *app) refuseSource(w *workspace.Workspace, result *lint.Result, from string, f *syncFlags) error {
	for _, found := range result.Findings {
		if found.Rule == checks.SyntaxError && found.File.Path == from {
			result.Errors = append(result.Errors, lint.FileError{Path: from, Message: "does not parse: " + found.Message})
		}
	}
	result.Findings = nil
	if slices.ContainsFunc(result.Errors, func(e lint.FileError) bool { return e.Path == from }) {
		a.code = exitIncomplete
		a.printProblems(view.New(w.Viewed(result)))
		return nil
	}
	return fmt.Errorf("--from %s: it is no file with servers", f.from)
}

// hasServers says which of the servers that were named are not there.
func hasServers(source *mcp.Document, names []string) error {
	var known []string
	for _, s := range source.Servers {
		known = append(known, s.Name)
	}
	for _, name := range names {
		if pattern, err := glob.Parse(name); err == nil && !glob.IsPlain(name) && !slices.ContainsFunc(known, pattern.Matches) {
			return fmt.Errorf("--server %s: %s has no server of such a name", name, source.File.Path)
		}
		if !strings.ContainsAny(name, `*?[{\`) && !slices.Contains(known, name) {
			return fmt.Errorf("--server %s: %s has no such server: %s", name, source.File.Path, spelling.Hint(name, known))
		}
	}
	return nil
}

// filesFor returns the files of clients, of all that have one for none. What is not
// written although it might be meant is said.
func (a *app) filesFor(found *instep.ClientFiles, clients []*mcp.Client) ([]string, error) {
	if clients == nil {
		files, left := found.All()
		for _, sentence := range left {
			fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(sentence))
		}
		if len(files) > 0 {
			return files, nil
		}
		_, err := fmt.Fprintf(a.env.Stdout, "in step: no other client has a file with servers beside %s\n", view.NewText(found.Source.File.Path))
		return nil, source.WriteFailed("standard output", err)
	}
	var files []string
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
