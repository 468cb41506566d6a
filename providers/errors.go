package providers

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Use errors.Is to compare an error from a model with these values.
var (
	// ErrSilent means that the model sent nothing for too long. The context of the request is
	// canceled with this cause.
	ErrSilent = errors.New("the model went silent")
	// ErrCut means that the stream ended before the answer was complete.
	ErrCut = errors.New("the answer was cut off")
	// ErrMalformed means that the server's answer violates the protocol.
	ErrMalformed = errors.New("Marvin cannot read the server's answer")
	// ErrUnreachable means that no connection could be made.
	ErrUnreachable = errors.New("no connection")
	// ErrNoKey means that the provider needs a key and none was found.
	ErrNoKey = errors.New("no API key")
	// ErrUnavailable means that a required program is not installed or does not start.
	ErrUnavailable = errors.New("not available")
	// ErrTooLong means that the conversation does not fit the model's context window.
	ErrTooLong = errors.New("the conversation is too long for the model")
	// ErrNoCredit means that the account has no credit left. Waiting does not help.
	ErrNoCredit = errors.New("the account has no credit")
	// ErrTooMuch means that an answer exceeded a size limit. The [Reply] contains the text received
	// so far, but no tool calls.
	ErrTooMuch = errors.New("the answer exceeds a size limit")
)

// StatusError is an HTTP error. Message is the server's own text, cleaned and at most 500 bytes
// long.
type StatusError struct {
	Provider   string
	Status     int
	Message    string
	RetryAfter time.Duration // 0 if the server named no time or if RetryNow is set
	RetryNow   bool          // the server said that waiting is unnecessary
}

func (e *StatusError) Error() string {
	text := cmp.Or(e.Message, http.StatusText(e.Status), "the server gave no reason")
	if e.unpaid() {
		return fmt.Sprintf("%v at %s, which answered %d: %s", ErrNoCredit, e.Provider, e.Status, text)
	}
	return fmt.Sprintf("%s answered %d: %s", e.Provider, e.Status, text)
}

// Is reports whether the error matches target, which can be [ErrNoCredit] or [ErrTooLong]. For a
// question that is too long, servers send status 400 with various messages, or status 413
// (Anthropic above 32 MB, Groq above the limit per minute).
func (e *StatusError) Is(target error) bool {
	if target == ErrNoCredit {
		return e.unpaid()
	}
	return target == ErrTooLong && (e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusBadRequest && mentionsWindow(e.Message))
}

// creditPhrases occur in servers' errors about accounts without credit. The servers are OpenAI,
// Anthropic, DeepSeek, OpenRouter, Mistral, xAI and Moonshot. Phrases about a quota that resets at
// a stated time are not included.
var creditPhrases = []string{
	"insufficient_quota", "insufficient quota", "credit balance", "insufficient balance", "insufficient credit", "insufficient fund", "insufficient_balance",
	"out of credit", "no credit", "not enough credit", "billing_hard_limit", "billing hard limit", "billing_not_active", "account is not active", "billing limit",
	"payment required", "used all available credits", "requires more credits",
}

func (e *StatusError) unpaid() bool {
	switch e.Status {
	case http.StatusPaymentRequired:
		return true
	case http.StatusBadRequest, http.StatusForbidden, http.StatusTooManyRequests:
		return mentionsAny(e.Message, creditPhrases) ||
			e.Status == http.StatusTooManyRequests && e.RetryAfter == 0 && mentionsAny(e.Message, []string{"exceeded your current quota", "check your plan and billing"})
	}
	return false
}

// windowPhrases occur in servers' errors about prompts that exceed the context window. The servers
// are OpenAI, Groq, OpenRouter, vLLM, Gemini, llama.cpp and Ollama.
var windowPhrases = []string{
	"context_length_exceeded", "maximum context length", "context length", "context window",
	"input token count", "exceeds the available context", "prompt is too long", "too many tokens",
}

func mentionsWindow(message string) bool { return mentionsAny(message, windowPhrases) }

func mentionsAny(message string, phrases []string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(message, phrase) })
}
