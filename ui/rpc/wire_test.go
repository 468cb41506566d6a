package rpc_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/shell"
	"marvin/ui/command"
	"marvin/ui/rpc"
	"marvin/ui/slash"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/asynkron/protoactor-go/actor.NewDeadLetter.NewThrottle.func4.1"))
}

// patience is the maximum wait of a test.
const patience = actorstest.Patience

// wire is a program at the other ends of the two pipes of a server with a real conversation.
type wire struct {
	t    *testing.T
	tree *actorstest.Tree
	in   *os.File // requests go in here
	out  *os.File // events come out here
	text *bufio.Reader
	seq  uint64
	stop context.CancelFunc // ends the context of the server
	over chan error         // the result of Run

	remembered chan string // the history of [disk]
}

// line is a line of the output, with the fields that the tests need.
type line struct {
	Version         int    `json:"v"`
	WireVersion     int    `json:"version"`
	Type, ID, Error string // hello, said, error and all events
	Marvin, Text    string
	Types           []string
	Line            int
	Seq             uint64
	Event           struct {
		Text, Err, Chunk, Ask, Dir, Profile string
		Approval, Tool                      string
		Grants                              []messages.Grant
		Request, Prompt, Error              string
		Outcome                             messages.Outcome
		Status                              messages.Status
		Choice                              messages.Choice
		Kind                                messages.AskKind
		Questions                           []messages.Question
		Deadline                            time.Time
	}
}

// disk is the part of a host for files and processes. No test here may call a method that it lacks.
type disk struct {
	command.Host
	home       *persistence.Home
	dir        string
	remembered chan string // commands that are in the history after their end
}

func (d disk) Profiles() ([]string, error) { return personal.Profiles(d.home) }

func (d disk) Run(ctx context.Context, line, _ string, heard io.Writer) (string, error) {
	return shell.RunOwn(ctx, line, d.dir, os.Environ(), heard)
}

func (d disk) Remember(profile, said, answered string) error {
	defer func() { d.remembered <- said }()
	return chat.New(d.home.Profile(profile)).Append(chat.Entry{Role: "you", Text: said}, chat.Entry{Role: "assistant", Text: answered})
}

// serve starts a conversation and reads the hello; change may modify the server before that.
func serve(t *testing.T, answer func(modeltest.Request) modeltest.Step, change func(*rpc.Server), list ...tools.Tool) (w *wire, hello line) {
	t.Helper()
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	w = &wire{t: t, over: make(chan error, 1), remembered: make(chan string, 8)}
	w.tree = actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, answer), Home: home.User, Dir: dir, Tools: list, Policy: &actors.Policy{Coding: true, Person: true},
	})
	in, requests, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	events, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.in, w.out, w.text = requests, events, bufio.NewReader(events)
	server := rpc.Server{
		Client: w.tree.Client, In: in, Out: out, Marvin: "1.2.3",
		Engine: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: w.tree.Client, Front: front, Now: time.Now, Host: disk{home: home, dir: dir, remembered: w.remembered}}}
		},
	}
	if change != nil {
		change(&server)
	}
	ctx, stop := context.WithCancel(t.Context())
	w.stop = stop
	go func() { w.over <- server.Run(ctx); out.Close() }()
	t.Cleanup(func() {
		stop()
		for _, end := range []io.Closer{requests, events, in} {
			end.Close()
		}
	})
	return w, w.next()
}

func (w *wire) send(lines ...string) {
	w.t.Helper()
	for _, text := range lines {
		if _, err := io.WriteString(w.in, text+"\n"); err != nil {
			w.t.Fatal(err)
		}
	}
}

// next returns the next line and checks that the sequence numbers only increase.
func (w *wire) next() (read line) {
	w.t.Helper()
	if err := w.out.SetReadDeadline(time.Now().Add(patience)); err != nil {
		w.t.Fatal(err)
	}
	text, err := w.text.ReadBytes('\n')
	if err != nil {
		w.t.Fatalf("%v behind seq %d", err, w.seq)
	}
	if err := json.Unmarshal(text, &read); err != nil {
		w.t.Fatalf("%v: %s", err, text)
	}
	if sums := read.Type == "usage_changed" || read.Type == "agent_changed"; read.Seq > 0 && !sums { // merged events keep an older place
		if read.Seq <= w.seq {
			w.t.Errorf("seq %d behind %d", read.Seq, w.seq)
		}
		w.seq = read.Seq
	}
	return read
}

// until reads lines up to one of a type.
func (w *wire) until(kind string) line {
	w.t.Helper()
	for {
		if read := w.next(); read.Type == kind {
			return read
		} else if read.Type == "error" {
			w.t.Fatalf("refused before %s: %+v", kind, read)
		}
	}
}

// ends waits for the end of Run and of the remaining output.
func (w *wire) ends() error {
	w.t.Helper()
	select {
	case err := <-w.over:
		if rest, readErr := io.ReadAll(w.text); readErr == nil && len(rest) > 0 {
			w.t.Errorf("behind the end: %s", rest)
		}
		return err
	case <-time.After(patience):
		w.t.Fatal("it goes on")
		return nil
	}
}

// beside waits for the end of a command that runs outside the conversation.
func (w *wire) beside(command string) {
	w.t.Helper()
	select {
	case said := <-w.remembered:
		if said != "$ "+command {
			w.t.Errorf("%q ended, not %q", said, command)
		}
	case <-time.After(patience):
		w.t.Fatalf("%q goes on", command)
	}
}

// isClosed checks that the conversation accepts no more input.
func (w *wire) isClosed() {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), patience)
	defer stop()
	for {
		if _, err := w.tree.Client.Next(ctx); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			w.t.Fatalf("the conversation is still open: %v", err)
		}
	}
}

// pipe reports when a write blocks because the pipe is full.
type pipe struct {
	out    io.Writer
	filled func()
}

func (p *pipe) Write(data []byte) (int, error) {
	slow := time.AfterFunc(200*time.Millisecond, p.filled)
	defer slow.Stop()
	return p.out.Write(data)
}

// No file defines commands here: cmd/marvin tests them.
func (d disk) Written(context.Context, string) []slash.WrittenCommand { return nil }

func (d disk) Ask(context.Context, string, string, string) (command.Submission, error) {
	return command.Submission{}, command.ErrNotWritten
}
