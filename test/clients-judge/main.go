// Clients-judge has released clients judge generated files, and writes their results next to the
// records that mcplumb is compared with:
//
//	clients-judge -install DIRECTORY [-out DIRECTORY] [CLIENT…]
//
// scripts/clients-judge installs the clients and runs it. It prints, in Markdown, how each client
// differs from its records, and exits with 3 if one does. It fails if a client starts a server.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	install := flag.String("install", "", "the `directory` in which npm has installed the clients")
	records := flag.String("records", "test/clients-judge", "the `directory` of the records, and of read.mjs")
	out := flag.String("out", "", "the `directory` to write what clients say to; none by default")
	flag.Parse()
	status := 0
	for _, c := range clients() {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), c.id) {
			continue
		}
		isOtherwise, err := judge(c, *install, *records, *out)
		switch {
		case err != nil:
			fmt.Fprintf(os.Stderr, "clients-judge: %s: %v\n", c.id, err)
			status = 1
		case isOtherwise && status == 0:
			status = 3
		}
	}
	os.Exit(status)
}

// judge runs one client on its cases, prints how it differs from its records, and writes
// the new records.
func judge(c client, install, dir, out string) (isOtherwise bool, err error) {
	work, err := os.MkdirTemp("", "clients-judge")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	read, err := filepath.Abs(filepath.Join(dir, "read.mjs"))
	if err != nil {
		return false, err
	}
	j, err := newJury(c, install, read, work)
	if err != nil {
		return false, err
	}
	version, err := j.version()
	if err != nil {
		return false, err
	}
	is, err := c.judge(j, c.cases())
	if err != nil {
		return false, err
	}
	was, before, err := recorded(dir, c)
	if err != nil {
		before = "nothing"
	}
	lines := changed(was, is)
	fmt.Printf("### %s %s: %d of %d cases otherwise than %s\n\n", c.title, version, len(lines), len(is), before)
	for _, line := range lines {
		fmt.Println("- " + line)
	}
	if len(lines) > 0 {
		fmt.Println()
	}
	if out == "" {
		return len(lines) > 0, nil
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return false, err
	}
	if old, err := filepath.Glob(filepath.Join(out, c.id+"-[0-9]*.jsonl")); err == nil {
		for _, path := range old {
			if err := os.Remove(path); err != nil {
				return false, err
			}
		}
	}
	return false, writeRecords(filepath.Join(out, c.id+"-"+version+".jsonl"), is)
}
