package session

import (
	"strings"
	"testing"
)

func TestATitleIsTheFirstLineThatSaysSomething(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for text, want := range map[string]string{
		"Tea for two":                         "Tea for two",
		"  Title: Tea for two.\nMore of it":   "Tea for two",
		"\n**\n\n# “Tea for two”\n":           "Tea for two",
		"```\nTea\x1b[31m for\u200b two\n```": "Tea[31m for two",
		"Tea: Title: two":                     "Tea: Title: two",
		"Grüße « an » alle":                   "Grüße « an » alle",
		"":                                    "",
		"***\n...":                            "",
		strings.Repeat("é", titleLength):      strings.Repeat("é", titleLength),
		strings.Repeat("é", titleLength+1):    strings.Repeat("é", titleLength-1) + "…",
		long:                                  strings.TrimSpace(long[:titleLength-1]) + "…",
	} {
		if got := titleOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
