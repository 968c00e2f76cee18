package main

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/mcplumb/mcplumb/internal/policy"
)

// mutant is a sample with one damaged file.
type mutant struct {
	index  int
	sample *sample
	files  map[string]string
	dir    string // its directory among the others
	path   string // of the file that was damaged
	damage string // the kinds of damage
	secret string // the part of a planted token that must not appear
}

// settings reports whether a mutant adds settings, which apply to a repository as a whole.
func (m *mutant) settings() bool { return m.files[policy.SettingsName] != "" }

// maker makes mutants: the same seed and index give the same mutant on every machine.
type maker struct {
	samples []*sample
	seed    uint64
}

// dirs are names of directories; most are harmless.
var dirs = []string{"d", "d", "d", "d", "d", "d", "d", "d", "d e", "d\x1b[31m", "d\n::error::x", "##[error]d", "d\u202ed", "<b>d|`d`", "d\u2028"}

func (k *maker) mutant(index int) *mutant {
	random := rand.New(rand.NewPCG(k.seed, uint64(index)))
	s := k.samples[random.IntN(len(k.samples))]
	m := &mutant{
		index: index, sample: s, files: maps.Clone(s.files),
		dir: fmt.Sprint(one(random, dirs), index), path: one(random, s.paths),
	}
	d := &damage{Rand: random, text: m.files[m.path], other: k.other(random)}
	if random.IntN(8) == 0 {
		if m.secret = d.plant(); !d.intact() {
			d = &damage{Rand: random, text: m.files[m.path], other: d.other}
			m.secret = ""
		}
	}
	ways := ways()
	for range random.IntN(4) {
		way, before := one(random, ways), d.text
		way.apply(d)
		if len(d.text) > longest || !d.intact() {
			d.text = before
			continue
		}
		d.damage = append(d.damage, way.name)
	}
	m.files[m.path], m.damage = d.text, strings.Join(d.damage, ", ")
	return m
}

// longest is how long a damaged file may grow, in bytes.
const longest = 200_000

// other returns the text of a file of any sample.
func (k *maker) other(random *rand.Rand) string {
	s := one(random, k.samples)
	return s.files[one(random, s.paths)]
}

func one[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }

// damage is a text while it is damaged.
type damage struct {
	*rand.Rand
	text, other string
	token       string
	damage      []string
}

// intact reports whether the planted text is still a token: a part of one has no issuer's
// form, and a token cannot begin after a letter.
func (d *damage) intact() bool {
	if d.token == "" {
		return true
	}
	parts := strings.Split(d.text, d.token)
	for i, part := range parts {
		if i < len(parts)-1 && word.MatchString(part) {
			return false
		}
		for at := 0; at+window <= len(d.token); at++ {
			if strings.Contains(part, d.token[at:at+window]) {
				return false
			}
		}
	}
	return len(parts) > 1
}

// way is one way to damage a text.
type way struct {
	name  string
	apply func(*damage)
}

func ways() []way {
	return []way{
		{"a bit", (*damage).flip},
		{"a byte", (*damage).replaceByte},
		{"cut off", func(d *damage) { d.text = d.text[:d.place()] }},
		{"a beginning lost", func(d *damage) { d.text = d.text[d.place():] }},
		{"a part lost", func(d *damage) { from, to := d.part(); d.text = d.text[:from] + d.text[to:] }},
		{"a part twice", func(d *damage) { from, to := d.part(); d.text = d.text[:to] + d.text[from:] }},
		{"a token lost", func(d *damage) { t := d.tokenOf(d.text); d.put(t, "") }},
		{"a token twice", func(d *damage) { t := d.tokenOf(d.text); d.put(t, d.text[t[0]:t[1]]+d.text[t[0]:t[1]]) }},
		{"tokens exchanged", (*damage).exchange},
		{"a token of another file", func(d *damage) { o := d.tokenOf(d.other); d.put(d.tokenOf(d.text), d.other[o[0]:o[1]]) }},
		{"a line twice", func(d *damage) { l := d.line(); d.put([]int{l[1], l[1]}, d.text[l[0]:l[1]]) }},
		{"a line lost", func(d *damage) { d.put(d.line(), "") }},
		{"hostile text", func(d *damage) { at := d.place(); d.put([]int{at, at}, one(d.Rand, hostile)) }},
		{"hostile text for a token", func(d *damage) { d.put(d.tokenOf(d.text), one(d.Rand, hostile)) }},
		{"hostile text within a string", func(d *damage) { s := d.literal(); d.put([]int{s[0] + 1, s[0] + 1}, one(d.Rand, hostile)) }},
		{"a value of another kind", func(d *damage) { d.put(d.literal(), one(d.Rand, values)) }},
		{"something long", (*damage).long},
		{"something deep", (*damage).deep},
		{"an escaped letter", (*damage).escape},
		{"other quotes", func(d *damage) { d.text = strings.ReplaceAll(d.text, `"`, one(d.Rand, []string{"'", "", "“"})) }},
		{"other line ends", func(d *damage) {
			d.text = strings.ReplaceAll(d.text, "\n", one(d.Rand, []string{"\r\n", "\r", "\u2028", ""}))
		}},
		{"another encoding", (*damage).encode},
		{"a part of another file", func(d *damage) { at := d.place(); d.put([]int{at, at}, d.other[:d.IntN(len(d.other)+1)]) }},
	}
}

// hostile are texts that try to leave the place they are put in, or to be nothing.
var hostile = []string{
	"\x1b[2J\x1b]8;;http://x\x07", "\x00", "\u202e", "\u2066", "\u2028", "\u0085", "\u009b", "\ufeff", "\u200b", "\u200d\ufe0f", "\U000e0041",
	"\n::error::x", "::stop-commands::x", "##[error]x", "\r::add-mask::a\r\n", "%0A::error::x",
	`\ud800`, `\udc00\ud800`, `\u0000`, `\u001b[31m`, `\u202e`, `\u2028`, `\n::error::x`, `\r`, "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80",
	"<img src=x onerror=alert(1)>", "](javascript:alert(1))", "| x | `y` |", "]]>", "&lt;", "```", "%s%n%!d", "${{ github.token }}", "$(id)", "`id`",
	"../../../etc/passwd", "/dev/zero", "C:\\Users\\bob\\x", "\\\\host\\share", "file:///etc/passwd", "~/.ssh/id_ed25519",
	"{", "}", "[", "]", ",", ":", "\"", "'", "#", "//", "/*", "*/", "---\n", "<<: *a\n", "&a [*a]", "!!binary x", "? ", "- ", "\t", "|\n", "mcplumb: ignore[", "// mcplumb: ignore[alias-drift] x\n",
}

// values may replace a string.
var values = []string{"null", "true", "0", "-1e999", "1_000", "0x1F", "1979-05-27", "[]", "{}", `""`, `[""]`, `{"":""}`, `[[]]`, `"\u0000"`, `[null]`, `{"a":{"b":{}}}`, "nan", "~", "*a", "'''x'''"}

// place returns a place between two bytes.
func (d *damage) place() int { return d.IntN(len(d.text) + 1) }

// part returns a part of some bytes, now and then of many.
func (d *damage) part() (from, to int) {
	from = d.place()
	return from, min(from+1+d.IntN(one(d.Rand, []int{4, 40, 400})), len(d.text))
}

func (d *damage) put(span []int, text string) {
	d.text = d.text[:span[0]] + text + d.text[span[1]:]
}

func (d *damage) flip() {
	if len(d.text) > 0 {
		at := d.IntN(len(d.text))
		d.put([]int{at, at + 1}, string([]byte{d.text[at] ^ 1<<d.IntN(8)}))
	}
}

func (d *damage) replaceByte() {
	if len(d.text) > 0 {
		at := d.IntN(len(d.text))
		d.put([]int{at, at + 1}, string([]byte{byte(d.IntN(256))}))
	}
}

var (
	tokens   = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|[\w.@/$-]+|[^\s\w]`)
	word     = regexp.MustCompile(`[\w.-]$`)
	literals = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
)

// tokenOf returns where a token of a text is: a string, a word or a sign.
func (d *damage) tokenOf(text string) []int { return d.match(tokens, text) }

// literal returns where a string in quotes is, or a token in a text without any.
func (d *damage) literal() []int {
	if !strings.Contains(d.text, `"`) {
		return d.near(d.tokenOf(d.text))
	}
	return d.near(d.match(literals, d.text))
}

// near keeps the place behind the first byte of a span within the text.
func (d *damage) near(span []int) []int {
	if span[0] >= len(d.text) {
		span[0] = max(len(d.text)-1, 0)
	}
	if len(d.text) == 0 {
		d.text = " "
	}
	span[1] = max(span[1], span[0]+1)
	return span
}

// match returns the first match behind some place, or in the whole text.
func (d *damage) match(pattern *regexp.Regexp, text string) []int {
	at := d.IntN(len(text) + 1)
	if span := pattern.FindStringIndex(text[at:]); span != nil {
		return []int{span[0] + at, span[1] + at}
	}
	if span := pattern.FindStringIndex(text); span != nil {
		return span
	}
	return []int{len(text), len(text)}
}

func (d *damage) exchange() {
	a, b := d.tokenOf(d.text), d.tokenOf(d.text)
	if a[0] > b[0] {
		a, b = b, a
	}
	if a[1] <= b[0] {
		d.text = d.text[:a[0]] + d.text[b[0]:b[1]] + d.text[a[1]:b[0]] + d.text[a[0]:a[1]] + d.text[b[1]:]
	}
}

// line returns where a line is, with its end.
func (d *damage) line() []int {
	at := d.place()
	from := strings.LastIndexByte(d.text[:at], '\n') + 1
	if to := strings.IndexByte(d.text[at:], '\n'); to >= 0 {
		return []int{from, at + to + 1}
	}
	return []int{from, len(d.text)}
}

func (d *damage) long() {
	text := strings.Repeat(one(d.Rand, []string{"x", "a:", "-", "/a", "KEY=$", "\u00e9", "{a,a}", "${A}"}), 1<<d.IntN(14))
	d.put(d.literal(), `"`+text+`"`)
}

func (d *damage) deep() {
	n := 1 << d.IntN(12)
	pair := one(d.Rand, [][2]string{{"[", "]"}, {`{"a":`, "}"}, {"- ", ""}, {"{a: ", "}"}})
	d.put(d.literal(), strings.Repeat(pair[0], n)+`"x"`+strings.Repeat(pair[1], one(d.Rand, []int{n, n, n - 1, 0})))
}

// escape writes a letter of a string as its number.
func (d *damage) escape() {
	span := d.literal()
	at := span[0] + d.IntN(span[1]-span[0])
	if c := d.text[at]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
		d.put([]int{at, at + 1}, fmt.Sprintf(`\u%04x`, c))
	}
}

// encode writes the text in UTF-16, or puts the mark of an encoding before it.
func (d *damage) encode() {
	units := utf16.Encode([]rune(d.text))
	switch d.IntN(4) {
	case 0:
		d.text = "\xff\xfe" + bytesOf(units, binary.LittleEndian)
	case 1:
		d.text = "\xfe\xff" + bytesOf(units, binary.BigEndian)
	case 2:
		d.text = bytesOf(units, binary.LittleEndian)
	default:
		d.text = "\ufeff" + d.text
	}
}

func bytesOf(units []uint16, order binary.AppendByteOrder) string {
	var all []byte
	for _, unit := range units {
		all = order.AppendUint16(all, unit)
	}
	return string(all)
}

// plant replaces a string with a token, and returns its secret part.
func (d *damage) plant() (secret string) {
	form := one(d.Rand, forms())
	for range form.length {
		secret += string(form.alphabet[d.IntN(len(form.alphabet))])
	}
	if form.dot > 0 {
		secret = secret[:form.dot] + "." + secret[form.dot:]
	}
	d.token = form.prefix + secret
	text := fmt.Sprintf(one(d.Rand, []string{"%s", "%s", "%s", "Bearer %s", "--api-key=%s", "https://user:%s@h.acme.dev/mcp?a=1", "https://h.acme.dev/mcp?api_key=%s", "TOKEN=%s", "x %s y", "the key: %s."}), d.token)
	span := d.literal()
	if d.text[span[0]] == '"' {
		text = `"` + text + `"`
	}
	d.put(span, text)
	d.damage = append(d.damage, "a token "+form.prefix+" planted")
	return secret
}

// form is how an issuer makes tokens: their prefix, and characters, with a dot after some
// of them.
type form struct {
	prefix, alphabet string
	length, dot      int
}

func forms() []form {
	const small, capital, digit = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	const all = small + capital + digit
	return []form{
		{"ghp_", all, 36, 0}, {"gho_", all, 36, 0}, {"github_pat_", all, 82, 0}, {"glpat-", all, 20, 0}, {"hf_", small + capital, 34, 0}, {"npm_", all, 36, 0},
		{"AK" + "IA", capital + "234567", 16, 0}, {"AIza", all, 35, 0}, {"sk_live_", all, 24, 0}, {"sk-ant-api03-", all, 93, 0}, {"sk-proj-", all, 48, 0},
		{"xoxb-1234567890-", all, 24, 0}, {"dckr_pat_", all, 27, 0}, {"lin_api_", all, 40, 0}, {"gsk_", all, 52, 0}, {"pypi-", all, 120, 0}, {"SG.", all, 65, 22},
	}
}
