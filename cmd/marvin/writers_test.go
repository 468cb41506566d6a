package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// makers lists the calls that make or change a file without persistence and the box.
var makers = map[string][]string{
	"os":                    {"WriteFile", "Create", "CreateTemp", "OpenFile", "Rename", "Truncate", "Link", "Symlink"},
	"io/ioutil":             {"WriteFile", "TempFile"},
	"golang.org/x/sys/unix": {"Open", "Openat", "Rename", "Renameat", "Ftruncate", "Truncate"},
	"syscall":               {"Open", "Rename", "Truncate"},
}

// writers lists the files outside persistence and tools/internal/box that make other files, each
// with the reason why neither can be used. None of them makes a document of Marvin.
var writers = map[string]string{
	"cmd/marvin/internal/cli/sessions/import.go": "opens a log for reading only, without waiting on a pipe",
	"tools/schedule/open.go":                     "it opens the null device",
	"cmd/marvin/internal/cli/memory/facts.go":    "an export is a new file that the user names; an existing one is never replaced",
	"cmd/marvin/internal/facts/command.go":       "a line is appended to AGENTS.md below os.Root, after the user saw it",
	"cmd/marvin/internal/live/spawn_unix.go":     "the output of a started session goes to a private log",
	"persistence/oldplace/move.go":               "it moves directories of older versions, before any store is open",
	"persistence/oldplace/places.go":             "it moves directories of older versions, before any store is open",
	"persistence/projectdir/projectdir.go":       "it writes .gitignore once, when it makes the directory",
	"tools/external/home.go":                     "a copy of a login file in a home that lives as long as one agent of others",
	"tools/schedule/deliver.go":                  "results are appended to the file that the user named",
	"tools/shell/background.go":                  "a line in the log of a job, which tools/internal/proc made",
	"cmd/marvin/internal/batch/results.go":       "results are appended for another program, a line in a write, and repaired by the next run",
	"cmd/marvin/internal/editor/editor.go":       "what a person edits stands in a directory of its own for as long as the editor runs",
	"cmd/marvin/internal/cli/dirs.go":            "an export is a new file that the person names; what is there is never replaced",
	"cmd/marvin/internal/host/pictures.go":       "a picture that is pasted is a new file each time, and goes after a week",
	"cmd/marvin/internal/cli/doctor/report.go":   "a report is a new archive that the person names; what is there is never replaced",
	"tools/downloads/file.go":                    "a download streams into a part file below os.Root and is renamed when it is whole",
	"persistence/words/read.go":                  "reads only, but must not wait where a pipe stands in the place of a file",
	"tools/internal/keys/keys.go":                "reads, but must not wait where a pipe stands in the place of a key file",
	"tools/internal/browser/firefox.go":          "the settings of a browser profile that lives for one page",
	"cmd/marvin/internal/cli/clitest/clitest.go": "a file that a test of a command begins with is no document",
	"persistence/goldentest/golden.go":           "what a test is held against is no document",
	"persistence/disktest/program.go":            "a program that a test runs is no document",
	"tools/internal/toolstest/local.go":          "a file that a talk puts there for a test is no document",
	"tools/wiki/shelf.go":                        "articles are the person's to keep, written beside and renamed; they can be fetched again",
	"tools/mcp/mcptest/reach.go":                 "a server that is played for tests writes where it may not",
	"tools/mcp/mcptest/play.go":                  "a server that is played for tests notes that it ran",
	"tools/language/languagetest/play.go":        "a server that is played for tests notes that it ran",
	"providers/copilot/copilottest/world.go":     "a home of a test has a link, and no document",
}

// isStore reports whether a file belongs to a package that stores documents of the user.
func isStore(path string) bool {
	others := []string{"disktest", "goldentest", "memory", "oldplace", "projectdir", "schedules", "words"}
	return strings.HasPrefix(path, "persistence/") && !slices.Contains(others, strings.Split(path, "/")[1])
}

func TestDocumentsHaveOneWriter(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if isStore(path) || strings.HasPrefix(path, "tools/internal/box/") ||
			strings.Contains(path, "/testdata/") || strings.HasPrefix(path, "tools/internal/jail/") || strings.Contains(path, "/generate/") {
			return
		}
		imported := map[string]string{}
		for _, spec := range file.Imports {
			from := strings.Trim(spec.Path.Value, `"`)
			imported[from[strings.LastIndexByte(from, '/')+1:]] = from
		}
		ast.Inspect(file, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name := selector.Sel.Name
			inRoot := name == "OpenFile" || name == "WriteFile" // of an os.Root
			if pkg, ok := selector.X.(*ast.Ident); !inRoot && (!ok || !slices.Contains(makers[imported[pkg.Name]], name)) {
				return true
			}
			used[path] = true
			if writers[path] == "" {
				t.Errorf("%s: %s writes past persistence and the box; use them, or give a reason", set.Position(selector.Pos()), name)
			}
			return true
		})
	})
	for path := range writers {
		if !used[path] {
			t.Errorf("%s writes nothing any more; take it off the list", path)
		}
	}
}
