package source

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// Comparison is a tree that notes where another one would have answered something
// else. Of a revision nothing is read for that: a file's content is compared with the
// name that git gives to it.
type Comparison struct {
	Tree
	base Tree

	mutex   sync.Mutex
	changed map[string]bool
	// read says of the files that were read whether the other tree has another one.
	read map[string]bool
}

// Compare compares what will be asked of a tree with what another one has.
func Compare(tree, base Tree) *Comparison {
	return &Comparison{Tree: tree, base: base, changed: map[string]bool{}, read: map[string]bool{}}
}

// Changed returns the paths that were listed, read or checked with Stat, and for which the
// other tree has another file or none, sorted.
func (c *Comparison) Changed() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Sorted(maps.Keys(c.changed))
}

// List also compares the listings, because files that no longer exist would not be read. It
// lists both trees at once, so several goroutines call want.
func (c *Comparison) List(ctx context.Context, dirs []string, want Want) (Listing, error) {
	if want.Alone {
		return c.Tree.List(ctx, dirs, want)
	}
	var then Listing
	var thenErr error
	var listing sync.WaitGroup
	listing.Go(func() { then, thenErr = c.base.List(ctx, dirs, want) })
	now, err := c.Tree.List(ctx, dirs, want)
	listing.Wait()
	if err != nil {
		return now, err
	}
	if thenErr != nil {
		return Listing{}, thenErr
	}
	for _, pair := range [...][2][]string{{now.Paths, then.Paths}, {then.Paths, now.Paths}} {
		for _, path := range pair[0] {
			_, isInBoth := slices.BinarySearch(pair[1], path)
			c.note(path, isInBoth)
		}
	}
	return now, nil
}

func (c *Comparison) Read(ctx context.Context, path string) (File, error) {
	file, err := c.Tree.Read(ctx, path)
	same := isSame(ctx, c.base, path, file, err)
	c.note(path, same)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.read[path] = !same
	return file, err
}

// Differs reports whether the two trees have other files at a path, and does not note it. Of two
// revisions nothing is read for that, nor of a file that was read before.
func (c *Comparison) Differs(ctx context.Context, path string) bool {
	c.mutex.Lock()
	differs, known := c.read[path]
	c.mutex.Unlock()
	if known {
		return differs
	}
	now, isRevision := c.Tree.(*Objects)
	then, areRevisions := c.base.(*Objects)
	if !isRevision || !areRevisions {
		file, err := c.Tree.Read(ctx, path)
		return !isSame(ctx, c.base, path, file, err)
	}
	here, kind, err := now.resolve(ctx, path)
	there, thenKind, thenErr := then.resolve(ctx, path)
	if err != nil || thenErr != nil {
		return !isSameFailure(err, thenErr)
	}
	return kind != thenKind || here.id != there.id || here.path != there.path
}

func (c *Comparison) Stat(ctx context.Context, path string) (Kind, error) {
	kind, err := c.Tree.Stat(ctx, path)
	then, thenErr := c.base.Stat(ctx, path)
	c.note(path, kind == then && isSameFailure(err, thenErr))
	return kind, err
}

func (c *Comparison) note(path string, same bool) {
	if same {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.changed[path] = true
}

// isSame reports whether reading a path of a tree comes to the same as what another
// one said. Two files that cannot be read may be the same or not.
func isSame(ctx context.Context, base Tree, path string, file File, readErr error) bool {
	o, isRevision := base.(*Objects)
	if !isRevision {
		then, err := base.Read(ctx, path)
		return isSameFailure(readErr, err) && then.Real == file.Real && string(then.Content) == string(file.Content)
	}
	found, kind, err := o.resolve(ctx, path)
	if err == nil && kind == Directory {
		err = errDirectory
	}
	if readErr != nil || err != nil {
		return isSameFailure(readErr, err)
	}
	return found.path == file.Real && found.id == blobID(file.Content, len(found.id))
}

// isSameFailure reports whether two trees failed alike, or not at all.
func isSameFailure(a, b error) bool {
	var linkA, linkB *BrokenLink
	switch {
	case a == nil || b == nil:
		return a == b
	case errors.As(a, &linkA) && errors.As(b, &linkB):
		return linkA.Target == linkB.Target
	}
	for _, known := range []error{fs.ErrNotExist, errDirectory, errOutside, errGits} {
		if errors.Is(a, known) && errors.Is(b, known) {
			return true
		}
	}
	return false
}

// blobID returns the name that git gives to a file with a content, in hexadecimal:
// the hash of "blob", its size and itself, of 40 digits (SHA-1) or 64 (SHA-256;
// gitformat-hash-function-transition).
func blobID(content []byte, digits int) string {
	var sum hash.Hash
	switch digits {
	case hex.EncodedLen(sha1.Size):
		sum = sha1.New()
	case hex.EncodedLen(sha256.Size):
		sum = sha256.New()
	default:
		return ""
	}
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}
