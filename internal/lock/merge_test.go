package lock_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lock"
)

// lockOf returns a lock of entries, each "IDENTITY VERSION NAMES FILES HASH", with - for none.
func lockOf(entries ...string) *lock.Lock {
	l := &lock.Lock{Version: 1}
	orNone := func(text string) string { return strings.Trim(text, "-") }
	for _, entry := range entries {
		words := strings.Fields(entry)
		s := lock.Server{Identity: words[0], Version: orNone(words[1]), Names: strings.Split(words[2], ","), Files: strings.Split(words[3], ","), Integrity: orNone(words[4])}
		if s.Integrity == "" {
			s.Unlocked = "its registry has not answered"
		}
		l.Servers = append(l.Servers, s)
	}
	return l
}

func bytesOf(t *testing.T, l *lock.Lock) string {
	t.Helper()
	content, err := l.Bytes()
	require.NoError(t, err)
	return string(content)
}

// TestMergeLocks merges what both sides have added, removed and changed, and checks that they
// agree on the hash of one thing.
func TestMergeLocks(t *testing.T) {
	const notes = "npm:notes 1.0.0 notes .mcp.json sha512-a"
	for name, test := range map[string]struct {
		base, ours, theirs, want []string
		conflict                 string // instead of want
	}{
		"nothing":            {[]string{notes}, []string{notes}, []string{notes}, []string{notes}, ""},
		"a server each":      {[]string{notes}, []string{"npm:a 1.0.0 a .mcp.json sha512-a", notes}, []string{"npm:b 1.0.0 b .mcp.json sha512-b", notes}, []string{"npm:a 1.0.0 a .mcp.json sha512-a", "npm:b 1.0.0 b .mcp.json sha512-b", notes}, ""},
		"a file each":        {[]string{notes}, []string{"npm:notes 1.0.0 notes .cursor/mcp.json,.mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes .cursor/mcp.json,.mcp.json,.roo/mcp.json sha512-a"}, ""},
		"one, in two files":  {nil, []string{"npm:notes 1.0.0 notes .cursor/mcp.json sha512-a"}, []string{"npm:notes 1.0.0 my-notes .roo/mcp.json sha512-a"}, []string{"npm:notes 1.0.0 my-notes,notes .cursor/mcp.json,.roo/mcp.json sha512-a"}, ""},
		"a name each":        {[]string{notes}, []string{"npm:notes 1.0.0 mine .mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes,theirs .mcp.json sha512-a"}, []string{"npm:notes 1.0.0 mine,theirs .mcp.json sha512-a"}, ""},
		"taken out":          {[]string{notes, "npm:old 1.0.0 old .mcp.json sha512-o"}, []string{notes}, []string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a", "npm:old 1.0.0 old .mcp.json sha512-o"}, []string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a"}, ""},
		"taken out and kept": {[]string{notes}, nil, []string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes .roo/mcp.json sha512-a"}, ""},
		"taken out by both":  {[]string{notes}, nil, nil, nil, ""},
		"each another file":  {[]string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes .roo/mcp.json sha512-a"}, nil, ""},
		"raised":             {[]string{notes}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, []string{notes}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, ""},
		"raised, and a file": {[]string{notes}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, []string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a"}, []string{"npm:notes 1.0.0 notes .roo/mcp.json sha512-a", "npm:notes 1.1.0 notes .mcp.json sha512-b"}, ""},
		"raised by both":     {[]string{notes}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, ""},
		"raised differently": {[]string{notes}, []string{"npm:notes 1.1.0 notes .mcp.json sha512-b"}, []string{"npm:notes 1.2.0 notes .mcp.json sha512-c"}, nil, "npm:notes 1.1.0 is locked here, and npm:notes 1.2.0 there"},
		"filled":             {[]string{"npm:notes 1.0.0 notes .mcp.json -"}, []string{"npm:notes 1.0.0 notes .mcp.json -"}, []string{notes}, []string{notes}, ""},
		"filled anew":        {nil, []string{notes}, []string{"npm:notes 1.0.0 notes .roo/mcp.json -"}, []string{"npm:notes 1.0.0 notes .mcp.json,.roo/mcp.json sha512-a"}, ""},
		"another hash":       {[]string{notes}, []string{notes}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-b"}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-b"}, ""},
		"two hashes":         {[]string{notes}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-b"}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-c"}, nil, "npm:notes 1.0.0: the two sides have different hashes of it"},
		"two hashes anew":    {nil, []string{notes}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-c"}, nil, "npm:notes 1.0.0: the two sides have different hashes of it"},
		"emptied and raised": {[]string{notes}, []string{"npm:notes 1.0.0 notes .mcp.json -"}, []string{"npm:notes 1.0.0 notes .mcp.json sha512-c"}, nil, "npm:notes 1.0.0: the two sides have different hashes of it"},
		"gone and swapped":   {[]string{notes}, nil, []string{"npm:notes 1.0.0 notes .mcp.json sha512-b"}, nil, "npm:notes 1.0.0: one side has removed it, and the other one has another hash of it"},
	} {
		t.Run(name, func(t *testing.T) {
			base, ours, theirs := lockOf(test.base...), lockOf(test.ours...), lockOf(test.theirs...)
			if test.base == nil {
				base = nil
			}
			m := lock.Merge(base, ours, theirs)
			if test.conflict == "" {
				require.Empty(t, m.Conflicts)
				require.Equal(t, bytesOf(t, lockOf(test.want...)), string(m.Bytes()))
				other := lock.Merge(base, theirs, ours)
				require.Equal(t, string(m.Bytes()), string(other.Bytes()), "in either direction of the merge")
				return
			}
			require.Equal(t, []string{test.conflict}, m.Conflicts)
			require.True(t, lock.IsConflicted(m.Bytes()))
			require.Len(t, lock.Merge(base, theirs, ours).Conflicts, 1)
			// Either side is there as it was, between the marks.
			for _, side := range []*lock.Lock{ours, theirs} {
				for _, entry := range strings.Split(bytesOf(t, side), "[[server]]\n")[1:] {
					require.Contains(t, string(m.Bytes()), strings.TrimSpace(entry))
				}
			}
		})
	}
}

// TestMergeOfRandomChanges checks that changes of two sides to different servers merge into
// the result of one change after the other, even for neighboring servers.
func TestMergeOfRandomChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var base, ours, theirs, both []string
		for i := range 8 {
			entry := func(change int) string {
				files := []string{".mcp.json", ".cursor/mcp.json,.mcp.json", ".mcp.json,.vscode/mcp.json"}[change%3]
				return fmt.Sprintf("npm:n%d 1.%d.0 n%d %s sha512-%d", i, change/3, i, files, change/3)
			}
			was, now := random.IntN(6), random.IntN(7)
			add := func(to *[]string, change int) {
				if change > 0 { // 0 is a server that is not there
					*to = append(*to, entry(change))
				}
			}
			add(&base, was)
			add(&both, now)
			if random.IntN(2) == 0 {
				add(&ours, now)
				add(&theirs, was)
			} else {
				add(&ours, was)
				add(&theirs, now)
			}
		}
		m := lock.Merge(lockOf(base...), lockOf(ours...), lockOf(theirs...))
		require.Empty(t, m.Conflicts)
		require.Equal(t, bytesOf(t, lockOf(both...)), string(m.Bytes()), "%v\n%v\n%v", base, ours, theirs)
	}
}
