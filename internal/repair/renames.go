package repair

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Renames computes how a server gets another name, in every place of the project that names it.
type Renames struct {
	Project *mcp.Project
	Copies  *Copies
	// The servers of a name, on first use.
	byName map[string][]*mcp.Server
	sorted []string // the names
	// begun says of a name whether a pattern matches names that begin with it.
	begun map[string]bool
	// taken are the names in documents that are loaded together, by the first of them.
	taken map[*mcp.Document]map[string]bool
	// tools is how often a file names a tool of a server, wherever in it.
	tools map[*syntax.File]map[string]int
}

func NewRenames(p *mcp.Project) *Renames {
	return &Renames{Project: p, Copies: &Copies{Project: p}}
}

// maxRenamed is at how many places a fix writes another name.
const maxRenamed = 100

// Rename gives a server another name: in its entry, in the copies of the entry, and at every
// place that refers to it. If a place also refers to others with the old name, they are renamed
// as well if they are in too; otherwise nothing is, and noFixReason says why.
func (r *Renames) Rename(s *mcp.Server, name string, too []*mcp.Server) (fixes []rule.Fix, noFixReason string) {
	edits, noFixReason := r.Edits(s, name, too, nil)
	if noFixReason != "" {
		return nil, noFixReason
	}
	return []rule.Fix{{Title: wording.Say("rename %q to %q", s.Name, name), Safety: rule.Unsafe, Gone: s, Edits: edits}}, ""
}

// Edits returns the changes of a fix that gives a server another name. settled are servers that may
// already have the name, even with another configuration.
func (r *Renames) Edits(s *mcp.Server, name string, too, settled []*mcp.Server) (edits []edit.Change, noFixReason string) {
	entries, mentions, noFixReason := r.together(s, too)
	switch {
	case secret.Hides(s.Name) || secret.Hides(name):
		return nil, "the name contains a credential"
	case noFixReason != "":
		return nil, noFixReason
	case s.Extra().InGallery:
		return nil, "its client looks the server up in a registry by this name"
	case !r.isAll(mentions):
		return nil, "a text for agents mentions tools of the server by name, and mcplumb does not edit text"
	case !r.keepsPatterns(s.Name, name):
		return nil, "a pattern of names would match other servers"
	}
	for _, e := range entries {
		switch {
		case !takesName(e, name):
			return nil, "a client that reads this file does not accept the new name, or the name cannot be written in this file"
		case r.isTaken(e.Document, name):
			return nil, NameIsTaken
		case !r.isFree(e, name, settled):
			return nil, "another file already uses the new name for another server or configuration"
		}
		edits = append(edits, edit.Rename(e.Document.File, e.NameSpan, name))
	}
	for _, m := range mentions {
		text, ok := m.renamed(s.Name, name)
		if !ok {
			return nil, "a place that names the server does not accept the new name"
		}
		edits = append(edits, edit.Rename(m.Document.File, m.Span, text))
	}
	return edits, ""
}

// ToRight gives a server the name that is right, if it is.
func (r *Renames) ToRight(s *mcp.Server, name RightName, too []*mcp.Server) (fixes []rule.Fix, noFixReason string) {
	if name.Unsure != "" {
		return nil, name.Unsure
	}
	if r.isOtherServers(s) {
		return nil, "another file uses this name for the package of that name, so the command here may be wrong"
	}
	return r.Rename(s, name.Text, too)
}

// isOtherServers reports whether another file gives the name of an entry to the package
// that is called so, which this one does not run.
func (r *Renames) isOtherServers(s *mcp.Server) bool {
	named := r.named(s.Name)
	return !isNameOfPackage(s.Name, s.Identity.Name) && slices.ContainsFunc(named[:min(len(named), maxRenamed)], func(other *mcp.Server) bool {
		return compare.IsRunning(other) && compare.ByKey(other) != compare.ByKey(s) && other.Identity.IsPackage() && isNameOfPackage(s.Name, other.Identity.Name)
	})
}

// NameIsTaken is why a server does not get a name.
const NameIsTaken = "something else already has the new name"

// together returns the entries that get another name with a server, and the places that refer
// to them; noFixReason says that a place also refers to an entry that keeps its name, or that
// there are too many places to review.
func (r *Renames) together(s *mcp.Server, too []*mcp.Server) (entries []*mcp.Server, at []mention, noFixReason string) {
	mentions := r.mentions(s.Name)
	if reason := KeptBecause(s); reason != "" {
		return nil, nil, reason
	}
	if len(r.named(s.Name)) > maxRenamed || len(mentions) > maxRenamed {
		return nil, nil, "more places name the server than a fix may change"
	}
	entries = r.Copies.WithCopies(s)
	for more := true; more; {
		more, at = false, nil
		for _, m := range mentions {
			owners := r.meant(m, s.Name)
			if !slices.ContainsFunc(owners, func(o *mcp.Server) bool { return slices.Contains(entries, o) }) {
				continue
			}
			at = append(at, m)
			for _, o := range owners {
				if slices.Contains(entries, o) {
					continue
				}
				if !slices.Contains(too, o) || !IsFixable(o) {
					return nil, nil, "a place that names the server also refers to another server with this name"
				}
				entries, more = append(entries, r.Copies.WithCopies(o)...), true
			}
		}
	}
	return entries, at, ""
}

// isAll reports whether the files of some places name no other tools of the server, as the text of
// an agent may.
func (r *Renames) isAll(mentions []mention) bool {
	type place struct {
		file *syntax.File
		name string
	}
	read := map[place]int{}
	for _, m := range mentions {
		file := m.Document.File
		name := string(file.Bytes[m.Span.Start:m.Span.End])
		if m.ofTool {
			read[place{file, name}]++
		} else if _, known := read[place{file, mcp.InTools(name)}]; !known {
			read[place{file, mcp.InTools(name)}] = 0
		}
	}
	for at, n := range read {
		if r.toolsIn(at.file)[at.name] > n {
			return false
		}
	}
	return true
}

// toolsIn counts the tools in a file by the names of their servers.
func (r *Renames) toolsIn(file *syntax.File) map[string]int {
	if counts, known := r.tools[file]; known {
		return counts
	}
	if r.tools == nil {
		r.tools = map[*syntax.File]map[string]int{}
	}
	counts := map[string]int{}
	r.tools[file] = counts
	for rest := file.Bytes; ; {
		_, after, found := bytes.Cut(rest, []byte(toolPrefix))
		if !found {
			return counts
		}
		end := bytes.IndexFunc(after, func(c rune) bool { return !isToolRune(c) })
		if end < 0 {
			end = len(after)
		}
		name, _, _ := bytes.Cut(after[:end], []byte("__"))
		counts[string(name)]++
		rest = after[len(name):]
	}
}

// keepsPatterns reports whether patterns mean the same servers after one of them got
// another name: "git*" means every server whose name begins so, and goes along with
// the name "git" only if it means no other.
func (r *Renames) keepsPatterns(old, name string) bool {
	for _, both := range [][2]string{{old, name}, {name, old}} {
		is, other := both[0], both[1]
		for end := 1; end <= min(len(is), wording.MaxQuoted); end++ {
			if is[:end] == old || strings.HasPrefix(other, is[:end]) {
				continue
			}
			if r.hasPattern(is[:end]) {
				return false
			}
		}
	}
	return !r.hasPattern(old) || !r.beginsOthers(old)
}

// hasPattern reports whether a pattern matches names that begin with a name.
func (r *Renames) hasPattern(name string) bool {
	if r.begun == nil {
		r.begun = map[string]bool{}
		for begin, mentions := range r.Project.References {
			r.begun[begin] = slices.ContainsFunc(mentions, isPattern)
		}
	}
	return r.begun[name]
}

// beginsOthers reports whether a name is what other servers' names begin with.
func (r *Renames) beginsOthers(name string) bool {
	r.named(name)
	if r.sorted == nil {
		r.sorted = slices.Sorted(maps.Keys(r.byName))
	}
	at, _ := slices.BinarySearch(r.sorted, name+"\x00")
	return at < len(r.sorted) && strings.HasPrefix(r.sorted[at], name)
}

// isPattern reports whether a place means every name that begins so.
func isPattern(m mcp.Mention) bool {
	return bytes.HasPrefix(m.Document.File.Bytes[m.Span.End:], []byte("*"))
}

// takesName reports whether an entry can get a name: no tool made the one it has, and
// every client of its file takes the new one.
func takesName(s *mcp.Server, name string) bool {
	return !s.Shared && s.Extra().NamedBy == nil && s.Extra().WrittenAs == nil && len(name) <= wording.MaxQuoted && standsAsIs(s) && namingsOf([]*mcp.Server{s}).suit(name)
}

// isTaken reports whether something has a name in a document, or in one that a client
// loads together with it.
func (r *Renames) isTaken(doc *mcp.Document, name string) bool {
	loaded := doc.LoadedWith
	if loaded == nil {
		loaded = []*mcp.Document{doc}
	}
	names, known := r.taken[loaded[0]]
	if !known {
		names = map[string]bool{}
		for _, with := range loaded {
			maps.Copy(names, compare.NamesOf(with, nil))
			for _, w := range with.Taken {
				names[w.Text] = true
			}
		}
		if r.taken == nil {
			r.taken = map[*mcp.Document]map[string]bool{}
		}
		r.taken[loaded[0]] = names
	}
	return names[name]
}

// standsAsIs reports whether the file has the name of an entry in plain form.
func standsAsIs(s *mcp.Server) bool {
	text := s.Document.File.Bytes[s.NameSpan.Start:s.NameSpan.End]
	return string(bytes.Trim(text, `"'`)) == s.Name || bytes.IndexByte(text, '\\') >= 0
}

// isFree reports whether what has a name in other files is the entry's server with its
// configuration, or one of those that are settled, and so is what a lockfile has under it.
func (r *Renames) isFree(e *mcp.Server, name string, settled []*mcp.Server) bool {
	others := r.named(name)
	if len(others) > maxRenamed {
		return false
	}
	for _, other := range others {
		isBeside := other.Document.Scope == e.Document.Scope || other.Document.Scope == mcp.ScopeGenerator
		if isBeside && compare.IsRunning(other) && !slices.Contains(settled, other) && sameness.Compare(e.Resolved(), other.Resolved()) < sameness.Undecided {
			return false
		}
	}
	lock := r.Project.GoverningLock()
	if lock == nil {
		return true
	}
	entry := lock.Lock.ByName[name]
	return entry == nil || entry == e.Locked || entry.Target.Identity.Key() == compare.ByKey(e)
}

// named returns the servers of a name in the files that are in use.
func (r *Renames) named(name string) []*mcp.Server {
	if r.byName == nil {
		r.byName = map[string][]*mcp.Server{}
		for doc := range reads.Used(r.Project) {
			for _, s := range doc.Servers {
				r.byName[s.Name] = append(r.byName[s.Name], s)
			}
		}
	}
	return r.byName[name]
}

// mention is a place that names a server.
type mention struct {
	mcp.Mention
	// ofTool reports that it is a part of the name of a tool, in which a client writes
	// every other character of a server's name as "_": mcp__SERVER__TOOL.
	ofTool bool
}

const toolPrefix = "mcp__"

// mentions returns the places in files that are in use which name a server.
func (r *Renames) mentions(name string) []mention {
	var all []mention
	add := func(as string, onlyTools bool) {
		for _, m := range r.Project.References[as] {
			ofTool := bytes.HasSuffix(m.Document.File.Bytes[:m.Span.Start], []byte(toolPrefix))
			if reads.Present.Has(m.Document) && (ofTool || !onlyTools) {
				all = append(all, mention{m, ofTool})
			}
		}
	}
	add(name, false)
	if as := mcp.InTools(name); as != name && len(r.named(as)) == 0 {
		add(as, true)
	}
	return all
}

func isToolRune(c rune) bool {
	return c < 0x80 && (ascii.IsAlphanumeric(byte(c))) || c == '_' || c == '-'
}

// meant returns the servers of a name that a place means: those of its own file,
// otherwise those that a client of that file loads, otherwise all.
func (r *Renames) meant(m mention, name string) []*mcp.Server {
	all := r.named(name)
	var own, loaded []*mcp.Server
	for _, s := range all {
		switch {
		case s.Document.File == m.Document.File:
			own = append(own, s)
		case slices.ContainsFunc(s.Document.Clients, func(c *mcp.Client) bool { return c.Reading(m.Document.Format) != nil }):
			loaded = append(loaded, s)
		}
	}
	switch {
	case own != nil:
		return own
	case loaded != nil:
		return loaded
	}
	return all
}

// renamed returns the text of a place for a new name, and whether there is one: a part of a word
// ends where a client thinks that the name ends.
func (m *mention) renamed(old, name string) (text string, ok bool) {
	switch {
	case m.ofTool:
		name = mcp.InTools(name)
		return name, !strings.Contains(name, "__") && !strings.HasSuffix(name, "_")
	case m.isWhole():
		return name, true
	}
	file := m.Document.File
	isName := string(file.Bytes[m.Span.Start:m.Span.End]) == old // and not what a name may end before
	return name, isName && mcp.InTools(name) == name
}

// isWhole reports whether the name is all that stands between two quotes.
func (m *mention) isWhole() bool {
	text := m.Document.File.Bytes
	isQuote := func(at int) bool { return at >= 0 && at < len(text) && (text[at] == '"' || text[at] == '\'') }
	return isQuote(m.Span.Start-1) && isQuote(m.Span.End)
}
