// Command house prints the figures of the code base for each package: lines, files, references
// between files, exported names and comments.
//
//	go run ./cmd/marvin/testdata/house [-english PROGRAM] [PACKAGE...]
//
// Generated files are left out. "up" is the share of references between files of a package that
// point upward in the best order of its files that the program finds: 0 % means that the files
// form layers. A reference is one name of another file that a file uses. With -english a program
// that prints "N per 1,000 words" on its last line is run on the files of each room.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, IgnoredGoFiles []string
	TestGoFiles             []string
	XTestGoFiles            []string
	Module                  *struct{ Main bool }
}

// row is what is counted of a package or a room.
type row struct {
	name                      string
	code, tests, comments     int // lines
	files, upward, references int
	exported                  int
	paths                     []string
}

func main() {
	english := flag.String("english", "", "a program that counts foreign turns of phrase")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if err := house(os.Stdout, patterns, *english); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func house(out io.Writer, patterns []string, english string) error {
	packages, exports, err := list(patterns)
	if err != nil {
		return err
	}
	rooms := map[string]*row{}
	fmt.Fprintf(out, "%-52s %6s %6s %5s %6s %8s %8s\n", "package", "code", "tests", "files", "up", "exported", "comments")
	for _, pkg := range packages {
		one, err := count(pkg, exports)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg.ImportPath, err)
		}
		one.print(out)
		room, _, _ := strings.Cut(one.name, "/")
		if rooms[room] == nil {
			rooms[room] = &row{name: room}
		}
		rooms[room].add(one)
	}
	fmt.Fprintln(out)
	all := row{name: "all"}
	for _, room := range slices.SortedFunc(mapValues(rooms), func(a, b *row) int { return cmp.Compare(a.name, b.name) }) {
		room.print(out)
		all.add(*room)
	}
	all.print(out)
	if english == "" {
		return nil
	}
	fmt.Fprintln(out)
	for _, room := range slices.SortedFunc(mapValues(rooms), func(a, b *row) int { return cmp.Compare(a.name, b.name) }) {
		said, err := lastLine(english, room.paths)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-12s %s\n", room.name, said)
	}
	return nil
}

func mapValues(rooms map[string]*row) func(yield func(*row) bool) {
	return func(yield func(*row) bool) {
		for _, one := range rooms {
			if !yield(one) {
				return
			}
		}
	}
}

func (r *row) add(one row) {
	r.code, r.tests, r.comments = r.code+one.code, r.tests+one.tests, r.comments+one.comments
	r.files, r.upward, r.references = r.files+one.files, r.upward+one.upward, r.references+one.references
	r.exported += one.exported
	r.paths = append(r.paths, one.paths...)
}

func (r *row) print(out io.Writer) {
	fmt.Fprintf(out, "%-52s %6d %6d %5d %5.1f%% %8d %7.1f%%\n", r.name, r.code, r.tests, r.files, share(r.upward, r.references), r.exported, share(r.comments, r.code))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// list asks go for the packages of this module, and for the export data of all that they import.
func list(patterns []string) (ours []listed, exports map[string]string, err error) {
	exports = map[string]string{}
	wanted, err := golist(append([]string{"-json=ImportPath"}, patterns...))
	if err != nil {
		return nil, nil, err
	}
	all, err := golist(append([]string{"-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Module"}, patterns...))
	if err != nil {
		return nil, nil, err
	}
	for _, one := range all {
		exports[one.ImportPath] = one.Export
		if one.Module != nil && one.Module.Main && slices.ContainsFunc(wanted, func(w listed) bool { return w.ImportPath == one.ImportPath }) {
			ours = append(ours, one)
		}
	}
	slices.SortFunc(ours, func(a, b listed) int { return cmp.Compare(a.ImportPath, b.ImportPath) })
	return ours, exports, nil
}

func golist(args []string) (all []listed, err error) {
	command := exec.Command("go", append([]string{"list"}, args...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
}

// lastLine runs a program on files and returns the last line that it prints.
func lastLine(program string, paths []string) (last string, err error) {
	command := exec.Command(program, paths...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); text != "" {
			last = text
		}
	}
	return last, lines.Err()
}
