package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// What a repository shows anyway is one thing, what is written into another file or
// published is another: there the name decides, and even a password that anyone could guess is not
// copied.

// MayCopy reports whether a value that stands under a name may be written elsewhere or
// published: neither is a part of it a credential, nor does one stand where credentials do.
func MayCopy(name, value string) bool {
	return len(Kept(name, value)) == 0 && !Hides(value)
}

// Kept returns the parts of a value under a name that must not be copied into another file, in
// order: its literals, and any other text under the name of a credential, except references,
// placeholders and words that say that there is none.
func Kept(name, value string) []Credential {
	if IsPlaceholder(value) && !hasToken(value) || isPlain(value) && !IsSecretName(name) {
		return nil
	}
	if IsSecretName(name) && strings.IndexByte(value, ' ') > 0 && isPasswordName(name) && !saysNothing(name, value) && !HasReference(value) {
		return []Credential{{End: len(value)}} // a passphrase
	}
	s := scanner{text: value, outer: name, name: name, byName: true}
	s.walk()
	return s.found
}

// isBracketed reports whether brackets enclose a part of a text, as they enclose what a person must
// fill in: "X-Api-Key: <key>".
func isBracketed(text string, start, end int) bool {
	if start == 0 || end == len(text) {
		return false
	}
	switch text[start-1:start] + text[end:end+1] {
	case "<>", "[]", "{}":
		return true
	}
	return false
}

// saysNothing reports whether a value under the name of a credential is evidently not a credential:
// a reference, a placeholder, a word for no value, a path, a public value.
func saysNothing(name, value string) bool {
	return isNoSecret(value) || isPath(value) && !hasRandomRun(value) || isPublic(name, value) ||
		value == "0" || value == "1" || listed(settingWords, value) || isWeakName(name) && !isMixed(value)
}

// settingWords say how something works, also under the name of a credential.
var settingWords = []string{
	"auto", "basic", "bearer", "default", "disabled", "enabled", "no", "none", "oauth", "oauth2", "off", "on", "optional", "required", "yes",
}

// isKeptLogin reports whether the password of a URL, or the token instead of its user, must not be
// copied. The passwords that every local database has are public.
func isKeptLogin(user, password, authority, path string) bool {
	if password == "" {
		return len(user) >= 16 && !saysNothing("", user) && !isKeyOfReports(user, path)
	}
	return !saysNothing("", password) && !(isNear(authority) && (password == user || isWellKnownPassword(password)))
}

// isKeyOfReports reports whether a user before a path is the key with which a program
// sends reports of errors to Sentry: it is made to be seen (a DSN has one and the number
// of a project, https://docs.sentry.io/concepts/key-terms/dsn-explainer/).
func isKeyOfReports(user, path string) bool {
	return len(user) == 32 && ascii.All(user, func(c byte) bool { return strings.IndexByte(hex, c) >= 0 }) &&
		len(path) > 1 && path[0] == '/' && ascii.All(path[1:], ascii.IsDigit)
}
