package format

import (
	"bytes"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Read reads one file with a Reader of its own.
func Read(file *syntax.File, m Match) (*mcp.Document, error) { return new(Reader).Read(file, m) }

// Reader reads files one after the other, with the memory of the one before. The
// zero Reader is ready to use; it is not safe for concurrent use.
type Reader struct {
	parser syntax.Parser
	// spoil is called with every tree once its document is made, of which the
	// document must hold nothing; nil outside of tests.
	spoil func(*syntax.Tree)
}

// json5Servers begins servers in JSON5 that is no JSON with comments: keys without quotes.
var json5Servers = regexp.MustCompile(`(?m)^[^/\n]*?["']?\bmcp["']?\s*:\s*\{\s*["']?(servers)["']?\s*:\s*\{\s*[\w"']`)

// Read parses a file, reads it as its format says and resolves the identity of
// every server. It returns no document and no error when the file holds nothing
// of ours. Errors are *syntax.Error and *syntax.LimitError as the parser gave
// them. The document's Project and Role are left to the caller.
func (r *Reader) Read(file *syntax.File, m Match) (*mcp.Document, error) {
	f := m.Format
	in := &Input{File: file, Tree: &syntax.Tree{}, Match: m}
	if f.Scope == mcp.ScopeLock && isBlank(file.Bytes) {
		in.use(f)
		return in.emptyLock(), nil
	}
	if !f.Dedicated && !f.mentioned(file.Bytes) {
		return nil, nil
	}
	parsed := file
	if m.Template {
		parsed = syntax.NewFile(file.Path, withoutDirectives(file.Bytes))
	}
	tree, err := f.Parse(&r.parser, parsed)
	if err != nil {
		var broken *syntax.Error
		if m.Template && errors.As(err, &broken) {
			if broken.Empty || !f.Owns(file) {
				return nil, nil
			}
			in.use(f)
			return in.unparsed("a template that does not parse before it is filled in", syntax.Span{}), nil
		}
		if f.Owns(file) && !m.Sample {
			return nil, err
		}
		if at := json5Servers.FindSubmatchIndex(file.Bytes); f.JSON5 && at != nil {
			in.use(f)
			return in.unparsed("JSON5", syntax.Span{Start: at[2], End: at[3]}), nil
		}
		return nil, nil
	}
	if tree.Root == nil {
		return nil, nil // YAML without a document, Markdown without front matter
	}
	if err := tree.Expand(); err != nil {
		return nil, err
	}
	in.Tree = tree
	if f == generic {
		if said := bySchema(tree.Root); said != nil {
			f, in.Match.Sample = said, true
		}
	}
	in.use(f)
	doc := f.Read(in)
	if doc == nil {
		return nil, nil
	}
	if doc.Scope == mcp.ScopeLock {
		doc.SecretMembers = secretMembers(doc.SecretMembers, tree.Root)
	}
	if m.Template { // what stands there before it is filled in may be more than one file
		doc.Duplicates, doc.Extensions = nil, mcp.JSONExtensions{}
		doc.Template = !bytes.Equal(parsed.Bytes, file.Bytes)
	}
	doc.Context = in.context
	// What a client does with the files of a home directory is not sure.
	if doc.Scope != mcp.ScopeUser && len(doc.Servers) > 0 {
		doc.Stray = m.Stray
		doc.NotLoaded = in.plan.unread && !m.Sample || m.Stray != nil // a sample is copied elsewhere
	}
	for _, s := range doc.Servers {
		s.Document = doc
		s.Identity = identity.Resolve(&s.Launch, &in.context)
		in.noteNamer(s)
		in.refuseCwd(doc, s)
	}
	if r.spoil != nil {
		r.spoil(tree)
	}
	return doc, nil
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
	dir := meant.WorkDir(&in.context)
	if dir == s.Launch.WorkDir(&in.context) {
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
	id := identity.Resolve(&meant, &in.context)
	own := identity.Resolved{Identity: &id, Launch: &meant, Context: &in.context}
	if isWithin && (id.String() != s.Identity.String() || !id.IsPackage() && own.Dir() != s.Resolved().Dir()) {
		r.Reason = mcp.OtherDirectory
	}
	s.EnsureExtra().Apart = true // from what is meant to start elsewhere
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

// Unread returns the document of a file that is not opened.
func Unread(path string, m Match) *mcp.Document {
	return &mcp.Document{File: syntax.NewFile(path, nil), Format: m.Format.Name, Tool: mcp.ToolOf(m.Format.Name), Scope: m.Format.Scope}
}

// use sets how the file is read from here on.
func (in *Input) use(f *Format) {
	p := in.Match.plan(f)
	in.Match.Format, in.plan = f, p
	in.context = identity.Context{Dir: in.dir(p.start)}
	if project := in.dir(mcp.ProjectDir); project != in.context.Dir {
		in.context.Project = cleanDir(project)
	}
	// Without a dollar or percent sign, or an escape that may be one, there is no
	// variable to resolve.
	if len(p.dirs) == 0 || !bytes.ContainsAny(in.File.Bytes, "$%") && !mayEscape(in.File.Bytes) {
		return
	}
	in.context.Vars = make(map[string]string, len(p.dirs))
	for _, d := range p.dirs {
		in.context.Vars[d.Name] = in.dir(d.Base)
	}
}

// dir returns the directory a base stands for.
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

// document returns a document without servers.
func (in *Input) document() *mcp.Document {
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

// repeats returns the keys written twice that are ours: all of a dedicated
// file, otherwise those within the root value and on the way to it.
func (in *Input) repeats(r *root) []mcp.Repeat {
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

// isSame reports whether two values say the same: they are the same bytes, or differ in
// white space alone. Comments in them say something as well.
func (in *Input) isSame(a, b *syntax.Node) bool {
	if bytes.Equal(in.bytes(a.Value), in.bytes(b.Value)) {
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

func (in *Input) bytes(s syntax.Span) []byte { return in.File.Bytes[s.Start:s.End] }
