package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Shape is the kind of value that a setting has.
type Shape string

// The shapes.
const (
	OneWord Shape = "word" // one of [Setting.Words]
	OneLine Shape = "text"
	Number  Shape = "number"
	Switch  Shape = "switch" // true or false
	List    Shape = "list"   // words separated by commas
	Block   Shape = "block"  // several lines, which the user edits in an editor
)

// Setting is one setting of config.yaml.
type Setting struct {
	Key     string // such as context.warn
	Shape   Shape
	Words   []string // the valid values if Shape is OneWord
	Usual   string   // the default
	Env     string   // environment variable for the same setting; "" for none
	Before  bool     // whether the environment variable overrides the file
	Flag    string   // command-line option that overrides the variable and the file; "" for none
	Help    string
	Page    string // the manual page about the setting
	Command string // the command that changes a block
}

// All returns every setting, in the order of docs/configuration.md.
func All() []Setting {
	return []Setting{
		{Key: "theme", Shape: OneLine, Usual: "auto", Help: "the colors: auto, terminal, mono, or the name of a theme, including your own", Page: "themes"},
		{Key: "colours", Shape: OneWord, Words: Colours, Usual: "auto", Help: "how many colors are used; safe is for people who cannot tell red from green", Page: "themes"},
		{Key: "symbols", Shape: OneWord, Words: Symbols, Usual: "what the terminal can draw", Help: "ascii is for fonts without line drawing, such as on the Linux console", Page: "themes"},
		{Key: "images", Shape: OneWord, Words: Images, Usual: "auto", Help: "how pictures are drawn: with the kitty or iTerm2 protocol, or with sixels; off shows text instead", Page: "themes"},
		{Key: "status", Shape: List, Usual: "all parts", Help: "what the top line shows in full-screen mode, in this order: " + strings.Join(StatusParts, ", "), Page: "configuration"},
		{Key: "notify", Shape: OneWord, Words: []string{"bell", "osc9", "off"}, Usual: "what the terminal can do", Help: "how Marvin signals the end of a long answer", Page: "configuration"},
		{Key: "answers", Shape: OneWord, Words: []string{"off", "ntfy"}, Usual: "off", Help: "ntfy also sends questions to your private ntfy topic, where you can answer them", Page: "windows"},
		{Key: "approve", Shape: OneWord, Words: []string{"plan", "ask", "edits", "auto", "all"}, Usual: "edits", Flag: "--approve", Help: "what runs in a conversation without your approval", Page: "sandbox"},
		{Key: "sandbox", Shape: OneWord, Words: []string{"off", "workspace", "strict"}, Usual: "workspace, except for commands you approve one by one", Env: "MARVIN_SANDBOX", Before: true, Flag: "--sandbox", Help: "the sandbox that confines commands", Page: "sandbox"},
		{Key: "sandbox_read", Shape: List, Help: "paths of keys that sandboxed commands may read", Page: "sandbox"},
		{Key: "effort", Shape: OneWord, Words: Efforts, Usual: "the default of each model", Flag: "--effort", Help: "how long models think", Page: "models"},
		{Key: "contact", Shape: OneLine, Env: "MARVIN_CONTACT", Before: true, Help: "your e-mail or web address, for services that ask who uses them", Page: "configuration"},
		{Key: "context.warn", Shape: Number, Usual: "180000", Help: "number of tokens at which Marvin warns", Page: "configuration"},
		{Key: "context.compact", Shape: Number, Usual: "200000", Help: "number of tokens at which Marvin summarizes the conversation", Page: "configuration"},
		{Key: "context.refuse", Shape: Number, Usual: "226000", Help: "number of tokens at which Marvin refuses to send the conversation", Page: "configuration"},
		{Key: "context.manual", Shape: Switch, Usual: "false", Help: "summarize only when you use /compact", Page: "configuration"},
		{Key: "ollama.num_ctx", Shape: Number, Usual: "32768, or the number that the model reports", Env: "OLLAMA_CONTEXT_LENGTH", Help: "the context window to request from Ollama, in tokens", Page: "configuration"},
		{Key: "limits.commands", Shape: Number, Usual: "64", Help: "how many commands run at once; others wait for a free slot", Page: "configuration"},
		{Key: "limits.agent_minutes", Shape: Number, Usual: "10", Help: "minutes after which Marvin stops a sub-agent", Page: "configuration"},
		{Key: "limits.park_minutes", Shape: Number, Usual: "15", Help: "minutes after which Marvin saves an idle conversation without an open window and ends its process", Page: "windows"},
		{Key: "memory", Shape: OneWord, Words: memories, Usual: "ask", Help: "what happens to facts that a model wants to remember: ask you, remember them, or turn the memory off", Page: "memory"},
		{Key: "not_read", Shape: List, Help: "switched-off sources of instructions, skills and commands, such as claude, project commands, .github", Page: "instructions"},
		{Key: "pass_env", Shape: List, Env: "MARVIN_PASS_ENV", Help: "environment variables that commands get in addition to the usual ones", Page: "safety"},
		{Key: "private", Shape: Block, Help: "directories that only some providers may see", Page: "models"},
		{Key: "permissions", Shape: Block, Help: "which calls run, need approval or are refused", Page: "sandbox"},
		{Key: "keys", Shape: Block, Help: "other keys for actions", Page: "keys"},
		{Key: "editing", Shape: OneWord, Words: Editing, Usual: "emacs", Help: "the editing keys in full-screen mode: emacs, or vim with its command mode", Page: "keys"},
		{Key: "hosts", Shape: Block, Env: "MARVIN_HOSTS", Help: "your own servers instead of public ones", Page: "configuration"},
		{Key: "prices", Shape: Block, Help: "US dollars per million tokens, for models that Marvin does not know", Page: "configuration"},
		{Key: "providers", Shape: Block, Help: "providers of models, in addition to those that Marvin knows", Page: "models"},
		{Key: "roles", Shape: Block, Help: "models for each role, such as small or vision", Page: "models"},
		{Key: "cycle", Shape: List, Usual: "the models of the role \"default\"", Help: "the models that Ctrl-P cycles through, as provider/model", Page: "models"},
		{Key: "mcp", Shape: Block, Help: "MCP servers, which add tools", Page: "mcp", Command: "marvin mcp add NAME -- COMMAND"},
		{Key: "languages", Shape: Block, Help: "language servers, which report problems after an edit", Page: "languages"},
		{Key: "format_on_write", Shape: Switch, Usual: "false", Help: "let language servers format the files that the model edits", Page: "languages"},
		{Key: "agents", Shape: Block, Help: "external agents (claude, codex and others), which can run as sub-agents", Page: "acp"},
		{Key: "fleet", Shape: Block, Help: "the server through which sub-agents run on other machines", Page: "fleet"},
		{Key: "hooks", Shape: Block, Help: "your own programs to run, and URLs to request, at each call, prompt or turn", Page: "hooks"},
	}
}

// Written holds the value of a setting and its line number in config.yaml.
type Written struct {
	Value string // the value on one line; for a block, the number of entries
	Line  int    // the line number, from 1
}

// File reads and writes individual settings in config.yaml.
type File struct{ *store.Home }

// Path returns the path of config.yaml, which need not exist.
func (h File) Path() string { return h.Home.Path("config.yaml") }

// Written returns the settings that config.yaml contains, keyed by [Setting.Key].
func (h File) Written() (map[string]Written, error) {
	path := h.Home.Path("config.yaml")
	text, err := store.ReadWritten(path, 1<<20)
	if err != nil {
		return nil, err
	}
	document, err := yamltext.Read(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	found := map[string]Written{}
	for _, setting := range All() {
		if item := document.Find(setting.Key); item != nil {
			found[setting.Key] = Written{Value: formatNode(item.Value), Line: item.Key.GetToken().Position.Line}
		}
	}
	return found, nil
}

// formatNode formats a value on one line.
func formatNode(node ast.Node) string {
	switch node := node.(type) {
	case *ast.SequenceNode:
		var items []string
		for _, value := range node.Values {
			items = append(items, value.GetToken().Value)
		}
		return strings.Join(items, ", ")
	case *ast.MappingNode:
		return entries(len(node.Values))
	case *ast.MappingValueNode:
		return entries(1)
	case *ast.LiteralNode:
		return strings.TrimSpace(node.Value.Value)
	case *ast.NullNode:
		return ""
	}
	return node.GetToken().Value
}

func entries(count int) string {
	if count == 1 {
		return "1 entry"
	}
	return strconv.Itoa(count) + " entries"
}

// Find returns the setting with the given key. The error suggests similar keys.
func Find(key string) (Setting, error) {
	var keys []string
	for _, setting := range All() {
		if setting.Key == strings.ToLower(key) {
			return setting, nil
		}
		keys = append(keys, setting.Key)
	}
	return Setting{}, fmt.Errorf("there is no setting %q%s; to list all settings, run marvin config list", key, yamltext.SuggestKey(key, keys))
}

// Set changes one setting in config.yaml, and leaves the rest of the file as it is. It returns an
// error if the value is invalid or the file cannot be read.
func (h File) Set(key, value string) error {
	setting, err := Find(key)
	if err != nil {
		return err
	}
	typed, err := setting.convert(value)
	if err != nil {
		return err
	}
	return h.rewrite(func(document *yamltext.Document) (string, error) { return document.WithSetting(setting.Key, typed) })
}

// Unset removes a setting from config.yaml, so the default applies again.
func (h File) Unset(key string) error {
	setting, err := Find(key)
	if err != nil {
		return err
	}
	if setting.Shape == Block {
		return setting.byHand(h)
	}
	return h.rewrite(func(document *yamltext.Document) (string, error) { return document.WithoutSetting(setting.Key) })
}

// rewrite modifies the file under its lock. It writes the result only if the result is a valid
// configuration.
func (h File) rewrite(change func(*yamltext.Document) (string, error)) error {
	return h.WithLock(h.Home.Path("config.yaml"), func(path string) error {
		before, err := store.ReadWritten(path, 1<<20)
		if err != nil {
			return err
		}
		document, err := yamltext.Read(string(before))
		if err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", path, err)
		}
		after, err := change(document)
		if err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", path, err)
		}
		if _, _, err := parseConfig(path, []byte(after)); err != nil {
			return fmt.Errorf("%w; nothing was changed", err)
		}
		if after == string(before) {
			return nil
		}
		configMemo{h.Home}.forget()
		return store.Replace(path, []byte(after), store.Lasting)
	})
}

func (s Setting) byHand(h File) error {
	way := "edit " + h.Path() + " (marvin help " + s.Page + ")"
	if s.Command != "" {
		way = s.Command + ", or " + way
	}
	return fmt.Errorf("%s has several lines; %s", s.Key, way)
}

// convert converts a value to the type that the file needs.
func (s Setting) convert(value string) (any, error) {
	value = strings.TrimSpace(value)
	switch s.Shape {
	case OneWord:
		if value = strings.ToLower(value); !slices.Contains(s.Words, value) {
			return nil, fmt.Errorf("%s must be one of %s, not %q", s.Key, strings.Join(s.Words, ", "), value)
		}
		return value, nil
	case Number:
		number, err := strconv.Atoi(strings.ReplaceAll(value, "_", ""))
		if err != nil {
			return nil, fmt.Errorf("%s must be a number such as 180000, not %q", s.Key, value)
		}
		return float64(number), nil
	case Switch:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return nil, fmt.Errorf("%s must be true or false, not %q", s.Key, value)
		}
		return on, nil
	case List:
		list := strings.FieldsFunc(value, func(char rune) bool { return char == ',' })
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		return slices.DeleteFunc(list, func(item string) bool { return item == "" }), nil
	case OneLine:
		if value == "" || strings.ContainsAny(value, "\r\n") {
			return nil, fmt.Errorf("%s must be one line of text; to remove the setting, run marvin config unset %[1]s", s.Key)
		}
		return value, nil
	}
	return nil, fmt.Errorf("nothing was changed, because a value of %s has several lines; change the value in a text editor (marvin help %s)", s.Key, s.Page)
}
