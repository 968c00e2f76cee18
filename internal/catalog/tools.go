package catalog

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// toolRoots are where PML looks for servers: as its design document has it, and as its
// releases do.
var toolRoots = [...]string{"/mcp", "/api/registry"}

// toolOfStdio is what PML gets of a program.
type toolOfStdio struct {
	FullName    string   `json:"fqdn"`
	Type        Type     `json:"type"`
	Description string   `json:"description"`
	Routing     string   `json:"routing"`
	Install     install  `json:"install"`
	Integrity   string   `json:"integrity"`
	Tools       []string `json:"tools"`
	Warnings    warnings `json:"warnings"`
}

type install struct {
	Command     string   `json:"command"`
	Args        []string `json:"args"`
	EnvRequired []string `json:"envRequired"`
}

type warnings struct {
	CreatesDotfiles []string `json:"createsDotfiles"`
}

// toolOfHTTP is what PML gets of an address.
type toolOfHTTP struct {
	FullName    string   `json:"fqdn"`
	Type        Type     `json:"type"`
	Description string   `json:"description"`
	Routing     string   `json:"routing"`
	ProxyTo     string   `json:"proxyTo"`
	EnvRequired []string `json:"envRequired"`
	Integrity   string   `json:"integrity"`
	Tools       []string `json:"tools"`
}

// toolItem is a line of the list.
type toolItem struct {
	FullName string `json:"fqdn"`
	Type     Type   `json:"type"`
	Routing  string `json:"routing"`
}

type toolList struct {
	Items []toolItem `json:"items"`
	Total int        `json:"total"`
	Page  int        `json:"page"`
	Limit int        `json:"limit"`
}

// refusal is why PML gets no server.
type refusal struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	Current string `json:"currentFqdn,omitempty"`
}

// tool answers what is below one of the roots of PML's protocol.
func (c *Catalog) tool(r Request, root, escaped string) Answer {
	answer := c.toolNamed(r, root, escaped)
	if escaped == "" {
		answer = c.toolList(r)
	}
	return answer.with("Cache-Control", "public, max-age=3600")
}

// toolNamed answers with the server of a full name; without the hash at its end it says
// where that is.
func (c *Catalog) toolNamed(r Request, root, escaped string) Answer {
	name, err := url.PathUnescape(escaped)
	if err != nil {
		return jsonAnswer(statusBadRequest, refusal{Error: "bad_request", Message: "the name has a wrong escape"})
	}
	base, hash := cutHash(name)
	s := c.byBase[base]
	switch {
	case s == nil:
		return jsonAnswer(statusNotFound, refusal{Error: "not_found", Message: "MCP '" + base + "' not in registry"})
	case hash == "":
		return Answer{Status: statusFound}.with("Location", root+"/"+s.fullName())
	case name != s.fullName():
		return jsonAnswer(statusNotFound, refusal{
			Error: "hash_mismatch", Message: fmt.Sprintf("Hash '%s' does not match current hash '%s' for %s", hash, shortHash(s.hash), base), Current: s.fullName(),
		})
	}
	return s.toolAnswer().tagged(r, s.hash)
}

// cutHash cuts the hash off a full name of five parts; any other text has none.
func cutHash(name string) (base, hash string) {
	at := strings.LastIndexByte(name, '.')
	if strings.Count(name, ".") != 4 || slices.ContainsFunc(strings.Split(name[:at], "."), isNoPart) {
		return name, ""
	}
	return name[:at], name[at+1:]
}

func isNoPart(text string) bool { return !mcp.IsToolPart(text) }

// toolAnswer returns what PML gets of a server.
func (s *Server) toolAnswer() Answer {
	if s.Type == Deno {
		return Answer{Status: statusOK, Body: s.Code}.with("Content-Type", "application/typescript").
			with("X-PML-Type", string(s.Type)).with("X-PML-Routing", s.routing())
	}
	if s.Type == HTTP {
		return jsonAnswer(statusOK, toolOfHTTP{
			FullName: s.fullName(), Type: s.Type, Description: s.description(), Routing: s.routing(),
			ProxyTo: s.Address, EnvRequired: orEmpty(s.Environment), Integrity: s.hash, Tools: orEmpty(s.Tools),
		})
	}
	return jsonAnswer(statusOK, toolOfStdio{
		FullName: s.fullName(), Type: s.Type, Description: s.description(), Routing: s.routing(),
		Install:   install{s.Command, orEmpty(s.Args), orEmpty(s.Environment)},
		Integrity: s.hash, Tools: orEmpty(s.Tools), Warnings: warnings{CreatesDotfiles: []string{}},
	})
}

// routing says who calls a server: its client, or for an address PML's cloud.
func (s *Server) routing() string {
	if s.Type == HTTP {
		return "server"
	}
	return "client"
}

// maxTools is how many servers a page of the list may have.
const maxTools = 1000

// toolList answers with a page of the list, only of one type if the query names one.
func (c *Catalog) toolList(r Request) Answer {
	page, errPage := number(r.Query, "page", 1, 1_000_000)
	limit, errLimit := number(r.Query, "limit", 50, maxTools)
	kind := Type(r.Query.Get("type"))
	switch {
	case errPage != "":
		return jsonAnswer(statusBadRequest, refusal{Error: "bad_request", Message: errPage})
	case errLimit != "":
		return jsonAnswer(statusBadRequest, refusal{Error: "bad_request", Message: errLimit})
	case kind != "" && kind != Stdio && kind != HTTP && kind != Deno:
		return jsonAnswer(statusBadRequest, refusal{Error: "bad_request", Message: "type must be deno, stdio or http"})
	}
	answer := jsonAnswer(statusOK, c.toolPage(kind, page, limit))
	return answer.tagged(r, sum(answer.Body))
}

// toolPage returns a page of the list, of one type or of all for "".
func (c *Catalog) toolPage(kind Type, page, limit int) toolList {
	list := toolList{Items: []toolItem{}, Page: page, Limit: limit}
	for _, s := range c.tools {
		if kind != "" && s.Type != kind {
			continue
		}
		if list.Total >= (page-1)*limit && list.Total < page*limit {
			list.Items = append(list.Items, toolItem{s.fullName(), s.Type, s.routing()})
		}
		list.Total++
	}
	return list
}

// number returns a number of a query from 1 to most, standard if the query has none; wrong
// says why the value is not valid.
func number(query url.Values, name string, standard, most int) (n int, wrong string) {
	text := query.Get(name)
	if text == "" {
		return standard, ""
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Sprintf("%s must be a number from 1 to %d", name, most)
	}
	return n, ""
}
