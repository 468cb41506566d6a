package permissions

import (
	"bytes"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
)

// Shells complete the words, the tools and the beginnings of rules.
func TestPermissionsAreCompleted(t *testing.T) {
	if names := ToolName("").Complete("spotify_a"); len(names) != 2 || names[1].Item != "spotify_add_tracks" {
		t.Errorf("tools: %+v", names)
	}
	for prefix, want := range map[string]string{"": "allow:", "d": "deny:", "ask:write_n": "ask:write_note"} {
		if found := ruleWord("").Complete(prefix); len(found) == 0 || found[0].Item != want {
			t.Errorf("%q: %+v", prefix, found)
		}
	}
}

func TestPermissionsExplain(t *testing.T) {
	for line, want := range map[string][]string{
		"git push --force origin main": {"in a conversation: Marvin asks each time", "--non-interactive: refused", "because overwrites", "- run_command(git push --force origin main)"},
		"go test ./...":                {"in a conversation: Marvin asks, until you answer \"always\"", "--non-interactive: runs\n"},
		"echo \x1b[2J":                 {"[2J"},
		"deploy ${SHOP_MODE}":          {"the command does not get SHOP_MODE; list variables in MARVIN_PASS_ENV"},
	} {
		var out bytes.Buffer
		world := cli.World{Home: t.TempDir(), Dir: t.TempDir(), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Environ: []string{"SHOP_MODE=x"}}
		var asked explainCommand
		asked.Args.Words = []ToolName{ToolName(line)}
		if err := asked.Run(t.Context(), world, cli.Options{}); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%q: no %q in\n%s", line, part, out.String())
			}
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%q reaches the terminal raw", line)
		}
	}
}
