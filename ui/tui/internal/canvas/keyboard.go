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

// Keyboard is a [tcell.Tty] that rewrites unsupported key sequences for tcell. Keyboard sends the
// terminal's replies to [Keyboard.Answers].
type Keyboard struct {
	tcell.Tty
	decoder keys.Decoder
	rest    []byte // keys that did not fit into the last read

	Now     func() time.Time
	Answers chan Answer     // what the terminal reports about its colors and features
	ahead   typeahead.Lines // input from before Start, in which Enter keys need correction
}

// Start puts the terminal into raw mode.
func (k *Keyboard) Start() error {
	if err := k.Tty.Start(); err != nil {
		return err
	}
	if terminal, err := os.Open("/dev/tty"); err == nil { // k.Tty provides no file descriptor
		k.ahead.CountWaiting(int(terminal.Fd()))
		return terminal.Close()
	}
	return nil
}

// Read implements [tcell.Tty].
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

// decode returns the keys among the bytes that arrived, and sends the terminal's replies to the
// loop.
func (k *Keyboard) decode(arrived []byte, now time.Time) []byte {
	pressed, replies := k.decoder.Decode(arrived, now)
	for _, reply := range replies {
		switch {
		case reply.Kind == ']' && strings.HasPrefix(reply.Text, "11;"):
			if ground, ok := groundIn(reply.Text[len("11;"):]); ok {
				k.sendAnswer(Answer{Ground: &ground})
			}
		case reply.Kind == '[' && strings.HasPrefix(reply.Text, "?") && strings.HasSuffix(reply.Text, "c"):
			list := strings.Split(strings.Trim(reply.Text, "?c"), ";")
			k.sendAnswer(Answer{Sixels: slices.Contains(list[1:], sixels)})
		}
	}
	return pressed
}

// AskAttributes asks the terminal for its features (DA1). All terminals reply.
const AskAttributes = "\x1b[c"

// sixels is the attribute that a terminal reports if it can draw sixels.
const sixels = "4"

// Answer is a reply from the terminal about its background color or its features.
type Answer struct {
	Ground *theme.RGB // background color; nil if this reply does not contain it
	Sixels bool       // whether the terminal reported support for sixels
}

// sendAnswer sends an answer to the loop. If the channel is full, the answer is dropped, because
// only the first answers matter.
func (k *Keyboard) sendAnswer(said Answer) {
	select {
	case k.Answers <- said:
	default:
	}
}
