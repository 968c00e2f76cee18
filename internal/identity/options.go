package identity

import (
	"cmp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// options is a program's own option grammar: it tells the program's options
// from what follows them. Names are sorted and have their dashes.
type options struct {
	// values take the next word as their value, unless they are written
	// "--name=value".
	values []string
	// npm is the rule of npm's parser (nopt): short options may be joined, and the last of them may
	// take a value, a long one may have one dash, and no value begins with "-".
	npm bool
	// clusters allows short options to be joined: "-it", "-eK=V", "-p8080:80".
	clusters bool
	// long are short options and the long spelling that they are known by.
	long []pair
}

// option is one option as written.
type option struct {
	name  string // "--package", "-e"; "--" for the word that ends the options
	value Word
	word  Word
}

// next returns the option that args begin with and what follows it; ok is
// false when args begin with something else.
func (o *options) next(args []Word) (opt option, rest []Word, ok bool) {
	opt, rest, ok = o.asWritten(args)
	if len(o.long) > 0 {
		if long, found := pairOf(o.long, opt.name); found {
			opt.name = long
		}
	}
	return opt, rest, ok
}

// asWritten is next with the option's name as it is written.
func (o *options) asWritten(args []Word) (opt option, rest []Word, ok bool) {
	if len(args) == 0 {
		return option{}, args, false
	}
	w := args[0]
	if len(w.Text) < 2 || w.Text[0] != '-' {
		return option{}, args, false
	}
	rest = args[1:]
	if w.Text == "--" {
		return option{name: "--", word: w}, rest, true
	}
	if o.clusters && w.Text[1] != '-' {
		opt, rest = o.cluster(w, rest)
		return opt, rest, true
	}
	opt = option{name: w.Text, word: w}
	if equals := strings.IndexByte(w.Text, '='); equals > 0 {
		opt.name, opt.value = w.Text[:equals], w.From(equals+1)
		return opt, rest, true
	}
	opt.name = o.asOne(opt.name)
	if len(rest) > 0 && o.takesValue(opt.name, rest[0].Text) {
		opt.value, rest = rest[0], rest[1:]
	}
	return opt, rest, true
}

// takesValue reports whether the option's value is the next word.
func (o *options) takesValue(name, next string) bool {
	if !o.npm {
		return listed(o.values, name)
	}
	return !strings.HasPrefix(next, "-") && listed(o.values, name)
}

// npmJoined are npm's short options of one letter.
const npmJoined = "?BCDEHLOPSacdfghlmnpqsvwy"

// asOne returns the option that npm reads a word as: the last of joined short ones ("-yq" is "-q"),
// and for a long one with one dash the same with two.
func (o *options) asOne(name string) string {
	letters := strings.TrimLeft(name, "-")
	switch {
	case !o.npm || len(letters) < 2 || listed(o.values, name):
		return name
	case listed(o.values, "-"+name):
		return "-" + name
	case strings.Trim(letters, npmJoined) == "" && letters[len(letters)-1] != 'p': // npm's own -p takes no value
		return cmp.Or(shortOption(letters[len(letters)-1]), name)
	}
	return name
}

// cluster reads joined short options. The first of them that takes a value ends the word; the
// switches before it do not matter here.
func (o *options) cluster(w Word, rest []Word) (option, []Word) {
	for i := 1; i < len(w.Text); i++ {
		if w.Text[i] == '=' {
			return option{name: w.Text[:i], value: w.From(i + 1), word: w}, rest
		}
		name := shortOption(w.Text[i])
		if !listed(o.values, name) {
			continue
		}
		opt := option{name: name, word: w}
		switch {
		case i+1 < len(w.Text) && w.Text[i+1] == '=':
			opt.value = w.From(i + 2)
		case i+1 < len(w.Text):
			opt.value = w.From(i + 1)
		case len(rest) > 0:
			opt.value, rest = rest[0], rest[1:]
		}
		return opt, rest
	}
	return option{name: w.Text, word: w}, rest
}

// shortOption returns "-c" for the letter c without allocating.
func shortOption(c byte) string {
	const letters = "-0-1-2-3-4-5-6-7-8-9-A-B-C-D-E-F-G-H-I-J-K-L-M-N-O-P-Q-R-S-T-U-V-W-X-Y-Z-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z"
	at := 0
	switch {
	case ascii.IsDigit(c):
		at = int(c - '0')
	case 'A' <= c && c <= 'Z':
		at = 10 + int(c-'A')
	case 'a' <= c && c <= 'z':
		at = 36 + int(c-'a')
	default:
		return ""
	}
	return letters[2*at : 2*at+2]
}

// skip drops the options that args begin with, "--" included.
func (o *options) skip(args []Word) []Word {
	for {
		opt, rest, ok := o.next(args)
		if !ok {
			return args
		}
		args = rest
		if opt.name == "--" {
			return args
		}
	}
}

// dropDashes drops one "--" at the start.
func dropDashes(args []Word) []Word {
	if len(args) > 0 && args[0].Text == "--" {
		return args[1:]
	}
	return args
}

// run makes args the next program and its arguments.
func (r *resolver) run(args []Word) outcome {
	args = dropDashes(args)
	if len(args) == 0 {
		return unknown
	}
	r.prog, r.args = args[0], args[1:]
	return again
}
