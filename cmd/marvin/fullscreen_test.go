package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
)

// pane is a shell in tmux, a real terminal with a user in front of it.
type pane struct {
	t      *testing.T
	socket string
}

// openPane starts a shell that finds the test binary under the name marvin.
func openPane(t *testing.T, width, height int) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	home, err := os.MkdirTemp("", "mt") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	p := &pane{t: t, socket: filepath.Join(home, "s")}
	t.Cleanup(func() {
		exec.Command("tmux", "-S", p.socket, "kill-server").Run()
		os.RemoveAll(home)
	})
	if err := app.RememberFiles(cli.OpenHome(clitest.NewWorld(home, home)), home, false); err != nil { // never asks
		t.Fatal(err)
	}
	profile := filepath.Join(home, "bashrc")
	content := fmt.Sprintf("PS1='$ '\ncd %s\nPATH=%s:$PATH\n", home, home)
	if err := os.Symlink(os.Args[0], filepath.Join(home, "marvin")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(profile, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(home, "run") // a killed Marvin leaves its socket there
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"-e", "HOME="+home, "-e", "XDG_RUNTIME_DIR="+run, "-e", "MARVIN_PARK_AFTER=30s", "-e", "EDITOR=sh -c 'printf \" edited\" >> $1' sh", "exec bash --noprofile --rcfile "+profile) // with /bin/sh a second shell would come between
	p.sees("$")
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func (p *pane) press(keys ...string) { p.tmux(append([]string{"send-keys"}, keys...)...) }

// clear empties the screen, so that any text that appears later is new.
func (p *pane) clear() {
	p.t.Helper()
	p.press("clear", "Enter")
	p.until("an empty screen", func(shown string) bool { return strings.TrimSpace(shown) == "$" })
}

// sees waits until every text is on the screen and returns the screen. A text may continue on the
// next line, because the place where a directory name wraps depends on the machine.
func (p *pane) sees(texts ...string) string {
	p.t.Helper()
	return p.until(strings.Join(texts, ", "), func(shown string) bool {
		unbroken := strings.Join(strings.Fields(shown), " ")
		for _, text := range texts {
			if !strings.Contains(shown, text) && !strings.Contains(unbroken, text) {
				return false
			}
		}
		return true
	})
}

func (p *pane) until(what string, ok func(shown string) bool) string {
	p.t.Helper()
	shown := ""
	// Each check starts a process, so the pause between checks grows.
	for begun, pause := time.Now(), 10*time.Millisecond; time.Since(begun) < patience; pause = min(2*pause, 160*time.Millisecond) {
		if shown = p.tmux("capture-pane", "-p"); ok(shown) {
			return shown
		}
		time.Sleep(pause)
	}
	p.t.Fatalf("never %s:\n%s", what, shown)
	return ""
}

// paste sends a text as if it were typed; "-p" adds the brackets of a paste.
func (p *pane) paste(text string, options ...string) {
	p.t.Helper()
	load := exec.Command("tmux", "-S", p.socket, "load-buffer", "-")
	load.Stdin = strings.NewReader(text)
	if out, err := load.CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
	p.tmux(append([]string{"paste-buffer"}, options...)...)
}

// modes returns the screen that is in use, and whether the program receives mouse events.
func (p *pane) modes() string {
	return p.tmux("display", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}")
}

// leaves waits until the shell has the terminal again. Text that is typed earlier does not reach
// the shell.
func (p *pane) leaves() {
	p.t.Helper()
	p.until("back at the shell", func(shown string) bool {
		lines := strings.Split(strings.TrimSpace(shown), "\n")
		return p.modes() == "0 0 1" && strings.TrimSpace(lines[len(lines)-1]) == "$"
	})
}

// After a whole session at a real terminal, the terminal is in the same state as before.
func TestFullScreenSession(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("stty -a > before; clear; marvin --provider offline", "Enter")
	p.sees("built-in · ", "· coding")
	p.until("the modes of a full screen", func(string) bool { return p.modes() == "1 1 1" }) // within a frame there is no cursor
	p.press("convert 12 km to miles", "Enter")
	p.sees("› convert 12 km to miles", "✓ convert_units", "7.456", "2 messages")

	p.press("run the command echo forty two | tr a-z A-Z | tee out", "Enter")
	p.sees("Run this command?", "│ echo forty two | tr a-z A-Z | tee out", "[y]es")
	time.Sleep(quietTime) // a person reads before answering
	p.press("y")
	p.sees("✓ run_command", "● FORTY TWO", "4 messages")

	p.press("run the command sleep 100", "Enter")
	p.sees("│ sleep 100", "[y]es")
	time.Sleep(quietTime)
	p.press("y")
	p.sees("sleep 100 ·", "running")
	p.press("C-c")
	p.sees("[Cancelled]", "interrupted")

	p.press("日本語")
	p.sees("› 日本語")
	if at := p.tmux("display", "-p", "#{cursor_x} #{cursor_y}"); at != "8 22" {
		t.Errorf("the cursor is at %s", at)
	}
	p.press("C-u", "a draft", "C-g")
	p.sees("› a draft edited")
	p.press("C-u")
	p.paste(strings.Repeat("a pasted line\n", 200), "-p")
	p.sees("[pasted 200 lines]")
	p.press("C-u")

	p.press("C-z")
	p.sees("Stopped")
	p.press("fg", "Enter")
	p.sees("built-in · ", "[Cancelled]")
	p.press("quit", "Enter")
	p.leaves()
	p.press("stty -a | diff - before && echo un''changed", "Enter")
	p.sees("unchanged")
	if modes := p.modes(); modes != "0 0 1" {
		t.Errorf("modes %q afterwards", modes)
	}
}

// After kill -9 the typed draft and the waiting prompts are restored, but not prompts that were
// sent. A second window does not see them while the first one lives.
func TestDraftAndQueueSurviveKill(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 30)
	start := func() {
		p.clear()
		p.press("marvin --provider offline", "Enter")
		p.sees("built-in · ")
	}
	start()
	p.press("run the command sleep 100", "Enter")
	p.sees("│ sleep 100", "[y]es")
	time.Sleep(quietTime)
	p.press("y")
	p.sees("sleep 100 ·", "running")
	p.press("this waits", "Enter")
	p.sees("⏳ this waits")
	p.press("half a thought 日本")
	p.sees("› half a thought 日本")
	time.Sleep(time.Second) // as long as a person may lose
	p.signal("KILL")
	p.sees("Killed")
	p.press("reset", "Enter")
	p.sees("$")
	start()
	p.sees("⏳ this waits", "› half a thought 日本", "Your unsent prompts are back")
	p.press("C-u", "convert 12 km to miles", "Enter")
	p.sees("› convert 12 km to miles", "7.456", "› this waits")
	time.Sleep(time.Second)
	p.signal("KILL")
	p.sees("Killed")
	p.press("reset", "Enter")
	p.sees("$")
	start()
	if shown := p.sees("built-in"); strings.Contains(shown, "waits") || strings.Contains(shown, "convert") {
		t.Errorf("what was sent came back:\n%s", shown)
	}
}

// A terminal without bracketed paste sends pasted lines as keys, and none of them is sent as a
// prompt.
func TestUnbracketedPasteSendsNothing(t *testing.T) {
	p := openPane(t, 80, 24)
	p.press("marvin --provider offline", "Enter")
	p.sees("built-in · ")
	p.paste("a\nrun the command touch oops\n" + strings.Repeat("another line\n", 50))
	if shown := p.sees("› a[pasted 52 lines]"); strings.Contains(shown, " message") {
		t.Errorf("something was sent:\n%s", shown)
	}
}

// A warning about an invalid setting is shown on the full screen, which covers the output of the
// start.
func TestWarningsOfTheStartStandOnTheFullScreen(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("mkdir -p .config/marvin; echo 'theme: puce' > .config/marvin/config.yaml", "Enter")
	p.clear()
	p.press("marvin --provider offline", "Enter")
	p.sees("built-in · ", "there is no theme \"puce\"")
	p.press("quit", "Enter")
	p.leaves()
}

func TestScrolledRowsAreWhereTheyShouldBe(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("marvin --provider offline", "Enter")
	p.sees("built-in · ")
	p.press("!seq 1 60; echo 日本語 👨‍👩‍👧; seq 1 20", "Enter")
	p.sees("  │ 19 ", "  │ 20 ")
	for _, key := range []string{"S-Up", "PageUp", "S-Down", "PageUp", "PageDown", "S-Up", "End"} {
		p.press(key, "a")
		scrolled := p.sees("› a\n")
		p.press("C-l", "b")
		drawn := p.sees("› ab\n")
		if is, was := unjoined.Replace(drawn), unjoined.Replace(strings.Replace(scrolled, "› a\n", "› ab\n", 1)); is != was {
			t.Fatalf("after %s the terminal shows\n%s\nnot\n%s", key, was, is)
		}
		p.press("C-u")
		p.sees("› Ask anything")
	}
}

// unjoined drops the first member of a joined emoji. tmux 3.3 joins the others to it only if they
// arrive in the same read; the width is the same.
var unjoined = strings.NewReplacer("👨\u200d👩\u200d👧", "👨", "👨\u200d👩", "👨")

// quietTime is longer than the time during which a new question ignores keys.
const quietTime = 400 * time.Millisecond

// A signal gives the terminal back.
func TestSignalsRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	p.press("stty -a > before", "Enter")
	for _, signal := range []string{"TERM", "HUP"} {
		p.clear()
		p.press("marvin --provider offline", "Enter")
		p.sees("built-in · ")
		p.signal(signal)
		p.until("the shell again", func(string) bool { return p.modes() == "0 0 1" })
		p.press("stty -a | diff - before && echo un''changed after "+signal, "Enter")
		p.sees("unchanged after " + signal)
	}
}

func TestStopAndContinue(t *testing.T) {
	p := openPane(t, 80, 24)
	p.press("marvin --provider offline", "Enter")
	p.sees("built-in · ")
	for round := range 6 {
		if round%2 == 0 {
			p.press("C-z")
		} else {
			p.signal("STOP")
		}
		p.sees("Stopped", "\n$")
		p.clear()
		p.press("fg", "Enter")
		text := fmt.Sprintf("round %d", round)
		p.sees("built-in · ")
		p.press(text)
		p.sees("› " + text)
		p.press("C-u")
		p.until("an empty input", func(shown string) bool { return !strings.Contains(shown, text) })
	}
	p.press("quit", "Enter")
	p.until("the shell", func(string) bool { return p.modes() == "0 0 1" })
}

// signal sends a signal to the program that the shell of the pane runs.
func (p *pane) signal(name string) {
	p.t.Helper()
	child, err := exec.Command("pgrep", "-P", p.tmux("display", "-p", "#{pane_pid}")).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	if out, err := exec.Command("kill", "-"+name, strings.TrimSpace(string(child))).CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
}

func TestLinesWhereNoScreenCanBe(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	for _, start := range []string{"marvin --plain", "TERM=dumb marvin", "ACCESSIBLE=1 marvin", "TERM= marvin", "TERM=no-such marvin"} {
		p.clear()
		p.press(start+" --provider offline", "Enter")
		p.sees("Marvin (offline built-in)", "You:")
		if modes := p.modes(); modes != "0 0 1" {
			t.Errorf("%s: modes %q", start, modes)
		}
		p.press("quit", "Enter")
		p.until("the shell again", func(shown string) bool { return strings.HasSuffix(strings.TrimSpace(shown), "$") })
	}
}

func TestOwnCommandsEndWithMarvin(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	for _, start := range []string{"marvin", "marvin --plain"} {
		p.clear()
		p.press("rm -f pid; "+start+" --provider offline", "Enter")
		p.sees("built-in")
		p.press("!trap '' TERM; echo $$ > pid; while :; do sleep 1; done", "Enter")
		file := filepath.Join(filepath.Dir(p.socket), "pid")
		var pid string
		p.until("a running command", func(string) bool {
			text, err := os.ReadFile(file)
			pid = strings.TrimSpace(string(text))
			return err == nil && pid != ""
		})
		p.press("C-d")
		p.until("the shell again", func(shown string) bool {
			return p.modes() == "0 0 1" && strings.HasSuffix(strings.TrimSpace(shown), "$")
		})
		if _, err := os.Stat("/proc/" + pid); err == nil {
			t.Errorf("%s left process %s behind", start, pid)
		}
	}
}

// Text that is typed while Marvin starts is sent as if it were typed later.
func TestTypedAheadIsSent(t *testing.T) {
	t.Parallel()
	p := openPane(t, 80, 24)
	for _, start := range []string{"marvin", "marvin --plain"} {
		p.clear()
		p.press("echo st''arting; sleep 0.5; "+start+" --provider offline", "Enter")
		p.sees("starting")
		p.press("convert 12 km to miles", "Enter")
		p.sees("7.456")
		p.press("C-d")
		p.until("the shell again", func(shown string) bool {
			return p.modes() == "0 0 1" && strings.HasSuffix(strings.TrimSpace(shown), "$")
		})
	}
}

func TestGreetingNamesTheWayBack(t *testing.T) {
	t.Parallel()
	p := openPane(t, 100, 30)
	p.press("git init -q -b trunk .; clear; marvin --provider offline", "Enter")
	p.sees("Marvin, an assistant in your terminal", "branch trunk", "Coding     on")
	p.press("convert 12 km to miles", "Enter")
	p.sees("7.456", "2 messages")
	p.press("quit", "Enter")
	p.leaves()
	p.sees("1 prompt, $0.0000. To continue it: marvin -c")

	// In another directory Marvin reports that there is no conversation, and names another command
	// that continues one from elsewhere.
	p.press("mkdir other; cd other; clear; marvin -c --provider offline", "Enter")
	p.sees("Marvin, an assistant in your terminal", "/other yet; a new one begins.")
	p.press("quit", "Enter")
	p.leaves()
	p.press("clear; marvin -r miles --provider offline", "Enter")
	p.sees("The conversation continues in")
	p.press("quit", "Enter")
	p.leaves()
	p.sees("To continue it: marvin -r 2")
}
