package view

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// hashWindow is how many characters GitHub's line hash reaches ahead.
const hashWindow = 100

// hashFactor is the multiplier of GitHub's rolling hash. endOfFile is pushed
// after the last character.
const (
	hashFactor uint64 = 37
	endOfFile  uint16 = 65535
)

// lineHashes returns GitHub's primaryLocationLineHash for every line of a
// file, the first line at index 0: a rolling hash over the hundred UTF-16 code
// units that follow the line's first character which is no blank, and how
// often that hash has occurred. The algorithm is that of codeql-action's
// fingerprints.ts; alerts keep their identity only if it is followed exactly.
func lineHashes(content []byte) []string {
	h := lineHasher{oldest: 1, seen: map[uint64]int{}}
	for range hashWindow {
		h.oldest *= hashFactor
	}
	for len(content) > 0 {
		r, size := utf8.DecodeRune(content)
		content = content[size:]
		if r >= 0x10000 {
			high, low := utf16.EncodeRune(r)
			h.character(uint16(high))
			h.character(uint16(low))
			continue
		}
		h.character(uint16(r))
	}
	h.character(endOfFile)
	for range hashWindow {
		if h.pending() {
			h.emit()
		}
		h.push(0)
	}
	return h.lines
}

// lineHasher holds the window: a ring of the last characters and, for each,
// the line that starts there.
type lineHasher struct {
	window [hashWindow]uint16
	starts [hashWindow]bool
	at     int
	hash   uint64
	oldest uint64

	startsLine, started bool // the next character starts a line; one was seen
	previousCR          bool
	seen                map[uint64]int
	lines               []string
}

// character takes one code unit of the file, or the end-of-file mark.
func (h *lineHasher) character(c uint16) {
	if c == ' ' || c == '\t' || h.previousCR && c == '\n' {
		h.previousCR = false
		return
	}
	h.previousCR = c == '\r'
	if h.previousCR {
		c = '\n'
	}
	if h.pending() {
		h.emit()
	}
	if h.startsLine || !h.started {
		h.started, h.startsLine = true, false
		h.starts[h.at] = true
	}
	h.startsLine = c == '\n'
	h.push(c)
}

// pending reports whether the character about to leave the window starts a
// line, whose hash is then complete.
func (h *lineHasher) pending() bool { return h.starts[h.at] }

func (h *lineHasher) emit() {
	h.starts[h.at] = false
	h.seen[h.hash]++
	h.lines = append(h.lines, fmt.Sprintf("%x:%d", h.hash, h.seen[h.hash]))
}

func (h *lineHasher) push(c uint16) {
	left := h.window[h.at]
	h.window[h.at] = c
	h.hash = hashFactor*h.hash + uint64(c) - h.oldest*uint64(left)
	h.at = (h.at + 1) % hashWindow
}
