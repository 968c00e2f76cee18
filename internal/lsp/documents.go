package lsp

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// document is an open document.
type document struct {
	uri     string
	version int
	file    *syntax.File
	folder  *folder // that it is in
	path    string  // the real path, from the root of the folder
}

// text is what an editor has of a file.
type text struct {
	uri     string
	version int
	content []byte
}

// didOpen notes the text of a document, which counts more than the file until it is closed.
func (s *server) didOpen(ctx context.Context, raw json.RawMessage) error {
	p, err := decode[documentParams](raw)
	if err != nil {
		return err
	}
	name, ok := pathOf(p.TextDocument.URI)
	if !ok {
		return invalid("the document is not a file")
	}
	real := workspace.RealPath(name)
	d := &document{uri: p.TextDocument.URI, version: p.TextDocument.Version}
	if d.folder, d.path = s.folderOf(real); d.folder == nil {
		if d.folder = s.addFolder(ctx, filepath.Dir(real), real); d.folder == nil {
			return nil
		}
		d.path, _ = d.folder.below(real)
	}
	d.file = syntax.NewFile(d.path, []byte(p.TextDocument.Text))
	s.open[d.uri] = d
	d.folder.setText(d.path, d.text())
	return nil
}

func (d *document) text() *text { return &text{d.uri, d.version, d.file.Bytes} }

// didChange changes the text of a document, one part after the other.
func (s *server) didChange(_ context.Context, raw json.RawMessage) error {
	p, err := decode[changeParams](raw)
	d := s.open[p.TextDocument.URI]
	if err != nil || d == nil {
		return err
	}
	for _, c := range p.ContentChanges {
		content := []byte(c.Text)
		if c.Range != nil {
			start, end := s.offset(d.file, c.Range.Start), s.offset(d.file, c.Range.End)
			if start > end {
				start, end = end, start
			}
			content = slices.Concat(d.file.Bytes[:start], content, d.file.Bytes[end:])
		}
		d.file = syntax.NewFile(d.path, content)
	}
	d.version = p.TextDocument.Version
	d.folder.setText(d.path, d.text())
	return nil
}

// didClose has the file count again.
func (s *server) didClose(ctx context.Context, raw json.RawMessage) error {
	p, err := decode[documentParams](raw)
	d := s.open[p.TextDocument.URI]
	if err != nil || d == nil {
		return err
	}
	delete(s.open, d.uri)
	for _, other := range s.open { // by another name
		if other.folder == d.folder && other.path == d.path {
			d.folder.setText(d.path, other.text())
			return nil
		}
	}
	d.folder.setText(d.path, nil)
	s.closeLone(d.folder)
	return nil
}

// didSave reads the disk again if the client does not report what changes there.
func (s *server) didSave(_ context.Context, raw json.RawMessage) error {
	p, err := decode[documentParams](raw)
	d := s.open[p.TextDocument.URI]
	if err == nil && d != nil && !s.can.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		d.folder.refresh()
	}
	return err
}

// didChangeFiles reads the disk again.
func (s *server) didChangeFiles(_ context.Context, raw json.RawMessage) error {
	p, err := decode[watchedParams](raw)
	if err != nil {
		return err
	}
	const isChanged = 2 // FileChangeType of the protocol
	whole := map[*folder]bool{}
	for _, c := range p.Changes {
		name, ok := pathOf(c.URI)
		if !ok {
			continue
		}
		f, path := s.folderOf(workspace.RealPath(name))
		switch {
		case f == nil:
		case c.Type == isChanged && filepath.Base(name) != ".gitignore":
			f.reread(path)
		default:
			whole[f] = true
		}
	}
	for f := range whole {
		f.refresh()
	}
	return nil
}

// didChangeFolders opens and closes folders.
func (s *server) didChangeFolders(ctx context.Context, raw json.RawMessage) error {
	p, err := decode[foldersParams](raw)
	if err == nil {
		s.setFolders(ctx, p.Event.Removed, p.Event.Added)
	}
	return err
}

// position returns the place of an offset as the client counts.
func (s *server) position(file *syntax.File, offset int) position {
	p := file.Position(offset, s.columns)
	return position{p.Line - 1, p.Column - 1}
}

// offset returns the offset of a place.
func (s *server) offset(file *syntax.File, p position) int {
	// No file has that many lines or columns, and one more is still a number.
	const most = 1 << 30
	return file.Offset(syntax.Position{Line: min(max(p.Line, 0), most) + 1, Column: min(max(p.Character, 0), most) + 1}, s.columns)
}

// span returns a part of a file as the client counts.
func (s *server) span(file *syntax.File, at syntax.Span) span {
	return span{s.position(file, at.Start), s.position(file, at.End)}
}

// drive is how a path of Windows begins in a URI.
var drive = regexp.MustCompile(`^/[A-Za-z]:(/|$)`)

// pathOf returns the absolute path of a URI; ok is false if it is not a file of this machine.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || strings.ContainsRune(u.Path, 0) || !strings.HasPrefix(u.Path, "/") {
		return "", false
	}
	path = u.Path
	if runtime.GOOS == "windows" && drive.MatchString(path) {
		path = path[1:]
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// uriOf returns the URI of an absolute path.
func uriOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// watched are the patterns of files whose changes matter: configuration, files that record what is
// installed, and the settings of mcplumb.
func watched() []string {
	var globs []string
	for _, f := range format.All() {
		for _, path := range slices.Concat(f.Paths, f.Home) {
			globs = append(globs, "**/"+path)
		}
	}
	for _, name := range slices.Concat(installed.Files(), policy.SettingsNames(), []string{policy.SettingsName, policy.BaselineName, ".gitignore", "AGENTS.md", "CLAUDE.md", "GENERATED.md", "README.md"}) {
		globs = append(globs, "**/"+name)
	}
	slices.Sort(globs)
	return slices.Compact(globs)
}
