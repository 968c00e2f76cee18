// Package look is how pages for people look: the stylesheet that stands in front of what a page
// has of its own, so that all of them have the same colors, in the light and in the dark.
package look

import _ "embed" // for the stylesheet

//go:embed look.css
var css string

// CSS returns the stylesheet.
func CSS() string { return css }
