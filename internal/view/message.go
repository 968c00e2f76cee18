package view

import (
	"cmp"
	"strings"
)

// hereText returns a message with the paths of files in it as they are from the current
// directory. Rules name a file of the repository by its path from the root, as a word of its
// own; text in quotes is the name of something else.
func (v *View) hereText(message string) Text {
	if v.run.Paths.dir == v.run.Paths.root {
		return v.text(message)
	}
	var out strings.Builder
	for i, part := range strings.Split(message, `"`) {
		if i > 0 {
			out.WriteByte('"')
		}
		if i%2 == 1 {
			out.WriteString(part)
			continue
		}
		for j, word := range strings.Split(part, " ") {
			if j > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(v.hereWord(word))
		}
	}
	return v.text(out.String())
}

// hereWord returns a word from the current directory if it is the path of a file.
func (v *View) hereWord(word string) string {
	name := strings.TrimRight(strings.TrimLeft(word, "("), ",;:)")
	if name == "" || !v.isFile(name) {
		return word
	}
	return strings.Replace(word, name, v.run.Paths.here(name), 1)
}

// isFile reports whether a path is that of a file of the repository which a rule
// may have named.
func (v *View) isFile(name string) bool {
	if v.files == nil {
		v.files = map[string]bool{}
		for i := range v.run.Findings {
			f := &v.run.Findings[i]
			v.files[f.File.Path] = true
			for _, r := range f.Related {
				v.files[r.File.Path] = true
			}
		}
		if whole := cmp.Or(v.run.Whole, v.run.Repo); whole != nil {
			for _, g := range whole.Groups {
				for _, file := range g.Files { // some of which do not exist
					v.files[file.Path] = true
				}
			}
		}
		for _, p := range v.projects() {
			for _, d := range p.Documents {
				v.files[d.File.Path] = true
			}
			if lock := p.GoverningLock(); lock != nil {
				v.files[lock.File.Path] = true
			}
		}
	}
	return v.files[name]
}

// named notes a file of the repository that a text may name.
func (v *View) named(name string) {
	if !v.isFile(name) {
		v.files[name] = true
	}
}
