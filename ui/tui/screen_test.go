package tui_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

var opened = messages.Opened{Profile: "default", Provider: "test", Model: "test-model"}

func lines(from, to int) messages.Text {
	var text strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	return messages.Text{Chunk: text.String()}
}

func TestNewTextDoesNotScrollReader(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 40, 13)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, lines(0, 100))
	p.sees("line 99")
	for _, back := range []struct {
		key   string
		first string
	}{{"Shift-Up", "  line 89"}, {"Shift-Down", "  line 90"}, {"PgUp", "  line 82"}, {"WheelUp", "  line 79"}, {"WheelDown", "  line 82"}} {
		p.press(back.key)
		p.until(back.first+" on top", func(f frame) bool { return f.rows[1] == back.first })
	}
	talk.say(lines(100, 107))
	p.until("marked", func(f frame) bool { return f.rows[1] == "  line 82" && strings.Contains(f.String(), "↓ 7 new lines") })
	p.press("End")
	p.sees("line 106")
	talk.say(lines(107, 108))
	p.sees("line 107")
	p.press("Home")
	p.until("the beginning", func(f frame) bool { return f.rows[1] == "› go" })
	p.press("text", "Home", "|")
	p.sees("› |text", "› go") // with text in the input Home moves there
	p.press("PgDn")
	p.until("a page further", func(f frame) bool { return f.rows[1] == "  line 6" })
}

func TestTheModesStayOnANarrowScreen(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 120, 12)
	talk.say(opened, messages.ModeChanged{Dir: "/project", Coding: true, Approval: messages.ApproveEdits}, messages.UsageChanged{
		Usage:   messages.Usage{InputTokens: 1030, Unpriced: []string{"test-model"}},
		Context: messages.Context{Used: 22_600, Limit: 226_000},
	})
	p.sees("test-model · 1K tokens · 23K of 226K · coding · asks before some commands") // a model of unknown price
	talk.say(messages.TurnStarted{Prompt: "go"}, messages.UsageChanged{
		Usage:   messages.Usage{InputTokens: 1030, Cost: 0.01, Unpriced: []string{"test-model"}},
		Context: messages.Context{Used: 22_600, Limit: 226_000},
	}, messages.TurnEnded{Outcome: messages.Completed, Text: "done", Usage: messages.Usage{InputTokens: 1030, Cost: 0.01, Unpriced: []string{"test-model"}}})
	p.sees("test-model · 2 messages · $0.0100+ (1K tokens) · 23K of 226K · coding · asks before some commands")
	for _, each := range []struct {
		width int
		bar   string
	}{
		{80, "test-model · 2 messages · $0.0100+ · 10% · coding · asks before some commands"},
		{52, "test-model · 2 messages · $0.0100+ · 10% · coding"},
		{36, "test-model · 2 messages · coding"},
		{22, "test-model · coding"},
	} {
		p.wire.become(each.width, 12)
		p.until(each.bar, func(f frame) bool { return strings.TrimSpace(f.rows[0]) == each.bar })
	}
}

func TestChangeOfModeIsReported(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 12)
	talk.say(opened)
	p.sees("─ /help lists the commands · F1 the keys ─")
	talk.say(messages.ModeChanged{Dir: "/project", Coding: true, Profile: "default"})
	p.sees("• Coding mode ON 🔧, in /project")
	talk.say(messages.ModeChanged{Dir: "/project", Coding: true, Profile: "alex"})
	talk.say(messages.ModeChanged{Profile: "alex"}, messages.TurnStarted{Prompt: "go"})
	if shown := p.sees("• Coding mode OFF", "› go"); strings.Count(shown.String(), "Coding mode ON") != 1 || strings.Contains(shown.String(), "F1") {
		t.Errorf("it shows\n%s", shown)
	}
}

// A command that has to wait for the end of the turn is not lost, and the screen shows it.
func TestCommandWaitingForTurnIsShown(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 12)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "so far"})
	p.sees("─ answering · ")
	p.press("/compact", "Enter")
	p.sees("Esc cancels · also: compact ─")
	p.press("next", "Enter")
	p.sees("⏳ next", "Alt-Up edits")
	p.press("a draft")
	p.sees("› a draft")
	p.press("Alt-Up") // it must not be overwritten
	p.sees("First send or clear the text that you are writing", "› a draft", "⏳ next")
	talk.say(messages.TurnEnded{Outcome: messages.Completed})
	p.seesNo("compact ─")
}

func TestAStandIsOnTheScreen(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 12)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "so far"})
	p.seesNo("no data")
	talk.say(messages.Waiting{Why: "No data from the model for 20 s.", Since: time.Now().Add(-40 * time.Second)})
	p.sees("─ answering · ", "· no data for 4", "Esc cancels")
	talk.say(messages.Waiting{})
	p.seesNo("no data")
	talk.say(messages.Waiting{Why: "No data from the model for 20 s.", Since: time.Now().Add(-40 * time.Second)})
	p.sees("· no data for 4")
	talk.say(messages.Text{Chunk: " and on"})
	p.seesNo("no data")
}

// The terminal changes to any size at any moment.
func TestResizeStorm(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 24)
	talk.say(opened, messages.TurnStarted{Prompt: "日本語 and more"}, messages.Thinking{Chunk: "hm\n"}, lines(0, 50),
		messages.ToolStarted{Call: "1", Name: "say", Title: "say"}, messages.ToolEnded{Call: "1", Name: "say", Status: messages.OK, Text: "said"})
	p.press("日本語 typing")
	random := rand.New(rand.NewPCG(1, 2))
	sizes := [][2]int{{1, 1}, {1, 100}, {300, 1}, {2, 2}, {19, 5}, {20, 4}, {20, 5}, {21, 6}, {300, 100}}
	for range 60 {
		sizes = append(sizes, [2]int{1 + random.IntN(300), 1 + random.IntN(100)})
	}
	for i, size := range sizes {
		p.wire.become(size[0], size[1])
		if i%3 == 0 {
			talk.say(messages.Text{Chunk: fmt.Sprintf("step %d 日本語\n", i)})
		}
		if i == 20 {
			talk.say(messages.Asked{Ask: "1", Title: "Sure?", Detail: strings.Repeat("all of this ", 50), Choices: []messages.Choice{messages.Yes, messages.No}})
		}
		p.until(fmt.Sprint(size), func(f frame) bool {
			return len(f.rows) == size[1] && (size[0] < 20 || size[1] < 5 || strings.Contains(f.String(), "test-model"[:min(10, size[0]-6)]))
		})
	}
	p.wire.become(80, 24)
	p.sees("test-model", "日本語 typing", "Sure?")
	p.wire.become(10, 3)
	p.sees("too small")
}

// tcell posts each new size from its own goroutine, so the last event to arrive may contain an old
// size. The layout uses the terminal's current size.
func TestAnOldSizeThatComesLateIsNotBelieved(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 24)
	talk.say(opened, messages.TurnStarted{Prompt: "go"})
	p.sees("test-model", "1 message")
	p.screen.EventQ() <- tcell.NewEventResize(33, 10)
	p.press("behind it") // the same queue
	if shown := p.sees("behind it"); !strings.Contains(shown.rows[0], "1 message") || !strings.Contains(shown.rows[22], "behind it") {
		t.Errorf("the screen is laid out for another size:\n%s", shown)
	}
}

// tcell also posts a size at the start. A size that changes nothing sends no cell again.
func TestASizeThatChangesNothingSendsNoCellAgain(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 24)
	talk.say(opened)
	p.sees("test-model")
	first := p.wire.written()
	p.screen.EventQ() <- tcell.NewEventResize(80, 24)
	p.press("behind it") // the same queue
	p.sees("behind it")
	if again := strings.TrimPrefix(p.wire.written(), first); !strings.Contains(first, "test-model") || strings.Contains(again, "test-model") {
		t.Errorf("it sent %q, and then %q", first, again)
	}
}

func TestTheFirstFrameShowsWhatWasSaid(t *testing.T) {
	talk, now := newScripted(), time.Now()
	p := sitWith(t, talk, 80, 24, func(c *tui.Config) { c.Now = func() time.Time { return now } })
	talk.say(opened)
	if first := p.sees("test-model"); first.number != 1 {
		t.Errorf("it is frame %d", first.number)
	}
}

func TestScrollingByTheTerminalShowsTheFrame(t *testing.T) {
	talk := newScripted()
	const width, height = 60, 20
	p := sitWith(t, talk, width, height)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, lines(0, 30))
	p.sees("line 29")
	random := rand.New(rand.NewPCG(3, 4))
	texts := []string{"line %d\n", "日本語 %d wide 👨‍👩‍👧\n\n", "- item %d\n", "| a%d | b |\n|---|---|\n| 1 | 2 |\n\n", "word %d "}
	for i := range 300 {
		switch random.IntN(8) {
		case 0:
			p.press([]string{"Shift-Up", "PgUp", "WheelUp", "WheelDown", "PgDn", "Shift-Down", "End"}[random.IntN(7)])
		case 1:
			talk.say(messages.ToolEnded{Call: fmt.Sprint(i), Name: "say", Status: messages.OK, Text: "result\nof it"})
			p.press("Ctrl-O")
		default:
			for range 1 + random.IntN(5) {
				talk.say(messages.Text{Chunk: fmt.Sprintf(texts[random.IntN(len(texts))], i)})
			}
		}
		if i%10 == 9 {
			mark := fmt.Sprintf("mark %d", i)
			p.press(mark)
			shown := p.sees("› " + mark)
			p.press("Ctrl-U")
			// Each second gets its own frame, which may be written before the test looks at it.
			p.until(fmt.Sprintf("the terminal shows the frame, in step %d", i), func(f frame) bool {
				display := newDisplay(width, height)
				display.write(p.wire.written())
				return f.number > shown.number && !strings.Contains(f.String(), mark) && display.String() == f.String()
			})
		}
	}
	if !strings.Contains(p.wire.written(), "\x1b[r") {
		t.Error("nothing was ever scrolled by the terminal")
	}
}

// Row 15 of the security table: text by other authors reaches the terminal as plain text.
func TestHostileTextChangesNothing(t *testing.T) {
	const evil = "\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1b[?1049l\u009b31m\u202e\U000E0041\r\x00"
	talk := newScripted()
	p := sitWith(t, talk, 100, 40, func(c *tui.Config) {
		c.Unsent = tui.Unsent{Input: evil, Queue: []string{evil}}
		c.Complete = func(slash.Kind, string, string) []slash.Completion {
			return []slash.Completion{{Item: "a" + evil, Note: evil}, {Item: "b" + evil}}
		}
		c.Inputs = func(string) []string { return []string{evil} }
		c.Keys = map[string][]string{evil: {evil}}
	})
	p.press(" ./", "Tab") // names of files
	p.sees("a]0;owned")
	p.press("Down", "Enter", "Ctrl-C", "Up", "Ctrl-F", "owned")
	p.sees("find:")
	p.press("Enter", "Ctrl-C")
	talk.say(messages.Opened{Profile: evil, Provider: evil, Model: "m" + evil}, messages.TurnStarted{Prompt: evil},
		messages.Thinking{Chunk: evil}, messages.Text{Chunk: evil + "\n```\n" + evil}, messages.ToolsCalled{Names: []string{evil}},
		messages.ToolStarted{Call: "1", Name: evil, Title: evil},
		messages.ToolEnded{Call: "1", Name: evil, Status: messages.OK, Summary: evil, Text: evil},
		messages.Asked{Ask: "1", Title: evil, Detail: evil, Choices: []messages.Choice{messages.Yes, messages.No}})
	p.press("Ctrl-O", "\x1b[200~"+evil+"\x1b[201~")
	p.sees("│ ]0;owned", "[y]es")
	talk.say(messages.Answered{Ask: "1"}, messages.TurnEnded{Err: evil}, messages.Notice{Text: evil + "the end"})
	p.sees("the end")
	out := p.wire.written()
	for _, sequence := range []string{"\x1b]0;", "\x1b]52", "\x1b[?1049l", "\a", "\u009b", "\u202e", "\U000E0041", "\x00"} {
		if strings.Contains(out, sequence) {
			t.Errorf("%q reaches the terminal", sequence)
		}
	}
}

// A front end that panics still restores the terminal. The test makes each goroutine panic in turn.
func TestPanicsGiveTheTerminalBack(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 12)
	talk.events <- []messages.Envelope{{Event: messages.Asked{Ask: "1", Choices: []messages.Choice{""}}}} // breaks the loop
	if err := p.left(); err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Errorf("a panic in the loop: %v", err)
	}
	p = sitWith(t, broken{}, 60, 12)
	if err := p.left(); err == nil || !strings.Contains(err.Error(), "the reader broke") {
		t.Errorf("a panic in the reader: %v", err)
	}
}

type broken struct{}

func (broken) Send(messages.Op)                                  {}
func (broken) Next(context.Context) ([]messages.Envelope, error) { panic("the reader broke") }

func TestWarningsOfTheProgramGoToTheTranscript(t *testing.T) {
	warnings := make(chan string, 1)
	talk := newScripted()
	p := sitWith(t, talk, 60, 12, func(c *tui.Config) { c.Lines = warnings })
	warnings <- "warning: the disk is full"
	p.sees("• warning: the disk is full")
}

// Ask 1: on a large screen, a word that gets its own frame costs only a few bytes. So does a line
// that moves all other lines, because only the differences are sent.
func TestWordCostsFewBytes(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 200, 60)
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, lines(0, 100), messages.Text{Chunk: "begun "})
	p.press("x") // comes behind the terminal's first event, which draws everything
	p.sees("begun", "› x")
	cost := func(what string, limit int, text string) {
		t.Helper()
		before := len(p.wire.written())
		const pieces = 20
		for i := range pieces {
			piece := fmt.Sprintf(text, i)
			talk.say(messages.Text{Chunk: piece})
			p.sees(strings.TrimSpace(piece))
		}
		each := (len(p.wire.written()) - before) / pieces
		t.Logf("%d bytes for %s", each, what)
		if each > limit {
			t.Errorf("%d bytes for %s, more than %d", each, what, limit)
		}
	}
	cost("a word", 150, "word%d ")
	cost("a line that moves the others", 250, "line %d\n")
}
