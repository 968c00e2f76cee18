package view

import (
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// Text is a text that may be shown: no credential is in it. Only this package
// makes one. It may still be hostile, so what an output writes is one of its two
// forms.
type Text struct{ text string }

// NewText hides the credentials of a text.
func NewText(text string) Text { return Text{secret.Mask(text)} }

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t.text == "" }

// Plain returns the text as it is, except for credentials, for formats with their own
// escaping, such as JSON.
func (t Text) Plain() string { return t.text }

// String returns the text on one line, as a terminal or a log may hold it.
func (t Text) String() string { return terminal.Escape(t.text) }
