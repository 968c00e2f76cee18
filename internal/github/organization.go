package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// Listed is a repository of an organization, as GitHub lists it.
type Listed struct {
	Name, Clone string // "acme/api", "https://github.com/acme/api.git"
	// Size is that of its objects in kilobytes, 0 of one without a commit.
	Size                      int
	IsArchived, IsFork, IsOff bool
	Visibility                string // public, private or internal
	Topics                    []string
	Pushed                    time.Time
}

// repositoriesPerPage is as many as GitHub sends at once.
const repositoriesPerPage = 100

// Organization lists the repositories of an organization that the token may see, in the order
// of their names (docs: "List organization repositories"); without a token the public ones.
// Each page is one request. A refusal by GitHub is a Failure, and no error contains the token.
func (a Access) Organization(ctx context.Context, name string) ([]Listed, error) {
	client, err := a.connection()
	if err != nil {
		return nil, errAddress // whose text would have all of it
	}
	if at := client.BaseURL; at.Scheme != "https" && (at.Scheme != "http" || a.Token != "" && !isThisMachine(at.Hostname())) {
		return nil, errAddress
	}
	l := &listing{Access: a, client: client, name: name}
	var all []Listed
	options := &github.RepositoryListByOrgOptions{Type: "all", Sort: "full_name", ListOptions: github.ListOptions{PerPage: repositoriesPerPage}}
	for {
		page, response, err := client.Repositories.ListByOrg(ctx, name, options)
		if err != nil || strings.HasPrefix(response.Header.Get(ssoHeader), "partial-results") {
			return nil, l.failed(ctx, response, err)
		}
		for _, r := range page {
			all = append(all, Listed{
				Name: r.GetFullName(), Clone: r.GetCloneURL(), Size: r.GetSize(), IsArchived: r.GetArchived(), IsFork: r.GetFork(), IsOff: r.GetDisabled(),
				Visibility: visibility(r), Topics: r.Topics, Pushed: r.GetPushedAt().Time,
			})
		}
		if options.Page = response.NextPage; options.Page == 0 {
			return all, nil
		}
	}
}

// visibility returns who may see a repository; an old server says private or not alone.
func visibility(r *github.Repository) string {
	otherwise := "public"
	if r.GetPrivate() {
		otherwise = "private"
	}
	return cmp.Or(r.GetVisibility(), otherwise)
}

// errAddress says what the address of an API is.
var errAddress = errors.New("GITHUB_API_URL must be an https address of GitHub's API: https://api.github.com, or https://HOST/api/v3 for GitHub Enterprise Server")

// isThisMachine reports whether a host is one that no network is between.
func isThisMachine(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

// ssoHeader says that an organization wants its single sign-on of a token (docs:
// "Authenticating to the REST API", personal access tokens and SAML SSO).
const ssoHeader = "X-Github-Sso"

// listing is a requested list of repositories.
type listing struct {
	Access
	client *github.Client
	name   string
}

// failed says why GitHub does not list the repositories, and what to do about it.
func (l *listing) failed(ctx context.Context, r *github.Response, err error) *Failure {
	f := &Failure{}
	details := ""
	if err != nil {
		details = said(err)
	}
	if r != nil && r.Response != nil {
		f.Status = r.StatusCode
		details = strings.TrimSuffix(fmt.Sprintf("%d: %s", f.Status, details), ": ")
	}
	f.message = fmt.Sprintf("cannot list the repositories of %s: %s (%s)", l.name, l.reason(ctx, r, err), details)
	if l.Token != "" {
		f.message = strings.ReplaceAll(f.message, l.Token, "***")
	}
	return f
}

// reason describes a failure, with what to do about it.
func (l *listing) reason(ctx context.Context, r *github.Response, err error) string {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	at := l.client.BaseURL.Scheme + "://" + l.client.BaseURL.Host + strings.TrimSuffix(l.client.BaseURL.Path, "/")
	noAPI := "what answers at " + at + " is not GitHub's API: set GITHUB_API_URL, on GitHub Enterprise Server to https://HOST/api/v3"
	switch {
	case errors.As(err, &primary) && !primary.Rate.Reset.IsZero():
		return "the rate limit of GitHub is reached: try again after " + primary.Rate.Reset.UTC().Format("15:04 UTC on 2006-01-02")
	case primary != nil, errors.As(err, &secondary):
		return "the rate limit of GitHub is reached: try again in some minutes"
	case errors.Is(err, errElsewhere):
		return noAPI
	case r == nil || r.Response == nil:
		return "no answer from " + at + ": is that the address (GITHUB_API_URL), and may this machine reach it?"
	case r.StatusCode >= http.StatusInternalServerError:
		return "GitHub is out of order: try again later"
	case r.StatusCode == http.StatusTooManyRequests:
		return "the rate limit of GitHub is reached: try again in some minutes"
	case r.Header.Get(ssoHeader) != "":
		return "the organization has single sign-on, and the token is not authorized for it: choose Configure SSO next to the token in the settings of its owner"
	case r.StatusCode == http.StatusOK, !strings.Contains(r.Header.Get("Content-Type"), "json"):
		return noAPI
	}
	return l.refusal(ctx, r.StatusCode, said(err))
}

// refusal words an answer of GitHub's that refuses.
func (l *listing) refusal(ctx context.Context, status int, said string) string {
	switch {
	case status == http.StatusUnauthorized:
		return "GitHub does not know the token: it is mistyped, expired, revoked, or of another server; make a new one"
	case status == http.StatusForbidden && strings.Contains(said, "IP allow list"):
		return "the organization does not let in the IP address of this machine: use a runner that is on its allow list"
	case status == http.StatusForbidden && strings.Contains(said, "forbids access"):
		return "the organization forbids tokens of this kind: use one that it allows, or a GitHub App"
	case status == http.StatusForbidden:
		return "the token may not: it needs metadata: read for all repositories of the organization"
	case status == http.StatusNotFound:
		return l.missing(ctx)
	}
	return "GitHub refuses"
}

// missing says what exists instead of the organization.
func (l *listing) missing(ctx context.Context) string {
	account, _, err := l.client.Users.Get(ctx, l.name)
	if is(err, http.StatusNotFound) {
		return "no organization has this name, or the token may not see it: check the name"
	}
	if cmp.Or(account.GetType(), "Organization") != "Organization" {
		return "it is the account of a person, not an organization: write the clone URLs of its repositories into a file for fleet check"
	}
	return "the token may not see them: it needs metadata: read for all repositories of the organization"
}
