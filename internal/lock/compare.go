package lock

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Differences says in a sentence each what one lock has and another has not, field by
// field and sorted; nil where they say the same.
func Differences(was, now *Lock) []string {
	var all []string
	before, after := byKey(was), byKey(now)
	raised := raises(before, after)
	for key, s := range before {
		if after[key] == nil && raised[s.program()] == nil {
			all = append(all, s.title()+" is locked and no longer configured")
		}
	}
	for key, s := range after {
		old := before[key]
		if old == nil {
			old = raised[s.program()]
		}
		if old == nil {
			all = append(all, s.title()+" is configured and not locked")
			continue
		}
		for _, field := range []struct{ name, was, now string }{
			{"version", old.Version, s.Version},
			{"names", strings.Join(old.Names, ", "), strings.Join(s.Names, ", ")},
			{"files", strings.Join(old.Files, ", "), strings.Join(s.Files, ", ")},
			{"integrity", old.integrity(), s.Integrity},
			{"hashes", strings.Join(old.Hashes, ", "), strings.Join(s.Hashes, ", ")},
			{"unlocked", quotedIf(old.Unlocked), quotedIf(s.Unlocked)},
		} {
			if field.was != field.now {
				all = append(all, fmt.Sprintf("%s: %s is %s, and was %s", s.title(), field.name, orNone(field.now), orNone(field.was)))
			}
		}
	}
	slices.Sort(all)
	return all
}

// raises returns the entries that are there at another version, as they were, by what
// they run: where there is one of it that is gone and one that is new.
func raises(before, after map[string]*Server) map[string]*Server {
	gone, isNew := map[string][]*Server{}, map[string]int{}
	for key, s := range before {
		if after[key] == nil {
			gone[s.program()] = append(gone[s.program()], s)
		}
	}
	for key, s := range after {
		if before[key] == nil {
			isNew[s.program()]++
		}
	}
	raised := map[string]*Server{}
	for program, all := range gone {
		if len(all) == 1 && isNew[program] == 1 {
			raised[program] = all[0]
		}
	}
	return raised
}

// title returns what an entry is called in messages.
func (s *Server) title() string {
	title := s.Identity
	if len(s.Selector) > 0 {
		title += " " + strings.Join(s.Selector, " ")
	}
	if s.Version != "" {
		title += " " + s.Version
	}
	return title
}

// integrity returns the hash of an entry for messages.
func (s *Server) integrity() string {
	if s.isEmptied {
		return "empty"
	}
	return s.Integrity
}

// quotedIf returns a sentence for use within another one, "" for none.
func quotedIf(text string) string {
	if text == "" {
		return ""
	}
	return strconv.Quote(text)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func byKey(l *Lock) map[string]*Server {
	all := map[string]*Server{}
	if l == nil {
		return all
	}
	for i := range l.Servers {
		all[l.Servers[i].key()] = &l.Servers[i]
	}
	return all
}
