package github

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
)

// File returns a file of the repository as a commit has it (docs: "Get repository content",
// raw). Without a token, the file must be public. An error never contains the token.
func (a Access) File(ctx context.Context, path, commit string) ([]byte, error) {
	client, err := a.connection()
	if err != nil {
		return nil, &Failure{message: errAddress.Error()} // the error of url.Parse has all of it
	}
	if at := client.BaseURL; at.Scheme != "https" && (a.Token != "" && !isThisMachine(at.Hostname()) || at.Scheme != "http") {
		return nil, &Failure{message: errAddress.Error()}
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	request, err := client.NewRequest(http.MethodGet, "repos/"+a.Repository+"/contents/"+strings.Join(parts, "/")+"?ref="+url.QueryEscape(commit), nil)
	if err != nil {
		return nil, a.failed("contents: read", "ask for the file", err)
	}
	request.Header.Set("Accept", "application/vnd.github.raw+json")
	var content bytes.Buffer
	_, err = client.Do(ctx, request, &content)
	if is(err, http.StatusNotFound) && a.Token == "" {
		return nil, &Failure{Status: http.StatusNotFound, message: "GitHub shows no such file without a token: set GITHUB_TOKEN or GH_TOKEN if the repository is private"}
	}
	if err != nil {
		return nil, a.failed("contents: read of "+a.Repository, "read the file", err)
	}
	return content.Bytes(), nil
}
