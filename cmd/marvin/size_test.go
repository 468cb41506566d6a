package main

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// How large things may be, so that each can be read at once. A file tells one story, a
// function fits a screen, and a type has one responsibility.
const (
	mostLines     = 300 // of a file
	mostStatement = 60  // lines of a function
	mostFields    = 25  // of a struct
	mostMethods   = 30  // of a type
)

// grown are things that are larger, and how large each may be, in tens. The list only
// shrinks: what grows is parted, and what was parted is taken off.
var grown = map[string]int{}

// sizes measures the program: lines of files and functions, fields and methods of types.
func sizes(t *testing.T) (found, limits map[string]int) {
	found, limits = map[string]int{}, map[string]int{}
	note := func(name string, size, limit int) { found[name], limits[name] = size, limit }
	eachFile(t, func(file string, parsed *ast.File, set *token.FileSet) {
		lines := func(node ast.Node) int { return set.Position(node.End()).Line - set.Position(node.Pos()).Line + 1 }
		note(file, set.File(parsed.FileStart).LineCount()-1, mostLines)
		for _, declared := range parsed.Decls {
			switch declared := declared.(type) {
			case *ast.FuncDecl:
				owner := receiver(declared)
				if owner != "" {
					methods := filepath.Dir(file) + "." + owner + " methods"
					note(methods, found[methods]+1, mostMethods)
					owner += "."
				}
				size := lines(declared)
				if cases := table(declared); len(cases) > 0 {
					size = 0
					for _, one := range cases {
						size = max(size, lines(one))
					}
				}
				note(filepath.Dir(file)+"."+owner+declared.Name.Name+" lines", size, mostStatement)
			case *ast.GenDecl:
				for _, spec := range declared.Specs {
					if named, ok := spec.(*ast.TypeSpec); ok {
						if kind, ok := named.Type.(*ast.StructType); ok {
							note(filepath.Dir(file)+"."+named.Name.Name+" fields", kind.Fields.NumFields(), mostFields)
						}
					}
				}
			}
		}
	})
	return found, limits
}

// table is the cases of a function that is one switch and nothing else: one row for each
// kind of message, which are as many as there are. Only a row can be too long.
func table(declared *ast.FuncDecl) []ast.Stmt {
	if declared.Body == nil || len(declared.Body.List) == 0 || len(declared.Body.List) > 2 {
		return nil
	}
	switch one := declared.Body.List[0].(type) {
	case *ast.SwitchStmt:
		return one.Body.List
	case *ast.TypeSwitchStmt:
		return one.Body.List
	}
	return nil
}

// receiver is the type that a method belongs to.
func receiver(declared *ast.FuncDecl) string {
	if declared.Recv == nil {
		return ""
	}
	kind := declared.Recv.List[0].Type
	for {
		switch of := kind.(type) {
		case *ast.StarExpr:
			kind = of.X
		case *ast.IndexExpr:
			kind = of.X
		case *ast.IndexListExpr:
			kind = of.X
		case *ast.Ident:
			return of.Name
		default:
			return ""
		}
	}
}

func TestEveryPackageKeepsToASizeThatCanBeRead(t *testing.T) {
	found, limits := sizes(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		size, limit := found[name], limits[name]
		switch allowed, listed := grown[name]; {
		case listed && size <= limit:
			t.Errorf("%s is %d now: take it off the list in size_test.go", name, size)
		case listed && size > allowed:
			t.Errorf("%s grew from %d to %d, and may be %d: part it", name, allowed, size, limit)
		case !listed && size > limit:
			t.Errorf("%s is %d, and may be %d: part it", name, size, limit)
		}
	}
	for name := range grown {
		if _, there := found[name]; !there {
			t.Errorf("%s is not there any more: take it off the list in size_test.go", name)
		}
	}
	if len(found) < 5000 {
		t.Fatalf("only %d things were measured: the walk is broken", len(found))
	}
}
