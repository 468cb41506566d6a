package openaichat

import (
	"fmt"
	"slices"
	"strings"

	"marvin/providers"
	"marvin/providers/internal/stream"
)

// effort returns the JSON fields for the requested effort, with a leading comma. It returns "" if
// the model should choose the effort itself.
func (m *Model) effort(wish providers.Effort) string {
	effort := m.config.About.Fit(wish)
	if effort == "" || m.thoughtless.Load() {
		return ""
	}
	word, routed := string(effort), m.config.Provider == "openrouter" || m.config.Provider == providers.OpenAICompat
	switch {
	case effort == providers.Off:
		word = "none"
	case effort == providers.Max && !routed && !slices.Contains(m.config.About.Efforts, effort):
		word = "xhigh"
	}
	switch {
	case routed:
		return `,"reasoning":{"effort":"` + word + `"}`
	case m.config.Provider == "together" && m.config.About.Efforts == nil: // on Together, only gpt-oss has effort levels
		return fmt.Sprintf(`,"reasoning":{"enabled":%t}`, effort != providers.Off)
	case m.config.Provider == "deepseek":
		if effort == providers.Off {
			return `,"thinking":{"type":"disabled"}`
		}
		return `,"thinking":{"type":"enabled"},"reasoning_effort":"` + string(effort) + `"`
	}
	return `,"reasoning_effort":"` + word + `"`
}

// wantsThoughts reports whether requests must repeat the model's earlier reasoning as
// reasoning_content. DeepSeek requires this field for reasoning models (guides/thinking_mode at
// api-docs.deepseek.com, read 2026-11). Other servers, such as Moonshot and gateways to Moonshot,
// name the field when they refuse a request.
func (m *Model) wantsThoughts() bool {
	return m.config.Provider == "deepseek" || m.returning.Load()
}

// turnOff turns off the feature that a refusal names, and reports whether it was on.
func (m *Model) turnOff(err error, question providers.Question) bool {
	if providers.RefusesPictures(err, question) {
		return !m.blind.Swap(true)
	}
	message, refused := stream.Refused(err)
	if !refused {
		return false
	}
	if strings.Contains(message, "reasoning_content") && (strings.Contains(message, "missing") || strings.Contains(message, "passed back")) {
		return !m.wantsThoughts() && !m.returning.Swap(true)
	}
	named := slices.ContainsFunc([]string{"reasoning", "thinking", "effort"}, func(word string) bool { return strings.Contains(message, word) })
	return named && question.Effort != "" && m.effort(question.Effort) != "" && !m.thoughtless.Swap(true)
}
