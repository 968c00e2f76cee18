package mcp

import "strings"

// MadeFrom reports whether a text is what a tracked entry's template becomes
// when prompt-registry fills in its variables: those of the bundle, and
// ${env:NAME}, which is empty where nobody has set it. A variable that is still
// there is fine, too. Other variables are the client's and stay as they are.
func (e *LockEntry) MadeFrom(template, text string) bool {
	template = e.fillIn(template)
	if template == text {
		return true
	}
	before, _, after, found := cutVariable(template)
	if !found {
		return false
	}
	rest, ok := strings.CutPrefix(text, before)
	if !ok {
		return false
	}
	// Every piece between two variables is looked for from the left; the last one
	// has to end the text.
	for {
		piece, _, more, again := cutVariable(after)
		if !again {
			return strings.HasSuffix(rest, after)
		}
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest, after = rest[at+len(piece):], more
	}
}

// fillIn replaces what the tracking file itself says.
func (e *LockEntry) fillIn(template string) string {
	if !strings.Contains(template, "${bundle") {
		return template
	}
	if e.Claims.Bundle != "" {
		template = strings.ReplaceAll(template, "${bundleId}", e.Claims.Bundle)
	}
	if e.Pin.Version.Text != "" {
		template = strings.ReplaceAll(template, "${bundleVersion}", e.Pin.Version.Text)
	}
	return template
}

// cutVariable cuts a template around its first variable.
func cutVariable(template string) (before, name, after string, found bool) {
	for from := 0; ; {
		start := strings.Index(template[from:], "${")
		if start < 0 {
			return template, "", "", false
		}
		start += from
		end := strings.IndexByte(template[start:], '}')
		if end < 0 {
			return template, "", "", false
		}
		name = template[start+2 : start+end]
		if strings.HasPrefix(name, "env:") || name == "bundlePath" || name == "bundleId" || name == "bundleVersion" {
			return template[:start], name, template[start+end+1:], true
		}
		from = start + 2
	}
}
