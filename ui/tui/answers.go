package tui

import "marvin/ui/theme"

// askAttributes asks the terminal what it can do (DA1). All terminals answer.
const askAttributes = "\x1b[c"

// sixels is the attribute of terminals that draw sixels.
const sixels = "4"

// answer is what a terminal said of itself.
type answer struct {
	ground *theme.RGB // after its text; nil for no text
	sixels bool       // it draws them
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

// say hands an answer to the loop, which wants the first ones.
func (k *keyboard) say(said answer) {
	select {
	case k.answers <- said:
	default:
	}
}
