package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChangedSettingsOfOtherProgramsAreReported(t *testing.T) {
	env, _ := lonely(t)
	for _, row := range []struct{ line, told string }{
		{"mkdir -p .vscode && echo {} > .vscode/tasks.json", ".vscode/tasks.json"},
		{"python3 -c 'open(\".mcp.json\", \"w\").write(\"{}\")'", ".mcp.json"},
		{"mkdir .husky && echo x > .husky/pre-commit && chmod +x .husky/pre-commit", ".husky/pre-commit"},
		{"mkdir -p .github/hooks; echo x > .github/hooks/x.json", ".github/hooks/x.json"},
		{"sed -i s/{}/[]/ .mcp.json", ".mcp.json"},
		{"rm .vscode/tasks.json", ".vscode/tasks.json"},
		{"echo x > main.go; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml; cat .mcp.json", ""},
	} {
		said, err := do(t, env, "run_command", `{"command":`+quoted(row.line)+`}`)
		if err != nil || said.Exit != 0 {
			t.Fatalf("%s: %v: %s", row.line, err, said.Text)
		}
		for _, text := range []string{said.Text, said.Alarm} {
			if told := strings.Contains(text, "changed files that make other programs run commands"); told != (row.told != "") || !strings.Contains(text, row.told) {
				t.Errorf("%s: told is %q", row.line, text)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(env.Dir, ".husky/pre-commit")); err != nil {
		t.Error(err)
	}
}
