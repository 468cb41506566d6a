package host

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestRepositorySurvey(t *testing.T) {
	for _, row := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{}, ""},
		{map[string]string{"go.mod": "module x"}, "go build ./...|build|go.mod go test ./...|test|go.mod go vet ./...|look for mistakes|go.mod"},
		{map[string]string{"Cargo.toml": "x"}, "cargo build|build|Cargo.toml cargo test|test|Cargo.toml"},
		{map[string]string{"pom.xml": "x", "build.gradle": "x", "tox.ini": "x"}, "mvn test|test|pom.xml gradle test|test|build.gradle tox|test|tox.ini"},
		{map[string]string{"CMakeLists.txt": "x", "mix.exs": "x", "Gemfile": "x"}, "cmake -B build && cmake --build build|build|CMakeLists.txt mix test|test|mix.exs bundle exec rake|the usual task|Gemfile"},
		{map[string]string{"pyproject.toml": "[tool.pytest]"}, "python -m pytest|test|pyproject.toml"},
		{map[string]string{"pyproject.toml": "[project]"}, "python -m pip install -e .|install for development|pyproject.toml"},
		{map[string]string{"package.json": `{"scripts":{"test":"a` + "`b" + `","build":"c"}}`}, "npm run build|`c`|package.json npm run test|`a'b`|package.json"},
		{map[string]string{"package.json": `{"scripts":{"t":"x"}}`, "pnpm-lock.yaml": ""}, "pnpm t|`x`|package.json"},
		{map[string]string{"package.json": `{"scripts":{"t":"x"}}`, "yarn.lock": ""}, "yarn t|`x`|package.json"},
		{map[string]string{"package.json": `{"scripts":{"t":"x"}}`, "bun.lockb": ""}, "bun run t|`x`|package.json"},
		{map[string]string{"package.json": `{"scripts":[]}`}, ""},
	} {
		root := fstest.MapFS{}
		for name, text := range row.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		s := survey{root: root}
		s.makefile()
		s.addNodeScripts()
		s.addUsual()
		var all []string
		for _, one := range s.commands {
			all = append(all, one.line+"|"+one.about+"|"+one.from)
		}
		if got := strings.Join(all, " "); got != row.want {
			t.Errorf("%v says %s, want %s", row.files, got, row.want)
		}
	}
	for text, want := range map[string]string{
		"# Title\n\nWhat it is.\nMore": "What it is.", "Title\n===\nx": "Title", "[badge]\n![b](c)\n|a|\n`x`\n*y*\n<p>\n- z\n  first ": "first", "": "Describe the project in one sentence.", "#\n=": "Describe the project in one sentence.",
		strings.Repeat("é", 201): strings.Repeat("é", 200) + "…", strings.Repeat("é", 200): strings.Repeat("é", 200),
	} {
		s := survey{root: fstest.MapFS{"README": &fstest.MapFile{Data: []byte(text)}, "readme.md": &fstest.MapFile{Data: []byte("")}}}
		if got := s.about(); got != want {
			t.Errorf("%q is about %q", text, got)
		}
	}
}
