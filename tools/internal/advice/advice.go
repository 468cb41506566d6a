package advice

import (
	"fmt"
)

// Advice is an error that also says what to do next.
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

// Advise adds the next step for the model to an error.
func Advise(err error, format string, args ...any) error {
	return &Advice{Err: err, Next: fmt.Sprintf(format, args...)}
}
