package openaichat

import (
	"net/http"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
)

// effort is the field that says how long the model thinks, as its host takes it; "" for
// what the model does by itself.
func (m *Model) effort(wish providers.Effort) string {
	effort := m.config.About.Fit(wish)
	if effort == "" || m.thoughtless.Load() {
		return ""
	}
	word := string(effort)
	switch effort {
	case providers.Off:
		word = "none"
	case providers.Max:
		word = "xhigh"
	}
	switch m.config.Provider {
	case "openrouter", providers.OpenAICompat:
		return `,"reasoning":{"effort":"` + word + `"}`
	case "deepseek":
		kind := "enabled"
		if effort == providers.Off {
			kind = "disabled"
		}
		return `,"thinking":{"type":"` + kind + `"}`
	}
	return `,"reasoning_effort":"` + word + `"`
}

// without leaves out what a refusal names, and says whether that is something new.
func (m *Model) without(refused *providers.StatusError, question providers.Question) bool {
	message := strings.ToLower(refused.Message)
	holds := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(message, word) })
	}
	switch {
	case refused.Status != http.StatusBadRequest && refused.Status != http.StatusUnprocessableEntity && refused.Status != http.StatusNotFound:
		return false
	case question.Effort != "" && m.effort(question.Effort) != "" && holds("reasoning", "thinking", "effort"):
		return !m.thoughtless.Swap(true)
	case pictured(question.Messages) && holds("image", "vision", "multimodal", "content type", "content must be a string"):
		return !m.blind.Swap(true)
	}
	return false
}

// pictured says whether there is a picture in a conversation.
func pictured(all []messages.Message) bool {
	return slices.ContainsFunc(all, func(message messages.Message) bool {
		return len(message.Pictures)+len(message.Result.Pictures) > 0
	})
}
