package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// fleetCheckFlags are the flags of fleet check.
type fleetCheckFlags struct {
	repos, out, previous, config string
	jobs                         int
}

func (a *app) fleetCheckCommand() *cobra.Command {
	f := fleetCheckFlags{jobs: 4}
	cmd := &cobra.Command{
		Use:   "check --repos FILE --out DIR",
		Short: "Check a list of repositories, each into a file",
		Long: `Check the repositories that FILE names, a clone URL or the path of one on this
machine on each line, and write a record of each to DIR: commit, servers as list
has them, findings as check has them, and what could not be checked.

Of one on a server neither history nor work tree is fetched, but only its trees
and the files that are read. The token in GITHUB_TOKEN or GH_TOKEN is sent to
GITHUB_SERVER_URL, by default github.com, and nobody else.

What DIR has of a commit already is not read again, so that a run which was cut
off goes on. With --previous what another directory has is copied. Both read a
repository again after a change of mcplumb or --config.

Exit codes: 0 every repository has a record, even if some could not be read; 2
wrong usage or settings; 3 none could be read, a record could not be written, or
the run was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.checkFleet(cmd.Context(), &f) },
	}
	cmd.Flags().Var((*filled)(&f.repos), "repos", "the `FILE` with the repositories, - for standard input")
	cmd.Flags().VarP((*filled)(&f.out), "out", "o", "write records to the directory `DIR`")
	cmd.Flags().Var((*filled)(&f.previous), "previous", "copy what the directory `DIR` has of the same commits")
	cmd.Flags().IntVar(&f.jobs, "jobs", f.jobs, "read `N` repositories at once")
	addConfig(cmd, &f.config)
	cmd.Flags().Lookup("config").Usage = "settings `FILE` to use instead of those of each repository"
	_ = cmd.MarkFlagRequired("repos")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// repositoryTime is how long one repository may take.
const repositoryTime = 15 * time.Minute

// fleetRun is a run over the repositories of a list.
type fleetRun struct {
	*app
	flags     *fleetCheckFlags
	out       string        // absolute
	previous  string        // "" for none
	config    string        // what tells the settings from others, and the catalogue
	approved  *mcp.Approved // of --config, nil for none
	addresses []fleet.Address

	mutex                   sync.Mutex        // of what follows, and of standard error
	taken                   map[string]string // clones by the names of their records
	cleaned                 map[string]bool   // directories of records
	gone                    []fleet.Address   // on this machine, and no repositories
	read, unchanged, failed int
	firstError              error // that ends the run
}

// checkFleet checks the repositories of a list.
func (a *app) checkFleet(ctx context.Context, f *fleetCheckFlags) error {
	if f.jobs < 1 || f.jobs > 64 {
		return errors.New("--jobs: is to be from 1 to 64")
	}
	r := &fleetRun{app: a, flags: f, taken: map[string]string{}, cleaned: map[string]bool{}}
	r.out = r.absolute(f.out)
	if f.previous != "" {
		r.previous = r.absolute(f.previous)
	}
	if err := r.prepare(); err != nil {
		return err
	}
	source.RemoveScratches()
	ended := r.all(ctx)
	fmt.Fprintf(a.env.Stdout, "%s: %d read, %d unchanged, %d failed\n", repositories(len(r.addresses)), r.read, r.unchanged, r.failed)
	switch {
	case ended != nil:
		return workspace.Stopped("the next run goes on from here")
	case r.firstError != nil:
		return r.firstError
	case r.failed == len(r.addresses) && r.failed > 0:
		a.code = exitIncomplete
	}
	return nil
}

// repositories counts repositories in words.
func repositories(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return fmt.Sprintf("%d repositories", n)
}

// prepare reads the list and the settings.
func (r *fleetRun) prepare() error {
	if r.outside().Git().Program == "" {
		return errors.New("git is not installed, and repositories are read with it")
	}
	list, err := r.listed(r.flags.repos)
	if err != nil {
		return fmt.Errorf("--repos: %s: %w", r.flags.repos, err)
	}
	if r.addresses, err = r.addressesOf(r.flags.repos, list); err != nil {
		return err
	}
	if len(r.addresses) == 0 {
		return fmt.Errorf("--repos: %s names no repository", r.flags.repos)
	}
	if r.flags.config != "" {
		content, err := source.ReadFile(r.absolute(r.flags.config))
		if err != nil {
			return fmt.Errorf("--config: %s: %s", r.flags.config, source.Explain(err))
		}
		settings, err := policy.ParseSettings(r.flags.config, "", content)
		if err != nil {
			return err
		}
		catalogue, err := r.readCatalogue(settings.Catalog.Approved)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(append(content, catalogue...))
		r.config = "sha256-" + hex.EncodeToString(sum[:])
		r.flags.config = r.absolute(r.flags.config)
	}
	return source.WriteFailed(r.flags.out, os.MkdirAll(r.out, 0o755)) //nolint:gosec // it is for others to read
}

// readCatalogue reads the catalogue that the settings of the organisation name, from where
// these are, and returns what was read.
func (r *fleetRun) readCatalogue(place string) (content []byte, err error) {
	switch {
	case place == "":
		return nil, nil
	case policy.IsAddress(place):
		fmt.Fprintf(r.env.Stderr, "mcplumb: %s\n", notAsked(place))
		return nil, nil
	}
	shown := filepath.Join(filepath.Dir(r.flags.config), filepath.FromSlash(path.Join(place, workspace.BuiltServers)))
	if content, err = source.ReadFile(r.absolute(shown)); err != nil {
		return nil, &policy.Error{Path: shown, Message: source.Explain(err) + ": mcplumb catalog build writes such a directory"}
	}
	r.approved, err = workspace.ParseApproved(place, shown, content)
	return content, err
}

// notAsked says that nobody asked a catalogue.
func notAsked(place string) string {
	return "the catalogue " + place + " was not asked which servers are approved: fleet check reads one that is a directory"
}

// listed reads the list of repositories.
func (r *fleetRun) listed(file string) (string, error) {
	if file == standardStream {
		list, err := io.ReadAll(io.LimitReader(r.env.Stdin, maxList))
		return string(list), err
	}
	list, err := source.ReadFile(r.absolute(file))
	if err != nil {
		return "", errors.New(source.Explain(err))
	}
	return string(list), nil
}

// maxList is how many bytes of a list are read from standard input.
const maxList = 64 << 20

// all reads every repository, several at once. Its error is that of the context.
func (r *fleetRun) all(ctx context.Context) error {
	todo := make(chan fleet.Address)
	var workers sync.WaitGroup
	for range min(r.flags.jobs, len(r.addresses)) {
		workers.Go(func() {
			for address := range todo {
				r.one(ctx, address)
			}
		})
	}
	for _, address := range r.addresses {
		if ctx.Err() != nil || r.isBroken() {
			break
		}
		todo <- address
	}
	close(todo)
	workers.Wait()
	if ctx.Err() == nil && len(r.gone) > 0 {
		r.settleGone()
	}
	return ctx.Err()
}

// settleGone writes the records of paths where no repository is. Where one was before, its
// record has the name of where it was cloned from; a clone that is elsewhere now has been
// read by now and goes first.
func (r *fleetRun) settleGone() {
	before := r.knownPaths()
	for _, address := range r.gone {
		g := &fleetReading{fleetRun: r, address: address}
		if known, isKnown := before[localPath(address).Plain()]; isKnown {
			g.address.Name, g.address.Page = known.Name, known.Page
		}
		r.settle(g, false, source.ErrNoRepository)
	}
}

// knownPaths returns the repositories on this machine that there are records of, by their
// paths as a list had them.
func (r *fleetRun) knownPaths() map[string]fleet.Address {
	known := map[string]fleet.Address{}
	for _, dir := range []string{r.previous, r.out} {
		if dir == "" {
			continue
		}
		_ = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
			var of struct{ Repository, URL, Local string }
			if err != nil || !entry.Type().IsRegular() || !strings.HasSuffix(file, ".json") {
				return nil
			}
			content, err := source.ReadFile(file)
			isOwn := err == nil && json.Unmarshal(content, &of) == nil && file == filepath.Join(dir, filepath.FromSlash(fleet.RecordPath(of.Repository)))
			if isOwn && of.Local != "" {
				known[of.Local] = fleet.Address{Name: of.Repository, Page: of.URL}
			}
			return nil
		})
	}
	return known
}

// isBroken reports whether the run cannot go on.
func (r *fleetRun) isBroken() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.firstError != nil
}

// one makes the record of a repository.
func (r *fleetRun) one(ctx context.Context, address fleet.Address) {
	limited, cancel := context.WithTimeoutCause(ctx, repositoryTime, errSlow)
	defer cancel()
	g := &fleetReading{fleetRun: r, address: address}
	isUnchanged, err := g.make(limited)
	switch {
	case err == nil: // its record is whole, whatever the time is
	case ctx.Err() != nil:
		return // what was stopped is no failure of the repository
	case limited.Err() != nil:
		err = context.Cause(limited)
	case errors.Is(err, source.ErrNoRepository):
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.gone = append(r.gone, address)
		return
	}
	r.settle(g, isUnchanged, err)
}

// settle counts a repository, and writes why it could not be read.
func (r *fleetRun) settle(g *fleetReading, isUnchanged bool, failure error) {
	var output *source.WriteError
	isFatal := errors.As(failure, &output)
	if failure != nil && !isFatal && g.claim() == nil {
		if err := g.writeFailure(failure); err != nil {
			isFatal, failure = true, err
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	switch {
	case isFatal:
		r.firstError = cmp.Or(r.firstError, failure)
	case failure != nil:
		r.failed++
		fmt.Fprintf(r.env.Stderr, "mcplumb: %s: %s\n", view.NewText(cmp.Or(g.address.Name, g.address.Clone)), view.NewText(failure.Error()))
	case isUnchanged:
		r.unchanged++
	default:
		r.read++
	}
}

// errSlow says that a repository took too long.
var errSlow = fmt.Errorf("it took longer than %d minutes", int(repositoryTime.Minutes()))

// fleetReading is the reading of one repository.
type fleetReading struct {
	*fleetRun
	address fleet.Address
	remote  source.Remote
	root    string // of the repository on disk
	commit  string
	time    time.Time
	expires string // the day after which the same commit is another question, "" for none
}

// make makes the record, unless one is there of the same commit.
func (g *fleetReading) make(ctx context.Context) (isUnchanged bool, err error) {
	git := g.outside().Git()
	if g.address.IsLocal {
		g.root = g.absolute(g.address.Clone)
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

// claim reserves the record of the repository's name: another clone that has it would
// write over it. What a run that was killed has left beside it is removed.
func (g *fleetReading) claim() error {
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
		return fmt.Errorf("it has the name of %s in the list, %s, and is left out", other, g.address.Name)
	}
	g.taken[record] = g.address.Clone
	return nil
}

// writeFailure writes why the repository could not be read, into what was known of it if
// there is a record: what nobody could read today is not gone.
func (g *fleetReading) writeFailure(failure error) error {
	said := view.NewText(failure.Error())
	name := filepath.FromSlash(fleet.RecordPath(g.address.Name))
	for _, dir := range []string{g.out, g.previous} {
		known, err := os.ReadFile(filepath.Join(dir, name))
		if dir == "" || err != nil {
			continue
		}
		if content, ok := report.FailedRecord(known, said); ok {
			return g.put(func(w io.Writer) error {
				_, err := w.Write(content)
				return err
			})
		}
	}
	g.commit, g.time = "", time.Time{}
	return g.write(nil, said)
}

// token returns what is sent to the server of the repository, "" for nothing.
func (g *fleetReading) token() string {
	if !strings.HasPrefix(g.address.Page, g.gitHubServer()+"/") {
		return ""
	}
	return g.gitHubToken()
}

// isRecorded reports whether there is a record of what would be read, copies one from the
// previous records, and writes into it on which day it was so.
func (g *fleetReading) isRecorded() (bool, error) {
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
	return true, g.put(func(w io.Writer) error {
		_, err := w.Write(renewed)
		return err
	})
}

// recorded returns a record, and whether it is of what would be read.
func (g *fleetReading) recorded(file string) ([]byte, bool) {
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

// maxRounds is how often what is still lacking is fetched: once what any repository has,
// then what the settings and the files say is to be read beside it.
const maxRounds = 8

// maxContents is how many bytes of a repository are read: those of configuration take sixty
// times as much memory.
const maxContents = 64_000_000

// check reads the commit, checks it and writes the record. Of one on a server the first
// round finds out what is to be fetched.
func (g *fleetReading) check(ctx context.Context, git source.Git) error {
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
	return errors.New("what it needs to be read does not end")
}

// lintCommit checks the commit with its settings, or with those of --config, beside
// which its baseline and its comments hide nothing. Settings that cannot be read, as before
// they are fetched, are an error, and what is read with none is found out nevertheless.
func (g *fleetReading) lintCommit(ctx context.Context, objects *source.Objects) (*workspace.Workspace, *lint.Result, error) {
	isOwn := g.flags.config == ""
	w, failed := workspace.OpenObjects(ctx, g.outside(), g.root, g.commit, objects, workspace.Request{Config: g.flags.config, Known: isOwn})
	w.Options.NoComments = !isOwn
	if isOwn { // then nobody but the repository says so, and malware it must not hide
		const malware = "malicious-package"
		w.Options.Always = malware
		delete(w.Options.Settings.Rules, malware)
	}
	g.expires = expiry(w.Options.Settings, w.Options.Today)
	switch place := w.Options.Settings.Catalog.Approved; {
	case !isOwn:
		w.Options.Approved = g.approved
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
func (g *fleetReading) write(v *view.View, failed view.Text) error {
	record := report.FleetRecord{
		Tool: view.Tool{Name: "mcplumb", Version: g.env.Version}, Repository: g.address.Name, URL: g.address.Page,
		Local: localPath(g.address), Commit: g.commit, Time: g.time, Read: g.env.Now(), Config: g.config, Expires: g.expires, Failed: failed,
	}
	return g.put(func(w io.Writer) error { return report.WriteFleetRecord(w, record, v) })
}

// put writes the record's file in one step.
func (g *fleetReading) put(write func(io.Writer) error) error {
	file := filepath.Join(g.out, filepath.FromSlash(fleet.RecordPath(g.address.Name)))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // it is for others to read
		return source.WriteFailed(g.flags.out, err)
	}
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		return err
	}
	if whole.Len() > fleet.MaxRecord {
		return fmt.Errorf("its record would be larger than %d MiB", fleet.MaxRecord>>20)
	}
	return source.WriteFailed(g.flags.out, source.WriteFile(g.out, file, func(w io.Writer) error {
		_, err := w.Write(whole.Bytes())
		return err
	}))
}
