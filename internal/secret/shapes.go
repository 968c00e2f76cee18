package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// What both scanners know of the forms of credentials: the one that hides
// (finder) and the one that reports (scanner).

// privateKeyBody returns the offset behind "-----BEGIN … PRIVATE KEY-----", if
// that begins at i.
func privateKeyBody(text string, i int) (body int, ok bool) {
	const marker = "PRIVATE KEY-----"
	if !strings.HasPrefix(text[i:], "-----BEGIN ") {
		return 0, false
	}
	at := strings.Index(text[i:min(len(text), i+64)], marker)
	return i + at + len(marker), at >= 0
}

// secretPaths are URLs whose path is itself the credential.
var secretPaths = [...]string{
	"mcp.zapier.com/api/mcp/s/", "hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/",
	"discord.com/api/webhooks/", "hooks.zapier.com/hooks/catch/",
}

// secretPath returns the length of the text before the credential in a URL, 0 for any other URL.
// text is the part of the URL after "://".
func secretPath(text string) int {
	for _, p := range secretPaths {
		if strings.HasPrefix(text, p) {
			return len(p)
		}
	}
	return 0
}

// maxAuthority is the longest login and host of a URL that is read.
const maxAuthority = 512

// cutLogin splits the text after "://" in a URL into user, password and the host with its port. ok
// is false if there is no user.
func cutLogin(text string) (user, password, authority string, ok bool) {
	end, at := 0, -1
	for end < min(len(text), maxAuthority) && strings.IndexByte("/?#\"'`\\ \t<>,", text[end]) < 0 {
		if text[end] == '@' {
			at = end
		}
		end++
	}
	if at < 0 {
		at, end = unescapedLogin(text, end)
	}
	if at < 0 {
		return "", "", text[:end], false
	}
	user, password, _ = strings.Cut(text[:at], ":")
	return user, password, text[at+1 : end], true
}

// unescapedLogin looks for the "@" behind a password that holds what ends the
// authority of a URL, as people write it: "u:pa/ss@github.com". authority is where
// that ends by the letter, or seems to. at is -1 if there is no such login; a port
// is no password.
func unescapedLogin(text string, authority int) (at, end int) {
	colon := strings.IndexByte(text[:authority], ':')
	if colon <= 0 || strings.ContainsAny(text[:authority], "${}[]") || ascii.All(text[colon+1:authority], ascii.IsDigit) {
		return -1, authority
	}
	for at := authority; at < min(len(text), maxAuthority) && strings.IndexByte("\"'`\\ \t<>,", text[at]) < 0; at++ {
		if text[at] != '@' {
			continue
		}
		end := at + 1
		for end < min(len(text), maxAuthority) && (ascii.IsAlphanumeric(text[end]) || strings.IndexByte(".-:", text[end]) >= 0) {
			end++
		}
		if strings.IndexByte(text[at:end], '.') > 0 {
			return at, end
		}
	}
	return -1, authority
}
