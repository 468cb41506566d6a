package tokens

import "strings"

// windows lists what is known of the catalogue's models, by the beginning of
// provider/model or of the model's name. The first row that fits counts.
var windows = []struct {
	prefix string
	tokens int
}{
	{"copilot/", 144_000},                    // max_context_window_tokens of its CLI, with max_prompt_tokens 128,000
	{"ollama/", 32_768},                      // ollama.DefaultWindow: what the client asks for
	{"openai-compat/qwen/qwen3-32b", 40_960}, // the shortest of those that OpenRouter passes it to
	{"gemini-", 1_048_576},
	{"llama-3.3-70b", 131_072},
	{"gpt-5", 272_000}, // for a question; 400,000 with the answer
	{"claude-", 200_000},
}

// Window is the context window of a model, in tokens, and 0 if it is not known.
func Window(provider, model string) int {
	provider, model = strings.ToLower(provider), strings.ToLower(model)
	bare := model[strings.LastIndexByte(model, '/')+1:] // without the maker: anthropic/claude-…
	for _, row := range windows {
		if strings.HasPrefix(provider+"/"+model, row.prefix) || strings.HasPrefix(bare, row.prefix) {
			return row.tokens
		}
	}
	return 0
}
