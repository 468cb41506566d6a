package main

import (
	"os"
	"path/filepath"
	"testing"

	"marvin/cmd/marvin/internal/workfiles"
)

func TestTestsRunAsTheFilesOfTheProjectSay(t *testing.T) {
	for _, test := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"go.mod": "module x"}, "go test ./..."},
		{map[string]string{"go.mod": "module x", "Makefile": "all:\n\ntest:\n\tgo test"}, "make test"},
		{map[string]string{"go.mod": "module x", "Makefile": "build:\n"}, "go test ./..."},
		{map[string]string{"package.json": "{}"}, "npm test"},
		{map[string]string{"package.json": "{}", "pnpm-lock.yaml": ""}, "pnpm test"},
		{map[string]string{"package.json": "{}", "yarn.lock": ""}, "yarn test"},
		{map[string]string{"pyproject.toml": "[project]"}, "pytest"},
		{map[string]string{"test_money.py": "import unittest"}, "python3 -m unittest discover"},
		{map[string]string{"tests/test_money.py": "import unittest", "requirements.txt": "pytest"}, "pytest"},
		{map[string]string{"build.gradle": "", "gradlew": ""}, "./gradlew test"},
		{map[string]string{"pom.xml": ""}, "mvn test"},
		{map[string]string{"mix.exs": ""}, "mix test"},
		{map[string]string{"Gemfile": "", "Rakefile": "Rake::TestTask.new(:test)"}, "bundle exec rake test"},
		{map[string]string{"Shop.sln": ""}, "dotnet test"},
		{map[string]string{"notes.txt": ""}, ""},
	} {
		dir := t.TempDir()
		for name, content := range test.files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := workfiles.TestCommand(dir); got != test.want {
			t.Errorf("%v: %q, want %q", test.files, got, test.want)
		}
	}
}
