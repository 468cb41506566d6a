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

// Config is what the screen is given. Only Client and Now are needed.
type Config struct {
	Client ui.Client
	First  string // a prompt to begin with; "" for none
	Now    func() time.Time
	Looks  Looks
	Edit   func(string) (string, error)        // lets a person change a text in the editor of their choice; nil for none
	Lines  <-chan string                       // what else the program has to say, such as warnings; nil for nothing
	Engine func(command.Front) *command.Engine // carries commands out; nil leaves those that need no [command.Host]
	Keys   map[string][]string                 // action → keys, where they are not the usual ones
	Vim    bool                                // vi keys in the input

	// Inputs is a profile's history, oldest first; Input adds a line. Complete lists completions of
	// a prefix, for paths in a directory. All run beside the loop and may be nil.
	Inputs   func(profile string) []string
	Input    func(profile, text string)
	Complete func(kind slash.Kind, dir, prefix string) []slash.Completion
	Place    func(dir string) string              // how people call a directory, with its branch
	Jobs     func(dir string) int                 // how many run there in the background
	Status   []string                             // the parts of the status line; nil for [StatusParts]
	Copy     func(string) (way string, err error) // sets the clipboard with a program; may be nil
	Unsent   Unsent                               // what the last window left
	Save     func(Unsent) error                   // stores unsent text, beside the loop; may be nil
	Notify   string                               // bell or osc9, when a person who looked away is waited for; "" is neither
	Scroll   bool                                 // the terminal knows scroll regions
	Images   Images
}

// Terminal is a terminal that can be drawn on.
type Terminal struct {
	screen  tcell.Screen
	answers <-chan canvas.Answer // what it says of itself; nil where it cannot be asked
}

// Open takes the terminal over: alternate screen, raw keys. An error means that it
// cannot be drawn on, and that lines will do.
func Open(now func() time.Time) (*Terminal, error) {
	tty, err := tcell.NewDevTty()
	if err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	// In the locale C tcell takes every byte above 127 for a question mark, and writes one for
	// every such character. The terminal still uses UTF-8.
	tcell.RegisterEncoding("US-ASCII", tcell.GetEncoding("UTF-8"))
	answers := make(chan canvas.Answer, 2)
	screen, err := tcell.NewTerminfoScreenFromTty(&canvas.Keyboard{Tty: tty, Now: now, Answers: answers})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("this terminal has no full-screen display: %w", err), tty.Close())
	}
	if err := screen.Init(); err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	return &Terminal{screen, answers}, nil
}

// Screen is one conversation on a terminal. Its fields belong to the loop.
type Screen struct {
	Config
	screen  tcell.Screen
	engine  *command.Engine
	keys    *keymap.Map
	actions map[string]func(*Screen) // what those mean

	view      view.View
	window    view.Window
	input     writing
	look      looking
	clipboard clipboard
	picker    pickers // lists over the transcript
	offer     offers  // a few choices above the input
	secret    secrets
	ask       question.Panel
	plan      planPanel
	frame     canvas.Canvas
	hint      hint
	place     placing
	queue     queue
	help      help
	review    review
	notify    notifier

	mouse   mouse
	status  status
	leaving bool
	gone    bool // the terminal is: draw no more

	running
}

// running is the state around the loop.
type running struct {
	incoming chan tcell.Event
	work     beside.Work
	done     chan func()   // what follows work beside the loop
	over     chan struct{} // closed when the loop ended
	goesOn   <-chan os.Signal
}

// apart does work beside the loop, and what it gives back in the loop.
func (r *running) apart(work func() func()) {
	r.work.Start(func() {
		then := work()
		select {
		case r.done <- then:
		case <-r.over:
		}
	}, func() {})
}

// writing is what the person types, and what stands around it.
type writing struct {
	lineedit.Editor
	frame *canvas.Canvas
	vim   *lineedit.Vim // nil where the input has only the usual keys
	paste *paste        // a bracketed paste that is arriving

	burst    bursts // one without brackets
	past     past
	draft    draft
	complete completer

	warned bool // the key before said that Ctrl-C leaves
	after  bool // what is typed waits for the end of the turn
}

// looking is what the person does in the transcript.
type looking struct {
	view   *view.View
	window *view.Window
	frame  *canvas.Canvas
	say    func(text string, during time.Duration)

	on       bool             // keys are for its blocks
	finding  *lineedit.Editor // the text to find, as it is typed; nil when not
	wanted   string           // what was looked for, shown where it stands
	missed   bool             // it is nowhere
	at, all  int              // which of how many rows with it is shown
	codeOf   *view.Block      // whose code was copied, and how many blocks are left
	codeNext int
}

// hint is one line for the person, for a while.
type hint struct {
	text string
	ends time.Time
}

// Run talks until the person leaves or the conversation ends, and gives the terminal
// back whatever happens.
func (t *Terminal) Run(ctx context.Context, config Config) error {
	s := t.seat(config)
	defer s.engine.Finish(patience)
	return s.run(ctx)
}

// seat makes a screen without events.
func (t *Terminal) seat(config Config) *Screen {
	s := &Screen{
		Config: config, screen: t.screen,
		running: running{work: beside.New(), done: make(chan func()), over: make(chan struct{})},
	}
	s.engine = &command.Engine{Env: command.Env{Client: config.Client, Front: front{s}, Now: config.Now}}
	if config.Engine != nil {
		s.engine = config.Engine(front{s})
	}
	s.engine.Talk, s.engine.Menu = &s.view.State, func() { everything(s) }
	var problems []string
	if s.keys, problems = keymap.Bind(keymap.Screen, config.Keys); len(problems) > 0 {
		s.view.Say(messages.Warning, "keys: in config.yaml: "+strings.Join(problems, "; "))
	}
	s.actions = actions()
	s.furnish(config)
	if config.Vim {
		s.input.vim = &lineedit.Vim{}
	}
	s.frame.Screen, s.frame.Scrolls = t.screen, config.Scroll
	s.frame.Answers, s.frame.Palette = t.answers, canvas.Palette{Looks: config.Looks}
	if err := s.frame.Palette.Show(config.Looks.Theme, t.screen.Colors()); err != nil {
		_ = s.frame.Palette.Show("", t.screen.Colors()) // which is always there
		s.frame.Palette.Wants, s.frame.Palette.Wrong = config.Looks.Theme, err.Error()
		s.view.Say(messages.Warning, err.Error()+"; /theme lists them")
	}
	t.screen.SetStyle(s.frame.Palette.Rest)
	s.input.draft.restore(config.Unsent, s.keys.First("dequeue"))
	return s
}

// furnish gives its parts what they work with.
func (s *Screen) furnish(config Config) {
	s.ask = question.Panel{
		Client: config.Client, Now: config.Now, Say: s.say, View: &s.view, Frame: &s.frame,
		Over: func() {
			s.hint = hint{} // it was about the question
		},
		Comes: func() {
			s.input.past.search, s.help.open, s.review.open, s.input.complete.open, s.look.finding = nil, nil, nil, nil, nil
		},
	}
	s.input.complete = completer{input: &s.input.Editor, talk: &s.view.State, frame: &s.frame, say: s.say, beside: s.apart, list: config.Complete}
	s.look = looking{view: &s.view, window: &s.window, frame: &s.frame, say: s.say}
	s.clipboard = clipboard{screen: s.screen, program: config.Copy, view: &s.view, look: &s.look, say: s.say}
	s.input.past = past{input: &s.input.Editor, frame: &s.frame, beside: s.apart, inputs: config.Inputs, keep: config.Input}
	s.input.draft = draft{view: &s.view, input: &s.input.Editor, now: config.Now, say: s.say, beside: s.apart, done: s.done, save: config.Save}
	s.review = review{frame: &s.frame, send: s.Client.Send, submit: front{s}.Submit, say: func(text string) { s.say(text, canvas.HintTime) }}
	s.engine.Review = s.review.begin
	s.picker = pickers{frame: &s.frame, beside: s.apart, prompt: s.input.Insert}
	s.offer = offers{frame: &s.frame, input: &s.input}
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
	s.place = placing{talk: &s.view.State, window: &s.window, frame: &s.frame, beside: s.apart, name: config.Place, count: config.Jobs}
	s.notify = notifier{talk: &s.view.State, frame: &s.frame, now: config.Now, way: config.Notify}
}

// send sends a prompt.
func (s *Screen) send(prompt messages.Prompt) {
	s.view.Sent(s.Now())
	s.window.End()
	s.Client.Send(prompt)
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
	s.hint, s.frame.Dirty = hint{text, s.Now().Add(during)}, true
}
