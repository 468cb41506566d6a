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

// Config is what the screen is given. Only Client, Commands, Stdin, Stdout and Now are
// needed.
type Config struct {
	Client     ui.Client
	Commands   func(command.Front) *command.Engine
	Stdin      io.Reader
	Stdout     io.Writer
	Interrupts <-chan os.Signal // Ctrl-C: cancels, or leaves when idle
	First      string           // a prompt to begin with; "" for none
	Now        func() time.Time

	// Terminal is Stdin if a person sits there, nil otherwise. With Edits it can move
	// its cursor, and lines are edited and looked up.
	Terminal *os.File
	Edits    bool
	// Whole says text line by line instead of piece by piece, for those who listen.
	Whole bool
	// Joined says that the conversation has other windows, whose prompts are shown.
	Joined bool
	// Inputs is what was typed before in a profile, oldest first; AddInput remembers
	// one more. Both may be nil.
	Inputs   func(profile string) []string
	AddInput func(profile, text string)
	// Complete lists what a prefix may become; nil for nothing but commands.
	Complete func(kind slash.Kind, dir, prefix string) []slash.Completion
	// Edit lets a person change a text in the editor of their choice; nil for none.
	Edit func(text string) (string, error)
	// Clipboard sets the clipboard; may be nil.
	Clipboard func(text string) (way string, err error)
	Lines     <-chan string           // what else the program has to say; nil for nothing
	Place     func(dir string) string // how people call a directory, with its branch; nil for as it is
	Keys      map[string][]string     // action → keys, where they are not the usual ones
	Colours   Colours
}

// Screen is one conversation in lines.
type Screen struct {
	Config

	engine  *command.Engine
	reader  reader
	results chan func()
	work    beside.Work
	over    <-chan struct{} // closed when results are no longer read
	goesOn  <-chan os.Signal

	talk conversation.State
	ask  questions
	line line
	output
	tell teller

	inSentence bool              // the answer is within a line
	late       []messages.Notice // wait for the end of that line

	warned  bool // the next Ctrl-C leaves
	ended   bool // nothing more can be typed
	leaving bool

	bindings *keymap.Map
}

// patience is how long a command that was cancelled may take to end: 1 s until it is
// killed, and as much again on a machine that is busy.
const patience = 3 * time.Second

// Run talks until the user leaves or the conversation ends.
func (s *Screen) Run(ctx context.Context) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	reading, stopReading := context.WithCancel(context.WithoutCancel(ctx))
	defer stopReading()
	s.furnish(reading.Done())
	defer s.engine.Finish(patience) // with the terminal given back
	goesOn, done := suspend.Continued()
	defer done()
	s.goesOn = goesOn
	defer func() {
		if cause := recover(); cause != nil {
			err = beside.Panicked(cause)
		}
		s.finish()
	}()
	s.take()
	s.reader = newReader(s, reading)
	batches := s.work.Follow(reading, s.Client)
	return s.loop(ctx, batches)
}

// furnish connects the parts; over is closed when results are no longer read.
func (s *Screen) furnish(over <-chan struct{}) {
	s.work, s.results, s.over = beside.New(), make(chan func(), 8), over
	s.output = output{stdout: s.Stdout, terminal: s.Terminal, edits: s.Edits, whole: s.Whole, line: &s.line, lost: s.leave, colours: s.Colours}
	s.tell = teller{out: &s.output}
	s.ask = questions{client: s.Client, now: s.Now, talk: &s.talk, out: &s.output, line: &s.line}
	if s.Terminal != nil && s.Edit != nil {
		s.ask.edit = s.editProposed
	}
	s.engine = s.Commands(front{s})
	s.engine.Talk = &s.talk
	s.bindings, s.line.wrong = keymap.Bind(keymap.Lines, s.Keys)
}

// loop is the only place where the state changes.
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
				s.typed(piece)
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
			_ = s.suspend(func() error { return nil }) // the shell changed the modes of the terminal
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

// busy reports whether something is under way that the next line would come after.
func (s *Screen) busy() bool {
	return s.talk.Turn.Running || len(s.talk.Queue) > 0 || len(s.engine.Working()) > 0
}

// endOfInput leaves: at once if a person did it, else when everything is answered that
// came before.
func (s *Screen) endOfInput() {
	if s.Terminal != nil {
		s.leave()
		return
	}
	s.ended, s.ask.over = true, true
	for _, asked := range s.talk.Asked { // there is no user to answer
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

// interrupt is Ctrl-C: it ends what is under way, or leaves, a person only the second
// time.
func (s *Screen) interrupt() {
	switch {
	case s.leaving:
	case s.talk.Turn.Running || len(s.talk.Queue) > 0:
		s.Client.Send(messages.Cancel{})
	case s.engine.Cancel():
	case s.shown && !s.line.Empty():
		s.line.history.Add(s.line.Text()) // not lost: Up brings it back
		s.line.Reset()
		s.redraw(s.label())
	case s.warned || s.Terminal == nil:
		s.leave()
	default:
		s.say("Ctrl-C again, quit or Ctrl-D leaves.")
		s.warned = true
	}
}
