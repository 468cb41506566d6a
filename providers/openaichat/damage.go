package openaichat

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"marvin/providers"
)

// mostDamaged is how many pieces of a stream may be broken before it is none.
const mostDamaged = 20

// damage counts the unreadable parts of a stream. One broken line does not end an answer that is
// otherwise complete, but its content is unknown.
type damage struct {
	pieces int
	first  error // an excerpt of it
	sound  bool  // other pieces could be read
}

// bear takes in what came of an event: that it is broken is noted and is no error.
func (a *answer) bear(err error) error {
	if err == nil || !errors.Is(err, providers.ErrMalformed) {
		return err
	}
	a.damage.pieces++
	if a.damage.first == nil {
		a.damage.first = err
	}
	if a.damage.pieces > mostDamaged {
		return a.damage.first
	}
	a.calls.tear()
	return nil
}

// sense is the error of an answer that is complete: of one that said nothing, and lost
// something, the loss is all that is known.
func (a *answer) sense() error {
	if a.damage.first != nil && a.empty() {
		return a.damage.first
	}
	return nil
}

// notice tells people what was lost.
func (d *damage) notice() string {
	what := strings.TrimPrefix(d.first.Error(), providers.ErrMalformed.Error()+": ")
	if d.pieces == 1 {
		return "1 damaged piece of the answer was skipped: " + what
	}
	return fmt.Sprintf("%d damaged pieces of the answer were skipped; the first: %s", d.pieces, what)
}

// tear marks the calls that something may be missing from: those that are not whole.
func (a *assembly) tear() {
	for _, call := range a.calls {
		call.lost = call.lost || !call.nesting.closed()
	}
}

// torn says whether a call is not what the model wrote, of an answer that lost something:
// it was under way then, or its beginning is what was lost.
func (a *assembly) torn() bool {
	for _, call := range a.calls {
		if call.lost || call.name == "" || !json.Valid(call.args) && len(call.args) > 0 {
			return true
		}
	}
	return false
}
