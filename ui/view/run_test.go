package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

// rowsOf returns the rows on a screen of 60 columns.
func rowsOf(v *view.View, window *view.Window, now time.Time) string {
	var rows []string
	for _, line := range window.Show(v.Blocks, 60, 200, now) {
		rows = append(rows, strings.TrimRight(line.String(), " "))
	}
	return strings.Join(rows, "\n")
}

func TestUserShellCommandStreams(t *testing.T) {
	v, window := shown(), &view.Window{}
	block := v.Run("make\nall", start)
	block.Print("one\ntwo\n")
	block.Print("three\n 10 %\r 50 %\r100 %\r\n")
	if got, want := rowsOf(v, window, start.Add(3*time.Second)), "◦ $ make · 3s · running\n  │ two\n  │ three\n  │ 100 %"; got != want {
		t.Errorf("it runs as\n%s\nnot as\n%s", got, want)
	}
	v.CloseCommand(block, "one\ntwo\nthree\n 10 %\r100 %", messages.ToolError, "exit code 2", start.Add(4*time.Second))
	if got, want := rowsOf(v, window, start), "✗ $ make · 4s · exit code 2\n  │ one\n  │ two\n  │ three\n  │ 100 %"; got != want {
		t.Errorf("it ended as\n%s\nnot as\n%s", got, want)
	}

	long := v.Run("seq 101", start)
	var lines []string
	for i := range 101 {
		lines = append(lines, fmt.Sprint("line ", i+1))
	}
	v.CloseCommand(long, strings.Join(lines, "\n"), messages.OK, "", start.Add(time.Second))
	if got, want := rowsOf(v, window, start), "\n\n✓ $ seq 101 · 1s · 101 lines\n  │ line 99\n  │ line 100\n  │ line 101"; !strings.HasSuffix(got, want) {
		t.Errorf("a long one ended as\n%s", got)
	}
	window.Toggle(long)
	if got := rowsOf(v, window, start); !strings.Contains(got, "\n  │ line 1\n") || !strings.HasSuffix(got, "\n  │ line 101") {
		t.Errorf("unfolded it is\n%s", got)
	}
	none := v.Run("true", start)
	v.CloseCommand(none, "", messages.OK, "", start)
	if got := rowsOf(v, window, start); !strings.HasSuffix(got, "\n\n✓ $ true\n  │ (no output)") {
		t.Errorf("without output it is\n%s", got)
	}
}

// A command that prints for hours uses little memory. A command that runs while a new conversation
// begins is shown there.
func TestUserShellCommandIsBoundedAndOutlivesSession(t *testing.T) {
	v := shown()
	block := v.Run("yes", start)
	for range 1000 {
		block.Print(strings.Repeat("a line of a program\n", 100))
	}
	if size := len(block.Text()); size > 128<<10 || !strings.HasPrefix(block.Text(), "a line") {
		t.Errorf("%d bytes of it are held, from %.20q on", size, block.Text())
	}
	v.Apply(messages.Envelope{Event: messages.Cleared{}})
	v.CloseCommand(block, "a", messages.Interrupted, "", start)
	if got := rowsOf(v, &view.Window{}, start); got != "✗ $ yes · interrupted\n  │ a" {
		t.Errorf("then the screen has\n%s", got)
	}
}
