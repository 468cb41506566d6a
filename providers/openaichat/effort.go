package openaichat

import (
	"errors"
	"net/http"
	"slices"
	"strings"

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
func (m *Model) without(err error, question providers.Question) bool {
	if providers.RefusesPictures(err, question) {
		return !m.blind.Swap(true)
	}
	refused, ok := errors.AsType[*providers.StatusError](err)
	if !ok || refused.Status != http.StatusBadRequest && refused.Status != http.StatusUnprocessableEntity && refused.Status != http.StatusNotFound {
		return false
	}
	message := strings.ToLower(refused.Message)
	named := slices.ContainsFunc([]string{"reasoning", "thinking", "effort"}, func(word string) bool { return strings.Contains(message, word) })
	return named && question.Effort != "" && m.effort(question.Effort) != "" && !m.thoughtless.Swap(true)
}
