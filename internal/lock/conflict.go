package lock

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// IsConflicted reports whether git has left a lockfile with the marks of a merge that it
// could not make.
func IsConflicted(content []byte) bool {
	return bytes.HasPrefix(content, []byte("<<<<<<< ")) || bytes.Contains(content, []byte("\n<<<<<<< "))
}

// ParseConflicted reads a lockfile with the marks of a merge: what either side has locked.
// Which of these servers there are says their configuration, and Build what is locked of
// each, but which of two hashes is right is unknown.
func ParseConflicted(content []byte) (*Lock, error) {
	ours, theirs := sides(string(content))
	l, err := Parse([]byte(ours))
	if err != nil {
		return nil, err
	}
	other, err := Parse([]byte(theirs))
	if err != nil {
		return nil, err
	}
	known := byKey(l)
	for i := range other.Servers {
		s := &other.Servers[i]
		same := known[s.key()]
		switch {
		case same == nil:
			l.Servers = append(l.Servers, *s)
		case same.Integrity == "":
			same.Integrity, same.Hashes, same.Unlocked = s.Integrity, s.Hashes, s.Unlocked
		case s.isProgramOfRegistry() && s.Integrity != "" && s.Integrity != same.Integrity:
			return nil, fmt.Errorf("%s has conflict markers, and its two sides have different hashes of %s: find out which is right, and keep that one", Name, s.title())
		}
	}
	return l, nil
}

// isProgramOfRegistry reports whether the hash of a server is that of something elsewhere:
// what is made of the repository itself is made again.
func (s *Server) isProgramOfRegistry() bool {
	return !strings.HasPrefix(s.Identity, "url:") && !strings.HasPrefix(s.Identity, "file:")
}

// marks begin the lines that git writes into a file which it could not merge. With the
// setting merge.conflictStyle there is a third version between the two, of what both come
// from.
var marks = []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}

// sides returns the two versions of a file that git could not merge. What is not in one is
// an empty line there, so that lines keep their numbers.
func sides(content string) (ours, theirs string) {
	var a, b strings.Builder
	after := ">>>>>>>" // the mark before a line: behind the last one both sides are the same
	for line := range strings.Lines(content) {
		inOurs, inTheirs := after == "<<<<<<<" || after == ">>>>>>>", after == "=======" || after == ">>>>>>>"
		if begin := line[:min(len(line), 7)]; slices.Contains(marks, begin) {
			after, inOurs, inTheirs = begin, false, false
		}
		a.WriteString(lineOf(line, inOurs))
		b.WriteString(lineOf(line, inTheirs))
	}
	return a.String(), b.String()
}

// lineOf returns a line that is there, or an empty one in its place.
func lineOf(line string, isThere bool) string {
	if isThere {
		return line
	}
	return "\n"
}
