package view_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

// answered returns a conversation with an answer, on a screen of a width.
func answered(text string, width int) (*view.Selection, []view.Line) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: text})
	window := &view.Window{}
	return &view.Selection{Window: window}, window.Show(v.Blocks, width, 60, start)
}

// all returns the copied text of everything below the prompt.
func all(selection *view.Selection) string {
	selection.Select(selection.SpotAt(2, 0), selection.SpotAt(100, 0))
	words, _ := selection.Words()
	return words
}

func TestSelectionCopiesSource(t *testing.T) {
	for _, text := range []string{
		"one two three four five six seven eight nine ten eleven twelve",
		"a paragraph that is wider than the screen\n\nand another one, which is too\nin two lines",
		"- an item that is longer than a row of it is\n- [x] another, done\n  - inside of it, with words that wrap too",
		"1. first of them, longer than the screen is wide\n2. second",
		"日本語の文章は単語の間に空白がないのでどこでも折り返される",
		"averylongwordwithoutanyspaceinitwhichisbrokenanywhere and more",
	} {
		for _, width := range []int{14, 24, 40, 200} {
			selection, rows := answered(text, width)
			written := text
			if got := all(selection); got != written {
				t.Errorf("at %d cells of\n%s\nis copied\n%s\nwhere it was\n%s", width, drawing(rows), got, written)
			}
		}
	}
}

func TestSelectedCodeHasNoFrame(t *testing.T) {
	code := "func main() {\n\n\tfmt.Println(\"a line that is wider than the screen\")\n}"
	selection, _ := answered("so:\n\n```go\n"+code+"\n```\n\nthat is it", 30)
	want := "so:\n\n" + strings.ReplaceAll(code, "\t", "    ") + "\n\nthat is it"
	if got := all(selection); got != want {
		t.Errorf("copied is\n%s\nnot\n%s", got, want)
	}
}

func TestSelectedTableHasTabs(t *testing.T) {
	selection, _ := answered("| a | b |\n|---|---|\n| one | two |\n| 3 | four words of it |\n", 60)
	if got, want := all(selection), "a\tb\none\ttwo\n3\tfour words of it"; got != want {
		t.Errorf("copied is %q, not %q", got, want)
	}
}

func TestAStretchOfARowIsSelected(t *testing.T) {
	selection, rows := answered("alpha beta gamma", 60)
	for _, turned := range []bool{false, true} {
		from, to := selection.SpotAt(2, 8), selection.SpotAt(2, 11)
		if turned {
			from, to = to, from
		}
		selection.Select(from, to)
		if words, lines := selection.Words(); words != "beta" || lines != 1 {
			t.Errorf("selected are %q, %d lines", words, lines)
		}
		if got := drawing([]view.Line{selection.Paint(2, rows[2])}); !strings.Contains(got, "<found>beta</>") {
			t.Errorf("shown is %s", got)
		}
	}
	if !selection.Unselect() || selection.Unselect() {
		t.Error("it is not told whether there was a selection")
	}
	if words, _ := selection.Words(); words != "" {
		t.Errorf("still selected: %q", words)
	}
}

func TestASelectionStaysWithItsWords(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: "first line\n\nsecond\n"})
	window := &view.Window{}
	selection := &view.Selection{Window: window}
	window.Show(v.Blocks, 40, 4, start)
	selection.Grab()
	selection.Select(selection.SpotAt(1, 2), selection.SpotAt(1, 6)) // letters of "first", to stay on the screen
	v.Apply(messages.Envelope{At: start, Event: messages.Text{Chunk: strings.Repeat("\nmore\n", 30)}})
	if got := drawing(window.Show(v.Blocks, 40, 4, start)); !strings.Contains(got, "first line") {
		t.Errorf("what is held went away:\n%s", got)
	}
	if words, _ := selection.Words(); words != "first" {
		t.Errorf("selected is %q", words)
	}
	selection.LetGo()
	if got := drawing(window.Show(v.Blocks, 40, 4, start)); strings.Contains(got, "first line") || !window.Following() {
		t.Errorf("the end is not followed again:\n%s", got)
	}
	window.Show(v.Blocks, 30, 4, start)
	if words, _ := selection.Words(); words != "" {
		t.Errorf("on another width %q is selected", words)
	}
}

func TestOneSideOfAChangeIsSelected(t *testing.T) {
	change := "--- a/x.txt\n+++ b/x.txt\n@@ -1,3 +1,3 @@\n same\n-old words\n+new words\n last\n"
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.ToolStarted{Call: "1", Name: "edit_file", Title: "x.txt"},
		messages.ToolEnded{Call: "1", Name: "edit_file", Status: messages.OK, View: &messages.View{Kind: messages.Diff, Text: change}})
	for width, want := range map[int]string{60: "same\nold words\nnew words\nlast", 170: "same\nnew words\nlast"} {
		window := &view.Window{Results: true}
		selection := &view.Selection{Window: window}
		rows := window.Show(v.Blocks, width, 40, start)
		first := 0
		for i, row := range rows {
			if strings.Contains(row.String(), "same") {
				first = i
			}
		}
		cell := 5
		if width == 170 {
			cell = 90 // a cell in the right column
		}
		selection.Select(selection.SpotAt(first, cell), selection.SpotAt(100, 0))
		if got, _ := selection.Words(); got != want {
			t.Errorf("at %d cells of\n%s\nis copied\n%s", width, drawing(rows), got)
		}
	}
}

func TestAShortChangeIsShownUnasked(t *testing.T) {
	edited := func(lines int, status messages.Status) *view.View {
		return shown(messages.TurnStarted{Prompt: "p"}, messages.ToolStarted{Call: "1", Name: "edit_file", Title: "x.txt"}, messages.ToolEnded{
			Call: "1", Name: "edit_file", Status: status, Summary: "Error: no", Text: "Error: no\nline",
			View: &messages.View{Kind: messages.Diff, Text: "--- a/x.txt\n+++ b/x.txt\n@@ -0,0 +1 @@\n" + strings.Repeat("+came\n", lines)},
		})
	}
	show := func(v *view.View, window *view.Window) string { return drawing(window.Show(v.Blocks, 60, 60, start)) }
	window := &view.Window{}
	for v, open := range map[*view.View]bool{edited(1, messages.OK): true, edited(27, messages.OK): true, edited(28, messages.OK): false, edited(1, messages.ToolError): false} {
		if got := show(v, &view.Window{}); strings.Contains(got, "came") != open {
			t.Errorf("shown is\n%s", got)
		}
	}
	v := edited(1, messages.OK)
	for i, open := range []bool{true, true, false, true} { // as it is, all unfolded, all folded, all unfolded
		if got := show(v, window); strings.Contains(got, "came") != open {
			t.Errorf("after %d times it shows\n%s", i, got)
		}
		window.ToggleAll(view.Call)
	}
}

func TestAFailedCallSaysItsErrorOnce(t *testing.T) {
	for _, provider := range []string{"groq", "offline"} {
		v := shown(messages.Opened{Provider: provider, Model: "m"}, messages.TurnStarted{Prompt: "p"}, messages.ToolStarted{Call: "1", Name: "read_file", Title: "read_file x"},
			messages.ToolEnded{Call: "1", Name: "read_file", Status: messages.ToolError, Summary: "Error: it is gone", Text: "Error: it is gone\nmore"})
		if provider == "offline" { // answers with it
			v.Apply(messages.Envelope{At: start, Event: messages.Text{Chunk: "Error: it is gone\nmore"}})
		}
		for _, open := range []bool{false, true} {
			if provider == "offline" && open {
				continue // blocks unfolded by hand do not change
			}
			got := (&view.Window{Results: open}).Show(v.Blocks, 80, 20, start)
			if text := drawing(got); strings.Count(text, "it is gone") != 1 || strings.Contains(text, "error</><faint> · Error") {
				t.Errorf("%s, open %t:\n%s", provider, open, text)
			}
		}
	}
}

func TestAWordIsSelectedByOneOfItsCells(t *testing.T) {
	selection, _ := answered("see `ui/tui/paint.go:31` (and 日本語)", 60)
	words := ""
	for cell := range 45 {
		said := "-"
		if selection.Word(selection.SpotAt(2, cell)) {
			said, _ = selection.Words()
		}
		if !strings.HasSuffix(words, said+" ") {
			words += said + " "
		}
	}
	if want := "- see - ui/tui/paint.go:31 - and - 日本語 - "; words != want {
		t.Errorf("the words are %q, want %q", words, want)
	}
}
