package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/goldentest"
)

// walk is a person who presses one key after the other, each of which is done with before
// the next: no loop runs, and a clock goes on by a second with each. What changes on the
// screen, and what is sent, is written down.
type walk struct {
	t      *testing.T
	screen *Screen
	cells  tcell.SimulationScreen
	now    time.Time
	sent   []messages.Op
	rows   []string
	told   strings.Builder
}

// Send and Next make it the conversation of its screen.
func (w *walk) Send(op messages.Op) { w.sent = append(w.sent, op) }

func (w *walk) Next(context.Context) ([]messages.Envelope, error) { return nil, io.EOF }

// begin takes a seat at a screen of a size.
func (w *walk) begin(width, height int, change func(*Config)) {
	w.cells = tcell.NewSimulationScreen("UTF-8")
	if err := w.cells.Init(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(w.cells.Fini)
	w.cells.SetSize(width, height)
	w.now = time.Now()
	config := Config{Client: w, Now: func() time.Time { return w.now }}
	if change != nil {
		change(&config)
	}
	w.screen = (&Terminal{screen: w.cells}).seat(config)
	w.screen.frame.width, w.screen.frame.height = width, height
	w.rows = make([]string, height)
	w.t.Cleanup(func() { close(w.screen.over) })
}

// step does one thing, and writes down what came of it.
func (w *walk) step(what any) {
	w.now = w.now.Add(time.Second)
	switch what := what.(type) {
	case string:
		fmt.Fprintf(&w.told, "-- %q --\n", what)
		w.press(what)
	case time.Duration:
		fmt.Fprintf(&w.told, "-- %v go by --\n", what)
		w.now = w.now.Add(what)
	case tcell.Event:
		fmt.Fprintf(&w.told, "-- %s --\n", eventOf(what))
		_ = w.screen.terminal(what)
	case func(*walk):
		what(w)
	case messages.Event:
		fmt.Fprintf(&w.told, "-- told %T --\n", what)
		w.screen.apply([]messages.Envelope{{At: w.now, Event: what}})
	}
	w.screen.tick()
	w.screen.frame.draws(w.now)
	w.screen.draw(w.now)
	w.look()
}

// follow waits for what goes on beside the loop, and does what follows it.
func follow(w *walk) {
	fmt.Fprintf(&w.told, "-- what was looked up --\n")
	select {
	case then := <-w.screen.done:
		if then != nil {
			then()
		}
	case <-time.After(actorstest.Patience):
		w.t.Fatalf("nothing was looked up:\n%s", w.told.String())
	}
}

// press presses a key by its name, or types a text that is in quotes.
func (w *walk) press(name string) {
	if text, ok := strings.CutPrefix(name, "'"); ok {
		for _, letter := range text {
			w.screen.key(tcell.NewEventKey(tcell.KeyRune, letter, 0))
			w.screen.tick()
		}
		return
	}
	mods := tcell.ModNone
	rest := name
	for prefix, mod := range map[string]tcell.ModMask{"Ctrl-": tcell.ModCtrl, "Alt-": tcell.ModAlt, "Shift-": tcell.ModShift} {
		if cut, ok := strings.CutPrefix(rest, prefix); ok && len(prefix) < len(name) {
			rest, mods = cut, mod
			break
		}
	}
	for key, named := range tcell.KeyNames {
		if named == rest && key >= tcell.KeyUp || named == name || named == rest && !strings.HasPrefix(named, "Ctrl-") {
			w.screen.key(tcell.NewEventKey(key, 0, mods))
			return
		}
	}
	letter := []rune(rest)
	if len(letter) != 1 {
		w.t.Fatalf("%q is no key", name)
	}
	w.screen.key(tcell.NewEventKey(tcell.KeyRune, letter[0], mods))
}

// look writes down which rows are others than before, with what is painted in them.
func (w *walk) look() {
	width, height := w.cells.Size()
	if len(w.rows) != height {
		w.rows = make([]string, height)
	}
	for y := range height {
		row := w.row(y, width)
		if row != w.rows[y] {
			fmt.Fprintf(&w.told, "%2d│%s\n", y, row)
			w.rows[y] = row
		}
	}
	if x, y, shown := w.cells.GetCursor(); shown {
		fmt.Fprintf(&w.told, "   cursor %d,%d\n", x, y)
	}
	for _, op := range w.sent {
		said, err := json.Marshal(op)
		if err != nil {
			w.t.Fatal(err)
		}
		fmt.Fprintf(&w.told, "   sends %T %s\n", op, said)
	}
	w.sent = nil
	w.told.WriteString("\n")
}

// row is a row of cells, with words for stretches of them that are painted.
func (w *walk) row(y, width int) string {
	var text, painted strings.Builder
	before, from := tcell.StyleDefault, 0
	end := func(x int) {
		if name := styleOf(before); name != "" {
			fmt.Fprintf(&painted, " %d-%d %s", from, x-1, name)
		}
	}
	for x := 0; x < width; {
		cell, style, cells := w.cells.Get(x, y)
		if style != before {
			end(x)
			before, from = style, x
		}
		text.WriteString(cell)
		x += max(cells, 1)
	}
	end(width)
	row := strings.TrimRight(text.String(), " ")
	if painted.Len() > 0 {
		row += "  {" + painted.String()[1:] + "}"
	}
	return row
}

// styleOf names a style in short.
func styleOf(style tcell.Style) string {
	front, back, attributes := style.Decompose()
	var said []string
	if front != tcell.ColorDefault {
		said = append(said, front.String())
	}
	if back != tcell.ColorDefault {
		said = append(said, "on "+back.String())
	}
	for mask, name := range map[tcell.AttrMask]string{tcell.AttrBold: "bold", tcell.AttrDim: "dim"} {
		if attributes&mask != 0 {
			said = append(said, name)
		}
	}
	for _, one := range []struct {
		mask tcell.AttrMask
		name string
	}{{tcell.AttrItalic, "italic"}, {tcell.AttrUnderline, "underlined"}, {tcell.AttrReverse, "reverse"}, {tcell.AttrStrikeThrough, "struck"}} {
		if attributes&one.mask != 0 {
			said = append(said, one.name)
		}
	}
	return strings.Join(said, " ")
}

func eventOf(event tcell.Event) string {
	switch event := event.(type) {
	case *tcell.EventMouse:
		x, y := event.Position()
		return fmt.Sprintf("mouse %d at %d,%d", event.Buttons(), x, y)
	case *tcell.EventPaste:
		return fmt.Sprintf("a paste begins %v", event.Start())
	case *tcell.EventFocus:
		return fmt.Sprintf("looks at it %v", event.Focused)
	}
	return fmt.Sprintf("%T", event)
}

// walks goes through steps at a screen, and holds all that was to be seen.
func walks(t *testing.T, name string, width, height int, change func(*Config), steps ...any) {
	t.Helper()
	t.Parallel()
	w := &walk{t: t}
	w.begin(width, height, change)
	for _, step := range steps {
		w.step(step)
	}
	goldentest.Hold(t, name+".golden", w.told.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// keys are the steps of pressing keys.
func keys(names ...string) (steps []any) {
	for _, name := range names {
		steps = append(steps, name)
	}
	return steps
}
