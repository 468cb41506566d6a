package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// change is one way in which a file is made wrong.
type change struct {
	file, path    string // from the root; the package
	line          int
	kind          string
	from, to      int    // what is replaced, in bytes of the file
	text          string // by what
	before, after string // the line, without space around it
}

// key names a change in equivalent.txt: it stays the same while its line does.
func (c change) key() string { return strings.Join([]string{c.file, c.before, c.after}, "\t") }

// swapped is what an operator becomes.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// finder collects the changes of one file.
type finder struct {
	file, path string
	source     []byte
	set        *token.FileSet
	found      []change
}

// changes are all that can be tried in a file of a package, in the order of the text.
func changes(root, file, path string) ([]change, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("read what is to be changed: %w", err)
	}
	f := &finder{file: file, path: path, source: source, set: token.NewFileSet()}
	parsed, err := parser.ParseFile(f.set, file, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(parsed) {
		return nil, nil
	}
	for _, declared := range parsed.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok && function.Body != nil {
			f.visit(function.Type, function.Body)
		}
	}
	return f.found, nil
}

// visit finds the changes in a body. Functions within it have results of their own.
func (f *finder) visit(kind *ast.FuncType, body *ast.BlockStmt) {
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			f.visit(node.Type, node.Body)
			return false
		case *ast.IfStmt:
			f.negate(node.Cond)
		case *ast.ForStmt:
			f.negate(node.Cond)
		case *ast.BinaryExpr:
			if other, ok := swapped[node.Op]; ok {
				f.replace("swap", node.OpPos, node.OpPos+token.Pos(len(node.Op.String())), other.String())
			}
		case *ast.BlockStmt:
			f.drop(node.List)
		case *ast.CaseClause:
			f.drop(node.Body)
		case *ast.CommClause:
			f.drop(node.Body)
		case *ast.ReturnStmt:
			f.forget(kind, node)
		}
		return true
	})
}

// negate turns a condition round. A comparison is turned round by its operator.
func (f *finder) negate(condition ast.Expr) {
	binary, isBinary := condition.(*ast.BinaryExpr)
	if condition == nil || isBinary && (binary.Op == token.EQL || binary.Op == token.NEQ) {
		return
	}
	from, to := f.offset(condition.Pos()), f.offset(condition.End())
	f.replace("negate", condition.Pos(), condition.End(), "!("+string(f.source[from:to])+")")
}

// drop leaves out one statement at a time, of those without which it may still build.
func (f *finder) drop(statements []ast.Stmt) {
	for _, statement := range statements {
		switch statement := statement.(type) {
		case *ast.AssignStmt:
			if statement.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.BranchStmt:
		default:
			continue
		}
		f.replace("drop", statement.Pos(), statement.End(), "")
	}
}

// forget returns nil where an error is returned.
func (f *finder) forget(kind *ast.FuncType, statement *ast.ReturnStmt) {
	if kind.Results == nil || len(statement.Results) == 0 {
		return
	}
	last, ok := kind.Results.List[len(kind.Results.List)-1].Type.(*ast.Ident)
	if !ok || last.Name != "error" || len(statement.Results) != kind.Results.NumFields() {
		return
	}
	result := statement.Results[len(statement.Results)-1]
	text := "nil"
	if name, ok := result.(*ast.Ident); !ok { // what it is made of stays in use, so that it builds
		text = "func() error { _ = " + string(f.source[f.offset(result.Pos()):f.offset(result.End())]) + "; return nil }()"
	} else if name.Name == "nil" {
		return
	}
	f.replace("forget the error", result.Pos(), result.End(), text)
}

func (f *finder) offset(at token.Pos) int { return f.set.Position(at).Offset }

// replace notes a change.
func (f *finder) replace(kind string, from, to token.Pos, text string) {
	c := change{
		file: f.file, path: f.path, line: f.set.Position(from).Line, kind: kind,
		from: f.offset(from), to: f.offset(to), text: text,
	}
	source := string(f.source)
	begin := strings.LastIndexByte(source[:c.from], '\n') + 1
	end := len(source)
	if rest := strings.IndexByte(source[c.to:], '\n'); rest >= 0 {
		end = c.to + rest
	}
	oneLine := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	c.before, c.after = oneLine(source[begin:end]), oneLine(source[begin:c.from]+text+source[c.to:end])
	f.found = append(f.found, c)
}
