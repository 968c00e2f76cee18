package catalog

import (
	"slices"
	"strings"
)

// File is an answer as a file that any web server sends.
type File struct {
	// Path is slash-separated.
	Path    string
	Content []byte
}

// indexName is the file that web servers send for its directory.
const indexName = "index.html"

// Files returns, for a catalog at an address, "" if unknown, the answers that depend only on
// their path, sorted by path: for a request with a query, the answer without one, with all
// servers on one page.
//
// A path below which there are others is an index.html in its directory, which web servers
// send for it. Nothing in the JSON there means anything in HTML.
func (c *Catalog) Files(address string) []File {
	files := []File{{indexName, c.document(pageOptions{address: address, added: maxAdded})}}
	add := func(path string, a Answer) { files = append(files, File{path, a.Body}) }
	for _, root := range toolRoots {
		for _, s := range c.tools {
			add(root[1:]+"/"+s.fullName(), s.toolAnswer())
		}
		add(root[1:]+"/"+indexName, jsonAnswer(statusOK, c.toolPage("", 1, max(len(c.tools), 1))))
	}
	add(serversRoot[1:]+"/"+indexName, jsonAnswer(statusOK, listingPage{orNone(c.listed), pageMetadata{Count: len(c.listed)}}))
	for name, versions := range c.byName {
		below := serversRoot[1:] + "/" + name + "/versions/"
		add(below+indexName, jsonAnswer(statusOK, listingPage{versions, pageMetadata{Count: len(versions)}}))
		add(below+"latest", jsonAnswer(statusOK, versions[0]))
		for _, l := range versions {
			add(below+l.Server.Version, jsonAnswer(statusOK, l))
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// orNone returns a list that JSON has as one.
func orNone(all []*listing) []*listing {
	if all == nil {
		return []*listing{}
	}
	return all
}
