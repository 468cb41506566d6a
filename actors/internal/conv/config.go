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

// Config is the configuration of the tree. It is not changed after the tree has started.
type Config struct {
	// The contents of Tools can change at any time. Each turn starts with a snapshot.
	Tools       *toolbox.Shelf
	Models      Models
	Notifier    Notifier // the source of ntfy messages; nil for none
	Alarms      Alarms   // nil for none
	Home        *persistence.Home
	Memory      string           // the memory setting: "ask", "auto" or "off"; "" means "ask"
	Local       map[string]bool  // hosts that the host table maps to this machine
	Words       *written.Library // the library for finding instructions and skills
	Environ     []string
	Sandbox     *tools.Sandbox     // restricts commands; nil means no restriction
	Permissions *tools.Permissions // the user's rules; nil means none
	Others      Extensions         // the configured MCP servers and hooks
	Audit       audit.Log
	Dir         string        // the default coding directory; "" for none
	Files       int           // the process's limit on open files; 0 for none
	Commands    int           // the maximum number of commands that run at once; 0 for the default of 64
	AgentTime   time.Duration // the time limit of one sub-agent; 0 means the default of 10 minutes
	Manual      fs.FS         // the pages of Marvin's manual, as NAME.md; nil for none
	System      string        // operating system and shell, for the model
	Now         func() time.Time
	Languages   *language.Set // language servers; nil for none
	Version     string        // Marvin's version, which is sent to servers
	Tuning      Tuning
	Context     ContextLimits
	Log         *slog.Logger // actors use this log, so writing an entry must not block
	Problem     func(error)  // called when a document cannot be written; may be nil
}

// Setup is the configuration of a running tree, together with the state that all its conversations
// share.
type Setup struct {
	Config
	Tokens  *tokens.Counter
	Brought *ProjectParts // the current servers and hooks from configuration files
}

// ContextLimits are limits on the size of a request, in tokens. 0 means the default. A small
// context window lowers the limits.
type ContextLimits = budget.Limits

// Choice names a provider and one of its models.
type Choice struct{ Provider, Model string }

// String returns the choice as provider/model.
func (c Choice) String() string { return c.Provider + "/" + c.Model }

// NewSetup returns the Setup for config and fills in the defaults.
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
