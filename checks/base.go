package checks

import (
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Base is what a repository is compared with. What rules ask of it is worked out once,
// and only if one asks.
type Base struct {
	then, now *mcp.Repo
	concerns  func(dir string) bool
	moved     func(from, to string) bool

	seals   func() *sealIndex
	changes func() *changes
}

// NewBase compares a repository with what it was: then holds the projects that a change
// concerns, of which concerns tells by the directory. All others are what they were.
// moved tells whether a file or directory that was at one path is at another today.
func NewBase(then, now *mcp.Repo, concerns func(dir string) bool, moved func(from, to string) bool) *Base {
	b := &Base{then: then, now: now, concerns: concerns, moved: moved}
	b.seals = sync.OnceValue(func() *sealIndex { return newSealIndex(then, now) })
	b.changes = sync.OnceValue(func() *changes { return newChanges(b) })
	return b
}

// Of returns what a project is compared with, nil if no change concerns it.
func (b *Base) Of(p *mcp.Project) *Base {
	if b == nil || !b.concerns(p.Dir) {
		return nil
	}
	return b
}
