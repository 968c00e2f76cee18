package format

import "strings"

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func hasSuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// hasVariable reports whether a text has a ${VAR}, which HoloDeck fills in
// before it parses the file.
func hasVariable(text string) bool { return strings.Contains(text, "${") }

// isLowerHex reports whether a text has only hexadecimal digits in lower case.
func isLowerHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }
