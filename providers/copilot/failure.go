package copilot

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

// loginError tells the user how to log in. It matches [providers.ErrNoKey] in errors.Is.
type loginError struct{}

func (loginError) Error() string {
	return "GitHub Copilot is not logged in: start `copilot` and type /login, or set COPILOT_GITHUB_TOKEN or GH_TOKEN to a token that is allowed to make Copilot requests. To use a key of your own, set " + ownKeyVar
}

func (loginError) Is(target error) bool { return target == providers.ErrNoKey }

var notLoggedIn error = loginError{}

// statuses contains the HTTP statuses for the CLI's error kinds.
var statuses = map[string]int{
	"rate_limit": http.StatusTooManyRequests, "quota": http.StatusPaymentRequired,
	"authentication": http.StatusUnauthorized, "authorization": http.StatusForbidden,
}

// failure converts the CLI's report of a failed turn into an error. The CLI has already retried up
// to six times.
func failure(data *sdk.SessionErrorData) error {
	status := statuses[data.ErrorType]
	if data.StatusCode != nil {
		status = int(*data.StatusCode)
	}
	message := providers.Clean(data.Message, "")
	switch {
	case strings.Contains(message, "No GitHub OAuth token"):
		return notLoggedIn
	case data.ErrorType == "context_limit":
		return fmt.Errorf("copilot: %w: %s", providers.ErrTooLong, message)
	case status >= http.StatusBadRequest:
		return &providers.StatusError{Provider: "copilot", Status: status, Message: message}
	case strings.Contains(message, "Could not connect"):
		return fmt.Errorf("copilot: %w: %s", providers.ErrUnreachable, message)
	}
	return fmt.Errorf("copilot: %s", message)
}

// errClosed is returned by Respond if the model was closed.
var errClosed = errors.New("the conversation with Copilot was closed")
