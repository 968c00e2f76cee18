package registry

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// simpleProject is a page of a package index in JSON (PEP 691, with the times of PEP 700).
type simpleProject struct {
	Files []simpleFile `json:"files"`
}

// simpleFile is a file of any version of a project.
type simpleFile struct {
	Name   string            `json:"filename"`
	Hashes map[string]string `json:"hashes"`
	// Yanked is a reason, or whether it is (PEP 592).
	Yanked   json.RawMessage `json:"yanked"`
	Uploaded string          `json:"upload-time"`
}

// simpleForms are the forms of an index's page, the better one first. Many indexes of
// companies know HTML alone (PEP 503).
const simpleForms = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.2, text/html; q=0.1"

// pypi asks the indexes that pip and uv take packages from: a page has all files of all
// versions.
func (c *Client) pypi(ctx context.Context, q mcp.Wanted) (*mcp.Published, error) {
	places, err := c.places.pypi()
	if err != nil {
		return nil, err
	}
	var at *place
	var all simpleProject
	for _, from := range places {
		project, err := c.simpleProject(ctx, from, q.Name)
		if errors.Is(err, errUnknown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if at == nil {
			at = &from
		}
		all.Files = append(all.Files, project.Files...)
	}
	if at == nil {
		return unknown(places[0]), nil
	}
	return all.published(*at, q.Name), nil
}

// simpleProject asks one index.
func (c *Client) simpleProject(ctx context.Context, from place, name string) (*simpleProject, error) {
	a, err := c.get(ctx, from, from.at("/"+url.PathEscape(name)+"/"), simpleForms)
	if err != nil {
		return nil, err
	}
	var project simpleProject
	if kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type")); err == nil && strings.HasSuffix(kind, "json") {
		if err := decode(from, a, &project); err != nil {
			return nil, err
		}
		if project.Files == nil {
			return nil, notSuch(from)
		}
		return &project, nil
	}
	project = readIndexPage(a.body)
	isOf := func(f simpleFile) bool { return versionOfFile(f.Name, name) != "" }
	if !slices.ContainsFunc(project.Files, isOf) {
		return nil, notSuch(from) // a sign-in page is HTML, too
	}
	return &project, nil
}

// readIndexPage reads a page in HTML: each file is a link with its hash as the fragment.
func readIndexPage(page []byte) simpleProject {
	var project simpleProject
	tokens := html.NewTokenizer(strings.NewReader(string(page)))
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end: a tokenizer accepts all else
			return project
		case html.StartTagToken:
			if token := tokens.Token(); token.Data == "a" {
				if file, ok := linkedFile(token.Attr); ok {
					project.Files = append(project.Files, file)
				}
			}
		}
	}
}

// linkedFile returns the file that a link leads to.
func linkedFile(attributes []html.Attribute) (file simpleFile, ok bool) {
	file.Hashes = map[string]string{}
	for _, a := range attributes {
		switch a.Key {
		case "href":
			target, err := url.Parse(a.Val)
			if err != nil {
				return file, false
			}
			file.Name = target.Path[strings.LastIndex(target.Path, "/")+1:]
			if algorithm, hash, found := strings.Cut(target.Fragment, "="); found {
				file.Hashes[algorithm] = hash
			}
		case "data-yanked":
			file.Yanked, _ = json.Marshal(a.Val) // a text is always JSON
			if a.Val == "" {
				file.Yanked = json.RawMessage("true")
			}
		}
	}
	return file, file.Name != ""
}

// published gathers the files of each version.
func (p *simpleProject) published(from place, name string) *mcp.Published {
	published := &mcp.Published{Registry: from.base.Host, IsWhole: true}
	at := map[string]int{}
	for _, file := range p.Files {
		version := versionOfFile(file.Name, name)
		if !isVersion(version) {
			continue
		}
		i, known := at[version]
		if !known {
			i = len(published.Releases)
			at[version] = i
			published.Releases = append(published.Releases, mcp.Release{Version: version, IsWithdrawn: true})
		}
		file.addTo(&published.Releases[i])
	}
	for i := range published.Releases {
		slices.Sort(published.Releases[i].Hashes)
		published.Releases[i].Hashes = slices.Compact(published.Releases[i].Hashes) // a mirror has the same files
	}
	return published
}

// addTo adds what is known of a file to its release: a release is yanked if all its
// files are.
func (f *simpleFile) addTo(r *mcp.Release) {
	if hash := f.Hashes["sha256"]; isIntegrity(hash) {
		r.Hashes = append(r.Hashes, "sha256:"+strings.ToLower(hash))
	}
	if at := timeOf(f.Uploaded); !at.IsZero() && (r.At.IsZero() || at.Before(r.At)) {
		r.At = at
	}
	isYanked, reason := false, ""
	if json.Unmarshal(f.Yanked, &reason) == nil {
		isYanked = reason != ""
	} else {
		_ = json.Unmarshal(f.Yanked, &isYanked) // neither: it is not
	}
	r.IsWithdrawn = r.IsWithdrawn && isYanked
	if !r.IsWithdrawn {
		r.Reason = ""
	} else if reason != "" {
		r.Reason = reason
	}
}

// versionOfFile returns the version in the name of a wheel or a source archive ("" for another
// file): in a wheel's name it follows the first dash (PEP 427), in an archive's the name of
// the project, which old ones write with dashes.
func versionOfFile(file, project string) string {
	if wheel, ok := strings.CutSuffix(file, ".whl"); ok {
		parts := strings.Split(wheel, "-")
		if len(parts) < 5 {
			return ""
		}
		return parts[1]
	}
	for _, ending := range []string{".tar.gz", ".zip", ".tar.bz2", ".tgz"} {
		archive, ok := strings.CutSuffix(file, ending)
		if !ok || len(archive) <= len(project) || archive[len(project)] != '-' || !isSameProject(archive[:len(project)], project) {
			continue
		}
		return archive[len(project)+1:]
	}
	return ""
}

// isSameProject compares names as PEP 503 does, of equal length.
func isSameProject(a, b string) bool {
	normal := strings.NewReplacer("_", "-", ".", "-")
	return strings.EqualFold(normal.Replace(a), normal.Replace(b))
}
