package view_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/view"
)

// told is a row as a golden file has it: its letters, and what is marked as found.
func told(row view.Line) string {
	var text strings.Builder
	for _, span := range row {
		if span.Role == view.Found {
			fmt.Fprintf(&text, "[%s]", span.Text)
		} else {
			text.WriteString(span.Text)
		}
	}
	return strings.TrimRight(text.String(), " ")
}

// wanderer is somebody who goes through a conversation without a plan, always the same way.
type wanderer struct {
	random        *rand.Rand
	view          *view.View
	window        *view.Window
	selection     *view.Selection
	width, height int
	rows          []view.Line
}

func (w *wanderer) spot() (int, int) {
	return w.random.IntN(w.height+4) - 2, w.random.IntN(w.width+4) - 2
}

// step does something and says what.
func (w *wanderer) step() string {
	row, cell := w.spot()
	switch n := w.random.IntN(40); {
	case n < 10:
		by := w.random.IntN(9) - 4
		w.window.Scroll(by)
		return fmt.Sprint("scroll ", by)
	case n < 13:
		way := w.random.IntN(2)*2 - 1
		return fmt.Sprint("prompt ", way, " ", w.window.Prompt(way))
	case n < 19:
		text, way, again := []string{"NEEDLE", "row", "look", "a", "zzz", "›", "3", "lines"}[w.random.IntN(8)], w.random.IntN(2)*2-1, w.random.IntN(3) > 0
		if !again {
			w.window.BeginFind()
		}
		found := w.window.Find(text, way, again)
		at, all := w.window.Count(text)
		return fmt.Sprintf("find %s %d %v %v: %d of %d", text, way, again, found, at, all)
	case n < 22:
		by := w.random.IntN(5) - 2
		w.window.MoveFocus(by)
		return fmt.Sprint("focus ", by)
	case n < 24 && w.window.Focused() != nil:
		w.window.Toggle(w.window.Focused())
		return "toggle"
	case n == 24:
		w.window.ToggleAll([]view.Kind{view.Call, view.Thinking}[w.random.IntN(2)])
		return "toggle all"
	case n == 25:
		w.width = 12 + w.random.IntN(30)
		return fmt.Sprint("width ", w.width)
	case n == 26:
		w.height = 2 + w.random.IntN(9)
		return fmt.Sprint("height ", w.height)
	case n == 27:
		w.window.Home()
		return "home"
	case n == 28:
		w.window.End()
		return "end"
	case n == 29:
		w.window.Hold()
		return "hold"
	case n == 30:
		w.selection.Grab()
		return "grab"
	case n == 31:
		w.selection.LetGo()
		return "let go"
	case n == 32:
		w.view.Apply(messages.Envelope{At: start, Event: messages.Text{Chunk: "new row\n\n"}})
		return "more"
	case n == 33:
		return fmt.Sprint("unselect ", w.selection.Unselect())
	case n < 36:
		return fmt.Sprint("word at ", row, ",", cell, " ", w.selection.Word(w.selection.SpotAt(row, cell)))
	default:
		toRow, toCell := w.spot()
		w.selection.Select(w.selection.SpotAt(row, cell), w.selection.SpotAt(toRow, toCell))
		return fmt.Sprint("select ", row, ",", cell, " ", toRow, ",", toCell)
	}
}

// Three hundred steps through a conversation in no order, and what is on the screen behind each of
// them that changed it, stand in this file; UPDATE_GOLDEN=1 writes it anew.
func TestGoldenAWindowAmongRandomSteps(t *testing.T) {
	v := shown(
		messages.TurnStarted{Prompt: "first needle"}, messages.Thinking{Chunk: "a needle of thoughts\nand more of them"}, messages.Text{Chunk: "An answer that is wider than its window, with needle in it.\n\n| a | b |\n|---|---|\n| one | row |\n\n- an item\n- [x] done\n\n```go\nfunc f() {\n\treturn // needle\n}\n```\n"},
		messages.ToolsCalled{Names: []string{"look"}}, messages.ToolStarted{Call: "1", Name: "look", Title: "look here"}, messages.ToolEnded{Call: "1", Name: "look", Status: messages.OK, Summary: "4 lines", Text: "one\nNEEDLE\nthree\nfour"},
		messages.ToolStarted{Call: "2", Name: "apply_patch", Title: "apply_patch a.go"},
		messages.ToolEnded{Call: "2", Name: "apply_patch", Status: messages.OK, Summary: "changed", Text: "ok", View: &messages.View{Kind: messages.Diff, Text: "--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-old row\n+new row\n same"}},
		messages.TurnEnded{Outcome: messages.Completed, Text: "x"}, messages.TurnStarted{Prompt: "second"}, messages.Text{Chunk: "日本語 row 日本 in “words”, (path/to.go:3) and\nmore"}, messages.TurnEnded{}, messages.TurnStarted{Prompt: "third needle\nin two lines"},
	)
	window := &view.Window{}
	w := &wanderer{random: rand.New(rand.NewPCG(1, 2)), view: v, window: window, selection: &view.Selection{Window: window}, width: 30, height: 8}
	var all strings.Builder
	before := ""
	for range 300 {
		w.rows = window.Show(v.Blocks, w.width, w.height, start.Add(time.Minute))
		did := w.step()
		w.rows = window.Show(v.Blocks, w.width, w.height, start.Add(time.Minute))
		above, of := window.Extent()
		words, lines := w.selection.Words()
		fmt.Fprintf(&all, "== %s: %d above of %d, following %v, news %d, %d lines %q\n", did, above, of, window.Following(), window.News(), lines, words)
		var screen strings.Builder
		for row, line := range w.rows {
			mark := " "
			if window.FocusedRow(row) {
				mark = ">"
			}
			fmt.Fprintf(&screen, "%s%s\n", mark, told(w.selection.Paint(row, line)))
		}
		if before != screen.String() {
			all.WriteString(screen.String())
		}
		before = screen.String()
	}
	goldentest.Hold(t, "wandered.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Where a text stands in a line, and how it is marked there, in this file; UPDATE_GOLDEN=1
// writes it anew.
func TestGoldenWhatIsMarked(t *testing.T) {
	var all strings.Builder
	lines := []view.Line{
		nil,
		{{Text: ""}},
		{{Text: "a"}},
		{{Text: "aaaa"}},
		{{Text: "needle"}, {Text: "s and NeedLes"}},
		{{Text: "nee"}, {Text: "dle"}, {Text: " x needle"}},
		{{Text: "x"}, {Text: "İstanbul istanbul"}, {Text: "!"}},
		{{Text: "ẞ ß ss"}},
		{{Text: "日本 日"}, {Text: "本"}},
		{{Role: view.Link, Text: "a link", Address: "https://a.org"}},
	}
	for _, line := range lines {
		fmt.Fprintf(&all, "== %q\n", line.String())
		for _, text := range []string{"", "a", "aa", "needle", "needles", "x", "istanbul", "İ", "i", "n!", "ß", "日本", "s", "link"} {
			at, length := view.IndexFold(line.String(), text)
			var parts []string
			for _, span := range view.Mark(line, text) {
				part := fmt.Sprintf("%q", span.Text)
				if span.Role == view.Found {
					part = "found " + part
				}
				parts = append(parts, part+span.Address)
			}
			fmt.Fprintf(&all, "%q at %d for %d: %s\n", text, at, length, strings.Join(parts, ", "))
		}
	}
	goldentest.Hold(t, "marked.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
