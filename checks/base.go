package checks

import (
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Base is what a repository is compared with. What rules ask of it is worked out once,
// and only if one asks.
type Base struct {
	// Rev is the revision as somebody named it, "" where nobody did.
	Rev string

	then, now *mcp.Repo
	concerns  func(dir string) bool
	moved     func(from, to string) bool

	seals   func() *pinnedIndex
	changes func() *changes
	locked  func() map[lockedPlace]*mcp.LockEntry
	// before and today are the directories of the projects of both.
	before, today func() map[string]bool
}

// NewBase compares a repository with what it was: then holds the projects that a change
// concerns, of which concerns tells by the directory. All others are what they were.
// moved tells whether a file or directory that was at one path is at another today.
func NewBase(then, now *mcp.Repo, concerns func(dir string) bool, moved func(from, to string) bool) *Base {
	b := &Base{then: then, now: now, concerns: concerns, moved: moved}
	b.seals = sync.OnceValue(func() *pinnedIndex { return newPinnedIndex(b) })
	b.changes = sync.OnceValue(func() *changes { return newChanges(b) })
	b.locked = sync.OnceValue(func() map[lockedPlace]*mcp.LockEntry { return lockedServers(b) })
	b.before = sync.OnceValue(func() map[string]bool { return dirsOf(then) })
	b.today = sync.OnceValue(func() map[string]bool { return dirsOf(now) })
	return b
}

// dirsOf returns the directories of the projects of a repository.
func dirsOf(repo *mcp.Repo) map[string]bool {
	dirs := map[string]bool{}
	for _, p := range repo.Projects {
		dirs[p.Dir] = true
	}
	return dirs
}

// dirOf returns the directory of a project as the base knows it: one that was not there
// may have moved, and has the place of all that are no more.
func (b *Base) dirOf(dir string) string {
	if b.before()[dir] {
		return dir
	}
	return goneDir
}

// Of returns what a project is compared with, nil if no change concerns it.
func (b *Base) Of(p *mcp.Project) *Base {
	if b == nil || !b.concerns(p.Dir) {
		return nil
	}
	return b
}
