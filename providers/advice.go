package providers

import (
	"errors"
	"net/http"
)

// Advice returns what the user can do about err, as a clause to append to a sentence. It returns ""
// if err already contains advice, for example about an unreachable server or a rejected key. All
// HTTP errors from Ollama and Copilot contain advice.
func Advice(err error) string {
	var status *StatusError
	switch {
	case errors.Is(err, ErrSilent):
		return "ask again, or give the model more time with MARVIN_SILENCE_TIMEOUT=15m"
	case errors.Is(err, ErrTooMuch):
		return "Marvin keeps the answer so far; ask for less at a time"
	case errors.Is(err, ErrCut):
		return "ask the model for the rest, or choose another model with /model or --model"
	case errors.Is(err, ErrTooLong), !errors.As(err, &status), status.Provider == "ollama", status.Provider == Copilot:
		return ""
	}
	switch code := status.Status; {
	case status.unpaid():
		return "add credit to the account, or choose another provider with /provider or --provider"
	case code == http.StatusNotFound:
		return "check the name of the model (to list the models, run marvin models) and the address of the provider"
	case code == http.StatusBadRequest, code == http.StatusUnprocessableEntity, code == http.StatusRequestEntityTooLarge:
		return "the server does not accept this request; try another model with /model or --model"
	case code == http.StatusTooManyRequests && status.RetryAfter == 0:
		return "wait a while, or choose another model with /model or --model"
	case code >= http.StatusInternalServerError:
		return "the problem is on the server: ask again later, or choose another model with /model or --model"
	}
	return ""
}
