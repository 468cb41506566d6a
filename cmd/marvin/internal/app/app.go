package app

import (
	"net/http"
	"sync"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/tools/shell"
	"marvin/ui/command"
)

// App holds the assembled parts of the program.
type App struct {
	Accounts  *accounts.Accounts
	written   func() // flushes the log
	Selection providers.Selection
	Config    actors.Config
	Dir       string // the working directory; "" if there is none
	Profile   string
	Settings  settings.Config
	ReadOnly  bool     // tools that write are disabled
	Notices   []string // problems in the configuration, to be shown to the user
	Client    *http.Client
	copilot   *copilot.CLI
	System    *actors.System  // set by Start
	Talked    *command.Engine // the front end's engine; set by host.Engine
	World     cli.World
	Opts      cli.Options
	Models    sync.Once       // guards Known
	Known     []string        // usable models
	Shown     showings        // project files that were shown to the user
	Own       shell.UserShell // the shell for the user's own commands
	Found     FileFinder
	Pictures  []messages.Picture  // pictures attached to the first prompt
	Keeping   ProjectChoice       // the user's choices for this project
	Reading   *extensionReader    // the reader of servers, hooks and tools
	Newcomer  *command.FirstStart // set on the very first start, else nil
	Detach    func() error        // the function that detaches the terminal; nil if the conversation needs the terminal
	Attached  bool                // the conversation runs in another process
	Talking   func() string       // the function that returns the conversation's id or ""; set by window.Hold
}
