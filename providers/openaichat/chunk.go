package openaichat

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// chunk is one event of a stream, or a complete response in one body. In a complete response, each
// choice has a message instead of a delta.
type chunk struct {
	Object  string          `json:"object"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Delta        *delta `json:"delta"`
	Message      *delta `json:"message"`
	FinishReason string `json:"finish_reason"`
}

type delta struct {
	Content          content     `json:"content"`
	Refusal          string      `json:"refusal"`
	ReasoningContent string      `json:"reasoning_content"` // DeepSeek, Qwen, llama.cpp, vLLM
	Reasoning        text        `json:"reasoning"`         // OpenRouter, Groq, Ollama's /v1
	ReasoningDetails []detail    `json:"reasoning_details"` // OpenRouter; can repeat Reasoning
	ToolCalls        []callDelta `json:"tool_calls"`
}

type detail struct {
	Text    string `json:"text"`
	Summary string `json:"summary"`
}

type callDelta struct {
	Index        json.RawMessage `json:"index"`
	ID           text            `json:"id"`
	Function     functionDelta   `json:"function"`
	ExtraContent json.RawMessage `json:"extra_content"`
}

type functionDelta struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type usage struct {
	PromptTokens        int `json:"prompt_tokens"`
	CompletionTokens    int `json:"completion_tokens"`
	PromptTokensDetails struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	PromptCacheHitTokens int `json:"prompt_cache_hit_tokens"` // DeepSeek
}

// decode returns a chunk that is valid until the next call. A field of an unexpected type stays
// empty, because some servers deviate from the protocol.
func (s *scanner) decode(data []byte) (chunk, error) {
	if c, usual := s.chunk(data); usual {
		return c, nil
	}
	return decode(data)
}

func decode(data []byte) (chunk, error) {
	var c chunk
	err := json.Unmarshal(data, &c)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && len(data) > 0 && data[0] == '{' {
		return c, nil
	}
	return c, err
}

// thinking extracts the reasoning text. It uses the first reasoning field that is not empty.
func (d *delta) thinking() string {
	if thought := cmp.Or(d.ReasoningContent, string(d.Reasoning), string(d.Content.thought)); thought != "" {
		return thought
	}
	var whole strings.Builder
	for _, detail := range d.ReasoningDetails {
		whole.WriteString(detail.Text)
		whole.WriteString(detail.Summary)
	}
	return whole.String()
}

// content is the decoded content field of an answer. Mistral's reasoning models send a list of
// parts, according to public adapters that quote docs.mistral.ai ("Reasoning").
type content struct{ said, thought text }

// UnmarshalJSON accepts any value, like [text.UnmarshalJSON].
func (c *content) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return c.said.UnmarshalJSON(data)
	}
	var parts []struct {
		Text     text `json:"text"`
		Thinking text `json:"thinking"`
	}
	_ = json.Unmarshal(data, &parts) // ignore anything that is not a part
	for _, part := range parts {
		c.said += part.Text
		c.thought += part.Thinking
	}
	return nil
}

// text is a string that some servers send as a number or as a list of parts.
type text string

// UnmarshalJSON accepts any JSON value and stores the value's text. It ignores null and objects.
func (t *text) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		return json.Unmarshal(data, (*string)(t))
	case '[':
		var parts []struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal(data, &parts) // ignore anything that is not a text part
		for _, part := range parts {
			*t += text(part.Text)
		}
	case 'n', '{':
	default:
		*t = text(data)
	}
	return nil
}
