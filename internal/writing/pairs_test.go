package writing

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// update rewrites the files in testdata/pairs: read what changes.
var update = flag.Bool("update", false, "write the servers in the words of each client, and what each of them cannot say, into testdata/pairs")

const (
	sourcesFile = "testdata/pairs/sources.txtar"
	lossesFile  = "testdata/pairs/losses.txt"
)

const tableHead = `What the servers of sources.txtar lose in each of %d files, coming from each of the
others: %d pairs. A server that is not named loses nothing.

`

// TestPairs writes the same servers from the file of every client to that of every other one, and
// back again. A server is equal there (identity.Compare), or the settings that the client cannot
// express explain all differences, and are in losses.txt. Back home, a server that lost nothing
// is written as it was; for the others a second journey changes nothing further.
func TestPairs(t *testing.T) {
	w := journeys{files: map[string]side{}}
	sides := w.sides(t)
	headings, blocks := map[string][]string{}, []string{}
	for _, to := range sides {
		block := w.into(t, sides, to)
		if headings[block] == nil {
			blocks = append(blocks, block)
		}
		headings[block] = append(headings[block], to.name)
	}
	var table strings.Builder
	fmt.Fprintf(&table, tableHead, len(sides), len(sides)*(len(sides)-1))
	for _, block := range blocks {
		table.WriteString(strings.Join(headings[block], "\n") + "\n" + block + "\n")
	}
	if *update {
		require.NoError(t, os.WriteFile(lossesFile, []byte(table.String()), 0o644))
	}
	want, err := os.ReadFile(lossesFile)
	require.NoError(t, err)
	assert.Equal(t, string(want), table.String())
}

// side is a client's file with servers.
type side struct {
	Target
	name, text string
	doc        *mcp.Document
	own        []string // the entries, each as its own file has it
}

// journeys holds the files that were written: most are written from many others.
type journeys struct{ files map[string]side }

// sides returns the file of every client, as it is in sources.txtar.
func (w journeys) sides(t *testing.T) []side {
	t.Helper()
	archive, err := txtar.ParseFile(sourcesFile)
	require.NoError(t, err)
	all := targets(format.Known(), "")
	first := all[slices.IndexFunc(all, func(target Target) bool { return target.Match.Format.Name == "vscode" })]
	source := readSide(t, first, string(archive.Files[0].Data)).withOwn()
	files := archive.Files[:1:1]
	sides := []side{source}
	for _, target := range all {
		if target.Match.Format.Name == "vscode" {
			continue
		}
		var entries []Entry
		for _, s := range source.doc.Servers {
			if e := target.Entry(s); isSaid(e) {
				entries = append(entries, e)
			}
		}
		s := readSide(t, target, fileOf(t, target, entries)).withOwn()
		sides = append(sides, s)
		files = append(files, txtar.File{Name: s.name, Data: []byte(s.text)})
	}
	if *update {
		archive.Files = files
		require.NoError(t, os.WriteFile(sourcesFile, txtar.Format(archive), 0o644))
	}
	assert.Equal(t, string(txtar.Format(&txtar.Archive{Files: archive.Files})), string(txtar.Format(&txtar.Archive{Files: files})), sourcesFile)
	return sides
}

// isSaid reports whether an entry is one that the client's own documentation would show: it says
// all of the server, except the transport or the name if the client has none.
func isSaid(e Entry) bool {
	return !slices.ContainsFunc(e.Losses, func(l mcp.Loss) bool { return l.Reason != mcp.NotSaid && l.Reason != mcp.NoName })
}

// readSide reads a file of a target.
func readSide(t *testing.T, target Target, text string) side {
	t.Helper()
	doc, err := format.Read(syntax.NewFile(target.Path, []byte(text)), target.Match)
	require.NoError(t, err, "%s:\n%s", target.Path, text)
	require.NotNil(t, doc, "%s is not read:\n%s", target.Path, text)
	name := target.Path
	if target.Client.ID == "visual-studio" && target.Match.Format.Name == "claude-code" {
		name += " of Visual Studio"
	}
	return side{Target: target, name: name, text: text, doc: doc}
}

// withOwn returns a side with its entries.
func (s side) withOwn() side {
	for _, server := range s.doc.Servers {
		s.own = append(s.own, plainly(s.Entry(server).Value))
	}
	return s
}

// fileOf returns the text of a file of a target with entries.
func fileOf(t *testing.T, target Target, entries []Entry) string {
	t.Helper()
	text := begun(target.Match.Format.Name)
	if text == "" {
		edits, err := edit.Lower([]edit.Change{target.Create(entries...)})
		require.NoError(t, err, target.Path)
		return edits[0].New
	}
	for _, e := range entries {
		file := syntax.NewFile(target.Path, []byte(text))
		tree, err := target.Match.Format.Parse(&syntax.Parser{}, file)
		require.NoError(t, err, target.Path)
		edits, err := edit.Lower(target.Within(file, tree).InsertAt(e, edit.Where{}))
		require.NoError(t, err, target.Path)
		text = string(edit.Apply(file.Bytes, edits))
	}
	return text
}

// crossing is what becomes of the servers of one file in another.
type crossing struct {
	side
	entries []Entry       // one for each server
	servers []*mcp.Server // one for each server, nil for those that cannot be written
}

// write writes the servers of a file, nil for none, into one of a target.
func (w journeys) write(t *testing.T, servers []*mcp.Server, target Target) crossing {
	t.Helper()
	c := crossing{entries: make([]Entry, len(servers)), servers: make([]*mcp.Server, len(servers))}
	var written []Entry
	key := target.Path + target.Client.ID
	for i, s := range servers {
		if s == nil {
			continue
		}
		if c.entries[i] = target.Entry(s); c.entries[i].Value.Kind != syntax.Null {
			e := &c.entries[i]
			written = append(written, *e)
			key += "\n" + e.Name + " " + e.Below + " " + strings.Join(e.Inputs, " ") + plainly(e.Value)
		}
	}
	if len(written) == 0 {
		return c
	}
	if _, known := w.files[key]; !known {
		w.files[key] = readSide(t, target, fileOf(t, target, written))
	}
	c.side = w.files[key]
	require.Len(t, c.doc.Servers, len(written), "%s:\n%s", c.name, c.text)
	next := 0
	for i := range servers {
		if c.entries[i].Value.Kind != syntax.Null {
			c.servers[i] = c.doc.Servers[next]
			next++
		}
	}
	return c
}

// into writes the servers of every other file into one and back, and returns the rows of the
// table for it: the losses of each server there, if it has any.
func (w journeys) into(t *testing.T, sides []side, to side) string {
	t.Helper()
	lost := map[string]map[string][]side{} // by server, then by what it lost
	var names []string
	for _, from := range sides {
		if from.name == to.name {
			continue
		}
		there := w.write(t, from.doc.Servers, to.Target)
		for i, s := range from.doc.Servers {
			what := judge(t, from, to, s, there.servers[i], there.entries[i].Losses)
			name := shortName(s)
			if lost[name] == nil {
				lost[name], names = map[string][]side{}, append(names, name)
			}
			lost[name][what] = append(lost[name][what], from)
		}
		w.holdReturn(t, from, to, there)
	}
	var rows strings.Builder
	for _, name := range names {
		for _, what := range slices.Sorted(maps.Keys(lost[name])) {
			if what != "" {
				fmt.Fprintf(&rows, "  %-8s %s%s\n", name, what, fromWhich(lost[name], what, name))
			}
		}
	}
	if rows.Len() == 0 {
		return "  nothing\n"
	}
	return rows.String()
}

// shortName returns the name of a server. One whose client has no names for servers is
// called after its address: each has its own, which begins with its name.
func shortName(s *mcp.Server) string {
	if _, address, ok := strings.Cut(s.Name, "://"); ok {
		return address[:strings.IndexByte(address, '.')]
	}
	return s.Name
}

// judge checks that the losses explain how a server differs from the written one, nil if none was
// written, and returns both in words.
func judge(t *testing.T, from, to side, s, written *mcp.Server, losses []mcp.Loss) string {
	t.Helper()
	var words []string
	explained := map[string]bool{}
	for _, l := range losses {
		reason, known := reasons[l.Reason]
		require.True(t, known, "%s of %s in %s: no words for the reason %d", s.Name, from.name, to.name, l.Reason)
		words = append(words, strings.TrimSpace(fmt.Sprintf(reason.words, shown(l.Name))))
		for _, part := range reason.explains {
			explained[part] = true
		}
	}
	if written == nil {
		assert.NotEmpty(t, words, "%s of %s is not written into %s, without a reason", s.Name, from.name, to.name)
		return strings.Join(append(words, "not written"), ", ")
	}
	differing := differences(s.Resolved(), written.Resolved())
	for _, part := range differing {
		assert.True(t, explained[part], "%s of %s differs in %s from what is in %s: %v\n%s", s.Name, from.name, part, to.name, words, to.text)
	}
	level := sameness.Compare(s.Resolved(), written.Resolved())
	assert.Equal(t, len(differing) == 0, level == sameness.Equal, "%s of %s in %s", s.Name, from.name, to.name)
	if len(differing) > 0 {
		words = append(words, "other "+strings.Join(differing, " and "))
	}
	return strings.Join(words, ", ")
}

// shown returns the name of a loss for the table; a server without a name has its address
// for one.
func shown(name string) string {
	if strings.Contains(name, "://") {
		return "(its address)"
	}
	return name
}

// reasons gives for each reason of a loss the words in the table, and the differences that it
// explains.
var reasons = map[mcp.LossReason]struct {
	words    string
	explains []string
}{
	mcp.NoTarget:     {"neither program nor address%.0s", nil},
	mcp.NoAddress:    {"no addresses%.0s", nil},
	mcp.NoHeaders:    {"no header %s", []string{"headers"}},
	mcp.NoDirectory:  {"no directory%.0s", []string{"program", "arguments"}},
	mcp.NoName:       {"no name%.0s", nil},
	mcp.NotSpoken:    {"does not speak %s", nil},
	mcp.NotSaid:      {"does not say %s", []string{"transport"}},
	mcp.Chosen:       {"%s is chosen", []string{"transport"}},
	mcp.NotExpanded:  {"%s is not expanded", nil},
	mcp.MayNotExpand: {"%s may not be expanded", nil},
	mcp.NotAsked:     {"nobody is asked for %s", nil},
	mcp.NoPath:       {"no path to %s", []string{"arguments"}},
	mcp.NoProject:    {"no project%.0s", []string{"program", "arguments"}},
}

// differences returns in which parts two servers are not equal.
func differences(a, b identity.Resolved) []string {
	x, y := a.Config(), b.Config()
	headers := func(c identity.Config) string { return identity.Config{Headers: c.Headers}.Key() }
	env := func(c identity.Config) string { return identity.Config{Env: c.Env, EnvFile: c.EnvFile}.Key() }
	arguments := func(c identity.Config) string { return identity.Config{Dir: c.Dir, Args: c.Args}.Key() }
	var parts []string
	for _, p := range []struct {
		name string
		same bool
	}{
		{"program", a.Key() == b.Key() && a.Version.Text == b.Version.Text && a.BridgeName() == b.BridgeName()},
		{"arguments", arguments(x) == arguments(y)},
		{"variables", env(x) == env(y)},
		{"headers", headers(x) == headers(y)},
		{"transport", a.Transport == b.Transport && a.Plain == b.Plain},
	} {
		if !p.same {
			parts = append(parts, p.name)
		}
	}
	return parts
}

// holdReturn checks that servers come back from another client's file unchanged, or no longer
// change once they have been there.
func (w journeys) holdReturn(t *testing.T, from, to side, there crossing) {
	t.Helper()
	if there.doc == nil {
		return
	}
	back := w.write(t, there.servers, from.Target)
	if back.doc == nil || back.text == from.text {
		return
	}
	for i, s := range from.doc.Servers {
		if len(there.entries[i].Losses) == 0 {
			assert.Empty(t, back.entries[i].Losses, "%s of %s is lost on the way back from %s", s.Name, from.name, to.name)
			assert.Equal(t, from.own[i], plainly(back.entries[i].Value), "%s of %s and back from %s", s.Name, from.name, to.name)
		}
	}
	again := w.write(t, w.write(t, back.servers, to.Target).servers, from.Target)
	assert.Equal(t, back.text, again.text, "%s, to %s and back a second time", from.name, to.name)
}

// fromWhich says from which files' entries of a server that is lost which is not lost from
// all: most differ by whether the entry says its transport.
func fromWhich(lost map[string][]side, what, server string) string {
	isOnly := len(lost[what]) == 1
	others := map[bool]bool{}
	for other, sides := range lost {
		for _, from := range sides {
			if other != what && len(sides) > 1 {
				others[saysTransport(from, server)] = true
			}
		}
	}
	said := saysTransport(lost[what][0], server)
	isUniform := !slices.ContainsFunc(lost[what], func(from side) bool { return saysTransport(from, server) != said })
	switch {
	case len(lost) == 1:
		return ""
	case isOnly:
		return ", from " + lost[what][0].name
	case len(others) == 0:
		return ", from all others"
	case isUniform && !others[said] && said:
		return ", from entries that say the transport"
	case isUniform && !others[said]:
		return ", from entries that leave the transport open"
	}
	var names []string
	for _, from := range lost[what] {
		names = append(names, from.name)
	}
	return ", from " + strings.Join(names, " ")
}

// saysTransport reports whether the entry of a server in a file says its transport.
func saysTransport(from side, server string) bool {
	i := slices.IndexFunc(from.doc.Servers, func(s *mcp.Server) bool { return shortName(s) == server })
	return from.doc.Servers[i].Launch.Transport != ""
}
