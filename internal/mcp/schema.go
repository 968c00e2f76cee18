package mcp

import (
	"math/bits"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Schema is what a client's published schema or its source says of the members
// of an entry. The schemas are in schema_table.go.
type Schema struct {
	// Members are all that the client knows.
	Members []Member
	// Closed reports that an entry with another member is refused. Newer releases
	// may know more, so that only words which mean something else are held
	// against an entry.
	Closed bool
	// Apart reports that an entry is refused which has a member that is for
	// programs beside an address, or the other way round.
	Apart bool
	// NeedsTarget reports that an entry is refused which names neither a program
	// nor an address, were it empty: none overrides that of another scope.
	NeedsTarget bool
	// Source is where this is from.
	Source string
}

// Member is a member of an entry.
type Member struct {
	Name string
	// Kinds are the kinds of value that it may be, Each are those of its elements
	// or of the values of its members.
	Kinds, Each Kinds
	// For says whether it is for programs or addresses alone.
	For Sort
	// IsName reports that its value is the name of a variable, without which the
	// server does not start.
	IsName bool
	// Instead is the member to write in its place, where the client refuses every entry
	// that has this one.
	Instead string
}

// Sort is a sort of server: one that a program is started for, or one that has
// an address.
type Sort uint8

// The sorts of servers.
const (
	AnySort Sort = iota
	Programs
	Addresses
)

// Kinds is a set of kinds of values; the empty one stands for all.
type Kinds uint8

// The sets of one kind.
const (
	Strings Kinds = 1 << syntax.String
	Numbers Kinds = 1 << syntax.Number
	Bools   Kinds = 1 << syntax.Bool
	Arrays  Kinds = 1 << syntax.Array
	Objects Kinds = 1 << syntax.Object
)

// Scalars are the kinds that become one word. What a client makes of null and of
// numbers among words is not always known; a list or an object is never one.
const Scalars = Strings | Numbers | Bools | 1<<syntax.Null

// Has reports whether a kind is in the set.
func (k Kinds) Has(kind syntax.Kind) bool { return k == 0 || k&(1<<kind) != 0 }

// First returns the kind of the set that a message names: a string where that
// may be, otherwise the simplest.
func (k Kinds) First() syntax.Kind {
	if k&Strings != 0 {
		return syntax.String
	}
	return syntax.Kind(bits.TrailingZeros8(uint8(k)))
}

// Member returns the member of a name, or nil.
func (s *Schema) Member(name string) *Member {
	for i := range s.Members {
		if s.Members[i].Name == name {
			return &s.Members[i]
		}
	}
	return nil
}
