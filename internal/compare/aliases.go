package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
)

// Aliases calls yield with the entries of every server that files call by more than one
// name.
func Aliases(files []*mcp.Document) func(yield func([]*mcp.Server) bool) {
	return func(yield func([]*mcp.Server) bool) {
		for _, same := range Sharing(WithNames(Running(files)), ByKey) {
			if allNamed(same, same[0].Name) {
				continue
			}
			for _, one := range oneServer(same) {
				one = slices.DeleteFunc(one, func(s *mcp.Server) bool { return IsNameKept(s) || isNamedByLock(s) })
				if len(one) > 1 && !allNamed(one, one[0].Name) && !yield(one) {
					return
				}
			}
		}
	}
}

func allNamed(servers []*mcp.Server, name string) bool {
	return !slices.ContainsFunc(servers, func(s *mcp.Server) bool { return s.Name != name })
}

// IsNameKept reports whether a name is not to be changed and no model for others: a tool
// has made it, or it is one of a registry, with the owner in front.
func IsNameKept(s *mcp.Server) bool {
	extra := s.Extra()
	return extra.NamedBy != nil || extra.InGallery && strings.Contains(s.Name, "/")
}

// isNamedByLock reports whether a lockfile of client files decides the name of a server. If it
// locks something else under the server's name, it says nothing about this server.
func isNamedByLock(s *mcp.Server) bool {
	entry := s.Locked
	if entry == nil || entry.Document.Tool.Of != "" {
		return false
	}
	locked := &entry.Target.Identity
	return locked.Kind == identity.None || locked.Key() == s.Identity.Key() || locked.String() == s.Identity.String() || entry.MentionedIn(s)
}

// oneServer splits entries of one identity into groups that are the same
// server with the same configuration. If every file has only one entry of that identity, a value
// that a person supplies at run time does not turn one server into two. If a file has two that
// differ, it is not known which of them another file has. Of hundreds of configurations, only the
// first are compared so closely; the others are one server only if they are equal.
func oneServer(same []*mcp.Server) [][]*mcp.Server {
	least := sameness.Undecided
	if !OnePerFile(same) {
		least = sameness.Equivalent
	}
	var groups [][]*mcp.Server
	var known []instance       // the first ones
	others := map[string]int{} // the groups of those behind them
	for _, s := range same {
		this := instance{entry: s, config: s.Resolved().Config(), words: OwnWords(s)}
		at := slices.IndexFunc(known, func(other instance) bool { return other.isSameAs(&this, least) })
		if at >= 0 {
			this.group = known[at].group
			groups[this.group] = append(groups[this.group], s)
		} else if group, isOther := others[this.key()]; isOther {
			groups[group] = append(groups[group], s)
		} else {
			this.group = len(groups)
			groups = append(groups, []*mcp.Server{s})
			others[this.key()] = this.group
		}
		if len(known) < maxCompared && !slices.ContainsFunc(known, this.isRepeated) {
			known = append(known, this)
		}
	}
	switch {
	case len(groups) > 1 && !OnePerFile(same) && isApart(groups):
		return nil
	case len(groups) == 2 && isExtended(groups[0][0], groups[1][0]):
		return [][]*mcp.Server{same}
	}
	return groups
}

// isApart reports whether a file has entries of two groups.
func isApart(groups [][]*mcp.Server) bool {
	in := map[*mcp.Document]int{}
	for i, group := range groups {
		for _, s := range group {
			if other, isKnown := in[s.Document]; isKnown && other != i {
				return true
			}
			in[s.Document] = i
		}
	}
	return false
}

// instance is an entry with what tells it from others of its identity.
type instance struct {
	entry  *mcp.Server
	config identity.Config
	words  []string // of the name, those that do not say what it runs
	group  int
}

// isSameAs reports whether two entries of one identity are one server. Words in a name may refer to
// what the other entry does not say: a variable, even one that is only passed on, or which of two
// accounts a person supplies.
func (a *instance) isSameAs(b *instance, least sameness.Level) bool {
	level := sameness.CompareConfigs(a.config, b.config)
	switch {
	case level < least:
		return false
	case slices.Equal(a.words, b.words):
		return true
	case level == sameness.Undecided && isQualified(a.entry.Name, b.entry.Name):
		return false
	}
	return a.namesAll(b) && b.namesAll(a)
}

// namesAll reports whether an entry names all variables and headers of another one.
func (a *instance) namesAll(b *instance) bool {
	settings := sameness.Beyond(b.config, a.config)
	for _, name := range b.config.PassedOn {
		settings = append(settings, identity.Setting{Name: name})
	}
	return !slices.ContainsFunc(settings, func(set identity.Setting) bool { return !names(a.entry, set.Name) })
}

// isRepeated reports whether an entry says nothing that another one does not say.
func (a *instance) isRepeated(b instance) bool {
	return a.entry.Name == b.entry.Name && a.key() == b.key()
}

// key is equal for entries that say the same.
func (a *instance) key() string {
	return a.config.Key() + "\x02" + strings.Join(a.config.PassedOn, "\x00") + "\x02" + strings.Join(a.words, "\x00")
}

// isQualified reports whether one of two names is the other with more words, as "db-readonly" is of
// "db": the words say which server it is.
func isQualified(a, b string) bool {
	x, y := WithoutServer(identity.Words(a)), WithoutServer(identity.Words(b))
	isIn := func(words, all []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(all, word) })
	}
	return isIn(x, y) != isIn(y, x)
}

// isExtended reports whether one entry has all that the other sets, and more variables or headers
// that the other does not name. They are one server, unless a word in a name may refer to those, as
// in "db" and "db-readonly".
func isExtended(a, b *mcp.Server) bool {
	x, y := a.Resolved().Config(), b.Resolved().Config()
	return sameness.CompareConfigs(x, y) == sameness.Superset &&
		!namesAny(b, sameness.Beyond(x, y)) && !namesAny(a, sameness.Beyond(y, x)) &&
		slices.Equal(OwnWords(a), OwnWords(b))
}

// namesAny reports whether an entry passes on, from its own environment, a setting for which
// another entry has a value.
func namesAny(s *mcp.Server, settings []identity.Setting) bool {
	return slices.ContainsFunc(settings, func(set identity.Setting) bool { return !set.Supplied && names(s, set.Name) })
}

// names reports whether an entry names a variable or header.
func names(s *mcp.Server, name string) bool {
	is := func(p identity.Pair) bool { return strings.EqualFold(p.Name.Text, name) }
	has := func(w identity.Word) bool { return strings.Contains(w.Text, name) }
	return slices.ContainsFunc(s.Launch.Env, is) || slices.ContainsFunc(s.Launch.Headers, is) ||
		slices.ContainsFunc(s.Launch.Args, has) || slices.ContainsFunc(s.Launch.PassEnv, has)
}

// OwnWords returns the words of a name that neither say what a server is nor occur in what it runs,
// sorted.
func OwnWords(s *mcp.Server) []string {
	known := identity.Words(s.Identity.String())
	words := slices.DeleteFunc(WithoutServer(identity.Words(s.Name)), func(word string) bool { return slices.Contains(known, word) })
	slices.Sort(words)
	return words
}

// WithoutServer leaves out the words that only say that something is a server.
func WithoutServer(words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return word == "mcp" || word == "server" || word == "my" })
}
