package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

func TestNothingSteersTheTerminal(t *testing.T) {
	t.Parallel()
	scene := newScene(t)
	for _, path := range paths {
		t.Run(path.name, func(t *testing.T) {
			shown := scene.onTerminal(t, path)
			if !strings.Contains(shown, path.says) {
				t.Errorf("%q did not arrive:\n%q", path.says, shown)
			}
			if at := steeringAt(shown); at >= 0 {
				t.Errorf("the terminal is sent %+q", shown[max(0, at-20):min(len(shown), at+20)])
			}
		})
	}
}

// steeringAt returns the position of the first text that is not visible, such as a control
// sequence, or -1.
func steeringAt(shown string) int {
	const invisible = "\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
	for at, r := range shown {
		_, size := utf8.DecodeRuneInString(shown[at:])
		if r == utf8.RuneError && size == 1 || r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f ||
			strings.ContainsRune(invisible, r) || r >= 0xe0000 && r <= 0xe0fff {
			return at
		}
	}
	return -1
}

// A pipe gets the bytes of the contract: the text of the model, unchanged.
func TestAPipeGetsTheBytes(t *testing.T) {
	t.Parallel()
	scene := newScene(t)
	command := scene.command(paths[0])
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	got := stdout.String()
	if !strings.HasPrefix(got, "first "+steers+"\n  🔧 tree\nfinally ") || !strings.HasSuffix(got, "\nfinally "+steers+"\n") {
		t.Errorf("%+q", got)
	}
}

// The line about tools stays one line, whatever name a model gives to a tool.
func TestTheNameOfAToolIsOneLine(t *testing.T) {
	t.Parallel()
	command := newScene(t).command(path{args: []string{"-n", "-p", "name"}})
	stdout, err := command.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) { // the model server refuses such a name later
		t.Fatal(err)
	}
	rest, begins := strings.CutPrefix(string(stdout), "first "+steers+"\n  🔧 tool]0;title")
	if line, _, whole := strings.Cut(rest, "\n"); !begins || !whole || steeringAt(line) >= 0 {
		t.Errorf("%+q", stdout)
	}
}

func TestJSONIsHarmlessAndWhole(t *testing.T) {
	t.Parallel()
	scene := newScene(t)
	for _, args := range [][]string{
		{"-n", "-p", "go", "--output", "json"}, {"-n", "-p", "go", "--output", "jsonl"}, {"batch", "prompts.jsonl"}, {"rpc"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			command := scene.command(path{args: args})
			var stdout bytes.Buffer
			command.Stdout = &stdout
			if args[0] == "rpc" {
				command.Stdin = strings.NewReader(`{"type":"prompt","op":{"text":"go"}}` + "\n")
			}
			_ = command.Run() // the lines are what counts
			if at := steeringAt(stdout.String()); at >= 0 {
				t.Errorf("raw on stdout: %+q", stdout.String()[max(0, at-20):min(stdout.Len(), at+20)])
			}
			whole := false
			for line := range strings.Lines(stdout.String()) {
				whole = whole || strings.Contains(inside(t, line), steers)
			}
			if !whole && args[0] != "rpc" {
				t.Errorf("no line has the text of the model as a value:\n%s", stdout.String())
			}
		})
	}
}

// inside are all strings of a JSON value.
func inside(t *testing.T, line string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(line), &value); err != nil {
		t.Fatalf("%v: %q", err, line)
	}
	var text strings.Builder
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			text.WriteString(value + "\n")
		case []any:
			for _, element := range value {
				walk(element)
			}
		case map[string]any:
			for _, element := range value {
				walk(element)
			}
		}
	}
	walk(value)
	return text.String()
}

// An exported conversation is safe to display with cat.
func TestExportsAreClean(t *testing.T) {
	t.Parallel()
	scene := newScene(t)
	scene.onTerminal(t, paths[len(paths)-1])
	for _, name := range []string{"talk.md", "talk.json"} {
		content, err := os.ReadFile(filepath.Join(scene.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if at := steeringAt(string(content)); at >= 0 || !strings.Contains(string(content), "visible") {
			t.Errorf("%s, at %d: %+q", name, at, content)
		}
	}
}

func TestConversationsSendTheirOwnSequencesOnly(t *testing.T) {
	for name, args := range map[string][]string{"lines": {"--plain", "go"}, "full screen": {"go"}} {
		t.Run(name, func(t *testing.T) {
			scene := newScene(t)
			master, slave := openPty(t)
			if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 60, Col: 200}); err != nil {
				t.Fatal(err)
			}
			command := scene.command(path{args: args, env: []string{"TERM=xterm-256color"}})
			command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
			command.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			slave.Close()
			t.Cleanup(func() { command.Process.Kill(); command.Wait() })
			shown := readUntil(t, master, "finally")
			for _, sequence := range []string{
				"\x1b]0;", "\x1b]8;;http", "\x1b]52;c;aGk=", "\x1b[2J\x1b[1;1H\x1bP", "\x1bP1$q", "\x1bc\x07", "\u009b", "\u009d", "\x7f",
				"\u202e", "\u2066", "\u200f", "\u061c", "\U000E0041", "\u200b", "\ufeff", "\u2060", "\u00ad",
			} {
				if strings.Contains(shown, sequence) {
					t.Errorf("%+q reached the terminal", sequence)
				}
			}
		})
	}
}

// readUntil reads a terminal's output until a text appears.
func readUntil(t *testing.T, master *os.File, text string) string {
	t.Helper()
	if err := master.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for piece := make([]byte, 4096); !strings.Contains(shown.String(), text); {
		n, err := master.Read(piece)
		shown.Write(piece[:n])
		if err != nil {
			t.Fatalf("%v behind %q", err, shown.String())
		}
	}
	return shown.String()
}
