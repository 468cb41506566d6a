package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/internal/beside"
	"marvin/ui/keymap"
	"marvin/ui/lineedit"
	"marvin/ui/slash"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/tui/internal/question"
	"marvin/ui/view"
)

// Config configures the screen. Only Client and Now are required.
type Config struct {
	Client ui.Client
	First  string // a prompt to begin with; "" for none
	Now    func() time.Time
	Looks  Looks
	Edit   func(string) (string, error)        // runs the user's editor on the text; can be nil
	Lines  <-chan string                       // warnings and similar messages; nil for none
	Engine func(command.Front) *command.Engine // if nil, the engine has no Host
	Keys   map[string][]string                 // keys that replace an action's defaults
	Vim    bool                                // enables vi keys

	// Inputs returns a profile's history, oldest first. Input adds an entry to that history.
	// Complete returns the completions of a prefix, with paths relative to dir. These functions run
	// outside the loop. Each of them can be nil.
	Inputs   func(profile string) []string
	Input    func(profile, text string)
	Complete func(kind slash.Kind, dir, prefix string) []slash.Completion
	Place    func(dir string) string              // describes a directory and its git branch
	Jobs     func(dir string) int                 // number of background jobs in a directory
	Status   []string                             // parts of the status line; nil means the default
	Copy     func(string) (way string, err error) // copies text to the clipboard; may be nil
	Unsent   Unsent                               // unsent text from the last window
	Save     func(Unsent) error                   // runs on any goroutine; nil to save nothing
	Notify   string                               // bell or osc9; "" for no notifications
	Scroll   bool                                 // the terminal supports scroll regions
	Images   Images
}

// Terminal is a terminal on which the screen can be drawn.
type Terminal struct {
	screen  tcell.Screen
	answers <-chan canvas.Answer // the terminal's replies to queries; nil for none
}

// Open puts the terminal in raw mode and switches to the alternate screen. If Open fails, the
// caller should use plain mode.
func Open(now func() time.Time) (*Terminal, error) {
	tty, err := tcell.NewDevTty()
	if err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	// In the C locale, tcell converts each non-ASCII byte of input or output to a question mark.
	// But the terminal uses UTF-8 even in that locale.
	tcell.RegisterEncoding("US-ASCII", tcell.GetEncoding("UTF-8"))
	answers := make(chan canvas.Answer, 2)
	screen, err := tcell.NewTerminfoScreenFromTty(&canvas.Keyboard{Tty: tty, Now: now, Answers: answers})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("full-screen mode does not work in this terminal: %w", err), tty.Close())
	}
	if err := screen.Init(); err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	return &Terminal{screen, answers}, nil
}

// Screen shows one conversation on a terminal. Only the event loop accesses the fields of a Screen.
type Screen struct {
	Config
	screen  tcell.Screen
	engine  *command.Engine
	keys    *keymap.Map
	actions map[string]func(*Screen) // the function to call for each action

	view      view.View
	window    view.Window
	input     inputState
	look      searchState
	clipboard clipboard
	picker    pickers    // shows lists on top of the transcript
	offer     offerPanel // a few choices above the input
	secret    secrets
	ask       question.Panel
	plan      planPanel
	frame     canvas.Canvas
	hint      hint
	place     placeFinder
	queue     queue
	help      help
	review    review
	notify    notifier

	mouse   mouse
	status  status
	leaving bool
	gone    bool // the terminal is gone, so nothing is drawn

	running
}

// running contains the channels and background work of the event loop.
type running struct {
	incoming chan tcell.Event
	work     beside.Runner
	done     chan func()   // functions that runOutside passes to the loop
	over     chan struct{} // closed when the loop ends
	goesOn   <-chan os.Signal
}

// runOutside calls work() in the background. The loop later calls the function that work()
// returned.
func (r *running) runOutside(work func() func()) {
	r.work.Start(func() {
		then := work()
		select {
		case r.done <- then:
		case <-r.over:
		}
	}, func() {})
}

type inputState struct {
	lineedit.Editor
	frame *canvas.Canvas
	vim   *lineedit.Vim // nil if vi keys are off
	paste *paste        // a bracketed paste in progress

	burst    bursts // pastes without brackets
	past     past
	draft    draft
	complete completer

	warned bool // leaveHint was visible when the key was pressed
	after  bool // the input is queued until the turn ends
}

// searchState contains the state of reading and searching the transcript.
type searchState struct {
	view   *view.View
	window *view.Window
	frame  *canvas.Canvas
	say    func(text string, during time.Duration)

	on       bool             // whether reading mode is on
	finding  *lineedit.Editor // the search line; nil if closed
	wanted   string           // the query; matches are highlighted
	missed   bool             // no match
	at, all  int              // 1-based index of the current match, and number of matches
	codeOf   *view.Block      // block from which code was last copied
	codeNext int              // the last copied code is codeOf.Codes()[codeNext]
}

// hint is a one-line message that disappears after a while.
type hint struct {
	text string
	ends time.Time
}

// Run shows the conversation until the user leaves or the conversation ends. Run always restores
// the terminal.
func (t *Terminal) Run(ctx context.Context, config Config) error {
	s := t.newScreen(config)
	defer s.engine.Finish(patience)
	return s.run(ctx)
}

// newScreen creates a screen that does not read events yet.
func (t *Terminal) newScreen(config Config) *Screen {
	s := &Screen{
		Config: config, screen: t.screen,
		running: running{work: beside.New(), done: make(chan func()), over: make(chan struct{})},
	}
	s.engine = &command.Engine{Env: command.Env{Client: config.Client, Front: front{s}, Now: config.Now}}
	if config.Engine != nil {
		s.engine = config.Engine(front{s})
	}
	s.engine.Talk, s.engine.Menu = &s.view.State, func() { openMenu(s) }
	var problems []string
	if s.keys, problems = keymap.Bind(keymap.Screen, config.Keys); len(problems) > 0 {
		s.view.AddNotice(messages.Warning, "config.yaml, keys: "+strings.Join(problems, "; "))
	}
	s.actions = actions()
	s.connectParts(config)
	if config.Vim {
		s.input.vim = &lineedit.Vim{}
	}
	s.frame.Screen, s.frame.Scrolls = t.screen, config.Scroll
	s.frame.Answers, s.frame.Palette = t.answers, canvas.Palette{Looks: config.Looks}
	if err := s.frame.Palette.Show(config.Looks.Theme, t.screen.Colors()); err != nil {
		_ = s.frame.Palette.Show("", t.screen.Colors()) // the default theme always exists
		s.frame.Palette.Wants, s.frame.Palette.Wrong = config.Looks.Theme, err.Error()
		s.view.AddNotice(messages.Warning, err.Error()+"; /theme lists them")
	}
	t.screen.SetStyle(s.frame.Palette.Rest)
	s.input.draft.restore(config.Unsent, s.keys.First("dequeue"))
	return s
}

func (s *Screen) connectParts(config Config) {
	s.ask = question.Panel{
		Client: config.Client, Now: config.Now, Say: s.say, View: &s.view, Frame: &s.frame,
		Over: func() {
			s.hint = hint{} // the hint was about the question
		},
		Comes: func() {
			s.input.past.search, s.help.open, s.review.open, s.input.complete.open, s.look.finding = nil, nil, nil, nil, nil
		},
	}
	s.input.complete = completer{input: &s.input.Editor, talk: &s.view.State, frame: &s.frame, say: s.say, beside: s.runOutside, list: config.Complete}
	s.look = searchState{view: &s.view, window: &s.window, frame: &s.frame, say: s.say}
	s.clipboard = clipboard{screen: s.screen, program: config.Copy, view: &s.view, look: &s.look, say: s.say}
	s.input.past = past{input: &s.input.Editor, frame: &s.frame, beside: s.runOutside, inputs: config.Inputs, keep: config.Input}
	s.input.draft = draft{view: &s.view, input: &s.input.Editor, now: config.Now, say: s.say, beside: s.runOutside, done: s.done, save: config.Save}
	s.review = review{frame: &s.frame, send: s.Client.Send, submit: front{s}.Submit, say: func(text string) { s.say(text, canvas.HintTime) }}
	s.engine.Review = s.review.begin
	s.picker = pickers{frame: &s.frame, beside: s.runOutside, prompt: s.input.Insert}
	s.offer = offerPanel{frame: &s.frame, input: &s.input}
	s.secret = secrets{frame: &s.frame}
	if config.Edit != nil {
		s.ask.Edit = func() { editProposed(s) }
	}
	s.input.burst = bursts{input: &s.input.Editor, draft: &s.input.draft, frame: &s.frame, enters: s.enter}
	s.queue = queue{client: config.Client, view: &s.view, input: &s.input, frame: &s.frame, keys: s.keys, say: s.say}
	s.plan = planPanel{talk: &s.view.State, ask: &s.ask, frame: &s.frame, keys: s.keys}
	s.mouse = mouse{
		window: &s.window, selection: view.Selection{Window: &s.window}, look: &s.look, ask: &s.ask, picker: &s.picker, help: &s.help, review: &s.review, clipboard: &s.clipboard,
		frame: &s.frame, keys: s.keys, say: s.say, scrolls: true,
	}
	s.status = status{talk: &s.view.State, place: &s.place, engine: s.engine, input: &s.input, mouse: &s.mouse, frame: &s.frame, order: config.Status}
	if s.status.order == nil {
		s.status.order = StatusParts()
	}
	s.input.frame = &s.frame
	s.help = help{frame: &s.frame, keys: s.keys, send: config.Client.Send}
	s.place = placeFinder{talk: &s.view.State, window: &s.window, frame: &s.frame, beside: s.runOutside, name: config.Place, count: config.Jobs}
	s.notify = notifier{talk: &s.view.State, frame: &s.frame, now: config.Now, way: config.Notify}
}

func (s *Screen) send(prompt messages.Prompt) {
	s.view.RecordSent(s.Now())
	s.window.End()
	s.Client.Send(prompt)
}

// leave asks the conversation to close. The loop ends after the conversation has closed.
func (s *Screen) leave() {
	if !s.leaving {
		s.leaving = true
		s.Client.Send(messages.Quit{})
	}
}

// say replaces the hint. The new hint is visible for the given duration.
func (s *Screen) say(text string, during time.Duration) {
	s.hint, s.frame.Dirty = hint{text, s.Now().Add(during)}, true
}
