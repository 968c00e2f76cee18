// Command mcplumb lints the MCP server configuration of a repository.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/mcplumb/mcplumb/internal/cli"
)

func main() {
	// A run is short and allocates in one direction: collect late, but before
	// the heap outgrows a small runner.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(400 << 20)
	os.Exit(cli.Main(context.Background(), cli.System()))
}
