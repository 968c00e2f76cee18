// Package secret is the one home for what is a credential, a placeholder for
// one, or a reference to one, and for hiding credentials in what is shown.
//
// In real repositories five of six secret-looking values are placeholders or
// references, so every judgement here leans towards "not a secret"; hiding
// leans the other way.
package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// IsSecretName reports whether a variable, header, option or query parameter
// of this name usually holds a credential: API_KEY, x-api-key, authorization,
// dbPassword; not API_KEY_PATH, TOKEN_LIMIT, PUBLIC_KEY or KEYBOARD.
func IsSecretName(name string) bool {
	rest, last := cutLastWord(name)
	_, before := cutLastWord(rest)
	switch {
	case isSecretWord(last):
		return true
	case ascii.EqualFold(last, "key"):
		return !listed(harmlessKeys, before)
	case ascii.EqualFold(last, "keys"), ascii.EqualFold(last, "tokens"), ascii.EqualFold(last, "secrets"):
		return ascii.EqualFold(before, "api") || ascii.EqualFold(before, "access") || ascii.EqualFold(before, "auth")
	case ascii.EqualFold(last, "header"):
		return (ascii.EqualFold(before, "auth") || ascii.EqualFold(before, "authorization"))
	}
	return false
}

// IsSecretParameter reports whether a parameter in the query of a URL of this name
// usually holds a credential: those of IsSecretName, the signature that makes an
// address a key (sig of Azure's SAS, X-Amz-Signature, X-Goog-Signature, CloudFront's
// Signature) and the key of an Azure function (code). Elsewhere these words name what
// everybody may see, as the signature of a package.
func IsSecretParameter(name string) bool {
	_, last := cutLastWord(name)
	return IsSecretName(name) || ascii.EqualFold(last, "sig") || ascii.EqualFold(last, "signature") || ascii.EqualFold(name, "code")
}

// isSecretWord reports whether a word, in any letter case, is the last one of
// names that hold credentials.
func isSecretWord(word string) bool {
	var folded [16]byte
	if len(word) > len(folded) {
		return false
	}
	for i := range len(word) {
		folded[i] = ascii.ToLower(word[i])
	}
	switch string(folded[:len(word)]) {
	case "token", "secret", "password", "passwd", "passphrase", "pass", "pwd", "apikey", "apitoken", "accesskey",
		"accesstoken", "secretkey", "privatekey", "clientsecret", "authtoken", "authkey", "credential", "credentials",
		"authorization", "auth", "bearer", "pat", "jwt", "cookie", "dsn", "oauth2bearer", "licensekey":
		return true
	}
	return false
}

// harmlessKeys stand before "key" in names of things that are no credentials.
var harmlessKeys = []string{
	"board", "cache", "column", "config", "config's", "dictionary", "duplicate", "env", "foreign", "group", "header", "hot",
	"idempotency", "issue", "lookup", "map", "object", "partition", "primary", "project", "public", "publishable", "registry",
	"root", "routing", "row", "setting", "short", "shortcut", "site", "sort", "space", "unknown", "variable", "wrong",
}

// cutLastWord splits off the last word of a name written in any case:
// "GITHUB_TOKEN", "x-api-key", "githubToken".
func cutLastWord(name string) (rest, word string) {
	end := len(name)
	for end > 0 && !ascii.IsAlphanumeric(name[end-1]) {
		end--
	}
	start := end
	for start > 0 && ascii.IsAlphanumeric(name[start-1]) {
		start--
		if start > 0 && ascii.IsUpper(name[start]) && ascii.IsLower(name[start-1]) {
			break // camelCase
		}
	}
	return name[:start], name[start:end]
}

// passwordWords are the last words of names of passwords.
var passwordWords = []string{"pass", "passphrase", "passwd", "password", "pwd"}

// isPasswordName reports whether a person chose the value, so that it may be
// short.
func isPasswordName(name string) bool {
	_, last := cutLastWord(name)
	return listed(passwordWords, last)
}

// cutScheme splits "Bearer X" into the scheme with its space and X.
func cutScheme(value string) (scheme, rest string) {
	for _, s := range [...]string{"Bearer ", "Basic ", "Token ", "ApiKey ", "Api-Key ", "Digest "} {
		if len(value) > len(s) && ascii.EqualFold(value[:len(s)], s) {
			rest := strings.TrimLeft(value[len(s):], " ")
			return value[:len(value)-len(rest)], rest
		}
	}
	return "", value
}

// keyFileExtensions are those of files that hold keys.
var keyFileExtensions = []string{"cer", "crt", "env", "json", "key", "p12", "pem", "pfx", "txt", "yaml", "yml"}

// isPath reports whether a value is a file path: anchored, or with an
// extension that key files have.
func isPath(value string) bool {
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
		strings.HasPrefix(value, "~") || len(value) > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/') {
		return true
	}
	dot := strings.LastIndexByte(value, '.')
	return dot > 0 && listed(keyFileExtensions, value[dot+1:])
}

// isMixed reports whether a value holds letters and something else than
// letters.
func isMixed(value string) bool {
	letters, others := false, false
	for i := 0; i < len(value); i++ {
		if ascii.IsLetter(value[i]) {
			letters = true
		} else if value[i] != '-' && value[i] != '_' && value[i] != '.' {
			others = true
		}
	}
	return letters && others
}

// distinct counts the different bytes of a value.
func distinct(value string) int {
	var seen [256]bool
	count := 0
	for i := 0; i < len(value); i++ {
		if !seen[value[i]] {
			seen[value[i]] = true
			count++
		}
	}
	return count
}
