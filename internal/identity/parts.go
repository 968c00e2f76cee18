package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Parts are what was understood of a launch on the way to its identity.
type Parts struct {
	// Lines are the command lines that shells are given.
	Lines []shell.Line
	// Code are the texts that interpreters are given as programs: node -e, python -c.
	Code []Word
	// Encoded are programs that a shell is given in base64: powershell -EncodedCommand.
	Encoded []Word
	// Container is what the server runs in; nil if it runs on this machine.
	Container *ContainerOptions
	// Local are the arguments that are read on this machine: of a container's, what
	// it mounts and which files its options name, of a remote shell's none.
	Local []Word
	// Options are those of launchers and interpreters in front of what they start, as they
	// are written, without those that leave a server what it is.
	Options []Option
	// Expands reports that a program on the way expands variables among its arguments, as cmd and
	// the loaders of .env files do, or passes them to a shell, as ssh and runners of targets do. It
	// does not cover shells, which always do so with their lines.
	Expands bool
	// Env are the variables that the server gets: those of the entry, and those that
	// options and command lines set.
	Env []Pair
	// Dir is the directory the server works in: from the repository root ("." is the
	// root itself), absolute, or beginning with a variable.
	Dir string

	args    []Word // of the launch
	end     int    // of those that are read on this machine
	reached []Word // programs whose command line was read
}

// Option is an option of a launcher.
type Option struct {
	// Name has its dashes, in the long spelling if that is known.
	Name string
	// Value is in canonical form, "" without one. It may hold secrets.
	Value string
	// Span is the word of the option. At is its value, zero without one.
	Span, At syntax.Span
}

// ContainerOptions are what options of docker, podman and their like say.
type ContainerOptions struct {
	// Image is what is run; empty for a container that runs already and for a
	// service of a compose file.
	Image  Word
	Mounts []Mount
	Env    []Pair
	// Handed are variables of this machine that it gets, by name.
	Handed []Word
	// Files are files of this machine that options name: of variables, of services.
	Files []Word
	// Given are the options of docker run and similar commands as they are written, in order, and
	// Program the word after them: an image, a container or a service. They are those of the
	// outermost container.
	Given   []*Given
	Program Word
}

// Given is an option of a container as it is written.
type Given struct {
	// Key is VariableOption with a name of an option that gives a variable, else the
	// option with its value.
	Key   string
	Value Word
	// Words are one or two; there are none if other short options are joined to it.
	Words []Word
}

// VariableOption begins the key of an option that gives a container a variable: -e NAME,
// which takes the value from docker's own variables, or -e NAME=value.
const VariableOption = "--env="

// Find returns the last option of a key, or nil.
func (c *ContainerOptions) Find(key string) (last *Given) {
	for _, g := range c.Given {
		if g.Key == key {
			last = g
		}
	}
	return last
}

// given notes an option of a container.
func (c *ContainerOptions) given(opt *option) {
	g := &Given{Key: opt.name + "=" + opt.value.Text, Value: opt.value}
	if opt.name == "--env" {
		name, _, _ := strings.Cut(opt.value.Text, "=")
		g.Key = VariableOption + name
	}
	if opt.name != "--env" || strings.HasPrefix(opt.word.Text, "-e") || strings.HasPrefix(opt.word.Text, "--") {
		g.Words = []Word{opt.word}
		if opt.value.Text != "" && !opt.word.Span.Contains(opt.value.Span) {
			g.Words = append(g.Words, opt.value)
		}
	}
	c.Given = append(c.Given, g)
}

// Mount is a file or directory of this machine, or a volume, and where the
// container sees it.
type Mount struct{ Source, Target Word }

// maxScanned is how many launchers are examined among the arguments of unknown programs. It bounds
// the cost of a hostile entry.
const maxScanned = 8

// Parts returns the parts found on the way to the identity. After an unknown program, launchers are
// found by their names.
func (e Resolved) Parts() Parts {
	p := &Parts{args: e.Launch.Args, end: len(e.Launch.Args)}
	r := begin(e.Launch, e.Context)
	r.parts = p
	beforeAll := r
	r.follow(e.Launch)
	p.Env, p.Dir = r.env, r.dir
	scanned := 0
	for i, w := range p.args {
		l := launcherOf(w.Text)
		if l == nil || !l.scanned || i+1 == len(p.args) || slices.Contains(p.reached, w) {
			continue
		}
		if scanned++; scanned > maxScanned {
			break
		}
		inner := beforeAll
		inner.prog, inner.args = w, p.args[i+1:]
		inner.step(l)
	}
	p.Local = p.args[:p.end:p.end]
	if c := p.Container; c != nil {
		for _, m := range c.Mounts {
			p.Local = append(p.Local, m.Source)
		}
		p.Local = append(p.Local, c.Files...)
	}
	return *p
}

// reach notes that the command line of a program is read; p may be nil.
func (p *Parts) reach(l *launcher, prog Word, args []Word) {
	if p == nil {
		return
	}
	p.reached = append(p.reached, prog)
	p.Expands = p.Expands || l.expands
	isTail := len(args) > 0 && len(p.args) >= len(args) && &args[len(args)-1] == &p.args[len(p.args)-1]
	if l.elsewhere && isTail {
		p.end = min(p.end, len(p.args)-len(args))
	}
}

// addLine notes a command line; p may be nil.
func (p *Parts) addLine(line shell.Line) {
	if p == nil || slices.ContainsFunc(p.Lines, func(other shell.Line) bool { return slices.Equal(other.Words, line.Words) }) {
		return
	}
	p.Lines = append(p.Lines, line)
}

// addCode notes a text that an interpreter is given as its program; p may be nil.
func (p *Parts) addCode(w Word) {
	if p != nil {
		p.Code = append(p.Code, w)
	}
}

// addEncoded notes a program in base64; p may be nil.
func (p *Parts) addEncoded(w Word) {
	if p != nil {
		p.Encoded = append(p.Encoded, w)
	}
}

// container returns what is known of the container, from now on something.
func (p *Parts) container() *ContainerOptions {
	if p.Container == nil {
		p.Container = &ContainerOptions{}
	}
	return p.Container
}

// addImage notes the image of a container; p may be nil.
func (p *Parts) addImage(w Word) {
	if p != nil {
		p.container().Image = w
	}
}

// endOptions notes the word after the options of a container; p may be nil.
func (p *Parts) endOptions(w Word) {
	if p != nil && p.container().Program.Text == "" {
		p.Container.Program = w
	}
}

// addOption notes an option of docker run, docker exec or docker compose; p may
// be nil.
func (p *Parts) addOption(opt *option) {
	if p == nil {
		return
	}
	c, value := p.container(), opt.value
	if c.Program.Text == "" {
		c.given(opt)
	}
	switch opt.name {
	case "--env":
		if equals := strings.IndexByte(value.Text, '='); equals > 0 {
			c.Env = append(c.Env, Pair{value.Part(0, equals), value.From(equals + 1)})
		} else if equals < 0 && value.Text != "" {
			c.Handed = append(c.Handed, value)
		}
	case "--volume":
		if end := volumeSource(value.Text); end > 0 {
			c.Mounts = append(c.Mounts, Mount{value.Part(0, end), mountTarget(value.From(end + 1))})
		}
	case "--mount":
		m := Mount{mountField(value, "source", "src"), mountField(value, "target", "destination", "dst")}
		if m.Source.Text != "" {
			c.Mounts = append(c.Mounts, m)
		}
	case "--env-file", "--file", "-f":
		c.Files = append(c.Files, value)
	}
}

// mountTarget returns the directory of "directory[:mode]".
func mountTarget(w Word) Word {
	if colon := strings.IndexByte(w.Text, ':'); colon >= 0 {
		return w.Part(0, colon)
	}
	return w
}

// mountField returns the value of one of the names in "type=bind,source=x,…".
func mountField(w Word, names ...string) Word {
	for from := 0; from < len(w.Text); {
		end := len(w.Text)
		if comma := strings.IndexByte(w.Text[from:], ','); comma >= 0 {
			end = from + comma
		}
		if name, _, ok := strings.Cut(w.Text[from:end], "="); ok && slices.Contains(names, name) {
			return w.Part(from+len(name)+1, end)
		}
		from = end + 1
	}
	return Word{}
}
