package mcp_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestFresh holds for every document of the fixtures that a fresh copy says the same, and that
// nothing which links write into is a part of both.
func TestFresh(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	index, count := format.Known(), 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, f := range archive.Files {
			match, known := index.Lookup(f.Name)
			if !known || match.Format.Unopened {
				continue
			}
			doc, err := format.Read(syntax.NewFile(f.Name, f.Data), match)
			if err != nil || doc == nil {
				continue
			}
			count++
			fresh := doc.Fresh()
			assert.Equal(t, doc, fresh, f.Name)
			of, ofFresh := linkedIn(doc), linkedIn(fresh)
			assert.Equal(t, len(of), len(ofFresh))
			for at := range of {
				assert.False(t, ofFresh[at], "%s: %s is a part of both", f.Name, at.Type())
			}
		}
	}
	assert.Greater(t, count, 1000)
	assert.Nil(t, (*mcp.Document)(nil).Fresh())
}

// linkedIn returns the pointers in a document to what links write into.
func linkedIn(doc *mcp.Document) map[reflect.Value]bool {
	types := []reflect.Type{reflect.TypeFor[mcp.Document](), reflect.TypeFor[mcp.Server](), reflect.TypeFor[mcp.Extra](), reflect.TypeFor[mcp.Lock](), reflect.TypeFor[mcp.LockEntry]()}
	found, seen := map[reflect.Value]bool{}, map[uintptr]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Pointer()] || v.Type() == reflect.TypeFor[*mcp.Client]() || v.Type() == reflect.TypeFor[*mcp.Tool]() || v.Type() == reflect.TypeFor[*syntax.File]() {
				return
			}
			seen[v.Pointer()] = true
			if slices.Contains(types, v.Type().Elem()) {
				found[v] = true
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key))
			}
		}
	}
	walk(reflect.ValueOf(doc))
	return found
}
