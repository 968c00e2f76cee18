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
// dbPassword, PGPASSWORD, GITHUB_TOKEN_2; not API_KEY_PATH, TOKEN_LIMIT,
// PUBLIC_KEY, KEYBOARD or BYPASS.
func IsSecretName(name string) bool {
	rest, last := cutLastWord(withoutNumber(name))
	if last == "" {
		return false // most arguments have no name
	}
	_, before := cutLastWord(rest)
	switch {
	case ascii.EqualFold(last, "token"):
		return !listed(harmlessTokens, before) && !isBudget(rest)
	case listed(secretWords, last) || endsLike(secretEndings, last):
		return true
	case ascii.EqualFold(last, "key"):
		return !listed(harmlessKeys, before)
	case ascii.EqualFold(last, "keys"), ascii.EqualFold(last, "tokens"), ascii.EqualFold(last, "secrets"):
		return ascii.EqualFold(before, "api") || ascii.EqualFold(before, "access") || ascii.EqualFold(before, "auth")
	case ascii.EqualFold(last, "header"):
		return ascii.EqualFold(before, "auth") || ascii.EqualFold(before, "authorization")
	case ascii.EqualFold(last, "phrase"):
		return listed(phrases, before)
	case ascii.EqualFold(last, "string"):
		return ascii.EqualFold(before, "session") // of Telegram
	case last == "SESSION": // of a variable; an option has its name
		return true
	}
	return false
}

// IsSecretParameter reports whether a parameter in the query of a URL of this name
// usually holds a credential: those of IsSecretName, the signature that makes an
// address a key (sig of Azure's SAS, X-Amz-Signature, X-Goog-Signature, CloudFront's
// Signature) and the key of an Azure function (code). Elsewhere these words name public values,
// such as the signature of a package.
func IsSecretParameter(name string) bool {
	_, last := cutLastWord(name)
	return IsSecretName(name) || ascii.EqualFold(last, "sig") || ascii.EqualFold(last, "signature") || ascii.EqualFold(name, "code")
}

// secretWords are the last words of names that hold credentials. Glued to others
// they mean something else, or belong to no name: COMPAT, REAUTH.
var secretWords = []string{
	"auth", "authorization", "bearer", "cookie", "dsn", "jwt", "oauth2bearer", "pat",
}

// passwordEndings end the last words of names of passwords, and secretEndings those of any
// credential, with any letters right before them: PGPASSWORD, MYSQL_PWD, ghtoken.
var (
	passwordEndings = []string{"mnemonic", "pass", "passphrase", "passwd", "password", "pwd"}
	secretEndings   = append([]string{
		"accesskey", "apikey", "authkey", "credential", "credentials", "licensekey", "privatekey", "secret", "secretkey", "token",
	}, passwordEndings...)
)

// harmlessWords end as secretEndings do, and are programs, packages or other words.
var harmlessWords = []string{
	"1password", "allpass", "askpass", "bandpass", "bypass", "compass", "encompass", "getpass", "highpass", "htpasswd", "jsonwebtoken", "keepass", "lastpass", "lowpass",
	"minipass", "multipass", "nopass", "nopasswd", "notoken", "oldpwd", "onepassword", "overpass", "surpass", "tiktoken",
	"trespass", "underpass",
}

// endsLike reports whether a word ends, in any letter case, in one of the endings of
// names of credentials, and is not one of those that mean something else.
func endsLike(endings []string, word string) bool {
	for _, ending := range endings {
		if start := len(word) - len(ending); start >= 0 && ascii.EqualFold(word[start:], ending) {
			return !listed(harmlessWords, word)
		}
	}
	return false
}

// harmlessTokens precede "token" in names of what a model reads or a page ends with.
var harmlessTokens = []string{"bos", "eos", "max", "min", "pad", "per", "sep", "special", "stop", "unk"}

// isBudget reports whether a name counts what a model reads: MAX_OUTPUT_TOKEN.
func isBudget(name string) bool {
	for name != "" {
		var word string
		if name, word = cutLastWord(name); listed(budgets, word) {
			return true
		}
	}
	return false
}

// budgets stand anywhere before "token" in names that count tokens.
var budgets = []string{"budget", "limit", "max", "min", "num"}

// phrases precede "phrase" in names of the words that generate a wallet.
var phrases = []string{"backup", "mnemonic", "pass", "recovery", "secret", "seed"}

// harmlessKeys precede "key" in names of things that are not credentials.
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

// withoutNumber cuts a number off that tells names from each other: GITHUB_TOKEN_2,
// password1.
func withoutNumber(name string) string {
	const longest = 2
	end := len(name)
	for end > 0 && len(name)-end <= longest && ascii.IsDigit(name[end-1]) {
		end--
	}
	if len(name)-end > longest {
		return name
	}
	return name[:end]
}

// isPasswordName reports whether a person chose the value, so that it may be
// short.
func isPasswordName(name string) bool {
	_, last := cutLastWord(withoutNumber(name))
	return endsLike(passwordEndings, last)
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
