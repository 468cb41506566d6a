package view_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

// numbered returns a transcript with numbered lines.
func numbered(blocks, lines int) *view.View {
	v := shown()
	for block := range blocks {
		text := ""
		for line := range lines {
			text += fmt.Sprintf("block %d line %d\n", block, line)
		}
		v.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: text}})
	}
	return v
}

func top(window *view.Window, v *view.View, width int) string {
	return window.Show(v.Blocks, width, 10, start)[0].String()
}

func TestNewTextNeverMovesReader(t *testing.T) {
	v := numbered(20, 5)
	var window view.Window
	top(&window, v, 40)
	window.Scroll(-7)
	reading := top(&window, v, 40)
	for i := range 30 {
		v.Apply(messages.Envelope{Event: messages.Text{Chunk: fmt.Sprintf("new %d\n", i)}})
		if now := top(&window, v, 40); now != reading {
			t.Fatalf("moved from %q to %q", reading, now)
		}
	}
	if window.Following() || window.NewRows() != 31 { // a gap and 30 lines
		t.Errorf("following %v, news %d", window.Following(), window.NewRows())
	}
	if narrow := top(&window, v, 12); narrow == "" || narrow[:8] != reading[:8] {
		t.Errorf("another width moves it from %q to %q", reading, narrow)
	}
	top(&window, v, 40)
	window.Scroll(1000)
	if top(&window, v, 40); !window.Following() || window.NewRows() != 0 {
		t.Error("at the end it follows again")
	}
}

func TestAReaderStaysInABlockThatBecomesShorter(t *testing.T) {
	v := numbered(20, 5)
	var window view.Window
	top(&window, v, 10)
	window.Scroll(-1000)
	first := top(&window, v, 10)
	for rows := 0; !strings.Contains(first, "line 4"); rows++ {
		if rows > 50 {
			t.Fatalf("the end of a block is not found; the last row is %q", first)
		}
		window.Scroll(1)
		first = top(&window, v, 10)
	}
	if first = top(&window, v, 40); !strings.HasSuffix(first, "block 0 line 4") {
		t.Errorf("in a wider window the first row is %q", first)
	}
}

func TestScrollingStopsAtBothEnds(t *testing.T) {
	v := numbered(3, 5)
	var window view.Window
	top(&window, v, 40)
	window.Scroll(-1000)
	if first := top(&window, v, 40); first != "› block 0 line 0" {
		t.Errorf("at the top: %q", first)
	}
	window.Scroll(1)
	if second := top(&window, v, 40); second != "  block 0 line 1" {
		t.Errorf("one down: %q", second)
	}
	window.End()
	rows := window.Show(v.Blocks, 40, 10, start)
	if last := rows[len(rows)-1].String(); last != "  block 2 line 4" || len(rows) != 10 {
		t.Errorf("the end is %q of %d rows", last, len(rows))
	}
	window.Home()
	if first := top(&window, v, 40); first != "› block 0 line 0" {
		t.Errorf("home: %q", first)
	}
	small := numbered(1, 3)
	var all view.Window
	all.Show(small.Blocks, 40, 10, start)
	all.Scroll(-5)
	if all.Show(small.Blocks, 40, 10, start); !all.Following() {
		t.Error("what is shown whole has nothing to read back")
	}
	var empty view.Window
	empty.Scroll(-1)
	empty.Home()
	if rows := empty.Show(nil, 40, 10, start); len(rows) != 0 {
		t.Errorf("nothing shows as %v", rows)
	}
}

// BenchmarkStreamIntoLongAnswer measures whether streaming costs as much at the end of a long
// answer as at its start.
func BenchmarkStreamIntoLongAnswer(b *testing.B) {
	v := numbered(10000, 2)
	var window view.Window
	window.Show(v.Blocks, 200, 60, start)
	for i := range b.N {
		chunk := "word "
		if i%15 == 0 {
			chunk = "word\n"
		}
		v.Apply(messages.Envelope{Event: messages.Text{Chunk: chunk}})
		window.Show(v.Blocks, 200, 60, start)
	}
}

// Tables that commands print as lines stay aligned if they are too wide.
func TestRemarksHangBelowTheirColumn(t *testing.T) {
	v := shown(messages.Notice{Text: "Commands:\n" +
		"  /model [NAME]  list the models, or use another one from now on\n" +
		"    nothing of a table but an indent that goes on\n" +
		"Two spaces.  They end a sentence and no column of it\n" +
		"a column that is far to the right of here  is no place\n" +
		"日本語  has other widths than bytes, and is left alone"})
	want := "• Commands:\n" +
		"    /model [NAME]  list the models, or\n" +
		"                   use another one from\n" +
		"                   now on\n" +
		"      nothing of a table but an indent\n" +
		"      that goes on\n" +
		"  Two spaces.  They end a sentence and\n" +
		"  no column of it\n" +
		"  a column that is far to the right of\n" +
		"  here  is no place\n" +
		"  日本語  has other widths than bytes,\n" +
		"  and is left alone\n"
	got := ""
	for _, line := range (&view.Window{}).Show(v.Blocks, 40, 100, start) {
		got += line.String() + "\n"
	}
	if got != want {
		t.Errorf("it shows\n%s\nnot\n%s", got, want)
	}
}

func TestNothingIsDroppedFromWhatIsAgreedTo(t *testing.T) {
	for text, want := range map[string]string{
		"rm -rf / home/me":          "rm -rf /| home/me",
		"rm -rf /home/me":           "rm -rf |/home/me",
		"rm -rf /home/me/all/of/it": "rm -rf |/home/me|/all/of/|it",
		"x          y":              "x       |   y",
		"one two three":             "one two |three",
		"日本 語の文":                    "日本 語|の文",
		"\techo a":                  "    echo| a",
	} {
		var rows []string
		for _, row := range view.Break(view.Line{{Text: text}}, 8) {
			rows = append(rows, row.String())
		}
		if got := strings.Join(rows, "|"); got != want {
			t.Errorf("%q is broken into %q, not %q", text, got, want)
		}
	}
}

func TestAnotherWidthIsNoNews(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: strings.Repeat("word ", 300)})
	window := &view.Window{}
	window.Show(v.Blocks, 80, 10, start)
	window.Scroll(-5)
	for _, width := range []int{40, 20, 80, 33} {
		if window.Show(v.Blocks, width, 10, start); window.NewRows() != 0 {
			t.Errorf("%d new rows at a width of %d", window.NewRows(), width)
		}
	}
	v.Apply(messages.Envelope{At: start, Event: messages.Text{Chunk: "\n\nmore"}})
	if window.Show(v.Blocks, 33, 10, start); window.NewRows() != 2 {
		t.Errorf("%d new rows, not an empty one and one with a word", window.NewRows())
	}
}
