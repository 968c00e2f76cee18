package mcp

import "github.com/mcplumb/mcplumb/internal/syntax"

// Loss is something of a server that is not in an entry written for another
// client as the server itself has it. It holds facts alone, and no value: what
// people read about it, and whether the entry is written in spite of it, is for
// others to say.
type Loss struct {
	Reason LossReason
	// Name is what was lost: a variable, a header, a member, a path variable; "" if the loss
	// concerns the entry.
	Name string
	// Span is the place in the server's own file, zero where it is not written.
	Span syntax.Span
}

// LossReason says what is lost, and why.
type LossReason uint8

// The reasons. Of those that say Name, the others have none.
const (
	_ LossReason = iota

	// The entry cannot be written at all.

	NoTarget  // the server says neither a program nor an address
	NoAddress // the client has no servers with an address

	// The client has no word for it.

	NoHeaders   // headers: Name is one
	NoDirectory // a working directory
	NoSwitch    // a way to switch the entry off: it is on
	NoName      // the server's name: the client refuses it, or keeps it for itself, or has no names there
	NoMember    // what the member Name says, which decides what the server does

	// It says the transport otherwise.

	NotSpoken // the client is not known to speak the transport Name
	NotSaid   // the entry leaves the transport Name open, for the client to find out
	Chosen    // the server leaves the transport open, where the client demands the word Name

	// A variable.

	NotExpanded  // the client hands on the variable Name as it is written, or does not take it in this place
	MayNotExpand // it is not known whether the client expands the variable Name
	NoDefault    // the client has no default for the variable Name
	NotAsked     // the source asks a person for Name; here it is a variable of the environment
	WouldExpand  // the server gets the text Name as it is; this client takes it for a variable
	NoPath       // the client has no variable for the directory of Name

	// What is behind it.

	OtherStart    // the program starts in another directory
	NoProject     // the file belongs to no project, and the server needs files of one
	SecretName    // the server's name contains a credential, which is not copied
	SecretLeftOut // a credential is written in the server's own file; here it is the variable Name
)

// IsFatal reports whether the entry that is written would not be the server: it would not
// start, or not as the server does. That a transport is left to be found out, that a person
// is not asked, or that a credential is a variable, changes nothing of it.
func (l Loss) IsFatal() bool {
	switch l.Reason {
	case NotSaid, Chosen, NoDefault, NotAsked, MayNotExpand, SecretLeftOut:
		return false
	}
	return true
}

// SecretVariable is the variable for a credential.
type SecretVariable struct {
	Start, End int // where the credential is in a value, in bytes of the value as it is read
	Name       string
}
