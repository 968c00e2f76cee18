package policy

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// AddIgnores returns settings with further ignores, each after the existing ones. Everything
// else stays as written. Messages call the file name; content is nil if the file does not
// exist yet. The error says why the settings cannot be changed.
func AddIgnores(name string, content []byte, ignores []Ignore) ([]byte, error) {
	for _, ignore := range ignores {
		var err error
		if content, err = withIgnore(name, content, ignore.value()); err != nil {
			return nil, err
		}
	}
	now, err := ParseSettings(name, "", content)
	if err != nil {
		return nil, err
	}
	for _, ignore := range ignores {
		isIt := func(i Ignore) bool { return i.hides() == ignore.hides() && i.Reason == ignore.Reason }
		if !slices.ContainsFunc(now.Ignores, isIt) {
			return nil, &Error{Path: name, Message: "the ignore cannot be added safely: add it by hand"}
		}
	}
	return content, nil
}

// Approves reports whether an ignore that holds today, a date as 2006-01-02, approves a
// hash of something, wherever.
func (s *Settings) Approves(identity, integrity, today string) bool {
	return slices.ContainsFunc(s.Ignores, func(i Ignore) bool {
		return (i.Until == "" || i.Until >= today) && !i.hasPlaceholder() && i.Rule == checks.IntegrityChanged.ID && i.Identity == identity && i.Integrity == integrity
	})
}

// value returns an ignore as it is written.
func (i Ignore) value() edit.Value {
	var members []edit.Member
	for _, m := range []struct{ name, text string }{
		{"rule", i.Rule}, {"path", i.Path}, {"server", i.Server}, {"identity", i.Identity}, {"integrity", i.Integrity}, {"reason", i.Reason}, {"until", i.Until},
	} {
		if m.text != "" {
			members = append(members, edit.Member{Name: m.name, Value: edit.String(m.text)})
		}
	}
	return edit.Object(members...)
}

// withIgnore returns settings with one more ignore.
func withIgnore(name string, content []byte, ignore edit.Value) ([]byte, error) {
	file, list := syntax.NewFile(name, content), edit.Array(ignore)
	tree, err := syntax.ParseYAML(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ignores := tree.Root.Get("ignore")
	change := edit.Insert(file, syntax.Span{}, "ignore", list, edit.Where{})
	switch {
	case isNull(tree.Root): // nothing but comments
		change = edit.Create(name, edit.Object(edit.Member{Name: "ignore", Value: list}))
		if content = bytes.TrimRight(content, " \t\r\n"); len(content) > 0 {
			content = append(slices.Clone(content), '\n', '\n')
		}
	case ignores != nil && ignores.Kind == syntax.Array && len(ignores.Nodes) > 0:
		change = edit.Append(file, ignores.Value, ignore, edit.Where{})
	case ignores != nil:
		change = edit.Replace(file, edit.Handle(ignores), list)
	}
	edits, err := edit.Lower([]edit.Change{change})
	if err != nil {
		return nil, fmt.Errorf("the ignore cannot be added to the list, so add it by hand: %w", err)
	}
	if change.Op == edit.OpCreate {
		return append(content, edits[0].New...), nil
	}
	return edit.Apply(content, edits), nil
}
