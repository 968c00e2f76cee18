package policy

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Approve returns settings with ignores by which hashes are approved, each behind those
// that are there. All else stays as it is written. Messages call the file name; content
// is nil where there is none yet. The error says why the settings cannot be changed.
func Approve(name string, content []byte, approvals []Ignore) ([]byte, error) {
	for _, approval := range approvals {
		var err error
		if content, err = withIgnore(name, content, approval.value()); err != nil {
			return nil, err
		}
	}
	now, err := ParseSettings(name, "", content)
	if err != nil {
		return nil, err
	}
	for _, approval := range approvals {
		if !now.Approves(approval.Identity, approval.Integrity, "") {
			return nil, &Error{Path: name, Message: "the ignore cannot be added safely: add it by hand"}
		}
	}
	return content, nil
}

// Approves reports whether an ignore that holds today, a date as 2006-01-02, approves a
// hash of something, wherever.
func (s *Settings) Approves(identity, integrity, today string) bool {
	return slices.ContainsFunc(s.Ignores, func(i Ignore) bool {
		return (i.Until == "" || i.Until >= today) && i.Rule == checks.IntegrityChanged.ID && i.Identity == identity && i.Integrity == integrity
	})
}

// value returns an approval as it is written.
func (i Ignore) value() edit.Value {
	return edit.Object(
		edit.Member{Name: "rule", Value: edit.String(i.Rule)},
		edit.Member{Name: "identity", Value: edit.String(i.Identity)},
		edit.Member{Name: "integrity", Value: edit.String(i.Integrity)},
		edit.Member{Name: "reason", Value: edit.String(i.Reason)},
	)
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
