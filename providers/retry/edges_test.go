package retry

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/providers"
)

func TestEdgesOfAskingAgain(t *testing.T) {
	var out strings.Builder
	tell := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	cause := errors.New("a cause")
	list := []error{
		nil, cause, context.Canceled, fmt.Errorf("x: %w", providers.ErrUnreachable), fmt.Errorf("x: %w", providers.ErrCut), providers.ErrMalformed, providers.ErrTooMuch,
		fmt.Errorf("%w: %w", providers.ErrUnreachable, &tls.CertificateVerificationError{Err: cause}),
	}
	for _, status := range []int{200, 400, 401, 402, 403, 404, 407, 408, 409, 410, 424, 425, 426, 428, 429, 430, 499, 500, 503, 599} {
		list = append(list, &providers.StatusError{Provider: "p", Status: status, Message: "m"})
	}
	list = append(list, fmt.Errorf("%w: %w", providers.ErrNoKey, &providers.StatusError{Status: 401}))
	for _, err := range list {
		r := &retrier{policy: Policy{KeyHint: "Look there."}}
		told := "nothing"
		if err != nil {
			told = notice("p", 1500*time.Millisecond, err)
		}
		tell("%v: again %t, limited %t; advice %v; told %s", err, temporary(err), isRateLimit(err), r.advise(err), told)
	}
	if refused := error(&providers.StatusError{Status: 401}); (&retrier{}).advise(refused) != refused {
		t.Error("something is advised where nothing is known of the key")
	}
	for _, one := range []struct {
		status    providers.StatusError
		least, up time.Duration
	}{
		{providers.StatusError{Status: 429, RetryAfter: 7 * time.Second}, 7 * time.Second, 7 * time.Second},
		{providers.StatusError{Status: 503, RetryAfter: time.Millisecond}, shortestWait, shortestWait},
		{providers.StatusError{Status: 503, RetryNow: true}, shortestWait, shortestWait},
	} {
		if wait := pause(&one.status, 3, 2); wait < one.least || wait > one.up {
			t.Errorf("%+v waits %s", one.status, wait)
		}
	}
	for retries := range 4 {
		longest, limited := time.Duration(0), time.Duration(0)
		for range 400 {
			longest = max(longest, pause(&providers.StatusError{Status: 500}, retries, 2))
			limited = max(limited, pause(&providers.StatusError{Status: 429}, 0, retries))
		}
		bound, rate := firstBound<<retries, rateBound*time.Duration(retries)
		if longest > bound || longest < bound/2 || retries > 0 && (limited > rate || limited < rate/2) {
			t.Errorf("retry %d waits %s of %s, limited %s of %s", retries, longest, bound, limited, rate)
		}
	}
	for _, wait := range []time.Duration{0, time.Nanosecond, time.Second, time.Second + 1, time.Minute} {
		tell("waits %s: %s", wait, notice("p", wait, cause))
	}
	goldentest.Assert(t, "edges.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// A closed gate lets waiting callers pass one after the other, and reports why a wait ended early.
func TestAGateLetsPassInTurn(t *testing.T) {
	now := time.Unix(1000, 0)
	gate, cause := NewGate(func() time.Time { return now }), errors.New("rest")
	if wait, _ := gate.reserve(); wait != 0 || !gate.open() {
		t.Errorf("an open gate: %s", wait)
	}
	gate.closeFor(10*time.Second, cause)
	gate.closeFor(5*time.Second, errors.New("less"))
	for i := range 3 {
		if wait, why := gate.reserve(); wait != 10*time.Second+time.Duration(i)*turnSpacing || why != cause {
			t.Errorf("caller %d waits %s for %v", i, wait, why)
		}
	}
	if gate.open() {
		t.Error("it is open")
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(cause)
	var waited time.Duration
	if err := gate.pass(ctx, func(wait time.Duration, _ error) { waited = wait }); !errors.Is(err, cause) || waited != 10*time.Second+3*turnSpacing {
		t.Errorf("cancelled after %s: %v", waited, err)
	}
	now = now.Add(10 * time.Second)
	if !gate.open() {
		t.Error("it is shut at the time when it opens")
	}
	if wait, _ := gate.reserve(); wait != 4*turnSpacing {
		t.Errorf("behind four who wait: %s", wait)
	}
	now = now.Add(5 * turnSpacing)
	if wait, _ := gate.reserve(); wait != 0 {
		t.Errorf("behind nobody: %s", wait)
	}
	asked := 0
	r := &retrier{Model: never{&asked}, gate: gate}
	gate.closeFor(time.Hour, cause)
	if _, err := r.Respond(ctx, providers.Question{}, func(providers.Part) {}); !errors.Is(err, cause) || asked != 0 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// This type counts its requests.
type never struct{ asked *int }

func (n never) Respond(context.Context, providers.Question, func(providers.Part)) (providers.Reply, error) {
	*n.asked++
	return providers.Reply{}, nil
}

func (never) Close() error { return nil }

// cutOff is a model whose user cancels while the connection breaks.
type cutOff struct {
	never
	stop func()
}

func (c cutOff) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	reply, _ := c.never.Respond(ctx, question, emit)
	c.stop()
	return reply, providers.ErrCut
}

func TestNothingIsRetriedAfterCancel(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	asked, told := 0, 0
	r := &retrier{Model: cutOff{never{&asked}, stop}, gate: NewGate(time.Now)}
	if _, err := r.Respond(ctx, providers.Question{}, func(providers.Part) { told++ }); !errors.Is(err, providers.ErrCut) || asked != 1 || told != 0 {
		t.Errorf("asked %d times, told %d: %v", asked, told, err)
	}
}
