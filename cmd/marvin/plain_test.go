package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/providers/modeltest"
)

// After a whole session in lines at a real terminal, the terminal is in the same state as before.
func TestPlainSession(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("stty -a > before; clear; marvin --plain --provider offline", "Enter")
	p.sees("Marvin (offline built-in)", "You:")
	if modes := p.modes(); modes != "0 0 1" {
		t.Errorf("modes %q", modes)
	}
	p.press("日本語 e", "Left", "Left")
	p.sees("You: 日本語 e")
	if at := p.tmux("display", "-p", "#{cursor_x}"); at != "11" {
		t.Errorf("the cursor is in column %s", at)
	}
	p.press("C-e", "C-u", "convert 12 km to milesx", "BSpace", "Enter")
	p.sees("7.456")

	p.press("C-r", "km to")
	p.sees("(search km to) convert 12 km to miles")
	p.press("C-g", "Up")
	p.sees("You: convert 12 km to miles")
	p.press("C-u")

	p.press("run the command echo forty two | tr a-z A-Z | tee out", "Enter")
	p.sees("Run this command?", "Choose a number (Enter means no):")
	time.Sleep(quietTime) // a person reads before answering
	p.press("1", "Enter")
	p.sees("\nFORTY TWO")

	p.press("/exp", "Tab")
	p.sees("You: /export")
	p.press("C-u", "/pro", "Tab")
	p.sees("/provider  /problems  /profile\nYou: /pro")
	p.press("C-u", "@bash", "Tab")
	p.sees("You: @bashrc")
	p.press("C-u", "/tools convert_u", "Tab")
	p.sees("You: /tools convert_units")
	p.press("C-u", "wiki", "Tab")
	p.sees("You: wiki_")
	p.press("Tab")
	p.sees("wiki_search  wiki_summary  wiki_full  wiki_grep\nYou: wiki_")
	p.press("C-u", "!sleep 100", "Enter")
	p.until("the command runs", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "You: !sleep 100") })
	p.press("C-c")
	p.sees("[cancelled]")

	p.paste(strings.Repeat("a pasted line\n", 200), "-p")
	p.sees("[pasted 200 lines]")
	p.press("C-u", strings.Repeat("a long line ", 10), "Home", "X")
	p.until("a line on two rows", func(shown string) bool {
		return strings.Contains(shown, "You: Xa long") && strings.Contains(shown, "\n     ") && strings.Count(shown, "Xa long") == 1
	})
	p.press("C-e", "C-u")

	p.press("for an editor", "C-g")
	p.sees("You: for an editor edited")
	p.press("C-u", "a draft", "C-z")
	p.sees("Stopped")
	p.press("fg", "Enter")
	p.until("the draft again", func(shown string) bool { return strings.HasSuffix(shown, "You: a draft") })
	p.press("C-u", "C-c")
	p.sees("To leave, press Ctrl-C again or Ctrl-D, or type quit.")
	p.press("quit", "Enter")
	p.until("the shell again", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "$") })
	p.press("stty -a | diff - before && echo un''changed", "Enter")
	p.sees("unchanged")
}

func TestPlainGivesTheTerminalAway(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("SHELL=/bin/sh PS1='inn''er> ' marvin --plain --provider offline", "Enter")
	p.sees("You:")
	p.press("/shell", "Enter")
	p.sees("inner>")
	p.press("echo in''side $0", "Enter", "exit", "Enter")
	p.sees("inside /bin/sh")
	p.press("preferences", "Enter")
	p.sees("apply from your next prompt.")
	home := filepath.Dir(p.socket)
	if content, err := os.ReadFile(filepath.Join(home, ".config/marvin/profiles/default/preferences.yaml")); err != nil || !strings.HasSuffix(string(content), " edited") {
		t.Errorf("%v; it ends %q", err, content[max(0, len(content)-20):])
	}
	p.press("!sh", "Enter")
	p.sees("Shell mode ON")
	p.press("echo one two | tr a-z A-Z", "Enter")
	p.sees("ONE TWO")
	p.press("exit", "Enter")
	p.sees("Shell mode OFF")
	p.press("C-d")
	p.until("the shell again", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "$") })
	if content, err := os.ReadFile(filepath.Join(home, ".config/marvin/profiles/default/history")); err != nil || string(content) != "/shell\npreferences\n!sh\necho one two | tr a-z A-Z\nexit\n" {
		t.Errorf("%q, %v", content, err)
	}
	p.clear()
	p.press("marvin --plain --provider offline", "Enter")
	p.sees("You:")
	p.press("Up", "Up")
	p.sees("You: echo one two | tr a-z A-Z")
	p.press("C-u", "quit", "Enter")
}

// A user without a model is told what works now and how to get a model.
func TestFirstRunInLines(t *testing.T) {
	p := openPane(t, 120, 24)
	p.press("OLLAMA_URL=http://127.0.0.1:9 marvin --plain", "Enter")
	p.sees("Without a model, plain requests work", "To add a model, type /login gemini", "You:")
	p.press("quit", "Enter")
}

// In the conversation in lines, a signal restores the terminal.
func TestSignalsRestoreTheTerminalOfLines(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("stty -a > before", "Enter")
	for _, signal := range []string{"TERM", "HUP"} {
		p.clear()
		p.press("marvin --plain --provider offline", "Enter")
		p.sees("You:")
		p.signal(signal)
		p.until("the shell again", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "$") })
		p.press("stty -a | diff - before && echo un''changed after "+signal, "Enter")
		p.sees("unchanged after " + signal)
	}
}

// gate is a model that requests a command after start was called, and answers "done" after it.
// asked reports that the model itself was asked, so the turn is running.
func gate(t *testing.T, command string) (start string, asked <-chan struct{}, release func()) {
	t.Helper()
	open, reached := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(reached) })
	answer := runs(command)
	listening := httptest.NewServer(modeltest.New(func(request modeltest.Request) modeltest.Step {
		once()
		<-open
		if request.Last().Text == "the second" {
			return modeltest.Text("the second is answered")
		}
		return answer(request)
	}))
	t.Cleanup(listening.Close)
	start = "OPENAI_COMPAT_URL=" + listening.URL + "/v1 OPENAI_COMPAT_API_KEY=key marvin --plain --provider openai-compat --working-dir ."
	return start, reached, sync.OnceFunc(func() { close(open) })
}

// Text that was typed before a question appeared does not answer it, and is not lost.
func TestTypingAheadAnswersNoQuestion(t *testing.T) {
	p := openPane(t, 80, 24)
	start, asked, release := gate(t, "touch reached")
	defer release()
	p.press(start, "Enter")
	p.sees("You:")
	p.press("the first", "Enter")
	p.until("the first is sent", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "You: the first") })
	<-asked
	p.press("the second", "Enter")
	p.sees("[For the next step] the second")
	p.press("yes")
	release()
	p.sees("Choose a number (Enter means no):")
	p.press("Enter") // at once: they meant the line that they were typing
	time.Sleep(quietTime)
	p.press("n", "o", "Enter")
	p.sees("denied", "the second is answered", "You: yes")
	if _, err := os.Stat(filepath.Join(filepath.Dir(p.socket), "reached")); err == nil {
		t.Error("the command ran")
	}
	p.press("C-u", "quit", "Enter")
}

func TestTypingAheadAnswersNoQuestionWithoutEditing(t *testing.T) {
	p := openPane(t, 80, 24)
	start, asked, release := gate(t, "touch reached")
	defer release()
	p.press("ACCESSIBLE=1 "+start, "Enter")
	p.sees("You:")
	p.press("the first", "Enter", "1")
	p.until("what is typed ahead", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "\n1") })
	<-asked
	release()
	p.sees("Choose a number (Enter means no):")
	p.press("Enter")
	p.sees("denied", "[Done in")
	if _, err := os.Stat(filepath.Join(filepath.Dir(p.socket), "reached")); err == nil {
		t.Error("the command ran")
	}
	p.press("quit", "Enter")
}
