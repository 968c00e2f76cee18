package shape

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Input is a parsed file on its way to a document.
type Input struct {
	File  *syntax.File
	Tree  *syntax.Tree
	Match Match

	plan *plan
	// noCwd reports that the client which the file is made for reads no working directory.
	noCwd bool
	// Context is what identities are resolved in, set by the place of the file.
	// A Read function may change it.
	Context identity.Context
}

// Clients returns the clients that read the file. Do not change them.
func (in *Input) Clients() []*mcp.Client { return in.plan.clients }

// Roots returns the root keys that they load. Do not change them.
func (in *Input) Roots() []string { return in.plan.roots }

// ReadAs reads the tree according to a format and resolves the identity of every server. It
// returns nil when the file has no MCP configuration.
func (in *Input) ReadAs(f *Format) *mcp.Document {
	in.Use(f)
	doc := f.Read(in)
	if doc == nil {
		return nil
	}
	if doc.Scope == mcp.ScopeLock {
		doc.SecretMembers = secretMembers(doc.SecretMembers, in.Tree.Root)
	}
	doc.Context = in.Context
	// mcplumb cannot tell what a client does with the files of a home directory.
	if doc.Scope != mcp.ScopeUser && len(doc.Servers) > 0 {
		doc.Stray = in.Match.Stray
		doc.NotLoaded = in.plan.unread && !in.Match.Sample || in.Match.Stray != nil // a sample is copied elsewhere
	}
	for _, s := range doc.Servers {
		s.Document = doc
		s.Identity = identity.Resolve(&s.Launch, &in.Context)
		in.noteNamer(s)
		in.refuseCwd(doc, s)
	}
	return doc
}

// refuseCwd notes a working directory that the client of a file does not read, unless
// it is the one in which all servers start.
func (in *Input) refuseCwd(doc *mcp.Document, s *mcp.Server) {
	cwd := s.Extra().NoCwd
	if cwd.Text == "" || s.Launch.IsRemote() {
		return
	}
	meant := s.Launch
	meant.Cwd = cwd
	dir := meant.WorkDir(&in.Context)
	if dir == s.Launch.WorkDir(&in.Context) {
		return
	}
	r := mcp.Refusal{Reason: mcp.UnusedDirectory, Span: cwd.Span, Server: s.Name, Object: s.Span, Member: "cwd", Got: cwd.Text}
	for i, c := range doc.Loaders() {
		if c.Reading(doc.Format).NoCwd {
			r.Clients = append(r.Clients, c)
		} else if i > 0 {
			r.By = mcp.ByOwner
		}
	}
	// A directory outside of the project may be the author's copy of it.
	isWithin := !path.IsAbs(dir) && !strings.HasPrefix(dir, "..") && !strings.ContainsAny(dir, "~$%:")
	id := identity.Resolve(&meant, &in.Context)
	own := identity.Resolved{Identity: &id, Launch: &meant, Context: &in.Context}
	if isWithin && (id.String() != s.Identity.String() || !id.IsPackage() && own.Dir() != s.Resolved().Dir()) {
		r.Reason = mcp.OtherDirectory
	}
	s.EnsureExtra().Apart = true // from an entry that was intended to start elsewhere
	doc.Refusals = append(doc.Refusals, r)
}

// noteNamer writes down which tool made a name, and for which bundle.
func (in *Input) noteNamer(s *mcp.Server) {
	for _, tool := range in.plan.namers {
		if bundle, made := tool.Names.Bundle(s.Name); made {
			s.EnsureExtra().NamedBy, s.EnsureExtra().Bundle = tool, bundle
		}
	}
}

// Use sets how the file is read from here on.
func (in *Input) Use(f *Format) {
	p := in.Match.plan(f)
	in.Match.Format, in.plan = f, p
	in.Context = identity.Context{Dir: in.dir(p.start)}
	if project := in.dir(mcp.ProjectDir); project != in.Context.Dir {
		in.Context.Project = path.Clean(project)
	}
	// Without a dollar or percent sign, or an escape that may be one, there is no
	// variable to resolve.
	if len(p.dirs) == 0 || !bytes.ContainsAny(in.File.Bytes, "$%") && !syntax.MayEscape(in.File.Bytes) {
		return
	}
	in.Context.Vars = make(map[string]string, len(p.dirs))
	for _, d := range p.dirs {
		in.Context.Vars[d.Name] = in.dir(d.Base)
	}
}

// dir returns the directory that a base means.
func (in *Input) dir(b mcp.Base) string {
	if b == mcp.DocumentDir {
		return mcp.Parent(in.File.Path)
	}
	return in.Match.Dir
}

// scope returns whose file it is: in a home directory not a project's.
func (in *Input) scope() mcp.Scope {
	scope := in.Match.Format.Scope
	if in.Match.Home && (scope == mcp.ScopeProject || scope == mcp.ScopeGeneric || scope == mcp.ScopeSettings) {
		return mcp.ScopeUser
	}
	return scope
}

// Document returns a document without servers.
func (in *Input) Document() *mcp.Document {
	return &mcp.Document{
		File:    in.File,
		Format:  in.Match.Format.Name,
		Clients: in.plan.clients,
		Beside:  in.plan.beside,
		Tool:    in.plan.tool,
		Scope:   in.scope(),
		Sample:  in.Match.Sample,
		Extensions: mcp.JSONExtensions{
			JSON:           in.Tree.JSON,
			Comments:       in.Tree.Comments,
			TrailingCommas: in.Tree.TrailingCommas,
			BOM:            in.Tree.BOM,
		},
	}
}

// Repeats returns the repeated keys that concern MCP configuration: all of a dedicated file,
// otherwise those within the root value and on the way to it.
func (in *Input) Repeats(r *Root) []mcp.Repeat {
	var repeats []mcp.Repeat
	for _, d := range in.Tree.Duplicates {
		if !in.Match.Format.Dedicated && !r.concerns(d) {
			continue
		}
		repeats = append(repeats, mcp.Repeat{
			Name:  d.Again.Name,
			First: d.First.Key,
			Again: d.Again.Key,
			Equal: in.isSame(d.First, d.Again),

			FirstValue: d.First.Value, AgainValue: d.Again.Value,
		})
	}
	return repeats
}

// isSame reports whether two values say the same: they are the same bytes, or differ only in
// white space. A difference in their comments also counts.
func (in *Input) isSame(a, b *syntax.Node) bool {
	if bytes.Equal(in.Bytes(a.Value), in.Bytes(b.Value)) {
		return true
	}
	return !in.holdsComment(a.Value) && !in.holdsComment(b.Value) && isSameTree(a, b)
}

func isSameTree(a, b *syntax.Node) bool {
	return a.Kind == b.Kind && a.Text == b.Text &&
		slices.EqualFunc(a.Nodes, b.Nodes, func(a, b *syntax.Node) bool { return a.Name == b.Name && isSameTree(a, b) })
}

// holdsComment reports whether there is a comment in a value.
func (in *Input) holdsComment(s syntax.Span) bool {
	next, _ := slices.BinarySearchFunc(in.Tree.Comments, s.Start, func(c syntax.Span, start int) int { return c.Start - start })
	return next < len(in.Tree.Comments) && in.Tree.Comments[next].Start < s.End
}

func (in *Input) Bytes(s syntax.Span) []byte { return in.File.Bytes[s.Start:s.End] }

// Unparsed returns the document of a file that has servers, at the place if that is known, in a
// language that mcplumb does not read. Its text is still searched for credentials.
func (in *Input) Unparsed(language string, at syntax.Span) *mcp.Document {
	doc := in.Document()
	doc.Unparsed, doc.Root = []mcp.Unparsed{{What: language, At: at}}, at
	return doc
}
