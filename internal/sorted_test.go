package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTablesAreSorted reads the source of the packages that search their tables by
// halves: there, every slice of words is sorted, and every slice of rows that
// begin with one.
func TestTablesAreSorted(t *testing.T) {
	var files []string
	for _, dir := range []string{"identity", "secret"} {
		found, err := filepath.Glob(dir + "/*.go")
		require.NoError(t, err)
		files = append(files, found...)
	}
	tables := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		tables += sortedTables(t, file)
	}
	assert.Greater(t, tables, 80)
}

// sortedTables holds the tables of a file to their order, and counts them.
func sortedTables(t *testing.T, file *ast.File) (tables int) {
	ast.Inspect(file, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		slice, ok := table.Type.(*ast.ArrayType)
		if !ok || slice.Len != nil || len(table.Elts) < 2 {
			return true
		}
		var keys []string
		for _, row := range table.Elts {
			if key := rowKey(row); key != "" {
				keys = append(keys, key)
			}
		}
		if len(keys) == len(table.Elts) {
			tables++
			assert.IsIncreasing(t, keys, "%s", file.Name)
		}
		return true
	})
	return tables
}

// rowKey returns the literals that a row of a table begins with.
func rowKey(row ast.Expr) string {
	switch row := row.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(row.Value)
		return text
	case *ast.KeyValueExpr:
		return rowKey(row.Value)
	case *ast.CompositeLit:
		var key string
		for _, field := range row.Elts[:min(2, len(row.Elts))] {
			if name, ok := field.(*ast.Ident); ok {
				key += name.Name
			}
			key += rowKey(field) + "\x00"
		}
		return key
	}
	return ""
}
