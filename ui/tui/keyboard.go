package tui

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/internal/keys"
	"marvin/ui/internal/typeahead"
	"marvin/ui/theme"
)

// keyboard is a terminal whose keys tcell understands: package keys rewrites those that it
// does not know, and takes out the replies of the terminal.
type keyboard struct {
	tcell.Tty
	decoder keys.Decoder
	rest    []byte // keys that did not fit into the last read

	now     func() time.Time
	answers chan answer     // what it says of itself
	ahead   typeahead.Lines // what was typed before the terminal was ours
}

// Start makes the terminal raw.
func (k *keyboard) Start() error {
	if err := k.Tty.Start(); err != nil {
		return err
	}
	if terminal, err := os.Open("/dev/tty"); err == nil { // the same one: tcell shows no file
		k.ahead.Took(int(terminal.Fd()))
		return terminal.Close()
	}
	return nil
}

// Read reads keys.
func (k *keyboard) Read(to []byte) (int, error) {
	if len(k.rest) == 0 {
		n, err := k.Tty.Read(to)
		k.ahead.Mend(to[:max(n, 0)])
		if err != nil || k.decoder.Idle() && !slices.Contains(to[:n], esc) {
			return n, err
		}
		k.rest = k.decode(to[:n], k.now())
	}
	n := copy(to, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

const esc = 0x1b

// decode returns the keys in what arrived, and hands the replies among it to the loop.
func (k *keyboard) decode(arrived []byte, now time.Time) []byte {
	pressed, replies := k.decoder.Decode(arrived, now)
	for _, reply := range replies {
		switch {
		case reply.Kind == ']' && strings.HasPrefix(reply.Text, "11;"):
			if ground, ok := groundIn(reply.Text[len("11;"):]); ok {
				k.say(answer{ground: &ground})
			}
		case reply.Kind == '[' && strings.HasPrefix(reply.Text, "?") && strings.HasSuffix(reply.Text, "c"):
			list := strings.Split(strings.Trim(reply.Text, "?c"), ";")
			k.say(answer{sixels: slices.Contains(list[1:], sixels)})
		}
	}
	return pressed
}

// askAttributes asks the terminal what it can do (DA1). All terminals answer.
const askAttributes = "\x1b[c"

// sixels is the attribute of terminals that draw sixels.
const sixels = "4"

// answer is what a terminal said of itself.
type answer struct {
	ground *theme.RGB // after its text; nil for no text
	sixels bool       // it draws them
}

// say hands an answer to the loop, which wants the first ones.
func (k *keyboard) say(said answer) {
	select {
	case k.answers <- said:
	default:
	}
}
