package shape

import (
	"bytes"
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// MaxProbed is the size above which mcplumb does not search a YAML file that only its content
// makes an MCP configuration.
const MaxProbed = 1 << 20

// ProbedYAML parses a YAML file that only its content makes an MCP configuration.
func ProbedYAML(p *syntax.Parser, file *syntax.File) (*syntax.Tree, error) {
	if len(file.Bytes) > MaxProbed {
		return &syntax.Tree{}, nil
	}
	return p.YAML(file)
}

// Embedded returns the documents of files that are in a YAML file as text:
//
//	data:
//	  config.json: |
//	    {"mcpServers": …}
//
// Spans are those of the outer file.
func (in *Input) Embedded() []*mcp.Document {
	var docs []*mcp.Document
	seen := map[syntax.Span]bool{} // an alias of YAML repeats a text
	var look func(*syntax.Node)
	look = func(n *syntax.Node) {
		for _, m := range n.Nodes {
			if m.IsString() && namesFile(m.Name) && !seen[m.Value] && mentionsRoot(m.Text, in.Match.Format.Roots) {
				seen[m.Value] = true
				if doc := in.embeddedIn(m); doc != nil {
					docs = append(docs, doc)
				}
			}
			look(m)
		}
	}
	for _, top := range append([]*syntax.Node{in.Tree.Root}, in.Tree.Rest...) {
		look(top)
	}
	return docs
}

// namesFile reports whether the value of a key is the content of a configuration file:
// config.json, configYamlContent.
func namesFile(key string) bool {
	switch strings.ToLower(path.Ext(key)) {
	case ".json", ".jsonc", ".yaml", ".yml":
		return true
	}
	return strings.Contains(strings.ToLower(key), "config")
}

func mentionsRoot(text string, roots []string) bool {
	for _, root := range roots {
		if strings.Contains(text, root) {
			return true
		}
	}
	return false
}

// embeddedIn reads the file in a block of text, nil if it is not a file with servers. Every byte
// of the block is in the outer file. Its indentation means nothing to JSON, and is the same on
// every line for YAML: the spans of what is parsed are moved to the place of the block.
func (in *Input) embeddedIn(n *syntax.Node) *mcp.Document {
	written := in.Bytes(n.Value)
	line := bytes.IndexByte(written, '\n')
	if line < 0 || written[0] != '|' {
		return nil // a quoted or folded text differs from its bytes in the file
	}
	start := n.Value.Start + line
	file := syntax.NewFile(in.File.Path, in.File.Bytes[start:n.Value.End])
	parse := syntax.ParseYAML
	if strings.HasPrefix(strings.TrimLeft(n.Text, " \t\r\n"), "{") {
		parse = syntax.ParseJSON
	}
	tree, err := parse(file)
	if err != nil || tree.Root == nil {
		return nil
	}
	tree.Move(start)
	if tree.Expand() != nil {
		return nil
	}
	inner := *in
	inner.Tree = tree
	return ReadServers(&inner)
}
