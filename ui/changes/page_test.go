package changes_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/changes"
)

// The user moves from part to part, undoes one, and sends one with a remark. Only the remark counts
// as the user's own words.
func TestAPartIsChosenOnThePage(t *testing.T) {
	hunk := func(text string) string { return "@@ -1,1 +1,1 @@\n-" + text + "\n+" + strings.ToUpper(text) + "\n" }
	all := messages.Changes{Added: 3, Removed: 3, Files: []messages.ChangedFile{
		{Path: "/p/a.go", Name: "a.go", Added: 2, Removed: 2, Hunks: []string{hunk("first"), hunk("second")}, Seen: "s1"},
		{Path: "/p/b.go", Name: "b.go", Added: 1, Removed: 1, Hunks: []string{hunk("third")}, Seen: "s2", Refused: "it was changed since"},
	}}
	page := changes.New(all)
	var marked, whole string
	show := func() {
		marked, whole = "", ""
		for _, row := range page.Rows(60, 8) {
			text := ""
			for _, span := range row {
				text += span.Text
			}
			if whole += text + "\n"; strings.HasPrefix(text, "▌") {
				marked += text + "\n"
			}
		}
	}
	if show(); !strings.Contains(whole, "2 files, +3 −3") || !strings.Contains(whole, "a.go  +2 −2") || !strings.Contains(marked, "FIRST") {
		t.Error(whole)
	}
	page.Key("Down", 0)
	if show(); strings.Contains(marked, "FIRST") || !strings.Contains(marked, "SECOND") {
		t.Error(whole)
	}
	if deed := page.Key("", 'u'); deed.Op != (messages.TakeBack{Path: "/p/a.go", Hunk: 2, Seen: "s1"}) {
		t.Errorf("%+v", deed)
	}
	page.Key("Down", 0)
	if deed := page.Key("", 'u'); deed.Op != nil || !strings.Contains(deed.Says, "it was changed since") {
		t.Errorf("%+v", deed)
	}
	page.Key("Enter", 0)
	for _, letter := range "why?" {
		page.Key("", letter)
	}
	deed := page.Key("Enter", 0)
	if deed.Prompt == nil || deed.Prompt.Typed() != "why?" || !strings.Contains(deed.Prompt.Text, "/p/b.go") || !strings.Contains(deed.Prompt.Text, "+THIRD") || !deed.Closes {
		t.Errorf("%+v", deed.Prompt)
	}
	if page.Update(messages.Changes{}); !page.Empty() {
		t.Error("there are changes left")
	}
}
