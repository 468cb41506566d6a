package cli

import (
	"bytes"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"marvin/messages"
	"marvin/ui/headless"
)

func TestErrorOutcome(t *testing.T) {
	const noCosts = "MARVIN_COST:{\"session_cost\":0,\"llm_turns\":0,\"model_turns\":{},\"model_cost\":{}}\n"
	for _, test := range []struct {
		err  error
		code int
		said string
	}{
		{nil, 0, ""},
		{errors.New("no such thing"), 1, "Error: no such thing\n"},
		{ErrReported, 1, ""},
		{fmt.Errorf("search: %w", ErrReported), 1, ""},
		{CostError{Result: headless.Result{Outcome: messages.Completed}}, 0, noCosts},
		{CostError{Result: headless.Result{Outcome: messages.Incomplete}}, 1, noCosts},
		{CostError{Result: headless.Result{Outcome: messages.Failed, Err: "no model"}}, 1, "Error: no model\n" + noCosts},
		{CostError{Result: headless.Result{Outcome: messages.Failed, Err: "write", Stdout: syscall.EPIPE}}, 1, noCosts},
	} {
		var stderr bytes.Buffer
		if code := ExitCode(World{Stderr: &stderr}, test.err); code != test.code || stderr.String() != test.said {
			t.Errorf("%v: exit code %d, %q", test.err, code, stderr.String())
		}
	}
}
