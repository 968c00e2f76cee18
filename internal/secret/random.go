package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// isRandom reports whether a value looks generated: it changes
// all the time between kinds of characters, is of letters that no language puts
// side by side, is a long number, or a UUID.
func isRandom(value string) bool {
	return hasRandomRun(value) || hasRareLetters(value) || isLongNumber(value) || isUUID(value)
}

// ShortestUnique is the length in bytes of the shortest value that is unique.
const ShortestUnique = 12

// IsUnique reports whether a value is so long and so unlike words that it occurs nowhere else by
// chance: a text that equals it is the same value.
func IsUnique(value string) bool { return len(value) >= ShortestUnique && isRandom(value) }

// isRandomWord reports whether a value of letters alone is no word: a password that
// a program made.
func isRandomWord(value string) bool {
	if len(value) < 10 || !ascii.All(value, ascii.IsLetter) {
		return false
	}
	common, pairs := letterPairs(value)
	return hasRandomRun(value) || common*3 < pairs
}

// hasRandomRun reports whether a run of letters and digits looks as if no person
// had thought of it: it changes between small letters, capitals and digits at
// every fourth character or oftener. A capital at the start of a word is no
// change.
func hasRandomRun(value string) bool {
	start, changes := 0, 0
	for i := 0; i <= len(value); i++ {
		if i == len(value) || !ascii.IsAlphanumeric(value[i]) {
			if length := i - start; length >= 8 && changes*4 >= length {
				return true
			}
			start, changes = i+1, 0
			continue
		}
		if i > start && classOf(value[i]) != classOf(value[i-1]) && !(ascii.IsUpper(value[i-1]) && ascii.IsLower(value[i])) {
			changes++
		}
	}
	return false
}

func classOf(c byte) int {
	switch {
	case ascii.IsDigit(c):
		return 0
	case ascii.IsUpper(c):
		return 1
	}
	return 2
}

// hasRareLetters reports whether less than half of the neighbours in a long run of
// letters and digits are such as words have. Of random letters a quarter are, of
// words four of five.
func hasRareLetters(value string) bool {
	for run := range strings.FieldsFuncSeq(value, func(r rune) bool { return r >= 0x80 || !ascii.IsAlphanumeric(byte(r)) }) {
		if common, pairs := letterPairs(run); len(run) >= 20 && pairs >= 8 && common*20 < pairs*9 {
			return true
		}
	}
	return false
}

// commonPairs are the pairs of letters that are frequent in words of European
// languages and in names of programs.
const commonPairs = " th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch" +
	" ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo ge ie ee em ad ol rt po na ul ni ts mo pa im mi" +
	" ai sh ir su id os iv ia am ci pl ig tu ev ld mp bl ab gh op sa ke av ag ap gr od bo sp rd do uc bu ei ov ep oc da cr cl du ga qu ue um up lu go au" +
	" ck mu br pi ak ie ui ey ry ty my db ap sk "

// letterPairs counts the letters that follow a letter, and how many of those pairs
// are common in words.
func letterPairs(text string) (common, pairs int) {
	pair := []byte{' ', 0, 0, ' '}
	for i := 1; i < min(len(text), judged); i++ {
		if !ascii.IsLetter(text[i]) || !ascii.IsLetter(text[i-1]) {
			continue
		}
		pairs++
		pair[1], pair[2] = ascii.ToLower(text[i-1]), ascii.ToLower(text[i])
		if strings.Contains(commonPairs, string(pair)) {
			common++
		}
	}
	return common, pairs
}

// isLongNumber reports whether a value is a number that is too long for a time or
// the id of something.
func isLongNumber(value string) bool {
	return len(value) >= 24 && distinct(value) >= 6 && ascii.All(value, ascii.IsDigit) && !runsOn(value)
}

// isUUID reports whether a value is 32 hexadecimal digits in groups of 8, 4, 4, 4
// and 12, and of several.
func isUUID(value string) bool {
	if len(value) != 36 || distinct(value) < 8 {
		return false
	}
	for i := range len(value) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (value[i] == '-') || !dash && strings.IndexByte(anyHex, value[i]) < 0 {
			return false
		}
	}
	return true
}
