package compare

import (
	"net/textproto"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Changes are the servers that a change brings.
type Changes struct {
	// Was is what ran at the base under the name of a server that runs something else,
	// Altered how one runs that is the same.
	Was     map[*mcp.Server]*mcp.Server
	Altered map[*mcp.Server]*LaunchChange
	// IsNew reports of a server that the base started it nowhere. Given are the names of
	// the variables and headers that the new servers of one key get, sorted.
	IsNew map[*mcp.Server]bool
	Given map[string][]string
	// Beside are the other servers that run the same as a changed one, by what they run.
	Beside map[string][]*mcp.Server
	// Wider are the approvals that the base does not have.
	Wider []WiderApproval

	// same are those of the base that run what a server of today runs; isElsewhere reports that
	// they did so at another place or under another name.
	same        map[*mcp.Server][]*mcp.Server
	isElsewhere map[*mcp.Server]bool
	index       *nameIndex
}

// newChanges compares the servers of the projects that a change concerns.
func newChanges(b *Base) *Changes {
	c := &Changes{
		Was: map[*mcp.Server]*mcp.Server{}, Altered: map[*mcp.Server]*LaunchChange{}, IsNew: map[*mcp.Server]bool{},
		Given: map[string][]string{}, Beside: map[string][]*mcp.Server{},
		same: map[*mcp.Server][]*mcp.Server{}, isElsewhere: map[*mcp.Server]bool{}, index: newNameIndex(b),
	}
	index := c.index
	var unknown []*mcp.Server
	swapped := map[string]bool{}
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		for s := range serversOf(p) {
			if !s.MayBeStarted() || ToFillIn(s) == "" && s.Identity.Kind == identity.None {
				continue
			}
			switch was := index.under(s); {
			case len(was.same) > 0:
				c.same[s] = was.same
				c.alter(index, s, was.same)
			case was.other != nil && was.off == nil:
				c.Was[s] = was.other
				swapped[ProgramKey(s)] = true
			case s.Identity.Kind != identity.None:
				unknown = append(unknown, s)
			}
		}
	}
	for _, s := range c.unstarted(b, unknown, index) {
		if key := ProgramKey(s); swapped[key] {
			c.Beside[key] = append(c.Beside[key], s)
		} else {
			c.IsNew[s] = true
			c.Given[key] = append(c.Given[key], givenTo(s)...)
		}
	}
	for key, names := range c.Given {
		slices.Sort(names)
		c.Given[key] = slices.Compact(names)
	}
	c.Wider = widerApprovals(b, c)
	return c
}

// givenTo returns the names of the variables and headers that a server gets.
func givenTo(s *mcp.Server) []string { return givenBy(s, s.Resolved().Config()) }

// givenBy is givenTo if the settings of the launch are already known.
func givenBy(s *mcp.Server, config identity.Config) []string {
	var names []string
	for _, word := range s.Launch.PassEnv {
		names = append(names, word.Text)
	}
	for _, pair := range s.Launch.Env {
		names = append(names, pair.Name.Text)
	}
	isHeader := map[string]bool{}
	for _, pair := range s.Launch.Headers {
		names, isHeader[strings.ToLower(pair.Name.Text)] = append(names, headerName(pair.Name.Text)), true
	}
	for _, setting := range config.Env { // what wrappers and bridges set
		names = append(names, setting.Name)
	}
	for _, setting := range config.Headers {
		if !isHeader[setting.Name] {
			names = append(names, headerName(setting.Name))
		}
	}
	return names
}

// headerName returns the name of a header as it is shown: a credential in its place could not be
// known as one once its letters are others.
func headerName(name string) string {
	switch masked := secret.Mask(name); {
	case masked != name:
		return masked
	case secret.IsUnique(name):
		return "***"
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

// serversOf returns the servers that a project starts, or has switched off.
func serversOf(p *mcp.Project) func(yield func(*mcp.Server) bool) {
	return func(yield func(*mcp.Server) bool) {
		for doc := range reads.Documents(p, &reads.Brought) {
			for _, s := range doc.Servers {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// unstarted returns those of some servers that the base started nowhere. Projects that no
// change concerns are looked through only for what is not known without them: they are as
// they were.
func (c *Changes) unstarted(b *Base, servers []*mcp.Server, index *nameIndex) []*mcp.Server {
	isKnown := func(s *mcp.Server) bool {
		c.same[s], c.isElsewhere[s] = index.anywhere(s), true
		return index.isAsBefore(s, c.same[s])
	}
	servers = slices.DeleteFunc(servers, isKnown)
	if len(servers) == 0 {
		return nil
	}
	names, keys := map[string]bool{}, map[string]bool{}
	for _, s := range servers {
		names[s.Name], keys[ByKey(s)] = true, true
	}
	for _, p := range b.now.Projects {
		if b.concerns(p.Dir) {
			continue
		}
		for s := range serversOf(p) {
			if isLaunched(s) && (names[s.Name] || keys[ByKey(s)]) {
				index.addStarted(s)
			}
		}
	}
	return slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		same := index.anywhere(s)
		c.same[s] = same
		c.alter(index, s, same)
		return len(same) > 0
	})
}

// isLaunched reports whether a client starts a server, and it is known what the server runs.
func isLaunched(s *mcp.Server) bool { return s.MayBeStarted() && s.Identity.Kind != identity.None }

// ProgramKey identifies what a server runs, without values that must be filled in.
func ProgramKey(s *mcp.Server) string {
	if s.Identity.Kind == identity.None {
		return "\x00" + ToFillIn(s)
	}
	return ByKey(s)
}

// ToFillIn returns the word of a launch that looks like one to fill in, "" if it has
// none.
func ToFillIn(s *mcp.Server) string {
	id, l := &s.Identity, &s.Launch
	if id.Kind != identity.None || id.Span.IsZero() {
		return ""
	}
	words := append([]identity.Word{l.Command, l.URL}, l.Args...)
	for _, w := range words {
		if w.Span.Start <= id.Span.Start && id.Span.End <= w.Span.End {
			return strings.TrimSpace(w.Text)
		}
	}
	return ""
}

// nameIndex finds the servers of a base.
type nameIndex struct {
	base *Base
	// byPlace are the servers by their places, byName those that are started, byProgram
	// the same by what they run.
	byPlace           map[namePlace][]*mcp.Server
	byName, byProgram map[string][]*mcp.Server
	// today are the places of servers of today.
	today map[namePlace]bool
}

// namePlace is where a name identifies a server: in a project, for a client, or in files of a
// format that no client is known to read. The directory of projects that no longer exist is
// goneDir.
type namePlace struct{ dir, family, name string }

// goneDir is no directory.
const goneDir = "\x00"

// newNameIndex returns the servers of a base.
func newNameIndex(b *Base) *nameIndex {
	x := &nameIndex{
		base: b, byPlace: map[namePlace][]*mcp.Server{}, byName: map[string][]*mcp.Server{}, byProgram: map[string][]*mcp.Server{},
		today: map[namePlace]bool{},
	}
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		for s := range serversOf(p) {
			for _, at := range placesOf(s) {
				x.today[at] = true
			}
		}
	}
	for _, p := range b.then.Projects {
		dir := p.Dir
		if !b.today()[dir] {
			dir = goneDir
		}
		for s := range serversOf(p) {
			if s.Identity.Kind == identity.None {
				continue
			}
			for _, family := range familiesOf(s.Document) {
				at := namePlace{dir, family, s.Name}
				x.byPlace[at] = append(x.byPlace[at], s)
			}
			if s.MayBeStarted() {
				x.addStarted(s)
			}
		}
	}
	return x
}

// addStarted adds a server that the base starts.
func (x *nameIndex) addStarted(s *mcp.Server) {
	x.byName[s.Name] = append(x.byName[s.Name], s)
	x.byProgram[ByKey(s)] = append(x.byProgram[ByKey(s)], s)
}

// placesOf returns the places where its name identifies a server.
func placesOf(s *mcp.Server) []namePlace {
	families := familiesOf(s.Document)
	places := make([]namePlace, len(families))
	for i, family := range families {
		places[i] = namePlace{s.Document.Project.Dir, family, s.Name}
	}
	return places
}

// familiesOf returns the clients of a document, or its format.
func familiesOf(doc *mcp.Document) []string {
	if len(doc.Clients) == 0 {
		return []string{"the format " + doc.Format}
	}
	families := make([]string, len(doc.Clients))
	for i, c := range doc.Clients {
		families[i] = c.ID
	}
	return families
}

// standing is what had a name at the base.
type standing struct {
	// same are those that were started and ran the same; off is one that ran the same
	// and was switched off, other one that ran something else, started if one was.
	same       []*mcp.Server
	off, other *mcp.Server
}

// under returns what had the name of a server at the base.
func (x *nameIndex) under(s *mcp.Server) standing {
	dir := x.base.dirOf(s.Document.Project.Dir)
	var was standing
	compared := 0
	for _, family := range familiesOf(s.Document) {
		for _, other := range x.byPlace[namePlace{dir, family, s.Name}] {
			if compared++; compared > MaxSpellings {
				return was
			}
			switch {
			case x.isSame(other, s) && other.MayBeStarted():
				was.same = append(was.same, other)
			case x.isSame(other, s):
				was.off = other
			case was.other == nil || !was.other.MayBeStarted() && other.MayBeStarted():
				was.other = other
			}
		}
	}
	if s.Identity.Kind == identity.None && was.other != nil && !was.other.MayBeStarted() {
		was.other = nil // nothing ran, and it is not known what will
	}
	return was
}

// anywhere returns what the base started that is the same program, in any place and under any name,
// also if written in another way under the same name.
func (x *nameIndex) anywhere(s *mcp.Server) []*mcp.Server {
	same := x.byProgram[ByKey(s)]
	same = slices.Clip(same[:min(len(same), MaxSpellings)])
	named := x.byName[s.Name]
	for _, other := range named[:min(len(named), MaxSpellings)] {
		if ByKey(other) != ByKey(s) && x.isSame(other, s) {
			same = append(same, other)
		}
	}
	return same
}
