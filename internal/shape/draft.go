package shape

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Draft is an entry that is being written, in the syntax of the client of its file.
type Draft struct {
	Server *mcp.Server
	// Transport is how the server is reached, as its entry says, or as the only transport of
	// its client does. IsSaid reports that the entry says it.
	Transport string
	IsSaid    bool

	Members []edit.Member
	// Below is the member of the root value that the entry goes into, "" in nearly every file.
	Below string
	// Losses are the settings of the server that the entry does not express in the same way.
	Losses []mcp.Loss
}

// Set adds a member, or gives the one of that name another value.
func (d *Draft) Set(name string, value edit.Value) {
	for i := range d.Members {
		if d.Members[i].Name == name {
			d.Members[i].Value = value
			return
		}
	}
	d.Members = append(d.Members, edit.Member{Name: name, Value: value})
}

// RecordLoss notes a loss, each once.
func (d *Draft) RecordLoss(reason mcp.LossReason, name string, span syntax.Span) {
	loss := mcp.Loss{Reason: reason, Name: name, Span: span}
	same := func(known mcp.Loss) bool { return known.Reason == reason && known.Name == name }
	if !slices.ContainsFunc(d.Losses, same) {
		d.Losses = append(d.Losses, loss)
	}
}
