package retry

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"marvin/providers"
)

const (
	maxRetries     = 4 // for one question
	maxRateLimited = 2 // retries after a 429, for one question
	longestWait    = time.Minute
	firstBound     = time.Second      // the limit of the first random wait; each retry doubles it
	rateBound      = 30 * time.Second // the limit after the first 429; the second 429 doubles it
	shortestWait   = 100 * time.Millisecond
	shortWait      = 5 * time.Second
)

// Policy contains text for notices and errors about retries.
type Policy struct {
	Provider string
	KeyHint  string // the advice if the key is refused
}

// Wrap returns a model that retries. All models of one account share the gate. A
// [providers.NoticePart] announces each wait to the user.
func Wrap(model providers.Model, policy Policy, gate *Gate) providers.Model {
	return &retrier{Model: model, policy: policy, gate: gate}
}

type retrier struct {
	providers.Model
	policy Policy
	gate   *Gate
}

func (r *retrier) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	report := func(wait time.Duration, err error) {
		emit(providers.Part{Kind: providers.NoticePart, Text: notice(r.policy.Provider, wait, err), Wait: wait})
	}
	limited, tired := 0, r.gate.recentlyFailed()
	for retries := 0; ; retries++ {
		if err := r.gate.pass(ctx, report); err != nil {
			return providers.Reply{}, err
		}
		shown := false
		reply, err := r.Model.Respond(ctx, question, func(part providers.Part) {
			shown = true
			emit(part)
		})
		if err == nil {
			r.gate.recordAnswer()
		}
		if ctx.Err() != nil || shown || !temporary(err) {
			return reply, r.advise(err)
		}
		if isRateLimit(err) {
			limited++
		}
		if tired && (retries > 0 || !retriesSoon(err)) || retries == maxRetries || limited > maxRateLimited {
			r.gate.tire()
			if retries == 0 {
				return reply, err
			}
			return reply, fmt.Errorf("%w (asked %d times)", err, retries+1)
		}
		wait := pause(err, retries, limited)
		if wait > longestWait {
			return reply, fmt.Errorf("%w; %s asks for a pause of %s, which is too long to wait here: try again later, or choose another provider with --provider",
				err, r.policy.Provider, wait)
		}
		if isRateLimit(err) {
			r.gate.closeFor(wait, err) // the gate makes all callers wait, including this one
			continue
		}
		report(wait, err)
		if err := sleep(ctx, wait); err != nil {
			return reply, err
		}
	}
}

// temporary returns true if the same request may succeed later. It returns false for a nil error.
func temporary(err error) bool {
	if errors.Is(err, providers.ErrNoCredit) {
		return false
	}
	var status *providers.StatusError
	if errors.As(err, &status) {
		switch status.Status {
		case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
			return true
		}
		return status.Status >= 500
	}
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return false
	}
	return errors.Is(err, providers.ErrUnreachable) || errors.Is(err, providers.ErrCut)
}

// retriesSoon reports whether the server asks for an immediate retry or a retry within shortWait.
func retriesSoon(err error) bool {
	status, ok := errors.AsType[*providers.StatusError](err)
	return ok && (status.RetryNow || status.RetryAfter > 0 && status.RetryAfter <= shortWait)
}

func isRateLimit(err error) bool {
	var status *providers.StatusError
	return errors.As(err, &status) && status.Status == http.StatusTooManyRequests
}

// pause computes the wait before the next retry. If the server does not specify a wait, pause
// chooses a random one.
func pause(err error, retries, limited int) time.Duration {
	var status *providers.StatusError
	if errors.As(err, &status) && (status.RetryAfter > 0 || status.RetryNow) {
		return max(status.RetryAfter, shortestWait)
	}
	bound := firstBound << retries
	if limited > 0 && isRateLimit(err) {
		bound = rateBound * time.Duration(limited)
	}
	return max(rand.N(bound), shortestWait)
}

// advise appends [Policy.KeyHint] to err if the server refused the key.
func (r *retrier) advise(err error) error {
	var status *providers.StatusError
	if r.policy.KeyHint == "" || !errors.As(err, &status) || errors.Is(err, providers.ErrNoKey) { // ErrNoKey has its own advice
		return err
	}
	if status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden {
		return fmt.Errorf("%w. %s", err, r.policy.KeyHint)
	}
	return err
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// notice returns the text that tells the user about a wait.
func notice(provider string, wait time.Duration, err error) string {
	seconds := int((wait + time.Second - 1) / time.Second)
	if isRateLimit(err) {
		return fmt.Sprintf("⚠️ Rate limited by %s. Waiting %ds...", provider, seconds)
	}
	return fmt.Sprintf("⚠️ %v. Trying again in %ds...", err, seconds)
}
