package copilot_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(plays); dir != "" {
		play(dir)
		return
	}
	code := m.Run()
	if err := shared.end(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// mark is in the environment of every process that a test starts. Each run of the tests has its own
// mark.
var mark = "MARVIN_COPILOT_TEST=" + strconv.Itoa(os.Getpid()) + "-"

// environ is a small environment with its own home directory.
func environ(t *testing.T, more ...string) []string {
	t.Helper()
	home := t.TempDir()
	copilottest.ShareCache(home)
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, mark + t.Name(), "TMPDIR=" + os.TempDir()}, more...)
}

// behind returns the model server behind the real CLI.
func behind(t *testing.T, steps ...modeltest.Step) *modeltest.Server {
	t.Helper()
	copilottest.Path(t)
	return modeltest.Start(t, steps...)
}

// real returns the real CLI, offline, connected to the model server.
func real(t *testing.T, server *modeltest.Server) *copilot.CLI {
	t.Helper()
	return start(t, ownKey(t, server))
}

// ownKey returns an environment in which the CLI uses the server.
func ownKey(t *testing.T, server *modeltest.Server) []string {
	t.Helper()
	return append(environ(t, "COPILOT_CLI_PATH="+copilottest.Path(t), "COPILOT_OFFLINE=true"), copilottest.Asking(server.URL)...)
}

// start returns a CLI that ends with the test and must leave no processes. The start may be slow,
// because parallel tests unpack their CLIs.
func start(t *testing.T, environ []string) *copilot.CLI {
	t.Helper()
	return startWithin(t, environ, patience)
}

func startWithin(t *testing.T, environ []string, limit time.Duration) *copilot.CLI {
	t.Helper()
	cli := copilot.NewCLI(copilot.CLIConfig{Environ: environ, StartLimit: limit})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		cli.Stop(ctx)
		if left, err := lasting(ctx, t.Name()); err != nil || len(left) > 0 {
			t.Errorf("left running: %v, %v", left, err)
		}
	})
	return cli
}

func model(t *testing.T, cli *copilot.CLI) *copilot.Model {
	t.Helper()
	model := copilot.New(copilot.Config{CLI: cli, Model: "model-1"})
	t.Cleanup(func() { model.Close() })
	return model
}

// running returns the processes with this test's mark. It works only on Linux.
func running(t *testing.T) []string {
	t.Helper()
	found, err := marked(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func marked(name string) (found []string, err error) {
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		content, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append(content, 0), []byte(mark+name+"\x00")) {
			continue
		}
		found = append(found, filepath.Base(filepath.Dir(path)))
	}
	return found, err
}

// lasting returns the processes that are still alive. Children of a killed CLI die when the kernel
// reaches them; with thirty busy processes, that is after the CLI's own end.
func lasting(ctx context.Context, name string) (found []string, err error) {
	for found, err = marked(name); err == nil && len(found) > 0 && ctx.Err() == nil; found, err = marked(name) {
		time.Sleep(10 * time.Millisecond)
	}
	return found, err
}

// kill kills all of them, as the kernel does when memory is short.
func kill(t *testing.T) {
	t.Helper()
	signal(t, os.Kill)
}

// signal sends a signal to all of them.
func signal(t *testing.T, what os.Signal) {
	t.Helper()
	for _, id := range running(t) {
		pid, err := strconv.Atoi(id)
		if err != nil {
			t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Signal(what); err != nil {
			t.Error(err)
		}
	}
}

// patience is how long a test waits for an expected event: the CLI takes 20 s to start beside four
// busy loops.
const patience = 2 * time.Minute

// within returns a context that ends a test that hangs.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func user(text string) messages.Message {
	return messages.Message{Role: messages.User, Text: text}
}

func assistant(text string) messages.Message {
	return messages.Message{Role: messages.Assistant, Text: text}
}

func question(all ...messages.Message) providers.Question {
	return providers.Question{System: "You are Marvin.", Messages: all}
}

// atText calls do when the answer begins.
func atText(do func()) func(providers.Part) {
	return func(part providers.Part) {
		if part.Kind == providers.TextPart {
			do()
		}
	}
}

func discard(providers.Part) {}

// ask returns an answer; an error fails the test.
func ask(t *testing.T, model *copilot.Model, question providers.Question) providers.Reply {
	t.Helper()
	reply, err := model.Respond(within(t), question, discard)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// spoken returns the messages of the latest request to the model server as lines, without the
// system text and the time that the CLI adds.
func spoken(server *modeltest.Server) []string {
	requests := server.Requests()
	var lines []string
	for _, message := range requests[len(requests)-1].Messages {
		text := message.Text + message.Result.Text
		if _, behind, ok := strings.Cut(text, "</current_datetime>\n\n"); ok {
			text = behind
		}
		for _, call := range message.Calls {
			text += fmt.Sprintf("<%s %s>", call.Name, call.Args)
		}
		if message.Role != messages.System {
			lines = append(lines, string(message.Role)+": "+text)
		}
	}
	return lines
}
