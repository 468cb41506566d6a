package plain

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"marvin/messages"
	"marvin/ui/termsafe"
)

// reader reads what is typed, a piece at a time and only when it is wanted: while
// another program has the terminal nobody else may read from it.
type reader struct {
	want   chan struct{}
	pieces chan string // lines, or bytes of a raw terminal
	asked  bool
}

// newReader reads lines of any length, or what a raw terminal sends.
func newReader(s *Screen, ctx context.Context) reader {
	r := reader{want: make(chan struct{}, 1), pieces: make(chan string)}
	buffered, bytes := bufio.NewReader(s.Stdin), make([]byte, 4096)
	raw := s.Edits
	read := func() (string, error) {
		if raw {
			n, err := s.Stdin.Read(bytes)
			return string(bytes[:n]), err
		}
		line, err := buffered.ReadString('\n')
		if line != "" {
			err = nil // the end follows
		}
		return strings.TrimRight(line, "\r\n"), err
	}
	s.start(func() {
		for {
			select {
			case <-r.want:
			case <-ctx.Done():
				return
			}
			piece, err := read()
			if err != nil {
				return
			}
			select {
			case r.pieces <- piece:
			case <-ctx.Done():
				return
			}
		}
	}, func() { close(r.pieces) })
	return r
}

// wantInput asks for the next piece. What comes from a program is read line by line as
// it can be answered, so that a line behind a question answers it; a person may type
// ahead.
func (s *Screen) wantInput() {
	if s.reader.asked || s.reader.pieces == nil || s.leaving || !s.opened {
		return
	}
	if s.Terminal == nil && s.busy() && len(s.asked) == 0 {
		return
	}
	s.reader.asked = true
	s.reader.want <- struct{}{}
}

// typed takes a line, or keys.
func (s *Screen) typed(piece string) {
	if !s.Edits {
		s.echo(piece)
		s.submit(piece)
		return
	}
	for _, pressed := range s.line.keys.take(piece) {
		if s.leaving {
			return
		}
		s.key(pressed)
	}
}

// echo shows a line that nobody saw being typed.
func (s *Screen) echo(line string) {
	if s.Terminal == nil && s.shown {
		s.shown = false
		s.print(line + "\n")
	}
	s.shown, s.lineOpen = false, false // the person's Enter ended the line
}

// quiet is how long after a question appeared keys are still about something else.
const quiet = 300 * time.Millisecond

func (s *Screen) key(pressed key) {
	switch {
	case len(s.asked) > 0 && s.Now().Sub(s.shownAt) < quiet && pressed.name != "ctrl-c":
		if pressed.name == "" {
			s.draft += pressed.text
		}
		return
	case s.line.search != nil && s.line.look(pressed):
	case pressed.name == "" && pressed.paste:
		s.line.Paste(pressed.text)
	case pressed.name == "":
		s.line.Insert(pressed.text)
	case pressed.name == "enter":
		s.enter()
		return
	case pressed.name == "ctrl-c":
		s.interrupt()
		return
	case pressed.name == "ctrl-d" && s.line.Empty():
		s.leave()
		return
	case pressed.name == "ctrl-g" && s.Edit != nil:
		s.edit()
		return
	case pressed.name == "ctrl-z":
		s.suspend(func() error { stopProcess(s.goesOn); return nil })
		return
	default:
		s.line.act(pressed.name)
	}
	s.warned = false
	if s.shown {
		s.redraw()
	}
}

// edit lets the person write the line in an editor.
func (s *Screen) edit() {
	text := ""
	err := s.suspend(func() (err error) {
		text, err = s.Edit(s.line.Text())
		return err
	})
	if err != nil {
		s.say("[Error] " + err.Error())
		return
	}
	s.line.SetText(text)
}

// enter takes the line that was edited.
func (s *Screen) enter() {
	text := s.line.Text()
	if s.shown {
		s.write(s.line.below(s.label(), s.width()))
		s.shown = false
	}
	s.line.Reset()
	s.submit(text)
}

// submit takes a whole line: an answer to an open question, or whatever the engine
// makes of it.
func (s *Screen) submit(text string) {
	s.warned = false
	if len(s.asked) > 0 {
		s.answer(strings.TrimSpace(text))
		return
	}
	if s.Terminal != nil && strings.TrimSpace(text) != "" {
		s.line.history.Add(text)
		if s.AddInput != nil {
			s.AddInput(s.profile, text)
		}
	}
	s.engine.Take(text)
}

// answer takes a number or the word; anything that is not clearly a yes is a no.
func (s *Screen) answer(line string) {
	asked, choice := s.asked[0], messages.No
	for i, offered := range asked.Choices {
		if line == strconv.Itoa(i+1) || strings.EqualFold(line, string(offered)) {
			choice = offered
		}
	}
	s.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
	s.settled(asked.Ask) // the next line is for the next one
}

func (s *Screen) settled(ask string) {
	at := slices.IndexFunc(s.asked, func(asked messages.Asked) bool { return asked.Ask == ask })
	if at < 0 {
		return
	}
	s.asked = slices.Delete(s.asked, at, at+1)
	if at > 0 {
		return
	}
	s.hide()
	if len(s.asked) > 0 {
		s.question()
		return
	}
	s.line.Reset()
	s.line.Insert(s.draft)
	s.draft = ""
}

// takeTerminal makes the terminal raw if lines are edited on it. Where that fails the
// terminal's own editing has to do.
func (s *Screen) takeTerminal() {
	if !s.Edits || s.Terminal == nil {
		s.Edits = false
		return
	}
	cooked, err := term.MakeRaw(int(s.Terminal.Fd()))
	if err != nil {
		s.Edits = false
		return
	}
	s.cooked = cooked
	s.write("\x1b[?2004h") // pastes are marked as such
}

func (s *Screen) giveTerminal() {
	if s.cooked != nil {
		s.write("\x1b[?2004l")
		_ = term.Restore(int(s.Terminal.Fd()), s.cooked) // a terminal that is gone needs no modes
		s.cooked = nil
	}
}

// suspend gives the terminal away while use runs. A Ctrl-C meanwhile was for that.
func (s *Screen) suspend(use func() error) error {
	s.hide()
	edited := s.Edits
	s.giveTerminal()
	err := use()
	if s.takeTerminal(); s.Edits != edited {
		s.leave() // the terminal is gone
	}
	for len(s.Interrupts) > 0 {
		<-s.Interrupts
	}
	return err
}

// finish leaves the terminal as it was found, the cursor at the beginning of a line.
func (s *Screen) finish() {
	s.hide()
	if s.lineOpen || s.held != "" {
		s.print("\n")
	}
	s.giveTerminal()
}

func (s *Screen) width() int { return widthOf(int(s.Terminal.Fd())) }

// label stands in front of what is typed.
func (s *Screen) label() string {
	switch {
	case len(s.asked) > 0:
		return "Choose a number (Enter is no): "
	case s.engine.ShellMode():
		return "$ "
	}
	return "You: "
}

// show puts the input on the screen when there is something to type for.
func (s *Screen) show() {
	if s.shown || s.leaving || s.closed || !s.opened || s.ended || s.busy() && len(s.asked) == 0 {
		return
	}
	s.flush()
	if s.lineOpen {
		s.print("\n")
	}
	if s.Edits {
		s.write(s.line.draw(s.label(), s.width()))
	} else {
		s.write(s.label())
	}
	s.shown = true
}

func (s *Screen) redraw() {
	s.write(s.line.erase() + s.line.draw(s.label(), s.width()))
}

// hide takes the input off the screen, or ends its line where that is not possible.
func (s *Screen) hide() {
	if !s.shown {
		return
	}
	s.shown = false
	if s.Edits {
		s.write(s.line.erase())
		return
	}
	s.write("\n")
}

// say writes whole lines.
func (s *Screen) say(text string) {
	s.flush()
	s.hide()
	if s.lineOpen {
		s.print("\n")
	}
	s.print(text + "\n")
}

// print writes text that Marvin did not write.
func (s *Screen) print(text string) {
	text = termsafe.String(text)
	if text == "" {
		return
	}
	s.hide()
	s.lineOpen = !strings.HasSuffix(text, "\n")
	s.write(strings.ReplaceAll(text, "\n", s.newline()))
}

// newline is what ends a line: a raw terminal does not go back to its beginning.
func (s *Screen) newline() string {
	if s.cooked != nil {
		return "\r\n"
	}
	return "\n"
}

func (s *Screen) write(text string) {
	if _, err := io.WriteString(s.Stdout, text); err != nil {
		s.leave() // nobody reads
	}
}
