package lint

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// grade makes safe fixes unsafe if they would remove a comment, and drops fixes in files
// that a program generates: a rule knows the entry that its fix changes, but neither the
// comments next to it nor that the next run of a generator undoes the fix. It leaves a rule
// alone if the settings ask for its fixes.
func grade(ctx context.Context, o Options, findings []rule.Finding) {
	tree := o.Source
	var last *syntax.File
	var lowerer edit.Lowerer
	notes := generatedNotes{ctx: ctx, tree: tree, has: map[string]bool{}}
	for i := range findings {
		f := &findings[i]
		if f.Rule.Asked {
			continue
		}
		isLeft, generated := false, ""
		for _, at := range f.Places() {
			if note := notes.about(at.File.Path); note != "" {
				if len(at.Fixes) > 0 {
					at.Fixes, at.NoFixReason = nil, "a program generates the file, see "+note
				}
				if at.File == f.File {
					generated = note
				}
			}
			if at.File != last {
				last, lowerer = at.File, edit.Lowerer{}
			}
			for j := range at.Fixes {
				if fix := &at.Fixes[j]; fix.Safety == rule.Safe && o.Kept.removesComment(&lowerer, fix.Edits) {
					fix.Safety = rule.Unsafe
				}
			}
			isLeft = isLeft || len(at.Fixes) > 0
		}
		if generated != "" {
			f.Help = inGenerated(f.Help, generated)
		}
		if !isLeft {
			f.Fixes = nil
		}
	}
}

// inGenerated returns what to do about a finding in a file that a program generates, as note says.
func inGenerated(help, note string) string {
	if help == "" {
		return "change what a program generates this file from, see " + note
	}
	return help + " (in what a program generates this file from, see " + note + ")"
}

// generatedNotes looks for files that mark their directory as generated, as plugin-kit-ai
// writes them, and searches the README for files that scripts of the repository generate.
// It reads each once.
type generatedNotes struct {
	ctx    context.Context
	tree   source.Tree
	has    map[string]bool // by the note's path
	readme []string        // lines that say that something is generated
	isRead bool
}

// byReadme reports whether a line of the README names a script of the repository that
// generates a file: a program that others run marks its own files.
func (n *generatedNotes) byReadme(file string) bool {
	if !n.isRead {
		n.isRead = true
		read, err := n.tree.Read(n.ctx, "README.md")
		for line := range strings.Lines(string(read.Content)) {
			if err == nil && strings.Contains(line, "generates ") {
				n.readme = append(n.readme, line)
			}
		}
	}
	return slices.ContainsFunc(n.readme, func(line string) bool {
		before, after, _ := strings.Cut(line, "generates ")
		return strings.Contains(after, "`"+file+"`") && slices.ContainsFunc(strings.FieldsFunc(before, isNoPath), func(word string) bool {
			if !strings.Contains(word, "/") || path.IsAbs(word) || source.IsOutside(path.Clean(word)) {
				return false
			}
			kind, err := n.tree.Stat(n.ctx, path.Clean(word))
			return err == nil && kind == source.Regular
		})
	})
}

// isNoPath reports whether a character of a text separates paths.
func isNoPath(r rune) bool { return strings.ContainsRune(" `\"'()[]\t", r) }

// about returns the path of the note about a file, or "". The note is in the file's directory or
// above, but not in the root, where it may be about anything.
func (n *generatedNotes) about(file string) string {
	if n.byReadme(file) {
		return "README.md"
	}
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
