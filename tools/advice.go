package tools

import (
	"errors"
	"fmt"
)

// ErrForbidden means that policy, not a person, refuses a call.
var ErrForbidden = errors.New("not allowed")

// ErrDeadline is the cause of a context whose call ran out of time.
var ErrDeadline = errors.New("deadline of the call")

// Advice is an error with the next step to take.
type Advice struct {
	Err  error
	Next string
}

func (a *Advice) Error() string {
	if a.Next == "" {
		return a.Err.Error()
	}
	return a.Err.Error() + "\n" + a.Next
}

func (a *Advice) Unwrap() error { return a.Err }

// Advise adds to err what the model should do next.
func Advise(err error, format string, args ...any) error {
	return &Advice{Err: err, Next: fmt.Sprintf(format, args...)}
}
