package view

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// many is a source whose items are not in memory.
type many int

func (m many) Len() int { return int(m) }

func (m many) Item(index int) Item {
	return Item{Text: fmt.Sprintf("item %03d", index), Note: "of many"}
}

func (m many) VisitItems(visit func(index int, item Item) bool) {
	for i := range int(m) {
		if !visit(i, m.Item(i)) {
			return
		}
	}
}

func TestListNavigation(t *testing.T) {
	var all strings.Builder
	list := &List{Title: "Models\nof all", Items: []Item{
		{Text: "alpha", Note: "first", Preview: "a line\n\ttabbed\n" + strings.Repeat("long ", 12)},
		{Text: "beta", Now: true, Preview: "one"},
		{Text: "gamma\x1b[2J", Note: strings.Repeat("note ", 10), Off: "no key"},
		{Text: strings.Repeat("delta ", 10), Note: "end", Words: "greek"},
		{Text: "epsilon", Preview: strings.Repeat("row\n", 20)},
		{Text: "a beta-test", Words: "x"},
		{Text: "b.eta", Now: true},
	}}
	drawn := 0 // only the first row is shown if the number of rows is unchanged
	step := func(name string, width, height int, do func()) {
		do()
		fmt.Fprintf(&all, "== %s (%d x %d)\n", name, width, height)
		rows := list.Rows(width, height)
		if len(rows) == drawn {
			rows = rows[:1]
		}
		drawn = max(drawn, len(rows))
		for _, row := range rows {
			for _, span := range row {
				if span.Role != Plain && span.Text != "" {
					fmt.Fprintf(&all, "<%d>", span.Role)
				}
				all.WriteString(span.Text)
			}
			all.WriteString("¶\n")
		}
		index, ok := list.Chosen()
		fmt.Fprintf(&all, "chosen %d %v, %d of it, page %d, %q\n", index, ok, list.Len(), list.Page(), list.Query())
	}
	step("as it is", 30, 12, func() {})
	step("what holds", 30, 12, func() { list.Find("") })
	for _, rows := range []int{1, 1, 1, 5, 1, -1, -9, -1, 3} {
		step(fmt.Sprint("moved by ", rows), 30, 12, func() { list.Move(rows) })
	}
	step("a sample", 30, 12, func() { list.Sample = func(width int) []Line { return []Line{{{Text: fmt.Sprint("sample ", width)}}} } })
	step("no room for one", 30, 5, func() {})
	step("narrow", 9, 6, func() {})
	step("one row", 9, 1, func() {})
	for _, query := range []string{"beta", "BETA x", "greek", "key", "bt", "zz", ""} {
		step("found "+query, 40, 12, func() { list.Find(query) })
	}
	step("also", 40, 12, func() { list.Find("beta"); list.AppendMatches([]int{0, 1, 99, -1, 3}) })
	step("replaced", 40, 12, func() {
		list.Find("")
		list.Move(1)
		list.Replace([]Item{{Text: "new"}, {Text: "gamma\x1b[2J"}})
	})
	step("replaced by nothing", 40, 12, func() { list.Replace(nil); list.AppendMatches([]int{0}); list.Move(1) })
	list = &List{Title: "Many"}
	step("attached", 30, 8, func() { list.Attach(many(5), nil); list.Move(1) })
	step("looked for", 30, 8, func() { list.Find("004") })
	step("and found", 30, 8, func() { list.Attach(many(5), Matches(t.Context(), many(5), "00 4")) })
	step("and all again", 30, 8, func() { list.Find(""); list.Attach(many(1200), nil) })
	step("to the end", 30, 8, func() { list.Move(9999) })
	goldentest.Assert(t, "walked.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
	if got := Matches(t.Context(), many(20), "ITEM 01"); !slices.Equal(got, []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1}) {
		t.Errorf("found %v", got)
	}
}

func TestMatchRanking(t *testing.T) {
	list := &List{Items: []Item{{Text: "p-a-r"}, {Text: "x", Note: "par"}, {Text: "spar"}, {Text: "x par"}, {Text: "par x"}, {Text: "x-par"}, {Text: "x.par"}, {Text: "x/par"}, {Text: "x_par"}, {Text: "y", Words: "a par"}, {Text: "xpar", Note: "par"}}}
	list.Find("par")
	var order []int
	for place := range list.Len() {
		order = append(order, list.indexOf(place))
	}
	if want := []int{4, 3, 5, 6, 7, 8, 2, 10, 1, 9, 0}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
}

// A column is as wide as its longest word, except for words that are long enough to be broken.
func TestLongestWord(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a bcd": 3, strings.Repeat("x", 24) + " y": 24, strings.Repeat("x", 25) + " y": 1, "日本 a": 4} {
		if got := longestWord(Line{{Text: text}}); got != want {
			t.Errorf("%q is %d wide", text, got)
		}
	}
}
