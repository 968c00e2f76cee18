// Package organization checks, lists and reports on the repositories of an organization.
package organization

import (
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

	"github.com/hashicorp/go-multierror"
	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// repositoryTime is how long one repository may take.
const repositoryTime = 15 * time.Minute

// CheckOptions say which repositories are checked, and how.
type CheckOptions struct {
	// Repos is the file with the list, - for Stdin. Like all paths it is seen from the
	// current directory.
	Repos string
	Stdin io.Reader
	// Out is the directory that records are written to, Previous one with records of
	// before, "" for none.
	Out, Previous string
	// Config is a settings file that counts instead of those of the repositories, "" for none.
	Config string
	// Online fetches what settings extend.
	Online bool
	// Jobs is how many repositories are read at once.
	Jobs int
	// Server is where the repositories of GitHub are, in small letters; Token is sent there
	// and nowhere else.
	Server, Token string
	// Log gets why a repository could not be read, while others are.
	Log io.Writer
}

// CheckResult counts the repositories of a list.
type CheckResult struct{ Listed, Read, Unchanged, Failed int }

// Check checks the repositories of a list, and writes a record of each. The result is nil
// where none was begun with.
func Check(ctx context.Context, env *workspace.Env, o CheckOptions) (*CheckResult, error) {
	r := &run{env: env, options: o, taken: map[string]string{}, cleaned: map[string]bool{}}
	r.out = env.Absolute(o.Out)
	if o.Previous != "" {
		r.previous = env.Absolute(o.Previous)
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	source.RemoveScratches()
	r.count.Listed = len(r.addresses)
	if r.all(ctx) != nil {
		return &r.count, workspace.Stopped("the next run continues here")
	}
	return &r.count, r.firstError
}

// run is a run over the repositories of a list.
type run struct {
	env       *workspace.Env
	options   CheckOptions
	out       string        // absolute
	previous  string        // "" for none
	config    string        // what tells the settings from others, and the catalog
	catalog   string        // that --config names, "" for none
	approved  *mcp.Approved // of that catalog, nil for none
	addresses []fleet.Address

	mutex      sync.Mutex        // of what follows, and of the log
	taken      map[string]string // clones by the names of their records
	cleaned    map[string]bool   // directories of records
	gone       []fleet.Address   // on this machine, and no repositories
	count      CheckResult
	firstError error // that ends the run
}

// prepare reads the list and the settings.
func (r *run) prepare() error {
	if r.env.Git().Program == "" {
		return fmt.Errorf("%w: it is needed to read repositories", source.ErrNoGit)
	}
	if err := r.readList(); err != nil {
		return err
	}
	if r.options.Config != "" {
		content, err := source.ReadFile(r.env.Absolute(r.options.Config))
		if err != nil {
			return fmt.Errorf("--config: %s: %s", r.options.Config, source.Explain(err))
		}
		settings, err := policy.ParseSettings(r.options.Config, "", content)
		if err != nil {
			return err
		}
		r.catalog = settings.Catalog.Approved
		catalog, err := r.readCatalog(r.catalog)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(append(content, catalog...))
		r.config = "sha256-" + hex.EncodeToString(sum[:])
		r.options.Config = r.env.Absolute(r.options.Config)
	}
	return source.WriteFailed(r.options.Out, os.MkdirAll(r.out, 0o755)) //nolint:gosec // it is for others to read
}

// readCatalog reads the catalog that the settings of the organization name, from where
// these are, and returns what was read.
func (r *run) readCatalog(place string) (content []byte, err error) {
	switch {
	case place == "":
		return nil, nil
	case policy.IsAddress(place):
		fmt.Fprintf(r.options.Log, "mcplumb: %s\n", notAsked(place))
		return nil, nil
	}
	shown := filepath.Join(filepath.Dir(r.options.Config), filepath.FromSlash(path.Join(place, workspace.BuiltServers)))
	if content, err = source.ReadFile(r.env.Absolute(shown)); err != nil {
		return nil, &policy.Error{Path: shown, Message: source.Explain(err) + ": mcplumb catalog build writes such a directory"}
	}
	r.approved, err = workspace.ParseApproved(place, shown, content)
	return content, err
}

// notAsked says that a catalog was not asked.
func notAsked(place string) string {
	return "the catalog " + place + " was not queried: fleet check reads only a catalog in a directory"
}

// readList reads the list of repositories. The error is one for each line that is wrong.
func (r *run) readList() (err error) {
	file := r.options.Repos
	var list []byte
	if file == "-" {
		list, err = io.ReadAll(io.LimitReader(r.options.Stdin, maxList))
	} else {
		list, err = source.ReadFile(r.env.Absolute(file))
	}
	if err != nil {
		return fmt.Errorf("--repos: %s: %s", file, source.Explain(err))
	}
	_, server, _ := strings.Cut(r.options.Server, "://")
	all, wrong := fleet.ParseAddresses(string(list), "github.com", server)
	var several *multierror.Error // each shown to the user
	for _, err := range wrong {
		several = multierror.Append(several, fmt.Errorf("--repos: %s: %w", file, err))
	}
	if several == nil && len(all) == 0 {
		return fmt.Errorf("--repos: %s names no repository", file)
	}
	r.addresses = all
	return several.ErrorOrNil()
}

// maxList is how many bytes of a list are read from standard input.
const maxList = 64 << 20

// all reads every repository, several at once. Its error is that of the context.
func (r *run) all(ctx context.Context) error {
	todo := make(chan fleet.Address)
	var workers sync.WaitGroup
	for range min(r.options.Jobs, len(r.addresses)) {
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
func (r *run) settleGone() {
	before := r.knownPaths()
	for _, address := range r.gone {
		g := &reading{run: r, address: address}
		if known, isKnown := before[localPath(address).Plain()]; isKnown {
			g.address.Name, g.address.Page = known.Name, known.Page
		}
		r.settle(g, false, source.ErrNoRepository)
	}
}

// knownPaths returns the repositories on this machine that there are records of, by their
// paths as a list had them.
func (r *run) knownPaths() map[string]fleet.Address {
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
func (r *run) isBroken() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.firstError != nil
}

// one makes the record of a repository.
func (r *run) one(ctx context.Context, address fleet.Address) {
	limited, cancel := context.WithTimeoutCause(ctx, repositoryTime, errSlow)
	defer cancel()
	g := &reading{run: r, address: address}
	isUnchanged, err := g.make(limited)
	switch {
	case err == nil: // its record is complete, even if the time is up
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
func (r *run) settle(g *reading, isUnchanged bool, failure error) {
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
		r.count.Failed++
		fmt.Fprintf(r.options.Log, "mcplumb: %s: %s\n", view.NewText(cmp.Or(g.address.Name, g.address.Clone)), view.NewText(failure.Error()))
	case isUnchanged:
		r.count.Unchanged++
	default:
		r.count.Read++
	}
}

// errSlow says that a repository took too long.
var errSlow = fmt.Errorf("it took longer than %d minutes", int(repositoryTime.Minutes()))
