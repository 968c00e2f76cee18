// Package look decides the look of pages for people: the stylesheet that comes before a page's own
// styles, so that all pages have the same colors, in light and dark mode.
package look

import _ "embed" // for the stylesheet

//go:embed look.css
var css string

// CSS returns the stylesheet.
func CSS() string { return css }
