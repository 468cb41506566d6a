package proc

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A child process has no terminal. Most programs that need a terminal print an error and exit, but
// an editor, for example, waits forever for keystrokes. A program can also wait in a
// pseudo-terminal that the command created. Marvin recognizes such programs by complete inactivity,
// and by their name or their use of a terminal. Slow or silent programs, and programs that wait for
// the network, are not affected.

// WaitError means that Program waited for a terminal, so [Run] ended the command.
type WaitError struct{ Program string }

func (w *WaitError) Error() string {
	return fmt.Sprintf("%s waits for input from a terminal, but there is no terminal", w.Program)
}

// look is a snapshot of a command's processes.
type look struct {
	processes []processState
	written   int64 // bytes of output so far
}

// processState is the state of one process at one moment.
type processState struct {
	pid, parent int
	name        string
	args        []string
	asleep      bool
	ticks       int64 // processor time used so far
	keys        bool  // the process waits, and only a terminal could wake it
}

// waiting returns the name of a program that waits for a terminal, or "" if there is none. It
// returns "" if any process ran or wrote output between the snapshots.
func waiting(before, now look, alternate bool) string {
	if len(now.processes) == 0 || before.written != now.written || len(before.processes) != len(now.processes) {
		return ""
	}
	for i, process := range now.processes {
		earlier := before.processes[i]
		if !process.asleep || process.pid != earlier.pid || process.ticks != earlier.ticks {
			return ""
		}
	}
	// The last process is the innermost one, for which the other processes wait.
	for _, process := range slices.Backward(now.processes) {
		if slices.ContainsFunc(now.processes, func(other processState) bool { return other.parent == process.pid }) {
			continue
		}
		if process.interactive() || process.keys && now.typist() || alternate {
			return process.name
		}
	}
	return ""
}

// typist returns true if "script" drives the command's terminal. "script" forwards only its own
// input, which is empty. Other drivers, such as expect, can send keystrokes later.
func (l look) typist() bool {
	return slices.ContainsFunc(l.processes, func(process processState) bool { return process.name == "script" })
}

// editors contains the names of programs that wait for keystrokes.
var editors = []string{
	"vim", "vi", "nvim", "vim.basic", "vim.tiny", "view", "vimdiff", "nano", "pico", "emacs", "micro", "hx", "helix", "kak", "mcedit", "joe", "less", "more", "most",
}

// An editor does not wait for keystrokes if an argument begins with one of these strings.
var batch = []string{"-e", "-E", "-s", "-c", "-S", "+", "-l", "--headless", "--batch", "-batch", "--script", "-script", "--cmd", "--server", "--remote", "--fg-daemon", "--daemon", "--version", "--help"}

func (d processState) interactive() bool {
	return slices.Contains(editors, d.name) && !slices.ContainsFunc(d.args, func(arg string) bool {
		return slices.ContainsFunc(batch, func(start string) bool { return strings.HasPrefix(arg, start) })
	})
}

// program returns the base name of args[0], or the given name if args[0] is missing or empty.
func program(args []string, name string) string {
	if len(args) > 0 && args[0] != "" {
		return path.Base(args[0])
	}
	return name
}

// vigil examines a command about once a second.
type vigil struct{ last look }

// ended returns the reason why the command must end, or nil. Each call takes 1 to 2 ms.
func (v *vigil) ended(r *running) error {
	now := look{written: r.stdout.count() + r.stderr.count(), processes: r.session.doings()}
	name := waiting(v.last, now, r.stdout.alternate() || r.stderr.alternate())
	v.last = now
	if name == "" {
		return nil
	}
	return &WaitError{Program: name}
}

func (k *keeper) count() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.total
}

// alternate returns true if the stream has selected the terminal's alternate screen, as editors and
// pagers do.
func (k *keeper) alternate() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.other
}

// switches contains the prefixes of the sequences that control the alternate screen. A final h
// opens the screen, and a final l closes it.
var switches = [...]string{"\x1b[?1049", "\x1b[?1047", "\x1b[?47"}

// trackScreen records whether a stream has switched the terminal to the alternate screen. It misses
// an escape sequence that is split across two writes.
func (k *keeper) trackScreen(p []byte) {
	if bytes.IndexByte(p, 0x1b) < 0 {
		return
	}
	last := -1
	for _, sequence := range switches {
		if at := bytes.LastIndex(p, []byte(sequence)); at > last && at+len(sequence) < len(p) {
			last, k.other = at, p[at+len(sequence)] == 'h'
		}
	}
}
