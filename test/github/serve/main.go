// Command serve is the double of GitHub as a program, for tests that are not in Go. It
// prints its address, and ends when it receives a signal.
//
//	go run ./serve -repository BARE -openapi FILE [-graphql FILE] [-name OWNER/NAME] [-token TOKEN] [-addr 127.0.0.1:0] [-log FILE]
//
// Without -token every token is accepted. Without -graphql the schema is where npm installs
// it, next to the description.
//
// The log has a line for each request, and one that begins with "violation: " for
// each that GitHub's descriptions do not allow.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/mcplumb/mcplumb/test/github/double"
)

func main() {
	var o double.Options
	flag.StringVar(&o.Repository, "repository", "", "directory of the bare repository")
	flag.StringVar(&o.OpenAPI, "openapi", "", "api.github.com.json of @octokit/openapi")
	flag.StringVar(&o.GraphQL, "graphql", "", "schema.graphql of @octokit/graphql-schema")
	flag.StringVar(&o.FullName, "name", "acme/web", "owner/name of the repository")
	flag.StringVar(&o.Token, "token", "", "the token that is known")
	flag.StringVar(&o.Address, "addr", "127.0.0.1:0", "address to listen on")
	file := flag.String("log", "", "file to write each request to")
	flag.Parse()
	if o.GraphQL == "" {
		o.GraphQL = filepath.Join(filepath.Dir(o.OpenAPI), "../../graphql-schema/schema.graphql")
	}
	if *file != "" {
		out, err := os.Create(*file)
		if err != nil {
			log.Fatal(err)
		}
		o.Log = out
	}
	d, err := double.Start(o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.URL)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	_ = d.Close()
}
