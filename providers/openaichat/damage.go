package openaichat

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/providers"
)

// mostDamaged is the maximum number of broken pieces that are tolerated in a stream.
const mostDamaged = 20

// damage is the record of the unreadable parts of a stream. A broken line does not end the answer,
// but the content of that line is lost.
type damage struct {
	pieces int
	first  error // the error for the first broken piece
	sound  bool  // at least one piece was readable
}

// tolerate returns nil for up to mostDamaged malformed events of a stream. After that, tolerate
// returns the error of the stream's first malformed event. Other errors are returned unchanged.
func (a *answer) tolerate(err error) error {
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
	a.calls.markLost()
	return nil
}

// checkLoss returns an error if the answer is empty and a piece was lost.
func (a *answer) checkLoss() error {
	if a.damage.first != nil && a.empty() {
		return a.damage.first
	}
	return nil
}

func (d *damage) notice() string {
	what := strings.TrimPrefix(d.first.Error(), providers.ErrMalformed.Error()+": ")
	if d.pieces == 1 {
		return "1 damaged piece of the answer was skipped: " + what
	}
	return fmt.Sprintf("%d damaged pieces of the answer were skipped; the first one was: %s", d.pieces, what)
}

// markLost marks every incomplete call as damaged, because the lost piece may have belonged to any
// of them.
func (a *assembly) markLost() {
	for _, call := range a.calls {
		call.lost = call.lost || !call.nesting.closed()
	}
}

// incomplete returns true if any call has no name, has invalid arguments, or might have lost a
// piece.
func (a *assembly) incomplete() bool {
	return slices.ContainsFunc(a.calls, func(call *assembled) bool {
		return call.lost || call.name == "" || !json.Valid(call.args) && len(call.args) > 0
	})
}
