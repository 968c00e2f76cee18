package checks

import "github.com/mcplumb/mcplumb/internal/mcp"

// CellInWords says of a server in a file of a group what OutOfStep says of it: the parts
// of its entry that differ, or why the file cannot have it. No value is in it, but names
// that the repository has given are.
func CellInWords(c *mcp.Cell) []string {
	switch c.State {
	case mcp.Differs:
		var parts []string
		for _, d := range c.Differences {
			if d.Field != mcp.FieldName { // which is shown beside it
				parts = append(parts, differenceInWords(d))
			}
		}
		return parts
	case mcp.NotSayable:
		for _, l := range c.Losses {
			if l.IsFatal() {
				return []string{c.File.Client.Title + " " + cannotInWords(l.Reason, l.Name)}
			}
		}
	}
	return nil
}
