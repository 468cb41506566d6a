package providers

import "time"

// CacheLasts is how long a provider keeps the beginning of a prompt after it was used last,
// as far as it is documented: the longest time, for what is kept is not to be given up.
//
// Anthropic: 5 minutes unless more is asked for (platform.claude.com, prompt caching). OpenAI:
// until an hour (platform.openai.com, prompt caching). Groq: 2 hours (console.groq.com,
// prompt caching). DeepSeek: hours to days (api-docs.deepseek.com, context caching). Ollama
// unloads a model, and what it read with it, after 5 minutes (its FAQ, keep_alive). Others
// do not say; of them it is taken to be an hour.
func CacheLasts(provider string) time.Duration {
	switch provider {
	case "anthropic", Ollama:
		return 5 * time.Minute
	case "groq":
		return 2 * time.Hour
	case "deepseek":
		return 24 * time.Hour
	}
	return time.Hour
}
