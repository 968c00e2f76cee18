package checks

import "github.com/mcplumb/mcplumb/internal/mcp"

// CellInWords returns what OutOfStep reports about a server in a file of a group: the parts
// of its entry that differ, or why the file cannot have it. It contains no value, but names
// from the repository.
func CellInWords(c *mcp.Cell) []string {
	switch c.State {
	case mcp.Differs:
		var parts []string
		for _, d := range c.Differences {
			if d.Field != mcp.FieldName { // which is shown next to it
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
