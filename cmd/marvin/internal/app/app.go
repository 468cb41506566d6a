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

// App is the program put together.
type App struct {
	Accounts  *accounts.Accounts
	written   func() // has the rest of the log on the disk
	Selection providers.Selection
	Config    actors.Config
	Dir       string // the working directory, "" for none
	Profile   string
	Settings  settings.Config
	ReadOnly  bool     // tools that write are off
	Notices   []string // what is wrong with the configuration, for people
	Client    *http.Client
	copilot   *copilot.CLI
	System    *actors.System  // once it has begun
	Talked    *command.Engine // of the front end, once it has begun
	World     cli.World
	Opts      cli.Options
	Models    sync.Once    // to look up what is known
	Known     []string     // models that can be asked
	Shown     showings     // files of projects that a person was shown
	Own       shell.Person // in which the person's own commands run
	Found     FileFinder
	Pictures  []messages.Picture // of the first prompt
	Keeping   ProjectChoice      // of the person
	Reading   *rereading         // what others bring
	Newcomer  *command.Newcomer  // on the very first start, else nil
	Detach    func() error       // leaves the conversation, nil if it cannot continue without its terminal
	Attached  bool               // it is that of another process
	Talking   func() string      // the id of the conversation; nil as long as there is none
}
