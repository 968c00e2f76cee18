package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/goccy/go-yaml"
	"github.com/tidwall/jsonc"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// verdict is the result of other parsers for a file.
type verdict int

const (
	nothing verdict = iota
	broken          // a dedicated file that does not parse
	holds           // servers
)

// oracle uses parsers other than mcplumb's to decide whether mcplumb must report or read a
// file. Only the undamaged sample shows where the servers are.
func oracle(ix *format.Index, m *mutant) verdict {
	match, known := ix.Lookup(m.path)
	text := m.files[m.path]
	// A file that no client opens by its name counts as configuration because of its
	// content.
	if !known || match.Format.Unopened || strings.HasPrefix(match.Format.Name, "generic") || format.RoleOf(m.path) != mcp.InUse || strings.Count(text, "[")+strings.Count(text, "{")+strings.Count(text, "- ") > 500 {
		return nothing
	}
	value, err := decode(m.path, text)
	if err != nil {
		if match.Format.Dedicated {
			return broken
		}
		return nothing
	}
	before, err := decode(m.path, m.sample.files[m.path])
	if err != nil {
		return nothing
	}
	for _, key := range roots(before) {
		if len(serversIn(member(value, key))) > 0 {
			return holds
		}
	}
	return nothing
}

// decode reads a file in the syntax that its name tells.
func decode(name, text string) (value any, err error) {
	ext := path.Ext(name)
	if path.Base(name) == "mcplumb.lock" {
		ext = ".toml" // other locks are JSON
	}
	switch ext {
	case ".toml":
		err = toml.Unmarshal([]byte(text), &value)
	case ".yaml", ".yml":
		err = yaml.Unmarshal([]byte(text), &value)
	case ".md", ".mdc":
		front, found := strings.CutPrefix(text, "---\n")
		if front, _, found = strings.Cut(front, "\n---\n"); found {
			err = yaml.Unmarshal([]byte(front), &value)
		}
	case ".json", ".jsonc", ".lock", ".code-workspace":
		// A comment ends with its line, and lines may end with CR alone.
		plain := jsonc.ToJSON([]byte(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r", "\n")))
		decoder := json.NewDecoder(bytes.NewReader(plain))
		decoder.UseNumber() // of any size
		if err = decoder.Decode(&value); err == nil && !json.Valid(plain) {
			err = errors.New("something stands behind the value")
		}
	}
	return value, err
}

// roots returns the top-level keys below which clients look for servers and find some.
func roots(value any) (keys []string) {
	for _, key := range []string{"mcpServers", "mcp_servers", "servers", "context_servers"} {
		if len(serversIn(member(value, key))) > 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

func member(value any, key string) any {
	object, _ := value.(map[string]any)
	return object[key]
}

// serversIn returns the names of the entries that start a command with arguments: one
// with a command alone may be anything.
func serversIn(value any) (names []string) {
	object, _ := value.(map[string]any)
	for name, entry := range object {
		command, starts := member(entry, "command").(string)
		// PML's file may name PML, which does not start itself.
		if _, takes := member(entry, "args").([]any); starts && takes && command != "" && command != "pml" {
			names = append(names, name)
		}
	}
	return names
}
