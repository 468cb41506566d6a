package tui

import (
	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
)

// search is a search in the history.
type search struct {
	text  string
	skip  int // number of matches that the user has skipped
	found string
}

// past is the input history.
type past struct {
	input  *lineedit.Editor
	frame  *canvas.Canvas
	beside func(work func() (then func()))
	inputs func(profile string) []string // may be nil
	keep   func(profile, text string)    // may be nil

	history lineedit.History
	profile string  // name of the history's profile
	search  *search // a running search; nil if none
}

// remember adds text as the newest entry.
func (p *past) remember(text string) {
	p.history.Add(text)
	if profile := p.profile; p.keep != nil && profile != "" {
		p.beside(func() func() {
			p.keep(profile, text)
			return nil
		})
	}
}

// loadProfile reads a profile's history in the background. The result replaces the current history.
func (p *past) loadProfile(profile string) {
	if profile == "" || profile == p.profile {
		return
	}
	p.profile = profile
	if p.inputs == nil {
		return
	}
	p.beside(func() func() {
		typed := p.inputs(profile)
		return func() {
			if p.profile == profile {
				p.history = lineedit.History{}
				for _, text := range typed {
					p.history.Add(text)
				}
				if p.search != nil {
					p.look()
				}
			}
		}
	})
}

// rewound replaces the input with the event's prompt, unless event.Again is true. The old input
// goes into the history.
func (w *inputState) rewound(event messages.Rewound) {
	if event.Again {
		return
	}
	if !w.Empty() {
		w.past.remember(w.Text())
	}
	w.SetText(typedAs(messages.Prompt{Text: event.Prompt}))
	w.draft.scheduleSave(true)
}

// moveUp moves the cursor up one row. From the first row, it recalls an older prompt.
func (p *past) moveUp() {
	if !p.input.Up(p.frame.InputWidth()) {
		p.older()
	}
}

func (p *past) moveDown() {
	if !p.input.Down(p.frame.InputWidth()) {
		p.newer()
	}
}

func (p *past) older() {
	if text, ok := p.history.Older(p.input.Text()); ok {
		p.input.SetText(text)
	}
}

func (p *past) newer() {
	if text, ok := p.history.Newer(); ok {
		p.input.SetText(text)
	}
}

func (p *past) begin() { p.search = &search{} }

// key applies a key press to the search. If the search does not use the key, key ends the search
// and returns false.
func (p *past) key(name string, event *tcell.EventKey) bool {
	looking := p.search
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
		p.search = nil
		return true
	case "Enter":
		p.search = nil
		if looking.found != "" {
			p.input.SetText(looking.found)
		}
		return true
	default:
		p.search = nil
		if looking.found != "" {
			p.input.SetText(looking.found)
		}
		return false
	}
	p.look()
	return true
}

// look retrieves a match for the typed text from the history.
func (p *past) look() {
	looking := p.search
	found, ok := p.history.Search(looking.text, looking.skip)
	if ok {
		looking.found = found
	} else if looking.skip > 0 {
		looking.skip--
	} else {
		looking.found = ""
	}
}
