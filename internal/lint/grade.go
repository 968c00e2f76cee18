package lint

import (
	"context"
	"path"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// grade makes safe fixes unsafe that would remove a comment, and leaves out those in files
// that a program generates: a rule knows the entry that its fix changes, not what a person
// wrote beside it, nor that the next run of a generator undoes it. A rule whose fixes the
// settings ask for is left alone.
func grade(ctx context.Context, tree source.Tree, findings []rule.Finding) {
	var last *syntax.File
	var lowerer edit.Lowerer
	notes := generatedNotes{ctx: ctx, tree: tree, has: map[string]bool{}}
	for i := range findings {
		f := &findings[i]
		if f.Rule.Asked {
			continue
		}
		isLeft := false
		for _, at := range f.Places() {
			if note := notes.about(at.File.Path); note != "" && len(at.Fixes) > 0 {
				at.Fixes, at.NoFixReason = nil, "a program generates the file, see "+note
			}
			if at.File != last {
				last, lowerer = at.File, edit.Lowerer{}
			}
			for j := range at.Fixes {
				if fix := &at.Fixes[j]; fix.Safety == rule.Safe && lowerer.RemovesComment(fix.Edits) {
					fix.Safety = rule.Unsafe
				}
			}
			isLeft = isLeft || len(at.Fixes) > 0
		}
		if !isLeft {
			f.Fixes = nil
		}
	}
}

// generatedNotes looks for files that say of their directory that a program generates what
// is in it, as plugin-kit-ai writes them. Each directory is looked into once.
type generatedNotes struct {
	ctx  context.Context
	tree source.Tree
	has  map[string]bool // by the note's path
}

// about returns the path of the note about a file, "" if there is none: it stands in the
// file's directory or above, not in the root, where it may be about anything.
func (n *generatedNotes) about(file string) string {
	for dir := range mcp.Upwards(mcp.Parent(file)) {
		if dir == "" {
			break
		}
		note := path.Join(dir, "GENERATED.md")
		has, known := n.has[note]
		if !known {
			_, err := n.tree.Read(n.ctx, note)
			has = err == nil
			n.has[note] = has
		}
		if has {
			return note
		}
	}
	return ""
}
