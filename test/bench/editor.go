package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keystrokes is how many are measured.
const keystrokes = 300

// measureEditor prints what the language server needs, in CPU time of all its threads: until all
// diagnostics of a tree are there, beside a check of it, and from a keystroke to its diagnostics.
// Linux alone says how much a process has used that still runs.
func measureEditor(binary, dir, file, what string, rounds int) error {
	if _, err := os.Stat("/proc/self/task"); err != nil {
		return nil
	}
	var first, typed []time.Duration
	var checks []sample
	for range rounds {
		check, err := run(binary, "check", "--fail-on", "never", dir)
		if err != nil {
			return err
		}
		e, err := openEditor(binary, dir)
		if err != nil {
			return err
		}
		used, each, err := e.session(filepath.Join(dir, file), keystrokes/rounds)
		if err = errors.Join(err, e.close()); err != nil {
			return err
		}
		checks, first, typed = append(checks, check), append(first, used), append(typed, each...)
	}
	slices.SortFunc(checks, func(a, b sample) int { return int(a.cpu - b.cpu) })
	slices.Sort(first)
	slices.Sort(typed)
	c, f := checks[len(checks)/2].cpu, first[len(first)/2]
	fmt.Printf("%-14s check %6.1f ms CPU   diagnostics %6.1f ms CPU   ratio %.2f   a keystroke %.1f ms, 99th percentile %.1f ms\n", what,
		milliseconds(c), milliseconds(f), float64(f)/float64(c), milliseconds(typed[len(typed)/2]), milliseconds(typed[len(typed)*99/100]))
	return nil
}

// editor is a client of one language server.
type editor struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	dir string
}

// openEditor starts a language server on a directory.
func openEditor(binary, dir string) (*editor, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(binary, "lsp")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &editor{cmd, in, bufio.NewReader(out), dir}, cmd.Start()
}

// session opens a file, and types a letter and takes it back as often. It returns the CPU time
// until all diagnostics are there, and that of each keystroke.
func (e *editor) session(file string, count int) (first time.Duration, each []time.Duration, err error) {
	uri := func(path string) string { return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String() }
	type object = map[string]any
	e.send("initialize", object{"rootUri": uri(e.dir), "capabilities": object{"textDocument": object{"publishDiagnostics": object{"versionSupport": true}}}}, 1)
	if err := e.wait("", 1); err != nil {
		return 0, nil, err
	}
	e.send("initialized", object{}, 0)
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, nil, err
	}
	document := uri(file)
	e.send("textDocument/didOpen", object{"textDocument": object{"uri": document, "languageId": "json", "version": 1, "text": string(text)}}, 0)
	// It is answered when all is published that was found before.
	settle := func(version int) (time.Duration, error) {
		if err := e.wait(document, version); err != nil {
			return 0, err
		}
		e.send("textDocument/hover", object{"textDocument": object{"uri": document}, "position": object{"line": 0, "character": 0}}, version+1)
		if err := e.wait("", version+1); err != nil {
			return 0, err
		}
		return e.used()
	}
	before, err := settle(1)
	first = before
	line := strings.Count(string(text[:strings.Index(string(text), `"command": "`)]), "\n")
	at := strings.Index(strings.Split(string(text), "\n")[line], `"command": "`) + len(`"command": "`)
	for i := 0; i < count && err == nil; i++ {
		start, end := object{"line": line, "character": at}, object{"line": line, "character": at + i%2}
		change := object{"range": object{"start": start, "end": end}, "text": []string{"x", ""}[i%2]}
		e.send("textDocument/didChange", object{"textDocument": object{"uri": document, "version": i + 2}, "contentChanges": []any{change}}, 0)
		var now time.Duration
		now, err = settle(i + 2)
		each, before = append(each, now-before), now
	}
	return first, each, err
}

// send sends a request, or a notification where the ID is 0.
func (e *editor) send(method string, params any, id int) {
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id != 0 {
		message["id"] = id
	}
	body, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body) // a server that is gone sends nothing either
}

// wait waits for the diagnostics of a version of a document, or for the answer to a request.
func (e *editor) wait(document string, number int) error {
	for {
		head, err := textproto.NewReader(e.out).ReadMIMEHeader()
		if err != nil {
			return err
		}
		size, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil {
			return err
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(e.out, body); err != nil {
			return err
		}
		var m struct {
			ID     int
			Params struct {
				URI     string
				Version int
			}
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		if document == "" && m.ID == number || document != "" && m.Params.URI == document && m.Params.Version == number {
			return nil
		}
	}
}

// used returns the CPU time of the threads of the server.
func (e *editor) used() (total time.Duration, err error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", e.cmd.Process.Pid))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		running, _, _ := strings.Cut(string(content), " ")
		nanoseconds, err := strconv.ParseInt(running, 10, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(nanoseconds)
	}
	return total, err
}

// close ends the server.
func (e *editor) close() error {
	e.send("shutdown", nil, 1)
	e.send("exit", nil, 0)
	_, err := io.Copy(io.Discard, e.out)
	return errors.Join(err, e.in.Close(), e.cmd.Wait())
}
