//go:build !unix

package lint

import (
	"errors"
	"io"
	"os"
)

// readInto reads the start of a file into content and returns how much there
// was, at most all of it.
func readInto(path string, content []byte) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := io.ReadFull(f, content)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}
