package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/mcplumb/mcplumb/internal/view"
)

// writeConcise writes one line for each finding, in the form that editors and
// problem matchers take, and nothing else:
//
//	path:line:column: severity: message [rule]
func writeConcise(w io.Writer, v *view.View, o Options) error {
	out := bufio.NewWriter(w)
	for _, f := range v.Findings(o.Severity) {
		fmt.Fprintf(out, "%s: %s: %s [%s]\n", f.Place(), f.Severity(), f.MessageHere(), f.Rule().ID)
	}
	return out.Flush()
}
