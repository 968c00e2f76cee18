package treediff

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Item is an element of a list, or a word in a text.
type Item struct {
	Span  syntax.Span
	Value edit.Value
	// Key identifies an item in both lists; "" if its value does.
	Key string
	// Counts reports that a present item may go, and a wanted one comes in. Others stay,
	// or stay out, and only show where between them something goes.
	Counts bool
	// Stays reports that a present item is not removed, although it may be a wanted one.
	Stays bool
}

// List are two lists to compare.
type List struct {
	File            *syntax.File
	Present, Wanted []Item
	// Keeps reports that the list stays where nothing is left in it.
	Keeps bool
	// Insert adds values behind an item of the list, in front of all for a zero span. It
	// reports whether it can.
	Insert func(values []edit.Value, behind syntax.Span) bool

	// Changes are those by which the present list is as the wanted one.
	Changes []edit.Change
}

// maxPairs is how many items are compared with how many: the product of both.
const maxPairs = 1_000_000

// Compare computes the changes: what is in both lists stays, in the order that leaves most of it.
// It reports whether there is a way.
func (l *List) Compare() bool {
	if len(l.Present)*len(l.Wanted) > maxPairs {
		return false
	}
	last := syntax.Span{}
	i, j := 0, 0
	for _, k := range append(l.common(), [2]int{len(l.Present), len(l.Wanted)}) {
		var ok bool
		if last, ok = l.between(l.Present[i:k[0]], l.Wanted[j:k[1]], last); !ok {
			return false
		}
		if k[0] < len(l.Present) {
			last = l.Present[k[0]].Span
		}
		i, j = k[0]+1, k[1]+1
	}
	return true
}

// between replaces removed items between two that stay with new ones, and puts the rest after the
// last of these.
func (l *List) between(present, wanted []Item, behind syntax.Span) (last syntax.Span, ok bool) {
	var coming []edit.Value
	for _, w := range wanted {
		if w.Counts {
			coming = append(coming, w.Value)
		}
	}
	last = behind
	isReplaced := false
	for _, p := range present {
		switch {
		case !p.Counts || p.Stays:
			if !isReplaced {
				last = p.Span
			}
		case len(coming) > 0:
			if p.Value.Kind == syntax.String && coming[0].Kind == syntax.String { // it may be a part of a text
				l.Changes = append(l.Changes, edit.Rename(l.File, p.Span, coming[0].Text))
			} else {
				l.Changes = append(l.Changes, edit.Replace(l.File, p.Span, coming[0]))
			}
			last, coming, isReplaced = p.Span, coming[1:], true
		case l.Keeps:
			l.Changes = append(l.Changes, edit.Remove(l.File, p.Span))
		default:
			l.Changes = append(l.Changes, edit.Drop(l.File, p.Span))
		}
	}
	return last, len(coming) == 0 || l.Insert(coming, last)
}

// common returns the longest list of items that both lists have in one order, as pairs of
// their indexes.
func (l *List) common() [][2]int {
	present, wanted := keys(l.Present), keys(l.Wanted)
	longest := make([][]int, len(present)+1) // of what is behind each pair
	for i := range longest {
		longest[i] = make([]int, len(wanted)+1)
	}
	for i := len(present) - 1; i >= 0; i-- {
		for j := len(wanted) - 1; j >= 0; j-- {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); present[i] == wanted[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(present) && j < len(wanted); {
		switch {
		case present[i] == wanted[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// keys returns what identifies the items. An item that counts is never the same as one that does not.
func keys(items []Item) []key {
	all := make([]key, len(items))
	for i, item := range items {
		all[i] = key{item.Counts, item.Key}
		if item.Key == "" {
			all[i].text = "=" + item.Value.Key()
		}
	}
	return all
}

type key struct {
	counts bool
	text   string
}
