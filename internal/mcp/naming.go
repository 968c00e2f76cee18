package mcp

import (
	"slices"
	"strings"
)

// Naming says which names of servers are taken in the files of a format. The
// zero value takes every name: spaces, dots, slashes and letters of any script
// are fine with most clients.
type Naming struct {
	// Others are the characters a name may have in addition to ASCII letters and digits; "" if the
	// client is not known to refuse any.
	Others string
	// Reserved are the names that the client keeps for its own servers. Folded are those that it
	// keeps in every spelling that becomes this one in the names of tools, except for underscores
	// at the end.
	Reserved, Folded []string
	// Splits is a character that the client accepts and advises against: its policies end the
	// server's name at the first one. Zero if there is none.
	Splits rune
}

// Takes reports whether the client accepts every character of a name. A client that refuses some
// also refuses an empty name.
func (n *Naming) Takes(name string) bool {
	if n.Others == "" {
		return true
	}
	return name != "" && strings.IndexFunc(name, n.refuses) < 0
}

func (n *Naming) refuses(c rune) bool {
	return !isAlphanumeric(c) && !strings.ContainsRune(n.Others, c)
}

func isAlphanumeric(c rune) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// IsReserved reports whether the client keeps the name for itself.
func (n *Naming) IsReserved(name string) bool {
	return slices.Contains(n.Reserved, name) || len(n.Folded) > 0 && slices.Contains(n.Folded, strings.TrimRight(InTools(name), "_"))
}

// Suits reports whether the client takes a name, and nothing speaks against it.
func (n *Naming) Suits(name string) bool {
	return n.Takes(name) && !n.IsReserved(name) && (n.Splits == 0 || !strings.ContainsRune(name, n.Splits))
}

// Suggest returns a name that the client accepts instead of one that it refuses: every run of
// refused characters becomes one of Others. It is "" if nothing of the name is left.
func (n *Naming) Suggest(name string) string {
	words := strings.FieldsFunc(name, n.refuses)
	if len(words) == 0 || n.Others == "" {
		return ""
	}
	return strings.Join(words, n.Others[:1])
}

// InTools returns a server's name as clients write it in the names of its tools,
// mcp__NAME__TOOL: every other character than these is "_".
func InTools(name string) string {
	isOther := func(c rune) bool { return !isAlphanumeric(c) && c != '_' && c != '-' }
	if strings.IndexFunc(name, isOther) < 0 {
		return name // as nearly every name
	}
	return strings.Map(func(c rune) rune {
		if isOther(c) {
			return '_'
		}
		return c
	}, name)
}
