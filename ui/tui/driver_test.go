package tui_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"go.uber.org/goleak"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui"
	"marvin/ui/tui"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400)                                // memory is there, time is not
	if err := os.Setenv("LC_ALL", "C.UTF-8"); err != nil { // in the locale C tcell draws with ASCII alone
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"), goleak.IgnoreAnyFunction("github.com/asynkron/protoactor-go/actor.NewDeadLetter.NewThrottle.func4.1"))
}

// wire connects a terminal and the program. Typed and drawn text passes through it as bytes,
// through tcell's own parser and writer.
type wire struct {
	mutex  sync.Mutex
	size   tcell.WindowSize
	resize func()
	out    bytes.Buffer
	stop   chan struct{}
	rest   []byte
	chunks chan []byte
	hangup chan struct{}
}

func newWire(width, height int) *wire {
	return &wire{size: windowSize(width, height), chunks: make(chan []byte, 64), hangup: make(chan struct{})}
}

// windowSize returns the size of a window whose cells have 8×16 pixels.
func windowSize(width, height int) tcell.WindowSize {
	return tcell.WindowSize{Width: width, Height: height, PixelWidth: 8 * width, PixelHeight: 16 * height}
}

func (w *wire) Start() error { w.stop = make(chan struct{}); return nil }
func (w *wire) Drain() error { close(w.stop); return nil }
func (w *wire) Stop() error  { return nil }
func (w *wire) Close() error { return nil }

func (w *wire) NotifyResize(resized func()) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.resize = resized
}

func (w *wire) WindowSize() (tcell.WindowSize, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.size, nil
}

func (w *wire) Read(to []byte) (int, error) {
	if len(w.rest) == 0 {
		select {
		case w.rest = <-w.chunks:
		case <-w.stop:
			return 0, nil
		case <-w.hangup:
			return 0, io.EOF
		}
	}
	n := copy(to, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

func (w *wire) Write(data []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.out.Write(data)
}

func (w *wire) written() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.out.String()
}

func (w *wire) become(width, height int) {
	w.mutex.Lock()
	w.size = windowSize(width, height)
	resized := w.resize
	w.mutex.Unlock()
	if resized != nil {
		resized()
	}
}

// frame is the screen after one drawing.
type frame struct {
	rows   []string
	styles map[string]tcell.Style // of the first cell of each word
	x, y   int                    // the cursor, -1 when hidden
	number int
}

func (f frame) String() string { return strings.Join(f.rows, "\n") }

// watched is tcell's real screen. It keeps every finished frame.
type watched struct {
	tcell.Screen
	mutex   sync.Mutex
	x, y    int
	last    frame
	changed chan struct{}
}

func (w *watched) EventQ() chan tcell.Event {
	return w.Screen.(interface{ EventQ() chan tcell.Event }).EventQ()
}

func (w *watched) GetCells() *tcell.CellBuffer {
	return w.Screen.(interface{ GetCells() *tcell.CellBuffer }).GetCells()
}

func (w *watched) Lock()   { w.Screen.(sync.Locker).Lock() }
func (w *watched) Unlock() { w.Screen.(sync.Locker).Unlock() }

func (w *watched) ShowCursor(x, y int) {
	w.x, w.y = x, y
	w.Screen.ShowCursor(x, y)
}

func (w *watched) HideCursor() { w.x, w.y = -1, -1; w.Screen.HideCursor() }

func (w *watched) Show() {
	w.Screen.Show()
	width, height := w.Screen.Size()
	next := frame{x: w.x, y: w.y, styles: map[string]tcell.Style{}}
	for y := range height {
		var row strings.Builder
		word, style := "", tcell.StyleDefault
		for x := 0; x < width; {
			text, painted, cells := w.Screen.Get(x, y)
			if text = strings.TrimSpace(text); text == "" {
				next.styles[word], word = style, ""
				text = " "
			} else if word += text; word == text {
				style = painted
			}
			row.WriteString(text)
			x += max(cells, 1)
		}
		next.styles[word] = style
		next.rows = append(next.rows, strings.TrimRight(row.String(), " ▐")) // without the scroll bar
	}
	w.mutex.Lock()
	next.number = w.last.number + 1
	w.last = next
	w.mutex.Unlock()
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// person is a user at the terminal.
type person struct {
	t      *testing.T
	wire   *wire
	screen *watched
	ended  chan error
	stop   context.CancelFunc
}

// sit begins a conversation with real actors on a screen.
func sit(t *testing.T, setup actorstest.Setup, width, height int, changes ...func(*tui.Config)) *person {
	t.Helper()
	if setup.Policy == nil {
		setup.Policy = &actors.Policy{Coding: true, Person: true}
	}
	return sitWith(t, actorstest.Start(t, setup).Client, width, height, changes...)
}

func sitWith(t *testing.T, client ui.Client, width, height int, changes ...func(*tui.Config)) *person {
	t.Helper()
	info, err := tcell.LookupTerminfo("xterm-256color")
	if err != nil {
		t.Fatal(err)
	}
	line := newWire(width, height)
	screen, err := tcell.NewTerminfoScreenFromTtyTerminfo(tui.Keyboard(line), info)
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, wire: line, screen: &watched{Screen: screen, changed: make(chan struct{}, 1)}, ended: make(chan error, 1)}
	if err := p.screen.Init(); err != nil {
		t.Fatal(err)
	}
	config := tui.Config{Client: client, Now: time.Now, Scroll: true}
	for _, change := range changes {
		change(&config)
	}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.ended <- tui.On(p.screen).Run(ctx, config)
	}()
	t.Cleanup(func() { stop(); <-ended })
	return p
}

// codes maps keys to the bytes that a terminal sends for them.
var codes = map[string]string{
	"Enter": "\r", "Esc": "\x1b", "Tab": "\t", "Backspace": "\x7f", "Alt-Enter": "\x1b\r",
	"Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Alt-Up": "\x1b[1;3A",
	"Backtab": "\x1b[Z", "Alt-p": "\x1bp", "F2": "\x1bOQ", "F3": "\x1bOR", "Shift-Up": "\x1b[1;2A", "Shift-Down": "\x1b[1;2B", "PgUp": "\x1b[5~", "PgDn": "\x1b[6~", "Home": "\x1b[H", "End": "\x1b[F",
	"WheelUp": "\x1b[<64;5;5M", "WheelDown": "\x1b[<65;5;5M",
}

// press presses keys. A key is Ctrl and a letter, a name in codes, or literal text.
func (p *person) press(keys ...string) {
	for _, key := range keys {
		bytes := key
		if code := codes[key]; code != "" {
			bytes = code
		} else if letter, ok := strings.CutPrefix(key, "Ctrl-"); ok {
			bytes = string(rune(letter[0] & 0x1f))
		}
		p.wire.chunks <- []byte(bytes)
	}
}

// until waits for a frame.
func (p *person) until(what string, ok func(frame) bool) frame {
	p.t.Helper()
	late := time.NewTimer(actorstest.Patience)
	defer late.Stop()
	for {
		p.screen.mutex.Lock()
		last := p.screen.last
		p.screen.mutex.Unlock()
		if last.number > 0 && ok(last) {
			return last
		}
		select {
		case <-p.screen.changed:
		case err := <-p.ended:
			p.t.Fatalf("the screen ended (%v) before %s:\n%s", err, what, last)
		case <-late.C:
			p.t.Fatalf("never %s:\n%s", what, last)
		}
	}
}

// sees waits until every text is on the screen.
func (p *person) sees(texts ...string) frame {
	p.t.Helper()
	return p.until("seen: "+strings.Join(texts, ", "), func(f frame) bool {
		for _, text := range texts {
			if !strings.Contains(f.String(), text) {
				return false
			}
		}
		return true
	})
}

func (p *person) seesNo(text string) frame {
	p.t.Helper()
	return p.until("without "+text, func(f frame) bool { return !strings.Contains(f.String(), text) })
}

// left waits until the terminal is restored.
func (p *person) left() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		for _, mode := range []string{"\x1b[?1049l", "\x1b[?2004l", "\x1b[?1000l", "\x1b[?25h"} {
			if out := p.wire.written(); strings.LastIndex(out, mode) < strings.LastIndex(out, strings.NewReplacer("l", "h", "h", "l").Replace(mode)) {
				p.t.Errorf("the terminal does not get %q back", mode)
			}
		}
		return err
	case <-time.After(actorstest.Patience):
		p.t.Fatal("it does not leave")
		return nil
	}
}

// scripted is a conversation whose events the test sends, for turns that are larger or more hostile
// than those of a model.
type scripted struct {
	events chan []messages.Envelope
	ops    chan messages.Op
}

func newScripted() *scripted {
	return &scripted{events: make(chan []messages.Envelope), ops: make(chan messages.Op, 64)}
}

func (s *scripted) Send(op messages.Op) {
	s.ops <- op
	if _, quit := op.(messages.Quit); quit {
		close(s.events)
	}
}

func (s *scripted) Next(ctx context.Context) ([]messages.Envelope, error) {
	select {
	case batch, ok := <-s.events:
		if !ok {
			return nil, io.EOF
		}
		return batch, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *scripted) say(events ...messages.Event) {
	var batch []messages.Envelope
	for _, event := range events {
		batch = append(batch, messages.Envelope{At: time.Now(), Event: event})
	}
	s.events <- batch
}
