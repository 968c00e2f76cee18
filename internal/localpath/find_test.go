package localpath

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFind checks which path of one machine is the first in a text, "" for none.
func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"/home/jo/notes":                    "/home/jo/notes",
		"--root=/Users/jo/src/web":          "/Users/jo/src/web",
		`C:\Users\jo\tools\server.exe`:      `C:\Users\jo\tools\server.exe`,
		"/opt/bin:/home/jo/bin":             "/home/jo/bin",
		"file:///home/jo/notes.db":          "/home/jo/notes.db",
		"node /home/jo/my server.js --port": "/home/jo/my server.js", // a blank is part of a path, an option is not
		"https://acme.test/home/jo":         "",
		"/usr/bin/env":                      "",
		"./home/jo":                         "",
	} {
		start, end, ok := Find(text)
		assert.Equal(t, want != "", ok, text)
		assert.Equal(t, want, text[start:end], text)
	}
}

// TestGlobalPackage checks which npm package a path of one machine is part of.
func TestGlobalPackage(t *testing.T) {
	for path, want := range map[string]string{
		"/usr/local/lib/node_modules/notes-mcp/dist/index.js":     "notes-mcp",
		"/home/jo/.nvm/lib/node_modules/@acme/notes/bin/notes.js": "@acme/notes",
		"/home/jo/web/node_modules/notes-mcp/index.js":            "",
	} {
		assert.Equal(t, want, GlobalPackage(path), path)
	}
}
