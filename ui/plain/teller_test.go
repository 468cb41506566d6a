package plain

import (
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

func TestWordsOfOthersHaveNoColours(t *testing.T) {
	var screen strings.Builder
	tell := teller{out: &output{stdout: &screen, line: &line{}, colours: Sixteen}}
	tell.progress(messages.ToolOutput{Chunk: "✗ not really"}, time.Now())
	tell.showTurn(messages.Recalled{Prompt: "go", Steps: []messages.RecalledStep{{Text: "[Error] said"}}, Err: "it broke"}, false)
	if got, want := screen.String(), "  ✗ not really\n\x1b[1m> \x1b[0mgo\n[Error] said\n\x1b[31mError:\x1b[0m it broke\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAReaderThatLeftIsNoticed(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	lost := 0
	screen := output{stdout: out, line: &line{}, lost: func() { lost++ }}
	if screen.write("heard\n"); lost != 0 {
		t.Error("it was lost while someone read")
	}
	_ = in.Close()
	if screen.write("unheard\n"); lost != 1 {
		t.Errorf("it was lost %d times", lost)
	}
}
