package providers

import (
	"fmt"
	"strings"
)

// Provider is one row of the catalogue: everything that is fixed about it.
type Provider struct {
	Name    string
	Emoji   string // in the status line
	Model   string // asked when nobody names another
	BaseURL string // without /chat/completions; "" if it is not reached by HTTP
	KeyVar  string // environment variable of the key; "" needs none
	KeyFile bool   // ~/.ssh/<KeyVar> is read when the variable is unset
	KeyPage string // where people get a key
	// ModelVar and URLVar are environment variables that replace Model and BaseURL.
	ModelVar, URLVar string
	Free             bool // costs nothing per token
}

// The names that the program itself refers to.
const (
	Copilot      = "copilot"
	Ollama       = "ollama"
	OpenAICompat = "openai-compat"
	Offline      = "offline"
)

// Catalog lists the providers in the order in which an unnamed one is chosen:
// first those with a key, then what runs on this machine, then the built-in.
// Endpoints and defaults are those that Marvin has always had.
var Catalog = []Provider{
	{Name: Copilot, Emoji: "🤖", Model: "claude-haiku-4.5", ModelVar: "MARVIN_CHAT_MODEL"},
	{
		Name: "gemini", Emoji: "💎", Model: "gemini-3-pro-preview", ModelVar: "GEMINI_MODEL",
		BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
		KeyVar:  "GEMINI_API_KEY", KeyFile: true, KeyPage: "https://aistudio.google.com/apikey",
	},
	{
		Name: "groq", Emoji: "⚡", Model: "llama-3.3-70b-versatile", ModelVar: "GROQ_MODEL",
		BaseURL: "https://api.groq.com/openai/v1",
		KeyVar:  "GROQ_API_KEY", KeyFile: true, KeyPage: "https://console.groq.com/keys",
	},
	{
		Name: "openai", Emoji: "🔮", Model: "gpt-5.1", ModelVar: "OPENAI_MODEL",
		BaseURL: "https://api.openai.com/v1",
		KeyVar:  "OPENAI_API_KEY", KeyPage: "https://platform.openai.com/api-keys",
	},
	{
		Name: OpenAICompat, Emoji: "🔮", Model: "qwen/qwen3-32b", ModelVar: "OPENAI_COMPAT_MODEL",
		BaseURL: "https://openrouter.ai/api/v1", URLVar: "OPENAI_COMPAT_URL",
		KeyVar: "OPENAI_COMPAT_API_KEY", KeyPage: "https://openrouter.ai/keys",
	},
	{
		Name: Ollama, Emoji: "🦙", Model: "qwen3-coder:30b", ModelVar: "OLLAMA_MODEL",
		BaseURL: "http://localhost:11434", URLVar: "OLLAMA_URL", Free: true,
	},
	{Name: Offline, Emoji: "🔌", Model: "built-in", Free: true},
}

// Lookup finds a provider by name, without regard to case.
func Lookup(name string) (Provider, error) {
	for _, provider := range Catalog {
		if strings.EqualFold(provider.Name, strings.TrimSpace(name)) {
			return provider, nil
		}
	}
	return Provider{}, fmt.Errorf("there is no provider called %q; the names are: %s", name, strings.Join(names(), ", "))
}

func names() []string {
	list := make([]string, len(Catalog))
	for i, provider := range Catalog {
		list[i] = provider.Name
	}
	return list
}
