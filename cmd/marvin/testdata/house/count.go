package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// count returns the row of a package. The package is type-checked against the export data of its
// imports.
func count(pkg listed, exports map[string]string) (one row, err error) {
	one.name = strings.TrimPrefix(pkg.ImportPath, "marvin/")
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(pkg.GoFiles, pkg.IgnoredGoFiles) {
		path := filepath.Join(pkg.Dir, name)
		if strings.HasSuffix(name, "_test.go") {
			one.tests += lines(path)
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return one, err
		}
		if ast.IsGenerated(file) {
			continue
		}
		one.files++
		one.paths = append(one.paths, path)
		one.code += lines(path)
		one.comments += commentLines(set, file)
		one.exported += exported(file)
		if slices.Contains(pkg.GoFiles, name) { // files for other systems declare the same names
			files = append(files, file)
		}
	}
	for _, name := range slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles) {
		one.tests += lines(filepath.Join(pkg.Dir, name))
	}
	uses, err := references(pkg.ImportPath, set, files, exports)
	one.upward, one.references = upward(uses)
	return one, err
}

func lines(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return strings.Count(string(text), "\n")
}

func commentLines(set *token.FileSet, file *ast.File) (count int) {
	for _, group := range file.Comments {
		count += set.Position(group.End()).Line - set.Position(group.Pos()).Line + 1
	}
	return count
}

// exported returns the number of exported top-level names of a file, including methods.
func exported(file *ast.File) (count int) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.IsExported() {
				count++
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						count++
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							count++
						}
					}
				}
			}
		}
	}
	return count
}

// uses is how many names of another file each file uses.
type uses map[string]map[string]int

// references returns what the files of a package use of each other.
func references(path string, set *token.FileSet, files []*ast.File, exports map[string]string) (uses, error) {
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check(path, set, files, info)
	if err != nil {
		return nil, err
	}
	type use struct {
		from string
		of   types.Object
	}
	seen, found := map[use]bool{}, uses{}
	for name, object := range info.Uses {
		if object.Pkg() != pkg || object.Pos() == token.NoPos {
			continue
		}
		from, to := set.Position(name.Pos()).Filename, set.Position(object.Pos()).Filename
		if from == to || seen[use{from, object}] {
			continue
		}
		seen[use{from, object}] = true
		if found[from] == nil {
			found[from] = map[string]int{}
		}
		found[from][to]++
	}
	return found, nil
}

// upward is how many references point upward in the best order of the files that a greedy search
// finds (Eades, Lin and Smyth): sinks go to the end, sources to the front, else the file that uses
// most and is used least is next. Then files move while that makes it better.
func upward(found uses) (up, all int) {
	left := map[string]bool{}
	for from, of := range found {
		left[from] = true
		for to, n := range of {
			left[to] = true
			all += n
		}
	}
	var front, back []string
	for len(left) > 0 {
		name, sink := next(found, left)
		if sink {
			back = append(back, name)
		} else {
			front = append(front, name)
		}
		delete(left, name)
	}
	slices.Reverse(back)
	order := append(front, back...)
	for better := true; better; {
		better = false
		for at := range order {
			if improved(found, order, at) {
				better = true
			}
		}
	}
	return pointingUp(found, order), all
}

// next is the file to place next, and whether it uses nothing of those that are left.
func next(found uses, left map[string]bool) (best string, sink bool) {
	names := make([]string, 0, len(left))
	for name := range left {
		names = append(names, name)
	}
	slices.Sort(names)
	most := 0
	for _, name := range names {
		out, in := 0, 0
		for other := range left {
			out += found[name][other]
			in += found[other][name]
		}
		switch {
		case out == 0:
			return name, true
		case in == 0:
			return name, false
		case best == "" || out-in > most:
			best, most = name, out-in
		}
	}
	return best, false
}

// improved is true if moving the file to another position makes fewer references point upward. In
// that case, the file is moved to the best position.
func improved(found uses, order []string, at int) bool {
	name, gain, best, to := order[at], 0, 0, at
	for i := at - 1; i >= 0; i-- { // before order[i]
		gain += found[order[i]][name] - found[name][order[i]]
		if -gain > best {
			best, to = -gain, i
		}
	}
	gain = 0
	for i := at + 1; i < len(order); i++ { // behind order[i]
		gain += found[name][order[i]] - found[order[i]][name]
		if -gain > best {
			best, to = -gain, i
		}
	}
	if to == at {
		return false
	}
	copy(order, slices.Insert(slices.Delete(slices.Clone(order), at, at+1), to, name))
	return true
}

func pointingUp(found uses, order []string) (up int) {
	place := map[string]int{}
	for i, name := range order {
		place[name] = i
	}
	for from, of := range found {
		for to, n := range of {
			if place[to] < place[from] {
				up += n
			}
		}
	}
	return up
}
