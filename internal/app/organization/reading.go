package organization

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// reading is the reading of one repository.
type reading struct {
	*run
	address fleet.Address
	remote  source.Remote
	root    string // of the repository on disk
	commit  string
	time    time.Time
	expires string // the day after which the same commit is another question, "" for none
}

// make makes the record, unless one is there of the same commit.
func (g *reading) make(ctx context.Context) (isUnchanged bool, err error) {
	git := g.env.Git()
	if g.address.IsLocal {
		g.root = g.env.Absolute(g.address.Clone)
		if g.commit, err = git.LocalHead(ctx, g.root); errors.Is(err, source.ErrNoRepository) {
			return false, err
		}
		g.address = g.address.Named(git.Origin(ctx, g.root))
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return false, err
		}
	} else {
		g.remote = source.Remote{URL: g.address.Clone, Token: g.token()}
		if g.commit, err = git.RemoteHead(ctx, g.remote); err != nil {
			return false, fmt.Errorf("it could not be fetched: %w", err)
		}
	}
	if err := g.claim(); err != nil {
		return false, err
	}
	if is, err := g.isRecorded(); is || err != nil {
		return is, err
	}
	if g.commit == "" {
		return false, g.write(nil, view.Text{})
	}
	if !g.address.IsLocal {
		scratch, err := source.NewScratch()
		if err != nil {
			return false, err
		}
		defer scratch.Remove()
		g.root = scratch.Path
		if err := git.FetchTrees(ctx, g.root, g.remote, g.commit); err != nil {
			return false, fmt.Errorf("it could not be fetched: %w", err)
		}
	}
	if g.time, err = git.CommitTime(ctx, g.root, g.commit); err != nil {
		return false, err
	}
	return false, g.check(ctx, git)
}

// claim reserves the record of the repository's name: another clone with that name would
// overwrite it. Temporary files of a killed run next to it are removed.
func (g *reading) claim() error {
	g.address.Name = cmp.Or(g.address.Name, g.address.Named("").Name)
	g.mutex.Lock()
	defer g.mutex.Unlock()
	file := fleet.RecordPath(g.address.Name)
	if dir := path.Dir(file); !g.cleaned[dir] {
		g.cleaned[dir] = true
		source.RemoveLeftovers(g.out, []string{dir})
	}
	record := strings.ToLower(file)
	if other, isTaken := g.taken[record]; isTaken && other != g.address.Clone {
		return fmt.Errorf("it has the same record as %s in the list, %s, and is left out", other, g.address.Name)
	}
	g.taken[record] = g.address.Clone
	return nil
}

// writeFailure writes why the repository could not be read, into what was known of it if
// there is a record: what cannot be read today is not gone.
func (g *reading) writeFailure(failure error) error {
	said := view.NewText(failure.Error())
	name := filepath.FromSlash(fleet.RecordPath(g.address.Name))
	for _, dir := range []string{g.out, g.previous} {
		known, err := os.ReadFile(filepath.Join(dir, name))
		if dir == "" || err != nil {
			continue
		}
		if content, ok := report.FailedRecord(known, said); ok {
			return g.put(source.Writing(content))
		}
	}
	g.commit, g.time = "", time.Time{}
	return g.write(nil, said)
}

// token returns what is sent to the server of the repository, "" for nothing.
func (g *reading) token() string {
	if !strings.HasPrefix(g.address.Page, g.options.Server+"/") {
		return ""
	}
	return g.options.Token
}

// isRecorded reports whether there is a record of what would be read, copies one from the
// previous records, and writes into it on which day it was so.
func (g *reading) isRecorded() (bool, error) {
	name := filepath.FromSlash(fleet.RecordPath(g.address.Name))
	content, is := g.recorded(filepath.Join(g.out, name))
	isThere := is
	if !is && g.previous != "" {
		content, is = g.recorded(filepath.Join(g.previous, name))
	}
	if !is {
		return false, nil
	}
	renewed := report.RenewedRecord(content, g.env.Now())
	if isThere && bytes.Equal(renewed, content) {
		return true, nil
	}
	return true, g.put(source.Writing(renewed))
}

// recorded returns a record, and whether it is of what would be read.
func (g *reading) recorded(file string) ([]byte, bool) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var r struct {
		Tool                                                    struct{ Version string }
		Repository, URL, Local, Commit, Config, Expires, Failed string
	}
	if err := json.Unmarshal(content, &r); err != nil || r.Failed != "" {
		return nil, false
	}
	if r.Expires != "" && r.Expires < g.env.Now().UTC().Format(time.DateOnly) {
		return nil, false
	}
	return content, r.Tool.Version == g.env.Version && r.Repository == g.address.Name && r.URL == g.address.Page && r.Local == localPath(g.address).Plain() && r.Commit == g.commit && r.Config == g.config
}

// localPath returns the path of a repository on this machine as a record has it, "" of
// another.
func localPath(a fleet.Address) view.Text {
	if !a.IsLocal {
		return view.Text{}
	}
	return view.NewText(a.Clone)
}

// maxRounds is how often missing objects are fetched: first those for the files that every
// repository has, then those that the settings and the files refer to.
const maxRounds = 8

// maxContents is how many bytes of a repository are read: those of configuration take sixty
// times as much memory.
const maxContents = 64_000_000

// check reads the commit, checks it and writes the record. For a repository on a server, the
// first round finds out what to fetch.
func (g *reading) check(ctx context.Context, git source.Git) error {
	objects, err := source.Revision(ctx, g.root, g.commit, git)
	if err != nil {
		return err
	}
	defer objects.Close()
	objects.Hold(maxContents)
	for range maxRounds {
		w, result, err := g.lintCommit(ctx, objects)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		lacking := objects.Lacking()
		switch {
		case len(lacking) > 0 && !g.address.IsLocal:
			if err := git.FetchFiles(ctx, g.root, g.remote, lacking); err != nil {
				return fmt.Errorf("its files could not be fetched: %w", err)
			}
			continue
		case err != nil:
			return err
		}
		return g.write(view.New(w.Viewed(result)), view.Text{})
	}
	return errors.New("fetching it does not end")
}

// lintCommit checks the commit with its settings, or with those of --config, with which its
// baseline and its comments hide nothing. Unreadable settings, as before they are fetched, are
// an error, but the run still finds out what it reads without settings.
func (g *reading) lintCommit(ctx context.Context, objects *source.Objects) (*workspace.Workspace, *lint.Result, error) {
	isOwn := g.options.Config == ""
	w, failed := workspace.OpenTree(ctx, g.env, g.root, g.commit, objects, workspace.Request{Config: g.options.Config, Known: isOwn, Online: g.options.Online})
	w.Options.NoComments = !isOwn
	if isOwn { // the repository alone says so, and must not hide malware
		const malware = "malicious-package"
		w.Options.Always = malware
		delete(w.Options.Settings.Rules, malware)
	}
	g.expires = expiry(w.Options.Settings, w.Options.Today)
	switch place := w.Options.Settings.Catalog.Approved; {
	case !isOwn:
		if w.Options.Approved = g.approved; place != g.catalog {
			w.Notices = append(w.Notices, "the catalog "+place+" was not asked which servers are approved: fleet check asks the one that --config names itself")
		}
	case policy.IsAddress(place):
		w.Notices = append(w.Notices, notAsked(place))
	case failed == nil:
		if err := w.ReadApproved(ctx, false); err != nil { // what else there is is worth reading
			w.Notices = append(w.Notices, err.Error())
		}
	}
	result, err := lint.Run(ctx, w.Options)
	if err == nil && isOwn && result.Files > 0 && len(result.Excluded) > 0 {
		w.Notices = append(w.Notices, excludedInPart(result.Excluded))
	}
	return w, result, cmp.Or(failed, err)
}

// excludedInPart says what a repository keeps from being read.
func excludedInPart(paths []string) string {
	if len(paths) == 1 {
		return "the settings exclude " + paths[0] + ", which mcplumb would read"
	}
	return fmt.Sprintf("the settings exclude %d files that mcplumb would read, %s first", len(paths), paths[0])
}

// expiry returns the first last day of the ignores that count today, "" where none has one.
func expiry(settings *policy.Settings, today string) string {
	first := ""
	for i := range settings.Ignores {
		if until := settings.Ignores[i].Until; until >= today && (first == "" || until < first) {
			first = until
		}
	}
	return first
}

// write writes the record, of what v is the view of.
func (g *reading) write(v *view.View, failed view.Text) error {
	record := report.FleetRecord{
		Tool: view.Tool{Name: "mcplumb", Version: g.env.Version}, Repository: g.address.Name, URL: g.address.Page,
		Local: localPath(g.address), Commit: g.commit, Time: g.time, Read: g.env.Now(), Config: g.config, Expires: g.expires, Failed: failed,
	}
	return g.put(func(w io.Writer) error { return report.WriteFleetRecord(w, record, v) })
}

// put writes the record's file in one step.
func (g *reading) put(write func(io.Writer) error) error {
	file := filepath.Join(g.out, filepath.FromSlash(fleet.RecordPath(g.address.Name)))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // it is for others to read
		return source.WriteFailed(g.options.Out, err)
	}
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		return err
	}
	if whole.Len() > fleet.MaxRecord {
		return fmt.Errorf("its record would be larger than %d MiB", fleet.MaxRecord>>20)
	}
	return source.WriteFailed(g.options.Out, source.WriteFile(g.out, file, source.Writing(whole.Bytes())))
}
