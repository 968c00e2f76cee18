// Package pullrequest keeps a pull request with fixes on GitHub: it opens one, updates it to
// the current fixes, and closes it when nothing is left. What people do with it takes
// precedence: a commit of theirs on its branch stops it, and what was in one that they have
// closed is not proposed again.
package pullrequest

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/github"
)

// Proposal is what there is to fix.
type Proposal struct {
	// Branch is the one that the commits go to, Base the one that they are for, On the
	// commit of it that they are made for.
	Branch, Base, On string
	// Commits are in their order; none says that nothing is left.
	Commits []Commit
	// Title and Body are Markdown that is safe to show.
	Title, Body string
	// Fixes are the fingerprints of the findings that are fixed, sorted.
	Fixes             []string
	Labels, Assignees []string
	Draft             bool
	// SignOff has the author of the commits sign them off.
	SignOff bool
}

// Commit is what the fixes of one rule change.
type Commit struct {
	Message string
	Files   []github.Blob
}

// The operations, as the outputs of the action have them.
const (
	Created   = "created"
	Updated   = "updated"
	Closed    = "closed"
	Unchanged = "none"
)

// Result is what was done.
type Result struct {
	Operation string
	// Number is 0 where there is no pull request.
	Number int
	URL    string
	// Why says in a clause why nothing was done although there would be something to do,
	// "" if there was not.
	Why string
}

// State is what there is on GitHub of one branch.
type State struct {
	Branch string
	// head is the commit of the branch, "" without a branch.
	head string
	// open is the pull request that is open, last the one before it. Their number is 0 if they
	// do not exist.
	open, last github.PullRequest
	// refused are the fingerprints of what people did not want.
	refused map[string]bool
}

// Load asks what there is of a branch.
func Load(ctx context.Context, r *github.Repository, branch string) (*State, error) {
	s := &State{Branch: branch, refused: map[string]bool{}}
	var err error
	if s.head, err = r.Branch(ctx, branch); err != nil {
		return nil, err
	}
	all, err := r.PullRequests(ctx, branch)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		m, isOurs := readMarker(p.Body)
		switch {
		case p.IsOpen && s.open.Number == 0:
			s.open = p
		case p.IsOpen || !isOurs:
		case s.last.Number == 0:
			s.last = p
			fallthrough
		default:
			if !p.IsMerged && !m.Done {
				for _, fix := range m.Fixes {
					s.refused[fix] = true
				}
			}
		}
	}
	return s, nil
}

// Refuses reports whether people have closed a pull request that fixed a finding.
func (s *State) Refuses(fingerprint string) bool {
	return s.refused[fingerprint] || s.refused[fingerprint[:min(len(fingerprint), shortPrint)]]
}

// Plan says what Apply would do.
func (s *State) Plan(p *Proposal) Result {
	result := Result{Operation: Unchanged, Number: s.open.Number, URL: s.open.URL}
	m, _ := readMarker(s.open.Body)
	switch {
	case len(p.Commits) == 0 && s.open.Number == 0 && s.isHalfClosed():
		result.Operation, result.Number, result.URL = Closed, s.last.Number, s.last.URL
	case len(p.Commits) == 0 && s.open.Number == 0:
	case s.isForeign():
		result.Why = fmt.Sprintf("someone else moved the branch %s to %.12s, so mcplumb does not update it", s.Branch, s.head)
	case len(p.Commits) == 0:
		result.Operation = Closed
	case s.open.Number == 0:
		result.Operation = Created
	case m.Unmarked && p.hasMarks():
		result.Operation = Updated
	case m.Content != p.content() || m.Head != s.head || plain(s.open.Body) != plain(p.body(m)) || s.open.Title != p.title(s.open, m) || s.open.Base != p.Base:
		result.Operation = Updated
	}
	return result
}

// isHalfClosed reports whether a run was killed that closed the last pull request, before
// it could delete the branch.
func (s *State) isHalfClosed() bool {
	m, isOurs := readMarker(s.last.Body)
	return isOurs && m.Done && s.head != "" && !s.isForeign()
}

// isForeign reports whether the branch is at a commit that is not ours.
func (s *State) isForeign() bool {
	p := s.open
	if p.Number == 0 {
		p = s.last
	}
	m, isOurs := readMarker(p.Body)
	return s.head != "" && !(isOurs && (s.head == m.Head || s.head == m.Before))
}

// Apply makes GitHub have what is proposed. Everything that it writes it writes only where
// no other run has been since the state was loaded.
func Apply(ctx context.Context, r *github.Repository, s *State, p *Proposal) (Result, error) {
	planned := s.Plan(p)
	if planned.Why != "" && s.open.Number == 0 && len(p.Commits) > 0 {
		if same, err := s.isLeftBehind(ctx, r, p); err != nil {
			return planned, err
		} else if same {
			planned = Result{Operation: Created}
		}
	}
	var err error
	switch planned.Operation {
	case Closed:
		err = s.close(ctx, r)
	case Created, Updated:
		planned, err = s.propose(ctx, r, p, planned.Operation)
	}
	if errors.Is(err, github.ErrMoved) {
		planned.Operation, planned.Why = Unchanged, "the branch "+p.Branch+" was meanwhile updated by someone else"
		err = nil
	}
	if err != nil && !errors.As(err, &unmarkedError{}) {
		planned.Operation = Unchanged
	}
	return planned, err
}

// isLeftBehind reports whether a branch without a pull request has just the commits that
// are proposed: a run that was killed before it could open one.
func (s *State) isLeftBehind(ctx context.Context, r *github.Repository, p *Proposal) (bool, error) {
	messages, err := r.Messages(ctx, p.On, s.head)
	if err != nil {
		return false, err
	}
	return slices.EqualFunc(messages, p.Commits, func(made string, c Commit) bool {
		message, _, signed := strings.Cut(made, "\n"+github.SignedOff)
		return strings.TrimSpace(message) == strings.TrimSpace(c.Message) && signed == p.SignOff
	}), nil
}

// propose brings the branch and its pull request to what is proposed. The base must be
// where it was, else another run knows better.
func (s *State) propose(ctx context.Context, r *github.Repository, p *Proposal, operation string) (Result, error) {
	result := Result{Operation: operation, Number: s.open.Number, URL: s.open.URL}
	at, err := r.Branch(ctx, p.Base)
	if err != nil {
		return result, err
	}
	if at != p.On {
		result.Operation, result.Why = Unchanged, fmt.Sprintf("%s is at %.12s on GitHub and %.12s here: run fix-pr again on the newest commit", p.Base, at, p.On)
		return result, nil
	}
	m, _ := readMarker(s.open.Body)
	head := s.head
	if m.Content != p.content() || m.Head != s.head || s.head == "" {
		if head, err = p.build(ctx, r); err != nil {
			return result, err
		}
	}
	now := marker{Head: head, Content: p.content(), Title: p.Title, Fixes: remembered(p.Fixes)}
	if head != s.head {
		now.Before = s.head
	}
	if s.open.Number == 0 {
		return s.create(ctx, r, p, now)
	}
	var unmarked error
	if m.Unmarked { // a run was killed before it could do it
		unmarked = r.Mark(ctx, s.open.Number, p.Labels, p.Assignees)
		now.Unmarked = unmarked != nil && !isFinal(unmarked)
	}
	result, err = s.update(ctx, r, p, head, p.with(now))
	if err == nil && unmarked != nil {
		return result, unmarkedError{unmarked}
	}
	return result, errors.Join(err, unmarked)
}

// unmarkedError says that all is as it should be but labels and assignees.
type unmarkedError struct{ error }

func (e unmarkedError) Unwrap() error { return e.error }

// hasMarks reports whether a new pull request gets labels or assignees.
func (p *Proposal) hasMarks() bool { return len(p.Labels)+len(p.Assignees) > 0 }

// with returns the body with a marker.
func (p *Proposal) with(m marker) string { return p.Body + "\n" + m.String() + "\n" }

// isFinal reports whether GitHub has refused something, and would again.
func isFinal(err error) bool {
	var f *github.Failure
	return errors.As(err, &f) && f.IsFinal()
}

// update brings the pull request that is open to what is proposed.
func (s *State) update(ctx context.Context, r *github.Repository, p *Proposal, head, body string) (Result, error) {
	result := Result{Operation: Updated, Number: s.open.Number, URL: s.open.URL}
	m, _ := readMarker(s.open.Body)
	open := s.open
	open.Title, open.Body, open.Base = p.title(open, m), body, p.Base
	if open.Base == s.open.Base {
		open.Base = "" // it stays
	}
	edited, err := r.Edit(ctx, open) // before the branch moves: it must be known as ours
	if err != nil {
		return result, err
	}
	before := s.open
	before.Base = ""
	if !edited.IsOpen { // what was not seen in it is not refused
		result.Operation, result.Why = Unchanged, fmt.Sprintf("#%d was closed meanwhile", s.open.Number)
		_, err := r.Edit(ctx, before)
		return result, err
	}
	if head == s.head {
		return result, nil
	}
	if err := r.SetBranch(ctx, p.Branch, s.head, head); err != nil {
		_, undone := r.Edit(ctx, before)
		return result, errors.Join(err, undone)
	}
	return result, nil
}

// create makes the branch, if it is not there yet, and the pull request.
func (s *State) create(ctx context.Context, r *github.Repository, p *Proposal, now marker) (Result, error) {
	result, head := Result{Operation: Created}, now.Head
	now.Unmarked = p.hasMarks()
	if head != s.head {
		if err := r.SetBranch(ctx, p.Branch, s.head, head); err != nil {
			return result, err
		}
	}
	opened, err := r.Create(ctx, p.Branch, p.Base, p.Title, p.with(now), p.Draft)
	if err != nil {
		all, asked := r.PullRequests(ctx, p.Branch) // the answer may have been lost
		at := slices.IndexFunc(all, func(p github.PullRequest) bool { return p.IsOpen })
		switch {
		case asked != nil:
			return result, err // without the branch GitHub would close what it may have opened
		case at >= 0:
			opened = all[at]
		case head != s.head: // a branch without a pull request is in the way
			return result, errors.Join(err, r.SetBranch(ctx, p.Branch, head, s.head))
		default:
			return result, err
		}
	}
	result.Number, result.URL = opened.Number, opened.URL
	if !now.Unmarked {
		return result, nil
	}
	if err = r.Mark(ctx, opened.Number, p.Labels, p.Assignees); err != nil && !isFinal(err) {
		return result, unmarkedError{err} // the next run tries it again
	}
	now.Unmarked = false
	_, noted := r.Edit(ctx, github.PullRequest{Number: opened.Number, Title: p.Title, Body: p.with(now), IsOpen: true})
	if err = errors.Join(err, noted); err != nil {
		return result, unmarkedError{err}
	}
	return result, nil
}

// close says that nothing is left, closes the pull request and deletes its branch.
func (s *State) close(ctx context.Context, r *github.Repository) error {
	if s.open.Number == 0 { // only the branch is left
		return r.SetBranch(ctx, s.Branch, s.head, "")
	}
	m, _ := readMarker(s.open.Body)
	before := m.String()
	m.Done = true
	done := s.open
	done.IsOpen, done.Base, done.Body = false, "", strings.Replace(done.Body, before, m.String(), 1)
	if _, err := r.Edit(ctx, done); err != nil {
		return err
	}
	if err := r.Comment(ctx, done.Number, "Nothing is left to fix, so this is closed."); err != nil || s.head == "" {
		return err
	}
	return r.SetBranch(ctx, s.Branch, s.head, "")
}

// build makes the commits, one on top of the other, and returns the last.
func (p *Proposal) build(ctx context.Context, r *github.Repository) (head string, err error) {
	head = p.On
	for _, c := range p.Commits {
		if head, err = r.Commit(ctx, head, c.Message, c.Files, p.SignOff); err != nil {
			return "", err
		}
	}
	return head, nil
}

// title returns the title that a pull request must have: its own if people have given it one.
func (p *Proposal) title(open github.PullRequest, m marker) string {
	if open.Title != m.Title {
		return open.Title
	}
	return p.Title
}

// body returns the body that a pull request has after an update to the proposal.
func (p *Proposal) body(m marker) string {
	m.Title, m.Fixes = p.Title, remembered(p.Fixes)
	return p.with(m)
}

// plain returns a text without what a form on the web changes in it.
func plain(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r", "")) }

// content returns what tells whether commits are those that are proposed: the names that
// git has for the contents are public where the commits are.
func (p *Proposal) content() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00", p.On)
	if p.SignOff {
		fmt.Fprint(sum, github.SignedOff)
	}
	for _, c := range p.Commits {
		fmt.Fprintf(sum, "%s\x00", c.Message)
		for _, f := range c.Files {
			fmt.Fprintf(sum, "%s\x00%s\x00%s\x00", f.Path, f.Mode, blobName(f.Content))
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// blobName returns the name that git has for a content.
func blobName(content []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}
