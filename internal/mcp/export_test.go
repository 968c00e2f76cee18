package mcp

// Tools returns every known tool.
func Tools() []*Tool { return tools }
