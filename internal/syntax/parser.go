package syntax

// Parser reads files one after the other, each into the memory of the one
// before: reading many allocates little more than the biggest of them needs. A
// tree of JSON is therefore valid until the parser is used again: its texts may
// be kept, its nodes not. The zero Parser is ready to use; it is not safe for
// concurrent use.
type Parser struct {
	// The biggest chunks so far, overwritten by every tree.
	nodes []Node
	links []*Node
	// The stacks of the reader, empty between two trees.
	open    []container
	pending []*Node
}

// JSON is ParseJSON.
func (p *Parser) JSON(f *File) (*Tree, error) {
	if err := checkSize(f); err != nil {
		return nil, err
	}
	if err := checkEncoding(f.Bytes); err != nil {
		return nil, err
	}
	reader := newJSONParser(p, f)
	tree, err := reader.document()
	p.open, p.pending = reader.open[:0], reader.pending[:0]
	return tree, err
}

// YAML is ParseYAML.
func (*Parser) YAML(f *File) (*Tree, error) { return ParseYAML(f) }

// TOML is ParseTOML.
func (*Parser) TOML(f *File) (*Tree, error) { return ParseTOML(f) }

// FrontMatter is ParseFrontMatter.
func (*Parser) FrontMatter(f *File) (*Tree, error) { return ParseFrontMatter(f) }

// keep remembers a chunk for the next tree if it is bigger than what is there.
func keep[T any](chunk *[]T, newest []T) {
	if len(newest) > len(*chunk) {
		*chunk = newest
	}
}
