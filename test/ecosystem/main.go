// Command ecosystem runs mcplumb over the repositories of a bare git repository that has
// one ref for each, refs/repos/OWNER/NAME, and compares its findings and fixes with the
// verdicts on them (the tables next to it). It checks nothing out and writes nothing into
// the repository.
//
// It prints the difference as Markdown and exits with 1 if a person must look.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/mcplumb/mcplumb/test/ecosystem/judged"
)

// options are the values of the flags.
type options struct {
	program, store, only, tables, records string
	update                                bool
}

var errDiffers = errors.New("a person has to look at the difference: judge it in test/ecosystem/*.tsv (-update writes the rows), or fix the cause")

func main() {
	var o options
	flag.StringVar(&o.program, "mcplumb", "bin/mcplumb", "the program to run")
	flag.StringVar(&o.store, "store", "", "the bare git repository")
	flag.StringVar(&o.only, "only", "", "run only the repositories whose names contain this")
	flag.StringVar(&o.tables, "tables", "test/ecosystem", "the directory of the tables")
	flag.StringVar(&o.records, "records", "", "write what mcplumb says to this file, one JSON object a line")
	flag.BoolVar(&o.update, "update", false, "write the tables as they are now, with ? for what nobody has judged")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "ecosystem:", err)
		os.Exit(1)
	}
}

// run prints the difference.
func run(out io.Writer, o options) error {
	tables, err := judged.Read(o.tables)
	if err != nil {
		return err
	}
	records, err := records(o.program, o.store, o.only)
	if err != nil {
		return err
	}
	if err := keep(o.records, records); err != nil {
		return err
	}
	difference, now := judged.Compare(tables, records)
	fmt.Fprint(out, judged.Markdown(difference, now))
	if o.update {
		return now.Write(o.tables)
	}
	if difference.Fails() {
		return errDiffers
	}
	return nil
}

// keep writes the records to a file, if one is named.
func keep(path string, records []judged.Record) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(file)
	lines.SetEscapeHTML(false)
	for _, r := range records {
		if err := lines.Encode(r); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return file.Close()
}
