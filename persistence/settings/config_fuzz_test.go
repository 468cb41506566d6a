package settings

import (
	"bytes"
	"slices"
	"testing"
)

func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"", "theme: dark", "hosts:\n  a.org: http://b", "permissions:\n  allow: [x]", "---\ntheme: dark\n...", "...", "--- |", "theme: |\n  x", "# only this",
		"prices: {m: {input: 1, output: 2}}", "\ufeffsandbox: strict", "keys:\n  find: F3\n ", "%YAML 1.2\n---", "---\n---", "---\n# one\n---\n", "? a", "&a b: *a", "theme: 'x", "\t", "sandbox: workspace\r\n",
	} {
		f.Add([]byte(text))
	}
	const rule = "run_command(git push *)"
	f.Fuzz(func(t *testing.T, before []byte) {
		text := slices.Concat(before, []byte("\npermissions:\n  deny: ["+rule+"]\n"))
		if !mentionsGuards(text) {
			t.Fatal("it is not seen to forbid something")
		}
		config, _, err := parseConfig("config.yaml", text)
		if err == nil && !slices.Contains(config.Permissions.Deny, rule) && !comment(before) {
			t.Errorf("%q forbids nothing: %+v", text, config)
		}
	})
}

// comment reports whether the following line may be text and not a setting, because the last lines
// open a block or a quote.
func comment(before []byte) bool {
	return bytes.ContainsAny(before, "|>'\"")
}
