package mcp

import "github.com/mcplumb/mcplumb/internal/syntax"

// Refusal is something in a file that a client or a tool does not take as it is
// written. It holds facts alone: the rules decide which of them reports it, how severe it is, and
// what people read about it.
type Refusal struct {
	Reason Reason
	// Span is the smallest token that shows it. Object is the value of the entry
	// that it is in, where what is missing would go; zero outside of entries.
	Span, Object syntax.Span
	// Server is the name of that entry.
	Server string
	// First is the place of what it repeats, zero where it repeats nothing.
	First syntax.Span

	// Clients are those that refuse it, By says which of the file's they are. Where
	// something else refuses it, Tool is its name: "ccpkg", "the MCP registry".
	Clients []*Client
	By      RefusedBy
	Tool    string
	// WholeFile reports that nothing of the file is used for it; GoesOn that
	// the client or tool passes over it and uses all the rest; Fatal that the client does
	// not start at all.
	WholeFile, GoesOn, Fatal bool

	// Part is the part of the file that it is in, if not the file as a whole, and Name the name of
	// that part.
	Part Part
	Name string
	// Member is the key it is about, Other a second one. InEach reports that it is about
	// one of the values that the Member holds.
	Member, Other string
	InEach        bool
	// Kind is the kind of the value, and WantKind the kind that it must have.
	Kind, WantKind syntax.Kind
	// Got is the text that is refused, Want are those that would do; Count is
	// how many there are of what is counted.
	Got   string
	Want  []string
	Count int
}

// RefusedBy says which clients of a file refuse something.
type RefusedBy uint8

// Who refuses it.
const (
	ByAll    RefusedBy = iota // every client that reads the file
	ByOwner                   // the client that the file is made for, others do not
	ByOthers                  // clients that read the file, too, not its own
)

// Part is the part of a file that a refusal is in, in the word that people use for it.
type Part string

// The parts of files.
const (
	PartEntry   Part = "entry"
	PartPackage Part = "package"
	PartBundle  Part = "bundle"
	PartRemote  Part = "remote source"
)

// Reason says why something is refused.
type Reason uint8

// The reasons. Each names the fields of Refusal that it sets in addition to Span.
const (
	_ Reason = iota

	// Of entries.

	RootKind         // the value of the root key Member is of another Kind than WantKind
	TopKind          // the whole file is of another Kind than an object
	StrayRoot        // the Member holds servers next to the root key in Want; no client reads it
	StrayServer      // the server is next to the root key in Want
	EntryKind        // the entry is of another Kind than an object
	MemberKind       // the Member is of another Kind than WantKind
	MissingMember    // there is no Member
	MissingOneOf     // the members in Want are all missing
	MissingToolType  // there is no type, which any kind of tool needs
	MissingType      // an address without a type; Want are the words that fit
	MissingTarget    // there is neither a command nor an address
	TargetWithin     // the command or URL is inside the Member, an object
	TwoTargets       // there is a command (Other) and an address (Member)
	EitherTarget     // the same with Other, and nothing says which is meant
	EmptyCommand     // the Member that names the program is empty
	EmptyURL         // the Member that holds the URL is empty: a person may have to fill it in
	NestedServers    // the entry holds servers, of which Member is one
	NestedServer     // the Member is a server within this one
	NoRemotes        // an address, and the client has no remote servers in this file
	OnlySSE          // an address that is one for SSE by its end, and the client speaks streamable HTTP alone
	Misplaced        // the Member does not go with a target such as Other
	OtherMember      // the client reads the first in Want instead of Member
	Withdrawn        // the client takes no Member, but the first in Want
	VariableName     // the Member is the name of a variable, and Got is a reference to the one in Want
	NoVariable       // the Member must name a variable, and its value cannot be one
	Misspelled       // no Member is known by this name, but the one in Want nearly is
	LostMember       // as OtherMember, but the entry is used without it; without Want its words go into the list of the command
	LostKind         // as MemberKind, of a member that the client may not read at all
	LostMisspelled   // as Misspelled, but the entry is used without it
	UnknownMember    // no Member is known by this name
	OtherDirectory   // the directory Got is not read, so what is started there is not what is meant
	UnusedDirectory  // the same, and what is started does not depend on it
	UnusedMember     // the Member does nothing in an entry of this sort
	UnknownType      // the type Got is not in Want
	TypeContradicts  // the type Got is for the other sort of target than Other; Want are the words that fit
	NotOneOf         // the Member is not in Want
	HomeOnly         // the Member may be Got in a home directory alone
	EmptyMember      // the Member has nothing but blanks
	OutOfRange       // the number Got in the Member is not what Want says
	NeedsBeside      // the Member needs the Other next to it, with the text Got if there is one
	MemberLacks      // an object in the Member has no Other
	TypeNotOneOf     // the type is not in Want
	URLScheme        // the address begins with none of Want
	URLSchemeLocal   // nor is it this machine, where http:// would do
	MissingTransport // there is no word for the transport
	TransportNeeds   // the transport Got needs the Member
	CommandClimbs    // the path of the command leads upwards
	CommandLine      // the command is a whole command line
	UnusedServers    // the Member lists the tools that an agent may use, and none is of its servers, such as Got
	ShellLine        // the Member is text for a shell, and the client starts programs without one
	OuterBlanks      // a text in the Member has blanks at its beginning or end
	CommandURL       // the command is an address; Want are the members for one, none where the client has none
	NameTaken        // another tool has the name
	NameRepeated     // an entry before it has the name; only the first is used
	NotPositive      // the number in the Member is not above zero
	TooManyTools     // the Member has Count tools, more than the client loads
	UnknownSetting   // a Member of the file, outside of entries, is not in Want
	ManifestName     // the name has characters that a manifest of apm does not take

	// Of names.

	NameCharacters // the name has others than letters, digits and underscores
	SchemaName     // the same with hyphens, in a schema
	SchemaID       // the id Got has others than lower-case letters, digits and hyphens
	PackageName    // the package's name Got is not lower-case words with hyphens
	ToolServerName // tools of a server of this name have no full name
	ToolPattern    // no tool can match the pattern Got

	// Of lockfiles as a whole.

	LockEmpty      // the lockfile holds nothing at all
	LockKind       // the lockfile is of another Kind than an object
	TrackingKind   // a tracking file is of another Kind than an object
	EntriesKind    // the Member with the entries is of another Kind than an object
	LockVersion    // the version is not in Want
	NoLockVersion  // there is no version; Want are those that are read
	LockNotNumbers // the version is not three numbers
	PartKind       // the Part called Name is of another Kind than an object
	PartMemberKind // the Member of the Part called Name is of another Kind than WantKind
	PartLacks      // the Part called Name has no Member

	// Of entries of lockfiles.

	LockEntryLacks      // the tool refuses an entry without the Member
	LockEntryMemberKind // the tool refuses an entry with a Member of this Kind
	LockedTwice         // the entry Name locks what another one before it does, which is at First
	NotApproved         // the entry was not approved
	ToolNameParts       // the full name Got of a tool has Count parts
	ToolNamePart        // its part Other is no word
	ToolNameHash        // its hash Other is not four digits
	OtherTool           // the entry Name holds another tool, Got
	HashInKey           // the key Got is the full name in Want with the hash
	ToolType            // the tool Name has a type, Got, that is not in Want; "" if it has none
	NoEntries           // the lockfile has no Member with its entries
	SourceNotDeclared   // the active source Got is not among those that declare Name
	SourceMissing       // nothing says which of the packages in Want the entry Name is taken from
	NoOrigin            // Name has no origin
	OriginForm          // the origin of Name has no known form
	OriginVersion       // the version of Name is Got, its origin runs the one in Want
	DeclarersMissing    // no list says what declares Name
	DeclarersEmpty      // the list is empty
	DeclarerKind        // what declares Name has a Kind other than text
	DeclarerTwice       // Got declares Name twice
	DeclarerGone        // Got declares Name and is not installed

	// Of packages and bundles of lockfiles.

	ChecksumForm     // the Member of Name is no SHA-256 as it is written here
	PackageScope     // the package Name has the scope Got in the lockfile of a project
	PackageHTTP      // the package Name comes over plain http
	LinkNotLinked    // the source of Name is a link, and it is not linked
	LinkedNoLink     // Name is linked, and its source is no link
	LinkedChecksum   // Name is linked and has a checksum
	LinkedDirectory  // Name is linked to a directory of one machine
	NoChecksum       // the package Name has no checksum
	NoChecksumOrLink // the same, and it says that it has none
	RemoteNoChecksum // the remote source Got of Name has no checksum
	RemoteHTTP       // the remote source Got of Name is not fetched over https
	FileNoPath       // a file of the bundle Name has no path

	// Of hashes.

	FileNoHash   // the file has no hash
	FilesNoHash  // none of the Count files has one
	FileHashForm // the hash of a file has another form

	// Reasons is how many there are, the zero value among them.
	Reasons
)
