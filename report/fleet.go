package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/view"
)

// FleetFormat is one way to write what is known of a fleet. Texts of its records are
// hostile: each format escapes them in its own way.
type FleetFormat struct {
	Name  string
	Write func(io.Writer, *fleet.Fleet, view.Tool) error
}

// FleetFormats returns the formats of fleet report; the first is the default.
func FleetFormats() []*FleetFormat {
	return []*FleetFormat{
		{Name: "markdown", Write: fleetMarkdown},
		{Name: "json", Write: fleetJSON},
		{Name: "csv", Write: fleetCSV},
		{Name: "cyclonedx", Write: fleetCycloneDX},
		{Name: "html", Write: fleetHTML},
	}
}

// jsonLines writes one object of JSON piece by piece, since that of a fleet is large: every
// row of a list on a line of its own.
type jsonLines struct {
	out   io.Writer
	count int // of fields
	err   error
}

// field writes a field with its value.
func (j *jsonLines) field(name string, value any) {
	j.name(name)
	j.value(value)
}

func (j *jsonLines) name(name string) {
	opening := ","
	if j.count == 0 {
		opening = "{"
	}
	j.count++
	j.write(fmt.Sprintf("%s\n\"%s\": ", opening, name))
}

func (j *jsonLines) write(text string) {
	if j.err == nil {
		_, j.err = io.WriteString(j.out, text)
	}
}

func (j *jsonLines) value(value any) {
	if j.err != nil {
		return
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if j.err = encoder.Encode(value); j.err == nil {
		_, j.err = j.out.Write(bytes.TrimRight(text.Bytes(), "\n"))
	}
}

// list begins a field that is a list, and returns what adds rows to it and what ends it.
func (j *jsonLines) list(name string) (add func(row any), end func()) {
	j.name(name)
	opening := "[\n"
	add = func(row any) {
		j.write(opening)
		opening = ",\n"
		j.value(row)
	}
	end = func() {
		if opening == "[\n" {
			j.write("[")
		}
		j.write("]")
	}
	return add, end
}

// end ends the object.
func (j *jsonLines) end() error {
	j.write("\n}\n")
	return j.err
}

// rulesOf returns the rules with findings about the servers of a record, by their paths and
// names, sorted. A credential that several servers have is one finding, which names the places
// of the others.
func rulesOf(r *fleet.Record) map[[2]string][]string {
	rules := map[[2]string][]string{}
	var servers serversIn
	for i := range r.Findings {
		f := &r.Findings[i]
		if at := [2]string{f.Path, f.Server}; f.Server != "" {
			rules[at] = append(rules[at], f.Rule)
		}
		if len(f.Related) > 0 && servers == nil {
			servers = serversOf(r)
		}
		for _, also := range f.Related {
			if s := servers.at(also.Path, also.Line); s != nil && strings.Contains(also.Message, `"`+s.Name+`"`) {
				at := [2]string{s.Path, s.Name}
				rules[at] = append(rules[at], f.Rule)
			}
		}
	}
	for at, list := range rules {
		slices.Sort(list)
		rules[at] = slices.Compact(list)
	}
	return rules
}

// serversIn are the servers of files, by their paths and in the order of their lines.
type serversIn map[string][]*fleet.Server

func serversOf(r *fleet.Record) serversIn {
	all := serversIn{}
	for i := range r.Servers {
		s := &r.Servers[i]
		all[s.Path] = append(all[s.Path], s)
	}
	for _, servers := range all {
		slices.SortStableFunc(servers, func(a, b *fleet.Server) int { return cmp.Compare(a.Line, b.Line) })
	}
	return all
}

// at returns the server that begins last before a line of a file, nil for none.
func (all serversIn) at(path string, line int) *fleet.Server {
	servers := all[path]
	n, _ := slices.BinarySearchFunc(servers, line+1, func(s *fleet.Server, line int) int { return cmp.Compare(s.Line, line) })
	if n == 0 {
		return nil
	}
	return servers[n-1]
}
