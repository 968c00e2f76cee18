package syntax

import (
	"strings"
	"time"
)

// IsTime reports whether a value is a date, a time or both of TOML, which are numbers here.
func (n *Node) IsTime() bool { return n.Kind == Number && isTOMLTime(n.Text) }

// isTOMLTime reports whether a date, a time or both exist (TOML 1.0, "Offset
// Date-Time" and the next three; of 1.1, a time without seconds).
func isTOMLTime(text string) bool {
	text = strings.Replace(strings.ToUpper(text), " ", "T", 1)
	clock := strings.IndexByte(text, 'T') + 1
	if seconds := clock + len("15:04:"); strings.HasPrefix(text[min(seconds, len(text)):], "60") {
		text = text[:seconds] + "59" + text[seconds+len("60"):] // a leap second
	}
	for _, layout := range []string{
		"2006-01-02", "15:04:05", "15:04",
		"2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04", "2006-01-02T15:04Z07:00",
	} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
