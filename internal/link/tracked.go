package link

import "github.com/mcplumb/mcplumb/internal/mcp"

// track links the entries that a tool keeps track of to the servers that it
// wrote, by name.
func track(p *mcp.Project) {
	for _, d := range p.Documents {
		if len(d.Tracked) == 0 || d.Role != mcp.InUse {
			continue
		}
		files := filesOfFormat(p, d.Tool.Names.Format)
		if len(files) == 0 {
			continue
		}
		byName := make(map[string]*mcp.LockEntry, len(d.Tracked))
		for _, entry := range d.Tracked {
			byName[entry.Name] = entry
		}
		for _, s := range files[0].Servers {
			if entry := byName[s.Name]; entry != nil {
				entry.Servers = append(entry.Servers, s)
				s.EnsureExtra().Template = entry
			}
		}
	}
}
