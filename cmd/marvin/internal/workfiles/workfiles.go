// Package workfiles inspects a project's files for the built-in assistant: which files exist, and
// how the tests are run.
package workfiles

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// runner is the test command of projects that contain a certain file.
type runner struct {
	file string
	line string
	says string // text that the file must contain, or "" if the file's name is enough
}

// runners lists the test commands in order of preference. Makefile, justfile and Taskfile.yml come
// first, because the test targets in these files were written for the project.
var runners = []runner{
	{"Makefile", "make test", "\ntest:"},
	{"justfile", "just test", "\ntest"},
	{"Taskfile.yml", "task test", "\n  test:"},
	{"go.mod", "go test ./...", ""},
	{"Cargo.toml", "cargo test", ""},
	{"pnpm-lock.yaml", "pnpm test", ""},
	{"yarn.lock", "yarn test", ""},
	{"bun.lockb", "bun test", ""},
	{"bun.lock", "bun test", ""},
	{"deno.json", "deno test", ""},
	{"package.json", "npm test", ""},
	{"pytest.ini", "pytest", ""},
	{"conftest.py", "pytest", ""},
	{"tox.ini", "tox", ""},
	{"mix.exs", "mix test", ""},
	{"build.gradle", "gradle test", ""},
	{"build.gradle.kts", "gradle test", ""},
	{"pom.xml", "mvn test", ""},
	{"Rakefile", "bundle exec rake test", "test"},
	{".rspec", "bundle exec rspec", ""},
	{"Gemfile", "bundle exec rake test", ""},
	{"composer.json", "composer test", ""},
	{"pubspec.yaml", "dart test", ""},
	{"build.sbt", "sbt test", ""},
	{"deps.edn", "clojure -X:test", ""},
	{"project.clj", "lein test", ""},
	{"stack.yaml", "stack test", ""},
	{"dune-project", "dune test", ""},
	{"Package.swift", "swift test", ""},
	{"build.zig", "zig build test", ""},
	{"*.cabal", "cabal test", ""},
	{"*.sln", "dotnet test", ""},
	{"*.csproj", "dotnet test", ""},
	{"*.fsproj", "dotnet test", ""},
	{"CMakeLists.txt", "ctest --test-dir build", ""},
	{"meson.build", "meson test -C build", ""},
}

var wrappers = map[string]string{"gradle": "gradlew", "mvn": "mvnw"}

// TestCommand returns the test command of the project in dir, or "" if the command is unknown.
func TestCommand(dir string) string {
	root, err := os.OpenRoot(dir)
	if dir == "" || err != nil {
		return ""
	}
	defer root.Close()
	names := entries(root)
	for _, way := range runners {
		if !way.matches(root, names) {
			continue
		}
		program, rest, _ := strings.Cut(way.line, " ")
		if wrapper := wrappers[program]; slices.Contains(names, wrapper) {
			return "./" + wrapper + " " + rest
		}
		return way.line
	}
	return python(root, names)
}

func (r runner) matches(root *os.Root, names []string) bool {
	found := slices.ContainsFunc(names, func(name string) bool {
		matches, err := path.Match(r.file, name)
		return err == nil && matches
	})
	if !found || r.says == "" {
		return found
	}
	content, err := root.ReadFile(r.file)
	return err == nil && bytes.Contains(append([]byte("\n"), content...), []byte(r.says))
}

// python returns the test command of a Python project, or "" for other directories. A project file
// that mentions pytest takes precedence over a test file that mentions unittest.
func python(root *os.Root, names []string) string {
	isProject := false
	for _, name := range []string{"pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "requirements-dev.txt", "Pipfile"} {
		if !slices.Contains(names, name) {
			continue
		}
		isProject = true
		if content, err := root.ReadFile(name); err == nil && bytes.Contains(content, []byte("pytest")) {
			return "pytest"
		}
	}
	tests, _ := filepath.Glob(filepath.Join(root.Name(), "test*", "*.py"))
	beside, _ := filepath.Glob(filepath.Join(root.Name(), "test_*.py"))
	for _, file := range append(tests, beside...) {
		name, err := filepath.Rel(root.Name(), file)
		if err != nil {
			continue
		}
		content, err := root.ReadFile(name)
		if err == nil && bytes.Contains(content, []byte("unittest")) {
			return "python3 -m unittest discover"
		}
	}
	if isProject || len(tests)+len(beside) > 0 {
		return "pytest"
	}
	return ""
}

// mostNames is the maximum number of names that are read from a directory.
const mostNames = 200

func entries(root *os.Root) []string {
	dir, err := root.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostNames)
	slices.Sort(names)
	return names
}

// Files returns the names of at most 40 non-hidden regular files in dir. Names with an extension
// come first.
func Files(dir string) []string {
	root, err := os.OpenRoot(dir)
	if dir == "" || err != nil {
		return nil
	}
	defer root.Close()
	const most = 40
	var files []string
	for _, name := range entries(root) {
		if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() && name[0] != '.' {
			files = append(files, name)
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return min(len(path.Ext(b)), 1) - min(len(path.Ext(a)), 1) })
	return files[:min(len(files), most)]
}

// Has reports whether name exists in dir. A broken symbolic link counts as existing. For a name
// outside dir, Has returns true; the tools check such names.
func Has(dir, name string) bool {
	root, err := os.OpenRoot(dir)
	if dir == "" || err != nil || !filepath.IsLocal(name) {
		return true
	}
	defer root.Close()
	_, err = root.Lstat(name)
	return err == nil
}
