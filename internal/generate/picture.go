package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// pictureDir is the repository that the picture of the README shows.
const pictureDir = "testdata/readme"

// pictureColumns is how wide its terminal is.
const pictureColumns = 88

// screens are the widths in columns of the terminal output that docs/screens keeps, so that
// a person reviews each change of it.
var screens = []int{60, 80, 120}

// pictures returns pictures of the terminal output of `mcplumb check` as SVGs, by path from
// the module root.
func pictures() (map[string]string, error) {
	files := map[string]string{}
	for _, columns := range append([]int{pictureColumns}, screens...) {
		path := fmt.Sprintf("docs/screens/check-%d.svg", columns)
		if columns == pictureColumns {
			path = "docs/check.svg"
		}
		var err error
		if files[path], err = picture(columns); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// picture returns what `mcplumb check` prints in a terminal so wide, as an SVG that is dark where
// the reader's screen is.
func picture(columns int) (string, error) {
	dir, err := filepath.Abs(pictureDir)
	if err != nil {
		return "", err
	}
	var out, problems bytes.Buffer
	none := func(string) string { return "" }
	code := cli.Main(context.Background(), cli.Env{
		Args: []string{"check", "--color", "always"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems,
		Getenv: none, Now: func() time.Time { return time.Unix(0, 0).UTC() }, Dir: dir,
		IsTerminal: func(io.Writer) bool { return false }, Columns: func() int { return columns },
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }, Version: cli.Version,
	})
	if code != 1 || problems.Len() > 0 {
		return "", fmt.Errorf("%s: exit code %d: %s", pictureDir, code, problems.String())
	}
	return terminalSVG("mcplumb check", out.String(), columns), nil
}

// The size of a character in the picture, and the margins around the text, in pixels.
const (
	charWidth, lineHeight = 8.4, 19
	margin                = 16
)

// terminalSVG draws a command and its output. It supports only the escape sequences for
// colors that reports write.
func terminalSVG(command, output string, columns int) string {
	lines := append([]string{"\x1b[90m$\x1b[0m " + command}, strings.Split(strings.TrimRight(output, "\n"), "\n")...)
	var b strings.Builder
	width, height := 2*margin+int(float64(columns)*charWidth), 2*margin+len(lines)*lineHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="what %s prints">
<style>
  rect { fill: #f6f8fa; stroke: #d1d9e0 }
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
  .bold { font-weight: 600 } .red { fill: #cf222e; font-weight: 600 } .yellow { fill: #9a6700; font-weight: 600 }
  .blue { fill: #0969da; font-weight: 600 } .gray { fill: #6e7781 }
  @media (prefers-color-scheme: dark) {
    rect { fill: #151b23; stroke: #3d444d } text { fill: #f0f6fc }
    .red { fill: #ff7b72 } .yellow { fill: #d29922 } .blue { fill: #58a6ff } .gray { fill: #9198a1 }
  }
</style>
<rect x="0.5" y="0.5" width="%d" height="%d" rx="6"/>
`, width, height, html.EscapeString(command), width-1, height-1)
	for i, line := range lines {
		if line != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve" textLength="%.1f">%s</text>`+"\n",
				margin, margin+14+i*lineHeight, float64(visible(line))*charWidth, colored(line))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// colors are the classes of the picture by the parameters that reports write.
var colors = map[string]string{"1": "bold", "1;31": "red", "1;33": "yellow", "1;34": "blue", "90": "gray"}

// colored returns a line with its colors as SVG.
func colored(line string) string {
	var b strings.Builder
	for i, part := range strings.Split(line, "\x1b[") {
		code, text, isColored := strings.Cut(part, "m")
		if i == 0 || !isColored {
			code, text = "", part
		}
		switch class := colors[code]; {
		case text == "":
		case class == "":
			b.WriteString(html.EscapeString(text))
		default:
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, class, html.EscapeString(text))
		}
	}
	return b.String()
}

// visible returns how many characters of a line are seen.
func visible(line string) int {
	count := 0
	for i, part := range strings.Split(line, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		count += len([]rune(part))
	}
	return count
}
