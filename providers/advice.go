package providers

import (
	"errors"
	"net/http"
)

// Advice is what a person may do about a model that failed, as the end of a sentence;
// "" where the error says it itself: a server that is not reached, a key that is refused, an
// address where no model is, and all that Ollama and Copilot say.
func Advice(err error) string {
	var status *StatusError
	switch {
	case errors.Is(err, ErrSilent):
		return "ask again, or give it more time with MARVIN_SILENCE_TIMEOUT=15m"
	case errors.Is(err, ErrTooMuch):
		return "the answer so far is kept; ask for less at once"
	case errors.Is(err, ErrCut):
		return "ask for the rest, or choose another model with /model or --model"
	case errors.Is(err, ErrTooLong), !errors.As(err, &status), status.Provider == "ollama", status.Provider == Copilot:
		return ""
	}
	switch code := status.Status; {
	case status.unpaid():
		return "add credit there, or choose another provider with /provider or --provider"
	case code == http.StatusNotFound:
		return "check the name of the model (marvin models lists them) and the address of the provider"
	case code == http.StatusBadRequest, code == http.StatusUnprocessableEntity, code == http.StatusRequestEntityTooLarge:
		return "the server does not accept this request; try another model with /model or --model"
	case code == http.StatusTooManyRequests && status.RetryAfter == 0:
		return "wait a while, or choose another model with /model or --model"
	case code >= http.StatusInternalServerError:
		return "the problem is on the server: ask again later, or choose another model with /model or --model"
	}
	return ""
}
