package tui_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/tui"
)

// conversation sends a conversation with prompts, answers, code and a tool call.
func conversation(talk *scripted) {
	talk.say(opened)
	for i := range 3 {
		talk.say(messages.TurnStarted{Prompt: fmt.Sprintf("question %d", i)}, lines(i*10, i*10+10),
			messages.Text{Chunk: "\n```go\nfirst()\n```\n\n```sh\nsecond\n```\n"},
			messages.ToolStarted{Call: "1", Name: "say", Title: "say"}, messages.ToolEnded{Call: "1", Name: "say", Status: messages.OK, Text: fmt.Sprintf("hidden %d", i)},
			messages.TurnEnded{Outcome: messages.Completed, Text: "x"})
	}
}

func reversed(f frame, word string) bool {
	_, _, attributes := f.styles[word].Decompose()
	return attributes&tcell.AttrReverse != 0
}

func TestFindGoesThroughTheConversation(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 14)
	conversation(talk)
	p.sees("6 messages")
	p.press("Ctrl-F", "HIDDEN")
	p.until("the newest, unfolded and marked", func(f frame) bool {
		return strings.Contains(f.String(), "hidden 2") && strings.Contains(f.String(), "find: HIDDEN") && reversed(f, "hidden")
	})
	p.press("Up")
	p.sees("hidden 1")
	p.press("Enter", "n")
	p.sees("hidden 0", "reading")
	p.press("N")
	p.sees("hidden 1")
	p.press("/", "no such thing")
	p.sees("nowhere")
	p.press("Esc") // back to reading
	p.seesNo("find:")
	p.press("Esc") // back to the input
	p.seesNo("reading ·")
	p.press("a draft")
	p.sees("› a draft")
	p.until("nothing is marked", func(f frame) bool { return !reversed(f, "hidden") })
}

func TestReadingFoldsCopiesAndJumps(t *testing.T) {
	talk := newScripted()
	var copied string
	var mutex sync.Mutex
	p := sitWith(t, talk, 60, 14, func(c *tui.Config) {
		c.Copy = func(text string) (string, error) {
			mutex.Lock()
			defer mutex.Unlock()
			copied = text
			return "a program", nil
		}
	})
	has := func(want string) {
		t.Helper()
		mutex.Lock()
		defer mutex.Unlock()
		if copied != want {
			t.Errorf("copied %q, not %q", copied, want)
		}
	}
	conversation(talk)
	p.sees("6 messages")
	p.press("Alt-p")
	p.until("the prompt on top", func(f frame) bool { return f.rows[1] == "› question 2" })
	p.press("Alt-p")
	p.until("the prompt before", func(f frame) bool { return f.rows[1] == "› question 1" })
	p.press("End", "F3")
	p.sees("▌")
	p.press(" ") // the tool call
	p.sees("hidden 2")
	p.press("k", "Y")
	p.sees("Code block 2 of 2 is on the clip")
	has("second")
	p.press("Y")
	p.sees("Code block 1 of 2")
	has("first()")
	p.press("k", "y")
	p.sees("It is on the clip")
	has("question 2")
	if out := p.wire.written(); !strings.Contains(out, "\x1b]52;c;cXVlc3Rpb24gMg==\x1b\\") {
		t.Error("the terminal is not asked for its clipboard")
	}
	p.press("x") // no code in a prompt, and no text for the input
	p.sees("The answer has no code block")
	p.press("z")
	p.sees("Esc goes back to the input")
	p.press("Esc")
	p.seesNo("▌")
	p.press("typed")
	p.sees("› typed")
}

func TestAClickUnfoldsABlockAndFoldsItAgain(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 30)
	conversation(talk)
	f := p.sees("6 messages", "✓ say")
	row := -1
	for y, text := range f.rows {
		if strings.Contains(text, "✓ say") {
			row = y
		}
	}
	p.press(fmt.Sprintf("\x1b[<0;5;%dM\x1b[<0;5;%dm", row+1, row+1))
	p.sees("hidden 2")
	p.press(fmt.Sprintf("\x1b[<0;5;%dM\x1b[<0;5;%dm", row+1, row+1))
	p.seesNo("hidden 2")
}

// drag returns the bytes that a terminal sends when the mouse is dragged from one cell to another.
// Cells count from 1.
func drag(x, y, toX, toY int) string {
	return fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM\x1b[<0;%d;%dm", x, y, toX, toY, toX, toY)
}

func TestTheMouseCopiesWhatItIsDrawnOver(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 40, 16)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "words that are wider than the screen, which has forty cells\n\nand more"})
	f := p.sees("and more")
	row := 0
	for y, text := range f.rows {
		if strings.Contains(text, "words that") {
			row = y + 1
		}
	}
	p.press(drag(3, row, 10, row+1))
	p.sees("Copied 1 line (46 characters")
	p.until("what was copied is marked", func(f frame) bool { return reversed(f, "wider") })
	if out := p.wire.written(); !strings.Contains(out, "\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte("words that are wider than the screen, which ha"))+"\x1b\\") {
		t.Error("the terminal is not asked for its clipboard")
	}
	p.press("x")
	p.until("a key ends it", func(f frame) bool { return !reversed(f, "wider") && strings.Contains(f.String(), "› x") })
}

func TestTheScrollBarFollows(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 40, 14)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, lines(0, 100))
	thumb := func() []int {
		var rows []int
		display := newDisplay(40, 14)
		display.write(p.wire.written())
		for y, row := range display.cells {
			if row[39] == "▐" {
				rows = append(rows, y)
			}
		}
		return rows
	}
	p.sees("line 99")
	if rows := thumb(); fmt.Sprint(rows) != "[11]" {
		t.Errorf("at the end the thumb is in rows %v", rows)
	}
	p.press("Ctrl-Home", "\x1b[1;5H")
	p.sees("› go")
	if rows := thumb(); fmt.Sprint(rows) != "[1]" {
		t.Errorf("at the beginning it is in rows %v", rows)
	}
}

func TestContextAndClearing(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 120, 14)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.UsageChanged{Context: messages.Context{Used: 12_345, Limit: 226_000}})
	p.sees("12K of 226K")
	talk.say(messages.UsageChanged{}, messages.Text{Chunk: "said"})
	p.sees("12K of 226K", "said")
	talk.say(messages.Cleared{}, messages.ModeChanged{Profile: "alex"})
	p.seesNo("said")
	p.sees("profile alex")
	p.seesNo("messages")
}

func TestUserInAnotherWindowIsNotified(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 14, func(c *tui.Config) { c.Notify = "osc9" })
	turn := func(took time.Duration, text string) {
		talk.events <- []messages.Envelope{{At: time.Now().Add(-took), Event: messages.TurnStarted{Prompt: text}}}
		talk.say(messages.TurnEnded{Outcome: messages.Completed, Text: "done with " + text})
		p.sees("done with " + text)
	}
	const told = "\x1b]9;Marvin has answered\x1b\\"
	turn(time.Minute, "one")
	p.press("\x1b[O", "x") // the focus goes; the key shows that this was seen
	p.sees("› x")
	turn(time.Second, "two")
	if strings.Contains(p.wire.written(), told) {
		t.Error("told of a turn that was looked at, or short")
	}
	turn(time.Minute, "three")
	if !strings.Contains(p.wire.written(), told) {
		t.Error("not told of a long turn")
	}
	talk.say(messages.Asked{Ask: "1", Title: "Sure?", Choices: []messages.Choice{messages.Yes, messages.No}})
	p.sees("Sure?")
	if !strings.Contains(p.wire.written(), "\x1b]9;Marvin asks for your decision\x1b\\") {
		t.Error("not told of a question")
	}
	if out := p.wire.written(); !strings.Contains(out, "\x1b[?1004h") {
		t.Error("the terminal is not asked for its focus")
	}
}

func TestUnsentDraftIsKept(t *testing.T) {
	talk := newScripted()
	saves := make(chan tui.Unsent, 16)
	p := sitWith(t, talk, 60, 14, func(c *tui.Config) {
		c.Unsent = tui.Unsent{Input: "from before", Queue: []string{"waiting"}}
		c.Save = func(unsent tui.Unsent) error { saves <- unsent; return errors.New("no room") }
	})
	talk.say(opened)
	p.sees("› from before", "⏳ waiting")
	p.press("!")
	if kept := <-saves; kept.Input != "from before!" || len(kept.Queue) != 1 {
		t.Errorf("kept %+v", kept)
	}
	p.sees("because it cannot be saved: no")
	p.press("Enter")
	if kept := <-saves; kept.Input != "" {
		t.Errorf("what was sent is kept: %+v", kept)
	}
	p.press("last words")
	p.sees("last words")
	p.press("Ctrl-Q") // before they were kept
	p.left()
	var kept tui.Unsent
	for len(saves) > 0 {
		kept = <-saves
	}
	if kept.Input != "last words" {
		t.Errorf("kept at last %+v", kept)
	}
}

func TestAPromptGoesOutWhileADraftIsBeingKept(t *testing.T) {
	begun, free := make(chan struct{}, 8), make(chan struct{})
	talk := newScripted()
	p := sitWith(t, talk, 80, 24, func(c *tui.Config) {
		c.Save = func(tui.Unsent) error { begun <- struct{}{}; <-free; return nil }
	})
	p.press("h")
	<-begun
	p.press("ello", "Enter")
	select {
	case op := <-talk.ops:
		if prompt, ok := op.(messages.Prompt); !ok || prompt.Text != "hello" {
			t.Errorf("it sent %+v", op)
		}
	case <-time.After(actorstest.Patience):
		t.Error("nothing was sent")
	}
	close(free)
	p.press("Ctrl-D")
	if err := p.left(); err != nil {
		t.Error(err)
	}
}

// All rows of a link are one link for the terminal, and its address is shown. Rows may be sent
// separately, because pieces with the same id and address are one link
// (gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
func TestLinksAreLinksOfTheTerminal(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 40, 14)
	talk.say(opened, messages.TurnStarted{Prompt: "where"}, messages.Text{Chunk: "See [the manual](https://example.org/manual/of/everything?x=$<1>).\n"}, messages.TurnEnded{Outcome: messages.Completed, Text: "x"})
	p.sees("the manual", "hing?x")
	out := p.wire.written()
	said, rows := map[string]string{}, 0
	for n, piece := range strings.Split(out, "\x1b]8;") {
		link, text, ended := strings.Cut(piece, "\x1b\\")
		if n == 0 || link == ";" { // in front of the first link, or behind one
			continue
		}
		if !ended || !strings.HasPrefix(link, "id=") || !strings.HasSuffix(link, ";https://example.org/manual/of/everything?x=$%3C1%3E") {
			t.Errorf("a piece of the link is %q", link)
		}
		said[link] += escapes.ReplaceAllString(text, "")
		rows++
	}
	if len(said) != 1 || rows < 2 {
		t.Errorf("%d rows of the links %q in %q", rows, said, out)
	}
	for _, text := range said {
		if text = strings.Join(strings.Fields(text), ""); text != "themanual(https://example.org/manual/of/everything?x=$<1>)" {
			t.Errorf("the link is %q in %q", text, out)
		}
	}
}

// escapes matches the sequences that a terminal interprets instead of showing them.
var escapes = regexp.MustCompile("\x1b(\\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9])|[\x0e\x0f]")
