package lock

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
)

// Merged is what two changes of one lock come to.
type Merged struct {
	// Conflicts say, in a sentence each, what the two sides do not agree on.
	Conflicts []string

	version int
	parts   []mergedPart // in the order of the file
}

// mergedPart is an entry of a merged lock, or what either side has where they do not agree.
type mergedPart struct {
	entry        *Server
	ours, theirs []*Server
}

// key is the sort key of a part in the file.
func (p *mergedPart) key() string {
	if p.entry != nil {
		return p.entry.key()
	}
	return slices.Concat(p.ours, p.theirs)[0].key()
}

// Merge merges the changes of ours and theirs since base, nil for a missing lock, entry by
// entry: names and files that either has added or removed, and the hash that one of them has
// changed.
func Merge(base, ours, theirs *Lock) *Merged {
	was, a, b := byKey(base), byKey(ours), byKey(theirs)
	m := &Merged{version: version}
	rivals := rivalsOf(was, a, b)
	for _, key := range keysOf(a, b) {
		if rivals[key] != "" {
			continue
		}
		entry, why := mergeEntry(was[key], a[key], b[key])
		switch {
		case why != "":
			m.disagree(why, ofKeys(a, key), ofKeys(b, key))
		case entry != nil:
			m.parts = append(m.parts, mergedPart{entry: entry})
		}
	}
	for _, mine := range keysOf(a) {
		if its := rivals[mine]; its != "" {
			m.disagree(fmt.Sprintf("%s is locked here, and %s there", a[mine].title(), b[its].title()), ofKeys(a, mine), ofKeys(b, its))
		}
	}
	slices.SortStableFunc(m.parts, func(a, b mergedPart) int { return strings.Compare(a.key(), b.key()) })
	return m
}

// disagree notes what the two sides do not agree on.
func (m *Merged) disagree(why string, ours, theirs []*Server) {
	m.Conflicts = append(m.Conflicts, why)
	m.parts = append(m.parts, mergedPart{ours: ours, theirs: theirs})
}

// rivalsOf returns the keys of what the two sides have locked anew for one entry of a client's
// file, at different versions: each with that of the other side.
func rivalsOf(was, ours, theirs map[string]*Server) map[string]string {
	added := map[string][]string{} // keys of theirs, by what they run
	for _, key := range keysOf(theirs) {
		if was[key] == nil && ours[key] == nil {
			added[theirs[key].program()] = append(added[theirs[key].program()], key)
		}
	}
	rivals := map[string]string{}
	for _, mine := range keysOf(ours) {
		if was[mine] != nil || theirs[mine] != nil {
			continue
		}
		a := ours[mine]
		for _, its := range added[a.program()] {
			b := theirs[its]
			if rivals[mine]+rivals[its] == "" && len(shared(a.Names, b.Names)) > 0 && len(shared(a.Files, b.Files)) > 0 {
				rivals[mine], rivals[its] = its, mine
			}
		}
	}
	return rivals
}

// mergeEntry merges one entry, each version of which is nil if it does not exist. The result
// is nil if no file has it any longer; why describes the conflict of the two sides.
func mergeEntry(was, ours, theirs *Server) (entry *Server, why string) {
	switch {
	case ours == nil && theirs == nil:
		return nil, ""
	case was == nil && ours == nil:
		return theirs, ""
	case was == nil && theirs == nil:
		return ours, ""
	case ours == nil:
		return grown(was, theirs)
	case theirs == nil:
		return grown(was, ours)
	}
	if was == nil {
		was = &Server{}
	}
	merged := *ours
	merged.Names, merged.Files = mergeTexts(was.Names, ours.Names, theirs.Names), mergeTexts(was.Files, ours.Files, theirs.Files)
	if len(merged.Names) == 0 || len(merged.Files) == 0 {
		return nil, "" // each side has taken out what the other one had left
	}
	sealed := mergeHash(was, ours, theirs)
	if sealed == nil {
		return nil, fmt.Sprintf("%s: the two sides have different hashes of it", ours.title())
	}
	merged.Integrity, merged.Hashes, merged.Unlocked = sealed.Integrity, sealed.Hashes, sealed.Unlocked
	return &merged, ""
}

// grown returns what one side has added to an entry that the other one has removed, nil for
// nothing.
func grown(was, now *Server) (entry *Server, why string) {
	names, files := without(now.Names, was.Names), without(now.Files, was.Files)
	isHashed := now.Integrity != was.Integrity && was.Integrity != ""
	switch {
	case isHashed:
		return nil, fmt.Sprintf("%s: one side has removed it, and the other one has another hash of it", now.title())
	case len(names)+len(files) == 0:
		return nil, ""
	}
	left := *now
	if len(names) > 0 && len(files) == 0 {
		left.Names = names
	}
	if len(files) > 0 {
		left.Files = files
	}
	return &left, ""
}

// mergeHash returns the version of an entry whose hash holds, nil where the two sides do not
// agree on it.
func mergeHash(was, ours, theirs *Server) *Server {
	switch {
	case isSealedAs(ours, theirs), isSealedAs(theirs, was):
		return ours
	case isSealedAs(ours, was):
		return theirs
	case was.Integrity != "":
		return nil
	case theirs.Integrity == "":
		return ours // with a hash, or with another reason for none
	case ours.Integrity == "":
		return theirs
	case compare.IsSameHash(ours.Integrity, theirs.Integrity) && compare.IsSameHash(theirs.Integrity, ours.Integrity):
		return ours
	}
	return nil
}

// isSealedAs reports whether two entries have the same hash, or the same reason for none.
func isSealedAs(a, b *Server) bool {
	return a.Integrity == b.Integrity && slices.Equal(a.Hashes, b.Hashes) && a.Unlocked == b.Unlocked
}

// mergeTexts returns a list after the removals and additions of two sides.
func mergeTexts(was, ours, theirs []string) []string {
	kept := slices.DeleteFunc(slices.Clone(was), func(text string) bool {
		return !slices.Contains(ours, text) || !slices.Contains(theirs, text)
	})
	return unique(slices.Concat(kept, without(ours, was), without(theirs, was)))
}

// without returns the texts that are not among others.
func without(texts, others []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(others, text) })
}

// shared returns the texts that two lists have.
func shared(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(text string) bool { return !slices.Contains(b, text) })
}

// keysOf returns the keys of locks, sorted.
func keysOf(all ...map[string]*Server) []string {
	var keys []string
	for _, servers := range all {
		for key := range servers {
			keys = append(keys, key)
		}
	}
	return unique(keys)
}

// ofKeys returns the entry of a key, if there is one.
func ofKeys(servers map[string]*Server, key string) []*Server {
	if servers[key] == nil {
		return nil
	}
	return []*Server{servers[key]}
}

// Bytes returns the file. What the two sides do not agree on has the marks of a merge, as git
// writes them, so that ParseConflicted reads it.
func (m *Merged) Bytes() []byte {
	var out bytes.Buffer
	writeHead(&out, m.version)
	for i := range m.parts {
		p := &m.parts[i]
		if p.entry != nil {
			p.entry.write(&out)
			continue
		}
		out.WriteString("\n<<<<<<< ours\n")
		writeSide(&out, p.ours)
		out.WriteString("=======\n")
		writeSide(&out, p.theirs)
		out.WriteString(">>>>>>> theirs\n")
	}
	return out.Bytes()
}

// writeSide writes what one side has.
func writeSide(out *bytes.Buffer, servers []*Server) {
	for _, s := range servers {
		var entry bytes.Buffer
		s.write(&entry)
		out.Write(bytes.TrimPrefix(entry.Bytes(), []byte("\n")))
	}
}
