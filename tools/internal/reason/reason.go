package reason

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"syscall"
)

type worded struct {
	text string
	err  error
}

func (w worded) Error() string { return w.text }

func (w worded) Unwrap() error { return w.err }

// Reword returns an error that wraps err and has the given text.
func Reword(err error, text string) error { return worded{text, err} }

// InWords rewords file system, network and context errors, and returns other errors unchanged. The
// new text does not name the file or host.
func InWords(err error) error {
	var lookup *net.DNSError
	var number syscall.Errno
	var timeout net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Reword(err, "the time limit is over")
	case errors.Is(err, context.Canceled):
		return Reword(err, "it was cancelled")
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return Reword(err, "there is no host with that name")
	case errors.As(err, &lookup) && lookup.IsTimeout:
		return Reword(err, "the name server did not answer")
	case errors.As(err, &lookup):
		return Reword(err, "no name server could be reached to look up the address")
	case errors.Is(err, fs.ErrNotExist):
		return Reword(err, "it does not exist")
	case errors.As(err, &number):
		return Reword(err, number.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Reword(err, "the connection ended in the middle of the answer")
	case errors.Is(err, io.EOF):
		return Reword(err, "the connection ended without an answer")
	case errors.As(err, &timeout) && timeout.Timeout():
		return Reword(err, "the server did not answer in time")
	}
	return err
}
