package compare

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// unheld is what lockfiles of the base locked with a hash and no entry of today is.
type unheld struct {
	// servers are the seals of configured servers, by where those stand.
	servers map[lockedPlace][]*PinnedHash
	// others are all else, by the directory of their project.
	others map[string][]*PinnedHash
	// today are the seals of servers of today.
	today map[*mcp.Server][]*PinnedHash
}

// newUnheld finds what is no longer locked.
func newUnheld(b *Base) *unheld {
	u := &unheld{map[lockedPlace][]*PinnedHash{}, map[string][]*PinnedHash{}, map[*mcp.Server][]*PinnedHash{}}
	index := b.Pinned()
	isThere := map[*PinnedHash]bool{}
	for _, p := range b.now.Projects {
		for now := range pinnedIn(p) {
			if b.concerns(p.Dir) {
				isThere[index.Before(now)] = true
			}
			if now.Entry != nil {
				for _, s := range now.Entry.Servers {
					u.today[s] = append(u.today[s], now)
				}
			}
		}
	}
	for _, all := range index.seals {
		for _, was := range all {
			if isThere[was] || was.Held().Text == "" && !was.HoldsOwn() {
				continue
			}
			dir := was.Document.Project.Dir
			if !b.today()[dir] {
				dir = goneDir
			}
			if was.Entry == nil || was.Entry.Tools.FullName != "" {
				if index.exact[was.place()] == was { // duplicates count once
					u.others[dir] = append(u.others[dir], was)
				}
				continue
			}
			for _, s := range was.Entry.Servers {
				dir := s.Document.Project.Dir
				if !b.today()[dir] {
					dir = goneDir
				}
				at := lockedPlace{dir, s.Document.Format, s.Name, ByKey(s)}
				u.servers[at] = append(u.servers[at], was)
			}
		}
	}
	return u
}

// Held returns the hash that a seal holds something to, empty for none. One of an entry with the
// time at which it was locked holds nothing that is fetched.
func (s *PinnedHash) Held() identity.Word {
	if hash := strongestOf(s.Artifacts()); hash.Text != "" {
		return hash
	}
	if s.Document.Tool.HashesTime {
		return identity.Word{}
	}
	return strongestOf(s.OfEntry())
}

// HoldsOwn reports whether a seal holds a program of the repository to the hash of its file.
func (s *PinnedHash) HoldsOwn() bool {
	_, digest := DigestOf(s.Pin.Own.Text)
	return digest != ""
}

// Unheld returns how the base locked a server of today, under any name, with a hash that no
// lockfile has now; nil if a lockfile has it, or has one that is reported itself.
func (b *Base) Unheld(s *mcp.Server) *PinnedHash {
	u := b.unheld()
	for _, was := range u.servers[lockedPlace{b.dirOf(s.Document.Project.Dir), s.Document.Format, s.Name, ByKey(s)}] {
		if !holdsAsMuch(u.today[s], was) {
			return was
		}
	}
	return nil
}

// holdsAsMuch reports whether one of some seals holds as much as another, or has another hash by
// its algorithm.
func holdsAsMuch(seals []*PinnedHash, was *PinnedHash) bool {
	for _, now := range seals {
		if was.HoldsOwn() {
			if now.HoldsOwn() {
				return true
			}
			continue
		}
		switch change, _, _ := ChangeOfHashes([]identity.Word{was.Held()}, HashesIn(now.Held()), true); change {
		case HashKept, HashStronger, HashSwapped, HashFurther:
			return true
		}
	}
	return false
}

// UnheldIn returns what lockfiles of a project locked with a hash at the base and no entry locks
// now, except servers: tools, packages, bundles and parts of them.
func (b *Base) UnheldIn(p *mcp.Project) []*PinnedHash { return b.unheld().others[b.dirOf(p.Dir)] }
