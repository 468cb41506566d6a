package plain

import (
	"bufio"
	"context"
	"strings"
)

// reader reads input on demand, one piece at a time, because nothing may read from the terminal
// while another program uses it.
type reader struct {
	want   chan struct{}
	pieces chan string // lines, or bytes from a raw terminal
	asked  bool
}

// newReader starts a goroutine that reads input. The goroutine reads bytes if s.edits is true, and
// lines of any length otherwise.
func newReader(s *Screen, ctx context.Context) reader {
	r := reader{want: make(chan struct{}, 1), pieces: make(chan string)}
	buffered, bytes := bufio.NewReader(s.Stdin), make([]byte, 4096)
	raw := s.edits
	read := func() (string, error) {
		if raw {
			n, err := s.Stdin.Read(bytes)
			s.ahead.Mend(bytes[:n])
			return string(bytes[:n]), err
		}
		line, err := buffered.ReadString('\n')
		if line != "" {
			err = nil // the next read reports the end
		}
		return strings.TrimRight(line, "\r\n"), err
	}
	s.work.Start(func() {
		for {
			select {
			case <-r.want:
			case <-ctx.Done():
				return
			}
			piece, err := read()
			if err != nil {
				return
			}
			select {
			case r.pieces <- piece:
			case <-ctx.Done():
				return
			}
		}
	}, func() { close(r.pieces) })
	return r
}

// wantInput requests the next piece of input if the screen can handle input. While work is running,
// a pipe is read only for the answer to an open question. At a terminal, the user can type ahead.
func (s *Screen) wantInput() {
	if s.reader.asked || s.reader.pieces == nil || s.leaving || !s.talk.Opened {
		return
	}
	if s.Terminal == nil && s.busy() && len(s.talk.Asked) == 0 {
		return
	}
	s.reader.asked = true
	s.reader.want <- struct{}{}
}
