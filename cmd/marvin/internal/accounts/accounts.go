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

// Accounts are all providers that can be asked, with what leads to their keys.
type Accounts struct {
	World cli.World
	Pool  providers.Pool
	Roles map[string][]string
	// AtTerminal says that a user at a terminal is asked for what they did not name.
	AtTerminal bool

	mu   sync.Mutex
	keys map[string]string // by source, as far as they were read

	Logins   atomic.Pointer[map[string]logins.Login] // as far as they were read, nil for not
	settings settings.Config
	Checked  func() *http.Client                     // for hosts that are fixed in the code, where logins are renewed
	Chatgpt  func() *chatgpt.Account                 // one for all conversations: a login is renewed once
	Copilot  *copilot.CLI                            // to be asked for its models once it runs; nil for never
	listed   atomic.Pointer[map[string][]ModelOffer] // see heard; no lock, which one may hold who waits for a key
	Start    actors.Choice                           // that this program begins with; zero for none
	asked    int                                     // the context window for Ollama, in tokens; 0 if not set
}
