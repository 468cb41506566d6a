package tui

import (
	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/lineedit"
)

// search is a look back in the history: what is looked for, and how many matches
// were passed.
type search struct {
	text  string
	skip  int
	found string
}

// remember makes a text the newest that was typed.
func (s *Screen) remember(text string) {
	s.input.history.Add(text)
	if profile := s.input.typedIn; s.Input != nil && profile != "" {
		apart(s, func() func() {
			s.Input(profile, text)
			return nil
		})
	}
}

// recall takes the history of the profile that the conversation has now. What was
// typed before it came stays behind it.
func (s *Screen) recall(profile string) {
	if profile == "" || profile == s.input.typedIn {
		return
	}
	s.input.typedIn = profile
	if s.Inputs == nil {
		return
	}
	apart(s, func() func() {
		typed := s.Inputs(profile)
		return func() {
			if s.input.typedIn == profile {
				s.input.history = lineedit.History{}
				for _, text := range typed {
					s.input.history.Add(text)
				}
				if s.input.search != nil {
					s.lookBack()
				}
			}
		}
	})
}

// rewound puts an old prompt into the input, to be changed. What was being typed is in the
// history.
func (s *Screen) rewound(event messages.Rewound) {
	if event.Again {
		return
	}
	if !s.input.Empty() {
		s.remember(s.input.Text())
	}
	s.input.SetText(typedAs(messages.Prompt{Text: event.Prompt}))
	s.changed(true)
}

// up and down move in the text, and at its edge in the history.
func (s *Screen) up() {
	if !s.input.Up(s.frame.inputWidth()) {
		s.older()
	}
}

func (s *Screen) down() {
	if !s.input.Down(s.frame.inputWidth()) {
		s.newer()
	}
}

func (s *Screen) older() {
	if text, ok := s.input.history.Older(s.input.Text()); ok {
		s.input.SetText(text)
	}
}

func (s *Screen) newer() {
	if text, ok := s.input.history.Newer(); ok {
		s.input.SetText(text)
	}
}

func (s *Screen) searchBack() { s.input.search = &search{} }

// searchKey takes a key while searching. It reports false for one that ends the
// search and then does what it always does.
func (s *Screen) searchKey(name string, event *tcell.EventKey) bool {
	looking := s.input.search
	switch name {
	case "":
		looking.text, looking.skip = looking.text+string(event.Rune()), 0
	case "Backspace":
		var rest lineedit.Editor
		rest.SetText(looking.text)
		rest.Backspace()
		looking.text, looking.skip = rest.Text(), 0
	case "Ctrl-R":
		looking.skip++
	case "Esc", "Ctrl-C", "Ctrl-G":
		s.input.search = nil
		return true
	case "Enter":
		s.input.search = nil
		if looking.found != "" {
			s.input.SetText(looking.found)
		}
		return true
	default:
		s.input.search = nil
		if looking.found != "" {
			s.input.SetText(looking.found)
		}
		return false
	}
	s.lookBack()
	return true
}

// lookBack finds what is looked for.
func (s *Screen) lookBack() {
	looking := s.input.search
	found, ok := s.input.history.Search(looking.text, looking.skip)
	if ok {
		looking.found = found
	} else if looking.skip > 0 {
		looking.skip--
	} else {
		looking.found = ""
	}
}
