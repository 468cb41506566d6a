package tui_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
)

func TestADoubleClickCopiesAWord(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 16)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "look at ui/tui/paint.go:31 there"})
	row := 0
	for y, text := range p.sees("paint.go").rows {
		if strings.Contains(text, "paint.go") {
			row = y + 1
		}
	}
	click := fmt.Sprintf("\x1b[<0;15;%dM\x1b[<0;15;%dm", row, row)
	p.press(click + click)
	p.sees("Copied 1 line (18 characters")
	p.until("the word is marked", func(f frame) bool { return reversed(f, "ui/tui/paint.go:31") && !reversed(f, "there") })
	if out := p.wire.written(); !strings.Contains(out, "\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte("ui/tui/paint.go:31"))+"\x1b\\") {
		t.Error("the terminal is not asked for its clipboard")
	}
}
