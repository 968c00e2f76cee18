// Command mcplumb lints the MCP server configuration of a repository.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/mcplumb/mcplumb/internal/cli"
)

func main() {
	// A run is short and keeps nearly all it reads: collect late, but before
	// the heap outgrows a small runner.
	debug.SetGCPercent(1200)
	debug.SetMemoryLimit(440 << 20)
	os.Exit(cli.Main(context.Background(), cli.System()))
}
