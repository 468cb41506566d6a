package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
)

// household is a user's home with live conversations, whose model is answer. All commands run in
// the environment of command and end with the test.
type household struct {
	t       *testing.T
	command *exec.Cmd
}

func newHousehold(t *testing.T, answer func(modeltest.Request) modeltest.Step) household {
	t.Helper()
	command := process(t, answer)
	runtime, err := os.MkdirTemp("", "marvin-web") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	// marvin start runs the file of this process, which must be called marvin.
	if command.Path, err = exec.LookPath("marvin"); err != nil {
		t.Fatal(err)
	}
	command.Env = append(command.Env, "LLM_PROVIDER=openai-compat", "XDG_RUNTIME_DIR="+runtime)
	h := household{t, command}
	t.Cleanup(func() {
		for _, one := range h.live() {
			_ = h.marvin("stop", one.ID).Run() // it may have ended
			h.ended(one.Process)
		}
		_ = os.RemoveAll(runtime)
	})
	return h
}

func (h household) marvin(args ...string) *exec.Cmd {
	command := exec.Command(h.command.Path, args...)
	command.Args[0], command.Dir, command.Env = "marvin", h.command.Dir, h.command.Env
	return command
}

// says runs a command to its end.
func (h household) says(args ...string) string {
	h.t.Helper()
	out, err := h.marvin(args...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("marvin %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (h household) live() (all []messages.Live) {
	out, _ := h.marvin("live", "--output", "json").Output() // without a door there is none
	_ = json.Unmarshal(out, &all)
	return all
}

// begins starts a conversation without a window.
func (h household) begins(args ...string) (id string) {
	h.t.Helper()
	return lastLine(h.says(append([]string{"start", "--approve", "ask"}, args...)...))
}

// attached opens a window on a conversation, reads until the words appear, and returns everything.
func (h household) attached(id, words string) (all string) {
	h.t.Helper()
	window := h.marvin("attach", "--plain", "--role", "see", id)
	if _, err := window.StdinPipe(); err != nil { // it stays open
		h.t.Fatal(err)
	}
	out, _ := piped(h.t, window)
	defer func() { _ = window.Process.Kill(); _ = window.Wait() }()
	for lines := bufio.NewReader(out); !strings.Contains(all, words); {
		line, err := lines.ReadString('\n')
		if all += line; err != nil {
			h.t.Fatalf("the window never says %q: %v\n%s", words, err, all)
		}
	}
	return all
}

// ended waits for the end of a process, which writes to the home until it ends.
func (h household) ended(process int) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	h.t.Errorf("process %d does not end", process)
}

// pane returns a terminal in which the command m is Marvin in this home.
func (h household) pane(width, height int) *pane {
	h.t.Helper()
	p := openPane(h.t, width, height)
	home := strings.TrimPrefix(h.command.Env[0], "HOME=")
	if err := app.RememberFiles(cli.OpenHome(clitest.NewWorld(home, h.command.Dir)), h.command.Dir, true); err != nil { // never asks
		h.t.Fatal(err)
	}
	script := "#!/bin/sh\ncd '" + h.command.Dir + "'\nexport '" + strings.Join(h.command.Env, "' '") + "'\nexec '" + h.command.Path + "' \"$@\"\n"
	if err := disktest.WriteProgram(filepath.Join(filepath.Dir(p.socket), "m"), []byte(script), 0o700); err != nil {
		h.t.Fatal(err)
	}
	return p
}

// A question of a conversation without a window can be read completely and answered on the full
// screen of another conversation, and in a shell.
func TestTheInboxAnswersForAllConversations(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, func(request modeltest.Request) modeltest.Step {
		switch name := request.Last(); {
		case name.Role == messages.Tool:
			return modeltest.Text("all done")
		case strings.Contains(name.Text, "one"):
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "touch one"}})
		case strings.Contains(name.Text, "two"):
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "touch two"}})
		}
		return modeltest.Text("well")
	})
	one, two := h.begins("make one"), h.begins("make two")
	h.attached(one, "touch one")
	h.attached(two, "touch two")
	p := h.pane(100, 30)
	p.press("m", "Enter")
	p.sees("an assistant in your terminal")
	p.press("/inbox", "Enter")
	p.sees("Questions that wait for you (2)", "make one", "make two", "touch one")
	p.press("Enter")
	p.sees("Do not answer now", "The question, in make one", "touch one")
	p.press("Down", "Enter")
	p.sees("Answered: ")
	h.attached(one, "all done")
	if _, err := os.Stat(filepath.Join(h.command.Dir, "one")); err != nil {
		t.Error(err)
	}
	var waits []struct{ Name, Digest string }
	if err := json.Unmarshal([]byte(h.says("inbox", "--output", "json")), &waits); err != nil || len(waits) != 1 || waits[0].Digest == "" {
		t.Fatalf("%v %v", waits, err)
	}
	h.says("inbox", "answer", waits[0].Name, "no", "leave it")
	h.attached(two, "all done")
	if _, err := os.Stat(filepath.Join(h.command.Dir, "two")); err == nil {
		t.Error("a no made the file")
	}
	if out, err := h.marvin("inbox", "answer", waits[0].Name, "yes").CombinedOutput(); err == nil {
		t.Errorf("answered twice: %s", out)
	}
}

// losses returns how often each way of losing a window is tried. MARVIN_LOSSES=100 sets another
// number.
func losses(t *testing.T) int {
	if many, err := strconv.Atoi(os.Getenv("MARVIN_LOSSES")); err == nil {
		return many
	}
	if testing.Short() {
		return 1
	}
	return 2
}

// A turn is completed, and a later window shows all of it once, in whatever way its window was
// lost: a closed terminal, a killed page, a broken connection.
func TestATurnOutlivesItsWindow(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	h := newHousehold(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) == 0 && !strings.Contains(request.Last().Text, "turn ") { // for a title
			return modeltest.Text("A title")
		}
		return modeltest.Text("alpha\n\nbeta\n\n").Append(modeltest.Pause(gate), modeltest.Text("gamma\n\nomega\n"))
	})
	terminal := h.pane(80, 24)
	for turn := range losses(t) {
		for _, lose := range []struct {
			how string
			run func(prompt string) (id string)
		}{
			{"the terminal is closed", func(prompt string) string {
				terminal.tmux("new-window", "-n", "lost", filepath.Join(filepath.Dir(terminal.socket), "m")+" --plain '"+prompt+"'")
				terminal.sees("beta")
				id := h.working()
				terminal.tmux("kill-window", "-t", "lost")
				return id
			}},
			{"the page is killed", func(prompt string) string {
				s := h.serve()
				s.enter()
				id := s.begin(prompt)
				s.follow("/c/" + id + "/events").until("beta")
				_ = s.command.Process.Kill()
				return id
			}},
			{"the network is cut", func(prompt string) string {
				s := h.serve()
				s.enter()
				id := s.begin(prompt)
				conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(conn, "GET /c/%s/events HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", id, strings.TrimPrefix(s.base, "http://"), s.cookie)
				for lines := bufio.NewReader(conn); ; {
					line, err := lines.ReadString('\n')
					if err != nil {
						t.Fatal(err)
					}
					if strings.Contains(line, "beta") {
						break
					}
				}
				_ = conn.(*net.TCPConn).SetLinger(0) // the other end gets a reset
				_ = conn.Close()
				return id
			}},
		} {
			prompt := fmt.Sprintf("turn %d", turn)
			id := lose.run(prompt)
			gate <- struct{}{}
			all := h.attached(id, "omega")
			for _, word := range []string{"alpha", "beta", "gamma", "omega", prompt} {
				if strings.Count(all, word) != 1 {
					t.Errorf("%s: %q is shown %d times in\n%s", lose.how, word, strings.Count(all, word), all)
				}
			}
			h.says("stop", id)
		}
	}
}

// working waits until a conversation has a running turn, and returns its id.
func (h household) working() (id string) {
	h.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		for _, one := range h.live() {
			if one.State == messages.LiveWorking && one.ID != "" {
				return one.ID
			}
		}
		if time.Now().After(deadline) {
			h.t.Fatal("no conversation works")
		}
	}
}

// /detach returns to the shell while the turn runs. Another window and marvin logs show the rest.
// marvin -c reports that it attached; after the end of the process it reports that it continued the
// conversation.
func TestLeavingAConversationAndComingBack(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	h := newHousehold(t, func(request modeltest.Request) modeltest.Step {
		if strings.Contains(request.Last().Text, "tell") {
			return modeltest.Text("once upon\n\n").Append(modeltest.Pause(gate), modeltest.Text("a time\n"))
		}
		return modeltest.Text("well")
	})
	p := h.pane(100, 30)
	p.press("m 'tell a story'", "Enter")
	p.sees("once upon")
	id := h.working()
	p.press("/detach", "Enter")
	p.leaves()
	p.sees("The conversation continues without a window. To open one, run marvin attach " + id)
	follows := h.marvin("logs", "-f", id)
	out, _ := piped(t, follows)
	gate <- struct{}{}
	lines := bufio.NewReader(out)
	for line := ""; !strings.Contains(line, "a time"); {
		var err error
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("the log ends without the story: %v", err)
		}
	}
	again := h.marvin("-c", "--plain")
	again.Stdin = strings.NewReader("/quit\n")
	if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "Attached: the conversation is live in another Marvin (process ") || !strings.Contains(string(out), "a time") {
		t.Errorf("%v\n%s", err, out)
	}
	p.press("m attach "+id, "Enter")
	p.sees("a time", "Ask anything")
	h.says("stop", id)
	p.leaves()
	p.sees("The conversation or its process has ended. Continue it with marvin -r " + id)
	if _, err := io.ReadAll(lines); err != nil || follows.Wait() != nil {
		t.Errorf("the log of an ended conversation: %v", err)
	}
	again = h.marvin("-c", "--plain")
	again.Stdin = strings.NewReader("/quit\n")
	if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "Continued: the conversation was not running") {
		t.Errorf("%v\n%s", err, out)
	}
}

// An idle conversation without a window saves itself and ends its process.
func TestAConversationAtRestEndsItsProcess(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("well") })
	start := h.marvin("start", "hello")
	start.Env = append(start.Env[:len(start.Env):len(start.Env)], "MARVIN_PARK_AFTER=1s")
	if out, err := start.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for deadline := time.Now().Add(patience); len(h.live()) > 0; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not end")
		}
	}
	again := h.marvin("-c", "--plain")
	again.Stdin = strings.NewReader("/quit\n")
	if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "Continued: the conversation was not running") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestTheDoctorLooksAtTheSockets(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("well") })
	h.begins("hello")
	all := h.live()
	if len(all) != 1 {
		t.Fatal(all)
	}
	process, err := os.FindProcess(all[0].Process)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	h.ended(all[0].Process)
	dir := filepath.Join(strings.TrimPrefix(h.command.Env[len(h.command.Env)-1], "XDG_RUNTIME_DIR="), "marvin")
	left, silent := filepath.Join(dir, fmt.Sprintf("%d.sock", all[0].Process)), filepath.Join(dir, "1.sock")
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", silent)
	if err != nil {
		t.Fatal(err)
	}
	doctor := func() string {
		out, _ := h.marvin("doctor").CombinedOutput() // other checks fail in this home
		return string(out)
	}
	if told := doctor(); !strings.Contains(told, "removed 1 socket of ended processes") || !strings.Contains(told, "no answer from "+silent) || !strings.Contains(told, "end that process (the socket's name contains the process number)") {
		t.Errorf("the doctor says\n%s", told)
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("the socket of an ended process is still there")
	}
	_ = listener.Close()
	if told := doctor(); !strings.Contains(told, "no conversation is live\n") {
		t.Errorf("without sockets the doctor says\n%s", told)
	}
}

// A conversation that no window could reach does not begin. A missing runtime directory is no
// problem.
func TestStartNeedsAPlaceForItsSocket(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	h := newHousehold(t, func(modeltest.Request) modeltest.Step { asked <- struct{}{}; return modeltest.Text("well") })
	open := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(open, "marvin"), 0o700), os.Chmod(filepath.Join(open, "marvin"), 0o777)); err != nil {
		t.Fatal(err)
	}
	start := h.marvin("start", "hello")
	start.Env = append(start.Env, "XDG_RUNTIME_DIR="+open)
	out, err := start.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Error: the conversation did not start: no window could reach the conversation: other users have access to "+open) || len(asked) > 0 {
		t.Errorf("%v, and the model was asked %d times\n%s", err, len(asked), out)
	}
	h.command.Env = append(h.command.Env, "XDG_RUNTIME_DIR="+filepath.Join(open, "none"))
	h.attached(h.begins("hello"), "well")
}
