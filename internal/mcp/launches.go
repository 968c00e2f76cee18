package mcp

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// LaunchKind says what a Launch is.
type LaunchKind uint8

// The kinds of launches.
const (
	// LaunchLine is a command line that a shell is given.
	LaunchLine LaunchKind = iota
	// LaunchHelper is a command that the client itself runs, in a shell, to connect.
	LaunchHelper
	// LaunchSetting is an option or a variable that decides which code runs.
	LaunchSetting
)

// Launch is one thing that an entry makes run beside the program of its identity, or that
// decides which code that is.
type Launch struct {
	Kind LaunchKind
	// Name is that of the member, option or variable; "" for a line.
	Name string
	// Value is what is run or set. It may hold secrets: mask it.
	Value string
	// Line is what a shell reads, of a LaunchLine and a LaunchHelper.
	Line identity.Line
	// IsSource reports of a setting that it says where packages are fetched from.
	IsSource bool
}

// Launches returns everything that an entry makes run, and what decides which code that is:
// lines of shells first, then the client's own command, then settings in their order. In
// settings, paths below the project's directory begin with ./ so that those of a project
// that was moved are the same.
func (s *Server) Launches() []Launch {
	var all []Launch
	resolved := s.Resolved()
	for _, line := range resolved.Parts().Lines {
		all = append(all, Launch{Kind: LaunchLine, Line: line})
	}
	if helper := s.Extra().HeadersHelper; helper.Text != "" && slices.ContainsFunc(s.Document.Loaders(), (*Client).RunsHeadersHelper) {
		all = append(all, Launch{Kind: LaunchHelper, Name: "headersHelper", Value: helper.Text, Line: identity.ShellLine(helper)})
	}
	dir := s.Document.Project.Dir
	for _, d := range resolved.Code() {
		if dir != "" {
			d.Value = strings.ReplaceAll(d.Value, "./"+dir+"/", "./")
		}
		all = append(all, Launch{Kind: LaunchSetting, Name: d.Name, Value: d.Value, IsSource: d.IsSource})
	}
	return all
}

// RunsHeadersHelper reports whether a client runs the command in headersHelper
// (Claude Code: code.claude.com/docs/en/mcp).
func (c *Client) RunsHeadersHelper() bool {
	return c.Schema != nil && c.Schema.Member("headersHelper") != nil
}
