package format

import (
	"bytes"
	"errors"
	"regexp"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Read reads one file with a Reader of its own.
func Read(file *syntax.File, m shape.Match) (*mcp.Document, error) { return new(Reader).Read(file, m) }

// Reader reads files one after the other, with the memory of the one before. The
// zero Reader is ready to use; it is not safe for concurrent use.
type Reader struct {
	parser syntax.Parser
	// spoil is called with every tree once its document is made. The document must not keep any
	// part of the tree. It is nil outside of tests.
	spoil func(*syntax.Tree)
}

// json5Servers begins servers in JSON5 that is not JSON with comments: keys without quotes.
var json5Servers = regexp.MustCompile(`(?m)^[^/\n]*?["']?\bmcp["']?\s*:\s*\{\s*["']?(servers)["']?\s*:\s*\{\s*[\w"']`)

// Read parses a file, reads it according to its format, and resolves the identity of every
// server. It returns no document and no error when the file has no MCP configuration. Errors are
// *syntax.Error and *syntax.LimitError as the parser gave them. The document's Project and Role
// are left to the caller.
func (r *Reader) Read(file *syntax.File, m shape.Match) (*mcp.Document, error) {
	f := m.Format
	in := &shape.Input{File: file, Tree: &syntax.Tree{}, Match: m}
	if f.Scope == mcp.ScopeLock && shape.IsBlank(file.Bytes) {
		in.Use(f)
		return in.EmptyLock(), nil
	}
	if !f.Dedicated && !mentioned(f, file.Bytes) {
		return nil, nil
	}
	parsed := file
	if m.Template {
		parsed = syntax.NewFile(file.Path, shape.WithoutDirectives(file.Bytes))
	}
	tree, err := f.Parse(&r.parser, parsed)
	if err != nil {
		var broken *syntax.Error
		if m.Template && errors.As(err, &broken) {
			if broken.Empty || !Owns(f, file) {
				return nil, nil
			}
			in.Use(f)
			return in.Unparsed("a template that does not parse before it is filled in", syntax.Span{}), nil
		}
		if Owns(f, file) && !m.Sample {
			return nil, err
		}
		if at := json5Servers.FindSubmatchIndex(file.Bytes); f.JSON5 && at != nil {
			in.Use(f)
			return in.Unparsed("JSON5", syntax.Span{Start: at[2], End: at[3]}), nil
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
	doc := in.ReadAs(f)
	if doc == nil {
		return nil, nil
	}
	if m.Template { // before it is filled in, a template may be more than one file
		doc.Duplicates, doc.Extensions = nil, mcp.JSONExtensions{}
		doc.Template = !bytes.Equal(parsed.Bytes, file.Bytes)
	}
	if r.spoil != nil {
		r.spoil(tree)
	}
	return doc, nil
}

// Unread returns the document of a file that is not opened.
func Unread(path string, m shape.Match) *mcp.Document {
	return &mcp.Document{File: syntax.NewFile(path, nil), Format: m.Format.Name, Tool: mcp.ToolOf(m.Format.Name), Scope: m.Format.Scope}
}
