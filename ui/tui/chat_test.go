package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/ui/tui"
)

type noArgs struct{}

// asking is a tool that asks before it runs.
func asking(detail string) tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "launch", Doc: "Launches.",
		Confirm: func(tools.Env, noArgs) (string, string) { return "Launch it?", detail },
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) {
			return tools.Output{Text: "launched\nall of it"}, nil
		},
	})
}

func TestAPromptIsAnsweredOnTheScreen(t *testing.T) {
	gate := make(chan struct{})
	server := modeltest.Start(t, modeltest.Text("It is ").Append(modeltest.Pause(gate), modeltest.Text("**four** o'clock.")))
	p := sit(t, actorstest.Setup{Server: server}, 60, 12)
	if shown := p.sees("test-model"); strings.Contains(shown.rows[0], "0") {
		t.Errorf("before anything was said the status line is %q", shown.rows[0])
	}
	p.press("what time", "Ctrl-J", "is it", "Enter")
	half := p.sees("› what time", "  is it", "● It is", "answering")
	if half.x != 2 || half.y != 11 {
		t.Errorf("the cursor is at %d,%d", half.x, half.y)
	}
	close(gate)
	whole := p.sees("● It is four o'clock.", "2 messages")
	for word, color := range map[string]tcell.Color{"›": tcell.ColorTeal, "●": tcell.ColorTeal} {
		if foreground, background, _ := whole.styles[word].Decompose(); foreground != color || background != tcell.ColorDefault {
			t.Errorf("%s is %v on %v", word, foreground, background)
		}
	}
	p.press("quit", "Enter")
	if err := p.left(); err != nil {
		t.Error(err)
	}
}

func TestNoColorMeansNone(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("`code` and **bold**"))
	p := sit(t, actorstest.Setup{Server: server}, 60, 12, func(c *tui.Config) { c.Looks.Colours, c.First = "none", "go" })
	for word, style := range p.sees("and bold", "2 messages").styles {
		if foreground, _, _ := style.Decompose(); foreground != tcell.ColorDefault {
			t.Errorf("%q is in colour %v", word, foreground)
		}
	}
}

func TestCaretFollowsWideCharacters(t *testing.T) {
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t)}, 20, 8)
	p.press("日本語")
	if f := p.sees("› 日本語"); f.x != 8 || f.y != 7 {
		t.Errorf("behind 日本語 the cursor is at %d,%d", f.x, f.y)
	}
	p.press("Left", "👨‍👩‍👧")
	if f := p.sees("› 日本👨‍👩‍👧語"); f.x != 8 {
		t.Errorf("behind the family the cursor is in cell %d", f.x)
	}
	p.press("Ctrl-E", "日本語日本語") // ten of eighteen cells are taken
	p.until("wrapped", func(f frame) bool { return f.x == 4 && f.y == 7 && strings.Contains(f.rows[6], "› 日本") })
}

func TestQuestionsShowTheirEffectAndTypeAheadIsNoAnswer(t *testing.T) {
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "launch"}), modeltest.Text("done"))
	client := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asking("rm -rf /tmp/x\nin /tmp")}, Policy: &actors.Policy{Coding: true, Person: true}}).Client
	p := sitWith(t, client, 60, 14, func(c *tui.Config) { c.First = "go" })
	p.sees("Launch it?", "│ rm -rf /tmp/x", "│ in /tmp", "[y]es", "[a]lways", "[n]o")
	p.press("yes and", "Enter") // was being typed
	p.sees("› yes and", "Launch it?")
	armed := func(f frame) bool {
		_, _, attributes := f.styles["[y]es"].Decompose()
		return strings.Contains(f.String(), "[y]es") && attributes&tcell.AttrDim == 0
	}
	p.until("ready for an answer", armed)
	p.press("Enter") // chooses nothing
	p.sees("Press y, a or n", "Launch it?")
	p.press("x", "y") // x is no choice, so that this is writing
	p.sees("› yes andxy", "Launch it?")
	p.until("ready again", armed)
	p.press("y")
	p.sees("✓ launch", "● done", "› yes andxy")
	p.seesNo("all of it")
	p.press("Ctrl-O")
	p.sees("│ all of it")
	p.press("Ctrl-O")
	p.seesNo("all of it")
}

func TestEscDeclinesAndArrowsChoose(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "launch"}), modeltest.Text("one"),
		modeltest.Calls(modeltest.Call{Name: "launch"}), modeltest.Text("two"))
	p := sit(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asking("it")}}, 60, 14, func(c *tui.Config) { c.First = "go" })
	armed := func(f frame) bool {
		_, _, attributes := f.styles["[y]es"].Decompose()
		return strings.Contains(f.String(), "[y]es") && attributes&tcell.AttrDim == 0
	}
	p.until("ready", armed)
	p.press("Esc")
	p.sees("denied", "● one")
	p.press("again", "Enter")
	p.until("ready", armed)
	p.press("Right")
	p.sees("▸[y]es")
	p.press("Enter")
	p.sees("✓ launch", "● two")
}

// A question shows the calls that "always" would cover, and accepts instructions that replace the
// call.
func TestAQuestionSaysWhatAlwaysCovers(t *testing.T) {
	told := ""
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			told = last.Result.Text
			return modeltest.Text("one")
		}
		return modeltest.Calls(modeltest.Call{Name: "launch"})
	})
	p := sit(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asking("it")}}, 60, 14, func(c *tui.Config) { c.First = "go" })
	p.until("ready", func(f frame) bool {
		_, _, attributes := f.styles["[y]es"].Decompose()
		return strings.Contains(f.String(), "│ always: launch in this conversation") && strings.Contains(f.String(), "[i]nstead") && attributes&tcell.AttrDim == 0
	})
	p.press("i", "land it", "Esc")
	p.seesNo("instead: ")
	p.press("i", "land ot", "Backspace", "Backspace", "it", "Enter")
	p.sees("denied", "● one")
	if !strings.Contains(told, "in their own words: land it") {
		t.Errorf("the model is told %s", told)
	}
}

func TestQuestionDetailCanBeOpened(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 14)
	talk.say(opened, messages.Asked{Ask: "1", Title: "Read them?", Detail: strings.Repeat("a file\n", 20) + "the last one", More: "── a ──\nwhat it says", Choices: []messages.Choice{messages.Yes, messages.No}})
	p.until("ready", func(f frame) bool {
		_, _, attributes := f.styles["[v]iew"].Decompose()
		return strings.Contains(f.String(), "[v]iew") && !strings.Contains(f.String(), "[i]nstead") && attributes&tcell.AttrDim == 0
	})
	p.press("v")
	p.sees("│ what it says", "[v]iew the question")
	p.press("y")
	p.sees("There is more to read")
	p.press("v")
	p.sees("│ a file")
	p.press("PgDn", "PgDn", "PgDn", "PgDn")
	p.sees("│ the last one")
	p.press("y")
	if answer := (<-talk.ops).(messages.Answer); answer.Choice != messages.Yes {
		t.Errorf("%+v", answer)
	}
}

// The approval key changes the mode even while a question is open, and the status bar shows the
// mode.
func TestAKeyChangesTheApprovalMode(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Calls(modeltest.Call{Name: "launch"}) })
	p := sit(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asking("it")}}, 80, 14)
	p.sees("coding · asks before some commands")
	p.press("\x1bOS") // F4
	p.sees("coding · plan: no changes", "Approval mode plan: no tool may write")
	p.press("\x1ba") // Alt-a
	p.sees("coding · asks before changes")
	p.press("go", "Enter")
	p.sees("Launch it?", "[y]es")
	p.press("\x1bOS")
	p.sees("coding · auto: in the sandbox", "Launch it?")
}

func TestConsentNeedsThatAllWasSeen(t *testing.T) {
	detail := strings.Repeat(" ", 3000) + "rm -rf /\n" + strings.Repeat("more\n", 30) + "the end"
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "launch"}), modeltest.Text("done"))
	p := sit(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asking(detail)}}, 60, 14, func(c *tui.Config) { c.First = "go" })
	p.until("ready", func(f frame) bool {
		_, _, attributes := f.styles["[y]es"].Decompose()
		return strings.Contains(f.String(), "Read to the end") && attributes&tcell.AttrDim == 0
	})
	p.press("y")
	p.sees("There is more to read", "[y]es")
	for range 20 {
		p.press("PgDn")
	}
	p.sees("│ the end")
	p.press("y")
	p.sees("● done")
}

func TestEscAndCtrlCKeepTheHalfAnswer(t *testing.T) {
	for _, key := range []string{"Esc", "Ctrl-C"} {
		server := modeltest.Start(t, modeltest.Text("half an answer").Append(modeltest.Hang()))
		p := sit(t, actorstest.Setup{Server: server}, 60, 12, func(c *tui.Config) { c.First = "go" })
		p.sees("half an answer")
		p.press("later", "Enter")
		p.sees("⏳ later", "sent with the next step")
		p.press(key)
		p.sees("half an answer", "[Cancelled]", "› later") // the queue comes back to be looked at
	}
}

func TestCtrlCAtRest(t *testing.T) {
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t)}, 60, 12)
	p.press("some text")
	p.sees("› some text")
	p.press("Ctrl-C")
	p.seesNo("some text")
	p.press("Up")
	p.sees("› some text")
	p.press("Ctrl-C")
	p.seesNo("some text")
	p.press("Ctrl-C")
	p.sees("Ctrl-C again leaves")
	p.press("Ctrl-C")
	if err := p.left(); err != nil {
		t.Error(err)
	}
}

func TestInputWhileBusyIsQueued(t *testing.T) {
	gate := make(chan struct{})
	server := modeltest.Start(t, modeltest.Text("one").Append(modeltest.Pause(gate)), modeltest.Text("two"), modeltest.Text("three"))
	p := sit(t, actorstest.Setup{Server: server}, 60, 20)
	p.press("first", "Enter")
	p.sees("● one")
	p.press("second", "Alt-Enter")
	p.sees("⏳ second")
	p.press("thrid", "Alt-Enter")
	p.sees("⏳ second", "⏳ thrid")
	p.press("Alt-Up", "Backspace", "Backspace", "Backspace", "ird", "Alt-Enter")
	p.sees("⏳ third")
	close(gate)
	p.sees("› second", "● two", "› third", "● three")
}

// Text that is submitted while tools run is part of the very next request and cancels nothing.
// Until that request the user can take it back.
func TestWordsSteerTheRunningTurn(t *testing.T) {
	gate := make(chan struct{})
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		switch last := request.Last(); {
		case last.Text == "first":
			return modeltest.Text("let me look").Append(modeltest.Calls(modeltest.Call{Name: "wait"}))
		case strings.Contains(last.Text, "in blue"):
			return modeltest.Text("blue it is")
		}
		return modeltest.Text("red it is")
	})
	waits := tools.New(tools.Def[struct{}]{Name: "wait", Doc: "Wait.", Core: true, Run: func(ctx context.Context, _ tools.Env, _ struct{}) (tools.Output, error) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return tools.Output{Text: "waited"}, nil
	}})
	p := sit(t, actorstest.Setup{Server: server, Tools: []tools.Tool{waits}}, 60, 20)
	p.press("first", "Enter")
	p.sees("wait · ")
	p.press("in green", "Enter")
	p.sees("⏳ in green", "sent with the next step")
	p.press("Alt-Up")
	p.sees("› in green")
	p.press("Ctrl-W", "blue", "Enter")
	p.sees("⏳ in blue")
	close(gate)
	p.sees("› in blue", "● blue it is")
	p.seesNo("⏳")
}

func TestLateSteeringReachesEndingAnswer(t *testing.T) {
	gate := make(chan struct{})
	server := modeltest.Start(t, modeltest.Text("one").Append(modeltest.Pause(gate)), modeltest.Text("two"))
	p := sit(t, actorstest.Setup{Server: server}, 60, 20)
	p.press("first", "Enter")
	p.sees("● one")
	p.press("second", "Enter")
	p.sees("⏳ second")
	close(gate)
	p.sees("› second", "● two")
	p.seesNo("⏳")
}

func TestPastedLinesBecomeChip(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		return modeltest.Text(fmt.Sprint("came ", strings.Count(request.Last().Text, "pasted")))
	})
	p := sit(t, actorstest.Setup{Server: server}, 250, 12)
	p.press("see ", "\x1b[200~"+strings.Repeat("pasted\x1b[31m line\r", 200)+"\x1b[201~")
	p.sees("› see [pasted 200 lines]")
	p.press("Enter")
	p.sees("● came 200")
}

func TestLeavingByKeyAndByOrder(t *testing.T) {
	for _, key := range []string{"Ctrl-D", "Ctrl-Q"} {
		p := sit(t, actorstest.Setup{Server: modeltest.Start(t)}, 60, 12)
		p.press(key)
		if err := p.left(); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("half").Append(modeltest.Hang()))}, 60, 12, func(c *tui.Config) { c.First = "go" })
	p.sees("half")
	p.stop() // SIGTERM or SIGHUP
	if err := p.left(); err != nil {
		t.Error(err)
	}
}

func TestATerminalThatGoesAwayEndsTheConversation(t *testing.T) {
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("half").Append(modeltest.Hang()))}, 60, 12, func(c *tui.Config) { c.First = "go" })
	p.sees("half")
	close(p.wire.hangup)
	p.left()
}

func TestSearchingBack(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	p := sit(t, actorstest.Setup{Server: server}, 60, 12, func(c *tui.Config) {
		c.Inputs = func(string) []string { return []string{"convert 12 km", "what is new", "convert 3 km"} }
	})
	p.press("Ctrl-R", "conv")
	p.sees("search: conv", "convert 3 km")
	p.press("Ctrl-R")
	p.sees("convert 12 km")
	p.press("Enter")
	p.sees("› convert 12 km")
	p.press("Enter")
	p.sees("● ok")
}

func TestTheEditorGetsTheTerminal(t *testing.T) {
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t)}, 60, 12, func(c *tui.Config) {
		c.Edit = func(text string) (string, error) { return strings.ToUpper(text) + "\nmore", nil }
	})
	p.press("text", "Ctrl-G")
	p.sees("› TEXT", "  more")
}

func TestProAsksCopilotForOnePrompt(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("from Copilot"))
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t), Other: server}, 60, 12)
	p.press("!pro", "Enter")
	p.sees("/pro PROMPT asks Copilot")
	p.press("Ctrl-U", "!pro hello", "Enter")
	p.sees("● from Copilot")
	if last := server.Requests()[0].Last(); last.Text != "hello" || last.Role != messages.User {
		t.Errorf("asked %+v", last)
	}
}

func TestALongQuestionIsCounted(t *testing.T) {
	p := sit(t, actorstest.Setup{Server: modeltest.Start(t)}, 80, 24)
	p.press("\x1b[200~" + strings.Repeat("word ", 2000) + "\x1b[201~")
	p.sees("[pasted 10000 characters]")
	p.press("s")
	p.sees("10001 characters: a long prompt")
	p.press("Ctrl-U")
	p.seesNo("a long question")
}
