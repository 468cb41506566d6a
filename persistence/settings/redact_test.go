package settings

import (
	"strings"
	"testing"
)

func TestSecretValuesAreRemovedInAnyNotation(t *testing.T) {
	for text, want := range map[string]string{
		"api_key: abc":                            "api_key: \"[removed]\"",
		"\"Auth-Token\" : x y":                    "Auth-Token: \"[removed]\"",
		"PASSWORD: p # c":                         "PASSWORD: \"[removed]\"",
		"# token: abc\na: 1":                      "a: 1",
		"key:":                                    "key: null",
		"keys:\n  one: abc\n  two: def":           "keys: \"[removed]\"",
		"tokens:\n- abc\n- def\na: 1":             "tokens: \"[removed]\"\na: 1",
		"token: abc\n  def\na: 1":                 "token: \"[removed]\"\na: 1",
		"key: |\n  one\n\n  two\nnext: 1":         "key: \"[removed]\"\nnext: 1",
		"a: {b: {api_key: abc}, c: 1}":            "a:\n  b:\n    api_key: \"[removed]\"\n  c: 1",
		"list:\n- {a: 1}\n- key: |\n    abc\n":    "list:\n- a: 1\n- key: \"[removed]\"",
		"env: [OPENAI_API_KEY]\nnote: \"my key\"": "env:\n- OPENAI_API_KEY\nnote: my key",
		"": "",
	} {
		got, err := WithoutSecrets([]byte(text))
		if strings.TrimSpace(string(got)) != want || err != nil {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := WithoutSecrets([]byte("token: [abc")); err == nil || strings.Contains(err.Error(), "abc") {
		t.Errorf("invalid YAML: %q, %v", got, err)
	}
}
