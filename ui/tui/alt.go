package tui

import (
	"fmt"
	"os"
	"slices"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/internal/typeahead"
)

// keyboard is a terminal whose Alt keys are keys. Terminals send Alt with a key as ESC
// and the key, and tcell takes some of these for the beginning of what a terminal says
// of itself: it would wait for an end of it, and drop all that is typed until then. Here
// they become what newer terminals send, CSI u, which has one meaning.
type keyboard struct {
	tcell.Tty
	rest []byte // what a key became and did not fit
	part []byte // of an answer of the terminal that did not come whole

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

// Read is the terminal's, with those keys written otherwise.
func (k *keyboard) Read(to []byte) (int, error) {
	if len(k.rest) == 0 {
		n, err := k.Tty.Read(to)
		k.ahead.Mend(to[:max(n, 0)])
		if err != nil || len(k.part) == 0 && !slices.Contains(to[:n], esc) {
			return n, err
		}
		k.rest = altKeys(k.answered(to[:n]))
	}
	n := copy(to, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

const esc = 0x1b

// altKeys rewrites the Alt keys in what arrived at once. An ESC at its end is the key of
// that name, or its other half comes: nothing can be known about it.
func altKeys(arrived []byte) []byte {
	var keys []byte
	for i := 0; i < len(arrived); i++ {
		keys = append(keys, arrived[i])
		if arrived[i] != esc || i+1 == len(arrived) {
			continue
		}
		switch key := arrived[i+1]; key {
		case ']': // or the answer of a terminal, which begins with a number
			if i+2 < len(arrived) && arrived[i+2] >= '0' && arrived[i+2] <= '9' {
				continue
			}
			fallthrough
		case '_', '^', 'X', 'N', '\r', 0x7f:
			keys = fmt.Appendf(keys, "[%d;3u", key)
			i++
		}
	}
	return keys
}
