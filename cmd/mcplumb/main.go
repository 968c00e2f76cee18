// Command mcplumb lints the MCP server configuration of a repository.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mcplumb/mcplumb/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second one ends the program at once
	os.Exit(cli.Main(ctx, cli.System()))
}
