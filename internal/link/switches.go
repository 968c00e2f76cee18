package link

import "github.com/mcplumb/mcplumb/internal/mcp"

// switches are what the files of one client say about starting its servers.
type switches struct {
	off  map[string]bool
	only map[string]bool // nil if no list says which are the only ones
}

// applySwitches marks the servers that a client's settings turn off. A file
// that several clients read belongs to the first of them here: it is the one
// the file is made for, and who turns a server off there means it.
func applySwitches(p *mcp.Project) {
	byClient := map[*mcp.Client]*switches{}
	for _, d := range p.Documents {
		for _, s := range d.Switches {
			all := byClient[s.Client]
			if all == nil {
				all = &switches{off: map[string]bool{}}
				byClient[s.Client] = all
			}
			if !s.Only {
				all.off[s.Name] = true
				continue
			}
			if all.only == nil {
				all.only = map[string]bool{}
			}
			all.only[s.Name] = true
		}
	}
	for _, d := range p.Documents {
		if len(d.Clients) == 0 || byClient[d.Clients[0]] == nil {
			continue
		}
		all := byClient[d.Clients[0]]
		for _, s := range d.Servers {
			if all.off[s.Name] || all.only != nil && !all.only[s.Name] {
				s.SwitchOffElsewhere()
			}
		}
	}
}
