package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/look"
	"github.com/mcplumb/mcplumb/internal/view"
)

// TestFleetPagePolicy lets a browser use the style and run the script that the page has,
// both as their files have them.
func TestFleetPagePolicy(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, fleetHTML(&out, &fleet.Fleet{}, view.Tool{Name: "mcplumb", Version: "1.0.0"}))
	page, err := html.Parse(&out)
	require.NoError(t, err)
	var style, script, policy string
	for n := range page.Descendants() {
		switch n.DataAtom {
		case atom.Style:
			style = n.FirstChild.Data
		case atom.Script:
			script = n.FirstChild.Data // the last one, behind the data
		case atom.Meta:
			if n.Attr[0].Val == "Content-Security-Policy" {
				policy = n.Attr[1].Val
			}
		}
	}
	require.Equal(t, look.CSS()+fleetPageStyle, style)
	require.Equal(t, fleetPageScript, script)
	require.Equal(t, []string{
		"default-src 'none'", "script-src '" + hashOf(script) + "'", "style-src '" + hashOf(style) + "'", "base-uri 'none'", "form-action 'none'",
	}, strings.Split(policy, "; "))
}
