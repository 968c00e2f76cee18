package edit

import (
	"bytes"
	"fmt"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Validate returns an error for wrong changes of one fix, as far as their spans show it: a place
// that is not in its file, one path with two contents, a value that no syntax can write, changes
// that overlap partly or do two things to one place. Such an error is a mistake of the rule that
// made the fix. Lower finds out whether the changes can be made.
func Validate(changes []Change) error {
	for i, c := range changes {
		if err := validate(c); err != nil {
			return err
		}
		for _, earlier := range changes[:i] {
			if err := exclude(earlier, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// validate checks one change.
func validate(c Change) error {
	if c.File == nil {
		return fmt.Errorf("a place without a file")
	}
	for _, span := range []syntax.Span{c.At, c.Where.Beside} {
		if span.Start < 0 || span.Start > span.End || span.End > len(c.File.Bytes) {
			return fmt.Errorf("bytes %d to %d are not in %s", span.Start, span.End, c.File.Path)
		}
	}
	if c.Op < OpRename || c.Op > OpExtend {
		return fmt.Errorf("a change of %s says nothing", c.File.Path)
	}
	if c.Op == OpExtend && !c.Value.isContainer() {
		return fmt.Errorf("only a list or an object of %s can be extended", c.File.Path)
	}
	if problem := c.Value.problem(); problem != "" {
		return fmt.Errorf("a change of %s: %s", c.File.Path, problem)
	}
	return nil
}

// exclude says why two changes cannot be made together.
func exclude(a, b Change) error {
	switch {
	case a.File.Path != b.File.Path || isEqual(a, b):
		return nil
	case !bytes.Equal(a.File.Bytes, b.File.Bytes):
		return fmt.Errorf("two changes are for different contents of %s", a.File.Path)
	case !a.puts() && !b.puts() && a.At == b.At:
		return fmt.Errorf("two changes exclude each other at byte %d of %s", a.At.Start, a.File.Path)
	case a.At.Start < b.At.End && b.At.Start < a.At.End && !a.At.Contains(b.At) && !b.At.Contains(a.At):
		return fmt.Errorf("two changes cut each other at byte %d of %s", max(a.At.Start, b.At.Start), a.File.Path)
	}
	return nil
}

// puts reports whether a change only adds something to what it names.
func (c Change) puts() bool { return c.Op == OpInsert || c.Op == OpAppend || c.Op == OpExtend }
