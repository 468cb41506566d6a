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
	Dir       string // the working directory, "" for none
	Profile   string
	Settings  settings.Config
	ReadOnly  bool     // tools that write are disabled
	Notices   []string // problems in the configuration, to be shown to the user
	Client    *http.Client
	copilot   *copilot.CLI
	System    *actors.System  // nil before the start
	Talked    *command.Engine // the front end's engine; nil before the start
	World     cli.World
	Opts      cli.Options
	Models    sync.Once       // guards Known
	Known     []string        // usable models
	Shown     showings        // project files that were shown to the user
	Own       shell.UserShell // runs the user's own commands
	Found     FileFinder
	Pictures  []messages.Picture  // pictures of the first prompt
	Keeping   ProjectChoice       // the user's choices for this project
	Reading   *extensionReader    // reads extensions again when they change
	Newcomer  *command.FirstStart // set on the very first start, else nil
	Detach    func() error        // leaves the terminal and keeps the conversation running; nil if the conversation needs this terminal
	Attached  bool                // the conversation runs in another process
	Talking   func() string       // returns the id of the conversation; nil while there is none
}
