package settings

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Config is config.yaml, which only the user writes.
type Config struct {
	// Hosts maps a host name to the base URL that replaces it, for users with their own Nominatim,
	// OSRM or ntfy server.
	Hosts map[string]string
	// Prices maps a model to its price.
	Prices map[string]Price
	// Context limits the size of a conversation, in tokens. 0 means the default.
	Context Context
	Typing
	Looks
	// Notify selects the signal at the end of a long turn: "bell", "osc9" or "off". "" means the
	// best signal that the terminal supports.
	Notify string
	// Answers is "ntfy" or "off"; "" means "off". With "ntfy", the user can answer questions in a
	// private ntfy topic.
	Answers string
	// Sandbox is the sandbox mode: "off", "workspace" or "strict". "" means "workspace", except for
	// approved commands.
	Sandbox string
	// Approve holds the approval mode for conversations with a user: "plan", "ask", "edits", "auto"
	// or "all". "" means "edits".
	Approve string
	// SandboxRead lists secret files and directories, such as ~/.aws, that the sandbox lets
	// commands read. An entry is an absolute path, a path below ~/, or a variable such as $NAME.
	SandboxRead []string
	// Permissions are rules for tool calls, such as "run_command(git push *)".
	Permissions Permissions
	// NumCtx is the context window, in tokens, that Marvin requests from Ollama. 0 means the
	// model's own.
	NumCtx int
	// Commands is the maximum number of commands that run at the same time. 0 means the default.
	Commands int
	// AgentMinutes is the maximum time in minutes that a sub-agent may work. 0 means the default.
	AgentMinutes int
	// ParkMinutes limits the idle time of a conversation without a window. After that time, the
	// process saves the conversation and exits. 0 means the default.
	ParkMinutes int
	// Contact is an e-mail address or web page for services that ask for one.
	Contact string
	// PassEnv lists extra environment variables for commands. An entry is a name or a pattern.
	PassEnv []string
	// Providers contains the user's own providers in file order.
	Providers []Provider
	// Roles maps a role to a list of models, such as "ollama/qwen3:4b". Marvin tries the models in
	// order.
	Roles map[string][]string
	// Cycle lists models as provider/model. The action "next-model" selects the next of these
	// models. If Cycle is empty, the action uses the models of the role "default".
	Cycle []string
	// Servers maps names to MCP servers.
	Servers map[string]Server
	LanguageServers
	// Hooks maps each event to its hooks, in order.
	Hooks map[string][]Hook
	// Private holds the directories that only some providers may see.
	Private []Private
	// Agents maps names to external agents that can run sub-agent tasks.
	Agents map[string]Agent
	// Fleet describes the user's fleet of workers on other machines.
	Fleet Fleet
	// NotRead lists sources that Marvin ignores, such as "claude" or "project commands". The
	// function words.ParseOff parses the entries.
	NotRead []string
	// Memory determines how Marvin handles facts that a model wants to remember. The values are
	// "ask", "auto" and "off"; "" means "ask".
	Memory string
	// Effort is a level from [Efforts]. "" means each model's default.
	Effort string
}

// Permissions are the user's rules for tool calls. The function tools.NewPermissions parses the
// rules.
type Permissions struct{ Allow, Ask, Deny []string }

// Context holds the sizes at which a conversation gets a warning, is compacted, and is refused.
type Context struct {
	Warn, Compact, Refuse int
	Manual                bool // disables automatic compaction
}

// configFile is the structure of config.yaml. The field types check values during parsing, so that
// errors can contain line numbers.
type configFile struct {
	Hosts  map[string]baseURL   `yaml:"hosts"`
	Prices map[string]priceFile `yaml:"prices"`
	// These sizes are upper limits in tokens. Marvin reduces the limits for a small context window.
	Context struct {
		Warn    count `yaml:"warn"`
		Compact count `yaml:"compact"`
		Refuse  count `yaml:"refuse"`
		Manual  bool  `yaml:"manual"`
	} `yaml:"context"`
	Ollama struct {
		NumCtx count `yaml:"num_ctx"`
	} `yaml:"ollama"`
	Limits struct {
		Commands     numberTo10000 `yaml:"commands"`
		AgentMinutes numberTo10000 `yaml:"agent_minutes"`
		ParkMinutes  numberTo10000 `yaml:"park_minutes"`
	} `yaml:"limits"`
	Typing  typingFile `yaml:",inline"`
	Looks   looksFile  `yaml:",inline"`
	Notify  notify     `yaml:"notify"`
	Answers answers    `yaml:"answers"`
	Contact contact    `yaml:"contact"`
	Roles   roleFile   `yaml:"roles"`
	Cycle   choiceList `yaml:"cycle"`
	Effort  effort     `yaml:"effort"`
	NotRead sourceList `yaml:"not_read"`
	Memory  remembers  `yaml:"memory"`
	// Restrictions come only from config.yaml, so a repository cannot change them.
	Private     privateFile            `yaml:"private"`
	Servers     map[string]*serverFile `yaml:"mcp"`
	Languages   languagesFile          `yaml:",inline"`
	Agents      map[string]*agentFile  `yaml:"agents"`
	Fleet       *Fleet                 `yaml:"fleet"`
	Providers   providers              `yaml:"providers"`
	PassEnv     nameList               `yaml:"pass_env"`
	Sandbox     sandbox                `yaml:"sandbox"`
	SandboxRead pathList               `yaml:"sandbox_read"`
	Approve     approve                `yaml:"approve"`
	Hooks       hookTable              `yaml:"hooks"`
	Permissions struct {
		Allow ruleList `yaml:"allow"`
		Ask   ruleList `yaml:"ask"`
		Deny  ruleList `yaml:"deny"`
	} `yaml:"permissions"`
}

type (
	baseURL string
	amount  float64
	count   int
	keyList []string
	// nameList is a list of variable names.
	nameList  []string
	theme     string
	colours   string
	symbols   string
	images    string
	editing   string
	notify    string
	answers   string
	sandbox   string
	approve   string
	remembers string
	// ruleList is parsed strictly, because a misread rule might allow a forbidden call.
	ruleList []string
)

var (
	settings      = []string{"hosts", "prices", "context", "ollama", "limits", "keys", "editing", "theme", "colours", "symbols", "images", "status", "notify", "answers", "contact", "pass_env", "sandbox", "sandbox_read", "approve", "permissions", "providers", "roles", "cycle", "mcp", "languages", "format_on_write", "hooks", "effort", "private", "agents", "fleet", "not_read", "memory"}
	innerSettings = []string{"wire", "url", "key", "model", "models", "window", "most", "price", "in", "out", "written", "sees", "tools", "efforts", "input", "output", "cached", "warn", "compact", "refuse", "manual", "num_ctx", "commands", "agent_minutes", "park_minutes", "allow", "ask", "deny", "command", "env", "headers", "body", "enabled", "reads", "timeout", "login", "hosts", "sandbox", "match", "run", "files", "roots", "settings", "stream", "label", "creds", "nkey", "ca", "cert", "cert_key"}
)

// Read reads config.yaml. The error names the file and the line, and says what to do next. An
// unknown setting is skipped, but an invalid value makes the whole configuration zero. Marvin must
// not run after a [GuardsError], but can run after any other error.
func Read(h *store.Home) (Config, error) {
	path := h.Path("config.yaml")
	data, err := store.ReadWritten(path, 1<<20)
	if err == nil && data == nil {
		err = h.Vanished(path)
	}
	if err != nil {
		return Config{}, &GuardsError{fmt.Errorf("Marvin does not start, because it cannot read the configuration and so does not know what you have forbidden: %w; make %s a readable file, or move it away", err, path)}
	}
	memo := configMemo{h}
	if len(data) == 0 {
		memo.forget()
		return Config{}, nil
	}
	if config, known := memo.read(data); known {
		return config, nil
	}
	config, unknown, err := parseConfig(path, data)
	if err == nil && unknown == nil && len(data) >= shortestKept {
		memo.keep(data, config)
	} else {
		memo.forget()
	}
	if err != nil && mentionsGuards(data) && !errors.As(err, new(*GuardsError)) {
		err = &GuardsError{err}
	}
	return config, errors.Join(err, unknown)
}

// GuardsError reports an invalid or unreadable configuration that could restrict Marvin. Marvin
// must not run with such a configuration.
type GuardsError struct{ Err error }

func (g *GuardsError) Error() string { return g.Err.Error() }

func (g *GuardsError) Unwrap() error { return g.Err }

func parseConfig(path string, data []byte) (_ Config, unknown, err error) {
	var file configFile
	if unknown, err = decodeConfig(path, data, &file); err != nil {
		return Config{}, nil, err
	}
	config := Config{Hosts: map[string]string{}}
	for host, base := range file.Hosts {
		config.Hosts[strings.ToLower(host)] = string(base)
	}
	if config.Prices, err = pricesOf(path, file.Prices); err != nil {
		return Config{}, nil, err
	}
	config.Keys = make(map[string][]string, len(file.Typing.Keys))
	for action, keys := range file.Typing.Keys {
		config.Keys[action] = keys
	}
	config.Looks = Looks{string(file.Looks.Theme), string(file.Looks.Colours), string(file.Looks.Symbols), string(file.Looks.Images), file.Looks.Status}
	config.Answers = string(file.Answers)
	config.Notify, config.Contact, config.Editing = string(file.Notify), string(file.Contact), string(file.Typing.Editing)
	config.Sandbox, config.SandboxRead, config.Approve, config.PassEnv = string(file.Sandbox), file.SandboxRead, string(file.Approve), file.PassEnv
	config.Permissions = Permissions{Allow: file.Permissions.Allow, Ask: file.Permissions.Ask, Deny: file.Permissions.Deny}
	config.Hooks = file.Hooks
	config.Private, config.NotRead, config.Memory = file.Private, file.NotRead, string(file.Memory)
	config.NumCtx = int(file.Ollama.NumCtx)
	config.Commands, config.AgentMinutes, config.ParkMinutes = int(file.Limits.Commands), int(file.Limits.AgentMinutes), int(file.Limits.ParkMinutes)
	config.Providers, config.Effort, config.Cycle = file.Providers, string(file.Effort), file.Cycle
	config.Roles = file.Roles
	if config.Servers, err = servers(path, file.Servers); err != nil {
		return Config{}, nil, err
	}
	if config.LanguageServers, err = languageServers(path, file.Languages); err != nil {
		return Config{}, nil, err
	}
	if config.Agents, err = agentsOf(path, file.Agents); err != nil {
		return Config{}, nil, err
	}
	if config.Fleet, err = fleetOf(path, file.Fleet); err != nil {
		return Config{}, nil, err
	}
	sizes := file.Context
	config.Context = Context{Warn: int(sizes.Warn), Compact: int(sizes.Compact), Refuse: int(sizes.Refuse), Manual: sizes.Manual}
	return config, unknown, nil
}

// configError converts a multi-line error from the YAML library into one line that also says what
// to do next.
func configError(path string, err error) error {
	var located yaml.Error
	if !errors.As(err, &located) || located.GetToken() == nil {
		return fmt.Errorf("%s: %w; correct the file", path, err)
	}
	token := located.GetToken()
	where := fmt.Sprintf("%s:%d", path, token.Position.Line)
	var unknown *yaml.UnknownFieldError
	if wrong := (*yaml.TypeError)(nil); errors.As(err, &wrong) && wrong.DstType.Kind() == reflect.Bool {
		return fmt.Errorf("%s: %q is neither true nor false; correct this line", where, token.Value)
	}
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%s: %s; correct this line", where, located.GetMessage())
	}
	known := settings
	if token.Position.Column > 1 {
		known = innerSettings
	}
	return fmt.Errorf("%s: there is no setting %q%s; correct or remove this line", where, token.Value, yamltext.SuggestKey(token.Value, known))
}
