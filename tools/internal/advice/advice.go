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

// Advise wraps err in an [Advice] that tells the model what to do next.
func Advise(err error, format string, args ...any) error {
	return &Advice{Err: err, Next: fmt.Sprintf(format, args...)}
}
