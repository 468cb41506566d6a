package private_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"marvin/actors/internal/private"
)

var rules = private.Rules{
	{Dir: "/home/u/taxes", Said: "~/taxes", To: []string{"ollama", "lan"}},
	{Dir: "/srv/secret", Said: "/srv/secret"},
}

func TestWordsGoWhereTheirPlacesMay(t *testing.T) {
	for name, test := range map[string]struct {
		provider, model string
		places          []string
		want            string // the expected error, "" for none
	}{
		"nothing of it":             {"groq", "m", []string{"/home/u", "/home/u/taxes2/a", "/tmp"}, ""},
		"a file of it":              {"groq", "m", []string{"/tmp", "/home/u/taxes/2025/a.pdf"}, "only ollama, lan may get that data"},
		"the directory itself":      {"groq", "m", []string{"/home/u/taxes"}, "nothing was sent to groq"},
		"with a slash behind it":    {"groq", "m", []string{"/home/u/taxes/"}, "~/taxes"},
		"where it may go":           {"ollama", "qwen3:4b", []string{"/home/u/taxes/a"}, ""},
		"a model that is elsewhere": {"ollama", "gpt-oss:120b-cloud", []string{"/home/u/taxes/a"}, "runs on other machines"},
		"by a way around":           {"groq", "m", []string{"/home/u/x/../taxes/a"}, "nothing was sent to groq"},
		"two, of which one forbids": {"ollama", "m", []string{"/home/u/taxes/a", "/srv/secret/b"}, "no model may get that data"},
	} {
		err := rules.Check(test.provider, test.model, test.places)
		if (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || !errors.Is(err, private.ErrBound)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASearchNamesWhatItRead(t *testing.T) {
	for text, want := range map[string][]string{
		"taxes/2025.csv:3: 1200":       {"/home/u/taxes"},
		"/home/u/taxes/a: x":           {"/home/u/taxes"},
		`{"command": "cat ~/taxes/a"}`: {"/home/u/taxes"},
		"main.go:3: package":           nil,
	} {
		if got := rules.MentionedDirs([]string{"/home/u"}, "x", text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := rules.MentionedDirs([]string{"/home/u/taxes/2025", "/tmp"}, "taxes"); got != nil {
		t.Errorf("places elsewhere: %q", got)
	}
}
