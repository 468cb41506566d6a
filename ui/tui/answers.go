package tui

import (
	"bytes"
	"slices"
	"strings"

	"marvin/ui/theme"
)

// askAttributes asks the terminal what it can do (DA1). All terminals answer.
const askAttributes = "\x1b[c"

// sixels is the attribute of terminals that draw sixels.
const sixels = "4"

// answer is what a terminal said of itself.
type answer struct {
	ground *theme.RGB // behind its text; nil for no word of it
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

// answered takes the answers of the terminal out of what arrived: to tcell they would be keys.
func (k *keyboard) answered(arrived []byte) []byte {
	arrived = append(k.part, arrived...)
	k.part = nil
	return k.attributes(k.ground(arrived))
}

// attributes takes the answer to askAttributes out, which is ESC [ ? numbers c.
func (k *keyboard) attributes(arrived []byte) []byte {
	begin := bytes.Index(arrived, []byte("\x1b[?"))
	if begin < 0 {
		return arrived
	}
	rest := arrived[begin+3:]
	end := bytes.IndexFunc(rest, func(char rune) bool { return char != ';' && (char < '0' || char > '9') })
	if end < 0 {
		if len(rest) <= longestAnswer && k.part == nil {
			k.part = bytes.Clone(arrived[begin:])
			return arrived[:begin]
		}
		return arrived
	}
	if rest[end] != 'c' { // of another question
		return append(arrived[:begin+3+end:begin+3+end], k.attributes(rest[end:])...)
	}
	list := strings.Split(string(rest[:end]), ";")
	k.say(answer{sixels: slices.Contains(list[1:], sixels)})
	return append(arrived[:begin:begin], rest[end+1:]...)
}
