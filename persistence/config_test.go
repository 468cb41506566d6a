package persistence

import (
	"reflect"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	h := Open(t.TempDir(), now)
	for _, empty := range []string{"", "# hosts:\n", "hosts:\nprices:\n"} {
		put(t, h.path("config.yaml"), empty)
		if got, err := h.Config(); err != nil || len(got.Hosts)+len(got.Prices) != 0 {
			t.Errorf("%q: %+v, %v", empty, got, err)
		}
	}
	put(t, h.path("config.yaml"), `# mine
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
keys:
  send: Ctrl-S
  find: [Ctrl-F, F3]
  mouse: []
  redraw:
theme: light
notify: OFF
sandbox: strict
pass_env: [NPM_TOKEN, MYAPP_*]
permissions:
  allow: ["run_command(go test *)"]
  deny:
    - run_command(git push *)
    - download_file
`)
	got, err := h.Config()
	must(t, err)
	cached := 0.25
	want := Config{
		Hosts:   map[string]string{"nominatim.openstreetmap.org": "http://localhost:8080/nominatim"},
		Prices:  map[string]Price{"qwen3-coder:30b": {Output: 0.1}, "gpt-5.2": {Input: 2.5, Output: 10, Cached: &cached}},
		Context: Context{Compact: 150_000, Manual: true},
		Keys:    map[string][]string{"send": {"Ctrl-S"}, "find": {"Ctrl-F", "F3"}, "mouse": {}, "redraw": nil},
		Theme:   "light", Notify: "off",
		Sandbox:     "strict",
		PassEnv:     []string{"NPM_TOKEN", "MYAPP_*"},
		Permissions: Permissions{Allow: []string{"run_command(go test *)"}, Deny: []string{"run_command(git push *)", "download_file"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestAsk39BrokenConfigNamesFileLineAndNextStep(t *testing.T) {
	h := Open(t.TempDir(), now)
	path := h.path("config.yaml")
	for content, want := range map[string]string{
		"host:\n  a: http://x\n":                  `:1: there is no setting "host" (did you mean "hosts"?); correct or remove this line`,
		"colour: red\n":                           `:1: there is no setting "colour" (there are hosts, prices, context, keys, theme, notify, pass_env, sandbox, approve, permissions); correct or remove this line`,
		"prices:\n  m:\n    inptu: 3\n":           `:3: there is no setting "inptu" (did you mean "input"?); correct or remove this line`,
		"# c\nhosts:\n  a: localhost\n":           `:3: "localhost" is not a URL such as http://localhost:8080; correct this line`,
		"hosts:\n  a: ftp://x\n":                  `:2: "ftp://x" is not a URL such as http://localhost:8080; correct this line`,
		"prices:\n  m: {input: 1, output: -1}\n":  `:2: "-1" is not a price in US dollars per million tokens, such as 0.8; correct this line`,
		"prices:\n  m: {input: NaN, output: 1}\n": `:2: "NaN" is not a price in US dollars per million tokens, such as 0.8; correct this line`,
		"context:\n  warn: soon\n":                `:2: "soon" is not a number of tokens, such as 180000; correct this line`,
		"context:\n  wran: 5000\n":                `:2: there is no setting "wran" (did you mean "warn"?); correct or remove this line`,
		"prices:\n  m: {input: 1}\n":              `:2: a price needs input and output; correct this line`,
		"prices:\n  m:\n":                         `: the price of "m" needs input and output; add them or remove it`,
		"hosts:\n  a: http://x\nhosts:\n  b: 1\n": `:3: mapping key "hosts" already defined at [1:1]; correct this line`,
		"permissions:\n  allowed: [x]\n":          `:2: there is no setting "allowed" (did you mean "allow"?); correct or remove this line`,
		"permissions:\n  deny: x\n":               `:2: rules are a list such as [run_command(git push *)]; correct this line`,
		"permissions: [x]\n":                      `:1: sequence was used where mapping is expected; correct this line`,
		"pass_env: [A, 'B,C']\n":                  `:1: variables are a list such as [NPM_TOKEN, MYAPP_*]; correct this line`,
		"pass_env: {a: b}\n":                      `:1: variables are a list such as [NPM_TOKEN, MYAPP_*]; correct this line`,
		"sandbox: on\n":                           `:1: "on" is not one of off, workspace, strict; correct this line`,
		"theme: red\n":                            `:1: "red" is not one of dark, light, mono; correct this line`,
		"keys:\n  send: {a: b}\n":                 `:2: keys are a name such as Ctrl-P or a list of them; correct this line`,
		"hosts: [a]\n":                            `:1: sequence was used where mapping is expected; correct this line`,
		"hosts:\n\ta: b\n":                        `:2: found character '	' that cannot start any token; correct this line`,
		"hosts: {\n":                              `:1: could not find flow mapping end token '}'; correct this line`,
		strings.Repeat("\x00", 50):                `:1: string was used where mapping is expected; correct this line`,
	} {
		put(t, path, content)
		got, err := h.Config()
		if err == nil || err.Error() != path+want {
			t.Errorf("%q: %v", content, err)
		}
		if !reflect.DeepEqual(got, Config{}) {
			t.Errorf("%q gives %+v", content, got)
		}
	}
}
