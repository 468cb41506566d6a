package main

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/disktest"
)

// alone starts a run of one tool in a new directory.
func alone(t *testing.T, words ...string) (command *exec.Cmd, temporary string) {
	t.Helper()
	temporary, err := os.MkdirTemp("/tmp", "t") // the profile of a browser is nowhere with a long path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temporary) })
	command = exec.Command(os.Args[0], append([]string{"tool"}, words...)...)
	command.Args[0] = "marvin"
	command.Dir = t.TempDir()
	command.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TMPDIR=" + temporary}
	return command, temporary
}

// A signal ends all processes of a tool, and removes its temporary files.
func TestASignalEndsAToolWithAllThatItStarted(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			command, _ := alone(t, "run_command", `command=sleep 300 & echo $! >>pids; (trap "" TERM INT; echo $BASHPID >>pids; sleep 300; sleep 300) & echo $$ >>pids; wait`)
			_, stderr := piped(t, command)
			pids := waitForPids(t, filepath.Join(command.Dir, "pids"), 3)
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			waitFor(t, command)
			if code := command.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "interrupted") {
				t.Errorf("exit code %d: %s", code, stderr.String())
			}
			for _, pid := range pids {
				if alive(pid) {
					t.Errorf("process %s still runs", pid)
				}
			}
		})
	}
}

func TestASignalLeavesNoProfileOfTheBrowser(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html><body>x</body></html>")) }))
	t.Cleanup(page.Close)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			command, temporary := alone(t, "scrape_page", "url=http://page.example/")
			bin, begun := t.TempDir(), filepath.Join(t.TempDir(), "begun")
			for _, name := range []string{"google-chrome", "chromium", "chromium-browser", "google-chrome-stable"} {
				if err := disktest.WriteProgram(filepath.Join(bin, name), []byte("#!/bin/sh\necho $$ >"+begun+"\nexec sleep 300\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			command.Env = append(command.Env, "PATH="+bin+":/usr/bin:/bin", "MARVIN_HOSTS=page.example="+page.URL)
			_, stderr := piped(t, command)
			pid := waitForPids(t, begun, 1)[0]
			if left, _ := os.ReadDir(temporary); len(left) == 0 {
				t.Error("the browser has no directory, so this shows nothing")
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			waitFor(t, command)
			left, err := os.ReadDir(temporary)
			if err != nil || len(left) > 0 || alive(pid) || command.ProcessState.ExitCode() != 1 {
				t.Errorf("left behind are %v, the browser runs: %v, %v, %s", left, alive(pid), err, stderr.String())
			}
		})
	}
}

// A script sees whether the command was well.
func TestTheExitCodeSaysHowTheCommandEnded(t *testing.T) {
	for line, want := range map[string]int{"true": 0, "exit 3": 1, "kill -KILL $$": 1, "echo out": 0} {
		command, _ := alone(t, "run_command", "command="+line)
		stdout, _ := piped(t, command)
		text, err := bufio.NewReader(stdout).ReadString(0)
		waitFor(t, command)
		if code := command.ProcessState.ExitCode(); code != want || !strings.Contains(text, "[exit code: ") {
			t.Errorf("%s: exit code %d, %q, %v", line, code, text, err)
		}
	}
}
