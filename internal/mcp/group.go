package mcp

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// GroupSettings say which files must have the same servers (in-step of the settings).
type GroupSettings struct {
	// Files are patterns of paths, slash-separated. One without * ? [ { names a file that must
	// exist.
	Files []string
	// Literal reports that Files are paths, even if they contain such characters.
	Literal bool
	// Source is the path of the file that people edit; "" where every file counts the same.
	Source string
	// Servers are patterns of the names of the servers that it is about, none for all;
	// Except are those that it is not about.
	Servers, Except []string
	// ReportsExtra reports that no file may hold servers that the source has not.
	ReportsExtra bool
	// PerProject reports that the paths start from each directory in which the source is,
	// or any of the files where there is no source. Otherwise they start from the root.
	PerProject bool
}

// Group is a set of files that must have the same servers, and how far they do.
type Group struct {
	// Dir is the directory that its paths start from, "" for the root.
	Dir string
	// IsOfProject reports that the files are those that clients load in one project, and that they
	// need not be in sync.
	IsOfProject bool
	Files       []*GroupFile
	// Source is the file that people edit, one of Files; nil where every file counts the
	// same.
	Source *GroupFile
	Rows   []*GroupRow
	// Excepted are servers that the settings let differ. No file has cells of them.
	Excepted []*GroupRow
}

// GroupFile is a file of a group.
type GroupFile struct {
	Group *Group
	// Path is where the file is, or would be, relative to the root.
	Path string
	// Project is that of the document, or of the source of a file that is not there.
	Project *Project
	// Document is nil for a file that is not there. A file without an MCP section has a document
	// without servers, which belongs to no project.
	Document *Document
	// Client is the one in whose words entries are written. Nil where that is not known, which
	// only a source may be.
	Client *Client
	// Cells are those of the file, in the order of the rows.
	Cells []*Cell
	// Extra are servers that the source does not have, if they must be reported.
	Extra []*Server
	// Plan writes all servers that are missing in a file that is not there, or holds nothing.
	Plan Plan
}

// Plan is how something is written as it should be.
type Plan struct {
	// Changes is empty if it cannot be written so.
	Changes []edit.Change
	// Losses are what the written entry does not say as Row.Server does. If one of them is fatal,
	// nothing is written.
	Losses []Loss
}

// GroupRow is one server of a group.
type GroupRow struct {
	Name string
	// Server is the entry that the others are compared with: the source's, or one of those that
	// most files have. If IsOpen, it is not known which entry is right, and Server is the first
	// that is enabled.
	Server *Server
	IsOpen bool
	// Repeats reports that an earlier row is the same server under another name: it need not be
	// anywhere else, or files would have to repeat a duplicate.
	Repeats bool
	// Secrets are the variables for the credentials of Server, by the values that contain these;
	// known only for servers that are written somewhere.
	Secrets map[syntax.Span][]SecretVariable
	// Cells are those of the server, in the order of the files.
	Cells []*Cell
}

// Cell is one server in one file.
type Cell struct {
	Row   *GroupRow
	File  *GroupFile
	State CellState
	// Server is the entry of the file, under any name; nil if there is none.
	Server *Server
	// Differences are those of an entry that Differs, in the order of its parts.
	Differences []Difference
	// Losses are what the client of the file cannot say of the server as Row.Server has
	// it, where the entry is not the same as that or is not there.
	Losses []Loss
	// Plan writes an entry that is missing, or what differs in one apart from its name. There is
	// none if mcplumb cannot tell which entry is right.
	Plan Plan
}

// IsRenamed reports whether the entry should have another name.
func (c *Cell) IsRenamed() bool {
	return slices.ContainsFunc(c.Differences, func(d Difference) bool { return d.Field == FieldName })
}

// CellState says how an entry compares with what it should be.
type CellState uint8

// The states.
const (
	InStep     CellState = iota // equal, or as much so as the client can say; or rightly absent
	Missing                     // not there
	Differs                     // there, and not equal
	NotSayable                  // not there, and the client cannot say it
	Excepted                    // there, and the settings allow any content
)

// Difference is one part of an entry that is not as it should be. No value is in it.
type Difference struct {
	Field Field
	// Name is that of a variable or header, or the name that the entry should have; "" for
	// other fields.
	Name string
	// Kind says how it differs.
	Kind DifferenceKind
	// Span is the token that differs, the entry's name where nothing is written.
	Span syntax.Span
}

// Field is a part of an entry.
type Field uint8

// The fields.
const (
	FieldProgram   Field = iota + 1 // what is run: another package, program or kind of server
	FieldURL                        // the address
	FieldTransport                  // how the address is reached
	FieldVersion                    // of a package that is fetched
	FieldArgument
	FieldVariable
	FieldHeader
	FieldEnvFile
	FieldDirectory // the working directory
	FieldSwitch    // whether it is switched off
	FieldName      // what the entry is called
)

// DifferenceKind says how a part differs.
type DifferenceKind uint8

// The kinds.
const (
	IsOther DifferenceKind = iota // another one
	OnlyHere
	NotHere
)

// Cell returns the cell of a file; nil if there is none, as in a file with more missing servers
// than anyone would read.
func (r *GroupRow) Cell(file *GroupFile) *Cell {
	i := slices.IndexFunc(r.Cells, func(c *Cell) bool { return c.File == file })
	if i < 0 {
		return nil
	}
	return r.Cells[i]
}
