package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// WriteError says that something could not be written.
type WriteError struct {
	To  string // as a person knows it
	Err error
}

func (e *WriteError) Error() string { return fmt.Sprintf("cannot write %s: %v", e.To, e.Err) }
func (e *WriteError) Unwrap() error { return e.Err }

// WriteFailed returns err as a *WriteError, or nil.
func WriteFailed(to string, err error) error {
	if err == nil {
		return nil
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err // to names the path already
	}
	return &WriteError{to, err}
}

// Explain says what is wrong with a file that a message names.
func Explain(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or directory"
	}
	return err.Error()
}

// explained is an error that says what is wrong with a file, without the path.
type explained struct{ err error }

func (e *explained) Error() string { return reason(e.err) }
func (e *explained) Unwrap() error { return e.err }

// Writing returns what writes a text, for WriteFile and WriteInside.
func Writing(content []byte) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	}
}
