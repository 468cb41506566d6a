package providers

import (
	"slices"
	"strings"
)

// Effort is how long a model thinks before it answers. For "", no effort is sent, and the model
// decides for itself.
type Effort string

// The efforts, beginning with the lowest.
const (
	Off     Effort = "off"
	Minimal Effort = "minimal"
	Low     Effort = "low"
	Medium  Effort = "medium"
	High    Effort = "high"
	XHigh   Effort = "xhigh"
	Max     Effort = "max"
)

// Efforts contains all efforts, beginning with the lowest.
var Efforts = []Effort{Off, Minimal, Low, Medium, High, XHigh, Max}

// modelTable lists the properties of models. rowOf selects the first row whose prefix matches
// "provider/model" or the model's name without a provider. If the efforts field is empty, the
// model's efforts are unknown. If the field is "none", the model accepts no effort.
var modelTable = []struct {
	prefix  string
	window  int
	most    int  // the maximum number of tokens in an answer; 0 if unknown
	sees    byte // 'y' if the model accepts pictures, 'n' if not, 0 if unknown
	efforts string
	always  bool // the model reasons even if the effort is "off"
}{
	{prefix: "copilot/", window: 144_000}, // the CLI's max_context_window_tokens; its max_prompt_tokens is 128,000
	{prefix: "ollama/gpt-oss", window: 32_768, sees: 'n', efforts: "low medium high"},
	{prefix: "ollama/", window: 32_768},                                              // ollama.DefaultWindow, which the client requests
	{prefix: "openai-compat/qwen/qwen3-32b", window: 40_960, sees: 'n'},              // the smallest window among OpenRouter's hosts for this model
	{prefix: "openrouter/qwen/qwen3-32b", window: 40_960, sees: 'n', efforts: "off"}, // reasoning.effort has no levels for this model
	{prefix: "groq/qwen/qwen3.8", window: 131_072, efforts: "off low medium high"},
	{prefix: "groq/qwen/qwen3", window: 131_072, efforts: "off"}, // none or default
	{prefix: "gemini-3-1-pro", window: 1_048_576, sees: 'y', efforts: "low medium high"},
	{prefix: "gemini-3-pro", window: 1_048_576, sees: 'y', efforts: "low high"},
	{prefix: "gemini-3", window: 1_048_576, sees: 'y', efforts: "minimal low medium high"},
	{prefix: "gemini-2.5-pro", window: 1_048_576, sees: 'y', efforts: "low medium high"},
	{prefix: "gemini-2.5", window: 1_048_576, sees: 'y', efforts: "off low medium high"},
	{prefix: "gemini-", window: 1_048_576, sees: 'y', efforts: "none"},
	{prefix: "cerebras/qwen-3.8", window: 65_536, sees: 'y', efforts: "off low medium high"}, // the window for accounts without a contract
	{prefix: "fireworks/accounts/fireworks/models/deepseek-v4", efforts: "off low medium high xhigh max"},
	{prefix: "fireworks/accounts/fireworks/models/glm-5", efforts: "off high max"},
	{prefix: "fireworks/accounts/fireworks/models/kimi-k2", efforts: "low medium high"},
	{prefix: "llama-4", window: 131_072, sees: 'y', efforts: "none"},
	{prefix: "llama-v3p3-70b", window: 131_072, sees: 'n', efforts: "none"},
	{prefix: "llama-3.3-70b", window: 131_072, sees: 'n', efforts: "none"},
	{prefix: "gpt-oss", window: 131_072, sees: 'n', efforts: "low medium high"},
	{prefix: "gpt-5.1-codex-max", window: 272_000, sees: 'y', efforts: "low medium high xhigh"},
	{prefix: "gpt-5.1-codex", window: 272_000, sees: 'y', efforts: "low medium high"},
	{prefix: "gpt-5.1", window: 272_000, sees: 'y', efforts: "off low medium high"},
	{prefix: "gpt-5.2-codex", window: 272_000, sees: 'y', efforts: "low medium high xhigh"},
	{prefix: "gpt-5.2", window: 272_000, sees: 'y', efforts: "off low medium high xhigh"},
	{prefix: "gpt-5.3", window: 272_000, sees: 'y', efforts: "low medium high xhigh"},
	{prefix: "gpt-5.4", window: 272_000, sees: 'y', efforts: "off low medium high xhigh"},
	{prefix: "gpt-5.5", window: 272_000, sees: 'y', efforts: "off low medium high xhigh"},
	{prefix: "gpt-5.6", window: 272_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "gpt-6-astra", window: 272_000, sees: 'y', efforts: "low medium high xhigh max"},
	{prefix: "gpt-6.1", window: 272_000, sees: 'y', efforts: "low medium high xhigh max"},
	{prefix: "gpt-6.2", window: 272_000, sees: 'y', efforts: "low medium high xhigh max"},
	{prefix: "gpt-6", window: 272_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "gpt-5-pro", window: 272_000, sees: 'y', efforts: "high"},
	{prefix: "gpt-5", window: 272_000, sees: 'y', efforts: "minimal low medium high"}, // 272,000 for the request alone, 400,000 with the answer
	{prefix: "gpt-4", sees: 'y', window: 128_000, efforts: "none"},
	{prefix: "o1", window: 200_000, sees: 'y', efforts: "low medium high"},
	{prefix: "o3", window: 200_000, sees: 'y', efforts: "low medium high"},
	{prefix: "o4-mini", window: 200_000, sees: 'y', efforts: "low medium high"},
	{prefix: "claude-mythos-preview", window: 200_000, most: 128_000, sees: 'y', efforts: "low medium high max"},
	{prefix: "claude-mythos", window: 1_000_000, most: 128_000, sees: 'y', efforts: "low medium high xhigh max"},
	{prefix: "claude-fable", window: 1_000_000, most: 128_000, sees: 'y', efforts: "low medium high xhigh max"},
	{prefix: "claude-opus-5-5", window: 1_000_000, most: 128_000, sees: 'y', efforts: "low medium high xhigh max"}, // thinking cannot be turned off
	{prefix: "claude-haiku-5", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "claude-opus-5", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "claude-sonnet-5", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "claude-opus-4-7", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "claude-opus-4-8", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high xhigh max"},
	{prefix: "claude-opus-4-6", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high max"},
	{prefix: "claude-sonnet-4-6", window: 1_000_000, most: 128_000, sees: 'y', efforts: "off low medium high max"},
	{prefix: "claude-opus-4-5", window: 200_000, most: 64_000, sees: 'y', efforts: "off low medium high max"},
	{prefix: "claude-opus-4", window: 200_000, most: 32_000, sees: 'y', efforts: "off low medium high max"},
	{prefix: "claude-3-5", window: 200_000, most: 8_192, sees: 'y', efforts: "none"},
	{prefix: "claude-3-haiku", window: 200_000, most: 4_096, sees: 'y', efforts: "none"},
	{prefix: "claude-", window: 200_000, most: 64_000, sees: 'y', efforts: "off low medium high max"},
	{prefix: "deepseek/deepseek-reasoner", window: 131_072, most: 0, sees: 'n', efforts: "none", always: true},
	{prefix: "deepseek/", window: 131_072, sees: 'n', efforts: "off low high max"},
	{prefix: "grok-3-mini", window: 131_072, sees: 'n', efforts: "low high"},
	{prefix: "grok-4.7", window: 500_000, sees: 'y', efforts: "low medium high xhigh"},
	{prefix: "grok-4.6", window: 500_000, sees: 'y', efforts: "low medium high"},
	{prefix: "grok-4.5", window: 500_000, sees: 'y', efforts: "low medium high"},
	{prefix: "grok-4.3", window: 256_000, sees: 'y', efforts: "off low medium high"},
	{prefix: "grok-", window: 256_000, sees: 'y', efforts: "none"},
	{prefix: "mistral/mistral-small", window: 131_072, efforts: "off high"},
	{prefix: "mistral/mistral-medium-3.5", window: 262_144, sees: 'y', efforts: "off high"},
	{prefix: "mistral/codestral", window: 256_000, sees: 'n', efforts: "none"},
	{prefix: "mistral/magistral", window: 131_072, sees: 'y', efforts: "none", always: true},
	{prefix: "mistral/", window: 131_072, efforts: "none"},
	{prefix: "lmstudio/", efforts: "off low medium high xhigh"}, // LM Studio accepts these efforts, but some models ignore them
}

// rowOf returns the index of the model's row in modelTable. Dots count as hyphens, so
// claude-sonnet-4.5 and claude-sonnet-4-5 have the same row.
func rowOf(provider, model string) (row int, found bool) {
	provider, model = canonical(provider), strings.ToLower(strings.TrimSpace(model))
	bare := canonical(model[strings.LastIndexByte(model, '/')+1:]) // without prefixes like "openai/"
	full := provider + "/" + canonical(model)
	for i := range modelTable {
		prefix := canonical(modelTable[i].prefix)
		if strings.HasPrefix(full, prefix) || strings.HasPrefix(bare, prefix) {
			return i, true
		}
	}
	return 0, false
}

func knownOf(provider, model string) About {
	at, found := rowOf(provider, model)
	if !found {
		return About{}
	}
	row := modelTable[at]
	about := About{Window: row.window, Most: row.most, Efforts: effortsIn(row.efforts)}
	if row.sees != 0 {
		sees := row.sees == 'y'
		about.Sees = &sees
	}
	if row.always {
		about.Thinks = &row.always
	}
	return about
}

func effortsIn(words string) []Effort {
	switch words {
	case "":
		return nil
	case "none":
		return []Effort{}
	}
	var list []Effort
	for _, word := range strings.Fields(words) {
		list = append(list, Effort(word))
	}
	return list
}

// Window returns the model's context window in tokens, or 0 if it is unknown.
func Window(provider, model string) int { return knownOf(provider, model).Window }

// Fit returns the supported effort that is nearest to the requested effort; a tie goes to the lower
// effort. It returns Off only if Off or Minimal is requested, and "" if no effort fits. If the
// supported efforts are unknown, it returns the requested effort.
func (a About) Fit(wish Effort) Effort {
	at := slices.Index(Efforts, wish)
	if at < 0 || a.Efforts == nil {
		return wish
	}
	best := Effort("")
	for i, effort := range Efforts {
		if effort == Off && at > slices.Index(Efforts, Minimal) {
			continue
		}
		if slices.Contains(a.Efforts, effort) && (best == "" || distance(i, at) < distance(slices.Index(Efforts, best), at)) {
			best = effort
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }
