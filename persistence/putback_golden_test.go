package persistence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// papers are what documents may hold, one after the other.
var papers = map[string][]string{
	"preferences": {"", "a\n", "a\nb\n", "b\na\n", "a\nx\nb\n", "a\nb", "a\na\nb\n", "x\n"},
	"bookmarks":   {"", "[]", `[1]`, `[1,2]`, `[2,1]`, `[1,{"k":3},2]`, `[2, 2, 1]`, `{"a":1}`, `[1`},
	"topics":      {"", `{"subscriptions":[]}`, `{"subscriptions":[{"topic":"a"}]}`, `{"subscriptions":[{"topic":"a"},{"topic":"b"}],"x":1}`, `[{"topic":"a"}]`, `{"subscriptions":1}`, `{`},
	"calendar": {
		"", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "BEGIN:VCALENDAR\nX:1\nBEGIN:VEVENT\nUID:a\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:b\nEND:VEVENT\nEND:VCALENDAR", "BEGIN:VEVENT\nUID:a\n", "text",
	},
}

// What is noted of each change of a document, and what becomes of each later one when that is put
// back, stands in this file; UPDATE_GOLDEN=1 writes it anew.
func TestGoldenWhatIsPutBack(t *testing.T) {
	var all strings.Builder
	for _, document := range []string{"preferences", "bookmarks", "topics", "calendar"} {
		kind, _ := paperOf(document)
		bytesOf := func(text string) []byte {
			if text == "" {
				return nil
			}
			return []byte(text)
		}
		for _, text := range papers[document] {
			pieces, err := kind.parts(bytesOf(text))
			whole, failed := kind.whole(pieces)
			fmt.Fprintf(&all, "%s %q is %q, %v; whole %q, %v\n", document, text, pieces, err, whole, failed)
		}
		for _, before := range papers[document] {
			for _, after := range papers[document] {
				var edit Edit
				edit.note("p", document, bytesOf(before), bytesOf(after))
				if edit.Document == "" || before == after {
					continue
				}
				fmt.Fprintf(&all, "== %q, then %q: at %d was %q is %q between %q and %q, new %v\n", before, after, edit.At, edit.Was, edit.Is, edit.Front, edit.Behind, edit.New)
				for _, later := range papers[document] {
					pieces, err := kind.parts(bytesOf(later))
					if err != nil {
						continue
					}
					back, err := edit.applied(pieces)
					if err != nil {
						fmt.Fprintf(&all, "%q: %v\n", later, err)
						continue
					}
					text, err := kind.whole(back)
					for line := range strings.Lines(string(text)) {
						if document == "preferences" && len(strings.TrimSuffix(line, "\n")) != 1 {
							t.Errorf("%q, put back in %q, makes one line of two: %q", edit.Was, later, text)
						}
					}
					fmt.Fprintf(&all, "%q: %q, %v, says %v\n", later, text, err, edit.says(back))
				}
			}
		}
	}
	goldentest.Hold(t, "putback.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// An edit is worth keeping up to its limit, and no further.
func TestHowLargeAnEditMayBe(t *testing.T) {
	for more, kept := range map[int]bool{-1: true, 0: true, 1: false} {
		var edit Edit
		edit.note("p", "preferences", []byte("a\n"), []byte("a\n"+strings.Repeat("x", MaxEdit+more-1)+"\n"))
		if (edit.Document != "") != kept || kept && (edit.Front != "a\n" || len(edit.Is) != 1) {
			t.Errorf("%d more than the limit: %q, %d pieces", more, edit.Document, len(edit.Is))
		}
	}
	var none *Edit
	none.note("p", "preferences", nil, []byte("a"))
}

// Nothing is put back into what is no document, or is a profile's elsewhere.
func TestOnlyDocumentsOfProfilesAreWrittenBack(t *testing.T) {
	home := Open(t.TempDir(), now)
	for _, edit := range []Edit{{Document: "history", Profile: "p"}, {Document: "places", Profile: "../p"}, {Document: "places"}} {
		want := fmt.Sprintf("there is no document %q of a profile %q", edit.Document, edit.Profile)
		if _, err := PutBack(home, edit); err == nil || err.Error() != want {
			t.Errorf("%+v: %v", edit, err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(home.State, "*")); len(files) > 0 {
		t.Errorf("%q were written", files)
	}
}
