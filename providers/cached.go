package providers

import "time"

// CacheLasts returns how long a provider keeps a prompt prefix after its last use. The result errs
// on the long side, so that a cached prefix is not abandoned early.
//
// Anthropic: 5 minutes by default (platform.claude.com, prompt caching). OpenAI: up to an hour
// (platform.openai.com, prompt caching). Groq: 2 hours (console.groq.com, prompt caching).
// DeepSeek: hours to days (api-docs.deepseek.com, context caching). Ollama: 5 minutes until the
// model and its cache are unloaded (Ollama FAQ, keep_alive). If a provider documents no time,
// Marvin assumes an hour.
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
