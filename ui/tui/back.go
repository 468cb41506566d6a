package tui

import (
	"cmp"

	"marvin/messages"
	"marvin/ui/theme"
)

// lookedBack takes up what may have changed while the person looked elsewhere: the ground of a terminal
// that goes from day to night, and a theme of their own that they were writing.
func lookedBack(s *Screen) {
	if s.Looks.Asks {
		s.frame.raw(askGround)
	}
	shown := &s.frame.palette
	name := cmp.Or(shown.wants, shown.shown.Name)
	named := shown.Named
	if named == nil || name == "" || s.picker.open != nil {
		return
	}
	s.apart(func() func() {
		read, err := named(name)
		return func() { reread(s, name, read, err) }
	})
}

// reread applies a changed theme file. A wrong one leaves the present theme, and is reported once.
func reread(s *Screen, name string, read theme.Theme, err error) {
	shown := &s.frame.palette
	if name != cmp.Or(shown.wants, shown.shown.Name) || s.picker.open != nil {
		return // another one was chosen meanwhile
	}
	switch {
	case err != nil && err.Error() != shown.wrong:
		shown.wrong = err.Error()
		s.view.Say(messages.Warning, err.Error()+"; the colors stay as they were")
		s.frame.dirty = true
	case err == nil && (shown.wants != "" || read != shown.shown || shown.wrong != ""):
		_ = s.frame.paint(name)
	}
}

// heard takes what the terminal said of itself.
func heard(s *Screen, said answer) {
	if was := s.frame.palette.ground; said.ground != nil && (was == nil || *was != *said.ground) {
		s.frame.palette.ground = said.ground
		_ = s.frame.paint(s.frame.palette.holds) // it was shown before
	}
	if said.sixels && s.Images.Ask {
		drawsPictures(s)
	}
}
