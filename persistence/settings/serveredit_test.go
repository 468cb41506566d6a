package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

const userConfig = `# mine
theme: dark   # at night

mcp:
  # the one from work
  git-hub: {command: [npx, -y, some-server], env: {TOKEN: $TOKEN}}
  far:
    url: https://example.com/mcp
    headers:
      Authorization: Bearer $KEY   # from the keyring
    enabled: false
notify: bell
`

func text(t *testing.T, home *store.Home) string {
	t.Helper()
	data, err := os.ReadFile(home.Path("config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestServersAreReadAsTheyAreDocumented(t *testing.T) {
	config, err := Read(storetest.Configured(t, userConfig))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Server{
		"git-hub": {Command: []string{"npx", "-y", "some-server"}, Env: map[string]string{"TOKEN": "$TOKEN"}},
		"far":     {URL: "https://example.com/mcp", Headers: map[string]string{"Authorization": "Bearer $KEY"}, Off: true},
	}
	if !reflect.DeepEqual(config.Servers, want) {
		t.Errorf("%+v", config.Servers)
	}
	for _, wrong := range []string{"mcp: {a: {}}", "mcp: {a: }", "mcp: {a: {command: npx x}}", "mcp: {a: {url: ftp://x}}", "mcp: {'a b': {command: [x]}}", "mcp: {a: {command: [x], url: 'http://x'}}", "mcp: {a: {command: [x], timeout: 1}}", "mcp: {a: {comand: [x]}}"} {
		if config, err := Read(storetest.Configured(t, wrong)); err == nil || len(config.Servers) > 0 {
			t.Errorf("%s: %v, %+v", wrong, err, config.Servers)
		}
	}
}

func TestAServerIsOneLineAndEveryOtherStays(t *testing.T) {
	home := storetest.Configured(t, userConfig)
	added := Server{Command: []string{"uvx", "it's: #odd"}, Env: map[string]string{"A": "x, y}"}, Reads: []string{"*"}, Timeout: time.Minute, Free: true}
	if err := ServersOf(home).Set("new_one", added); err != nil {
		t.Fatal(err)
	}
	now := text(t, home)
	lines := strings.Split(now, "\n")
	if len(lines) != len(strings.Split(userConfig, "\n"))+1 || strings.ReplaceAll(now, lines[4]+"\n", "") != userConfig {
		t.Errorf("more than one line is new:\n%s", now)
	}
	config, err := Read(home)
	if err != nil || !reflect.DeepEqual(config.Servers["new_one"], added) {
		t.Errorf("it reads as %+v: %v", config.Servers["new_one"], err)
	}
	far := config.Servers["far"]
	far.Off = false
	if err := ServersOf(home).Set("far", far); err != nil {
		t.Fatal(err)
	}
	if err := ServersOf(home).Remove("new_one"); err != nil {
		t.Fatal(err)
	}
	if err := ServersOf(home).Remove("new_one"); err == nil {
		t.Error("a missing entry was removed")
	}
	config, err = Read(home)
	if err != nil || len(config.Servers) != 2 || config.Servers["far"].Off || config.Theme != "dark" || config.Notify != "bell" || !strings.Contains(text(t, home), "# the one from work") {
		t.Errorf("%+v: %v\n%s", config, err, text(t, home))
	}
	for _, name := range []string{"far", "git-hub"} {
		if err := ServersOf(home).Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if got := text(t, home); strings.Contains(got, "mcp") || !strings.Contains(got, "theme: dark   # at night") {
		t.Errorf("the rest is %q", got)
	}
}

func TestAServerIsWrittenIntoAnyConfiguration(t *testing.T) {
	for _, before := range []string{"", "theme: dark", "mcp:\n", "mcp: # none yet\ntheme: dark\n", "theme: dark\r\nmcp:\r\n  a: {command: [x]}\r\n"} {
		home := storetest.Configured(t, before)
		if err := ServersOf(home).Set("b", Server{URL: "http://127.0.0.1:1/mcp"}); err != nil {
			t.Errorf("%q: %v", before, err)
			continue
		}
		if config, err := Read(home); err != nil || config.Servers["b"].URL == "" {
			t.Errorf("%q: %+v, %v", before, config.Servers, err)
		}
	}
	home := storetest.Configured(t, "mcp: {a: {command: [x]}}\n")
	if err := ServersOf(home).Set("b", Server{Command: []string{"y"}}); err == nil {
		t.Error("a mapping on one line was edited")
	}
	if err := ServersOf(home).Set("b", Server{}); err == nil || !strings.Contains(err.Error(), "needs either \"command\" or \"url\"") {
		t.Errorf("a server that is none: %v", err)
	}
	empty := store.Open(filepath.Join(t.TempDir(), "new"), time.Now)
	if err := os.MkdirAll(empty.User, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ServersOf(empty).Set("b", Server{Command: []string{"y"}}); err != nil {
		t.Error(err)
	}
}
