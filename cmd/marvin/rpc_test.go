package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// client is a program that talks with marvin rpc.
type client struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	stdout  *os.File
	out     *bufio.Reader
	stderr  bytes.Buffer
	seq     uint64
}

// heard is one line of the output.
type heard struct {
	Type, Error, Text, Marvin string
	Version, Line             int
	ID                        string
	Seq                       uint64
	Types                     []string
	Event                     struct {
		Chunk, Text, Dir, Profile, Provider, Model, Ask, Title, Detail, Name, Outcome string
		Coding                                                                        bool
		Status                                                                        messages.Status
		Choices                                                                       []string
	}
}

// connect starts a conversation and reads its first two lines.
func connect(t *testing.T, answer func(modeltest.Request) modeltest.Step, args ...string) *client {
	t.Helper()
	c := &client{t: t, command: process(t, answer)}
	c.command.Args = append([]string{"marvin", "rpc", "--provider", "openai-compat"}, args...)
	c.begin(patience)
	if hello := c.next(); hello.Type != "hello" || hello.Version != messages.WireVersion || len(hello.Types) != len(messages.OpNames())+1 {
		t.Errorf("it begins with %+v", hello)
	}
	c.until("opened")
	return c
}

// begin starts the program. limit is the time for the whole test.
func (c *client) begin(limit time.Duration) {
	c.t.Helper()
	c.command.Stderr = &c.stderr
	var err error
	if c.in, err = c.command.StdinPipe(); err != nil {
		c.t.Fatal(err)
	}
	stdout, err := c.command.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	c.stdout, c.out = stdout.(*os.File), bufio.NewReader(stdout)
	if err := c.command.Start(); err != nil {
		c.t.Fatal(err)
	}
	hanging := time.AfterFunc(limit, func() { c.command.Process.Signal(syscall.SIGQUIT) })
	c.t.Cleanup(func() {
		hanging.Stop()
		c.command.Process.Kill()
		c.command.Wait()
	})
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *client) next() (line heard) {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("%v behind seq %d; stderr:\n%s", err, c.seq, c.stderr.String())
	}
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		c.t.Fatalf("%v: %s", err, text)
	}
	sums := line.Type == "usage_changed" || line.Type == "agent_changed" // they stand where older ones stood
	if line.Seq > 0 && !sums {
		if line.Seq <= c.seq {
			c.t.Errorf("seq %d behind %d", line.Seq, c.seq)
		}
		c.seq = line.Seq
	}
	return line
}

// until reads on to a line of a type.
func (c *client) until(kind string) heard {
	c.t.Helper()
	for {
		if line := c.next(); line.Type == kind {
			return line
		} else if line.Type == "error" {
			c.t.Fatalf("refused before %s: %s", kind, line.Error)
		}
	}
}

// ends reads to the end of the output and returns the exit code.
func (c *client) ends() (rest string, code int) {
	c.t.Helper()
	text, _ := io.ReadAll(c.out)
	c.command.Wait()
	return string(text), c.command.ProcessState.ExitCode()
}

// obeying is a model that passes the prompt to run_command and answers with the result.
func obeying(request modeltest.Request) modeltest.Step {
	if last := request.Last(); last.Role == messages.Tool {
		return modeltest.Text("result: ", last.Result.Text)
	}
	return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": request.Last().Text}})
}

func TestRPCCanDoWhatUserCan(t *testing.T) {
	t.Parallel()
	c := connect(t, obeying, "--approve", "ask", "--working-dir", t.TempDir())
	c.send(`{"type":"prompt","op":{"text":"echo one"}}`)
	asked := c.until("asked")
	if !strings.Contains(asked.Event.Detail, "echo one") || strings.Join(asked.Event.Choices, " ") != "yes always no" {
		t.Errorf("asked %+v", asked.Event)
	}
	c.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"no"}}`, asked.Event.Ask))
	if ended := c.until("tool_ended"); ended.Event.Status != messages.Denied {
		t.Errorf("after no: %+v", ended.Event)
	}
	c.until("turn_ended")

	c.send(`{"type":"line","op":{"text":"echo two"}}`)
	c.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"always"}}`, c.until("asked").Event.Ask))
	if ended := c.until("turn_ended"); ended.Event.Outcome != "completed" || !strings.Contains(ended.Event.Text, "two") {
		t.Errorf("after always: %+v", ended.Event)
	}
	c.send(`{"type":"prompt","op":{"text":"echo three"}}`) // is covered: an asked would be read before the end of the turn
	if ended := c.until("turn_ended"); !strings.Contains(ended.Event.Text, "three") {
		t.Errorf("what is covered: %+v", ended.Event)
	}
	c.send(`{"type":"prompt","op":{"text":"sleep 100"}}`)
	c.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"yes"}}`, c.until("asked").Event.Ask))
	c.until("tool_started")
	c.send(`{"type":"cancel"}`)
	if ended := c.until("turn_ended"); ended.Event.Outcome != "cancelled" {
		t.Errorf("after cancel: %+v", ended.Event)
	}

	other := t.TempDir()
	c.send(fmt.Sprintf(`{"type":"set_dir","op":{"path":%q}}`, other))
	if now := c.until("mode_changed"); now.Event.Dir != other || !now.Event.Coding {
		t.Errorf("after set_dir: %+v", now.Event)
	}
	c.send(`{"type":"line","op":{"text":"!pwd"}}`)
	if said := c.until("said"); !strings.Contains(said.Text, other) {
		t.Errorf("!pwd says %q", said.Text)
	}
	c.send(`{"type":"set_mode","op":{"coding":false}}`)
	if now := c.until("mode_changed"); now.Event.Coding {
		t.Errorf("after set_mode: %+v", now.Event)
	}
	c.send(`{"type":"set_model","op":{"model":"another"}}`)
	if now := c.until("model_changed"); now.Event.Model != "another" || now.Event.Provider != "openai-compat" {
		t.Errorf("after set_model: %+v", now.Event)
	}
	c.send(`{"type":"line","op":{"text":"/profile new alex"}}`)
	if now := c.until("mode_changed"); now.Event.Profile != "alex" {
		t.Errorf("after /profile: %+v", now.Event)
	}
	c.send(`{"type":"line","op":{"text":"/profile new maria"}}`)
	c.until("mode_changed")
	c.send(`{"type":"set_profile","op":{"name":"alex"}}`)
	if now := c.until("mode_changed"); now.Event.Profile != "alex" {
		t.Errorf("after set_profile: %+v", now.Event)
	}
	c.send(`{"type":"line","op":{"text":"usage"}}`)
	if said := c.until("said"); !strings.Contains(said.Text, "This session:") {
		t.Errorf("usage says %q", said.Text)
	}
	c.send(`{"type":"clear"}`)
	c.until("cleared")
	c.send(`{"type":"compact"}`)
	if notice := c.until("notice"); !strings.Contains(notice.Event.Text, "nothing to compact") {
		t.Errorf("compact says %q", notice.Event.Text)
	}
	c.send(`{"type":"quit"}`)
	c.until("closed")
	if rest, code := c.ends(); rest != "" || code != 0 {
		t.Errorf("exit code %d, behind the end: %s", code, rest)
	}
}

// The built-in assistant executes a request to undo after the user agrees.
func TestTheBuiltInAssistantUndoesAndRedoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := connect(t, obeying, "--provider", "offline", "--working-dir", dir)
	c.send(`{"type":"prompt","op":{"text":"create a file b.txt with hello"}}`)
	c.until("turn_ended")
	for _, one := range []struct {
		text  string
		there bool
	}{{"undo that", false}, {"redo", true}, {"mach das rückgängig", false}, {"stell es wieder her", true}, {"annule ça", false}} {
		c.send(fmt.Sprintf(`{"type":"prompt","op":{"text":%q}}`, one.text))
		c.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"yes"}}`, c.until("asked").Event.Ask))
		c.until("notice")
		if _, err := os.Stat(filepath.Join(dir, "b.txt")); (err == nil) != one.there {
			t.Errorf("after %q: %v", one.text, err)
		}
	}
}

func TestRPCMalformedLinesDoNotEndTheSession(t *testing.T) {
	c := connect(t, obeying, "--approve", "ask", "--working-dir", t.TempDir())
	c.send(`{"type":"prompt","op":{"text":"echo unharmed"}}`)
	asked := c.until("asked").Event.Ask
	for i, bad := range []struct{ line, id, want string }{
		{`nonsense`, "", "the line is not a request"},
		{`[]`, "", "the line is not a request"},
		{`{"id":"b","type":"answr"}`, "b", `type "answr" is unknown; it must be one of prompt, `},
		{fmt.Sprintf(`{"id":"c","type":"answer","op":{"ask":%q,"choice":"sure"}}`, asked), "c", "must be one of yes, always, no"},
		{`{"id":"d","v":2,"type":"quit"}`, "d", "this Marvin speaks 1"},
		{`{"id":"e","v":2,"type":"line","op":{"text":"quit"}}`, "e", "this Marvin speaks 1"},
		{`{"id":"f","type":"line","op":{}}`, "f", `the field "op" of line: "text" is missing`},
		{`{"id":"g","type":"set_dir","op":{"path":"/no/such"}}`, "g", "the field \"op\" of set_dir: stat /no/such: no such file"},
		{`{"id":"h","type":"set_dir","op":{"path":"/dev/null"}}`, "h", "not a directory"},
		{`{"id":"i","type":"set_profile","op":{"name":"../../x"}}`, "i", `there is no profile "../../x"`},
		{`{"type":"prompt","op":{"text":"` + strings.Repeat("x", 40<<20) + `"}}`, "", "the line is 40 MB long, more than the limit of 8 MB"},
		{"\x00\xff", "", "the line is not a request"},
	} {
		c.send(bad.line)
		line := c.next()
		if line.Type != "error" || line.Line != i+2 || line.ID != bad.id || !strings.Contains(line.Error, bad.want) {
			t.Errorf("%.80s: %+v, want %q", bad.line, line, bad.want)
		}
	}
	if peak := peakMegabytes(t, c.command.Process.Pid); peak > 200 {
		t.Errorf("a line of 40 MB took %d MB", peak)
	}
	c.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"yes"}}`, asked))
	if ended := c.until("turn_ended"); !strings.Contains(ended.Event.Text, "unharmed") {
		t.Errorf("afterwards: %+v", ended.Event)
	}
}

func peakMegabytes(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("no /proc")
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	return atoi(t, strings.Fields(peak)[0]) >> 10
}

// The client disappears during a command, or during a question.
func TestRPCEndOfInputEndsInOrder(t *testing.T) {
	t.Parallel()
	marker := filepath.Join(t.TempDir(), "pids")
	c := connect(t, obeying, "--working-dir", t.TempDir())
	c.send(fmt.Sprintf(`{"type":"prompt","op":{"text":"sleep 300 & echo $! $$ > %s; wait"}}`, marker))
	c.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"yes"}}`, c.until("asked").Event.Ask))
	pids := waitForPids(t, marker, 2)
	c.send(`{"type":"line","op":{"text":"!sleep 200"}}`)
	c.in.Close()
	begun := time.Now()
	rest, code := c.ends()
	t.Logf("ended %s after its input", time.Since(begun).Round(time.Millisecond))
	if lines := strings.Split(strings.TrimSpace(rest), "\n"); code != 0 || !strings.Contains(lines[len(lines)-1], `"type":"closed"`) || !strings.Contains(rest, `"outcome":"cancelled"`) {
		t.Errorf("exit code %d:\n%s%s", code, rest, c.stderr.String())
	}
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %s still runs", pid)
		}
	}

	c = connect(t, obeying, "--working-dir", t.TempDir())
	c.send(`{"type":"prompt","op":{"text":"touch done"}}`)
	c.until("asked")
	c.in.Close()
	if rest, code := c.ends(); code != 0 || !strings.Contains(rest, `"type":"answered","event":{"ask":"`) || !strings.Contains(rest, `"choice":"no"`) {
		t.Errorf("exit code %d:\n%s", code, rest)
	}
}

// The example client of the documentation works, in another language, with a question to a user.
func TestRPCClientOfTheDocumentation(t *testing.T) {
	t.Parallel()
	python, env := pythonWith(t, process(t, obeying))
	command := exec.Command(python, filepath.Join(root(t), "docs", "rpc_client.py"), "echo forty two | tr a-z A-Z", "--provider", "openai-compat", "--approve", "ask", "--working-dir", t.TempDir())
	command.Env, command.Stdin = env, strings.NewReader("yes\n")
	stdout, stderr, code := ends(t, command)
	if code != 0 || !strings.Contains(stdout, "yes/always/no? ") || !strings.Contains(stdout, "result: FORTY TWO") {
		t.Errorf("exit code %d:\n%s%s", code, stdout, stderr)
	}
	command = exec.Command(command.Path, command.Args[1:]...)
	command.Env, command.Stdin = env, strings.NewReader("perhaps\n")
	if stdout, stderr, code := ends(t, command); code != 0 || strings.Contains(stdout, "FORTY TWO") || !strings.Contains(stdout, "said no to this call") {
		t.Errorf("exit code %d:\n%s%s", code, stdout, stderr)
	}
}

// pythonWith returns a Python, and an environment like that of another command in which Python
// finds marvin.
func pythonWith(t *testing.T, like *exec.Cmd) (python string, env []string) {
	t.Helper()
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("no python3: ", err)
	}
	bin := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(bin, "marvin")); err != nil {
		t.Fatal(err)
	}
	for _, variable := range like.Env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			variable = "PATH=" + bin + ":" + path
		}
		env = append(env, variable)
	}
	return strings.TrimSpace(string(out)), append(env, "PYTHONUTF8=1")
}

func root(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// The page names every type, and this Marvin accepts its examples.
func TestRPCDocumentationIsWhole(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root(t), "docs", "rpc.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := append(messages.OpNames(), "line", "said", "error", "hello")
	events, err := os.ReadFile(filepath.Join(root(t), "messages", "testdata", "events.golden.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(events)) {
		var event heard
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		names = append(names, event.Type)
	}
	for _, name := range names {
		if !strings.Contains(string(page), "`"+name+"`") && !strings.Contains(string(page), `"`+name+`"`) {
			t.Errorf("the page does not tell of %s", name)
		}
	}
	requests := 0
	for line := range strings.Lines(string(page)) {
		var request messages.Request
		if !strings.HasPrefix(line, `{`) || !strings.Contains(line, `"op":`) || strings.Contains(line, `"line"`) {
			continue
		}
		requests++
		if err := json.Unmarshal([]byte(line), &request); err != nil {
			t.Errorf("%v: %s", err, line)
		}
	}
	if requests < 3 {
		t.Errorf("%d requests found: the search is broken", requests)
	}
}
