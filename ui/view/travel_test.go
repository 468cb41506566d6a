package view_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

func TestTheWindowJumpsBetweenPrompts(t *testing.T) {
	v := shown()
	for i := range 5 {
		v.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: fmt.Sprintf("prompt %d", i)}})
		v.Apply(messages.Envelope{Event: messages.Text{Chunk: strings.Repeat("line\n", 20)}})
	}
	var window view.Window
	top(&window, v, 40)
	for _, want := range []string{"› prompt 4", "› prompt 3", "› prompt 2"} {
		if window.GoToPrompt(-1); top(&window, v, 40) != want {
			t.Errorf("%q, not %q", top(&window, v, 40), want)
		}
	}
	if window.GoToPrompt(1); top(&window, v, 40) != "› prompt 3" {
		t.Errorf("down to %q", top(&window, v, 40))
	}
	for window.GoToPrompt(1) {
		top(&window, v, 40)
	}
	if !window.Following() {
		t.Error("after the last prompt it follows the end")
	}
}

func TestASearchFindsRowsAndUnfoldsWhatHidesThem(t *testing.T) {
	v := numbered(30, 3)
	v.Apply(messages.Envelope{Event: messages.ToolEnded{Call: "1", Name: "say", Status: messages.OK, Text: "a\nNEEDLE in it\nb"}})
	v.Apply(messages.Envelope{Event: messages.Text{Chunk: strings.Repeat("some İstanbul text\n", 30)}})
	var window view.Window
	show := func() string { return drawing(window.Show(v.Blocks, 40, 10, start)) }
	show()
	window.BeginFind()
	if !window.Find("needle", -1, false) || !strings.Contains(show(), "NEEDLE in it") {
		t.Errorf("no needle in\n%s", show())
	}
	if !window.Find("BLOCK 7 line 2", -1, false) || !strings.Contains(show(), "block 7 line 2") {
		t.Errorf("not found upwards:\n%s", show())
	}
	window.BeginFind()
	window.Find("line 2", -1, false)
	for _, want := range []string{"block 8 line 2", "block 7 line 2", "block 6 line 2", "block 5 line 2"} {
		if window.Find("line 2", -1, true); !strings.Contains(show(), want) {
			t.Errorf("no %s in\n%s", want, show())
		}
	}
	if window.Find("line 2", 1, true); !strings.Contains(show(), "block 6 line 2") {
		t.Errorf("not back down:\n%s", show())
	}
	if window.Find("nowhere", 1, false) {
		t.Error("found what is not there")
	}
	marked := view.Mark(view.Line{{Role: view.Plain, Text: "an İ nee"}, {Role: view.Code, Text: "dle, needle"}}, "NEEDLE")
	if got := drawing([]view.Line{marked}); got != "an İ <found>nee</><found>dle</><code>, </><found>needle</>\n" {
		t.Errorf("marked %s", got)
	}
}

func TestSingleBlocksFold(t *testing.T) {
	v := shown()
	for _, call := range []string{"1", "2"} {
		v.Apply(messages.Envelope{Event: messages.ToolEnded{Call: call, Name: "say", Status: messages.OK, Text: "result " + call}})
	}
	var window view.Window
	show := func() string { return drawing(window.Show(v.Blocks, 40, 10, start)) }
	show()
	window.Toggle(window.At(0))
	if text := show(); !strings.Contains(text, "result 1") || strings.Contains(text, "result 2") {
		t.Errorf("the first is open:\n%s", text)
	}
	window.ToggleAll(view.Call)
	window.Toggle(v.Blocks[1])
	if text := show(); !strings.Contains(text, "result 1") || strings.Contains(text, "result 2") {
		t.Errorf("all but the second are open:\n%s", text)
	}
	window.MoveFocus(-1)
	window.MoveFocus(-1)
	if window.Focused() != v.Blocks[0] || !window.FocusedRow(0) || window.FocusedRow(2) {
		t.Error("the focus is not on the first block")
	}
}

func TestCodeIsCopiedWithoutItsFences(t *testing.T) {
	v := shown(messages.Text{Chunk: "x\n```go\na\n\tb\n```\n- i\n  ```\n  c\n  ```\n"})
	if got := fmt.Sprintf("%q", v.Blocks[0].Codes()); got != `["a\n\tb\n" "c\n"]` {
		t.Error(got)
	}
}

// The scroll bar estimates blocks without a layout, but its ends are exact.
func TestTheExtentReachesFromEndToEnd(t *testing.T) {
	v := numbered(500, 4)
	var window view.Window
	window.Show(v.Blocks, 40, 10, start)
	if above, all := window.Extent(); above+10 != all {
		t.Errorf("at the end %d of %d are above", above, all)
	}
	window.Home()
	if above, _ := window.Extent(); above != 0 {
		t.Errorf("%d rows above the first", above)
	}
}

// Rows take several times the memory of their text, so only those near the screen are kept.
func TestMemoryStaysFlatOverManyMessages(t *testing.T) {
	v := numbered(10_000, 5)
	var window view.Window
	text := 0
	for _, block := range v.Blocks {
		text += len(block.Text())
	}
	used := func() int {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc)
	}
	before := used()
	window.Show(v.Blocks, 80, 50, start)
	for range 2000 {
		window.Scroll(-30)
		window.Show(v.Blocks, 80, 50, start)
	}
	if grown := used() - before; grown > text {
		t.Errorf("reading %d bytes of messages keeps %d", text, grown)
	}
	runtime.KeepAlive(v)
}

func TestLongPromptIsFolded(t *testing.T) {
	var paste strings.Builder
	for i := range 40 {
		fmt.Fprintf(&paste, "pasted %d\n", i)
	}
	v := shown(messages.TurnStarted{Prompt: paste.String() + "end"}, messages.TurnStarted{Prompt: strings.Repeat("short\n", 19) + "last"})
	var window view.Window
	show := func() string { return drawing(window.Show(v.Blocks, 60, 80, start)) }
	if got := show(); !strings.Contains(got, "pasted 7") || strings.Contains(got, "pasted 8") || !strings.Contains(got, "… 33 more lines") || !strings.Contains(got, "last") {
		t.Errorf("folded:\n%s", got)
	}
	window.Toggle(v.Blocks[0])
	if got := show(); !strings.Contains(got, "pasted 39") || strings.Contains(got, "more lines") {
		t.Errorf("unfolded:\n%s", got)
	}
	window.ToggleAll(view.Call)
	window.ToggleAll(view.Call)
	if got := show(); strings.Contains(got, "pasted 39") {
		t.Errorf("folded again:\n%s", got)
	}
}

func TestAFenceWithoutALineBreakBehindItEndsItsCode(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: "Look:\n\n```go\nx := 1\n```"})
	if got := drawing((&view.Window{}).Show(v.Blocks, 60, 20, start)); strings.Contains(got, "```") || !strings.Contains(got, "╰╴") || !strings.Contains(got, "x") {
		t.Errorf("%s", got)
	}
}
