package accounts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/persistence/settings"
)

func TestPrivateDirectoryRules(t *testing.T) {
	home := t.TempDir()
	real, err := filepath.EvalSymlinks(home)
	if err != nil {
		t.Fatal(err)
	}
	own := []settings.Provider{{Name: "near", URL: "http://127.0.0.1:9/v1"}, {Name: "far", URL: "https://far.example/v1"}}
	for _, row := range []struct {
		home    string
		private []settings.Private
		want    string
	}{
		{home, nil, "[]"},
		{home, []settings.Private{{Dir: "/tmp/a-b-c", To: nil}}, "[{/tmp/a-b-c /tmp/a-b-c []}]"},
		{home, []settings.Private{{Dir: "~/x", To: []string{"groq", "far", "groq"}}, {Dir: "/y", To: []string{"far"}}}, "[{HOME/x ~/x [far groq]} {/y /y [far]}]"},
		{home, []settings.Private{{Dir: "/y", To: []string{"local", "near", "gemini"}}}, "[{/y /y [gemini llamacpp lmstudio near ollama vllm]}]"},
		{"", []settings.Private{{Dir: "~/x"}}, "! \"private:\" in config.yaml names ~/x, but there is no home directory; write the full path"},
		{"", []settings.Private{{Dir: "~x"}}, "[{~x ~x []}]"},
		{home, []settings.Private{{Dir: "~/x", To: []string{"grok"}}}, "or [] (no model)"},
	} {
		rules, err := PrivateRules(clitest.NewWorld(row.home, "", "OPENAI_COMPAT_URL="), settings.Config{Private: row.private, Providers: own})
		got := strings.ReplaceAll(clitest.ValueOrError(rules, err), " <nil>}", "}")
		if want := strings.ReplaceAll(row.want, "HOME", real); got != want && (err == nil || !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "! \"private:\" in config.yaml, ~/x: ")) {
			t.Errorf("%v: %s, want %s", row.private, got, want)
		}
		if err == nil && len(PrivateDirs(rules)) != len(row.private) {
			t.Errorf("the directories are %v", PrivateDirs(rules))
		}
	}
	if dirs := PrivateDirs([]actors.PrivateRule{{Dir: "/a", Said: "x"}, {Dir: "/b"}}); fmt.Sprint(dirs) != "[/a /b]" {
		t.Errorf("%v", dirs)
	}
	if _, err := PrivateRules(clitest.NewWorld(home, ""), settings.Config{Private: []settings.Private{{Dir: "/y"}}, Providers: []settings.Provider{{Name: "near"}}}); err == nil || !strings.HasPrefix(err.Error(), "private: config.yaml: ") {
		t.Errorf("with a provider that cannot be: %v", err)
	}
}
