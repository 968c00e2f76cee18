package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// verdict is how a client handles a case.
type verdict string

const (
	loaded  verdict = "loaded"
	skipped verdict = "skipped" // the entry, and the rest of the file is loaded
	refused verdict = "refused" // the file, or the client does not start
	empty   verdict = "empty"   // the file, which is read, has no such entry
)

// record is the result of a client for a case.
type record struct {
	ID      string  `json:"id"`
	Path    string  `json:"path"`
	Text    string  `json:"text"`
	Name    string  `json:"name"`
	Verdict verdict `json:"verdict"`
	// Reason is the client's message, shortened.
	Reason string `json:"reason,omitempty"`
	// Off reports that the client has the entry and shows it as switched off.
	Off bool `json:"off,omitempty"`
	// Shows is what the client displays for the entry.
	Shows string `json:"shows,omitempty"`
	// Filled reports, for a case of a variable, whether the client expands it; "" if the
	// client does not show that.
	Filled string `json:"filled,omitempty"`
}

// of begins the record of a case.
func of(c testCase) record { return record{ID: c.ID, Path: c.Path, Text: c.Text, Name: c.Name} }

// absent is the verdict on an entry that a client neither has nor mentions.
func absent(c testCase) verdict {
	if strings.Contains(c.Text, c.Name) || strings.Contains(c.Text, quoted(c.Name)) {
		return skipped
	}
	return empty
}

// said returns what the client prints, on one line and without names that change from run
// to run.
func said(text string, without ...string) string {
	for _, w := range without {
		text = strings.ReplaceAll(text, w, "")
	}
	text = strings.Join(strings.Fields(text), " ")
	const most = 200
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// fill reports whether a client that shows its values has expanded the value of a case.
func fill(c testCase, shows string) string {
	switch {
	case c.Written == "":
		return ""
	case strings.Contains(shows, c.Written):
		if strings.Contains(c.Written, "${UNSET}") { // may be left as it is for want of a value
			return ""
		}
		return "no"
	case strings.Contains(shows, c.Wanted):
		return "yes"
	}
	return "otherwise"
}

// writeRecords writes a file of records, a line for each.
func writeRecords(path string, records []record) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// readRecords reads a file of records.
func readRecords(path string) ([]record, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []record
	for d := json.NewDecoder(bytes.NewReader(content)); d.More(); {
		var r record
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// recorded returns the records of a client, and the version that they are of: there is one
// file, CLIENT-VERSION.jsonl.
func recorded(dir string, c client) (records []record, version string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, c.id+"-[0-9]*.jsonl"))
	if err != nil || len(files) != 1 {
		return nil, "", fmt.Errorf("%s: %d files of records in place of one %v", c.id, len(files), err)
	}
	version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(files[0]), c.id+"-"), ".jsonl")
	records, err = readRecords(files[0])
	return records, version, err
}

// changed returns the differences between a client's old and new records, a line for each
// case.
func changed(was, is []record) []string {
	var all []string
	for _, r := range is {
		i := slices.IndexFunc(was, func(w record) bool { return w.ID == r.ID && w.Text == r.Text })
		switch {
		case i < 0:
			all = append(all, fmt.Sprintf("%s: %s, not recorded before", r.ID, r.Verdict))
		case was[i].answer() != r.answer():
			all = append(all, fmt.Sprintf("%s: %s, was %s", r.ID, r.answer(), was[i].answer()))
		}
	}
	return all
}

// answer is the significant part of a record, as text: releases change the wording of their
// reasons.
func (r record) answer() string {
	words := string(r.Verdict)
	if r.Off {
		words += " and off"
	}
	if r.Filled != "" {
		words += ", filled in: " + r.Filled
	}
	return words
}
