package conv

import (
	"io/fs"
	"log/slog"
	"time"

	"marvin/actors/internal/budget"
	"marvin/persistence"
	"marvin/persistence/audit"
	"marvin/persistence/projects"
	written "marvin/persistence/words"
	"marvin/providers/tokens"
	"marvin/tools"
	"marvin/tools/language"
	"marvin/tools/toolbox"
)

// Config is everything that the tree is made of. It is never changed after [Start].
type Config struct {
	// Tools are what there is to call. A turn keeps to what there was when it began.
	Tools       *toolbox.Shelf
	Models      Models   // how they are asked, and which there are
	Notifier    Notifier // where messages for the user come from; may be nil
	Alarms      Alarms   // what rings while a person talks; may be nil
	Home        *persistence.Home
	Memory      string           // ask, auto or off: what becomes of facts that a model wants to remember; "" is ask
	Local       map[string]bool  // hosts that hosts: of config.yaml maps to this machine
	Words       *written.Library // where instructions and skills are found
	Environ     []string
	Sandbox     *tools.Sandbox     // what holds commands; nil holds nothing
	Permissions *tools.Permissions // the user's rules; nil has none
	Others      Others             // servers and hooks of others
	Audit       audit.Log
	Dir         string        // the default coding directory; "" for none
	Files       int           // how many files the process may open; 0 if that is not known
	Commands    int           // how many commands run at once; 0 for the default of 64
	AgentTime   time.Duration // for one sub-agent; 0 for the default of 10 minutes
	Manual      fs.FS         // the pages of Marvin's manual, as NAME.md; nil for none
	System      string        // operating system and shell, for the model
	Now         func() time.Time
	Languages   *language.Set // language servers; nil for none
	Version     string        // of Marvin, for servers
	Tuning      Tuning
	Context     ContextLimits
	Log         *slog.Logger // must not wait for a disk: actors write into it
	Problem     func(error)  // told when a document could not be written; may be nil
}

// Setup is the configuration of a running tree, and what all its conversations share.
type Setup struct {
	Config
	Tokens  *tokens.Counter
	Brought *ProjectParts // servers and hooks of others, as they are now
}

// ContextLimits are sizes of a question in tokens at which a conversation is warned,
// compacted and refused; 0 means the default, and a model's own window lowers them.
type ContextLimits = budget.Limits

// Choice names a provider and one of its models.
type Choice struct{ Provider, Model string }

// String is the choice as people and files write it.
func (c Choice) String() string { return c.Provider + "/" + c.Model }

// NewSetup completes a configuration with its defaults.
func NewSetup(config Config) *Setup {
	config.Tuning = config.Tuning.withDefaults()
	config.Dir = projects.RealDir(config.Dir)
	if config.Words == nil {
		config.Words = &written.Library{}
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	return &Setup{Config: config, Tokens: &tokens.Counter{}, Brought: newOthers(config.Others)}
}
