package lineedit

import "strings"

// Vim adds vi's insert and normal modes to an [Editor]. The zero value is in insert mode. The
// commands are described at https://vimhelp.org/motion.txt.html and
// https://vimhelp.org/change.txt.html.
type Vim struct {
	normal   bool
	count    int    // count before a command; 0 for none
	outer    int    // count before the operator
	operator string // d, c or y waiting for a motion, or r waiting for a character
	steps    int    // number of undo steps before the current insertion, which becomes one step
}

// mostTimes limits the count of a command. mostPut limits the number of bytes that one p or P
// command inserts.
const (
	mostTimes = 999
	mostPut   = 1 << 20
)

// Wish is an action that [Vim] requests from the front end, such as a search in the history. The
// zero value requests nothing.
type Wish struct {
	Action string // up, down or search; "" for none
	Times  int
}

// Normal reports whether letter keys are commands.
func (v *Vim) Normal() bool { return v.normal }

// Key handles a key press. If typed is true, key is a character; otherwise key is a name such as
// "Esc" or "Ctrl-R". If the key press keeps its usual function, Key returns false.
func (v *Vim) Key(e *Editor, key string, typed bool) (wish Wish, taken bool) {
	if !v.normal {
		return Wish{}, v.typing(e, key, typed)
	}
	v.Settle(e)
	waits := v.operator != "" || v.count > 0
	switch {
	case typed && v.operator == "r":
		v.replace(e, key)
	case typed && (key >= "1" && key <= "9" || key == "0" && v.count > 0):
		v.count = min(v.count*10+int(key[0]-'0'), mostTimes)
		return Wish{}, true
	case typed:
		wish = v.command(e, key)
	case key == "Ctrl-R":
		repeat(v.times(), e.Redo)
	case key == "Backspace":
		e.move(max(e.lineStart(), e.cursor-v.times()))
	case waits && (key == "Esc" || key == "Enter"): // cancel the incomplete command, so that Enter does not send the text by mistake
		v.forget()
	default:
		v.forget()
		return Wish{}, false
	}
	v.Settle(e)
	return wish, true
}

// typing is [Vim.Key] for insert mode.
func (v *Vim) typing(e *Editor, key string, typed bool) bool {
	switch {
	case key == "Esc" && !typed:
		if len(e.undone) > v.steps+1 && len(e.undone) < undoDepth {
			e.undone = e.undone[:v.steps+1]
		}
		e.move(max(e.lineStart(), e.cursor-1))
		v.normal = true
		v.Settle(e)
		return true
	case !typed && key != "Backspace":
		v.steps = len(e.undone) // a movement starts a new undo step
	}
	return false
}

// Settle corrects the cursor after other code has moved it. In normal mode, the cursor must not be
// after the last character of a line.
func (v *Vim) Settle(e *Editor) {
	if v.normal && e.cursor == e.lineEnd() && e.cursor > e.lineStart() {
		e.move(e.cursor - 1)
	}
}

// times returns how many times to run the current command, and clears the count and the operator.
func (v *Vim) times() int {
	times := min(max(v.count, 1)*max(v.outer, 1), mostTimes)
	v.forget()
	return times
}

func (v *Vim) forget() { v.count, v.outer, v.operator = 0, 0, "" }

// enterInsert switches to insert mode. When the user leaves insert mode, the undo steps beyond the
// given number become one step.
func (v *Vim) enterInsert(steps int) { v.normal, v.steps = false, steps }

// combinedCommands lists the commands that consist of an operator and a motion.
var combinedCommands = [...]struct{ key, operator, motion string }{
	{"x", "d", "l"}, {"X", "d", "h"}, {"D", "d", "$"}, {"C", "c", "$"}, {"s", "c", "l"}, {"S", "c", "c"}, {"Y", "y", "y"},
}

// command interprets a typed character as the motion of the pending operator, or else as a command.
func (v *Vim) command(e *Editor, key string) Wish {
	if v.operator != "" {
		operator := v.operator
		v.operate(e, operator, key, v.times())
		return Wish{}
	}
	for _, each := range combinedCommands {
		if each.key == key {
			v.operate(e, each.operator, each.motion, v.times())
			return Wish{}
		}
	}
	switch key {
	case "d", "c", "y", "r":
		v.operator, v.outer, v.count = key, v.count, 0
		return Wish{}
	case "j", "k":
		return Wish{Action: map[string]string{"j": "down", "k": "up"}[key], Times: v.times()}
	case "/", "?": // both keys search the history, as in the vi modes of shells
		v.forget()
		return Wish{Action: "search", Times: 1}
	}
	times := v.times()
	if to, ok := motion(e, key, times); ok {
		e.move(to)
		return Wish{}
	}
	v.change(e, key, times)
	return Wish{}
}

// change executes a command that is not a motion, such as "u" (undo) or "p" (put).
func (v *Vim) change(e *Editor, key string, times int) {
	steps := len(e.undone)
	switch key {
	case "i":
	case "a":
		e.move(min(e.cursor+1, e.lineEnd()))
	case "I":
		e.move(firstOf(e))
	case "A":
		e.move(e.lineEnd())
	case "o":
		e.change(other, e.lineEnd(), e.lineEnd(), split("\n"))
	case "O":
		e.change(other, e.lineStart(), e.lineStart(), split("\n"))
		e.move(e.cursor - 1)
	case "u":
		repeat(times, e.Undo)
		return
	case "p", "P":
		put(e, key == "p", times)
		return
	default:
		return
	}
	v.enterInsert(steps)
}

// replace implements the command r. It overwrites characters with the typed character. The
// command's count is the number of characters. If the line has too few characters, nothing changes.
func (v *Vim) replace(e *Editor, with string) {
	times := v.times()
	with = clean(with)
	if with == "" || e.cursor+times > e.lineEnd() {
		return
	}
	e.change(other, e.cursor, e.cursor+times, split(strings.Repeat(with, times)))
	e.move(e.cursor - 1)
}

func repeat(times int, do func()) {
	for range times {
		do()
	}
}
