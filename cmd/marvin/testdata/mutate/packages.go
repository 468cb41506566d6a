package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// packages is the code that may be changed, and who would notice.
type packages struct {
	root      string
	changed   []unit
	dirs      map[string]string   // of all packages
	importers map[string][]string // packages that have tests, by the package that they import
}

// unit is one package: its import path and its files, from the root.
type unit struct {
	path  string
	files []string
}

// listed is what the Go command says of a package.
type listed struct {
	ImportPath, Dir, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Module                             *struct{ Dir string }
}

// list finds the packages that patterns name. Without any it is all that a program is made
// of: what only tests import is no code of which a test could notice something.
func list(patterns, without []string) (packages, error) {
	all, err := ask("./...")
	if err != nil {
		return packages{}, err
	}
	chosen := shipped(all)
	if len(patterns) > 0 {
		if chosen, err = ask(patterns...); err != nil {
			return packages{}, err
		}
	}
	if len(all) == 0 || all[0].Module == nil {
		return packages{}, errors.New("run it at the root of a module")
	}
	found := packages{root: all[0].Module.Dir, dirs: map[string]string{}, importers: map[string][]string{}}
	leftOut := func(one listed) bool {
		rel, err := filepath.Rel(found.root, one.Dir)
		return err != nil || slices.Contains(without, filepath.ToSlash(rel))
	}
	for _, one := range chosen {
		if leftOut(one) {
			continue
		}
		unit := unit{path: one.ImportPath}
		for _, name := range one.GoFiles {
			rel, err := filepath.Rel(found.root, filepath.Join(one.Dir, name))
			if err != nil {
				return packages{}, err
			}
			unit.files = append(unit.files, filepath.ToSlash(rel))
		}
		found.changed = append(found.changed, unit)
	}
	for _, one := range all {
		found.dirs[one.ImportPath] = one.Dir
		if leftOut(one) || len(one.TestGoFiles)+len(one.XTestGoFiles) == 0 {
			continue
		}
		for _, imported := range slices.Concat(one.Imports, one.TestImports, one.XTestImports) {
			if imported != one.ImportPath && !slices.Contains(found.importers[imported], one.ImportPath) {
				found.importers[imported] = append(found.importers[imported], one.ImportPath)
			}
		}
	}
	return found, nil
}

// shipped are the programs and what they import; all packages where there is no program.
func shipped(all []listed) (found []listed) {
	var visit func(path string)
	seen := map[string]bool{}
	visit = func(path string) {
		at := slices.IndexFunc(all, func(one listed) bool { return one.ImportPath == path })
		if at < 0 || seen[path] {
			return
		}
		seen[path] = true
		for _, imported := range all[at].Imports {
			visit(imported)
		}
	}
	for _, one := range all {
		if one.Name == "main" {
			visit(one.ImportPath)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(one listed) bool { return len(seen) > 0 && !seen[one.ImportPath] })
}

func ask(patterns ...string) (all []listed, err error) {
	command := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Name,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Module"}, patterns...)...)
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %s", strings.TrimSpace(problems.String()))
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, one)
	}
}
