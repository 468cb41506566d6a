package plain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// walk is a user at a terminal of 80 columns, and the output after each key.
type walk struct {
	*Screen
	t       *testing.T
	out     strings.Builder // output since the last step
	all     strings.Builder
	now     time.Time
	dropped int // unread writes
}

func (w *walk) Write(text []byte) (int, error) {
	if w.dropped > 0 {
		return 0, errors.New("nobody reads")
	}
	return w.out.Write(text)
}

func (w *walk) Send(op messages.Op) { fmt.Fprintf(&w.out, "<sent %T %+v>", op, op) }

func (w *walk) Next(ctx context.Context) ([]messages.Envelope, error) { return nil, ctx.Err() }

// person starts a walk. There is no loop: the test runs each step.
func person(t *testing.T) *walk {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close(); write.Close() })
	w := &walk{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)}
	now := func() time.Time { return w.now }
	w.Screen = &Screen{Config: Config{
		Client: w, Stdout: w, Now: now, Terminal: read, Edits: true,
		Inputs: func(profile string) []string {
			if profile == "default" {
				return []string{"old", "go test ./...", "git status"}
			}
			return []string{"of " + profile}
		},
		AddInput:  func(profile, text string) { fmt.Fprintf(&w.out, "<kept %s %q>", profile, text) },
		Clipboard: func(text string) (string, error) { return "by " + text, nil },
		Place:     func(dir string) string { return "~" + dir },
		Keys:      map[string][]string{"nonsense": {"Ctrl-X"}},
		Complete: func(kind slash.Kind, dir, prefix string) (all []slash.Completion) {
			for _, item := range strings.Fields("docs/ main.go main_test.go deep/a/ deep/b/") {
				if strings.HasPrefix(item, prefix) {
					all = append(all, slash.Completion{Item: item})
				}
			}
			if prefix == "many" {
				for i := range 70 {
					all = append(all, slash.Completion{Item: fmt.Sprint("many", i)})
				}
			}
			return all
		},
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: w, Front: front, Now: now, Host: cycle{}}, Pictures: command.Pictures{
				Paste: func(context.Context) (string, string, error) {
					return "/tmp/my picture.png", "[picture: my picture.png]", nil
				},
			}}
		},
	}}
	w.furnish(t.Context().Done())
	return w
}

// cycle is the part of a host that knows the models.
type cycle struct{ command.Host }

func (cycle) Cycle() []command.Choice {
	return []command.Choice{{Provider: "groq", Model: "llama"}, {Provider: "mine", Model: "small"}}
}

func (cycle) Efforts(command.Choice) ([]string, bool) { return []string{"low", "high"}, true }

// step records the output of a step.
func (w *walk) step(name string, do func()) {
	do()
	w.show()
	fmt.Fprintf(&w.all, "%s\n    %q\n", name, w.out.String())
	w.out.Reset()
}

// keys types keys one by one.
func (w *walk) keys(names ...string) {
	for _, name := range names {
		w.step(name, func() {
			pressed := key{name: name}
			switch text, words := strings.CutPrefix(name, "'"); {
			case words:
				pressed = key{text: text}
			case strings.HasPrefix(name, "paste "):
				pressed = key{text: strings.TrimPrefix(name, "paste "), paste: true}
			}
			before, word := w.line.Word()
			kind, _ := slash.KindOfWord(before, word, w.line.First())
			w.key(pressed)
			if name == "tab" && kind != "" && w.Complete != nil { // the lookup runs outside the loop
				(<-w.results)()
			}
			if name == "ctrl-v" {
				(<-w.results)()
			}
		})
	}
}

func (w *walk) hears(events ...messages.Event) {
	for _, event := range events {
		w.step(fmt.Sprintf("%T", event), func() {
			envelope := messages.Envelope{At: w.now, Event: event}
			w.event(envelope)
			w.engine.Hear(envelope)
		})
	}
}

func (w *walk) hold(name string) {
	w.t.Helper()
	goldentest.Assert(w.t, name, w.all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

var opened = messages.Opened{Profile: "default", Provider: "groq", Model: "llama", Dir: "/p", Coding: true, Approval: messages.ApproveEdits}

func TestEditedLine(t *testing.T) {
	w := person(t)
	w.hears(opened)
	w.keys("'two words", "left", "alt-b", "'ä", "backspace", "home", "delete", "end", "ctrl-w", "ctrl-y", "ctrl-j", "'below", "up", "enter")
	w.hears(messages.TurnStarted{Prompt: "git status"})
	w.keys("'for the next step", "enter", "ctrl-c")
	w.hears(messages.Steered{Prompt: "for the next step"})
	w.hears(messages.Text{Chunk: "half an answer"})
	w.keys("'typed")
	w.hears(messages.TurnEnded{Outcome: messages.Cancelled, Text: "half an answer"})
	w.keys("up", "up", "down", "down", "ctrl-c", "ctrl-c", "'x", "backspace", "ctrl-c")
	w.keys("ctrl-r", "'go", "'d", "backspace", "ctrl-r", "ctrl-r", "right", "ctrl-u", "ctrl-r", "'git", "ctrl-g", "ctrl-r", "'zzz", "enter", "ctrl-r", "'stat", "ctrl-c")
	w.keys("'"+strings.Repeat("long ", 20), "home", "'x", "end", "ctrl-u", "paste one\ntwo\nthree", "paste short", "ctrl-u", "ctrl-v", "ctrl-u")
	w.keys("ctrl-p", "shift-tab", "alt-q", "ctrl-x")
	w.hears(messages.ModeChanged{Dir: "/p", Coding: true, Approval: messages.ApprovePlan}, messages.ModeChanged{Dir: "/p", Coding: true, Profile: "alex", Approval: messages.ApproveEdits})
	w.keys("up", "ctrl-u")
	w.hears(messages.Rewound{Prompt: "once more\nbelow"})
	w.hears(messages.Rewound{Prompt: "not in the place of what is typed"})
	w.keys("ctrl-u", "ctrl-u", "backspace", "ctrl-u", "'/copy", "enter", "'/keys", "enter", "ctrl-d")
	if !w.leaving {
		t.Error("Ctrl-D in an empty line does not leave")
	}
	w.step("nobody reads", func() { w.dropped = 1; w.say("x") })
	w.hold("edited.txt")
}

// The completions of each kind of word with Tab.
func TestTabCompletion(t *testing.T) {
	w := person(t)
	w.hears(opened)
	for _, typed := range []string{"", "/he", "/zzz", "/mo", "look at @do", "look at @ma", "look at @main.", "@many", "de", "deep/", "x many", "/export ma", "!ls ma", "zz/"} {
		if typed != "" {
			w.keys("'" + typed)
		}
		w.keys("tab", "ctrl-u")
	}
	w.Complete = nil
	w.keys("'/he", "tab", "ctrl-u", "'ma/", "tab", "ctrl-u")
	w.hold("completed.txt")
}

// Questions: early keys still belong to the input, a decision is a number, a plan has modes, and a
// form is filled in page by page.
func TestQuestionsWhileEditing(t *testing.T) {
	w := person(t)
	w.hears(opened, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "let me"})
	w.keys("'draft")
	consent := messages.Asked{Ask: "q1", Kind: messages.AskConsent, Tool: "run_command", Title: "Run?", Detail: "ls", Choices: []messages.Choice{messages.Yes, messages.Always, messages.No}, Always: "all `ls`", More: strings.TrimSuffix(strings.Repeat("row\n", 81), "\n")}
	w.hears(consent)
	w.keys("'y", "enter") // too soon
	w.now = w.now.Add(300 * time.Millisecond)
	w.keys("'v", "enter", "'V", "enter", "'v", "enter", "'v", "enter", "'al", "enter")
	w.hears(messages.Answered{Ask: "q1", Choice: messages.No})
	plan := messages.Asked{Ask: "p1", Kind: messages.AskPlan, Title: "Do this?", Detail: "1. look", Choices: []messages.Choice{messages.Yes, messages.No}}
	for i, line := range []string{"1", "2", "3", "n but else", ""} {
		plan.Ask = fmt.Sprint("p", i)
		w.hears(plan)
		w.now = w.now.Add(time.Second)
		if line != "" {
			w.keys("'" + line)
		}
		w.keys("enter")
	}
	decide := messages.Asked{Kind: messages.AskConsent, Tool: "rm", Title: "Remove?", Choices: []messages.Choice{messages.Yes, messages.Always, messages.No}}
	for i, line := range []string{"1", "Y", "YES", "2", "a", "3", "no do else", "N do else", "4", "x", "0"} {
		decide.Ask = fmt.Sprint("d", i)
		w.hears(decide)
		w.now = w.now.Add(time.Second)
		w.keys("'"+line, "enter")
	}
	sheet := messages.Asked{Ask: "s", Kind: messages.AskChoice, Title: "Some questions", Deadline: w.now.Add(10 * time.Minute), Questions: []messages.Question{
		{Text: "Which?", Options: []messages.Option{{Label: "red", Recommended: true, Reason: "warm"}, {Label: "blue"}}},
		{Text: "What else?", Free: true},
	}}
	w.hears(sheet)
	w.now = w.now.Add(time.Second)
	w.keys("'9", "enter", "'2", "enter")
	w.now = w.now.Add(6 * time.Minute)
	w.keys("'w", "'ords", "enter")
	w.hears(messages.TurnEnded{Outcome: messages.Completed, Text: "let me"})
	w.step("ctrl-c twice", func() { w.interrupt(); w.interrupt(); w.interrupt() })
	w.hold("questions.txt")
}

func TestCommandsWithoutATerminal(t *testing.T) {
	w := person(t)
	w.hears(opened, messages.TurnStarted{Prompt: "x"})
	f := front{w.Screen}
	w.out.Reset()
	w.hide()
	w.out.Reset()
	f.Submit(messages.Prompt{Text: "of another one", Provider: "mine"})
	f.Submit(messages.Prompt{Text: "with a picture", Pictures: []messages.Picture{{Name: "a.png"}}})
	f.Say(messages.Problem, "it is full")
	f.Say(messages.Warning, "mind it")
	if got := w.out.String(); !strings.HasPrefix(got, "[Queued] of another one\n<sent") || !strings.Contains(got, ">[Queued] with a picture\n<sent") || !strings.HasSuffix(got, ">[Error] it is full\n[System] mind it\n") {
		t.Errorf("%q", got)
	}
	w.line.wrong, w.First, w.Place = nil, "", nil
	w.out.Reset()
	if w.showGreeting(opened); strings.Contains(w.out.String(), "keys:") {
		t.Errorf("of keys that are right gets %q", w.out.String())
	}
	w.line.wrong = []string{"odd"}
	w.Terminal, w.Clipboard, w.edits = nil, nil, false
	w.out.Reset()
	w.showGreeting(opened)
	if got := w.out.String(); got != "Marvin (groq llama), profile default. Type a message; /help lists the commands,\nCtrl-C cancels; to leave, type quit or press Ctrl-D.\n" {
		t.Errorf("a pipe is told %q", got)
	}
	way, err := f.Copy("x")
	if way != "" || err == nil || err.Error() != "there is no clipboard here; /export FILE.md writes the conversation to a file" {
		t.Errorf("%q, %v", way, err)
	}
	if f.Suspend(nil) != command.ErrNoTerminal || f.Theme("dark") != command.ErrNoColours || f.Pick(command.Pick{}) || f.StartDisplay("ls") != nil {
		t.Error("it does what no one can see")
	}
	if got := f.Keys(); got != "Keys: Enter sends the line, Ctrl-C cancels, Ctrl-D or a second Ctrl-C leaves." {
		t.Error(got)
	}
	w.out.Reset()
	w.event(messages.Envelope{Event: messages.Asked{Ask: "q", Kind: messages.AskConsent, Title: "Read AGENTS.md?", Choices: []messages.Choice{messages.Yes, messages.No}}})
	if got := w.out.String(); got != "<sent messages.Answer {Ask:q Choice:no Text: Chosen:[] Values:map[] Mode: Digest: By:}>" || len(w.talk.Asked) != 0 {
		t.Errorf("%q, open %v", got, w.talk.Asked)
	}
	w.talk.Turn.Running = false
	w.out.Reset()
	if f.Submit(messages.Prompt{Text: "behind those"}); !strings.HasPrefix(w.out.String(), "[Queued] behind those\n") {
		t.Errorf("%q", w.out.String())
	}
	w.out.Reset()
	w.talk.Queue = nil
	if f.Submit(messages.Prompt{Text: "at once"}); !strings.HasPrefix(w.out.String(), "<sent") {
		t.Errorf("%q", w.out.String())
	}
}

// Keys arrive in pieces. Those after the key that leaves do not count.
func TestNoKeyCountsBehindTheLast(t *testing.T) {
	w := person(t)
	w.hears(opened)
	w.handleInput("a\x1b[Zb\x7f\x15\x04\x04more")
	if !w.leaving || w.line.Text() != "" || strings.Count(w.out.String(), "messages.Quit") != 1 || !strings.Contains(w.out.String(), "Effort:low") {
		t.Errorf("%v, %q, %q", w.leaving, w.line.Text(), w.out.String())
	}
	var decoder keys
	if got := names(decoder.take("\x1b[" + strings.Repeat("1;", 16))); got != "unknown" {
		t.Errorf("a sequence without an end is %s", got)
	}
	width := 10
	narrow := line{}
	narrow.Insert("abcdefghijkl")
	if got := narrow.draw("label:", width); got != "abcdefghi\r\njkl\r\x1b[3C" {
		t.Errorf("%q", got)
	}
	narrow = line{}
	narrow.Insert("ab")
	if got := narrow.draw("five:", width); got != "five:ab\r\x1b[7C" {
		t.Errorf("%q", got)
	}
}
