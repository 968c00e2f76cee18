package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteFile replaces a file in one step: readers see the old content or the
// new, whatever happens in between. Mode and links of an old file are kept;
// pipes and devices are written to as they are.
func WriteFile(target string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	info, statErr := os.Stat(target)
	switch {
	case statErr == nil && info.IsDir():
		return errors.New("is a directory")
	case statErr == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	temporary, err := createBeside(target)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary.Name()))
		}
	}()
	if statErr == nil {
		err = temporary.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = write(temporary)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), target)
}

// createBeside creates a new file in the directory of target. Unlike
// os.CreateTemp it leaves the mode to the umask, as for any file people make.
func createBeside(target string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%08x", filepath.Base(target), rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
