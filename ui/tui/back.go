package tui

import (
	"cmp"

	"marvin/messages"
	"marvin/ui/theme"
	"marvin/ui/tui/internal/canvas"
)

// refreshOnReturn updates the colors when the user returns to the terminal. The terminal's
// background and the user's theme file may have changed.
func refreshOnReturn(s *Screen) {
	if s.Looks.Asks {
		s.frame.Raw(canvas.AskGround)
	}
	shown := &s.frame.Palette
	name := cmp.Or(shown.Wants, shown.Shown.Name)
	named := shown.Named
	if named == nil || name == "" || s.picker.open != nil {
		return
	}
	s.runOutside(func() func() {
		read, err := named(name)
		return func() { reread(s, name, read, err) }
	})
}

// reread applies a changed theme file. An error leaves the current theme unchanged, and is reported
// only once.
func reread(s *Screen, name string, read theme.Theme, err error) {
	shown := &s.frame.Palette
	if name != cmp.Or(shown.Wants, shown.Shown.Name) || s.picker.open != nil {
		return // the user has chosen another theme
	}
	switch {
	case err != nil && err.Error() != shown.Wrong:
		shown.Wrong = err.Error()
		s.view.AddNotice(messages.Warning, err.Error()+"; the colors stay as they were")
		s.frame.Dirty = true
	case err == nil && (shown.Wants != "" || read != shown.Shown || shown.Wrong != ""):
		_ = s.frame.SetTheme(name)
	}
}

// handleReply handles a terminal's reply about itself.
func handleReply(s *Screen, said canvas.Answer) {
	if was := s.frame.Palette.Ground; said.Ground != nil && (was == nil || *was != *said.Ground) {
		s.frame.Palette.Ground = said.Ground
		_ = s.frame.SetTheme(s.frame.Palette.Holds) // the current theme was valid when it was set
	}
	if said.Sixels && s.Images.Ask {
		drawsPictures(s)
	}
}
