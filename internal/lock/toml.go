package lock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// heading is above the part for people.
const heading = "# What the MCP servers of this repository are. mcplumb lock writes this file: do not edit it.\n"

// Bytes returns the file. The same lock has the same bytes. Each server has lines of its own,
// and so has each file of it, so that two changes of different servers merge, and two that take
// one server into different files.
func (l *Lock) Bytes() ([]byte, error) {
	var out bytes.Buffer
	writeHead(&out, l.Version)
	for i := range l.Servers {
		l.Servers[i].write(&out)
	}
	return out.Bytes(), nil
}

// writeHead writes the lines above the entries.
func writeHead(out *bytes.Buffer, version int) {
	fmt.Fprintf(out, "%sversion = %d\n", heading, version)
}

// write writes an entry, behind an empty line.
func (s *Server) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "\n[[server]]\nidentity = %s\n", quoted(s.Identity))
	if len(s.Selector) > 0 {
		fmt.Fprintf(out, "selector = %s\n", listed(s.Selector))
	}
	fmt.Fprintf(out, "names = %s\n", listed(s.Names))
	writeLines(out, "files", s.Files)
	if s.Version != "" {
		fmt.Fprintf(out, "version = %s\n", quoted(s.Version))
	}
	if s.Integrity != "" {
		fmt.Fprintf(out, "integrity = %s\n", quoted(s.Integrity))
	}
	if len(s.Hashes) > 0 {
		writeLines(out, "hashes", s.Hashes)
	}
	if s.Unlocked != "" {
		fmt.Fprintf(out, "unlocked = %s\n", quoted(s.Unlocked))
	}
}

// writeLines writes a list with a line for each of its strings.
func writeLines(out *bytes.Buffer, name string, texts []string) {
	fmt.Fprintf(out, "%s = [\n", name)
	for _, text := range texts {
		fmt.Fprintf(out, "  %s,\n", quoted(text))
	}
	out.WriteString("]\n")
}

// quoted returns a string of TOML: one that says what it is as it stands, if it may.
func quoted(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\'' || r == 0x7f || r == '\uFFFD' }) {
		return "'" + text + "'"
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out) // whose escapes are TOML's, too
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return `""` // every string can be encoded
	}
	return strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), "\x7f", `\u007F`)
}

// listed returns a list of strings on one line.
func listed(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quoted(text)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// Parse reads the file. It says at which lines it is wrong, so that they can be repaired: what
// is locked was approved, and is not to be thrown away.
func Parse(content []byte) (*Lock, error) {
	file := syntax.NewFile(Name, content)
	tree, err := syntax.ParseTOML(file)
	if err != nil {
		return nil, noTOML(file, err)
	}
	l := &Lock{}
	if l.Version, err = strconv.Atoi(textOf(tree.Root.Get("version"), syntax.Number)); err != nil {
		return nil, notOurs(Name, errors.New("it has no version"))
	}
	if l.Version != version {
		return nil, fmt.Errorf("%s has the version %d, and this mcplumb reads %d: use the mcplumb that wrote it", Name, l.Version, version)
	}
	servers := tree.Root.Get("server")
	if servers == nil {
		return l, nil
	}
	if servers.Kind != syntax.Array {
		return nil, notOurs(place(file, servers.Key.Start), errors.New("its servers are not a list"))
	}
	places := map[string]string{}
	for _, node := range servers.Nodes {
		s, err := serverOf(node)
		if err != nil {
			return nil, notOurs(place(file, node.Value.Start), err)
		}
		here := place(file, node.Get("identity").Value.Start)
		if first := places[s.key()]; first != "" {
			return nil, fmt.Errorf("%s and %s both lock %s: find out which of the two is right, and remove the other one", first, here, s.title())
		}
		places[s.key()] = here
		l.Servers = append(l.Servers, s)
	}
	return l, nil
}

// notOurs says where a file is not as mcplumb writes it, and how to repair it.
func notOurs(where string, err error) error {
	return fmt.Errorf("%s: mcplumb has not written this (%w): correct it, or restore the file that was committed with git checkout REV -- %s", where, err, Name)
}

// place names a place in the lockfile for people.
func place(file *syntax.File, offset int) string {
	return fmt.Sprintf("%s:%d", Name, file.LineAt(offset))
}

// noTOML says where a file is no TOML.
func noTOML(file *syntax.File, err error) error {
	var in *syntax.Error
	if errors.As(err, &in) {
		return notOurs(place(file, in.Span.Start), errors.New(in.Message(secret.Mask)))
	}
	return notOurs(Name, err)
}

// serverOf reads the table of a server. What is not known in it is of a later version.
func serverOf(table *syntax.Node) (s Server, err error) {
	for _, member := range table.Nodes {
		switch member.Name {
		case "identity":
			s.Identity = textOf(member, syntax.String)
		case "version":
			s.Version = textOf(member, syntax.String)
		case "integrity":
			s.Integrity = strings.TrimSpace(textOf(member, syntax.String))
			s.isEmptied = s.Integrity == ""
		case "unlocked":
			s.Unlocked = textOf(member, syntax.String)
		case "selector":
			s.Selector, err = textsOf(member)
		case "names":
			s.Names, err = textsOf(member)
		case "files":
			s.Files, err = textsOf(member)
		case "hashes":
			s.Hashes, err = textsOf(member)
		}
		if err != nil {
			return s, err
		}
	}
	if table.Kind != syntax.Object || s.Identity == "" {
		return s, errors.New("a server has no identity")
	}
	return s, nil
}

// textOf returns the text of a value, "" of one of another kind.
func textOf(n *syntax.Node, kind syntax.Kind) string {
	if n == nil || n.Kind != kind {
		return ""
	}
	return n.Text
}

// textsOf returns the strings of a list.
func textsOf(n *syntax.Node) ([]string, error) {
	if n.Kind != syntax.Array {
		return nil, fmt.Errorf("%s is not a list", n.Name)
	}
	texts := make([]string, len(n.Nodes))
	for i, node := range n.Nodes {
		if !node.IsString() {
			return nil, fmt.Errorf("%s contains a value that is not a string", n.Name)
		}
		texts[i] = node.Text
	}
	return texts, nil
}
