package providers

// Provider is one row of the catalog.
type Provider struct {
	Name    string
	Emoji   string // shown in the status line
	Wire    Wire   // the protocol; "" means Chat
	Model   string // the default model
	BaseURL string // the address without /chat/completions; "" if the provider does not use HTTP
	KeyVar  string // the environment variable with the key; "" if the provider needs no key
	KeyFile bool   // ~/.ssh/<KeyVar> is read when the variable is unset
	KeyPage string // the web page where the user gets a key
	// KeySource is the setting "key:" from config.yaml ($NAME, file:PATH, keyring:NAME or
	// !command), or "" if the setting is missing.
	KeySource string
	// ModelVar and URLVar name the environment variables that override Model and BaseURL.
	ModelVar, URLVar string
	Free             bool // costs nothing per token
	Local            bool // a server on this machine; Marvin checks whether the server is running
	Own              bool // added or changed by the user's configuration
	Account          bool // the user logs in with a browser; no key is needed
	// Headers are sent with each request, Body only with prompts. A header value is $NAME,
	// file:PATH, keyring:NAME, or text that can contain ${NAME}.
	Headers map[string]string
	Body    map[string]any
	// Models contains the user's settings for models, by name.
	Models map[string]About
	Names  []string // the names in Models, in the order of the file
}

// Wire is the protocol of a provider.
type Wire string

// The user can configure all protocols except SDK and BuiltIn. SDK and BuiltIn each belong to one
// provider.
const (
	Chat       Wire = "chat"      // OpenAI's chat completions, which most providers use
	Responses  Wire = "responses" // OpenAI's own protocol, whose requests repeat earlier reasoning
	Messages   Wire = "anthropic"
	OllamaWire Wire = "ollama"
	SDK        Wire = "copilot"
	BuiltIn    Wire = "offline"
)

// These constants name providers in [Catalog].
const (
	Copilot      = "copilot"
	Ollama       = "ollama"
	OpenAICompat = "openai-compat"
	ChatGPT      = "chatgpt"
	Offline      = "offline"
)

// Catalog lists the providers in order of preference: providers with a key or a login, servers on
// this machine, and the built-in provider. The order matters if the user has named no provider. No
// endpoint has ever changed. One default model changed, because its host removed deepseek-chat in
// July 2026.
var Catalog = []Provider{
	{Name: Copilot, Emoji: "🤖", Wire: SDK, Model: "claude-haiku-4.5", ModelVar: "MARVIN_CHAT_MODEL"},
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
		Name: "openai", Emoji: "🔮", Wire: Responses, Model: "gpt-5.1", ModelVar: "OPENAI_MODEL",
		BaseURL: "https://api.openai.com/v1",
		KeyVar:  "OPENAI_API_KEY", KeyPage: "https://platform.openai.com/api-keys",
	},
	{
		Name: OpenAICompat, Emoji: "🔮", Model: "qwen/qwen3-32b", ModelVar: "OPENAI_COMPAT_MODEL",
		BaseURL: "https://openrouter.ai/api/v1", URLVar: "OPENAI_COMPAT_URL",
		KeyVar: "OPENAI_COMPAT_API_KEY", KeyPage: "https://openrouter.ai/keys",
	},
	{
		Name: "anthropic", Emoji: "✳️", Wire: Messages, Model: "claude-sonnet-4-5", ModelVar: "ANTHROPIC_MODEL",
		BaseURL: "https://api.anthropic.com/v1",
		KeyVar:  "ANTHROPIC_API_KEY", KeyPage: "https://console.anthropic.com/settings/keys",
	},
	{
		Name: "mistral", Emoji: "🌬️", Model: "mistral-large-latest", ModelVar: "MISTRAL_MODEL",
		BaseURL: "https://api.mistral.ai/v1",
		KeyVar:  "MISTRAL_API_KEY", KeyPage: "https://console.mistral.ai/api-keys",
	},
	{
		Name: "deepseek", Emoji: "🐋", Model: "deepseek-flash", ModelVar: "DEEPSEEK_MODEL",
		BaseURL: "https://api.deepseek.com/v1",
		KeyVar:  "DEEPSEEK_API_KEY", KeyPage: "https://platform.deepseek.com/api_keys",
	},
	{
		Name: "xai", Emoji: "✖️", Model: "grok-4", ModelVar: "XAI_MODEL",
		BaseURL: "https://api.x.ai/v1",
		KeyVar:  "XAI_API_KEY", KeyPage: "https://console.x.ai",
	},
	{
		Name: "openrouter", Emoji: "🔀", Model: "qwen/qwen3-32b", ModelVar: "OPENROUTER_MODEL",
		BaseURL: "https://openrouter.ai/api/v1",
		KeyVar:  "OPENROUTER_API_KEY", KeyPage: "https://openrouter.ai/keys",
	},
	{
		Name: "together", Emoji: "🤝", Model: "meta-llama/Llama-3.3-70B-Instruct-Turbo", ModelVar: "TOGETHER_MODEL",
		BaseURL: "https://api.together.xyz/v1",
		KeyVar:  "TOGETHER_API_KEY", KeyPage: "https://api.together.xyz/settings/api-keys",
	},
	{
		Name: "fireworks", Emoji: "🎆", Model: "accounts/fireworks/models/llama-v3p3-70b-instruct", ModelVar: "FIREWORKS_MODEL",
		BaseURL: "https://api.fireworks.ai/inference/v1",
		KeyVar:  "FIREWORKS_API_KEY", KeyPage: "https://fireworks.ai/account/api-keys",
	},
	{
		Name: "cerebras", Emoji: "🧠", Model: "llama-3.3-70b", ModelVar: "CEREBRAS_MODEL",
		BaseURL: "https://api.cerebras.ai/v1",
		KeyVar:  "CEREBRAS_API_KEY", KeyPage: "https://cloud.cerebras.ai",
	},
	{ // for the user's ChatGPT plan; OpenAI's Codex uses the same address
		Name: ChatGPT, Emoji: "💬", Wire: Responses, Model: "gpt-5.3-codex", ModelVar: "CHATGPT_MODEL",
		BaseURL: "https://chatgpt.com/backend-api/codex", Account: true, Free: true,
	},
	{
		Name: Ollama, Emoji: "🦙", Wire: OllamaWire, Model: "qwen3-coder:30b", ModelVar: "OLLAMA_MODEL",
		BaseURL: "http://localhost:11434", URLVar: "OLLAMA_URL", Free: true, Local: true,
	},
	{Name: "lmstudio", Emoji: "🎛️", ModelVar: "LMSTUDIO_MODEL", BaseURL: "http://localhost:1234/v1", URLVar: "LMSTUDIO_URL", Free: true, Local: true},
	{Name: "llamacpp", Emoji: "🐑", ModelVar: "LLAMACPP_MODEL", BaseURL: "http://localhost:8080/v1", URLVar: "LLAMACPP_URL", Free: true, Local: true},
	{Name: "vllm", Emoji: "🚀", ModelVar: "VLLM_MODEL", BaseURL: "http://localhost:8000/v1", URLVar: "VLLM_URL", Free: true, Local: true},
	{Name: Offline, Emoji: "🔌", Wire: BuiltIn, Model: "built-in", Free: true},
}

// AddressSetting describes the setting for a provider's address. The result is part of error
// messages.
func AddressSetting(name string) string {
	for _, provider := range Catalog {
		switch {
		case provider.Name != name:
		case provider.URLVar != "":
			return provider.URLVar
		default:
			return "it as the \"url\" of a provider of your own (under \"providers:\" in config.yaml)"
		}
	}
	return "the url of " + name + " under \"providers:\" in config.yaml"
}
