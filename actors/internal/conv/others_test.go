package conv

import (
	"testing"

	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools/toolbox"
)

// Tools of a server whose entry was replaced are not put on the shelf, however late they arrive.
func TestTheToolsOfAnEntryThatIsGoneAreNotTaken(t *testing.T) {
	before := map[string]settings.Server{"office": {Command: []string{"old"}}, "stays": {Command: []string{"one"}}}
	o := newOthers(Extensions{Servers: before})
	next := FileContents{Servers: map[string]settings.Server{"office": {Command: []string{"new"}}, "stays": before["stays"], "more": {URL: "https://example.com"}}, Told: []messages.Notice{{Text: "kept"}}}
	left, begun := o.Replace(&next, toolbox.NewShelf(&toolbox.Registry{}))
	if len(left) != 1 || left[0] != "office" || len(begun) != 2 || begun[0] != "more" || begun[1] != "office" {
		t.Errorf("left %v, begun %v", left, begun)
	}
	shelved := 0
	shelve := func() []string { shelved++; return nil }
	o.IfUnchanged("office", before["office"], shelve)
	o.IfUnchanged("gone", settings.Server{Command: []string{"x"}}, shelve)
	if shelved != 0 {
		t.Error("the tools of an entry that does not hold were taken")
	}
	o.IfUnchanged("office", next.Servers["office"], shelve)
	o.IfUnchanged("stays", before["stays"], shelve)
	if shelved != 2 {
		t.Errorf("%d of 2 were taken", shelved)
	}
}
