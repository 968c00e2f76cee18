//go:build !unix

package cli_test

import "github.com/rogpeppe/go-internal/testscript"

// makeFIFO is the command fifo FILE, for systems that have no such files.
func makeFIFO(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("no named pipes here: guard the script with [unix]")
}
