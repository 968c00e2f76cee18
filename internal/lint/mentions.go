package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/mention"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// annotateMentions adds to fixes that remove or rename a server the places where a text for
// agents names it: a person must change that text. It searches and reads texts only if
// there is such a fix. The error is that of the context.
func annotateMentions(ctx context.Context, o Options, s *scope, findings []rule.Finding) error {
	asked := map[string]bool{}
	p := newProse()
	eachGone(findings, func(fix *rule.Fix) {
		asked[fix.Gone.Name] = true
		p.add(dirOf(fix.Gone))
	})
	if len(asked) == 0 {
		return ctx.Err()
	}
	p.names = mention.NewNames(asked)
	if err := p.search(ctx, o.Source, s); err != nil {
		return err
	}
	eachGone(findings, func(fix *rule.Fix) {
		if m, found := p.of(dirOf(fix.Gone), fix.Gone.Name); found {
			*fix = fix.NamedIn(m.path, m.line)
		} else if p.isCut {
			*fix = fix.NamedIn("", 0)
		}
	})
	return nil
}

// eachGone calls do with every fix that removes a server.
func eachGone(findings []rule.Finding, do func(*rule.Fix)) {
	for i := range findings {
		for _, at := range findings[i].Places() {
			for j := range at.Fixes {
				if at.Fixes[j].Gone != nil {
					do(&at.Fixes[j])
				}
			}
		}
	}
}

// dirOf returns the directory that the file of a server configures.
func dirOf(s *mcp.Server) string { return s.Document.Project.Dir }

// The limits of reading texts: how many, how many bytes in total, and how many places that
// name servers. mcplumb ignores the rest.
const (
	maxProse     = 5_000
	maxProseSize = 32 << 20
	maxMentioned = 100_000
)

// prose is what texts for agents mention of servers. A text is about the servers of its own
// directory, of those above, whose files its agent also reads, and of those below.
type prose struct {
	names *mention.Names
	// dirs are the directories whose servers are searched for, near those and all above.
	dirs, near map[string]bool
	// in has the first place in the texts of a directory, below the first in the texts of
	// it and of all directories below it.
	in, below map[naming]mentioned
	// isCut reports that not all texts were searched.
	isCut bool
}

func newProse() *prose {
	return &prose{near: map[string]bool{}, dirs: map[string]bool{}, in: map[naming]mentioned{}, below: map[naming]mentioned{}}
}

// naming is a name in the texts of a directory.
type naming struct{ dir, name string }

// mentioned is a place that names a server; order is the position of its text among the
// texts.
type mentioned struct {
	path        string
	line, order int
}

// add requests the servers of a directory.
func (p *prose) add(dir string) {
	p.dirs[dir] = true
	for at := range mcp.Upwards(dir) {
		p.near[at] = true
	}
}

// isNear reports whether a text for a directory is about servers that are searched for.
func (p *prose) isNear(dir string) bool {
	if p.near[dir] {
		return true
	}
	for at := range mcp.Upwards(dir) {
		if p.dirs[at] {
			return true
		}
	}
	return false
}

// search reads the texts, those first that are the nearest to the root.
func (p *prose) search(ctx context.Context, tree source.Tree, s *scope) error {
	texts := *s
	texts.tree, texts.index = tree, mention.Index()
	paths, err := texts.keptProse(ctx)
	if err != nil {
		return err
	}
	size, count, mentions := 0, 0, 0
	for order, name := range paths {
		match, _ := texts.index.Lookup(name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !p.isNear(match.Dir) || s.roleOf(name) == mcp.Fixture {
			continue
		}
		read, err := tree.Read(ctx, name)
		if err != nil {
			continue // a link that leads nowhere, a directory: no agent reads it
		}
		count, size = count+1, size+len(read.Content)
		if count > maxProse || size > maxProseSize || mentions > maxMentioned {
			p.isCut = true
			return nil
		}
		file, from := syntax.NewFile(name, read.Content), 0
		if _, isRead := s.index.Lookup(name); isRead {
			from = mention.BodyOf(file) // the names before it are known
		}
		for found, at := range p.names.In(file.Text()[from:]) {
			p.note(match.Dir, found, mentioned{name, file.LineAt(from + at), order})
			mentions++
		}
	}
	return nil
}

// keptProse is prose, listed only once if the scope keeps results.
func (s *scope) keptProse(ctx context.Context) ([]string, error) {
	if s.kept == nil {
		return s.prose(ctx)
	}
	if s.kept.prose == nil {
		paths, err := s.prose(ctx)
		if err != nil {
			return nil, err
		}
		s.kept.prose = slices.Clip(append([]string{}, paths...))
	}
	return s.kept.prose, nil
}

// prose returns the paths of texts in the scope.
func (s *scope) prose(ctx context.Context) ([]string, error) {
	listing, err := s.list(ctx, s.searched(s.listed), &excluded{}, &homeSigns{})
	if err != nil {
		return nil, err
	}
	paths := listing.Paths
	if !s.listed {
		paths = append(paths, s.beside(ctx)...)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
	return slices.Compact(paths), nil
}

// note notes that a text for a directory names a server.
func (p *prose) note(dir, name string, m mentioned) {
	keep := func(places map[naming]mentioned, at naming) {
		if _, known := places[at]; !known {
			places[at] = m
		}
	}
	keep(p.in, naming{dir, name})
	for at := range mcp.Upwards(dir) {
		keep(p.below, naming{at, name})
	}
}

// of returns the first place that names a server of a directory.
func (p *prose) of(dir, name string) (first mentioned, found bool) {
	first, found = p.below[naming{dir, name}]
	for at := range mcp.Upwards(dir) {
		if m, known := p.in[naming{at, name}]; known && (!found || m.order < first.order) {
			first, found = m, true
		}
	}
	return first, found
}

// Texts returns the paths of texts for agents in a repository, those nearest to the root
// first. The error is that of the context.
func Texts(ctx context.Context, o Options) ([]string, error) {
	s, err := newScope(ctx, o)
	if err != nil {
		return nil, err
	}
	s.index = mention.Index()
	return s.keptProse(ctx)
}
