package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/ui/command"
)

// This file drafts AGENTS.md from a repository's files, without a model. On request, Marvin runs
// the build and test commands (survey_try.go) and adds their results to the draft.

// surveyBytes is the maximum size, in bytes, of a file that the survey reads.
const surveyBytes = 256 << 10

type survey struct {
	root     fs.FS
	environ  []string
	commands []surveyedCommand
}

type surveyedCommand struct{ line, about, from string }

// Survey implements [command.Host].
func (h typedWords) Survey(_ context.Context, dir string, tried map[string]string) (command.Survey, error) {
	root, _ := written.RootOf(cmp.Or(dir, h.parts.World.Dir))
	found := command.Survey{Path: filepath.Join(root, "AGENTS.md")}
	open, err := os.OpenRoot(root)
	if err != nil {
		return found, fmt.Errorf("look at the repository: %w", err)
	}
	defer open.Close()
	s := survey{root: open.FS(), environ: h.parts.World.Environ}
	s.makefile()
	s.addNodeScripts()
	s.addUsual()
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s\n\n", filepath.Base(root), s.about())
	out.WriteString("## Commands\n\n")
	if len(s.commands) == 0 {
		out.WriteString("No commands were found in the files of the repository; write down how it is built and tested.\n")
	}
	for _, one := range s.commands {
		became, again := s.describeTrial(one, tried)
		fmt.Fprintf(&out, "- `%s`: %s (%s); %s\n", one.line, one.about, one.from, became)
		if again {
			found.Try = append(found.Try, one.line)
		}
	}
	fmt.Fprintf(&out, "\n## Where things are\n\n%s\n\n## Rules\n\n- Run the tests before you say that something is done.\n", s.places())
	found.Text = out.String()
	return found, nil
}

// read returns the content of a file, or "" if the file is unreadable or too large.
func (s *survey) read(name string) string {
	file, err := s.root.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // opened for reading
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > surveyBytes {
		return ""
	}
	data := make([]byte, surveyBytes)
	n, _ := file.Read(data)
	return tools.Unhidden(strings.ToValidUTF8(string(data[:n]), "�"))
}

func (s *survey) add(line, about, from string) {
	s.commands = append(s.commands, surveyedCommand{line, about, from})
}

var target = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^([A-Za-z][\w.-]*):(?:|[^=\n][^\n]*?(?:##\s*(.+))?)$`)
})

// makefile adds the targets of the Makefile, with their ## descriptions.
func (s *survey) makefile() {
	for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
		text := s.read(name)
		for _, found := range target().FindAllStringSubmatch(text, 20) {
			s.add("make "+found[1], cmp.Or(strings.TrimSpace(found[2]), "target"), name)
		}
		if text != "" {
			return
		}
	}
}

// addNodeScripts adds the scripts from package.json. The commands use the package manager whose
// lock file exists, or else npm.
func (s *survey) addNodeScripts() {
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(s.read("package.json")), &manifest) != nil {
		return
	}
	runner := "npm run "
	for lock, name := range map[string]string{"pnpm-lock.yaml": "pnpm ", "yarn.lock": "yarn ", "bun.lockb": "bun run "} {
		if _, err := fs.Stat(s.root, lock); err == nil {
			runner = name
		}
	}
	names := slices.Sorted(maps.Keys(manifest.Scripts))
	for _, name := range names[:min(len(names), 20)] {
		s.add(runner+name, "`"+strings.ReplaceAll(firstOf(manifest.Scripts[name]), "`", "'")+"`", "package.json")
	}
}

// addUsual adds the usual commands for build files such as go.mod.
func (s *survey) addUsual() {
	for _, one := range []struct{ file, line, about string }{
		{"go.mod", "go build ./...", "build"},
		{"go.mod", "go test ./...", "test"},
		{"go.mod", "go vet ./...", "look for mistakes"},
		{"Cargo.toml", "cargo build", "build"},
		{"Cargo.toml", "cargo test", "test"},
		{"pom.xml", "mvn test", "test"},
		{"build.gradle", "gradle test", "test"},
		{"CMakeLists.txt", "cmake -B build && cmake --build build", "build"},
		{"mix.exs", "mix test", "test"},
		{"Gemfile", "bundle exec rake", "the usual task"},
		{"tox.ini", "tox", "test"},
	} {
		if s.read(one.file) != "" {
			s.add(one.line, one.about, one.file)
		}
	}
	if project := s.read("pyproject.toml"); strings.Contains(project, "pytest") {
		s.add("python -m pytest", "test", "pyproject.toml")
	} else if project != "" {
		s.add("python -m pip install -e .", "install for development", "pyproject.toml")
	}
}

// describeTrial returns the result of a command's trial run, or the reason why Marvin did not run
// the command. If Marvin can run the command, runnable is true.
func (s *survey) describeTrial(one surveyedCommand, tried map[string]string) (became string, runnable bool) {
	program, _, _ := strings.Cut(one.line, " ")
	if _, err := tools.Program(program, s.environ); err != nil {
		return "not tried: " + program + " is not installed here", false
	}
	if !triable(one) {
		return "not tried, because it may do more than build and test", false
	}
	return cmp.Or(tried[one.line], "not tried: you did not ask for it"), true
}

func (s *survey) about() string {
	for _, name := range []string{"README.md", "README", "README.rst", "readme.md"} {
		for line := range strings.Lines(s.read(name)) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.ContainsAny(line[:1], "#=-<![|*`") {
				return firstOf(line)
			}
		}
	}
	return "Describe the project in one sentence."
}

func firstOf(text string) string {
	if runes := []rune(text); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return text
}

// places returns the names of the top-level directories as a Markdown list.
func (s *survey) places() string {
	entries, _ := fs.ReadDir(s.root, ".")
	var lines []string
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && len(lines) < 20 {
			lines = append(lines, "- `"+tools.Visible(entry.Name())+"/`")
		}
	}
	if len(lines) == 0 {
		return "Everything is at the top."
	}
	return strings.Join(lines, "\n")
}
