package providers

import (
	"errors"
	"net/http"
)

// Advice returns the user's next step after err, as the end of a sentence. It returns "" if the
// error itself contains the advice, as it does for an unreachable server, a refused key, a server
// without models, and any HTTP error from Ollama or Copilot.
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
