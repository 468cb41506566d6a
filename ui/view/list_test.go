package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func listOf(texts ...string) *List {
	list := &List{Title: "Conversations"}
	for _, text := range texts {
		list.Items = append(list.Items, Item{Text: text})
	}
	return list
}

// drawn returns the displayed items in order, and the item under the cursor.
func drawn(list *List, width, height int) (texts []string, here string) {
	for _, row := range list.Rows(width, height)[1:] {
		text := strings.TrimSpace(strings.TrimLeft(row.String(), "▸• "))
		texts = append(texts, text)
		if strings.HasPrefix(row.String(), "▸") {
			here = text
		}
	}
	return texts, here
}

func TestAListFindsWordsBeforeLetters(t *testing.T) {
	list := listOf("a parcel is here", "mend the parser", "parser: a second look", "the weather")
	list.Items[3].Words = "a parser was mentioned"
	list.Find("parser")
	want := []string{"parser: a second look", "mend the parser", "the weather", "a parcel is here"}
	if got, here := drawn(list, 60, 20); !slices.Equal(got, want) || here != want[0] {
		t.Errorf("found %q with %q under the cursor, want %q", got, here, want)
	}
	list.Find("parser mend")
	if got, _ := drawn(list, 60, 20); !slices.Equal(got, want[1:2]) {
		t.Errorf("each word counts, but found %q", got)
	}
	if index, ok := list.Chosen(); !ok || index != 1 {
		t.Errorf("chosen is %d %v, want the index among all items", index, ok)
	}
	list.Find("zzz")
	if _, ok := list.Chosen(); ok || list.Len() != 0 {
		t.Error("something was found where nothing is")
	}
	if text := list.Rows(60, 20)[1].String(); !strings.Contains(text, "nothing fits") {
		t.Errorf("an empty list says %q", text)
	}
}

func TestAListKeepsTheCursorInSight(t *testing.T) {
	list := listOf()
	for i := range 30 {
		list.Items = append(list.Items, Item{Text: strings.Repeat("x", i+1), Now: i == 20})
	}
	list.Find("")
	if _, here := drawn(list, 60, 10); len(here) != 21 {
		t.Errorf("the cursor begins at item %d, want what holds at present", len(here))
	}
	for _, move := range []struct{ rows, at int }{{1, 22}, {-40, 1}, {-1, 30}, {1, 1}, {9, 10}, {100, 30}} {
		list.Move(move.rows)
		texts, here := drawn(list, 60, 10)
		if len(here) != move.at || len(texts) != 9 {
			t.Errorf("after %d rows item %d of %d rows is under the cursor, want %d of 9", move.rows, len(here), len(texts), move.at)
		}
	}
}

// Models and unknown people write titles.
func TestAListShowsNothingThatATerminalWouldObey(t *testing.T) {
	list := listOf("a\x1b[2Jb\u202ec\nsecond line")
	list.Items[0].Note, list.Items[0].Preview = "\x1b]0;title\a", "one\n\x1b[31mtwo\u2066"
	for _, row := range list.Rows(40, 12) {
		for _, bad := range []string{"\x1b", "\a", "\u202e", "\u2066", "\n"} {
			if strings.Contains(row.String(), bad) {
				t.Errorf("the row %q has %q", row.String(), bad)
			}
		}
		if row.Width() > 40 {
			t.Errorf("the row %q takes %d cells of 40", row.String(), row.Width())
		}
	}
}

func TestAListLeavesWhatCannotBeChosen(t *testing.T) {
	list := listOf("here", "away")
	list.Items[1].Off = "its key is missing"
	list.Move(1)
	if _, ok := list.Chosen(); ok {
		t.Error("what is off was chosen")
	}
	if _, here := drawn(list, 60, 10); !strings.Contains(here, "its key is missing") {
		t.Errorf("the row %q does not say why", here)
	}
}

func TestAListKeepsItsCursorWhenItIsFilled(t *testing.T) {
	list := List{Items: []Item{{Text: "b"}, {Text: "bc"}}}
	list.Find("b")
	list.Move(1)
	list.Replace([]Item{{Text: "ab"}, {Text: "x"}, {Text: "b"}, {Text: "bc"}})
	if at, ok := list.Chosen(); !ok || at != 3 || list.Len() != 3 || list.Query() != "b" {
		t.Errorf("%d, %v, %d of %q", at, ok, list.Len(), list.Query())
	}
	list = List{Items: []Item{{Text: "b", Words: "1"}, {Text: "b", Words: "2"}}}
	list.Move(1)
	list.Replace([]Item{{Text: "b", Words: "0"}, {Text: "b", Words: "1"}, {Text: "b", Words: "2"}})
	if at, _ := list.Chosen(); at != 2 {
		t.Errorf("of three that are called the same it is at %d", at)
	}
	list.Replace(nil)
	if _, ok := list.Chosen(); ok {
		t.Error("something is chosen of nothing")
	}
}

func TestAListHasASampleWhereThereIsRoom(t *testing.T) {
	list := List{Title: "Themes", Items: []Item{{Text: "one", Preview: "dark"}, {Text: "two"}}, Sample: Sample}
	roles := map[Role]bool{}
	rows := list.Rows(60, 30)
	for _, row := range rows {
		if row.Width() > 60 {
			t.Errorf("%q is too wide", row)
		}
		for _, span := range row {
			roles[span.Role] = true
		}
	}
	for _, role := range []Role{Band, User, Assistant, Strong, Snippet, Link, Faint, Added, Problem, System, Ground, Keyword, Name, Quoted, Number, Comment, AddedGround, RemovedGround, AddedWord, RemovedWord} {
		if !roles[role] {
			t.Errorf("role %d is not in the sample", role)
		}
	}
	if len(rows) != 30 {
		t.Errorf("%d rows of 30", len(rows))
	}
	if rows := list.Rows(60, 10); len(rows) > 10 || strings.Contains(fmt.Sprint(rows), "Your prompt") {
		t.Errorf("in ten rows there is a sample:\n%s", rows)
	}
}
