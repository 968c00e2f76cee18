package repair

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// RightNames chooses the names that servers should have.
type RightNames struct {
	published compare.Publishes
	// sources are the names in the files that others must follow.
	sources map[*mcp.Server]string
	// mentioned are the names that texts for agents have for servers.
	mentioned map[string]bool
}

func NewRightNames(p *mcp.Project) *RightNames {
	return &RightNames{compare.PublishedBy(p), namesInSources(p), p.Facts.Mentioned}
}

// namesInSources returns the names that entries have in the source of a group of files that must be
// in sync.
func namesInSources(project *mcp.Project) map[*mcp.Server]string {
	names := map[*mcp.Server]string{}
	for _, file := range project.InStep {
		for _, cell := range file.Cells {
			if cell.Server != nil && file.Group.Source != nil {
				names[cell.Server] = cell.Row.Server.Name
			}
		}
	}
	return names
}

// RightName is the name that entries of one server should have.
type RightName struct {
	Text string
	// Unsure says why it is only the one to compare with, "" where it is right.
	Unsure string
	// Tied are the names among which a text for agents may decide.
	Tied []string
}

// NameFor returns the name that a lockfile has, even if only for what should run, else that of the
// source that files must follow, else the one that a client or generator ties the entry to, else the one
// that most files use. No name is right that a client of the files refuses.
func (n *RightNames) NameFor(one []*mcp.Server) RightName {
	for _, named := range []func(*mcp.Server) string{nameInLock, n.nameInSource, nameInGallery, nameInGenerator} {
		for _, s := range one {
			if name := named(s); name != "" {
				return RightName{Text: name, Unsure: Unsuited(one, name)}
			}
		}
	}
	var names, refused []string
	seen, takes := map[string]bool{}, namingsOf(one)
	for _, s := range one {
		switch {
		case seen[s.Name]:
		case takes.suit(s.Name):
			names = append(names, s.Name)
		default:
			refused = append(refused, s.Name)
		}
		seen[s.Name] = true
	}
	// A name with a blank is for people, so it is no fallback.
	if len(refused) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !strings.Contains(name, " ") }) {
		return RightName{Text: compare.MostCommon(one, compare.ByName), Unsure: Unsuited(one, refused[0])}
	}
	return n.settle(one, mostUsed(one, names))
}

func nameInLock(s *mcp.Server) string {
	if s.Locked != nil && s.Locked.Named(s.Name) {
		return s.Name
	}
	return ""
}

func (n *RightNames) nameInSource(s *mcp.Server) string { return n.sources[s] }

func nameInGallery(s *mcp.Server) string {
	if s.Extra().InGallery {
		return s.Name
	}
	return ""
}

func nameInGenerator(s *mcp.Server) string {
	if s.Document.Scope == mcp.ScopeGenerator {
		return s.Name
	}
	return ""
}

// Unsuited says that not every client of the entries' files takes a name, "" where they do.
func Unsuited(one []*mcp.Server, name string) string {
	if !namingsOf(one).suit(name) {
		return "a client that reads one of the files does not accept the name"
	}
	return ""
}

// namings are the names that clients take in the files of entries, those of one client and
// format once: there may be thousands of files.
type namings []*mcp.Naming

func namingsOf(one []*mcp.Server) namings {
	var all namings
	for _, s := range one {
		for _, c := range s.Document.Clients {
			if reading := c.Reading(s.Document.Format); reading != nil && !slices.Contains(all, &reading.Names) {
				all = append(all, &reading.Names)
			}
		}
	}
	return all
}

// suit reports whether every client takes a name: then invalid-name has nothing to say of
// it.
func (all namings) suit(name string) bool {
	return !slices.ContainsFunc(all, func(takes *mcp.Naming) bool { return !takes.Suits(name) })
}

// mostUsed returns those of the names that most of the entries have.
func mostUsed(one []*mcp.Server, names []string) []string {
	count := map[string]int{}
	for _, s := range one {
		count[s.Name]++
	}
	most := 0
	for _, name := range names {
		most = max(most, count[name])
	}
	return slices.DeleteFunc(names, func(name string) bool { return count[name] < most })
}

// settle chooses among names that are as common as each other. What speaks for one of them
// counts where it does not speak for all.
func (n *RightNames) settle(one []*mcp.Server, names []string) RightName {
	id := &one[0].Identity
	program := strings.ToLower(id.Name)
	narrow := func(isBetter func(name string) bool) {
		if better := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isBetter(name) }); len(better) > 0 {
			names = better
		}
	}
	narrow(func(name string) bool {
		published := n.published.NameOf(one[0])
		return published != "" && identity.Short(published) == identity.Short(name)
	})
	narrow(func(name string) bool { return !identity.IsGeneric(name) })
	if id.IsPackage() {
		narrow(func(name string) bool { return isNameOfPackage(name, id.Name) })
		narrow(func(name string) bool { return hasWords(program, name) })
	}
	tied := names
	// A text that names a program may mean the program.
	narrow(func(name string) bool { return n.mentioned[name] && !(id.Kind == identity.Exec && name == id.Name) })
	if id.Kind != identity.Exec { // what people type is often shorter than the name of the server: st, smart-tree
		narrow(func(name string) bool { return hasWords(program, name) })
		narrow(func(name string) bool { return hasWordsFrom(program, name) })
	}
	narrow(func(name string) bool {
		return len(compare.WithoutServer(identity.Words(name))) == len(identity.Words(name))
	})
	narrow(isPlainName)
	if len(names) > 1 {
		return RightName{names[0], "mcplumb cannot tell which of the names is better", tied}
	}
	return RightName{Text: names[0], Tied: tied}
}

// isNameOfPackage reports whether a name is that of a package, except for words that say that it is
// a server: "context7" of @upstash/context7-mcp, "vercel" of @vercel/mcp-server.
func isNameOfPackage(name, pkg string) bool {
	last := compare.WithoutServer(identity.Words(pkg[strings.LastIndexByte(pkg, '/')+1:]))
	if len(last) == 0 {
		last = compare.WithoutServer(identity.Words(pkg))
	}
	return slices.Equal(compare.WithoutServer(identity.Words(name)), last)
}

// hasWords reports whether a text has a name in it as whole words, hasWordsFrom whether
// one of its words begins with it.
func hasWords(text, name string) bool {
	return isFound(text, name, func(rest string) bool { return rest == "" || !isWordByte(rest[0]) })
}

func hasWordsFrom(text, name string) bool {
	return len(name) > 2 && isFound(text, name, func(string) bool { return true })
}

// isFound reports whether a word of a text begins with a name, followed by what may follow it.
func isFound(text, name string, mayFollow func(rest string) bool) bool {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		if at += i; (at == 0 || !isWordByte(text[at-1])) && mayFollow(text[at+len(name):]) {
			return true
		}
	}
}

func isWordByte(c byte) bool {
	return c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// isPlainName reports whether a name is written as most are: without blanks, capitals and
// underscores, which are between servers and tools in the names of these.
func isPlainName(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return c == ' ' || c == '_' || unicode.IsUpper(c) })
}
