package accounts

import (
	"net/http"
	"sync"
	"sync/atomic"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/logins"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/chatgpt"
	"marvin/providers/copilot"
)

// Accounts contains the available providers and the sources of their keys.
type Accounts struct {
	World cli.World
	Pool  providers.Pool
	Roles map[string][]string
	// AtTerminal is true in a conversation with a user at a terminal.
	AtTerminal bool

	mu   sync.Mutex
	keys map[string]string // the keys read so far, by source

	Logins   atomic.Pointer[map[string]logins.Login] // nil before the first read
	settings settings.Config
	Checked  func() *http.Client                     // the HTTP client for creating and renewing logins
	Chatgpt  func() *chatgpt.Account                 // shared by all conversations, so that a login is renewed once
	Copilot  *copilot.CLI                            // optional; must be running to offer models
	listed   atomic.Pointer[map[string][]ModelOffer] // each provider's models from the last call of All; atomic, because slow key reads hold mu
	Start    actors.Choice                           // the model chosen at startup; zero if none was chosen
	asked    int                                     // the context window for Ollama, in tokens; 0 if not set
}
