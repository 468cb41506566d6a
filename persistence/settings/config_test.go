package settings

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestConfig(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	for _, empty := range []string{"", "# hosts:\n", "hosts:\nprices:\n"} {
		storetest.Put(t, h.Path("config.yaml"), empty)
		if got, err := Read(h); err != nil || len(got.Hosts)+len(got.Prices) != 0 {
			t.Errorf("%q: %+v, %v", empty, got, err)
		}
	}
	storetest.Put(t, h.Path("config.yaml"), `# mine
hosts:
  Nominatim.openstreetmap.org: http://localhost:8080/nominatim
prices:
  qwen3-coder:30b: {input: 0, output: 1e-1}
  gpt-5.2:
    input: 2.50
    output: "10"
    cached: 0.25
context:
  compact: 150_000
  manual: true
ollama: {num_ctx: 65536}
keys:
  send: Ctrl-S
  find: [Ctrl-F, F3]
  mouse: []
  redraw:
theme: light
editing: Vim
images: Sixel
notify: OFF
contact: me@example.org
sandbox: strict
sandbox_read: [~/.aws, /srv/keys, $SSH_AUTH_SOCK]
pass_env: [NPM_TOKEN, MYAPP_*]
permissions:
  allow: ["run_command(go test *)"]
  deny:
    - run_command(git push *)
    - download_file
`)
	got, err := Read(h)
	storetest.Must(t, err)
	cached := 0.25
	want := Config{
		Hosts:   map[string]string{"nominatim.openstreetmap.org": "http://localhost:8080/nominatim"},
		Prices:  map[string]Price{"qwen3-coder:30b": {Output: 0.1}, "gpt-5.2": {Input: 2.5, Output: 10, Cached: &cached}},
		Context: Context{Compact: 150_000, Manual: true},
		NumCtx:  65536,
		Typing:  Typing{Keys: map[string][]string{"send": {"Ctrl-S"}, "find": {"Ctrl-F", "F3"}, "mouse": {}, "redraw": nil}, Editing: "vim"},
		Looks:   Looks{Theme: "light", Images: "sixel"}, Notify: "off", Contact: "me@example.org",
		Sandbox:     "strict",
		SandboxRead: []string{"~/.aws", "/srv/keys", "$SSH_AUTH_SOCK"},
		PassEnv:     []string{"NPM_TOKEN", "MYAPP_*"},
		Permissions: Permissions{Allow: []string{"run_command(go test *)"}, Deny: []string{"run_command(git push *)", "download_file"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestBrokenConfigNamesFileLineAndNextStep(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	path := h.Path("config.yaml")
	for content, want := range map[string]string{
		"host:\n  a: http://x\n":                  `:1: there is no setting "host" (did you mean "hosts"?); correct or remove this line`,
		"colour: red\n":                           `:1: there is no setting "colour" (did you mean "colours"?); correct or remove this line`,
		"prices:\n  m:\n    inptu: 3\n":           `:3: there is no setting "inptu" (did you mean "input"?); correct or remove this line`,
		"# c\nhosts:\n  a: localhost\n":           `:3: "localhost" is not a URL such as http://localhost:8080; correct this line`,
		"hosts:\n  a: ftp://x\n":                  `:2: "ftp://x" is not a URL such as http://localhost:8080; correct this line`,
		"prices:\n  m: {input: 1, output: -1}\n":  `:2: "-1" is not a price in US dollars per million tokens, such as 0.8; correct this line`,
		"prices:\n  m: {input: NaN, output: 1}\n": `:2: "NaN" is not a price in US dollars per million tokens, such as 0.8; correct this line`,
		"context:\n  warn: soon\n":                `:2: "soon" is too small or not a number; give at least 1000 tokens, such as 180000; correct this line`,
		"ollama:\n  num_ctx: some\n":              `:2: "some" is too small or not a number; give at least 1000 tokens, such as 180000; correct this line`,
		"context:\n  wran: 5000\n":                `:2: there is no setting "wran" (did you mean "warn"?); correct or remove this line`,
		"prices:\n  m: {input: 1}\n":              `:2: a price needs "input" and "output"; correct this line`,
		"prices:\n  m:\n":                         `: the price of "m" needs "input" and "output"; add both, or remove the price`,
		"hosts:\n  a: http://x\nhosts:\n  b: 1\n": `:3: mapping key "hosts" already defined at [1:1]; correct this line`,
		"permissions:\n  allowed: [x]\n":          `:2: there is no setting "allowed" (did you mean "allow"?); correct or remove this line`,
		"permissions:\n  deny: x\n":               `:2: rules must be a list such as [run_command(git push *)]; correct this line`,
		"permissions: [x]\n":                      `:1: sequence was used where mapping is expected; correct this line`,
		"pass_env: [A, 'B,C']\n":                  `:1: variables must be a list such as [NPM_TOKEN, MYAPP_*]; correct this line`,
		"pass_env: {a: b}\n":                      `:1: variables must be a list such as [NPM_TOKEN, MYAPP_*]; correct this line`,
		"sandbox_read: [~/]\n":                    `:1: "sandbox_read" must be a list such as [~/.aws, /srv/keys, $SSH_AUTH_SOCK]; correct this line`,
		"sandbox_read: ['~/../..']\n":             `:1: "sandbox_read" must be a list such as [~/.aws, /srv/keys, $SSH_AUTH_SOCK]; correct this line`,
		"sandbox_read: [.aws]\n":                  `:1: "sandbox_read" must be a list such as [~/.aws, /srv/keys, $SSH_AUTH_SOCK]; correct this line`,
		"sandbox_read: [$HOME]\n":                 `:1: "sandbox_read" must be a list such as [~/.aws, /srv/keys, $SSH_AUTH_SOCK]; correct this line`,
		"sandbox: on\n":                           `:1: "on" is not one of off, workspace, strict; correct this line`,
		"contact: nobody\n":                       `:1: "nobody" is not a contact; give an e-mail address or a web page, such as me@example.org; correct this line`,
		"theme: ../red\n":                         `:1: "../red" is not the name of a theme, such as dark or nord; /theme lists them; correct this line`,
		"keys:\n  send: {a: b}\n":                 `:2: a key must be a name such as Ctrl-P, or a list of names; correct this line`,
		"hosts: [a]\n":                            `:1: sequence was used where mapping is expected; correct this line`,
		"hosts:\n\ta: b\n":                        `:2: found character '	' that cannot start any token; correct this line`,
		"hosts: {\n":                              `:1: could not find flow mapping end token '}'; correct this line`,
		"x: " + strings.Repeat("[", 20_000):       `: line 1 is nested more than 32 levels deep, deeper than any setting; correct this line`,
		strings.Repeat("- ", 20_000) + "x":        `: line 1 is nested more than 32 levels deep, deeper than any setting; correct this line`,
		strings.Repeat(" ", 20_000) + "x: y":      `: line 1 is nested more than 32 levels deep, deeper than any setting; correct this line`,
		"perm\x00:":                               `: it is not text in UTF-8; save it as UTF-8`,
		"perm\xe9: x":                             `: it is not text in UTF-8; save it as UTF-8`,
		strings.Repeat("\x00", 50):                `: it is not text in UTF-8; save it as UTF-8`,
	} {
		storetest.Put(t, path, content)
		got, err := Read(h)
		if err == nil || err.Error() != path+want {
			t.Errorf("%q: %v", content, err)
		}
		if len(got.Hosts)+len(got.Prices)+len(got.Keys)+len(got.Permissions.Deny) > 0 {
			t.Errorf("%q gives %+v", content, got)
		}
	}
}

// An unknown setting is reported, and the other settings apply, unless the unknown setting may
// restrict Marvin.
func TestAnUnknownSettingIsNamedOrEndsTheStart(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	for content, ends := range map[string]bool{
		"hosts:\n  a: http://x\ncolour: red\n": false, "hosts:\n  a: http://x\nthme: dark\nfoo: [1]\n": false,
		"permission:\n  deny: [x]\n": true, "Permissions:\n  deny: [x]\n": true, "permisions:\n": true, "perms: {deny: [x]}\n": true,
		"sandox: strict\n": true, "sand-box: strict\n": true, "aprove: ask\n": true, "pass-env: [A]\n": true, "passenv: [A]\n": true,
		"deny: [run_command]\n": true, "denny: [x]\n": true, "allowed: [x]\n": true, "ask: [x]\n": true, "privat: [x]\n": true,
		"thme: dark\nsandbox: strict\n": true,
	} {
		storetest.Put(t, h.Path("config.yaml"), content)
		got, err := Read(h)
		if errors.As(err, new(*GuardsError)) != ends || err == nil || !strings.Contains(err.Error(), "there is no setting") {
			t.Errorf("%q: %v", content, err)
		}
		if (got.Hosts["a"] == "http://x") == ends {
			t.Errorf("%q gives %+v", content, got)
		}
	}
}

// Anything unreadable at the place of the file may restrict Marvin, so it is an error. Reading
// never blocks.
func TestUnreadableSettingsStopTheStart(t *testing.T) {
	rule := "permissions:\n  deny: ['run_command(touch *)']\n"
	for name, make := range map[string]func(path string) error{
		"too large":   func(path string) error { return os.WriteFile(path, []byte(rule+strings.Repeat("# x\n", 1<<18)), 0o600) },
		"unreadable":  func(path string) error { return os.WriteFile(path, []byte(rule), 0) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":    func(path string) error { return os.Symlink("/dev/zero", path) },
		"a loop":      func(path string) error { return os.Symlink(path, path) },
	} {
		if name == "unreadable" && os.Geteuid() == 0 {
			continue // root reads it
		}
		h := store.Open(t.TempDir(), storetest.Now)
		storetest.Must(t, os.MkdirAll(h.State, 0o700))
		storetest.Must(t, make(h.Path("config.yaml")))
		if _, err := Read(h); !errors.As(err, new(*GuardsError)) || !strings.Contains(err.Error(), h.Path("config.yaml")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h := store.Open(t.TempDir(), storetest.Now)
	if got, err := Read(h); err != nil || !reflect.DeepEqual(got, Config{}) {
		t.Errorf("no file: %+v, %v", got, err)
	}
}

// Windows editors write a byte order mark before the first key, or UTF-16.
func TestAConfigurationOfAWindowsEditorHolds(t *testing.T) {
	rule := "permissions:\n  deny: ['run_command(touch *)']\n"
	wide := ""
	for _, char := range rule {
		wide += string(char) + "\x00"
	}
	for _, content := range []string{rule, "\ufeff" + rule, "\xff\xfe" + wide, wide} {
		h := store.Open(t.TempDir(), storetest.Now)
		storetest.Put(t, h.Path("config.yaml"), content)
		if got, err := Read(h); err != nil || len(got.Permissions.Deny) != 1 {
			t.Errorf("%q: %+v, %v", content, got.Permissions, err)
		}
		if err := (File{h}).Set("theme", "light"); err != nil {
			t.Errorf("%q: %v", content, err)
		}
		if got, err := Read(h); err != nil || len(got.Permissions.Deny) != 1 || got.Looks.Theme != "light" {
			t.Errorf("%q: %+v, %v", content, got, err)
		}
	}
}

func TestAKeyThatIsNoTextMakesNoRuleVoid(t *testing.T) {
	for _, key := range []string{"1", "true", "null", "2.5"} {
		config, _, err := parseConfig("config.yaml", []byte("permissions:\n  "+key+": x\n  deny: [run_command]\n"))
		if err == nil || !strings.Contains(err.Error(), "config.yaml:2: "+key+" is not a name") {
			t.Errorf("%s: %v, %+v", key, err, config.Permissions)
		}
	}
}

func TestAConfigurationThatWentAwayEndsTheStart(t *testing.T) {
	for what, row := range map[string]struct {
		make func(home string) error
		ends bool
	}{
		"a link to nothing": {func(home string) error {
			return os.Symlink("../gone/config.yaml", filepath.Join(home, ".config/marvin/config.yaml"))
		}, true},
		"a link to a link to nothing": {func(home string) error {
			return errors.Join(os.Symlink("/none/x", filepath.Join(home, "dots")), os.Symlink("../../dots", filepath.Join(home, ".config/marvin/config.yaml")))
		}, true},
		"a directory that is a link to nothing": {func(home string) error {
			return errors.Join(os.Remove(filepath.Join(home, ".config/marvin")), os.Symlink("/none", filepath.Join(home, ".config/marvin")))
		}, true},
		"a directory above that is a link to nothing": {func(home string) error {
			return errors.Join(os.RemoveAll(filepath.Join(home, ".config")), os.Symlink("/none", filepath.Join(home, ".config")))
		}, true},
		"a file in the place of the directory": {func(home string) error {
			return errors.Join(os.Remove(filepath.Join(home, ".config/marvin")), os.WriteFile(filepath.Join(home, ".config/marvin"), nil, 0o600))
		}, true},
		"none":              {func(string) error { return nil }, false},
		"no directory":      {func(home string) error { return os.RemoveAll(filepath.Join(home, ".config")) }, false},
		"no home directory": {func(home string) error { return errors.Join(os.RemoveAll(home), os.WriteFile(home, nil, 0o600)) }, false},
	} {
		home := filepath.Join(t.TempDir(), "home")
		if err := errors.Join(os.MkdirAll(filepath.Join(home, ".config/marvin"), 0o700), row.make(home)); err != nil {
			t.Fatal(err)
		}
		_, err := Read(store.Open(home, time.Now))
		if ends := errors.As(err, new(*GuardsError)); ends != row.ends || !ends && err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
