package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/report"
)

// catalogMark is the file by which a directory is known as one that was written here, so
// that what is in it may be replaced.
const catalogMark = ".mcplumb-catalog"

func (a *app) catalogBuildCommand() *cobra.Command {
	var f catalogFlags
	var out string
	cmd := &cobra.Command{
		Use:   "build [PATH]",
		Short: "Write the catalogue as static files",
		Long: `Write the catalogue of the repository around PATH as static files, for any web
server. The directory is written as a whole: what a catalogue had there before is
gone, and one with other files is refused.

Exit codes: 0 written; 2 wrong usage or settings; 3 a file or the lockfile could
not be read, or nothing could be written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			f.paths = paths
			v, err := a.vet(cmd.Context(), &f)
			if err != nil {
				return a.refused(err)
			}
			return a.writeCatalog(v, out)
		},
	}
	cmd.Flags().VarP((*filled)(&out), "out", "o", "write to the directory `DIR`, by default mcplumb-catalog")
	f.add(cmd)
	out = "mcplumb-catalog"
	return cmd
}

// writeCatalog writes the files of a catalogue.
func (a *app) writeCatalog(v *vetted, out string) error {
	a.printLeft(v.left)
	dir := out
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.env.Dir, dir)
	}
	if err := replaceDirectory(dir, v.catalog.Files()); err != nil {
		return source.WriteFailed(out, err)
	}
	_, err := fmt.Fprintf(a.env.Stdout, "%s: %s\n", out, report.Count(v.catalog.Len(), "server"))
	return err
}

// errNotOurs says why a directory is not written to.
var errNotOurs = errors.New("it has files in it that mcplumb catalog did not write: name another directory")

// replaceDirectory writes a directory anew beside where it shall be, and puts it there when
// it is whole.
func replaceDirectory(dir string, files []catalog.File) error {
	isThere, err := isReplaceable(dir)
	if err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".mcplumb-catalog-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := writeFiles(fresh, append(files, catalog.File{Path: catalogMark, Content: []byte("mcplumb catalog build writes this directory.\n")})); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil { //nolint:gosec // it is to be served
		return err
	}
	if !isThere {
		return os.Rename(fresh, dir)
	}
	old := fresh + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// isReplaceable reports whether a directory is there, and refuses one that somebody else
// has written something into, and a link to one.
func isReplaceable(dir string) (isThere bool, err error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, errors.New("it is no directory")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return true, err
	}
	if mark, err := os.Lstat(filepath.Join(dir, catalogMark)); err != nil || !mark.Mode().IsRegular() {
		return true, errNotOurs
	}
	return true, nil
}

// writeFiles writes files into an empty directory.
func writeFiles(dir string, files []catalog.File) error {
	made := map[string]bool{}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if parent := filepath.Dir(path); !made[parent] {
			if err := os.MkdirAll(parent, 0o755); err != nil { //nolint:gosec // it is to be served
				return err
			}
			made[parent] = true
		}
		to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // it is to be served
		if err != nil {
			return err
		}
		_, err = to.Write(f.Content)
		if err := errors.Join(err, to.Close()); err != nil {
			return err
		}
	}
	return nil
}
