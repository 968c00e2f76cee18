package mcp

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Schema is what a client's published schema or its source says of the members
// of an entry. The schemas are in schema_table.go.
type Schema struct {
	// Members are all that the client knows.
	Members []Member
	// Apart reports that the client refuses an entry with both a member for programs and one for
	// URLs.
	Apart bool
	// NeedsTarget reports that an entry is refused which names neither a program
	// nor an address, were it empty: none overrides that of another scope.
	NeedsTarget bool
	// TakesNoNull reports that null is a kind like any other; elsewhere, as far as is
	// known, a member that is null is as good as none.
	TakesNoNull bool
	// SortByType reports that the type alone decides which sort of server an entry is for, not its
	// members: without a type, it is a program.
	SortByType bool
	// Source is where this is from.
	Source Source
}

// Member is a member of an entry, or of an object within one. What it says about the value applies
// to every entry that has the member.
type Member struct {
	Name string
	// Kinds are the kinds of value that it may be.
	Kinds Kinds
	// Words are the texts that it may be, or the booleans, where not every one will do; HomeOnly are those
	// of them that a project's file may not have.
	Words, HomeOnly []string
	// Begins is how its text must begin, Filled reports that it must be more than blanks.
	Begins string
	Filled bool
	// Number is which numbers it may be.
	Number *Range
	// Each is what its elements, or the values of its members, may be; nil for anything.
	Each *Member
	// Members are those that it may have as an object. The client ignores others, or refuses them
	// if it is Closed. It also refuses the member without one that is Needed.
	Members        []Member
	Closed, Needed bool
	// Needs is what must be next to it, in the same object or in the entry; Without is what must
	// not.
	Needs   Condition
	Without string
	// For says whether it is for programs or addresses alone, Transports for which of these,
	// where it is not for all.
	For        Sort
	Transports []string
	// IsName reports that its value is the name of a variable, without which the
	// server does not start.
	IsName bool
	// Instead is the member to write in its place, where the client refuses every entry
	// that has this one.
	Instead string
}

// Condition is a member that must be there, with a text if one is given. The zero value is no
// condition.
type Condition struct{ Name, Text string }

// Range is a set of numbers: those from From to To.
type Range struct {
	From, To float64
	// Whole reports that they must be whole numbers, Plain that they must be written without a
	// point or an exponent.
	Whole, Plain bool
	// Said is how people read it.
	Said string
}

// Holds reports whether a number is in the set, as JSON or TOML writes it.
func (r *Range) Holds(text string) bool {
	text = strings.ReplaceAll(text, "_", "")
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		i, err := strconv.ParseInt(text, 0, 64) // TOML's 0xff
		if err != nil {
			return false
		}
		n = float64(i)
	} else if r.Plain && strings.ContainsAny(text, ".eEni") {
		return false
	}
	return n >= r.From && n <= r.To && (!r.Whole || n == math.Trunc(n))
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

// Kinds is a set of kinds of values; the empty set means all.
type Kinds uint8

// The sets of one kind.
const (
	Strings Kinds = 1 << syntax.String
	Numbers Kinds = 1 << syntax.Number
	Bools   Kinds = 1 << syntax.Bool
	Arrays  Kinds = 1 << syntax.Array
	Objects Kinds = 1 << syntax.Object
)

// Scalars are the kinds that become one word. How a client reads null and numbers among words is
// not always known; a list or an object is never one word.
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
func (s *Schema) Member(name string) *Member { return memberNamed(s.Members, name) }

// Member does so for the members of an object.
func (m *Member) Member(name string) *Member { return memberNamed(m.Members, name) }

func memberNamed(members []Member, name string) *Member {
	for i := range members {
		if members[i].Name == name {
			return &members[i]
		}
	}
	return nil
}
