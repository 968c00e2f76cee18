package allow

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// serversKey is the member of managed-mcp.json that has its servers.
const serversKey = "mcpServers"

// exclusive reads the servers of Claude Code's managed-mcp.json, by what they run: where an
// organization deploys one it loads those alone. It is not ok for settings, which have none.
func exclusive(root *syntax.Node) (names map[string]string, ok bool) {
	servers := root.Get(serversKey)
	if servers == nil || servers.Kind != syntax.Object || root.Get(allowedKey) != nil || root.Get(deniedKey) != nil {
		return nil, false
	}
	names = map[string]string{}
	for _, entry := range servers.Nodes {
		text := func(name string) string {
			if n := entry.Get(name); n != nil && n.IsString() {
				return n.Text
			}
			return ""
		}
		s := Server{URL: text("url"), Command: []string{text("command")}}
		s.IsRemote = text("type") != "stdio" && s.Command[0] == ""
		if args := entry.Get("args"); args != nil {
			for _, arg := range args.Nodes {
				s.Command = append(s.Command, arg.Text)
			}
		}
		names[s.key()] = entry.Name
	}
	return names, true
}

// key is what entries share that run the same, as they are written.
func (s *Server) key() string { return string(s.kind()) + "\x00" + strings.Join(s.words(), "\x00") }

// isLeftOut ends the decision if a file has the only servers that are loaded, and this is not
// one of them. One of them must still pass the lists.
func (j *judge) isLeftOut(p *Policy) bool {
	name, isOne := p.Exclusive[j.server.key()]
	if !isOne {
		j.end(Blocked, p, nil, "it loads only the servers in %s, and this is not one of them", p.Name)
		j.decision.isDenied = true
		return true
	}
	j.step(p, nil, "only the servers in %s are loaded, and it is there as %q", p.Name, shown(name))
	return false
}
