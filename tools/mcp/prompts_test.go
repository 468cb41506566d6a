package mcp

import (
	"strings"
	"testing"
)

func TestPromptsOfAServer(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	manifest, err := session.Tools(t.Context())
	if err != nil || len(manifest.Prompts) != 1 || manifest.Prompts[0].Usage() != "who=… [how=…]" {
		t.Fatalf("%+v, %v", manifest.Prompts, err)
	}
	if left := strings.Join(manifest.Left, "\n"); !strings.Contains(left, `its name cannot be typed`) || strings.Contains(left, "not\nto") {
		t.Errorf("left out: %q", left)
	}
	greet := manifest.Prompts[0]
	for words, want := range map[string]string{
		"the whole team":                     "Greet the whole team, .",
		"who=the whole team how=very warmly": "Greet the whole team, very warmly.",
		"you how=a=b":                        "Greet you, a=b.",
	} {
		if got, err := session.Prompt(t.Context(), greet, words); err != nil || got != want+"‹U+001B›[2J" {
			t.Errorf("%s: %q, %v", words, got, err)
		}
	}
	if _, err := session.Prompt(t.Context(), greet, "how=warmly"); err == nil || !strings.Contains(err.Error(), "greet wants who: who=… [how=…]") {
		t.Error(err)
	}
	if _, err := session.Prompt(t.Context(), Prompt{Name: "gone"}, ""); err == nil {
		t.Error("a prompt that is gone was got")
	}
	if _, err := (Prompt{Name: "plain"}).values("words"); err == nil {
		t.Error("what takes nothing took something")
	}
}

// A model can read only listed resources, so it cannot send data in an invented address.
func TestOnlyListedResourcesAreRead(t *testing.T) {
	session := begun(t, played("well"), ground(t))
	if text, err := session.ReadListed(t.Context(), "played://one"); err != nil || !strings.Contains(text, "the resource") {
		t.Error(text, err)
	}
	if text, err := session.ReadListed(t.Context(), ""); err != nil || !strings.Contains(text, "mcp:office/played://one  one") {
		t.Error(text, err)
	}
	if text, err := session.ReadListed(t.Context(), "played://one?secret=diary"); err == nil || !strings.Contains(err.Error(), "lists no resource") {
		t.Error(text, err)
	}
}
