package settings

import (
	"errors"
	"strings"
	"testing"
)

func TestSecretValuesAreRemovedInAnyNotation(t *testing.T) {
	for text, want := range map[string]string{
		"api_key: abc":         "api_key: \"[removed]\"",
		"\"Auth-Token\" : x y": "Auth-Token: \"[removed]\"",
		"PASSWORD: p # c":      "PASSWORD: \"[removed]\"",
		"# token: abc\na: 1":   "a: 1",
		"key:":                 "key: null",
		"a:\n  keys:\n    one: abc\n    two: def":                                    "a:\n  keys: \"[removed]\"",
		"tokens:\n- abc\n- def\na: 1":                                                "tokens: \"[removed]\"\na: 1",
		"token: abc\n  def\na: 1":                                                    "token: \"[removed]\"\na: 1",
		"key: |\n  one\n\n  two\nnext: 1":                                            "key: \"[removed]\"\nnext: 1",
		"a: {b: {api_key: abc}, c: 1}":                                               "a:\n  b:\n    api_key: \"[removed]\"\n  c: 1",
		"list:\n- {a: 1}\n- key: |\n    abc\n":                                       "list:\n- a: 1\n- key: \"[removed]\"",
		"env: [OPENAI_API_KEY]\nnote: \"my key\"":                                    "env:\n- OPENAI_API_KEY\nnote: my key",
		"command: [x, --token, abc, --api-key=abc, 'Auth: Bearer abc', --port, '1']": "command:\n- x\n- --token\n- \"[removed]\"\n- --api-key=[removed]\n- \"Auth: [removed]\"\n- --port\n- \"1\"",
		"run: |\n  API_TOKEN=abc run\n  done":                                        "run: |-\n  API_TOKEN=[removed]\n  done",
		"url: https://me:pass@host/?api_key=x":                                       "url: https://[removed]@host/?api_key=[removed]",
		"key: &k sk-12345\nx: {y: *k, z: 'say sk-12345'}":                            "key: \"[removed]\"\nx:\n  \"y\": \"[removed]\"\n  z: say [removed]",
		"tokens: &t {github: ghp_12345}\nenv: {<<: *t, a: b}":                        "tokens: \"[removed]\"\nenv:\n  github: \"[removed]\"\n  a: b",
		"1: x\ntrue: y\n~: z":                                                        "\"1\": x\n\"true\": \"y\"\n\"null\": z",
		"keys: {send: ctrl+enter}":                                                   "keys:\n  send: ctrl+enter",
		"":                                                                           "",
	} {
		got, _, err := WithoutSecrets([]byte(text))
		if strings.TrimSpace(string(got)) != want || err != nil {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
	}
	if _, secrets, _ := WithoutSecrets([]byte("max_tokens: 100000\nkey: sk-12345")); HideSecrets(`{"tokens":100000,"said":"sk-12345"}`, secrets) != `{"tokens":100000,"said":"[removed]"}` {
		t.Errorf("in another text: %q", secrets)
	}
	got, secrets, err := WithoutSecrets([]byte("a: 1\npassword: *hunter22\n"))
	if len(got) > 0 || !errors.Is(err, ErrNotYAML) || HideSecrets(`no alias "hunter22"`, secrets) != `no alias "[removed]"` {
		t.Errorf("invalid YAML: %q, %q, %v", got, secrets, err)
	}
}
