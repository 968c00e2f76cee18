package double

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// Upload is a report that code scanning took.
type Upload struct {
	ID, Commit, Ref string
	SARIF           []byte
	// Pending is how often the double answers that it has not processed the upload yet;
	// then it has processed it, or refused it because of Errors.
	Pending int
	Errors  []string
}

// Uploads returns what code scanning took.
func (d *Double) Uploads() []*Upload {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*Upload{}, d.uploads...)
}

func (d *Double) upload(c *call) answer {
	sent := body[struct {
		CommitSHA string `json:"commit_sha"`
		Ref       string
		SARIF     string
	}](c)
	zipped, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(sent.SARIF)))
	if err != nil {
		return refused(http.StatusBadRequest, "Invalid request.\n\nsarif is not Base64 of gzip")
	}
	content, err := io.ReadAll(zipped)
	var report struct{ Version string }
	if err != nil || json.Unmarshal(content, &report) != nil || report.Version != "2.1.0" {
		return refused(http.StatusBadRequest, "Invalid SARIF. JSON syntax error or version that is not 2.1.0")
	}
	if d.repo.kind(sent.CommitSHA) != "commit" {
		return refused(http.StatusNotFound, "commit not found")
	}
	u := &Upload{ID: strings.Repeat("0", 8) + "-" + sent.CommitSHA[:8], Commit: sent.CommitSHA, Ref: sent.Ref, SARIF: content}
	d.uploads = append(d.uploads, u)
	return answer{status: http.StatusAccepted, body: map[string]any{"id": u.ID, "url": d.api("/code-scanning/sarifs/" + u.ID)}}
}

func (d *Double) getUpload(c *call) answer {
	for _, u := range d.uploads {
		if u.ID != c.parameters["sarif_id"] {
			continue
		}
		if u.Pending--; u.Pending >= 0 {
			return ok(map[string]any{"processing_status": "pending"})
		}
		if len(u.Errors) > 0 {
			return ok(map[string]any{"processing_status": "failed", "errors": u.Errors})
		}
		return ok(map[string]any{"processing_status": "complete", "analyses_url": d.api("/code-scanning/analyses?sarif_id=" + u.ID)})
	}
	return notFound
}
