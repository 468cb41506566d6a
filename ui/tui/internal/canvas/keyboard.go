package canvas

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

// Keyboard is a terminal whose keys tcell understands: package keys rewrites those that it
// does not know, and takes out the replies of the terminal.
type Keyboard struct {
	tcell.Tty
	decoder keys.Decoder
	rest    []byte // keys that did not fit into the last read

	Now     func() time.Time
	Answers chan Answer     // what it says of itself
	ahead   typeahead.Lines // what was typed before the terminal was ours
}

// Start makes the terminal raw.
func (k *Keyboard) Start() error {
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
func (k *Keyboard) Read(to []byte) (int, error) {
	if len(k.rest) == 0 {
		n, err := k.Tty.Read(to)
		k.ahead.Mend(to[:max(n, 0)])
		if err != nil || k.decoder.Idle() && !slices.Contains(to[:n], esc) {
			return n, err
		}
		k.rest = k.decode(to[:n], k.Now())
	}
	n := copy(to, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

const esc = 0x1b

// decode returns the keys in what arrived, and hands the replies among it to the loop.
func (k *Keyboard) decode(arrived []byte, now time.Time) []byte {
	pressed, replies := k.decoder.Decode(arrived, now)
	for _, reply := range replies {
		switch {
		case reply.Kind == ']' && strings.HasPrefix(reply.Text, "11;"):
			if ground, ok := groundIn(reply.Text[len("11;"):]); ok {
				k.say(Answer{Ground: &ground})
			}
		case reply.Kind == '[' && strings.HasPrefix(reply.Text, "?") && strings.HasSuffix(reply.Text, "c"):
			list := strings.Split(strings.Trim(reply.Text, "?c"), ";")
			k.say(Answer{Sixels: slices.Contains(list[1:], sixels)})
		}
	}
	return pressed
}

// AskAttributes asks the terminal what it can do (DA1). All terminals answer.
const AskAttributes = "\x1b[c"

// sixels is the attribute of terminals that draw sixels.
const sixels = "4"

// Answer is what a terminal said of itself.
type Answer struct {
	Ground *theme.RGB // after its text; nil for no text
	Sixels bool       // it draws them
}

// say hands an answer to the loop, which wants the first ones.
func (k *Keyboard) say(said Answer) {
	select {
	case k.Answers <- said:
	default:
	}
}
