package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/catalog"
)

// reply is an answer on its way.
type reply struct {
	answer catalog.Answer
	// isHead reports that only its headers are wanted, isLast that the connection ends
	// with it.
	isHead, isLast bool
}

// refuse is the reply to what is no request: nothing behind it can be read.
func refuse(status int) *reply {
	return &reply{isLast: true, answer: catalog.Answer{
		Status: status, Headers: []catalog.Header{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}, {Name: "Access-Control-Allow-Origin", Value: "*"}}, Body: []byte(http.StatusText(status) + "\n"),
	}}
}

// bytes returns the reply as HTTP/1.1 has it.
func (r *reply) bytes(now time.Time) []byte {
	var out bytes.Buffer
	a := &r.answer
	fmt.Fprintf(&out, "HTTP/1.1 %d %s\r\nDate: %s\r\n", a.Status, http.StatusText(a.Status), now.UTC().Format(http.TimeFormat))
	// What would end a header ends none.
	plain := strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")
	for _, h := range a.Headers {
		fmt.Fprintf(&out, "%s: %s\r\n", h.Name, plain.Replace(h.Value))
	}
	hasBody := a.Status != http.StatusNoContent && a.Status != http.StatusNotModified
	if hasBody {
		fmt.Fprintf(&out, "Content-Length: %d\r\n", len(a.Body))
	}
	if r.isLast {
		out.WriteString("Connection: close\r\n")
	}
	out.WriteString("\r\n")
	if hasBody && !r.isHead {
		out.Write(a.Body)
	}
	return out.Bytes()
}
