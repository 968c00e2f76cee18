// Package compare says what is the same: servers of one key, the names that go with one
// server, hashes and versions, an entry and its lock, a repository and its base. It takes
// the model and returns facts; rules report.
package compare

import (
	"bytes"
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
)

// Base is what a repository is compared with. It computes each answer for the rules once, and only
// if a rule needs it.
type Base struct {
	// Rev is the revision as it was named, "" where it was not.
	Rev string

	then, now *mcp.Repo
	concerns  func(dir string) bool
	moved     func(from, to string) bool

	pinned  func() *PinnedIndex
	unheld  func() *unheld
	changes func() *Changes
	locked  func() map[lockedPlace]*mcp.LockEntry
	// before and today are the directories of the projects of both.
	before, today func() map[string]bool
}

// NewBase compares a repository with what it was. then holds the projects that a change concerns,
// as concerns reports by directory; all others are unchanged. moved reports whether a file or
// directory that was at one path is at another today.
func NewBase(then, now *mcp.Repo, concerns func(dir string) bool, moved func(from, to string) bool) *Base {
	b := &Base{then: then, now: now, concerns: concerns, moved: moved}
	b.pinned = sync.OnceValue(func() *PinnedIndex { return newPinnedIndex(b) })
	b.unheld = sync.OnceValue(func() *unheld { return newUnheld(b) })
	b.changes = sync.OnceValue(func() *Changes { return newChanges(b) })
	b.locked = sync.OnceValue(func() map[lockedPlace]*mcp.LockEntry { return lockedServers(b) })
	b.before = sync.OnceValue(func() map[string]bool { return dirsOf(then) })
	b.today = sync.OnceValue(func() map[string]bool { return dirsOf(now) })
	return b
}

// Pinned returns what the base and today hold to a hash.
func (b *Base) Pinned() *PinnedIndex { return b.pinned() }

// Changes returns the servers that a change brings.
func (b *Base) Changes() *Changes { return b.changes() }

// Held reports whether a file that the change concerns held a text at the base.
func (b *Base) Held(path string, text []byte) bool {
	for _, p := range b.then.Projects {
		for _, doc := range p.Documents {
			if doc.File.Path == path {
				return bytes.Contains(doc.File.Bytes, text)
			}
		}
	}
	return false
}

// dirsOf returns the directories of the projects of a repository.
func dirsOf(repo *mcp.Repo) map[string]bool {
	dirs := map[string]bool{}
	for _, p := range repo.Projects {
		dirs[p.Dir] = true
	}
	return dirs
}

// dirOf returns the directory of a project as the base knows it: one that did not exist may have
// moved, and gets the place of all that no longer exist.
func (b *Base) dirOf(dir string) string {
	if b.before()[dir] {
		return dir
	}
	return goneDir
}

// Of returns the base of a project, nil if no change concerns it.
func (b *Base) Of(p *mcp.Project) *Base {
	if b == nil || !b.concerns(p.Dir) {
		return nil
	}
	return b
}

// LockedBefore returns the entry that a server of today was locked as at the base, nil
// for none.
func (b *Base) LockedBefore(s *mcp.Server) *mcp.LockEntry {
	return b.locked()[lockedPlace{b.dirOf(s.Document.Project.Dir), s.Document.Format, s.Name, ByKey(s)}]
}

// lockedPlace is where a server stands that is locked, and what it runs.
type lockedPlace struct{ dir, format, name, program string }

// lockedServers returns the entries that servers of the base were locked as, nil where
// one of several was not.
func lockedServers(b *Base) map[lockedPlace]*mcp.LockEntry {
	locked := map[lockedPlace]*mcp.LockEntry{}
	for _, p := range b.then.Projects {
		dir := p.Dir
		if !b.today()[dir] {
			dir = goneDir
		}
		for doc := range reads.Documents(p, &reads.Present) {
			for _, s := range doc.Servers {
				at := lockedPlace{dir, doc.Format, s.Name, ByKey(s)}
				if known, isKnown := locked[at]; !isKnown || known != nil {
					locked[at] = s.Locked
				}
			}
		}
	}
	return locked
}
