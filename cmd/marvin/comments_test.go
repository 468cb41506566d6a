package main

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sourceName  = regexp.MustCompile(`(?:^|[\s("'` + "`" + `,])((?:[a-z][a-z0-9_]*/)*[a-z][a-z0-9_]*\.(?:go|txtar|py))\b`)
	packagePath = regexp.MustCompile(`(?:^|[\s("'` + "`" + `,])((?:messages|persistence|providers|tools|ui|actors|cmd|docs|internal|testdata)/[a-z][a-z0-9_./-]*[a-z0-9_])`)
)

// examplesInComments lists names in comments that are examples of a user's files.
var examplesInComments = map[string]bool{
	"messages/event.go main.go": true, "providers/modeltest/doc.go a.go": true, "providers/offline/slot.go main.go": true,
	"persistence/words/ranges.go main.go": true, "tools/internal/box/resolve.go main.go": true, "tools/place.go main.go": true,
}

// The files and packages that a comment names must exist, relative to the directory of the comment
// or to the root.
func TestCommentsNameWhatExists(t *testing.T) {
	seen := 0
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		for _, group := range file.Comments {
			text := group.Text()
			for _, found := range append(sourceName.FindAllStringSubmatch(text, -1), packagePath.FindAllStringSubmatch(text, -1)...) {
				seen++
				if !examplesInComments[path+" "+found[1]] && !standsThere(path, strings.TrimSuffix(found[1], ".")) {
					t.Errorf("%s: %q does not exist", set.Position(group.Pos()), found[1])
				}
			}
		}
	})
	if seen < 50 {
		t.Errorf("only %d names of files and packages in all comments", seen)
	}
}

// The documentation of a room that consists of packages names each of them.
func TestRoomsNameTheirPackages(t *testing.T) {
	for _, room := range []string{"ui"} {
		about := page(t, filepath.Join(room, "doc.go"))
		entries, err := os.ReadDir(filepath.Join("..", "..", room))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if entry.IsDir() && entry.Name() != "internal" && entry.Name() != "testdata" && !regexp.MustCompile(`\b`+entry.Name()+`\b`).MatchString(about) {
				t.Errorf("%s/doc.go does not name %s", room, entry.Name())
			}
		}
	}
}

func standsThere(path, name string) bool {
	for _, from := range []string{filepath.Dir(path), ".", strings.Split(path, "/")[0]} {
		if _, err := os.Stat(filepath.Join("..", "..", from, name)); err == nil {
			return true
		}
	}
	return false
}

var (
	backticked = regexp.MustCompile("`([A-Za-z][A-Za-z0-9_./]*)`")
	wordInCode = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
)

// outside lists names in AGENTS.md that do not belong to this repository.
var outside = map[string]bool{"MethodByName": true, "go": true, "PATH": true, "core.fsmonitor": true}

// The files, packages, types and functions that AGENTS.md names must exist.
func TestTheMapNamesWhatExists(t *testing.T) {
	var paths []string
	words := map[string]bool{}
	err := fs.WalkDir(os.DirFS(filepath.Join("..", "..")), ".", func(path string, entry fs.DirEntry, err error) error {
		paths = append(paths, "/"+path)
		switch {
		case err != nil:
			return err
		case path == ".git" && entry.IsDir():
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !entry.IsDir():
			for _, word := range wordInCode.FindAllString(page(t, path), -1) {
				words[word] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, found := range backticked.FindAllStringSubmatch(page(t, "AGENTS.md"), -1) {
		name, last := found[1], found[1][strings.LastIndexByte(found[1], '.')+1:]
		seen++
		isPath := slices.ContainsFunc(paths, func(path string) bool { return strings.HasSuffix(path, "/"+strings.TrimSuffix(name, "/")) })
		if !isPath && (strings.Contains(name, "/") || last == "go" || !words[last]) && !outside[name] {
			t.Errorf("AGENTS.md names %s, which is not there", name)
		}
	}
	if seen < 100 {
		t.Errorf("only %d names on the map", seen)
	}
}
