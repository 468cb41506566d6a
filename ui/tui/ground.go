package tui

import (
	"bytes"
	"strconv"
	"strings"

	"marvin/ui/theme"
)

// askGround asks the terminal what its ground is (OSC 11). Those that do not know the
// question say nothing, and nobody waits for an answer.
const askGround = "\x1b]11;?\x1b\\"

// longestAnswer bounds what is held back of an answer whose end has not come.
const longestAnswer = 48

// ground takes the answer to askGround out of what arrived.
func (k *keyboard) ground(arrived []byte) []byte {
	begin := bytes.Index(arrived, []byte("\x1b]11;"))
	if begin < 0 {
		return arrived
	}
	rest := arrived[begin+5:]
	end, size := bytes.IndexByte(rest, '\a'), 1
	if other := bytes.Index(rest, []byte("\x1b\\")); other >= 0 && (end < 0 || other < end) {
		end, size = other, 2
	}
	if end < 0 {
		if len(rest) > longestAnswer {
			return arrived
		}
		k.part = bytes.Clone(arrived[begin:])
		return arrived[:begin]
	}
	if ground, ok := groundIn(string(rest[:end])); ok {
		k.say(answer{ground: &ground})
	}
	return append(arrived[:begin:begin], rest[end+size:]...)
}

// groundIn reads rgb:RRRR/GGGG/BBBB, with one to four digits each.
func groundIn(answer string) (theme.RGB, bool) {
	parts, found := strings.CutPrefix(answer, "rgb:")
	if !found {
		parts, _ = strings.CutPrefix(answer, "rgba:")
	}
	colour, list := theme.RGB(0), strings.Split(parts, "/")
	if len(list) < 3 {
		return 0, false
	}
	for _, part := range list[:3] {
		value, err := strconv.ParseUint(part, 16, 16)
		if err != nil || len(part) > 4 {
			return 0, false
		}
		most := uint64(1)<<(4*len(part)) - 1
		colour = colour<<8 | theme.RGB(value*255/most)
	}
	return colour, true
}
