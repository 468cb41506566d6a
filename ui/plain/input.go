package plain

import (
	"strings"
	"time"

	"marvin/ui/command"
	"marvin/ui/internal/suspend"
	"marvin/ui/keymap"
)

// handleInput handles keys if s.edits is true, and a complete line otherwise.
func (s *Screen) handleInput(piece string) {
	if !s.edits {
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

// quiet is a period that begins when a question appears. During this period, typed text is added to
// the draft, and other keys are ignored, except the key for "cancel-or-leave".
const quiet = 300 * time.Millisecond

func (s *Screen) key(pressed key) {
	does := s.bindings.Action(keymap.Typing, keymap.Read(pressed.name))
	switch {
	case len(s.talk.Asked) > 0 && s.Now().Sub(s.ask.open.shown) < quiet && does != "cancel-or-leave":
		if pressed.name == "" {
			s.ask.open.draft += pressed.text
		}
		return
	case s.line.search != nil && s.line.look(pressed):
	case pressed.name == "" && pressed.paste:
		if !command.PastedFile(s.engine, pressed.text, s.attach) {
			s.line.Paste(pressed.text)
		}
	case pressed.name == "":
		s.line.Insert(pressed.text)
	case does == "send":
		s.enter()
		return
	case does == "cancel-or-leave":
		s.interrupt()
		return
	case does == "leave-or-delete" && s.line.Empty():
		s.leave()
		return
	case does == "editor" && s.Edit != nil:
		s.edit()
		return
	case does == "next-model":
		command.NextModel(s.engine)
	case does == "next-effort":
		command.NextEffort(s.engine)
	case does == "paste-picture":
		command.PastePicture(s.engine, s.attach)
	case does == "complete":
		s.complete()
	case does == "suspend":
		_ = s.suspend(func() error { suspend.Process(s.goesOn); return nil })
		return
	default:
		s.line.act(does)
	}
	s.warned = false
	s.ask.attend()
	s.redraw(s.label())
}

// attach inserts the path of a picture as a chip. If chip is "", attach pastes text instead.
func (s *Screen) attach(text, chip string) {
	if chip == "" {
		s.line.Paste(text)
	} else {
		s.line.Attach(text, chip)
	}
	s.redraw(s.label())
}

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

func (s *Screen) enter() {
	text := s.line.Text()
	s.keepInput(s.label())
	s.line.Reset()
	s.submit(text)
}

// submit accepts a complete line. If a question is open, the line is the answer. Otherwise it is a
// command or a prompt for the engine.
func (s *Screen) submit(text string) {
	s.warned = false
	if len(s.talk.Asked) > 0 {
		s.ask.answer(strings.TrimSpace(text))
		return
	}
	if s.Terminal != nil && strings.TrimSpace(text) != "" {
		s.line.history.Add(text)
		if s.AddInput != nil {
			s.AddInput(s.talk.Profile, text)
		}
	}
	s.engine.Take(text)
}
