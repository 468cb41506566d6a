package extensions

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/settings"
)

// Servers are read in the form of most programs or in VS Code's form, up to a maximum length of the
// file.
func TestServersOfOtherProgramsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers":{"a":{},"b":{}},"servers":{"c":{}}}`: "a b", `{"servers":{"c":{}}}`: "c", `{"mcpServers":{},"servers":{"c":{}}}`: "", `{}`: "", ` `: "! it is not an mcp.json: the JSON ends too early",
		`[]`:                             "! it is not an mcp.json: it is a JSON array, not an object",
		`{}` + strings.Repeat(" ", 2046): "", `{}` + strings.Repeat(" ", 2047): "! it has more than 2 KB",
	} {
		found, err := decodeOffers(strings.NewReader(text), 2048)
		got := strings.Join(slices.Sorted(maps.Keys(found)), " ")
		if err != nil {
			got = "! " + err.Error()
		}
		if got != want {
			t.Errorf("%.60q: %s, want %s", text, got, want)
		}
	}
	if _, err := decodeOffers(failing{}, 9); err == nil || err.Error() != "the disk is gone" {
		t.Errorf("%v", err)
	}
	for want, server := range map[string]settings.Server{
		"s (run -x)":                  {Command: []string{"run", "-x"}},
		"s (https://a, with A B key)": {URL: "https://a", Command: []string{"not"}, Env: map[string]string{"B": "1", "A": "2"}, Headers: map[string]string{"key": "x"}},
	} {
		if got := (Offer{Name: "s", Server: server}).Describe(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A value of another program's configuration is converted to config.yaml: names in braces are
// variables, and any other dollar sign is literal.
func TestValuesOfOtherProgramsAsOurs(t *testing.T) {
	for theirs, want := range map[string]string{
		"": "", "plain": "plain", "${HOME}/x": "${HOME}/x", "${env:TOKEN}": "${TOKEN}", "a${A_1}b${env:z}c": "a${A_1}b${z}c",
		"$": "$$", "a$b": "a$$b", "$$": "$$$$", "${": "$${", "${a": "$${a", "{a}": "{a}", "$a}": "$$a}", "${a-b}": "$${a-b}", "${a b}": "$${a b}", "${input:key}": "$${input:key}", "${é}": "$${é}", "$x${y}": "$$x${y}",
		"${azAZ09_}": "${azAZ09_}", "${a:}": "$${a:}", "${a/}": "$${a/}", "${a@}": "$${a@}", "${a[}": "$${a[}", "${a`}": "$${a`}", "${a{}": "$${a{}",
	} {
		if got := convertValue(theirs); got != want {
			t.Errorf("%q becomes %q, want %q", theirs, got, want)
		}
	}
}

// failing is a file that cannot be read.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }
