package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
)

// What keeps hostile links from costing time: how deep mcplumb follows links in directories
// behind links, and how often it may look for a file under another name.
const maxBehind, maxNames = 4, 1_000_000

// Behind returns what is wanted in the directories that links lead to, by the
// names that it has through the links. Errors name the links that lead out of the
// tree or cannot be followed; one that leads nowhere has nothing behind it. The
// error is that of the context.
func Behind(ctx context.Context, tree Tree, links []string, want Want) (Listing, error) {
	b := behind{tree: tree, want: want, reals: map[string]string{}, at: map[string]string{}, failed: map[FileError]bool{}}
	for range maxBehind {
		byReal, err := b.resolve(ctx, links)
		if err != nil || len(byReal) == 0 {
			return b.found, err
		}
		if links, err = b.list(ctx, byReal); err != nil {
			return Listing{}, err
		}
	}
	return b.found, nil
}

// behind looks behind links.
type behind struct {
	tree  Tree
	want  Want
	reals map[string]string // where links lead, for those that were looked behind
	at    map[string]string // where links are that have their name through another
	asked atomic.Int64      // how many lookups of a file by a name there were
	found Listing
	// failed are the errors of found.
	failed map[FileError]bool
}

// resolve returns links by where they lead.
func (b *behind) resolve(ctx context.Context, links []string) (map[string][]string, error) {
	byReal := map[string][]string{}
	for _, link := range links {
		real, err := b.tree.Real(ctx, link)
		var nowhere *BrokenLink
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, fs.ErrNotExist), errors.As(err, &nowhere):
		case err != nil:
			b.fail(cmp.Or(b.at[link], link), err.Error())
		case !b.isLoop(link, real):
			b.reals[link] = real
			byReal[real] = append(byReal[real], link)
		}
	}
	return byReal, nil
}

// fail records once what could not be listed.
func (b *behind) fail(path, message string) {
	if failed := (FileError{path, message}); !b.failed[failed] {
		b.failed[failed] = true
		b.found.Errors = append(b.found.Errors, failed)
	}
}

// isLoop reports whether a link leads to the target of an earlier link in its path.
func (b *behind) isLoop(link, real string) bool {
	for name := range above(link) {
		if before, known := b.reals[name]; known && before == real {
			return true
		}
	}
	return false
}

// list lists directories, and returns the wanted links in them.
func (b *behind) list(ctx context.Context, byReal map[string][]string) (links []string, err error) {
	var dirs []string
	for dir := range byReal {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	listing, err := b.tree.List(ctx, dirs, Want{
		File: func(file string) bool { return len(b.names(byReal, file, b.want.File)) > 0 },
		Link: func(file string) bool { return len(b.names(byReal, file, b.want.isLink)) > 0 },
	})
	if err != nil {
		return nil, err
	}
	for _, file := range listing.Paths {
		b.found.Paths = append(b.found.Paths, b.names(byReal, file, b.want.File)...)
	}
	for _, link := range listing.Links {
		for _, name := range b.names(byReal, link, b.want.isLink) {
			b.at[name] = link
			links = append(links, name)
		}
	}
	for _, failed := range listing.Errors {
		b.fail(failed.Path, failed.Message)
	}
	if b.asked.Load() > maxNames {
		b.fail("", fmt.Sprintf("links to directories give files more than %d other names: mcplumb did not search for all of them", maxNames))
	}
	b.found.Paths = sorted(b.found.Paths)
	return sorted(links), nil
}

// names returns the wanted names that a file has through links.
func (b *behind) names(byReal map[string][]string, file string, wanted func(string) bool) []string {
	var names []string
	for dir := range above(file) {
		for _, link := range byReal[dir] {
			if b.asked.Add(1) > maxNames {
				return names
			}
			if name := link + "/" + strings.TrimPrefix(file[len(dir):], "/"); wanted(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// above yields the directories above a path, the root as "" at last.
func above(file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for file != "" {
			if file = file[:max(strings.LastIndexByte(file, '/'), 0)]; !yield(file) {
				return
			}
		}
	}
}
