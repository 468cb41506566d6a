package models

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
)

// longestKey is the maximum length of a key in bytes.
const longestKey = 4096

// escapeTime is how long readKey waits for the rest of an escape sequence. If nothing follows the
// Esc byte in this time, the user pressed the Esc key.
const escapeTime = 50 * time.Millisecond

// readKey reads a provider's key from the terminal and shows only the length of the key. If the
// user presses Esc, Ctrl-C or Ctrl-D, readKey returns [io.EOF]. After a signal or the timeout,
// readKey returns another error.
func readKey(ctx context.Context, world cli.World, prompt string) ([]byte, error) {
	ctx, stop := context.WithTimeoutCause(ctx, accounts.LoginTimeout, fmt.Errorf("no key was typed within %s", accounts.LoginTimeout))
	defer stop()
	state, err := term.MakeRaw(int(world.Stdin.Fd()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = term.Restore(int(world.Stdin.Fd()), state) }()
	out := cli.Unwrapped(world.Stderr)
	fmt.Fprintf(out, "%s\r\n", prompt)
	defer fmt.Fprint(out, "\r\n")
	var key keyLine
	chunk := make([]byte, longestKey)
	for {
		fmt.Fprintf(out, "\r\x1b[K%s", key.render())
		n, err := keyboard{ctx, world.Stdin}.Read(chunk)
		if err != nil {
			return nil, err
		}
		typed := chunk[:n]
		if rest, _ := cli.WaitReadable(world.Stdin, escapeTime); typed[n-1] == '\x1b' && rest && n < len(chunk) {
			more, err := world.Stdin.Read(chunk[n:])
			if err != nil {
				return nil, err
			}
			typed = chunk[:n+more]
		}
		if done, err := key.take(string(typed)); done {
			return []byte(key.text), err
		}
	}
}

// keyLine is a partially typed key.
type keyLine struct{ text string }

// render returns a line that shows the length of the key, but not the key.
func (k keyLine) render() string {
	if k.text == "" {
		return "Enter tests the key, Esc cancels: "
	}
	return "Enter tests the key, Esc cancels: •••• " + messages.Counted(utf8.RuneCountInString(k.text), "character")
}

// take applies the bytes of one read operation, and returns true if the user is done. If the user
// canceled, the error is [io.EOF]. The escape sequences of arrow keys, and those around pasted
// text, are skipped.
func (k *keyLine) take(typed string) (done bool, err error) {
	for typed != "" {
		char, size := utf8.DecodeRuneInString(typed)
		typed = typed[size:]
		switch {
		case char == 3, char == 4, char == '\x1b' && (typed == "" || typed[0] != '[' && typed[0] != 'O'):
			return true, io.EOF
		case char == '\x1b':
			typed = dropSequence(typed)
		case char == '\r' || char == '\n':
			return true, nil
		case char == 0x7f || char == '\b':
			_, last := utf8.DecodeLastRuneInString(k.text)
			k.text = k.text[:len(k.text)-last]
		case char == 0x15: // Ctrl-U
			k.text = ""
		case char >= ' ' && len(k.text)+size <= longestKey:
			k.text += string(char)
		}
	}
	return false, nil
}

// dropSequence removes the rest of an escape sequence.
func dropSequence(typed string) string {
	end := strings.IndexFunc(typed[1:], func(char rune) bool { return char >= '@' && char <= '~' })
	if end < 0 {
		return ""
	}
	return typed[end+2:]
}

// keyboard is an [io.Reader] for terminal input. It stops reading when ctx is done.
type keyboard struct {
	ctx  context.Context
	file *os.File
}

// glimpse is the time between two checks of the context in keyboard.Read.
const glimpse = 100 * time.Millisecond

func (k keyboard) Read(into []byte) (int, error) {
	for k.ctx.Err() == nil {
		switch ready, err := cli.WaitReadable(k.file, glimpse); {
		case err != nil:
			return 0, err
		case ready:
			return k.file.Read(into)
		}
	}
	return 0, context.Cause(k.ctx)
}
