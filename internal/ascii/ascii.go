// Package ascii classifies bytes and compares text without regard to the case of
// ASCII letters. Other letters keep their length and their case, so that offsets
// hold; nothing here allocates unless it says so.
package ascii

// IsSpace reports whether c is white space within or between lines.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IsDigit reports whether c is 0 to 9.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsUpper reports whether c is A to Z.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsLower reports whether c is a to z.
func IsLower(c byte) bool { return 'a' <= c && c <= 'z' }

// IsLetter reports whether c is a letter of either case.
func IsLetter(c byte) bool { return IsLower(c) || IsUpper(c) }

// IsAlphanumeric reports whether c is a digit or a letter.
func IsAlphanumeric(c byte) bool { return IsDigit(c) || IsLetter(c) }

// All reports whether text is not empty and every byte of it passes.
func All(text string, passes func(c byte) bool) bool {
	for i := 0; i < len(text); i++ {
		if !passes(text[i]) {
			return false
		}
	}
	return text != ""
}

// ToLower returns the small letter of a capital, and any other byte itself.
func ToLower(c byte) byte {
	if IsUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// Lower returns text in small letters; it allocates only if there is a capital.
func Lower(text string) string {
	for i := 0; i < len(text); i++ {
		if IsUpper(text[i]) {
			b := []byte(text)
			for ; i < len(b); i++ {
				b[i] = ToLower(b[i])
			}
			return string(b)
		}
	}
	return text
}

// EqualFold compares without regard to case.
func EqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if ToLower(a[i]) != ToLower(b[i]) {
			return false
		}
	}
	return true
}

// IndexFold returns the offset of part in text without regard to case, or -1;
// part is in small letters and not empty.
func IndexFold(text, part string) int {
	const small = 'a' - 'A' // sets letters apart from their capitals, and from few others
	first, last := part[0]|small, len(text)-len(part)
	for i := 0; i <= last; i++ {
		if text[i]|small == first && EqualFold(text[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

// ContainsFold reports whether text holds part, as IndexFold.
func ContainsFold(text, part string) bool { return IndexFold(text, part) >= 0 }

// CutPrefixFold is strings.CutPrefix without regard to case.
func CutPrefixFold(text, prefix string) (rest string, found bool) {
	if len(text) < len(prefix) || !EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// HasPrefixFold is strings.HasPrefix without regard to case.
func HasPrefixFold(text, prefix string) bool {
	_, found := CutPrefixFold(text, prefix)
	return found
}

// Set is a set of bytes, for loops over long texts.
type Set [256]bool

// SetOf returns the set of the bytes of a text.
func SetOf(chars string) (s Set) {
	for i := range len(chars) {
		s[chars[i]] = true
	}
	return s
}
