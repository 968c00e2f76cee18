// Command action reads act's output for one run of the action, as JSON on
// standard input, and compares it with the expected facts:
//
//	act --json … | go run ./test/action NAME KEY=VALUE…
//
// With -github STATUS it is GitHub's API instead, with the parts that an upload to code
// scanning needs, and prints its address. With -git DIR it serves the repository
// in a directory over http, and prints its address. With -zip FILE NAME it writes an
// archive that holds the file under a name.
//
// The keys are job (success or failure), error, warning and notice (annotations),
// summary (how many job summaries), map (how many identity maps in them), and
// the names of outputs. In every run, no command may come from the repository:
// every annotation has a title of mcplumb's, there is no other command, and no
// output except those of action.yml.
package main

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// line is one line of act's output; only the members that matter are read.
type line struct {
	Command, Name, Arg, Content string
	KvPairs                     map[string]string
	Step, StepResult, Msg       string
	JobResult                   string
}

// run is what one run came to.
type run struct {
	facts    map[string]string
	counts   map[string]int
	problems []string
	summary  string
	log      strings.Builder
	// checkedOut and annotated are when the checkout ended and the first
	// annotation came.
	checkedOut, annotated time.Time
}

func main() {
	name, wanted := os.Args[1], os.Args[2:]
	switch name {
	case "-github":
		serve(wanted[0])
	case "-git":
		serveGit(wanted[0])
	case "-zip":
		archive(wanted[0], wanted[1])
		return
	}
	r := run{facts: map[string]string{}, counts: map[string]int{}}
	r.read(os.Stdin)
	for _, want := range wanted {
		key, value, _ := strings.Cut(want, "=")
		if got := r.fact(key); got != value {
			r.problem("%s is %q, not %q", key, got, value)
		}
	}
	if file := os.Getenv("SUMMARY"); file != "" {
		if err := os.WriteFile(file, []byte(r.summary), 0o666); err != nil {
			r.problem("%v", err)
		}
	}
	if len(r.problems) > 0 {
		fmt.Printf("%s\n%s: %s\n", r.log.String(), name, strings.Join(r.problems, "\n"+name+": "))
		os.Exit(1)
	}
	fmt.Printf("%s: %s, exit code %s, %s errors and %s warnings annotated", name, r.fact("job"), r.fact("exit-code"), r.fact("error"), r.fact("warning"))
	if !r.annotated.IsZero() && !r.checkedOut.IsZero() {
		fmt.Printf(", the first %d ms after the checkout", r.annotated.Sub(r.checkedOut).Milliseconds())
	}
	fmt.Println()
}

func (r *run) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// fact returns the value of a key; a number that was never counted is 0.
func (r *run) fact(key string) string {
	switch key {
	case "error", "warning", "notice", "summary", "map":
		return strconv.Itoa(r.counts[key])
	}
	return r.facts[key]
}

// read reads to the end, and checks the clock on the way.
func (r *run) read(in io.Reader) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		fmt.Fprintln(&r.log, scanner.Text())
		var l line
		if json.Unmarshal(scanner.Bytes(), &l) != nil {
			continue // act's own last words
		}
		if l.JobResult != "" {
			r.facts["job"] = l.JobResult
		}
		if strings.Contains(l.Msg, "Success - Main actions/checkout@") {
			r.checkedOut = time.Now()
		}
		r.command(l)
	}
	if err := scanner.Err(); err != nil {
		r.problem("%v", err)
	}
}

// command reads one workflow command, or a file that a step wrote.
func (r *run) command(l line) {
	switch l.Command {
	case "":
	case "error", "warning", "notice":
		if r.annotated.IsZero() {
			r.annotated = time.Now()
		}
		r.counts[l.Command]++
		// act lets a command's properties go up to the last "::" of the line, GitHub's
		// runner up to the first (ActionCommand.cs).
		title, _, _ := strings.Cut(l.KvPairs["title"], "::")
		if title != "mcplumb" && !strings.HasPrefix(title, "mcplumb: ") {
			r.problem("an annotation of somebody else: %v %q", l.KvPairs, l.Arg)
		}
	case "set-output":
		r.output(l.Name, l.Arg)
	case "summary":
		// act repeats a step's summary for the action around it.
		if l.Content != r.summary {
			r.counts["summary"]++
			r.counts["map"] += strings.Count(l.Content, "\n```mermaid\nflowchart LR\n")
			r.summary = l.Content
		}
	default:
		r.problem("a command of somebody else: %s %q", l.Command, l.Arg)
	}
}

// output takes one output. Numbers are numbers, the path is a path, and none has
// two values. An action that left out an output has it empty.
func (r *run) output(name, value string) {
	isRight, known := true, true
	switch _, err := strconv.Atoi(value); name {
	case "findings", "errors", "warnings", "notes", "fixable", "exit-code", "pull-request-number":
		isRight = err == nil
	case "sarif-file":
		isRight = filepath.IsAbs(value)
	case "pull-request-operation":
		isRight = slices.Contains([]string{"created", "updated", "closed", "none"}, value)
	case "pull-request-url":
		isRight = strings.HasPrefix(value, "https://github.com/")
	default:
		known = false
	}
	switch {
	case !known:
		r.problem("an output of somebody else: %s=%q", name, value)
	case value == "":
		return
	case !isRight:
		r.problem("the output %s is %q", name, value)
	case r.facts[name] != "" && r.facts[name] != value:
		r.problem("the output %s is %q and %q", name, r.facts[name], value)
	}
	r.facts[name] = value
}

// serve answers uploads with a status until it is ended.
func serve(status string) {
	code, err := strconv.Atoi(status)
	if err != nil {
		panic(err)
	}
	listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"processing_status": "complete"}`)
			return
		}
		var upload struct{ Sarif, Ref, Commit_SHA string }
		err := json.NewDecoder(r.Body).Decode(&upload)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/code-scanning/sarifs") || upload.Sarif == "" || len(upload.Commit_SHA) != 40 || !strings.HasPrefix(upload.Ref, "refs/") {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		w.WriteHeader(code)
		fmt.Fprint(w, `{"id": "1", "message": "Resource not accessible by integration ::add-path::/x"}`)
	}))
}

// serveGit serves a repository until it is ended.
func serveGit(dir string) {
	programs, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		panic(err)
	}
	listen(&cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(programs)), "git-http-backend"), InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="},
	})
}

// listen prints an address, and answers there until it is ended.
func listen(handler http.Handler) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	panic(http.Serve(listener, handler))
}

// archive writes a zip archive of one file.
func archive(file, name string) {
	content, err := os.ReadFile(file)
	out := zip.NewWriter(os.Stdout)
	if err == nil {
		var w io.Writer
		if w, err = out.Create(name); err == nil {
			_, err = w.Write(content)
		}
	}
	if err = errors.Join(err, out.Close()); err != nil {
		panic(err)
	}
}
