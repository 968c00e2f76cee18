package wording

import "github.com/mcplumb/mcplumb/internal/mcp"

// CellInWords returns what out-of-step reports about a server in a file of a group: the parts
// of its entry that differ, or why the file cannot have it. It contains no value, but names
// from the repository.
func CellInWords(c *mcp.Cell) []string {
	switch c.State {
	case mcp.Differs:
		var parts []string
		for _, d := range c.Differences {
			if d.Field != mcp.FieldName { // which is shown next to it
				parts = append(parts, DifferenceInWords(d))
			}
		}
		return parts
	case mcp.NotSayable:
		for _, l := range c.Losses {
			if l.IsFatal() {
				return []string{c.File.Client.Title + " " + CannotInWords(l.Reason, l.Name)}
			}
		}
	}
	return nil
}

// DifferenceInWords names a part that differs, never its value. "Here" is the entry that
// should be changed.
func DifferenceInWords(d mcp.Difference) string {
	switch d.Field {
	case mcp.FieldProgram:
		return "another program"
	case mcp.FieldURL:
		return "another URL"
	case mcp.FieldTransport:
		return "another transport"
	case mcp.FieldVersion:
		return "another version"
	case mcp.FieldSwitch:
		if d.Kind == mcp.OnlyHere {
			return "disabled only here"
		}
		return "not disabled here"
	case mcp.FieldName:
		return Say("not called %q", d.Name)
	case mcp.FieldVariable:
		return namedInWords("variable", d)
	case mcp.FieldHeader:
		return namedInWords("header", d)
	}
	other, one := "another argument", "an argument"
	switch d.Field {
	case mcp.FieldEnvFile:
		other, one = "another envFile", "an envFile"
	case mcp.FieldDirectory:
		other, one = "another working directory", "a working directory"
	}
	switch d.Kind {
	case mcp.OnlyHere:
		return one + " only here"
	case mcp.NotHere:
		return one + " missing here"
	}
	return other
}

// namedInWords returns how a variable or header differs.
func namedInWords(kind string, d mcp.Difference) string {
	switch d.Kind {
	case mcp.OnlyHere:
		return Say("%s %s only here", kind, d.Name)
	case mcp.NotHere:
		return Say("%s %s missing here", kind, d.Name)
	}
	return Say("another value of the %s %s", kind, d.Name)
}

// CannotInWords returns what a client cannot express, as a clause that follows its name; what
// is the subject of it.
func CannotInWords(reason mcp.LossReason, what string) string {
	switch reason {
	case mcp.NoTarget:
		return "needs a command or a URL"
	case mcp.NoAddress:
		return "does not accept a server with a URL"
	case mcp.NoHeaders:
		return "does not accept such a header"
	case mcp.NoDirectory:
		return "does not accept a working directory"
	case mcp.NoSwitch:
		return "cannot disable a single server"
	case mcp.NoName:
		return "does not accept a server with that name"
	case mcp.SecretName:
		return "must not get a credential, but the server's name contains one"
	case mcp.NotSpoken:
		return "may not support " + what
	case mcp.NotExpanded:
		return Say("does not expand %s in it", what)
	case mcp.WouldExpand:
		return Say("would expand %s, which is meant literally", what)
	case mcp.NoPath:
		return "has no variable for that directory"
	case mcp.OtherStart:
		return "starts programs in another directory"
	case mcp.NoProject:
		return "does not read this file for any project"
	}
	return "has no setting for " + what
}
