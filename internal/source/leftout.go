package source

import (
	"context"
	"errors"
	"os/exec"
	"strings"
)

// LeftOut is what git keeps a run from reading.
type LeftOut struct {
	// Ignored are the files that a caller asked about and git ignores.
	Ignored []string
	// Directories are those that git ignores as a whole, of whose files it does not
	// tell.
	Directories []string
	// Repositories are those within this one: submodules, and others that were not
	// added as one.
	Repositories []string
}

// LeftOut returns what git keeps from being listed below dirs, in the order of
// git; of ignored files those that keep wants.
func (g Git) LeftOut(ctx context.Context, root string, dirs []string, keep func(string) bool) (LeftOut, error) {
	var out LeftOut
	below := []string{"--"}
	for _, dir := range dirs {
		if dir == "" {
			dir = "."
		}
		below = append(below, dir)
	}
	ignored := append([]string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}, below...)
	_, err := g.each(ctx, root, ignored, func(path string) {
		if strings.HasSuffix(path, "/") {
			out.Directories = append(out.Directories, path)
		} else if keep(path) {
			out.Ignored = append(out.Ignored, path)
		}
	})
	if err != nil {
		return LeftOut{}, err
	}
	staged := append([]string{"ls-files", "-z", "--stage"}, below...)
	_, err = g.each(ctx, root, staged, func(line string) {
		// 160000 is the mode of a commit of another repository (git-ls-files, --stage).
		if entry, path, _ := strings.Cut(line, "\t"); strings.HasPrefix(entry, "160000 ") {
			out.Repositories = append(out.Repositories, path)
		}
	})
	if err != nil {
		return LeftOut{}, err
	}
	others := append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, below...)
	_, err = g.each(ctx, root, others, func(path string) {
		if strings.HasSuffix(path, "/") {
			out.Repositories = append(out.Repositories, strings.TrimSuffix(path, "/"))
		}
	})
	return out, err
}

// Ignored returns those of the files, by their paths from the root, that git ignores,
// whether or not they are there. What it tracks it does not ignore.
func (g Git) Ignored(ctx context.Context, root string, files []string) ([]string, error) {
	const here = "./" // so that no path begins with what git takes for magic
	var ignored []string
	g.stdin = here + strings.Join(files, "\x00"+here) + "\x00"
	_, err := g.each(ctx, root, []string{workTree, "--no-literal-pathspecs", "check-ignore", "-z", "--stdin"}, func(path string) {
		ignored = append(ignored, strings.TrimPrefix(path, here))
	})
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil // git-check-ignore(1): none of them is
	}
	return ignored, err // git ends at the first file that is in no place of this repository
}
