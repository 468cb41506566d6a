package door_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/door"
	"marvin/ui/rpc"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/asynkron/protoactor-go/actor.NewDeadLetter.NewThrottle.func4.1"))
}

// host is a real conversation behind a door.
type host struct{ *actors.Client }

func (h host) Enter(name string, role messages.WindowRole) (door.Window, error) {
	return h.Window(name, role, false)
}
func (h host) Stop() { h.Send(messages.Quit{}) }
func (h host) Complete(text string) door.Completions {
	return door.Completions{Word: text[strings.LastIndexAny(text, " \n")+1:]}
}

type noArgs struct{}

// danger is a tool that asks for approval.
func danger() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "destroy", Doc: "Destroys.", Core: true, Effect: tools.Irreversible,
		Confirm: func(tools.Env, noArgs) (string, string) { return "Destroy it?", "all of it" },
		Run:     func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{Text: "gone"}, nil },
	})
}

// opened starts a conversation with a door in a directory.
func opened(t *testing.T, answer func(modeltest.Request) modeltest.Step) (client *actors.Client, dir, socket string) {
	t.Helper()
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.StartFunc(t, answer), Tools: []tools.Tool{danger()}, Policy: &actors.Policy{Coding: true, Person: true}, Begin: func(begin *actors.Conversation) { begin.SeveralWindows = true }})
	dir = door.Place(t.TempDir(), "", "")
	if err := door.Dir(dir); err != nil {
		t.Fatal(err)
	}
	entry := &door.Door{Host: host{tree.Client}, Serve: func(ctx context.Context, window ui.Client, _ door.WindowOptions, in io.Reader, out io.Writer) error {
		server := rpc.Server{Client: window, In: in, Out: out, Engine: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: window, Front: front, Now: time.Now}}
		}}
		return server.Run(ctx)
	}}
	if err := entry.Open(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(entry.Close)
	all, silent, err := door.List(t.Context(), dir)
	if err != nil || len(all) != 1 || len(silent) != 0 {
		t.Fatalf("%+v %v %v", all, silent, err)
	}
	return tree.Client, dir, all[0].Path
}

// window is a feed window with unread events.
type window struct {
	*door.Client
	rest []messages.Envelope
}

func join(t *testing.T, socket, name string, role messages.WindowRole) *window {
	t.Helper()
	client, err := door.Dial(t.Context(), socket, name, role)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &window{Client: client}
}

// until reads events up to one of a type, and returns the text on the way.
func until[E messages.Event](t *testing.T, from *window) (found E, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), actorstest.Patience)
	defer cancel()
	for {
		if len(from.rest) == 0 {
			batch, err := from.Next(ctx)
			if err != nil {
				t.Fatalf("%v before %T", err, found)
			}
			from.rest = batch
		}
		for len(from.rest) > 0 {
			envelope := from.rest[0]
			from.rest = from.rest[1:]
			if said, is := envelope.Event.(messages.Text); is {
				text += said.Chunk
			}
			if event, is := envelope.Event.(E); is {
				return event, text
			}
		}
	}
}

// A window of another process drives the conversation. A later window reads all earlier events, and
// requests that its role does not allow are refused.
func TestWindowsOfOtherProcessesShareAConversation(t *testing.T) {
	_, _, socket := opened(t, func(request modeltest.Request) modeltest.Step {
		return modeltest.Text("you said ", request.Last().Text)
	})
	one := join(t, socket, "one", messages.RoleDrive)
	one.Send(messages.Request{ID: "7", Op: messages.Say("hello")})
	if started, _ := until[messages.TurnStarted](t, one); started.Request != "7" {
		t.Errorf("%+v", started)
	}
	until[messages.TurnEnded](t, one)
	late := join(t, socket, "late", messages.RoleSee)
	if _, text := until[messages.TurnEnded](t, late); text != "you said hello" {
		t.Errorf("who comes later reads %q", text)
	}
	late.Send(messages.Request{ID: "x", Op: messages.Say("me too")})
	if refused, _ := until[messages.Refused](t, late); refused.Request != "x" || !strings.Contains(refused.Err, "requires the role \"drive\"") {
		t.Errorf("%+v", refused)
	}
	one.Send(messages.Quit{})
	until[messages.Closed](t, one)
	if live, err := door.Status(t.Context(), socket); err != nil || live.Prompts != 1 {
		t.Errorf("behind a window that left: %+v, %v", live, err)
	}
}

// Exactly one answer counts, and the other windows learn who gave it. An answer to another question
// is refused.
func TestAQuestionIsAnsweredOnce(t *testing.T) {
	client, _, socket := opened(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "destroy"})
	})
	client.Send(messages.Say("go"))
	one, two := join(t, socket, "one", messages.RoleAnswer), join(t, socket, "two", messages.RoleDrive)
	asked, _ := until[messages.Asked](t, one)
	until[messages.Asked](t, two)
	if live, err := door.Status(t.Context(), socket); err != nil || live.State != messages.LiveWaiting || len(live.Waits) != 1 || live.Waits[0].Digest == "" || live.Waits[0].Digest != asked.Digest {
		t.Errorf("%+v, %v", live, err)
	}
	one.Send(messages.Request{ID: "odd", Op: messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Digest: "another"}})
	if refused, _ := until[messages.Refused](t, one); !strings.Contains(refused.Err, "changed since it was shown") {
		t.Errorf("%+v", refused)
	}
	until[messages.Asked](t, one)
	one.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Digest: asked.Digest})
	if answered, _ := until[messages.Answered](t, two); answered.By != "one" || answered.Choice != messages.Yes {
		t.Errorf("%+v", answered)
	}
	two.Send(messages.Request{ID: "late", Op: messages.Answer{Ask: asked.Ask, Choice: messages.No}})
	if refused, _ := until[messages.Refused](t, two); refused.Request != "late" {
		t.Errorf("%+v", refused)
	}
	if ended, _ := until[messages.TurnEnded](t, one); ended.Text != "gone" {
		t.Errorf("%+v", ended)
	}
}

func TestStoppingAndSweeping(t *testing.T) {
	_, dir, socket := opened(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("half").Append(modeltest.Hang()) })
	window := join(t, socket, "one", messages.RoleSee)
	if err := door.Stop(t.Context(), socket); err != nil {
		t.Fatal(err)
	}
	until[messages.Closed](t, window)
	if _, err := window.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %v", err)
	}
	stale := filepath.Join(dir, "1.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(listener.Close(), os.Chtimes(stale, old, old)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := door.List(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket of a dead process stays: %v", err)
	}
}

// An invalid first line is refused with an explanation of the valid ones.
func TestAWrongFirstLineIsRefused(t *testing.T) {
	_, _, socket := opened(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })
	for _, line := range []string{"nonsense", "{}", `{"type":"prompt","op":{"text":"x"}}`, `{"type":"enter","op":{"role":"owner"}}`, strings.Repeat("x", 10_000)} {
		conn, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, line+"\n"); err != nil && len(line) < 4096 {
			t.Fatal(err)
		}
		var told struct{ Type, Error string }
		if err := json.NewDecoder(conn).Decode(&told); err != nil && len(line) < 4096 || err == nil && (told.Type != "error" || told.Error == "") {
			t.Errorf("%.40q: %+v, %v", line, told, err)
		}
		_ = conn.Close()
	}
}

// The last word of a long prompt is completed too.
func TestALongTextIsCompleted(t *testing.T) {
	_, _, socket := opened(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })
	for _, text := range []string{"what is in @kett", strings.Repeat("<é ", 10_000) + "@kett"} {
		if found, err := door.Complete(t.Context(), socket, text); err != nil || found.Word != "@kett" {
			t.Errorf("%.20q: %+v, %v", text, found, err)
		}
	}
}

// A directory that others may enter, and a symbolic link, are refused as the place of a door.
func TestTheDirectoryOfDoorsIsPrivate(t *testing.T) {
	open, linked := t.TempDir(), t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(open, "marvin"), 0o700), os.Chmod(filepath.Join(open, "marvin"), 0o777), os.Symlink(open, filepath.Join(linked, "marvin"))); err != nil {
		t.Fatal(err)
	}
	for _, runtime := range []string{open, linked} {
		if dir := door.Place(runtime, "", ""); door.Dir(dir) == nil {
			t.Errorf("%s is taken", dir)
		}
	}
	temp := t.TempDir()
	dir := door.Place("", temp, "/home/me")
	if err := door.Dir(dir); err != nil || !strings.HasPrefix(dir, temp) {
		t.Errorf("without a runtime directory: %q, %v", dir, err)
	}
	if other := door.Place("", temp, "/home/other"); other == dir {
		t.Errorf("two homes share %s", dir)
	}
}

// Canceling Next again and again, also in the middle of a line, loses no events.
func TestAWaitThatIsGivenUpLosesNothing(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "1.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	step, given := make(chan struct{}), make(chan struct{})
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = bufio.NewReader(conn).ReadString('\n') // the client's request
		_, _ = io.WriteString(conn, `{"type":"hello"}`+"\n")
		for i := range 20 {
			text, _ := json.Marshal(messages.Envelope{Event: messages.Notice{Text: fmt.Sprint(i)}}) // encoding a text cannot fail
			_, _ = conn.Write(text[:len(text)/2])
			given <- struct{}{}
			<-step
			_, _ = conn.Write(append(text[len(text)/2:], '\n'))
		}
		<-step
	}()
	one := join(t, socket, "one", messages.RoleSee)
	for i := range 20 {
		<-given
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if batch, err := one.Next(ctx); !errors.Is(err, context.Canceled) || len(batch) > 0 {
			t.Fatalf("%v, %v", batch, err)
		}
		step <- struct{}{}
		if notice, _ := until[messages.Notice](t, one); notice.Text != fmt.Sprint(i) {
			t.Fatalf("line %d is %+v", i, notice)
		}
	}
	close(step)
}

func TestLastDoorRemovesItsDirectory(t *testing.T) {
	place := filepath.Join(t.TempDir(), "doors")
	for _, other := range []bool{false, true} {
		var d door.Door
		if err := d.Open(place); err != nil {
			t.Fatal(err)
		}
		if other {
			if err := os.WriteFile(filepath.Join(place, "1.sock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d.Close()
		if _, err := os.Stat(place); errors.Is(err, os.ErrNotExist) == other {
			t.Errorf("with another process %v: %v", other, err)
		}
	}
}
