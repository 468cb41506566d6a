package providers

import "time"

// CacheLasts returns how long a provider keeps a prompt prefix after the prefix was last used. It
// prefers a time that is too long, so that a cached prefix is not abandoned early.
//
// Anthropic: 5 minutes by default (platform.claude.com, prompt caching). OpenAI: up to an hour
// (platform.openai.com, prompt caching). Groq: 2 hours (console.groq.com, prompt caching).
// DeepSeek: hours to days (api-docs.deepseek.com, context caching). Ollama unloads a model and its
// cache after 5 minutes (its FAQ, keep_alive). If a provider documents no time, Marvin assumes an
// hour.
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
