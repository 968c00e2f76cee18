package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// The limits of one message: a text of the largest file that is read, each byte of it escaped, and
// a head of one page.
const (
	maxMessage = 7 * syntax.MaxBytes
	maxHead    = 4096
)

// stream is the protocol on two streams of bytes. If a message cannot be understood, the server
// answers it and reads the next one. If the start of the next one is unknown, reading ends.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	end func() error

	writing sync.Mutex
}

// newStream returns the protocol on streams of bytes; closing it closes those that can be.
func newStream(in io.Reader, out io.Writer) *stream {
	return &stream{in: bufio.NewReaderSize(in, maxHead), out: out, end: sync.OnceValue(func() error {
		var errs []error
		for _, end := range []any{in, out} {
			if closer, ok := end.(io.Closer); ok {
				errs = append(errs, closer.Close())
			}
		}
		return errors.Join(errs...)
	})}
}

func (s *stream) Close() error { return s.end() }

// WriteObject writes a message in one piece.
func (s *stream) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var message bytes.Buffer
	fmt.Fprintf(&message, "Content-Length: %d\r\n\r\n", len(body))
	message.Write(body)
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err = s.out.Write(message.Bytes())
	return err
}

// ReadObject reads the next message that can be understood.
func (s *stream) ReadObject(v any) error {
	for {
		size, err := s.head()
		if err != nil {
			return err
		}
		body, err := readAll(s.in, size)
		if err != nil {
			return err
		}
		if err = json.Unmarshal(body, v); err == nil {
			return nil
		}
		code := jsonrpc2.CodeInvalidRequest
		if !json.Valid(body) {
			code = jsonrpc2.CodeParseError
		}
		failure := map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": "the message cannot be understood"}}
		if err := s.WriteObject(failure); err != nil {
			return err
		}
	}
}

// readAll reads as many bytes. Memory is taken as they come: a client may promise more than it
// sends.
func readAll(in io.Reader, size int) ([]byte, error) {
	var body bytes.Buffer
	n, err := io.Copy(&body, io.LimitReader(in, int64(size)))
	if err == nil && n < int64(size) {
		err = io.ErrUnexpectedEOF
	}
	return body.Bytes(), err
}

// head reads the head of a message and returns how long the rest is.
func (s *stream) head() (size int, err error) {
	size = -1
	for read := 0; ; {
		line, err := s.in.ReadSlice('\n')
		if read += len(line); read > maxHead || errors.Is(err, bufio.ErrBufferFull) {
			return 0, errors.New("the head of a message is too long")
		}
		if err != nil {
			return 0, err
		}
		name, value, found := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case name == "" && !found:
			if size < 0 {
				return 0, errors.New("a message without a length")
			}
			return size, nil
		case !found:
			return 0, errors.New("an invalid header line")
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			size, err = strconv.Atoi(strings.TrimSpace(value))
			if err != nil || size < 0 || size > maxMessage {
				return 0, errors.New("a message has an invalid length, or is too long")
			}
		}
	}
}
