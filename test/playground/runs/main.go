// Command runs is mcplumb for tests that run it a thousand times: starting the program takes longer
// than running it. It reads one run per line, and writes one line with what the run printed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// run is the program started in a directory.
type run struct {
	Dir  string   `json:"dir"`
	Args []string `json:"args"`
}

// result is what it printed.
type result struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Code   int    `json:"code"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "runs:", err)
		os.Exit(1)
	}
}

// serve runs the program for each line, until there is none.
func serve(in io.Reader, out io.Writer) error {
	lines, results := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var r run
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var stdout, stderr bytes.Buffer
		env := cli.System()
		env.Dir, env.Args, env.Stdin, env.Stdout, env.Stderr = r.Dir, r.Args, strings.NewReader(""), &stdout, &stderr
		code := cli.Main(context.Background(), env)
		if err := results.Encode(result{stdout.String(), stderr.String(), code}); err != nil {
			return err
		}
	}
}
