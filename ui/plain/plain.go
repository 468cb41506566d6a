package plain

import (
	"context"
	"io"
	"os"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/internal/beside"
	"marvin/ui/internal/suspend"
	"marvin/ui/keymap"
	"marvin/ui/slash"
)

// Config configures the screen. Only Client, Commands, Stdin, Stdout and Now are required.
type Config struct {
	Client     ui.Client
	Commands   func(command.Front) *command.Engine
	Stdin      io.Reader
	Stdout     io.Writer
	Interrupts <-chan os.Signal // os.Interrupt signals, which Screen.interrupt handles
	First      string           // the first prompt; "" for none
	Now        func() time.Time

	// Terminal is Stdin if Stdin is a user's terminal, and nil otherwise. If Edits is true, the
	// terminal can move its cursor, and line editing and completion are available.
	Terminal *os.File
	Edits    bool
	// WholeLines makes the screen write text line by line instead of piece by piece, for screen
	// readers.
	WholeLines bool
	// Joined determines whether the screen shows prompts that were sent from other windows.
	Joined bool
	// Inputs returns the input history of a profile, oldest first, and AddInput extends the
	// history. Either function can be nil.
	Inputs   func(profile string) []string
	AddInput func(profile, text string)
	// Complete lists the completions of a prefix. If Complete is nil, only commands are completed.
	Complete func(kind slash.Kind, dir, prefix string) []slash.Completion
	// Edit opens text in the user's editor and returns the edited text. A nil function means that
	// there is no editor.
	Edit func(text string) (string, error)
	// Clipboard copies text to the clipboard. A nil function means that there is no clipboard.
	Clipboard func(text string) (way string, err error)
	Lines     <-chan string           // warnings and similar messages; may be nil
	Place     func(dir string) string // returns text with the path and git branch of dir; may be nil
	Keys      map[string][]string     // the user's key bindings, keyed by action name
	Colours   Colours
}

// Screen shows one conversation as lines of text.
type Screen struct {
	Config

	engine  *command.Engine
	reader  reader
	results chan func()
	work    beside.Runner
	over    <-chan struct{} // closed when the loop no longer reads results
	goesOn  <-chan os.Signal

	talk conversation.State
	ask  questions
	line line
	output
	tell teller

	inSentence bool              // whether the answer so far ends within a line or paragraph
	late       []messages.Notice // notices to show when the current line or paragraph ends

	warned  bool // the next Ctrl-C ends Marvin
	ended   bool // the input has ended
	leaving bool

	bindings *keymap.Map
}

// patience is the longest time that Run waits for canceled commands. A command is killed after 1 s,
// but a busy machine may need longer.
const patience = 3 * time.Second

// Run runs the conversation until the user leaves or the conversation ends.
func (s *Screen) Run(ctx context.Context) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	reading, stopReading := context.WithCancel(context.WithoutCancel(ctx))
	defer stopReading()
	s.furnish(reading.Done())
	defer s.engine.Finish(patience) // runs after s.finish restores the terminal
	goesOn, done := suspend.NotifyContinued()
	defer done()
	s.goesOn = goesOn
	defer func() {
		if cause := recover(); cause != nil {
			err = beside.Panicked(cause)
		}
		s.finish()
	}()
	s.enterRaw()
	s.reader = newReader(s, reading)
	batches := s.work.Follow(reading, s.Client)
	return s.loop(ctx, batches)
}

// furnish connects the parts of the screen. The given channel must be closed when the loop stops
// reading results.
func (s *Screen) furnish(done <-chan struct{}) {
	s.work, s.results, s.over = beside.New(), make(chan func(), 8), done
	s.output = output{stdout: s.Stdout, terminal: s.Terminal, edits: s.Edits, whole: s.WholeLines, line: &s.line, lost: s.leave, colours: s.Colours}
	s.tell = teller{out: &s.output}
	s.ask = questions{client: s.Client, now: s.Now, talk: &s.talk, out: &s.output, line: &s.line}
	if s.Terminal != nil && s.Edit != nil {
		s.ask.edit = s.editProposed
	}
	s.engine = s.Commands(front{s})
	s.engine.Talk = &s.talk
	s.bindings, s.line.wrong = keymap.Bind(keymap.Lines, s.Keys)
}

// loop receives and handles input and events. The state is changed only here.
func (s *Screen) loop(ctx context.Context, batches <-chan []messages.Envelope) error {
	done := ctx.Done()
	for !s.talk.Closed {
		s.wantInput()
		select {
		case piece, ok := <-s.reader.pieces:
			s.reader.asked = false
			if !ok {
				s.reader.pieces = nil
				s.endOfInput()
			} else {
				s.handleInput(piece)
			}
		case batch, ok := <-batches:
			if !ok {
				return s.work.Crash()
			}
			for _, envelope := range batch {
				s.event(envelope)
				s.engine.Hear(envelope)
			}
		case then := <-s.results:
			then()
		case line := <-s.Lines:
			s.say("[System] " + line)
		case err := <-s.work.Crashed():
			return err
		case <-s.Interrupts:
			s.interrupt()
		case <-s.goesOn:
			_ = s.suspend(func() error { return nil }) // the shell has changed the terminal's modes
		case <-done:
			done = nil
			s.leave()
		}
		if s.ended && !s.busy() {
			s.leave()
		}
		s.show()
	}
	return nil
}

// busy is true if the next line must wait for running work.
func (s *Screen) busy() bool {
	return s.talk.Turn.Running || len(s.talk.Queue) > 0 || len(s.engine.Working()) > 0
}

// endOfInput handles the end of the input. With a terminal, Marvin exits at once. Without a
// terminal, Marvin first finishes all running and queued work.
func (s *Screen) endOfInput() {
	if s.Terminal != nil {
		s.leave()
		return
	}
	s.ended, s.ask.over = true, true
	for _, asked := range s.talk.Asked { // no user can answer the open questions
		s.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	}
}

func (s *Screen) leave() {
	if !s.leaving {
		s.leaving = true
		s.engine.Cancel()
		s.Client.Send(messages.Quit{})
	}
}

// interrupt responds to Ctrl-C: it cancels running work, or else clears the line, or else exits. On
// a terminal, exiting requires a second Ctrl-C.
func (s *Screen) interrupt() {
	switch {
	case s.leaving:
	case s.talk.Turn.Running || len(s.talk.Queue) > 0:
		s.Client.Send(messages.Cancel{})
	case s.engine.Cancel():
	case s.shown && !s.line.Empty():
		s.line.history.Add(s.line.Text()) // pressing Up brings the text back
		s.line.Reset()
		s.redraw(s.label())
	case s.warned || s.Terminal == nil:
		s.leave()
	default:
		s.say("To leave, press Ctrl-C again or Ctrl-D, or type quit.")
		s.warned = true
	}
}
