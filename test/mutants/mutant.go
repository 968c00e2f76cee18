package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	file       string // below the root, with slashes
	line       int    // 1-based
	start, end int    // in bytes of the file
	was, is    string
}

// String gives the place and the change in one line.
func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s → %s", m.file, m.line, short(m.was), short(m.is))
}

// short returns text in one line of at most 80 bytes or so.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 80 {
		text = strings.ToValidUTF8(text[:80], "") + "…"
	}
	return "`" + text + "`"
}

// apply returns the file's text with the change.
func (m mutant) apply(text string) string { return text[:m.start] + m.is + text[m.end:] }

// inDirectory returns every mutant of the Go files of root/dir, tests left out.
func inDirectory(root, dir string) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		found, err := inFile(dir+"/"+filepath.Base(path), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// inFile returns every mutant of one file. Only bodies of functions are changed:
// tables of data are read by the tests of their own.
func inFile(name, text string) ([]mutant, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, name, text, 0)
	if err != nil {
		return nil, err
	}
	f := finder{file: files.File(tree.Pos()), name: name, text: text}
	for _, decl := range tree.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
			ast.Inspect(function.Body, f.visit)
		}
	}
	return f.found, nil
}

// finder collects the mutants of one file.
type finder struct {
	file  *token.File
	name  string
	text  string
	found []mutant
}

// add notes that the code from one place to another becomes is.
func (f *finder) add(from, to token.Pos, is string) {
	start, end := f.file.Offset(from), f.file.Offset(to)
	f.found = append(f.found, mutant{f.name, f.file.Line(from), start, end, f.text[start:end], is})
}

// of returns the code of a node.
func (f *finder) of(n ast.Node) string { return f.text[f.file.Offset(n.Pos()):f.file.Offset(n.End())] }

// visit adds the mutants of one node.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.add(n.Cond.Pos(), n.Cond.End(), "!("+f.of(n.Cond)+")")
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(n.Pos(), n.End(), f.of(n.X))
		}
	case *ast.BasicLit:
		f.constant(n)
	case *ast.CaseClause:
		f.clause(n)
	case *ast.BranchStmt:
		switch {
		case n.Label != nil:
		case n.Tok == token.CONTINUE:
			f.add(n.Pos(), n.End(), "break")
		case n.Tok == token.BREAK:
			f.add(n.Pos(), n.End(), "continue")
		}
	case *ast.ExprStmt:
		if _, ok := n.X.(*ast.CallExpr); ok {
			f.add(n.Pos(), n.End(), "")
		}
	}
	return true
}

// swapped returns the operator that replaces an operator. One that is not listed stays.
func swapped(op token.Token) string {
	switch op {
	case token.EQL:
		return "!="
	case token.NEQ:
		return "=="
	case token.LSS:
		return "<="
	case token.LEQ:
		return "<"
	case token.GTR:
		return ">="
	case token.GEQ:
		return ">"
	case token.ADD:
		return "-"
	case token.SUB:
		return "+"
	case token.LAND:
		return "||"
	case token.LOR:
		return "&&"
	}
	return ""
}

// binary adds the mutants of an expression with two sides: another operator, and
// one side alone where both are conditions.
func (f *finder) binary(n *ast.BinaryExpr) {
	if n.Op == token.LAND || n.Op == token.LOR {
		f.add(n.Pos(), n.End(), f.of(n.X))
		f.add(n.Pos(), n.End(), f.of(n.Y))
	}
	if n.Op == token.ADD && (isText(n.X) || isText(n.Y)) {
		return
	}
	if op := swapped(n.Op); op != "" {
		f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op)
	}
}

// isText reports whether an expression is a text literal: text can be added to other text,
// but not subtracted from it.
func isText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// constant adds the mutant of a number, a character or a text.
func (f *finder) constant(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if value, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatInt(value+1, 10))
		}
	case token.CHAR:
		if n.Value != `'~'` {
			f.add(n.Pos(), n.End(), `'~'`)
		}
	case token.STRING:
		if value, err := strconv.Unquote(n.Value); err == nil {
			f.add(n.Pos(), n.End(), strconv.Quote(value+"~"))
		}
	}
}

// clause adds the mutants of a case: its body does nothing, or one of several values is
// missing.
func (f *finder) clause(n *ast.CaseClause) {
	if len(n.Body) > 0 {
		f.add(n.Body[0].Pos(), n.Body[len(n.Body)-1].End(), "")
	}
	for i, value := range n.List {
		switch {
		case len(n.List) == 1:
		case i == 0:
			f.add(value.Pos(), n.List[1].Pos(), "")
		default:
			f.add(n.List[i-1].End(), value.End(), "")
		}
	}
}
