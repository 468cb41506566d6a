package plain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/plan"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// screen is a plain screen with its user's input and output.
type screen struct {
	t          *testing.T
	keys       *io.PipeWriter
	interrupts chan os.Signal
	ended      chan error

	mu   sync.Mutex
	text bytes.Buffer
	grew chan struct{}
}

func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.grew <- struct{}{}:
	default:
	}
	return s.text.Write(text)
}

func (s *screen) read() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// expect waits until the screen shows the text.
func (s *screen) expect(text string) {
	s.t.Helper()
	deadline := time.After(actorstest.Patience)
	for !strings.Contains(s.read(), text) {
		select {
		case <-s.grew:
		case <-deadline:
			s.t.Fatalf("%q never came; the screen:\n%s", text, s.read())
		}
	}
}

func (s *screen) enter(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func open(t *testing.T, first string, server *modeltest.Server, list ...tools.Tool) *screen {
	t.Helper()
	return openWith(t, first, actorstest.Start(t, actorstest.Setup{Server: server, Tools: list, Policy: &actors.Policy{Person: true, Coding: true}}).Client)
}

func openWith(t *testing.T, first string, client ui.Client, changes ...func(*plain.Config)) *screen {
	t.Helper()
	stdin, keys := io.Pipe()
	s := &screen{t: t, keys: keys, interrupts: make(chan os.Signal, 1), ended: make(chan error, 1), grew: make(chan struct{}, 1)}
	front := plain.Screen{Config: plain.Config{
		Client: client, Stdin: stdin, Stdout: s, Interrupts: s.interrupts, First: first, Now: time.Now,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: client, Front: front, Now: time.Now}}
		},
	}}
	for _, change := range changes {
		change(&front.Config)
	}
	go func() { s.ended <- front.Run(context.Background()) }()
	t.Cleanup(func() { keys.Close() })
	return s
}

func (s *screen) end() {
	s.t.Helper()
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Error(err)
		}
	case <-time.After(actorstest.Patience):
		s.t.Fatalf("it does not end; the screen:\n%s", s.read())
	}
	if strings.ContainsRune(s.read(), '\x1b') {
		s.t.Errorf("an ESC byte was written: %q", s.read())
	}
}

// danger is a tool that asks before it runs.
func danger(ran *string) tools.Tool {
	type args struct {
		Command string `json:"command" doc:"Commands"`
	}
	return tools.New(tools.Def[args]{
		Name: "danger", Doc: "Runs something.",
		Confirm: func(_ tools.Env, in args) (string, string) { return "Run this?", in.Command },
		Run: func(_ context.Context, _ tools.Env, in args) (tools.Output, error) {
			*ran += in.Command + ";"
			return tools.Output{Text: "ran"}, nil
		},
	})
}

func call(command string) modeltest.Step {
	return modeltest.Calls(modeltest.Call{Name: "danger", Args: map[string]string{"command": command}})
}

func TestTranscriptFile(t *testing.T) {
	var ran string
	s := open(t, "hello", modeltest.Start(t,
		modeltest.Text("Hello ", "to you. \x1b]0;owned\x07"),
		call("rm one"), modeltest.Text("Then not."),
		call("rm two"), modeltest.Text("Gone."),
		call("rm three"), modeltest.Text("Else."),
	), danger(&ran))
	s.expect("Hello to you. ]0;owned\n\nYou: ")
	s.enter("remove one")
	s.expect("Run this?\nrm one\n  1. yes\n  2. always: danger in this conversation\n  3. no\n  n WORDS: no; WORDS tell Marvin what to do instead\nChoose a number (Enter means no): ")
	s.enter("") // Enter means no
	s.expect("Then not.")
	s.enter("remove two")
	s.expect("rm two\n  1. yes")
	s.enter("1")
	s.expect("Gone.")
	s.enter("remove three")
	s.expect("rm three\n  1. yes")
	s.enter("n keep it")
	s.expect("Else.")
	s.enter("QUIT")
	s.end()
	if ran != "rm two;" {
		t.Errorf("it ran %q", ran)
	}
}

func TestInterruptCancelsAndThenLeaves(t *testing.T) {
	s := open(t, "", modeltest.Start(t, modeltest.Text("It begins").Append(modeltest.Hang())))
	s.expect("You: ")
	s.enter("go")
	s.expect("It begins")
	s.interrupts <- os.Interrupt
	s.expect("[Cancelled]\n\nYou: ")
	s.interrupts <- os.Interrupt
	s.end()
}

func TestTheEndOfInputIsTheEnd(t *testing.T) {
	s := open(t, "", modeltest.Start(t))
	s.expect("You: ")
	s.keys.Close()
	s.end()
	if text := s.read(); !strings.HasSuffix(text, "You: \n") {
		t.Errorf("the prompt's line is left open: %q", text)
	}
}

// The lines of a program are answered in order, each before the next is read, and the end of input
// cancels nothing.
func TestLinesFromAPipeAreAllAnswered(t *testing.T) {
	var ran string
	s := open(t, "", modeltest.Start(t, modeltest.Text("One."), call("rm one"), modeltest.Text("Removed."), call("rm two"), modeltest.Text("Kept.")), danger(&ran))
	if _, err := io.WriteString(s.keys, "first\nremove one\n1\nremove two\n"); err != nil {
		t.Fatal(err)
	}
	s.keys.Close() // nobody confirms the second
	s.end()
	text := s.read()
	for _, want := range []string{"You: first\nOne.\n\nYou: remove one\n", "Choose a number (Enter means no): 1\n", "Removed.", "Kept."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if ran != "rm one;" {
		t.Errorf("it ran %q", ran)
	}
}

func TestLineByLineForThoseWhoListen(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("Half a ", "line", ".\nAnother", " one."))})
	var writes []string
	front := plain.Screen{Config: plain.Config{
		Client: tree.Client, Stdin: strings.NewReader("go\n"), Now: time.Now, WholeLines: true,
		Stdout: writer(func(text string) { writes = append(writes, text) }),
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: tree.Client, Front: front, Now: time.Now}}
		},
	}}
	if err := front.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Half a line.\n", "Another one."} {
		if !slices.Contains(writes, want) {
			t.Errorf("%q was not written at once: %q", want, writes)
		}
	}
	if !strings.Contains(strings.Join(writes, ""), "[Done in 0 s]\n") {
		t.Errorf("its end is not said: %q", writes)
	}
}

type writer func(string)

func (w writer) Write(text []byte) (int, error) {
	w(string(text))
	return len(text), nil
}

// Hostile text in any event cannot control a terminal.
func TestNothingThatATerminalObeysIsWritten(t *testing.T) {
	hostile := "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e\U000e0041x"
	odd := tools.New(tools.Def[struct{}]{Name: "odd", Doc: "Odd.", Run: func(_ context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
		return tools.Output{}, errors.New(hostile)
	}})
	s := open(t, hostile, modeltest.Start(t, modeltest.Think(hostile).Append(modeltest.Calls(modeltest.Call{Name: "odd", Args: map[string]any{}})),
		modeltest.Text(hostile), modeltest.Status(400, `{"error":{"message":"bad \u001b[31m"}}`)), odd)
	s.expect("You: ")
	s.enter(hostile)
	s.expect("[Error] ")
	s.enter("quit")
	s.end()
	for _, r := range s.read() {
		if r != '\n' && r < ' ' || r >= 0x7f && r <= 0x9f || r == 0x202e || r == 0xe0041 {
			t.Errorf("%q was written: %q", r, s.read())
			break
		}
	}
}

func TestErrorsAreReported(t *testing.T) {
	s := open(t, "go", modeltest.Start(t, modeltest.Status(401, `{"error":{"message":"bad key"}}`)))
	s.expect("[Error] ")
	s.expect("bad key")
	s.enter("exit")
	s.end()
}

// told is a conversation driven by a test, so that the test needs no timer.
type told chan []messages.Envelope

func (told) Send(messages.Op) {}

func (t told) Next(ctx context.Context) ([]messages.Envelope, error) {
	select {
	case batch := <-t:
		return batch, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A tool that reports its progress every second does not fill the screen with lines.
func TestALongToolSaysSeldomHowFarItIs(t *testing.T) {
	talk, out := make(told), &bytes.Buffer{}
	front := plain.Screen{Config: plain.Config{
		Client: talk, Stdin: strings.NewReader(""), Stdout: out, Now: time.Now,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now}}
		},
	}}
	ended := make(chan error, 1)
	go func() { ended <- front.Run(t.Context()) }()
	start := time.Now()
	batch := []messages.Envelope{{At: start, Event: messages.ToolsCalled{Names: []string{"run_command"}}}}
	for second := range 35 {
		batch = append(batch, messages.Envelope{
			At:    start.Add(time.Duration(second+1) * time.Second),
			Event: messages.ToolOutput{Chunk: fmt.Sprintf("%ds\n", second+1)},
		})
	}
	talk <- append(batch, messages.Envelope{Event: messages.Closed{}})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "  🔧 run_command\n  10s\n  20s\n  30s\n" {
		t.Errorf("it says\n%s", got)
	}
}

func TestCallEventHasArguments(t *testing.T) {
	talk, out := make(told), &bytes.Buffer{}
	front := plain.Screen{Config: plain.Config{
		Client: talk, Stdin: strings.NewReader(""), Stdout: out, Now: time.Now,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now}}
		},
	}}
	ended := make(chan error, 1)
	go func() { ended <- front.Run(t.Context()) }()
	var batch []messages.Envelope
	for i, end := range []messages.ToolEnded{{Status: messages.OK, Summary: "3 lines"}, {Status: messages.ToolError, Summary: "Error: it is gone"}, {Status: messages.OK, Exit: 2, Summary: "no such rule"}} {
		end.Call, end.Name = fmt.Sprint(i), "read_file"
		batch = append(batch, messages.Envelope{Event: messages.ToolStarted{Call: end.Call, Name: end.Name, Title: "main.go"}}, messages.Envelope{Event: end})
	}
	talk <- append(batch, messages.Envelope{Event: messages.Closed{}})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "  ✓ read_file main.go: 3 lines\n  ✗ read_file main.go: error: it is gone\n  ✗ read_file main.go: exit 2: no such rule\n" {
		t.Errorf("it says\n%s", got)
	}
}

func TestAPlanIsPrintedWhenItChanges(t *testing.T) {
	shows := func(marks ...string) modeltest.Step {
		var steps []map[string]string
		for i, status := range marks {
			steps = append(steps, map[string]string{"step": fmt.Sprint("step ", i+1), "status": status})
		}
		return modeltest.Calls(modeltest.Call{Name: "update_plan", Args: map[string]any{"plan": steps}})
	}
	s := open(t, "go", modeltest.Start(t, shows("in_progress", "pending"), shows("done", "in_progress"), modeltest.Text("Half of it.")), plan.Tools()...)
	s.expect("[Plan] 0 of 2 · now: step 1\n  [>] step 1\n  [ ] step 2\n")
	s.expect("[Plan] 1 of 2 · now: step 2\n  [x] step 1\n")
	s.expect("Half of it.")
	s.enter("/plan")
	s.expect("[System] Plan, 1 of 2 · now: step 2\n[x] step 1\n[>] step 2\n")
	s.enter("quit")
	s.end()
}
