package settings

import "testing"

func TestLanguageServersFormatOnlyIfTheUserSaysSo(t *testing.T) {
	const servers = "languages:\n  gopls: {enabled: false}\n"
	for text, want := range map[string]bool{servers: false, servers + "format_on_write: true\n": true, servers + "format_on_write: false\n": false} {
		config, unknown, err := parseConfig("c", []byte(text))
		if err != nil || unknown != nil || config.FormatOnWrite != want || !config.Languages["gopls"].Off {
			t.Errorf("%q: %+v, %v, %v", text, config.LanguageServers, unknown, err)
		}
	}
	if _, _, err := parseConfig("c", []byte("format_on_write: often\n")); err == nil {
		t.Error("often is taken for a switch")
	}
	if _, unknown, err := parseConfig("c", []byte("format_on_writes: true\n")); unknown == nil && err == nil {
		t.Error("a misspelt setting is taken in silence")
	}
}
