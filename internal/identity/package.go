package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// packageSpec is what a launcher is asked to fetch.
type packageSpec struct {
	kind    Kind
	name    string
	word    Word // where it is written
	version Version
	// bin is the program that the package is known to contain. A launcher that starts another one
	// names it.
	bin string
	// selector and extra are what the spec itself says beyond name and version
	// (a sub-directory, Python extras).
	selector, extra string
}

// settlePackage records a package started with args: program is what the
// launcher starts of it, "" for its default.
func (r *resolver) settlePackage(p packageSpec, program string, args []Word) outcome {
	args = dropDashes(args)
	n := selectorWords(args)
	count := n
	if p.selector != "" {
		count++
	}
	if program == p.bin {
		program = ""
	}
	if program != "" {
		count++
	}
	if count > 0 {
		r.id.Selector = make([]string, 0, count)
		if p.selector != "" {
			r.id.Selector = append(r.id.Selector, p.selector)
		}
		if program != "" {
			r.id.Selector = append(r.id.Selector, program)
		}
		for _, w := range args[:n] {
			r.id.Selector = append(r.id.Selector, w.Text)
		}
	}
	if p.extra != "" {
		r.extra = append(r.extra, p.extra)
	}
	r.args = args[n:]
	r.id.Version = p.version
	return r.settle(p.kind, p.name, p.word)
}

// isBeside reports whether the program that a launcher starts along with a package is not part of
// that package, and settles it then: "npx -p pkg ./script.sh", "uvx --from pkg python x.py". A bare
// name and a module are looked up in the package.
func (r *resolver) isBeside(pkg Word, spec func(Word) (packageSpec, bool), args []Word) bool {
	args = dropDashes(args)
	if r.depth >= maxDepth || len(args) == 0 || IsHTTP(args[0].Text) {
		return false
	}
	p, _ := spec(pkg)
	l := launcherOf(args[0].Text)
	isPath := r.isPathWord(args[0].Text) || strings.ContainsAny(args[0].Text, `/\`)
	if !isPath && (l == nil || !l.startsAny() || l == toolOf(p.kind, p.name)) {
		return false
	}
	before := *r
	r.depth++
	r.install(pkg, spec)
	r.prog, r.args = args[0], args[1:]
	r.command()
	if r.id.Kind == Exec || r.id.Kind == None || r.id.Kind == p.kind && r.id.Name == p.name {
		*r = before
		return false
	}
	return true
}

// startsAny reports whether a launcher is a shell, an interpreter or another program that starts
// any program it is given: no package has a program of that name.
func (l *launcher) startsAny() bool {
	switch l.read {
	case readShell, readCmd, readPowerShell, readScript, readPython, readDeno, readEnv, readWrapper, readNPX, readUVX, readManager:
		return true
	}
	return false
}

// selectorWords counts the leading words that name a sub-command. A credential does not count.
func selectorWords(args []Word) int {
	n := 0
	for n < len(args) && isSelectorWord(args[n].Text) {
		n++
	}
	return n
}

// maxSelector is the longest word taken for a sub-command.
const maxSelector = 64

func isSelectorWord(text string) bool {
	if text == "" || len(text) > maxSelector || !('a' <= text[0] && text[0] <= 'z' || ascii.IsDigit(text[0])) {
		return false
	}
	for i := 1; i < len(text); i++ {
		c := text[i]
		if !('a' <= c && c <= 'z' || ascii.IsDigit(c) || c == ':' || c == '_' || c == '-') {
			return false
		}
	}
	return !looksSecret(text)
}

// looksSecret reports whether a word may be a credential rather than a name: a
// known token, or a long run of digits and letters.
func looksSecret(text string) bool {
	if len(text) < 16 {
		return false
	}
	if secret.IsSecret("", text) {
		return true
	}
	digits := 0
	for i := 0; i < len(text); i++ {
		if !ascii.IsAlphanumeric(text[i]) {
			return false
		}
		if ascii.IsDigit(text[i]) {
			digits++
		}
	}
	return len(text) >= 20 && digits >= 3 && digits < len(text)
}

// gitRepository returns the canonical form of a git URL in any spelling:
// git+ssh://git@github.com/o/r.git, git@github.com:o/r, https://github.com/o/r.
func gitRepository(text string) string {
	text = strings.TrimPrefix(text, "git+")
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		if scheme == "file" {
			return text
		}
		text = rest
	} else if host, rest, ok := strings.Cut(text, ":"); ok && !strings.Contains(host, "/") {
		text = host + "/" + rest // git@host:owner/repository
	}
	host, rest, _ := strings.Cut(text, "/")
	host = lowerName(host[strings.LastIndexByte(host, '@')+1:])
	rest = strings.TrimSuffix(strings.TrimRight(rest, "/"), ".git")
	if host == "github.com" {
		rest = lowerName(rest) // GitHub's names have no case
	}
	return "https://" + host + "/" + rest
}

// hostedRepository returns the URL of "github:o/r" and its like.
func hostedRepository(service, rest string) string {
	switch service {
	case "github":
		return "https://github.com/" + lowerName(strings.TrimSuffix(rest, ".git"))
	case "gitlab":
		return "https://gitlab.com/" + strings.TrimSuffix(rest, ".git")
	case "bitbucket":
		return "https://bitbucket.org/" + strings.TrimSuffix(rest, ".git")
	case "gist":
		return "https://gist.github.com/" + rest[strings.LastIndexByte(rest, '/')+1:] // its owner may come before it
	}
	return ""
}

// gitSpec returns the spec of a repository with its reference.
func gitSpec(w Word, repository string, ref Word) packageSpec {
	return packageSpec{kind: Git, name: repository, word: w, version: gitVersion(ref), bin: BaseName(repository)}
}
