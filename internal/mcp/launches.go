package mcp

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shell"
)

// LaunchKind says what a Launch is.
type LaunchKind uint8

// The kinds of launches.
const (
	// LaunchLine is a command line that a shell is given.
	LaunchLine LaunchKind = iota
	// LaunchHelper is a command that the client itself runs, in a shell, to connect or to fill
	// in a value.
	LaunchHelper
	// LaunchSetting is an option or a variable that decides which code runs, or "cwd" of a package:
	// a file in that directory may run instead of it.
	LaunchSetting
	// LaunchReach is an option of a container that decides what that gets at.
	LaunchReach
	// LaunchDefault is what the client proposes for an argument or a variable.
	LaunchDefault
)

// Launch is one thing that an entry makes run in addition to the program of its identity, or that
// decides which code that is.
type Launch struct {
	Kind LaunchKind
	// Name is that of the member, option or variable, in words of a helper; "" for a line.
	Name string
	// Value is what is run or set. It may hold secrets: mask it.
	Value string
	// Line is what a shell reads, of a LaunchLine and a LaunchHelper.
	Line shell.Line
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
	all = append(all, s.Helpers()...)
	dir := s.Document.Project.Dir
	for _, d := range resolved.Code() {
		if dir != "" {
			d.Value = strings.ReplaceAll(d.Value, "./"+dir+"/", "./")
		}
		kind := LaunchSetting
		if d.Reach {
			kind = LaunchReach
		}
		all = append(all, Launch{Kind: kind, Name: d.Name, Value: d.Value, IsSource: d.IsSource})
	}
	if cwd := resolved.Dir(); cwd != "" && s.Identity.IsPackage() {
		all = append(all, Launch{Kind: LaunchSetting, Name: "cwd", Value: strings.TrimPrefix(cwd, dir+"/")})
	}
	return append(all, s.defaults()...)
}

// defaults returns what the client proposes for what the entry asks for. It decides which code
// runs where nothing else says what that is.
func (s *Server) defaults() []Launch {
	var all []Launch
	for _, a := range s.Document.Answers {
		if a.Default.Text == "" || !a.isAskedBy(&s.Launch) {
			continue
		}
		kind := LaunchDefault
		if s.Identity.Kind == identity.Opaque {
			kind = LaunchSetting
		}
		all = append(all, Launch{Kind: kind, Name: "the default of the input " + a.ID, Value: a.Default.Text})
	}
	return all
}

// Helpers returns the commands that a client runs itself: that for headers, those for inputs, and
// those in values that it hands to a shell to fill them in.
func (s *Server) Helpers() []Launch {
	var all []Launch
	for _, a := range s.Document.Answers {
		if a.Command.Text != "" && a.isAskedBy(&s.Launch) {
			all = append(all, a.helpers()...)
		}
	}
	d := s.Document
	isRunner := func(c *Client) bool { return c.Reads(d.Format, d.RootKey) && c.RunsHeadersHelper() }
	if helper := s.Extra().HeadersHelper; helper.Text != "" && slices.ContainsFunc(d.Clients, isRunner) {
		all = append(all, helperOf("headersHelper", helper))
	}
	isShell := func(c *Client) bool { return c.Reads(d.Format, d.RootKey) && c.In(d.Format).Expands(secret.Command) }
	if !slices.ContainsFunc(d.Clients, isShell) {
		return all
	}
	add := func(name string, value identity.Word) {
		if strings.Contains(value.Text, "$(") || strings.Contains(value.Text, "`") {
			all = append(all, helperOf(name, value))
		}
	}
	l := &s.Launch
	add("the command", l.Command)
	add("the URL", l.URL)
	for _, arg := range l.Args {
		add("an argument", arg)
	}
	for _, pair := range l.Env {
		add("the variable "+pair.Name.Text, pair.Value)
	}
	for _, pair := range l.Headers {
		add("the header "+pair.Name.Text, pair.Value)
	}
	return all
}

// helperOf returns a command that a client runs itself.
func helperOf(name string, value identity.Word) Launch {
	return Launch{Kind: LaunchHelper, Name: name, Value: value.Text, Line: shell.NewLine(shell.Posix, value)}
}

// RunsHeadersHelper reports whether a client runs the command in headersHelper
// (Claude Code: code.claude.com/docs/en/mcp).
func (c *Client) RunsHeadersHelper() bool {
	return c.Schema != nil && c.Schema.Member("headersHelper") != nil
}
