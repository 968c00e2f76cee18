package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mcplumb/mcplumb/internal/compare"
)

// hashOf returns the hash of a server as PML has it: of code its own, of an address that
// of where it is and what it wants, of a program that of its package.
func hashOf(s *Server) string {
	switch s.Type {
	case HTTP:
		return compare.HashOfAddress(s.Address, s.Environment, s.Tools)
	case Deno:
		return sum(s.Code)
	}
	return s.Locked
}

// sum returns the SHA-256 of a text.
func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return "sha256-" + hex.EncodeToString(hash[:])
}

// encode writes JSON. Its characters mean nothing in HTML.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return []byte("null") // texts, numbers and lists are always JSON
	}
	return text
}

// orEmpty returns a list that JSON has as one.
func orEmpty(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// Sum returns a hash of all that can be asked for.
func (c *Catalog) Sum() string {
	all := c.document(pageOptions{}) // what is written for clients follows from the rest
	for _, s := range c.tools {
		all = append(all, s.toolAnswer().Body...)
	}
	return sum(append(all, encode(c.listed)...))
}
