package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// longConfig has a setting of each kind.
const longConfig = `hosts: {nominatim.openstreetmap.org: "http://localhost:8080"}
prices:
  m1: {input: 0.8, output: 4, cached: 0.1}
context: {warn: 100000, compact: 120000, manual: true}
keys: {quit: [Ctrl-Q], history: null}
pass_env: [MYAPP_*]
permissions: {allow: ["run_command(git status)"], deny: [delete_file]}
providers:
  mine: {wire: chat, url: "https://host/v1", key: $MINE_KEY, headers: {X-Title: mine}, body: {temperature: 0.2, options: {top_k: 20}}, models: {m1: {window: 200000, sees: true, price: {in: 1, out: 2}}}}
roles: {default: [mine/m1], small: mine/m1}
hooks:
  tool.execute.before:
    - {match: "run_command|apply_patch", run: [./check.sh], timeout: 5s}
private: {~/private: [ollama]}
languages: {go: {command: [gopls], files: ["*.go"]}}
mcp:
  files: {command: [npx, -y, server, .], env: {TOKEN: $TOKEN}, reads: ["*"], timeout: 2m}
  far: {url: "https://example.com/mcp", headers: {Authorization: Bearer canary-key}, enabled: false}
`

func TestAConfigurationIsUnderstoodOnce(t *testing.T) {
	t.Parallel()
	h := store.Open(t.TempDir(), nil)
	path := h.Path("config.yaml")
	storetest.Put(t, path, longConfig)
	first, err := Read(h)
	storetest.Must(t, err)
	again, known := configMemo{h}.read([]byte(longConfig))
	if !known || !reflect.DeepEqual(first, again) {
		t.Fatalf("what it was understood as is not what is kept (%v):\n%+v\n%+v", known, first, again)
	}
	// For the same bytes, the cached configuration is used.
	other := first
	other.Theme = "nord"
	configMemo{h}.keep([]byte(longConfig), other)
	if now, err := Read(h); err != nil || now.Theme != "nord" {
		t.Errorf("it was read again: %q, %v", now.Theme, err)
	}
	// The cache is not used for other bytes of the same length.
	storetest.Put(t, path, strings.Replace(longConfig, "delete_file", "create_file", 1))
	if now, err := Read(h); err != nil || now.Theme != "" || now.Permissions.Deny[0] != "create_file" {
		t.Errorf("what was kept of another file holds: %+v, %v", now, err)
	}
}

func TestADamagedMemoOfTheConfigurationIsNotBelieved(t *testing.T) {
	t.Parallel()
	h := store.Open(t.TempDir(), nil)
	storetest.Put(t, h.Path("config.yaml"), longConfig)
	want, err := Read(h)
	storetest.Must(t, err)
	kept, err := os.ReadFile(configMemo{h}.path())
	storetest.Must(t, err)
	none, err := json.Marshal(Config{})
	storetest.Must(t, err)
	for what, damaged := range map[string][]byte{
		"nothing":          nil,
		"cut off":          kept[:len(kept)-7],
		"other rules":      bytes.ReplaceAll(kept, []byte("delete_file"), []byte("create_file")),
		"no rules":         append(bytes.Clone(kept[:bytes.IndexByte(kept, '\n')+1]), none...),
		"no configuration": append([]byte(store.MemoOf([]byte(longConfig), []byte("[]"))+"\n"), "[]"...),
	} {
		storetest.Must(t, os.WriteFile(configMemo{h}.path(), damaged, 0o600))
		if now, err := Read(h); err != nil || !reflect.DeepEqual(now, want) {
			t.Errorf("%s: %+v, %v", what, now, err)
		}
	}
}

func TestAMemoIsThatOfOneProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, next, then := dir+"/marvin", dir+"/next", time.Unix(1, 0)
	storetest.Put(t, program, "older")
	storetest.Put(t, next, "newer")
	storetest.Must(t, errors.Join(os.Chtimes(program, then, then), os.Chtimes(next, then, then)))
	older := store.ProgramAt(program)
	if older == "" || older != store.ProgramAt(program) {
		t.Fatalf("one program is %q", older)
	}
	storetest.Must(t, os.Rename(next, program))
	if store.ProgramAt(program) == older {
		t.Error("the newer one is taken for the older one")
	}
}

// If the user removes a key from the file, the cache does not keep it.
func TestMemoOfSettingsGoesWithKey(t *testing.T) {
	t.Parallel()
	h := store.Open(t.TempDir(), nil)
	keep := func() {
		t.Helper()
		storetest.Put(t, h.Path("config.yaml"), longConfig)
		if _, err := Read(h); err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(configMemo{h}.path()); err != nil || !bytes.Contains(kept, []byte("canary-key")) {
			t.Fatalf("nothing is kept: %v", err)
		}
	}
	for what, change := range map[string]func(){
		"a command takes the server out": func() { storetest.Must(t, ServersOf(h).Remove("far")) },
		"the file is empty":              func() { storetest.Put(t, h.Path("config.yaml"), ""); _, _ = Read(h) },
		"the file is short":              func() { storetest.Put(t, h.Path("config.yaml"), "theme: nord\n"); _, _ = Read(h) },
		"the file is wrong":              func() { storetest.Put(t, h.Path("config.yaml"), longConfig+"nonsense: 1\n"); _, _ = Read(h) },
	} {
		keep()
		change()
		if kept, err := os.ReadFile(configMemo{h}.path()); err == nil && bytes.Contains(kept, []byte("canary-key")) {
			t.Errorf("%s: the key is still there", what)
		}
	}
}

// The cache contains only the settings in the file, so it is short.
func TestTheMemoOfAConfigurationIsShort(t *testing.T) {
	t.Parallel()
	h := store.Open(t.TempDir(), nil)
	storetest.Put(t, h.Path("config.yaml"), longConfig)
	_, err := Read(h)
	storetest.Must(t, err)
	kept, err := os.ReadFile(configMemo{h}.path())
	storetest.Must(t, err)
	for _, empty := range []string{`"Looks"`, `"Approve"`, `"Fleet"`, `"Env":null`} {
		if bytes.Contains(kept, []byte(empty)) {
			t.Errorf("%s is kept: %s", empty, kept)
		}
	}
}
