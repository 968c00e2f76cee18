package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/go-multierror"
	"go.yaml.in/yaml/v3"
)

// SettingsName is the name of the settings file in the root of a repository.
const SettingsName = ".mcplumb.yaml"

// maxSettingsBytes is the size up to which settings are read.
const maxSettingsBytes = 1_000_000

// Settings are what .mcplumb.yaml says.
type Settings struct {
	// Exclude are globs of paths from the root. One that matches a directory
	// excludes everything below it.
	Exclude []string
}

// settingsKeys are the keys that the file may have.
var settingsKeys = [...]string{"exclude"}

// loadSettings reads the file named with --config, or the one in the root,
// which need not be there. Messages name the file as seen from dir.
func loadSettings(dir, root, config string) (*Settings, error) {
	path := filepath.Join(root, SettingsName)
	if config != "" {
		path = filepath.Join(dir, config)
		if filepath.IsAbs(config) {
			path = config
		}
	}
	shown := config
	if shown == "" {
		shown = SettingsName
		if relative, err := filepath.Rel(dir, path); err == nil {
			shown = filepath.ToSlash(relative)
		}
	}
	// Settings may be a link; what counts is what it leads to.
	real, err := filepath.EvalSymlinks(path)
	var content []byte
	if err == nil {
		content, err = readFile(real, maxSettingsBytes)
	}
	if config == "" && errors.Is(err, fs.ErrNotExist) {
		return &Settings{}, nil
	}
	if err != nil {
		return nil, &UsageError{Path: shown, Message: plainError(err)}
	}
	return parseSettings(shown, content)
}

// parseSettings reads settings and returns every mistake in them, each a
// *UsageError, collected in a *multierror.Error.
func parseSettings(name string, content []byte) (*Settings, error) {
	p := settingsParser{name: name}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var document, another yaml.Node
	switch err := decoder.Decode(&document); {
	case err == io.EOF:
		return &Settings{}, nil
	case err != nil:
		return nil, p.syntaxError(err)
	}
	if err := decoder.Decode(&another); err != io.EOF {
		return nil, &UsageError{Path: name, Line: max(another.Line, 1), Column: max(another.Column, 1), Message: "there is a second YAML document: keep one"}
	}
	settings := p.root(document.Content[0])
	if err := p.mistakes.ErrorOrNil(); err != nil {
		return nil, err
	}
	return settings, nil
}

// settingsParser walks YAML nodes. It never decodes into values, so that
// aliases are not expanded, and every mistake has its place.
type settingsParser struct {
	name     string
	mistakes *multierror.Error
}

func (p *settingsParser) wrong(n *yaml.Node, format string, args ...any) {
	p.mistakes = multierror.Append(p.mistakes, &UsageError{
		Path: p.name, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...),
	})
}

// syntaxError takes the line out of the parser's message ("yaml: line 3: …");
// it has no column.
func (p *settingsParser) syntaxError(err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if number, text, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				line, message = n, text
			}
		}
	}
	return &UsageError{Path: p.name, Line: line, Column: 1, Message: "not valid YAML: " + message}
}

func (p *settingsParser) root(n *yaml.Node) *Settings {
	settings := &Settings{}
	if isNull(n) {
		return settings
	}
	if n.Kind != yaml.MappingNode {
		p.wrong(n, "the settings must be a mapping like `exclude: [testdata/**]`, not %s", kindName(n))
		return settings
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.wrong(key, "a key must be a word, not %s", kindName(key))
		case seen[key.Value]:
			p.wrong(key, "%q is written twice", key.Value)
		case key.Value == "exclude":
			settings.Exclude = p.globs(value)
		default:
			p.unknownKey(key)
		}
		seen[key.Value] = true
	}
	return settings
}

func (p *settingsParser) unknownKey(key *yaml.Node) {
	if nearest := Nearest(key.Value, settingsKeys[:]); nearest != "" {
		p.wrong(key, "unknown key %q: did you mean %q?", key.Value, nearest)
		return
	}
	p.wrong(key, "unknown key %q: known are %s", key.Value, strings.Join(settingsKeys[:], ", "))
}

// globs reads a list of patterns.
func (p *settingsParser) globs(n *yaml.Node) []string {
	if isNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		p.wrong(n, "exclude must be a list of patterns like [testdata/**], not %s", kindName(n))
		return nil
	}
	var globs []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || item.Tag != "!!str" {
			p.wrong(item, "a pattern must be a string, not %s", kindName(item))
			continue
		}
		glob := strings.TrimSuffix(strings.TrimPrefix(item.Value, "./"), "/")
		switch {
		case glob == "" || glob == ".":
			p.wrong(item, "the pattern %q would exclude everything", item.Value)
		case strings.HasPrefix(glob, "/"), glob == "..", strings.HasPrefix(glob, "../"):
			p.wrong(item, "the pattern %q must be relative to the root of the repository", item.Value)
		case !doublestar.ValidatePattern(glob):
			p.wrong(item, "the pattern %q is malformed", item.Value)
		default:
			globs = append(globs, glob)
		}
	}
	return globs
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// kindName names what a node is for messages.
func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias (they are not followed)"
	}
	switch n.Tag {
	case "!!str":
		return "a string"
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "nothing"
	}
	return "a " + n.Tag
}

// filter decides which paths are read.
type filter struct {
	rules []filterRule
}

// filterRule is one named path with the patterns that hold below it: one that
// covers the path itself is set aside, since the path was asked for by name.
type filterRule struct {
	path  string
	globs []string
}

func newFilter(settings *Settings, targets []target) filter {
	var f filter
	for _, t := range targets {
		rule := filterRule{path: t.path}
		for _, glob := range settings.Exclude {
			if !covers(glob, t.path) {
				rule.globs = append(rule.globs, glob)
			}
		}
		f.rules = append(f.rules, rule)
	}
	return f
}

// wants reports whether a path is below a named one that does not exclude it.
func (f filter) wants(path string) bool {
	for _, rule := range f.rules {
		if within(rule.path, path) && !rule.excludes(path) {
			return true
		}
	}
	return false
}

func (r filterRule) excludes(path string) bool {
	for _, glob := range r.globs {
		if covers(glob, path) {
			return true
		}
	}
	return false
}

// covers reports whether a valid glob matches a path or a directory above it.
func covers(glob, path string) bool {
	for path != "" {
		if ok, _ := doublestar.Match(glob, path); ok {
			return true
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return false
}
