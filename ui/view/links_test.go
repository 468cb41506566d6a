package view_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

// links maps the addresses of an answer to the text that leads to them.
func links(answer string, width int) map[string]string {
	found := map[string]string{}
	v := shown(messages.Text{Chunk: answer})
	for _, row := range (&view.Window{}).Show(v.Blocks, width, 1000, start) {
		for _, span := range row {
			if span.Address != "" {
				found[span.Address] += span.Text
			}
		}
	}
	return found
}

// The words of a link and the address next to them both lead to the address, in each row.
func TestLinksLeadWhereTheySay(t *testing.T) {
	found := links("See [the long page of everything](https://example.org/a_b/c?d=e) and <https://example.org/x>.\nWrite to <me@example.org>.", 24)
	for address, want := range map[string]string{
		"https://example.org/a_b/c?d=e": "the long page of everything (https://example.org/a_b/c?d=e)",
		"https://example.org/x":         "https://example.org/x",
		"mailto:me@example.org":         "me@example.org",
	} {
		if got := strings.ReplaceAll(found[address], " ", ""); got != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s is behind %q, not %q", address, found[address], want)
		}
	}
	if len(found) != 3 {
		t.Errorf("%q", found)
	}
}

// Only web and mail addresses are links. None can end the terminal sequence around it or make tcell
// wait.
func TestLinksAreHarmless(t *testing.T) {
	for _, target := range []string{
		"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ssh://host", "notes.md", "#part", "https://example.org/?\u00fc",
		"https://example.org/" + strings.Repeat("a", 2000),
	} {
		if found := links("[x](<"+target+">)", 80); len(found) != 0 {
			t.Errorf("%.40q is a link: %q", target, found)
		}
	}
	found := links("[x](https://example.org/%1B\\?a=$<9999>)", 80)
	for address := range found {
		if strings.ContainsAny(address, "<>\\\x1b") {
			t.Errorf("%q", address)
		}
	}
	if len(found) != 1 {
		t.Errorf("%q", found)
	}
}
