package tui

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// Config is what the screen is given.
type Config struct {
	Client  ui.Client
	First   string // a prompt to begin with; "" for none
	Now     func() time.Time
	Emoji   func(provider string) string
	NoColor bool
	History []string                     // what was sent in earlier conversations, oldest first
	Edit    func(string) (string, error) // lets a person change a text in the editor of their choice; nil for none
	Lines   <-chan string                // what else the program has to say, such as warnings; nil for nothing
}

// Terminal is a terminal that can be drawn on.
type Terminal struct{ screen tcell.Screen }

// Open takes the terminal over: alternate screen, raw keys. An error means that it
// cannot be drawn on, and that lines will do.
func Open() (*Terminal, error) {
	screen, err := tcell.NewScreen()
	if err != nil {
		return nil, fmt.Errorf("this terminal has no full-screen display: %w", err)
	}
	if err := screen.Init(); err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	return &Terminal{screen}, nil
}

// Screen is one conversation on a terminal. Its fields belong to the loop.
type Screen struct {
	Config
	screen tcell.Screen

	view    view.View
	window  view.Window
	input   lineedit.Editor
	history lineedit.History
	queue   []string // typed while a turn ran, sent one by one when it ended
	search  *search  // looking back in the history; nil when not
	ask     question // the panel of the oldest open question

	width, height int
	page          int    // rows of the transcript
	paste         *paste // a bracketed paste that is arriving
	hint          string // one line for the person, until hintEnds
	hintEnds      time.Time
	lastKey       time.Time
	mouse         bool
	leaving       bool
	gone          bool // the terminal is: draw no more

	rows    []view.Line // the frame that is being made
	dirty   bool
	soon    bool // a key waits to be seen
	drawn   time.Time
	crashed chan error
	goesOn  <-chan os.Signal // the process was stopped and goes on
}

// Run talks until the person leaves or the conversation ends, and gives the terminal
// back whatever happens.
func (t *Terminal) Run(ctx context.Context, config Config) error {
	s := &Screen{Config: config, screen: t.screen, crashed: make(chan error, 8), mouse: true}
	for _, sent := range config.History {
		s.history.Add(sent)
	}
	return s.run(ctx)
}

// submit sends a prompt, or queues it while a turn runs.
func (s *Screen) submit(text string) {
	if s.view.Status.Busy {
		s.queue = append(s.queue, text)
		return
	}
	s.send(text)
}

// send sends a prompt; !pro in front of it asks Copilot for this one.
func (s *Screen) send(text string) {
	s.view.Status.Busy, s.view.Status.Since = true, s.Now() // until TurnStarted says so
	s.window.End()
	s.Client.Send(prompt(text))
}

// leave asks the conversation to close; the loop ends when it did.
func (s *Screen) leave() {
	if !s.leaving {
		s.leaving = true
		s.Client.Send(messages.Quit{})
	}
}

// say shows a hint for a while.
func (s *Screen) say(text string, during time.Duration) {
	s.hint, s.hintEnds, s.dirty = text, s.Now().Add(during), true
}
