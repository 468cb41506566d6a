package proc

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A child has no terminal, and most programs that need one say so and end. Some wait for keys
// forever: an editor that takes its pipes for a terminal, or a program in a pseudo-terminal that
// the command made. They are recognized by their kind and by doing nothing at all: a slow or silent
// program, or one that waits for the network, is not among them.

// Waits is the error of a command that was ended because a program of it waits for a
// terminal.
type Waits struct{ Program string }

func (w *Waits) Error() string {
	return fmt.Sprintf("%s waits for a user at a terminal, and there is none", w.Program)
}

// look is what the processes of a command do at one moment.
type look struct {
	processes []doing
	written   int64 // bytes of output until then
}

// doing is what one process does.
type doing struct {
	pid, parent int
	name        string
	args        []string
	asleep      bool
	ticks       int64 // of the processor, used until then
	keys        bool  // it waits, and has nothing open that could wake it but a terminal
}

// waiting is the program that waits for a terminal in both observations, "" if there is none or if
// anything happened in between.
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
	// The last one is the innermost: what it waits for is what all wait for.
	for _, process := range slices.Backward(now.processes) {
		if slices.ContainsFunc(now.processes, func(other doing) bool { return other.parent == process.pid }) {
			continue
		}
		if process.interactive() || process.keys && now.typist() || alternate {
			return process.name
		}
	}
	return ""
}

// typist reports that the command's terminal is driven by script, which types only its empty input.
// For others (expect, a terminal test) it is unknown.
func (l look) typist() bool {
	return slices.ContainsFunc(l.processes, func(process doing) bool { return process.name == "script" })
}

// editors are programs that do nothing without keys, unless an argument says otherwise.
var editors = []string{
	"vim", "vi", "nvim", "vim.basic", "vim.tiny", "view", "vimdiff", "nano", "pico", "emacs", "micro", "hx", "helix", "kak", "mcedit", "joe", "less", "more", "most",
}

// batch are beginnings of arguments with which these end by themselves.
var batch = []string{"-e", "-E", "-s", "-c", "-S", "+", "-l", "--headless", "--batch", "-batch", "--script", "-script", "--cmd", "--server", "--remote", "--fg-daemon", "--daemon", "--version", "--help"}

// interactive says whether it is a program that does nothing without keys.
func (d doing) interactive() bool {
	return slices.Contains(editors, d.name) && !slices.ContainsFunc(d.args, func(arg string) bool {
		return slices.ContainsFunc(batch, func(start string) bool { return strings.HasPrefix(arg, start) })
	})
}

// program is the name of the program in a command line.
func program(args []string, name string) string {
	if len(args) > 0 && args[0] != "" {
		return path.Base(args[0])
	}
	return name
}

// vigil looks at a command about once a second.
type vigil struct{ last look }

// ended is why the command must end, nil to continue. An observation takes 1 to 2 ms.
func (v *vigil) ended(r *running) error {
	now := look{written: r.stdout.count() + r.stderr.count(), processes: r.session.doings()}
	name := waiting(v.last, now, r.stdout.alternate() || r.stderr.alternate())
	v.last = now
	if name == "" {
		return nil
	}
	return &Waits{Program: name}
}

func (k *keeper) count() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.total
}

// alternate says whether the stream switched a terminal to its other screen, the one of
// editors and pagers, and not back.
func (k *keeper) alternate() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.other
}

// switches open the alternate screen; with l instead of h they close it.
var switches = [...]string{"\x1b[?1049", "\x1b[?1047", "\x1b[?47"}

// note follows the switches in a stream; one that lies across two writes is missed.
func (k *keeper) note(p []byte) {
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
