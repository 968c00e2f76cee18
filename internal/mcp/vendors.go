package mcp

import (
	"slices"
	"strings"
)

// Vendor is who issues the key by which a client uses its model.
type Vendor struct {
	// variable is what the names of the variables begin with in which the vendor's own client
	// and libraries look for the key.
	variable string
	// Title is what people call the vendor.
	Title string
	// hosts are its domains, with all below them.
	hosts []string
}

// vendors are known by what their own clients and libraries read (their documentation, November
// 2026).
var vendors = []Vendor{
	{"ANTHROPIC", "Anthropic", []string{"anthropic.com", "claude.ai", "claude.com"}},
	{"CLAUDE", "Anthropic", []string{"anthropic.com", "claude.ai", "claude.com"}},
	{"CLAUDE_CODE", "Anthropic", []string{"anthropic.com", "claude.ai", "claude.com"}},
	{"CODEX", "OpenAI", []string{"chatgpt.com", "openai.com"}},
	{"CURSOR", "Cursor", []string{"cursor.com", "cursor.sh"}},
	{"DASHSCOPE", "Alibaba Cloud", []string{"aliyuncs.com"}},
	{"DEEPSEEK", "DeepSeek", []string{"deepseek.com"}},
	{"GEMINI", "Google", []string{"google.com", "googleapis.com", "google.dev"}},
	{"MISTRAL", "Mistral", []string{"mistral.ai"}},
	{"OPENAI", "OpenAI", []string{"chatgpt.com", "openai.com"}},
	{"OPENROUTER", "OpenRouter", []string{"openrouter.ai"}},
	{"XAI", "xAI", []string{"x.ai"}},
}

// keyWords are what follows in the names of such variables.
var keyWords = []string{"_ACCESS_TOKEN", "_API_KEY", "_API_TOKEN", "_AUTH_TOKEN", "_KEY", "_OAUTH_TOKEN", "_TOKEN"}

// VendorOf returns the vendor that issues the credential in a variable, nil if none is known.
func VendorOf(variable string) *Vendor {
	for _, word := range keyWords {
		name, ok := strings.CutSuffix(variable, word)
		if !ok {
			continue
		}
		if i := slices.IndexFunc(vendors, func(v Vendor) bool { return v.variable == name }); i >= 0 {
			return &vendors[i]
		}
	}
	return nil
}

// Owns reports whether a host is one of the vendor's.
func (v *Vendor) Owns(name string) bool {
	return slices.ContainsFunc(v.hosts, func(domain string) bool { return name == domain || strings.HasSuffix(name, "."+domain) })
}

// IsNamedIn reports whether a text names the vendor.
func (v *Vendor) IsNamedIn(text string) bool {
	text = strings.ToUpper(text)
	return strings.Contains(text, v.variable) || strings.Contains(text, strings.ToUpper(v.Title))
}
