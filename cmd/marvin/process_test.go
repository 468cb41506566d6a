package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/shell"
)

// process starts the binary (the test binary under another name) against a model with the given
// answers.
func process(t *testing.T, answer func(modeltest.Request) modeltest.Step, args ...string) *exec.Cmd {
	t.Helper()
	listening := httptest.NewServer(modeltest.New(answer))
	t.Cleanup(listening.Close)
	command := exec.Command(os.Args[0], append([]string{"--non-interactive", "--provider", "openai-compat"}, args...)...)
	command.Args[0] = "marvin"
	command.Dir = t.TempDir()
	command.Env = []string{
		"HOME=" + t.TempDir(), sandboxHere(), "PATH=" + os.Getenv("PATH"),
		"OPENAI_COMPAT_URL=" + listening.URL + "/v1", "OPENAI_COMPAT_API_KEY=key",
	}
	return command
}

// sandboxHere returns the setting with which tests run commands if the system has no complete
// sandbox, as in most containers. The tests of the sandbox itself are skipped there.
var sandboxHere = sync.OnceValue(func() string {
	base, err := os.MkdirTemp("", "marvin-probe")
	if err != nil {
		return "MARVIN_SANDBOX="
	}
	defer func() { _ = os.RemoveAll(base) }()
	dir, home := filepath.Join(base, "project"), filepath.Join(base, "home")
	state := filepath.Join(home, ".config", "marvin")
	for _, path := range []string{dir, state} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return "MARVIN_SANDBOX="
		}
	}
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxWorkspace, Home: home, State: state, Environ: os.Environ()})
	defer func() { _ = sandbox.Close() }()
	if err := shell.Try(context.Background(), tools.Env{Dir: dir, Root: dir, Held: tools.Held{Sandbox: sandbox}, Environ: os.Environ()}); err != nil {
		fmt.Fprintln(os.Stderr, "not tested: commands in the sandbox, because", err)
		return "MARVIN_SANDBOX=off"
	}
	return "MARVIN_SANDBOX="
})

// patience is the time after which the test considers a process hanging.
const patience = 2 * time.Minute

func waitFor(t *testing.T, command *exec.Cmd) {
	t.Helper()
	hanging := time.AfterFunc(patience, func() { command.Process.Signal(syscall.SIGQUIT) })
	defer hanging.Stop()
	command.Wait()
}

// piped starts a command and returns its output as a stream.
func piped(t *testing.T, command *exec.Cmd) (stdout io.ReadCloser, stderr *bytes.Buffer) {
	t.Helper()
	stderr = &bytes.Buffer{}
	command.Stderr = stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return stdout, stderr
}

// runs returns a model that runs a command once and then answers "done".
func runs(command string) func(modeltest.Request) modeltest.Step {
	return func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done")
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": command}})
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}

func checkCostLine(t *testing.T, stderr string) {
	t.Helper()
	cost, ok := strings.CutPrefix(lastLine(stderr), "MARVIN_COST:")
	if !ok || !json.Valid([]byte(cost)) {
		t.Errorf("the last line of stderr is no cost line:\n%s", stderr)
	}
}

// A signal ends the turn in order, including children that ignore the signal.
func TestSignalsEndTheRunInOrder(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			command := process(t, runs(`trap "" TERM; sleep 300 & echo $! >> pids; (trap "" TERM; echo $BASHPID >> pids; sleep 300; sleep 300) & echo $$ >> pids; wait`), "-p", "go")
			marker := filepath.Join(command.Dir, "pids")
			stdout, stderr := piped(t, command)
			line, err := bufio.NewReader(stdout).ReadString('\n')
			if err != nil || line != "  🔧 run_command\n" {
				t.Fatalf("stdout begins with %q, %v; stderr:\n%s", line, err, stderr.String())
			}
			pids := waitForPids(t, marker, 3)
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			waitFor(t, command)
			t.Logf("ended %s after the signal", time.Since(begun).Round(time.Millisecond))
			if code := command.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d: %s", code, stderr.String())
			}
			checkCostLine(t, stderr.String())
			for _, pid := range pids {
				if alive(pid) {
					t.Errorf("process %s still runs", pid)
				}
			}
		})
	}
}

func waitForPids(t *testing.T, path string, n int) []string {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		content, _ := os.ReadFile(path)
		if pids := strings.Fields(string(content)); len(pids) >= n {
			return pids
		}
	}
	t.Fatal("the command did not start")
	return nil
}

// alive reports whether a process is running; a zombie is not.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// If the reader of the output disappears, the run ends quietly, with its children.
func TestClosedPipe(t *testing.T) {
	command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.EndlessText() }, "-p", "talk")
	stdout, stderr := piped(t, command)
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	waitFor(t, command)
	if code := command.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(stderr.String(), "panic") || strings.Contains(stderr.String(), "Error:") {
		t.Errorf("it was not quiet:\n%s", stderr.String())
	}
	checkCostLine(t, stderr.String())
}

func TestAStuckReaderDoesNotKeepASignalFromEndingTheRun(t *testing.T) {
	t.Parallel()
	command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.EndlessText() }, "-p", "talk")
	stdout, stderr := piped(t, command)
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // the unread pipe fills up
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	if code := command.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d:\n%s", code, stderr.String())
	}
	checkCostLine(t, stderr.String())
}

// The process ends after the answer, even if background work is still running.
func TestHeadlessExit(t *testing.T) {
	t.Parallel()
	command := process(t, runs("sleep 60 & echo $! > pids"), "-p", "go")
	marker := filepath.Join(command.Dir, "pids")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	for _, pid := range waitForPids(t, marker, 1) {
		if !alive(pid) {
			t.Error("the background child was not left running")
		}
		if process, err := os.FindProcess(atoi(t, pid)); err == nil {
			process.Kill()
		}
	}
	if command.ProcessState.ExitCode() != 0 || !strings.HasSuffix(stdout.String(), "done\n") {
		t.Errorf("exit code %d, stdout %q, stderr %q", command.ProcessState.ExitCode(), stdout.String(), stderr.String())
	}
}

// An image never enters the conversation as bytes.
func TestImagesAreDescribedNotSent(t *testing.T) {
	t.Parallel()
	var told string
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			told = last.Result.Text
			return modeltest.Text("a picture")
		}
		return modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]string{"path": "shot.png"}})
	}, "-p", "what is in shot.png")
	png := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x40\x00\x00\x00\x40\x00\x08\x02\x00\x00\x00"), bytes.Repeat([]byte{0, 1, 0xff}, 5000)...)
	if err := os.WriteFile(filepath.Join(command.Dir, "shot.png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := command.Output()
	if err != nil || string(out) != "  🔧 read_file\na picture\n" {
		t.Fatalf("%v: %q", err, out)
	}
	if !strings.Contains(told, "shot.png is a picture (image/png)") || len(told) > 2000 {
		t.Errorf("the model was told %q", told)
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// 32 runs at once add their exact usage to the lifetime sums.
func TestThirtyTwoRunsAtOnceAddUp(t *testing.T) {
	home := t.TempDir()
	commands := make([]*exec.Cmd, 32)
	for i := range commands {
		commands[i] = process(t, func(request modeltest.Request) modeltest.Step {
			if request.Last().Role == messages.Tool {
				return modeltest.Text("done")
			}
			return modeltest.Calls(modeltest.Call{Name: "get_working_dir"})
		}, "-p", "go")
		commands[i].Env[0] = "HOME=" + home
		if err := commands[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, command := range commands {
		waitFor(t, command)
		if code := command.ProcessState.ExitCode(); code != 0 {
			t.Errorf("run %d exits %d", i, code)
		}
	}
	usage, err := spending.Of(persistence.Open(home, time.Now)).Usage()
	if err != nil {
		t.Fatal(err)
	}
	if usage.Turns != 64 || usage.Calls["get_working_dir"] != 32 || usage.Calls["_provider:openai-compat"] != 64 {
		t.Errorf("the sums are %+v", usage)
	}
}

func TestTwoDoNotBeginOneNameAtOnce(t *testing.T) {
	t.Parallel()
	script := func(modeltest.Request) modeltest.Step { return modeltest.Text("yes") }
	first := connect(t, script, "--session", "trip")
	run := func() (string, error) {
		second := process(t, script, "--session", "trip", "-p", "two")
		second.Env[0], second.Dir = first.command.Env[0], first.command.Dir
		out, err := second.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); err == nil || !strings.Contains(out, `another Marvin process is starting the conversation "trip"`) {
		t.Errorf("before a word is said: %v, %s", err, out)
	}
	first.send(`{"type":"prompt","op":{"text":"one"}}`)
	first.until("turn_ended")
	if out, err := run(); err == nil || !strings.Contains(out, "is using conversation") {
		t.Errorf("while the first is in it: %v, %s", err, out)
	}
	first.send(`{"type":"quit"}`)
	waitFor(t, first.command)
	if out, err := run(); err != nil {
		t.Errorf("behind it: %v, %s", err, out)
	}
	home := persistence.Open(strings.TrimPrefix(first.command.Env[0], "HOME="), time.Now)
	if list, err := sessions.New(home).List(); err != nil || len(list) != 1 || list[0].Turns != 2 || list[0].Name != "trip" {
		t.Errorf("%+v, %v", list, err)
	}
}

// inShell runs a command of Marvin in the environment of another process.
func inShell(t *testing.T, like *exec.Cmd, args ...string) (stdout, stderr string, failed error) {
	t.Helper()
	command := exec.Command(like.Path, args...)
	command.Args[0], command.Dir, command.Env = "marvin", like.Dir, like.Env
	var out, wrong strings.Builder
	command.Stdout, command.Stderr = &out, &wrong
	failed = command.Run()
	return out.String(), wrong.String(), failed
}
