package report

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// FleetRecord says which repository of a fleet a record is of.
type FleetRecord struct {
	Tool view.Tool
	// Repository is its name with its host, as "github.com/acme/api"; URL is its page for
	// people, "" for none.
	Repository, URL string
	// Local is where it is on the machine that read it, as the list names it, "" for one on a
	// server. It identifies the record when the directory is no longer a repository.
	Local view.Text
	// Commit is what was read, "" of a repository without one; Time is when it was made.
	Commit string
	Time   time.Time
	// Read is when that was found to be the newest commit; the record keeps only the day.
	Read time.Time
	// Config is what the settings were that it was read with, "" for its own.
	Config string
	// Expires is the last day on which all counts that hides something today, "" where nothing
	// expires.
	Expires string
	// Failed says why it could not be read, "" where it was. What else is there is of before.
	Failed view.Text
}

// jsonRecord is a repository of a fleet. Its servers are those of "list", its findings
// those of "check", without their fixes.
type jsonRecord struct {
	Version    int           `json:"version"`
	Tool       jsonTool      `json:"tool"`
	Repository string        `json:"repository"`
	URL        string        `json:"url"`
	Local      string        `json:"local,omitempty"`
	Commit     string        `json:"commit,omitempty"`
	Time       string        `json:"time,omitempty"`
	Read       string        `json:"read,omitempty"`
	Config     string        `json:"config,omitempty"`
	Expires    string        `json:"expires,omitempty"`
	Failed     string        `json:"failed,omitempty"`
	Servers    []jsonServer  `json:"servers"`
	Findings   []jsonFinding `json:"findings"`
	Errors     []jsonError   `json:"errors"`
	// Suppressed are the findings that the repository hides.
	Suppressed int      `json:"suppressed,omitempty"`
	Notices    []string `json:"notices,omitempty"`
}

// WriteFleetRecord writes what is known of a repository, v being nil of one that could not
// be read.
func WriteFleetRecord(w io.Writer, r FleetRecord, v *view.View) error {
	out := jsonRecord{
		Version: jsonVersion, Tool: jsonTool(r.Tool), Repository: r.Repository, URL: r.URL, Local: r.Local.Plain(), Commit: r.Commit,
		Config: r.Config, Expires: r.Expires, Failed: r.Failed.Plain(), Servers: []jsonServer{}, Findings: []jsonFinding{}, Errors: []jsonError{},
	}
	if !r.Time.IsZero() {
		out.Time = r.Time.UTC().Format(time.RFC3339)
	}
	if out.Failed == "" {
		out.Read = dayOf(r.Read)
	}
	if v != nil {
		for _, s := range v.Servers() {
			out.Servers = append(out.Servers, serverJSON(s))
		}
		for _, f := range v.Findings(rule.Off) {
			finding := findingJSON(f)
			finding.Fixes = nil
			out.Findings = append(out.Findings, finding)
		}
		out.Errors = problemsJSON(v)
		out.Suppressed, out.Notices = v.Summary.Suppressed, plain(v.Notices())
	}
	return encodeJSON(w, out)
}

// FailedRecord returns a record of a commit with why nothing newer could be read; ok is
// false where it is no record of a commit.
func FailedRecord(record []byte, failed view.Text) (content []byte, ok bool) {
	return changedRecord(record, func(known *jsonRecord) bool {
		known.Failed = failed.Plain()
		return known.Commit != ""
	})
}

// RenewedRecord returns a record whose commit is still the newest one on a day, and the
// record itself where it says so.
func RenewedRecord(record []byte, read time.Time) []byte {
	renewed, ok := changedRecord(record, func(known *jsonRecord) bool {
		isOlder := known.Read != dayOf(read)
		known.Read = dayOf(read)
		return isOlder
	})
	if !ok {
		return record
	}
	return renewed
}

// changedRecord returns a record with what a function changes; ok is false if it is not a
// record, or the function returns false.
func changedRecord(record []byte, change func(*jsonRecord) bool) (content []byte, ok bool) {
	var known jsonRecord
	if err := json.Unmarshal(record, &known); err != nil || known.Version != jsonVersion || !change(&known) {
		return nil, false
	}
	var out bytes.Buffer
	err := encodeJSON(&out, known)
	return out.Bytes(), err == nil
}

// dayOf returns the day of a time. Findings depend on the day, as ignores expire, but not on
// the hour: the same commit gives the same bytes all day.
func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}
