package syntax

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Within brackets, yaml/v3 takes every question mark for one that begins a key:
// [https://host/?a=1] is an error to it. js-yaml 4.1, yaml 2.8 and libyaml 0.2.5
// read a text there. Where the parser stops at a question mark, the document is
// therefore parsed again with a stand-in for each that can only be text.

// stopsAtQuestionMark reports whether a question mark is where an error stands.
func stopsAtQuestionMark(f *File, err error) bool {
	var problem *Error
	return errors.As(err, &problem) && problem.Span.Start < len(f.Bytes) && f.Bytes[problem.Span.Start] == '?'
}

// withStandIns returns data with a stand-in for each question mark that is part of
// a text, and the stand-in: a character that data does not have, so that every one
// of it is a question mark. It is as wide as one where the parser counts, in code
// points.
func withStandIns(data []byte) (changed []byte, standIn string) {
	if standIn = unusedCharacter(data); standIn == "" {
		return data, ""
	}
	place := yamlPlace{isWordStart: true}
	for i, c := range data {
		if c == '?' && place.isText(data[i+1:]) {
			changed = append(changed, standIn...)
			place.pass('a')
			continue
		}
		changed = append(changed, c)
		place.pass(c)
	}
	return changed, standIn
}

// unusedCharacter returns a character for private use that is not in data, or ""
// if all are.
func unusedCharacter(data []byte) string {
	const first, last = '\ue000', '\uf8ff'
	var used [last - first + 1]bool
	for _, r := range string(data) {
		if first <= r && r <= last {
			used[r-first] = true
		}
	}
	if i := slices.Index(used[:], false); i >= 0 {
		return string(rune(first + i))
	}
	return ""
}

// yamlPlace is what comes before a character on its line.
type yamlPlace struct {
	before      byte // the last that is not blank, 0 if there is none
	isBlank     bool // a blank is between
	isWordStart bool
	isTag       bool // the word is a tag
}

// pass goes behind a character.
func (p *yamlPlace) pass(c byte) {
	switch c {
	case '\r', '\n':
		*p = yamlPlace{isWordStart: true}
	case ' ', '\t':
		p.isBlank, p.isWordStart, p.isTag = true, true, false
	case '[', '{', ',':
		*p = yamlPlace{before: c, isWordStart: true}
	default:
		if p.isWordStart {
			p.isTag = c == '!'
		}
		p.before, p.isBlank, p.isWordStart = c, false, false
	}
}

// isText reports whether a question mark can only be text: what follows is neither
// a blank nor a bracket, or what comes before it on its line is also text. In a tag it stays as it
// is.
func (p *yamlPlace) isText(rest []byte) bool {
	switch {
	case p.isTag:
		return false
	case len(rest) > 0 && !isYAMLSpace(rest[0]) && strings.IndexByte(",[]{}", rest[0]) < 0:
		return true
	case p.isBlank:
		return p.before != 0 && strings.IndexByte("[]{},:?-\"'", p.before) < 0
	}
	return p.before != 0 && strings.IndexByte("[{,\"'", p.before) < 0
}

// restore puts the question marks back into what was read.
func restore(y *yaml.Node, standIn string) {
	y.Value = strings.ReplaceAll(y.Value, standIn, "?")
	for _, child := range y.Content {
		restore(child, standIn)
	}
}
