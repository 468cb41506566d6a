package plain

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/internal/suspend"
)

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
	case pressed.name == "tab":
		s.complete()
	case pressed.name == "ctrl-z":
		_ = s.suspend(func() error { suspend.Process(s.goesOn); return nil })
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

// answer takes a number or the word; anything that is not clearly a yes is a no, which
// may say what to do instead.
func (s *Screen) answer(line string) {
	asked, choice := s.asked[0], messages.No
	if asked.More != "" && strings.EqualFold(line, "v") {
		s.say(asked.More)
		return
	}
	for i, offered := range asked.Choices {
		if line == strconv.Itoa(i+1) || strings.EqualFold(line, string(offered)) {
			choice = offered
		}
	}
	s.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice, Text: instead(line)})
	s.settled(asked.Ask) // the next line is for the next one
}

// instead is what stands behind a no.
func instead(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	if strings.EqualFold(word, "n") || strings.EqualFold(word, string(messages.No)) {
		return strings.TrimSpace(rest)
	}
	return ""
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
